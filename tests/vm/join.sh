#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2317 # functions are called by their names
# In a virtual machine, as other kernels refuse freplace: join=on, a capture in the dispatcher of libxdp
# that other people's programs run in. They run on before, during and after, also when the capture is
# killed; it has every frame; and it is told why where there is nothing to join.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_library
need tcpdump ping xdp-loader bpftool nsenter
theirs=$build/tests/hooks/foreign.bpf.o
[ -e "$theirs" ] || skip_all "needs tests/hooks/foreign.bpf.o"
grep -q ' /sys/fs/bpf bpf ' /proc/mounts || mount -t bpf bpf /sys/fs/bpf || skip_all "cannot mount bpffs"
veth_pair
at_exit 'in_net xdp-loader unload vb -a > /dev/null 2>&1'

# In $right, but with this /sys: ip netns exec mounts one without bpffs.
in_net()
{
	nsenter --net="/run/netns/$right" "$@"
}

# dispatcher: the programs in it, with their priorities, in the order they run in.
dispatcher()
{
	in_net xdp-loader status vb | sed -n 's/^ *=> *\([0-9]*\) *\([a-z_]*\) .*/\1 \2/p' | xargs
}

# seen: frames that theirs have counted, all together.
seen()
{
	bpftool -j map show | tr '{' '\n' | sed -n 's/^"id":\([0-9]*\),.*"name":"foreign.bss".*/\1/p' | while read -r map; do
		bpftool map dump id "$map" | sed -n 's/.*"frames": *\([0-9]*\).*/\1/p'
	done | awk '{ n += $1 } END { print n + 0 }'
}

# joins OPTION...: tcpdump on vb with join=on.
joins()
{
	# shellcheck disable=SC2046 # one word per variable
	start nsenter --net="/run/netns/$right" env $(library_environment) PCAP_AFXDP_DEBUG=1 tcpdump -i xdp:vb,join=on -nn --immediate-mode "$@"
	tcpdump=$pid said=$err
	wait_for 20 grep -q 'listening on' "$said" && return
	bad "tcpdump with join=on does not start: $*"
	show "$said"
	return 1
}

# refused DEVICE WORDS [COMMAND]
refused()
{
	# shellcheck disable=SC2046 # one word per variable
	${3:-in_net} env $(library_environment) timeout 20 tcpdump -c 1 -i "$1" > "$scratch/said" 2>&1
	equal "$1 is refused" 1 $?
	check "$1: says $2" grep -q -e "$2" "$scratch/said"
	grep -v 'libpcap' "$scratch/said" | head -n 3 | sed 's/^/  /'
}

in_dispatcher()
{
	[ "$(dispatcher)" = "$1" ]
}

refused xdp:vb,join=on 'nothing is in the XDP hook'
refused xdp:vb,join=on,hook=tc 'leave it out, or hook=tc'
refused xdp:vb,join=on,loader=off 'leave loader=off out'
start nsenter --net="/run/netns/$right" "$build/tests/hooks/foreign" xdp vb
holder=$pid
wait_for 10 grep -q attached "$out"
refused xdp:vb,join=on 'foreign_xdp.*no dispatcher of libxdp'
stop "$holder" INT

in_net xdp-loader load -m native vb "$theirs" -n foreign_xdp > "$scratch/load" 2>&1
in_dispatcher '50 foreign_xdp' || {
	sed 's/^/  /' "$scratch/load"
	in_net xdp-loader status vb
	skip "no dispatcher by this xdp-loader on this kernel"
	refused xdp:vb,join=on 'join=on' # it may still not crash
	finish
}
refused xdp:vb,join=on 'mount -t bpf' in_right
in_net "$xdpdump" --doctor -i vb --join on > "$scratch/said" 2>&1
equal "--doctor --join on: nothing is wrong" 0 $?
[ "$failed" -eq 0 ] || show "$scratch/said"
before=$(seen)
in_left ping -qc 5 -i 0.05 -W 5 10.99.0.2 > "$scratch/ping"
equal "theirs counts before" 5 $(($(seen) - before))

