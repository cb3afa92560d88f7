#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Memory for one ring and not for the next, by a limit of the control group: one sentence says so, nothing is left
# behind, and with the smaller ring that it asks for each frame comes.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping
veth_pair

# possible CPUs have a ring each; what a program takes besides is less than half of one.
megabytes=64
rings=$(awk -F- '{ print $NF + 1 }' /sys/devices/system/cpu/possible)
[ "$rings" -gt 1 ] || skip_all "one CPU has one ring"
if [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
	group=/sys/fs/cgroup/memory/afxdp-memory-$$ limit=memory.limit_in_bytes
elif grep -q -w memory /sys/fs/cgroup/cgroup.controllers 2> /dev/null; then
	group=/sys/fs/cgroup/afxdp-memory-$$ limit=memory.max
	echo +memory > /sys/fs/cgroup/cgroup.subtree_control 2> /dev/null
fi
most=$(((rings * megabytes - megabytes / 2) << 20))
{ mkdir "${group:=/dev/null/none}" && echo $most > "$group/$limit"; } 2> /dev/null ||
	skip_all "no control group for memory"
at_exit "rmdir $group"
# By descriptor, as ip netns exec mounts another /sys.
exec 4> "$group/cgroup.procs"
printf '#!/bin/sh\necho $$ >&4 && exec "$@" 4>&-\n' > "$scratch/limited"
chmod 755 "$scratch/limited"

# refused WORDS COMMAND...: it ends, and says just that.
# shellcheck disable=SC2046 # words
refused()
{
	words=$1
	shift
	in_right env $(library_environment) "$scratch/limited" timeout 40 "$@" > "$scratch/said" 2>&1
	status=$?
	check "$1 ends by itself" test "$status" -ne 0 -a "$status" -lt 124
	equal "$1 says it once: $words" 1 "$(grep -c -F -- "$words" "$scratch/said")"
	wait_for 20 no_xdp_program "$right" vb || bad "$1 has left a program"
	equal "$1 has left no process" 0 "$(grep -c . "$group/cgroup.procs")"
}

refused "no memory for $rings rings of 65536 KiB: give a smaller --ring, or raise the memory limit" \
	"$build/xdpdump/xdpdump" -i vb --ring ${megabytes}M -c 1
refused "no memory for $rings rings of 65536 KiB: give a smaller ring=, or raise the memory limit" \
	tcpdump -i "xdp:vb,ring=${megabytes}M" -c 1

start_capture "$scratch/limited" "$build/xdpdump/xdpdump" -i vb --ring $((megabytes / 8))M --direction in -l icmp
wait_for 40 grep -q 'listening on' "$err" || show "$err"
in_left ping -qc 20 -i 0.02 -W 20 10.99.0.2 > /dev/null
all_read "$pid"
equal "with a smaller one all frames come" 20 "$(grep -c 'echo request' "$out")"
exec 4>&-
finish
