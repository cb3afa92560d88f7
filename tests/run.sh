#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# run.sh COMMAND... TEST: what `make check` runs each test by, from the build directory. Tests run beside
# each other, as many as make has jobs, but for those in ALONE_TESTS: nothing else runs meanwhile. How
# long each took is in tests/times. How much each does: sizes.sh.
# shellcheck source=tests/sizes.sh
. "$(dirname "$0")/sizes.sh"

for test; do :; done
test=tests/${test##*tests/}
case " ${ALONE_TESTS-} " in
*" $test "*) share=--exclusive ;;
*) share=--shared ;;
esac
mkdir -p tests
exec 9>> tests/running
flock "$share" 9
# In a build with TSan. Threads that are not joined: a process cloned to start the loader has those of its parent.
here=$(cd "$(dirname "$0")" && pwd)
export TSAN_OPTIONS="suppressions=$here/tsan.supp report_thread_leaks=0"
# A test may run make; it has no part in the jobs of this one.
unset MAKEFLAGS MFLAGS MAKELEVEL
begun=$(date +%s)
"$@" 9>&-
status=$?
echo "$(($(date +%s) - begun)) $test" >> tests/times
exit "$status"
