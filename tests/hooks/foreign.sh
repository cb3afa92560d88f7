#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2317 # functions are called by their names
# Other people's programs in the hooks: they keep running, we capture beside them, and say what that
# means. Ours does not let itself be removed by accident, and does not lock others out of tc.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump ping
veth_pair

# hold HOOK [drop]: somebody else's program on vb, $holder, which says in $held what it saw.
hold()
{
	start ip netns exec "$right" "$foreign" "$1" vb ${2:+"$2"}
	holder=$pid held=$out
	wait_for 10 grep -q attached "$held" || {
		bad "no foreign program in $1: $(head -n 2 "$err" | xargs)"
		return 1
	}
}

# leave: it ends; how many frames it saw.
leave()
{
	stop "$holder" INT
	sed -n 's/ frames//p' "$held" | tail -n 1
}

# refused DEVICE WORDS: no capture there, and the error has the words.
refused()
{
	with_library timeout 10 tcpdump -Z root -c 1 -i "$1" > "$scratch/said" 2>&1
	equal "$1 is refused" 1 $?
	check "$1: says $2" says "$2" "$scratch/said"
}

five_pings()
{
	ping_right 5
}

# Held by a link, or by netlink without one (as by `ip link set dev vb xdp obj`).
for how in xdp netlink; do
	hold $how || continue
	theirs=$(xdp_program "$right" vb)
	PCAP_AFXDP_DEBUG=1 batch "behind a program by $how," "$right" vb '' five_pings <<-END
		10 10
	END
	check "$how: says that it is at tc" says 'capturing behind it, at tc' "$scratch/0.said"
	check "$how: names the holder" says 'held by foreign_xdp' "$scratch/0.said"
	check "$how: says what is not seen" says 'frames it drops, redirects or sends back are not seen' "$scratch/0.said"
	refused xdp:vb,hook=xdp 'held by foreign_xdp'
	check "$how: names the way out" says 'hook=tc' "$scratch/said"
	for options in hook=tc hook=packet; do
		batch "beside a program by $how," "$right" vb $options five_pings <<-END
			10 10
		END
	done
	equal "$how: their program is still there" "$theirs" "$(xdp_program "$right" vb)"
	between "$how: and saw every frame that came" 15 30 "$(leave)"
done

# What it drops we cannot see: the note is true.
hold xdp drop && {
	start_tcpdump -Z root -w "$scratch/d.pcap" icmp || finish
	tcpdump=$pid
	in_left ping -qc 3 -i 0.01 -W 0.2 10.99.0.2 > "$scratch/ping"
	all_read "$tcpdump"
	equal "dropped before tc: packets" 0 "$(packets "$scratch/d.pcap")"
	equal "dropped before tc: they have seen them" 3 "$(leave)"
}

# At tc, theirs came first or come later; everybody sees all.
for hook in ingress egress; do
	hold $hook || continue
	batch "after a foreign program at $hook" "$right" vb hook=tc five_pings <<-END
		10 10
	END
	start_tcpdump -Z root -w "$scratch/t.pcap" icmp || finish
	tcpdump=$pid
	equal "$hook: theirs has seen" 5 "$(leave)"
	hold $hook
	ping_right 5
	all_read "$tcpdump"
	equal "before a foreign program at $hook: packets" 10 "$(packets "$scratch/t.pcap")"
	equal "$hook: it has seen" 5 "$(leave)"
done

# What others do to a sent frame behind us is said, and is seen where frames are taken as they leave.
ping_from_right()
{
	in_right ping -qc 5 -i 0.02 -W 0.2 10.99.0.1 > "$scratch/ping" || true # tagged, nobody answers
}
hold egress 0x8100:42 && {
	PCAP_AFXDP_DEBUG=1 batch "frames that others rewrite, as they leave," "$right" vb sent-at=packet,hook=tc ping_from_right <<-END
		5 5 vlan 42
	END
	check "as they leave: nothing to say" fails says 'sent frames' "$scratch/0.said"
	device=xdp:vb PCAP_AFXDP_DEBUG=1 start_tcpdump -Z root -Q out -w "$scratch/e.pcap" icmp
	tcpdump=$pid said=$err
	check "... else, whose program is behind us" says 'sent frames of vb are shown as they were before tc programs: foreign_tc' "$said"
	ping_from_right
	settle "$tcpdump"
	stop "$tcpdump" INT
	equal "sent, as they were before it" 5 "$(packets "$scratch/e.pcap")"
	leave > "$scratch/unused"
}

# Somebody goes before a running capture: --doctor has it.
device=xdp:vb,hook=tc start_tcpdump -Z root -w "$scratch/b.pcap" icmp || finish
tcpdump=$pid
hold ingress && {
	in_right "$build/xdpdump/xdpdump" --doctor -i vb 2>&1 | tr -s '\n ' '  ' > "$scratch/doctor"
	check "--doctor: who is before a running capture" says \
		'a capture that runs now sees only frames that the programs before its own (tc_ingress) pass on' "$scratch/doctor"
	leave > "$scratch/unused"
}
stop "$tcpdump" INT

# A classic qdisc for tc filters lives beside the links, and outlives us.
if in_right tc qdisc add dev vb clsact 2> "$scratch/tc"; then
	batch "beside clsact" "$right" vb hook=tc five_pings <<-END
		10 10
	END
	in_right tc filter add dev vb egress protocol all u32 match u32 0 0 flowid 1:1 2> "$scratch/tc" && {
		device=xdp:vb PCAP_AFXDP_DEBUG=1 start_tcpdump -Z root icmp
		check "a filter of clsact is named" says 'before tc programs: filter u32 (' "$err"
		stop "$pid" INT
	}
	check "clsact is still there" sh -c "ip netns exec '$right' tc qdisc show dev vb | grep -q clsact"
	in_right tc qdisc del dev vb clsact
else
	skip "clsact: $(cat "$scratch/tc")"
fi

# Ours is in the hook: nobody removes it by accident, nor do we hide who it is.
start_tcpdump -Z root -w "$scratch/o.pcap" icmp || finish
tcpdump=$pid
in_right ip link set dev vb xdp off > "$scratch/off" 2>&1
for how in xdp netlink; do
	start ip netns exec "$right" "$foreign" $how vb
	ended "$pid" 5
	equal "ours is there: another one by $how is refused" 1 $?
done
ping_right 5
all_read "$tcpdump"
equal "ours was not removed: packets" 10 "$(packets "$scratch/o.pcap")"
nothing_left "$right" vb
finish
