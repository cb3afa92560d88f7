#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# A driver or the kernel refuses an XDP program: whatever the number of the error, auto captures at tc and says why,
# hook=xdp is an error with that reason, and nobody "holds" a hook that is empty.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need ethtool
foreign=$build/tests/hooks/foreign
[ -x "$foreign" ] || skip_all "needs $foreign"
veth_pair
PCAP_AFXDP_OPTIONS=ring=1M,veth=xdp
export PCAP_AFXDP_OPTIONS

# opened OPTION...: xdpdump on vb opens, or does not: its status; what it says in $err.
opened()
{
	run_xdpdump -i vb -a duration:0.1 -w "$scratch/r.pcapng" "$@"
	return "$state"
}

# By number: what BPF_LINK_CREATE returns. The kernel is not asked, so its tracepoint never has words.
refused_by()
{
	words=$1
	shift
	check "$words, auto: captures" opened
	check "... at tc, and says why" grep -q "capturing at tc: vb takes no native XDP program: $words" "$err"
	check "... its first line says tc" grep -q '^listening on vb.* tc' "$err"
	check "$words, hook=xdp: is refused" fails opened --hook xdp
	check "... with the reason" grep -q "vb takes no native XDP program: $words.*; use --hook tc" "$err"
	check "... and held by nobody" fails grep -q 'held by' "$err"
}

if is_sanitized; then
	skip "the library with sanitizers has to be loaded first"
else
	while read -r number words; do
		FAKE_XDP=$number LD_PRELOAD=$build/tests/hooks/fake_driver.so
		export FAKE_XDP LD_PRELOAD
		refused_by "$words"
		unset FAKE_XDP LD_PRELOAD
	done <<-END
		12 Cannot allocate memory
		16 Device or resource busy
		17 File exists
		1 Operation not permitted
		19 No such device
		28 No space left on device
		22 Invalid argument
		95 Operation not supported
		5 Input/output error
		524 Unknown error 524
	END
fi

# without_types COMMAND...: as in a container that hides the kernel's types.
few_descriptors()
{
	# shellcheck disable=SC3045 # dash has it
	(ulimit -n 16 && exec ip netns exec "$right" timeout 20 "$xdpdump" -i vb -a duration:0.1 "$@" 2> "$err")
}
hides='-t tmpfs tmpfs /sys/kernel/btf'
without_types()
{
	ip netns exec "$right" unshare --mount sh -c "mount $hides"' && exec "$@"' sh \
		timeout 20 "$xdpdump" -i vb -a duration:0.1 -w "$scratch/r.pcapng" "$@" 2> "$err"
}

err=$scratch/no_types
no_types="cannot read the kernel's BTF, /sys/kernel/btf/vmlinux, which"
check "no types of the kernel, auto: captures" without_types
check "... at tc, and says why" grep -q "capturing at tc: $no_types.*(No such file or directory)" "$err"
check "... at tc it does without" without_types --hook tc
check "... and says nothing of them" fails grep -q BTF "$err"
check "no types of the kernel, hook=xdp: is refused" fails without_types --hook xdp
check "... with the reason" grep -q "$no_types.*: let this container or sandbox see it, or use --hook tc\$" "$err"
# What else needs them, and cannot take tc for it.
while read -r whose options; do
	# In a pid namespace of its own that is refused first; the number is that of the first one.
	[ "$whose" != --who ] || [ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] || continue
	# shellcheck disable=SC2086 # words
	check "no types of the kernel, $options: is refused" fails without_types $options
	check "... with that reason, and nothing else" grep -q -x "xdpdump: $no_types $whose needs here (.*): let this container or sandbox see it" "$err"
	equal "... in one line" 1 "$(wc -l < "$err")"
done <<-END
	a.capture.at.XDP --engine divert
	--who --who
	a.capture.of.what.is.dropped --drops
	this.capture --netns all -i any
