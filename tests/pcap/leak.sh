#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A thousand times opened and closed: no map, program, link or process is left, no descriptor, no
# memory.
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need bpftool
need_testprog pcapread
veth_pair
opens=${LEAK_OPENS:-1000}

# Ours by name: other programs may come and go meanwhile.
bpf_objects()
{
	bpftool map show 2> /dev/null | grep -c -E 'name (rings|doorbell|slots|capture_)'
	bpftool prog show 2> /dev/null | grep -c -E 'name (xdp_root|xdp_capture|tc_|packet_|skb_)'
	bpftool link show 2> /dev/null | grep -c -E '^[0-9]+: (xdp|tcx)'
}

is_as_before()
{
	[ "$(bpf_objects)" = "$before" ]
}

before=$(bpf_objects)
start_capture "$build/testprogs/pcapread" -i xdp:vb,ring=64K --opens "$opens" -t 1 --timeout 10
reader=$pid
resident=0
while ! process_gone "$reader"; do
	now=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$reader/status" 2> /dev/null)
	[ "${first:-0}" -gt 0 ] || first=${now:-0}
	[ "${now:-0}" -le "$resident" ] || resident=$now
	sleep 1
done
ended "$reader" 1
equal "$opens times opened and closed: status" 0 $?
is_sanitized || between "resident KiB, most" 1 $((first + 8192)) "$resident"
check "no map, program or link is left" wait_for 10 is_as_before
check "no program on the interface" no_xdp_program "$right" vb
equal "promiscuity" 0 "$(promiscuity "$right" vb)"
check "no process is left" test -z "$(ip netns pids "$right")"

if command -v valgrind > /dev/null && ! is_sanitized; then
	with_library valgrind -q --leak-check=full --show-leak-kinds=definite,indirect,possible \
		--errors-for-leak-kinds=definite,indirect --error-exitcode=9 --track-fds=no \
		"$build/testprogs/pcapread" -i xdp:vb,ring=64K --opens "${LEAK_VALGRIND_OPENS:-20}" \
		-t 1 --timeout 10 -f 'udp port 9' > "$scratch/said" 2>&1
	equal "under valgrind: status" 0 $?
	show "$scratch/said"
else
	skip "valgrind"
fi
finish
