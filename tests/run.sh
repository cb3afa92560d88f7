#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# run.sh COMMAND... TEST: what `make check` runs each test by, from the build directory. Tests run beside
# each other, as many as make has jobs, but for those in ALONE_TESTS: nothing else runs meanwhile. Beside those in
# LOCKING_TESTS run only those in COMPUTE_TESTS, which leave the processors to the others. How long each took is in
# tests/times. TEST_LOCKS: the folder of another build's locks, if that one's tests run at the same time. How much
# each does: sizes.sh.
# shellcheck source=tests/sizes.sh
. "$(dirname "$0")/sizes.sh"

for test; do :; done
test=tests/${test##*tests/}
locks=${TEST_LOCKS:-tests}
mkdir -p tests "$locks"

# is_in TESTS: this one is among them.
is_in()
{
	case " $1 " in
	*" $test "*) return 0 ;;
	esac
	return 1
}

# Always in this order: who has the second waits for nothing.
exec 8>> "$locks/interfaces" 9>> "$locks/running"
if is_in "${ALONE_TESTS-}"; then
	flock --exclusive 9
elif is_in "${LOCKING_TESTS-}"; then
	flock --exclusive 8
	flock --shared 9
elif is_in "${COMPUTE_TESTS-}"; then
	flock --shared 9
	set -- nice -n 5 "$@"
else
	flock --shared 8
	flock --shared 9
fi
# In a build with TSan. Threads that are not joined: a process cloned to start the loader has those of its parent.
here=$(cd "$(dirname "$0")" && pwd)
export TSAN_OPTIONS="suppressions=$here/tsan.supp report_thread_leaks=0"
# A test may run make; it has no part in the jobs of this one.
unset MAKEFLAGS MFLAGS MAKELEVEL
# By this in their environment the test's processes are known.
mark=TEST_MARK=$test-$$

left_behind()
{
	grep -lszFx "$mark" /proc/[0-9]*/environ | sed 's|/proc/\([0-9]*\)/.*|\1|'
}

# nothing_is_left: processes of the test have ended, some a moment after it. Those that have not are killed.
nothing_is_left()
{
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		left=$(left_behind)
		[ -n "$left" ] || return 0
		sleep 0.5
	done
	for process in $left; do
		echo "FAILED: left running: $(tr '\0' ' ' < "/proc/$process/cmdline")"
		kill -KILL "$process"
	done
	return 1
}

# Also of programs that do not read lib.sh: veth pairs stand for cards.
export PCAP_AFXDP_OPTIONS=veth=xdp
begun=$(date +%s)
# Who runs them by nohup has SIGHUP ignored.
env --default-signal=HUP "$mark" "$@" 8>&- 9>&-
status=$?
nothing_is_left || status=1
# Seconds, the test, and seconds of a processor: of the processes that somebody has waited for.
times > "tests/times.$$"
computed=$(awk 'NR == 2 { split($1, user, "[ms]"); split($2, kernel, "[ms]")
	printf "%.1f", 60 * (user[1] + kernel[1]) + user[2] + kernel[2] }' "tests/times.$$")
rm -f "tests/times.$$"
echo "$(($(date +%s) - begun)) $test $computed" >> tests/times
exit "$status"
