#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine: what other compilers made of the capture programs (VM_CLANGS), this kernel's verifier takes: each
# program loads, with what it can be asked for and without, and with a filter; where the kernel has fentry those too
# that run at entry and exit of somebody's program.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/../hooks/lib.sh"
need_root
need bpftool
kernel_since 5 18 || skip_all "needs Linux 5.18"
[ -e "$build/objects/own" ] || skip_all "needs VM_CLANGS"
veth_pair
start ip netns exec "$left" "$build/tests/hooks/foreign" xdp va
wait_for 20 grep -q attached "$out" || skip_all "no XDP program can be attached"
traced=$(xdp_program "$left" va)
check "there is a program to look at" [ -n "$traced" ]

# interface OBJECT: maps, programs, and where its variables are; all of a skeleton but the bytes.
interface()
{
	bpftool gen skeleton "$1" name capture_bpf 2> /dev/null | sed '/elf_bytes/,$d'
}

refused=0
kernel_since 6 6 || refused=1 # after=drop at tc, by any compiler
cd "$scratch" || exit 1
interface "$build/objects/own" > own-face
check "the build's own has a face" [ -s own-face ]
for object in "$build"/objects/*; do
	name=${object##*/} result=yes before=$failed
	[ "$name" != own ] || continue
	interface "$object" > face
	check "$name: programs and variables are laid out as the build's" cmp face own-face
	start ip netns exec "$right" "$build/tests/hooks/compiled" vb "$object" "$traced" foreign_xdp
	ended "$pid" 600
	equal "$name: programs that do not load, also with a filter" $refused $(($(sed -n 's/^\([0-9]*\) of \([0-9]*\)$/\2 - \1/p' "$out")))
	equal "$name: ... for a reason of the kernel" $refused "$(grep -c 'after=drop needs native XDP, or Linux 6.6 for hook=tc$' "$out")"
	tail -n 1 "$out"
	[ "$failed" -eq "$before" ] || {
		show "$out"
		show "$err"
		result=FAILED
	}
	echo "able: $(uname -r | sed 's/[+-][a-z].*//') | programs made by $name | $result"
done
finish
