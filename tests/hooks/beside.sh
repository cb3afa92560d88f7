#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2016,SC2317 # what a shell is given expands there; functions are called by their names
# Who comes to tc while a capture runs there is named: before it at ingress, behind it at egress, by a filter of clsact.
# Captures that begin later are no such thing. Nobody who sleeps is woken for it.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need_library
need tcpdump ping tc
kernel_since 6 6 || skip_all "needs TCX (Linux 6.6)"
foreign=$build/tests/hooks/foreign
[ -x "$foreign" ] || skip_all "needs $foreign"
veth_pair
PCAP_AFXDP_LOADER=$build/pcap-afxdp-loader
export PCAP_AFXDP_LOADER

# comes HOOK [WORD]: somebody else's program on vb, until leaves: $holder.
comes()
{
	start ip netns exec "$right" "$foreign" "$1" vb ${2:+"$2"}
	holder=$pid
	wait_for 10 grep -q attached "$out" || bad "no foreign program at $1: $(head -n 2 "$err" | xargs)"
}

leaves()
{
	stop "$holder" INT
}

# says_soon WORDS: the capture whose standard error is $said says so, whether frames come or not.
says_soon()
{
	check "says: $1" wait_for 10 grep -q "$1" "$said"
}

# looks_again: until the loader $helper has looked.
looks()
{
	[ "$(sed -n 's/^voluntary_ctxt_switches:\t//p' "/proc/$helper/status")" -ge "$enough" ]
}
looks_again()
{
	enough=$(($(sed -n 's/^voluntary_ctxt_switches:\t//p' "/proc/$helper/status") + 3))
	wait_for 20 looks
}

before='warning: program id [0-9]* has come before this capture at tc of vb: frames that it does not pass on are missing here'
behind='warning: sent frames of vb are shown as they were before tc programs: program id [0-9]* (as they leave: --sent-at packet)'
filter='warning: sent frames of vb are shown as they were before tc programs: filter u32 (as they leave: --sent-at packet)'

later=''
start_xdpdump --hook tc -w "$scratch/x.pcapng" icmp
capture=$pid said=$err helper=$(loaders "$right")
# Captures that begin later, and change their filters: seven at each side.
for n in 1 2; do
	start_xdpdump --hook tc -w "$scratch/later$n.pcapng" "ip proto $n"
	later="$later $pid"
done
device=xdp:vb,hook=tc start_tcpdump -Z root -w "$scratch/later.pcap" icmp || finish
later="$later $pid"
comes ingress end
says_soon "$before"
in_left ping -qc 3 -i 0.01 -W 0.2 10.99.0.2 > "$scratch/ping" 2>&1 || true
leaves

# Another one later, and one behind, between two looks: both are told.
programs_before()
{
	[ "$(grep -o 'program id [0-9]* has come before' "$said" | sort -u | wc -l)" -ge "$1" ]
}
looks_again
kill -STOP "$helper"
comes ingress end
first=$holder
comes behind
kill -CONT "$helper"
says_soon "$behind"
check "says it of a second program" wait_for 10 programs_before 2
leaves
holder=$first
leaves
if in_right tc qdisc add dev vb clsact 2> "$scratch/tc" &&
	in_right tc filter add dev vb egress protocol all u32 match u32 0 0 flowid 1:1 2> "$scratch/tc"; then
	says_soon "$filter"
	in_right tc qdisc del dev vb clsact
else
	skip "clsact: $(cat "$scratch/tc")"
fi
equal "each is said once" 4 "$(grep -c 'warning: ' "$said")"
for process in $later; do
	stop "$process" INT
done
check "ends well" stop "$capture" INT
check "the file says who came before" grep -aq 'has come before this capture at tc of vb' "$scratch/x.pcapng"

# Captures alone, one after another: nothing to say. The first one's loader has looked at all of them.
start_xdpdump --hook tc -w "$scratch/x.pcapng" icmp
capture=$pid said=$err
start_xdpdump --hook tc -w "$scratch/y.pcapng"
second=$pid
device=xdp:vb,hook=tc start_tcpdump -Z root -w "$scratch/z.pcap" icmp || finish
third=$pid helper=$(loaders "$right" | head -n 1)
looks_again
in_left ping -qc 3 -i 0.01 -W 5 10.99.0.2 > "$scratch/ping" || bad "ping is answered"
for process in $second $third; do
	stop "$process" INT
done
check "ends well" stop "$capture" INT
equal "later captures: nothing is said" 0 "$(grep -c 'warning: ' "$said")"

# Filters that come and go without end keep nobody from looking. Of a capture that shows no sent frames they are no news.
start_xdpdump --hook tc -Q in -w "$scratch/x.pcapng" icmp
capture=$pid said=$err
if in_right tc qdisc add dev vb clsact 2> "$scratch/tc"; then
	echo filter replace dev vb egress pref 1 handle 800::800 protocol all u32 match u32 0 0 flowid 1:1 > "$scratch/filter"
	start in_right sh -c 'while [ -e "$0" ]; do cat "$0" 2> /dev/null; sleep 0.05; done | tc -batch -' "$scratch/filter"
	filters=$pid
	comes ingress end
	says_soon "$before"
	leaves
	rm "$scratch/filter"
	ended "$filters" 10
	in_right tc qdisc del dev vb clsact
	equal "filters at egress are no news to who shows received frames" 1 "$(grep -c 'warning: ' "$said")"
fi
stop "$capture" INT

# One that keeps frames from the host is not followed: what it drops is seen by who comes later.
start_xdpdump --hook tc -Q in --after drop -w "$scratch/drop.pcapng" icmp
dropper=$pid
start_xdpdump --hook tc -Q in -w "$scratch/seen.pcapng" icmp
capture=$pid
in_left ping -qc 3 -i 0.01 -W 0.2 10.99.0.2 > "$scratch/ping" 2>&1
wait_for 10 sh -c "[ -s '$scratch/drop.pcapng' ]"
stop "$capture" INT
stop "$dropper" INT
equal "behind a capture that drops, nobody goes: packets" 3 "$(packets "$scratch/seen.pcapng")"

# Without CAP_SYS_ADMIN the kernel says nothing of programs but their numbers: our own is known by that.
caps=+bpf,+net_admin,+net_raw,+perfmon
start in_right setpriv --bounding-set="-all,$caps" --inh-caps="-all,$caps" "$build/xdpdump/xdpdump" -i vb --hook tc \
	-w "$scratch/few.pcapng"
capture=$pid said=$err
check "with four capabilities: listens" wait_for 20 grep -q '^listening' "$said"
stop "$capture" INT
equal "with four capabilities: nothing is said of our own program" 0 "$(grep -c 'tc programs' "$said")"

free='xdp 0 ingress 0 egress 0'
is_free()
{
	[ "$(in_right "$foreign" list vb)" = "$free" ]
}

# An application: pcap_geterr() and the log have it, at the next read.
device=xdp:vb,hook=tc PCAP_AFXDP_DEBUG=1 start_tcpdump -Z root -w "$scratch/t.pcap" icmp || finish
tcpdump=$pid said=$err
comes ingress end
check "tcpdump: the log says so" wait_for 10 grep -q 'program id [0-9]* has come before this capture at tc of vb' "$said"
leaves
stop "$tcpdump" INT
wait_for 10 is_free
equal "nothing is left" "$free" "$(in_right "$foreign" list vb)"
finish