# A filter, in user space, after the privileges were dropped; both directions.
joins -Z root -w "$scratch/f.pcap" 'icmp and not icmp[icmpcode] == 9' && {
	equal "ours runs first" '0 xdp_capture 50 foreign_xdp' "$(dispatcher)"
	if command -v xdpdump-theirs > /dev/null; then
		in_net xdpdump-theirs -D > "$scratch/list" 2>&1
		sed 's/^/  /' "$scratch/list"
		check "xdpdump of xdp-tools lists ours in the dispatcher" grep -q 'xdp_capture' "$scratch/list"
		check "... and theirs" grep -q 'foreign_xdp' "$scratch/list"
	fi
	before=$(seen)
	in_left ping -qc 20 -i 0.02 -W 5 10.99.0.2 > "$scratch/ping"
	in_left "$trafgen" -i va -n 50 > "$scratch/sent"
	sleep 0.5
	stop "$tcpdump" INT
	equal "tcpdump ends well" 0 $?
	check "the filter is in user space, and it is said why" grep -q "filter in user space: a dispatcher's programs" "$said"
	equal "requests and replies, captured" 40 "$(packets "$scratch/f.pcap")"
	equal "theirs counts during" 70 $(($(seen) - before))
	check "the dispatcher is left" wait_for 10 in_dispatcher '50 foreign_xdp'
	before=$(seen)
	in_left ping -qc 5 -i 0.05 -W 5 10.99.0.2 > "$scratch/ping"
	equal "theirs counts after" 5 $(($(seen) - before))
	[ "$failed" -eq 0 ] || show "$said"
}

# Sent = delivered + counted; xdpdump gives up its privileges.
start nsenter --net="/run/netns/$right" "$xdpdump" -i vb --join on -Q in -w "$scratch/g.pcapng"
started_capturing --join on
capture=$pid said=$err
before=$(seen)
send -n 20000 -s 300
settle "$capture"
stop "$capture" INT
equal "xdpdump ends well" 0 $?
check "20000 frames: delivered or counted" accounted "$scratch/g.pcapng"
echo "  $(count dropped "$said") dropped"
equal "theirs has every frame" 20000 $(($(seen) - before))
check "the dispatcher is left" wait_for 10 in_dispatcher '50 foreign_xdp'

# Ours is first: what others drop it has.
in_net xdp-loader load -m native vb "$theirs" -n foreign_drop > "$scratch/load" 2>&1
joins -w "$scratch/d.pcap" icmp && {
	in_left ping -qc 5 -i 0.05 -W 0.2 10.99.0.2 > "$scratch/ping"
	sleep 0.5
	stop "$tcpdump" INT
	check "they drop requests" grep -q ' 0 received' "$scratch/ping"
	equal "... which ours has" 5 "$(packets "$scratch/d.pcap")"
	wait_for 10 in_dispatcher '50 foreign_drop 50 foreign_xdp' || in_dispatcher '50 foreign_xdp 50 foreign_drop'
	equal "the dispatcher is left" 2 "$(in_net xdp-loader status vb | grep -c 'foreign_')"
}
in_net xdp-loader unload vb -i "$(in_net xdp-loader status vb | sed -n 's/.*foreign_drop *\([0-9]*\) .*/\1/p')"

# Killed, while another program came into the dispatcher.
joins -w "$scratch/k.pcap" icmp && {
	in_net xdp-loader load -m native vb "$theirs" -n foreign_xdp > "$scratch/load" 2>&1
	equal "another one comes" '0 xdp_capture 50 foreign_xdp 50 foreign_xdp' "$(dispatcher)"
	before=$(seen)
	in_left ping -qc 5 -i 0.05 -W 5 10.99.0.2 > "$scratch/ping"
	equal "both count" 10 $(($(seen) - before))
	stop "$tcpdump" KILL
	check "killed: the dispatcher is left" wait_for 10 in_dispatcher '50 foreign_xdp 50 foreign_xdp'
	before=$(seen)
	in_left ping -qc 5 -i 0.05 -W 5 10.99.0.2 > "$scratch/ping"
	equal "both count after that" 10 $(($(seen) - before))
	wait_for 10 test -z "$(pidof pcap-afxdp-loader)"
	equal "no loader is left" '' "$(pidof pcap-afxdp-loader)"
}

# All thrown out by their owner: the capture says so, and ends.
joins -w "$scratch/u.pcap" icmp && {
	in_net xdp-loader unload vb -a > "$scratch/unload" 2>&1
	ended "$tcpdump" 20
	equal "thrown out: status" 1 $?
	tail -n 3 "$said" | sed 's/^/  /'
	check "thrown out: says so" grep -q 'detached\|removed' "$said"
	wait_for 10 test -z "$(pidof pcap-afxdp-loader)"
}
equal "nothing is left in the hooks" 'xdp 0 ingress 0 egress 0' "$(in_net "$build/tests/hooks/foreign" list vb)"
finish
