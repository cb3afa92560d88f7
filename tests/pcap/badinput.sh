#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What a user can get wrong, or lacks: tcpdump ends at once, with one sentence that says what to do.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump
veth_pair

# refused NAME DEVICE WORDS...: tcpdump fails within 5 s, and says all of the words in what it says
# last (where the status has a name, that comes first and the sentence in parentheses).
refused()
{
	what=$1
	start_capture tcpdump -i "$2" -Z root -nn -w "$scratch/f.pcap"
	shift 2
	judge "$@"
}

judge()
{
	if ended "$pid" 20; then
		bad "$what: tcpdump ends with status 0"
		return
	fi
	line=$(tr '\n' ' ' < "$err")
	for words; do
		case $line in
		*"$words"*) ;;
		*)
			bad "$what: does not say \"$words\""
			show "$err"
			return
			;;
		esac
	done
	if grep -q -i -E '[a-z]sanitizer: |runtime error|assert|segmentation' "$err"; then
		bad "$what: ends badly"
		show "$err"
	else
		ok "$what: $line"
	fi
}

refused "no name" xdp: interface xdp:eth0
refused "no such interface" xdp:nosuch nosuch "ip link"
refused "a name too long" xdp:abcdefghijklmnop abcdefghijklmnop 15
refused "a hook of one interface for any" xdp:any,hook=tc "any is captured by a packet socket"
refused "a divert of all interfaces" xdp:any,engine=divert "any only observes"
# What was typed is named, and nothing that was not.
for given in engine=divert after=drop xdp-obj=x.o join=on; do
	refused "any and $given" "xdp:any,$given" "any only observes: leave ${given%x.o} out, or name an interface"
done
refused "any and xdp-mode=skb" xdp:any,xdp-mode=skb "by a packet socket: leave xdp-mode= out, or name"
refused "any and slice=" xdp:any,slice=l4 "slice= is for one interface: leave it out"
refused "any and flow-cutoff=" xdp:any,flow-cutoff=1K "flow-cutoff= is for one interface: leave it out"
for given in engine=divert after=drop; do
	refused "join=on and $given" "xdp:vb,join=on,$given" "join=on only observes: leave $given out"
done
refused "full=pass and zero-copy=" xdp:vb,engine=divert,full=pass,zero-copy=off "has no room for: leave zero-copy= out"
refused "full=pass and busy-poll=" xdp:vb,engine=divert,full=pass,busy-poll=on "has no room for: leave busy-poll= out"
refused "engine=divert and sample=" xdp:vb,engine=divert,sample=2 "engine=divert delivers every frame: leave sample= out"
refused "engine=divert and flow-cutoff=" xdp:vb,engine=divert,flow-cutoff=1K "engine=divert delivers every frame: leave flow-cutoff= out"
refused "engine=divert and slice=" xdp:vb,engine=divert,slice=l4 "engine=divert delivers every frame whole: leave slice= out"

refused "an unknown option" xdp:vb,rings=1M rings ring-total
refused "an unknown value" xdp:vb,hook=clsact clsact auto
refused "a ring too small" xdp:vb,ring=256K 512K
refused "a ring that is no power of two" xdp:vb,ring=100K "power of two"

ip -n "$right" link set vb down
refused "down" xdp:vb "not up" # tcpdump tells the status alone
ip -n "$right" link set vb up

refused "loopback by XDP" xdp:lo,hook=xdp lo
ip -n "$right" tuntap add tun9 mode tun 2> /dev/null && ip -n "$right" link set tun9 up
if ip -n "$right" link show tun9 > /dev/null 2>&1; then
	refused "no Ethernet, by XDP" xdp:tun9,hook=xdp tun9
else
	skip "no tun devices here"
fi

# A driver whose native XDP takes no frames larger than a page.
if ip -n "$right" tuntap add tap9 mode tap 2> /dev/null; then
	ip -n "$right" link set tap9 mtu 9000 up
	start_capture tcpdump -i xdp:tap9,hook=xdp -Z root -nn -w "$scratch/f.pcap"
	if wait_for 20 grep -q 'listening on' "$err"; then
		stop "$pid"
		skip "tap takes XDP at MTU 9000 here"
	else
		what="MTU too large for the driver"
		judge tap9 9000
	fi
else
	skip "no tap devices here"
fi

# Who lacks a capability is told which. Nobody may not be let into the build directory, as below /root.
if command -v setpriv > /dev/null; then
	mkdir "$scratch/library" && copy_library "$scratch/library" && library=$scratch/library
	start_capture setpriv --reuid 65534 --regid 65534 --clear-groups tcpdump -i xdp:vb -nn
	library=$build/libpcap-build
	what="as nobody"
	judge CAP_BPF CAP_NET_ADMIN CAP_NET_RAW setcap
	for missing in bpf net_raw; do
		start_capture setpriv --bounding-set "-sys_admin,-$missing" \
			--inh-caps "-sys_admin,-$missing" tcpdump -i xdp:vb -nn -Z root
		what="without $missing"
		judge "CAP_$(echo "$missing" | tr '[:lower:]' '[:upper:]') missing" AppArmor container
	done
else
	skip "as nobody: no setpriv"
fi

# A second capture of the same interface: it works (by another hook) or names the holder.
start_tcpdump -Q in -Z root -w "$scratch/first.pcap" icmp || finish
holder=$pid
refused "a second one by XDP" xdp:vb,hook=xdp vb xdp_ "id "
PCAP_AFXDP_DEBUG=1 start_tcpdump -Q in -Z root -w "$scratch/second.pcap" icmp && {
	second=$pid said=$err
	in_left ping -qc 5 -i 0.02 10.99.0.2 > /dev/null
	settle "$second" "$holder"
	stop "$second" INT
	equal "a second one by another hook: packets" 5 "$(packets "$scratch/second.pcap")"
	check "a second one by another hook: is told" grep -q 'held by .*capturing behind it, at tc' "$said"
}
stop "$holder" INT
equal "the first one, meanwhile: packets" 5 "$(packets "$scratch/first.pcap")"

# Somebody else's program is neither replaced nor removed.
cat > "$scratch/pass.c" <<'END'
__attribute__((section("xdp"), used)) int somebody(void *ctx) { return 2; }
char _license[] __attribute__((section("license"), used)) = "GPL";
END
if command -v clang > /dev/null && clang -O2 -target bpf -c "$scratch/pass.c" -o "$scratch/pass.o" 2> /dev/null &&
	ip -n "$right" link set vb xdpdrv obj "$scratch/pass.o" sec xdp 2> /dev/null; then
	theirs=$(xdp_program "$right" vb)
	refused "somebody else's program" xdp:vb,hook=xdp vb "$theirs"
	start_tcpdump -Q in -Z root -c 1 && stop "$pid"
	equal "somebody else's program stays" "$theirs" "$(xdp_program "$right" vb)"
	ip -n "$right" link set vb xdpdrv off
else
	skip "somebody else's program: cannot load one here"
fi
finish
