#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Opened and closed hundreds of times (LEAK_OPENS): no map, program, link or process is left, no descriptor, no
# memory; and the kernel is given no byte that nobody has set.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need bpftool
need_testprog pcapread
veth_pair
opens=$LEAK_OPENS

no_new_orphans()
{
	orphaned_rings > "$scratch/after"
	[ -z "$(comm -13 "$scratch/before" "$scratch/after")" ]
}

orphaned_rings > "$scratch/before"
# What the allocator keeps for later counts as in use: here it keeps nothing.
start_capture env GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0 \
	"$build/testprogs/pcapread" -i xdp:vb,ring=512K --opens "$opens" -t 1 --timeout 10
reader=$pid
ended "$reader" 600
equal "$opens times opened and closed: status" 0 $?

# unchanged WHAT: between the tenth and the last time.
unchanged()
{
	equal "$1 at the end" "$(json "$out" "$1_before")" "$(json "$out" "$1_after")"
}
for what in bytes mappings descriptors; do
	[ $what = bytes ] && is_sanitized && continue # an allocator of its own
	between "$what held after ten" 3 1000000000 "$(json "$out" ${what}_before)"
	unchanged $what
done
check "no rings are left" wait_for 20 no_new_orphans
check "no program on the interface" no_xdp_program "$right" vb
equal "promiscuity" 0 "$(promiscuity "$right" vb)"
check "no process is left" test -z "$(ip netns pids "$right")"

# under_valgrind OPENS
#
# The kernel gives its BTF a page at a time, and for each valgrind looks at every byte of the rest of the buffer, which
# makes an opening last five seconds: give it a file that is read at once. Only that process sees it.
under_valgrind()
{
	# shellcheck disable=SC2016 # for the inner shell
	with_library sh -c 'mount --bind "$0" /sys/kernel/btf/vmlinux && "$@"
		status=$?
		umount /sys/kernel/btf/vmlinux
		exit $status' "$scratch/btf" \
		valgrind --leak-check=full --show-leak-kinds=definite,indirect --child-silent-after-fork=yes \
		--errors-for-leak-kinds=definite,indirect --error-exitcode=9 --suppressions="$top/tests/valgrind.supp" \
		"$build/testprogs/pcapread" -i xdp:vb,ring=512K --opens "$1" \
		-t 1 --timeout 1000 -f 'udp port 9' > "$scratch/said" 2>&1
	status=$?
	equal "under valgrind, $1 times: status" 0 "$status"
	[ "$status" -eq 0 ] || grep -v -e WARNING -e 'You may be' -e README_MISSING -e Nevertheless \
		-e 'it at http' "$scratch/said" | head -n 40
	at_exit=$(sed -n 's/.*in use at exit: //p' "$scratch/said")
}

# What the dynamic linker keeps of the library, which libpcap never closes, is there once.
if command -v valgrind > /dev/null && ! is_sanitized; then
	cp /sys/kernel/btf/vmlinux "$scratch/btf"
	under_valgrind 1
	once=$at_exit
	check "under valgrind: what is in use at exit is known" test -n "$once"
	under_valgrind "$LEAK_VALGRIND_OPENS"
	equal "under valgrind: no more is in use at exit than after one" "$once" "$at_exit"
else
	skip "valgrind"
fi
finish