END
# A container may have an empty file in its place.
hides='--bind /dev/null /sys/kernel/btf/vmlinux'
check "an empty file of types: is refused" fails without_types --drops
check "... with the reason" grep -q "^xdpdump: $no_types.*(No data available)" "$err"
if [ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ]; then
	check "... by --who, too" fails without_types --who
	check "... with the same reason" grep -q "^xdpdump: $no_types.*(No data available)" "$err"
	check "no descriptors left for --who: is refused" fails few_descriptors --hook tc --who
	check "... with what to do" grep -q 'Too many open files: .*ulimit -n' "$err"
fi
hides='-t tmpfs tmpfs /sys/kernel/btf'
start ip netns exec "$right" "$foreign" generic vb
holder=$pid said=$err
wait_for 10 grep -q attached "$out" || bad "no program on vb: $(cat "$said")"
err=$scratch/no_types
check "no types of the kernel, an attached program: is refused" fails without_types -p all
check "... with that reason" grep -q -x "xdpdump: $no_types a capture on attached XDP programs needs .*, or use --hook tc" "$err"
stop "$holder"
without_types --doctor > "$scratch/doctor"
check "--doctor: does not say that the kernel has none" grep -q 'its type information cannot be read' "$scratch/doctor"

# A veth whose peer sends by more queues says that it has no XDP. The kernel says why, from 6.12 on.
ip -n "$right" link add vq numrxqueues 4 numtxqueues 4 type veth peer name vp numrxqueues 4 numtxqueues 4
in_right ethtool -L vq rx 2 tx 2
for interface in vq vp; do
	ip -n "$right" link set $interface up
done
reason="; 2 queues receive, and more of its peer's send: ethtool -L PEER tx 2"
! kernel_since 6 12 || reason=".*XDP expects number of rx queues not less than peer tx queues (No space left on device)$reason"
run_xdpdump -i vq -a duration:0.1 -w "$scratch/r.pcapng"
equal "too few queues, auto: captures" 0 "$state"
check "... at tc, and says why" grep -q "capturing at tc: vq takes no native XDP program: .*$reason\$" "$err"
run_xdpdump -i vq --hook xdp -a duration:0.1 -w "$scratch/r.pcapng"
equal "too few queues, hook=xdp: is refused" 1 "$state"
check "... with the reason" grep -q "vq takes no native XDP program: .*$reason; use --hook tc\$" "$err"
# The tracepoint is the host's: what a driver says to another thread at the same time is not what ours says.
if is_sanitized; then
	skip "words for another thread: the library with sanitizers has to be loaded first"
else
	FAKE_XDP=5 FAKE_OTHERS=$(in_right cat /sys/class/net/vq/ifindex) LD_PRELOAD=$build/tests/hooks/fake_driver.so
	export FAKE_XDP FAKE_OTHERS LD_PRELOAD
	refused_by 'Input/output error'
	unset FAKE_XDP FAKE_OTHERS LD_PRELOAD
fi
run_xdpdump --doctor -i vq
tr -s '\n ' '  ' < "$out" > "$scratch/doctor"
check "--doctor: none as it is" grep -q "native XDP note none as it is now: 2 queues receive" "$scratch/doctor"

# A port of a bridge that has a program: the hook is empty, and closed.
ip -n "$right" link add br0 type bridge
ip -n "$right" link set vb master br0
ip -n "$right" link set br0 up
start ip netns exec "$right" "$foreign" generic br0
wait_for 10 grep -q attached "$out" || bad "no program on br0: $(cat "$err")"
closed='vb takes no XDP program, because br0, to which it belongs, has one: capture on br0'
check "below a program, auto: captures" opened
check "... at tc, and says why" grep -q "capturing at tc: $closed\$" "$err"
check "below a program, hook=xdp: is refused" fails opened --hook xdp
check "... with the reason" grep -q "$closed, or use --hook tc\$" "$err"
run_xdpdump --doctor -i vb --hook xdp
tr -s '\n ' '  ' < "$out" > "$scratch/doctor"
check "--doctor: the hook is closed" grep -q 'XDP hook bad closed: br0, to which vb belongs, has foreign' "$scratch/doctor"
check "--doctor: the capture, too" grep -q "capture bad $closed" "$scratch/doctor"
finish
