#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine: xdp:any beside libpcap's own any, by all filters of tests/pcap/any_test.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
kernel_since 5 18 || skip_all "needs Linux 5.18"
# shellcheck disable=SC3045 # dash and busybox have these
ulimit -n "$(ulimit -Hn)" # all filters capture at once, in some 30 descriptors each
start env LD_LIBRARY_PATH="$library" "$build/tests/pcap/any_test"
ended "$pid" 850 # init has 900 s for a test
status=$?
compared=$(grep -c '^ok' "$out")
if [ "$status" -eq 0 ]; then
	ok "$compared comparisons with libpcap's any"
else
	bad "comparisons with libpcap's any: status $status"
	grep -v '^ok' "$out" | head -n 40
	show "$err"
	compared=FAILED
fi
echo "able: $(uname -r | sed 's/[+-][a-z].*//') | comparisons of xdp:any with libpcap's any | $compared"
finish
