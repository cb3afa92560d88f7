#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2317 # functions are called by their names
# A driver has taken the XDP program, and no frame comes to it: auto goes on at tc and says so, hook=xdp only says so.
# Nothing is simulated: frames are put behind the veth's XDP hook as networks of containers do (bpf_redirect_peer), and
# the interface counts them. BLIND_ROUNDS: how often the hook is changed under load.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need_library
need_testprog trafgen capcheck
need tcpdump
kernel_since 6 6 || skip_all "needs TCX (Linux 6.6)"
foreign=$build/tests/hooks/foreign
[ -x "$foreign" ] || skip_all "needs $foreign"
veth_pair
new_namespace c
outside=$namespace
ip -n "$outside" link add wa type veth peer name wb netns "$left" || exit 1
ip -n "$outside" link set wa up
in_left ip link set wb up
PCAP_AFXDP_OPTIONS=ring=1M,veth=xdp PCAP_AFXDP_LOADER=$build/pcap-afxdp-loader
export PCAP_AFXDP_OPTIONS PCAP_AFXDP_LOADER

start ip netns exec "$left" "$foreign" peer wb va
wait_for 10 grep -q attached "$out" || {
	show "$err"
	skip_all "this kernel has no bpf_redirect_peer()"
}

# What the interface itself has counted.
received()
{
	in_right cat /sys/class/net/vb/statistics/rx_packets
}

more_came()
{
	[ "$(received)" -ge "$more" ]
}

# sends NAME [OPTION...]: numbered frames into wa, which come to vb past its XDP hook, until it is stopped: $sender.
sends()
{
	what=$1
	shift
	start ip netns exec "$outside" "$trafgen" -i wa --via socket -d 20 "$@"
	sender=$pid sent=$out
	wait_for 20 grep -q "$told" "$said" || bad "$what: does not say that no frame comes"
	more=$(($(received) + 500))
	wait_for 20 more_came || bad "$what: no more frames come"
	stop "$sender" INT
}

# All of these words are printed by one message, which says how many did not come.
told='has taken the XDP program, but 0 of the first [0-9]* frames came to it'
hooks()
{
	in_right "$foreign" list vb
}

# In a file: each frame is there once, or it is in the counter of those that did not come.
start_xdpdump -i lo -Q in -w "$scratch/auto.pcapng" udp
capture=$pid said=$err
check "auto: begins at XDP" grep -q 'received frames at XDP (native)' "$said"
# The most that a loader has: of lo, which is at tc, there is one, too.
seccomp_filters()
{
	for process in $(loaders "$right"); do
		sed -n 's/^Seccomp_filters:\t//p' "/proc/$process/status"
	done | sort -n | tail -n 1
}
equal "auto: the loader has one seccomp filter" 1 "$(seccomp_filters)"
sends auto -r 20000
check "auto: goes on at tc" grep -q "$told: capturing at tc from here on" "$said"
equal "auto: a program at tc, none at XDP" "xdp 0 ingress 1 egress 0" "$(hooks)"
equal "auto: the loader attaches nothing any more" 2 "$(seccomp_filters)"
start ip netns exec "$right" "$foreign" ingress vb
check "auto: from then on says who comes before it at tc" \
	wait_for 10 grep -q 'program id [0-9]* has come before this capture at tc of vb' "$said"
stop "$pid" INT
check "auto: ends well" stop "$capture" INT
equal "auto: takes its program off" "xdp 0 ingress 0 egress 0" "$(hooks)"
missed=$(sed -n 's/^\([0-9]*\) packets dropped by interface$/\1/p' "$said")
check "auto: each frame is there once, or counted" \
	"$capcheck" --dropped "$missed" --json "$sent" "$scratch/auto.pcapng"
check "auto: the file says so" grep -aq "$told: capturing at tc from here on" "$scratch/auto.pcapng"

# The same again and again, under what one sender can do: no frame twice, none without a count.
round=1
while [ "$round" -lt "$BLIND_ROUNDS" ]; do
	round=$((round + 1))
	start_xdpdump -Q in -w "$scratch/auto.pcapng" --ring 64M udp
	capture=$pid said=$err
	sends "round $round" -r "${BLIND_RATE:-100000}"
	check "round $round: ends well" stop "$capture" INT
	missed=$(sed -n 's/^\([0-9]*\) packets dropped by interface$/\1/p' "$said")
	lost=$(sed -n 's/^\([0-9]*\) packets dropped by kernel$/\1/p' "$said")
	check "round $round: each frame is there once, or counted: $missed and $lost" \
		"$capcheck" --dropped "$((missed + lost))" --json "$sent" "$scratch/auto.pcapng"
done

# It looks at the program that is there, while frames come.
doctor()
{
	start ip netns exec "$outside" "$trafgen" -i wa --via socket -d 60 -r 500
	sender=$pid
	in_right "$xdpdump" --doctor -i vb > "$scratch/doctor" 2>&1
	stop "$sender" INT
	check "--doctor: says that none comes" grep -q 'attached, but 0 of [0-9]* frames came by it' "$scratch/doctor"
	start in_left testprogs/trafgen -i va --via socket -d 60 -r 500
	sender=$pid
	in_right "$xdpdump" --doctor -i vb > "$scratch/doctor" 2>&1
	stop "$sender" INT
	check "--doctor: says that some come" grep -q 'the program in the hook ran for [1-9][0-9]* frames' "$scratch/doctor"
}

# Only XDP was asked for, or only that will do: it is said, and nothing changes.
noted()
{
	what=$1 words=$2 at=$3
	shift 3
	start_xdpdump -Q in -w "$scratch/noted.pcapng" "$@"
	capture=$pid said=$err
	sends "$what" -r 500
	[ "$what" != hook=xdp ] || doctor
	check "$what: says what to do" grep -q "$told: $words" "$said"
	equal "$what: stays where it is" "$at" "$(hooks)"
	check "$what: ends well" stop "$capture" INT
}
noted "hook=xdp" 'use --hook tc' "xdp 1 ingress 0 egress 0" --hook xdp
PCAP_AFXDP_LOADER=/nonexistent noted "divert, no loader" 'leave --engine divert out' "xdp 1 ingress 0 egress 0" --engine divert

# /sys knows it by one name alone.
ip -n "$right" link property add dev vb altname other
start ip netns exec "$right" env PCAP_AFXDP_LOADER=/nonexistent "$xdpdump" -i other --hook xdp -Q in \
	-w "$scratch/noted.pcapng"
capture=$pid said=$err
wait_for 20 grep -q 'received frames at XDP (native)' "$said" || bad "by another name: does not begin at XDP"
sends "by another name, no loader" -r 500
check "by another name, no loader: says what to do" grep -q "$told: use --hook tc" "$said"
check "by another name, no loader: ends well" stop "$capture" INT

# A filter that matches nothing is no failed trial: frames come to the program, and none is wanted.
start_xdpdump -Q in -w "$scratch/none.pcapng" tcp port 1
capture=$pid said=$err
start in_left "$trafgen" -i va --via socket -d 20 -r 500
sender=$pid
more=$(($(received) + 1500)) # of three seconds, in which a trial would have ended
check "a filter that matches nothing: frames come" wait_for 20 more_came
stop "$sender" INT
check "... nothing is said" fails grep -q "$told" "$said"
equal "... nothing is changed" "xdp 1 ingress 0 egress 0" "$(hooks)"
check "... it ends well" stop "$capture" INT
equal "... no packet" 0 "$(packets "$scratch/none.pcapng")"

# Another one.
ip -n "$outside" link add wc type veth peer name wd netns "$left"
ip -n "$left" link add ve type veth peer name vd netns "$right"
for end in "$outside wc" "$left wd" "$left ve" "$right vd"; do
	ip -n "${end% *}" link set "${end#* }" up
done
start ip netns exec "$left" "$foreign" peer wd ve
wait_for 10 grep -q attached "$out" || bad "no program on wd"
# Two at once, each with a verdict of its own.
start_xdpdump -i vd -Q in -w "$scratch/both.pcapng" udp
capture=$pid said=$err
start ip netns exec "$outside" "$trafgen" -i wc --via socket -d 20 -r 500
other=$pid
sends "two interfaces" -r 500
for interface in vb vd; do
	check "two interfaces, $interface: goes on at tc" \
		wait_for 20 grep -q "the driver of $interface $told: capturing at tc from here on" "$said"
	equal "... nothing at XDP" "xdp 0 ingress 1 egress 0" "$(in_right "$foreign" list $interface)"
done
stop "$other" INT
check "two interfaces: ends well" stop "$capture" INT

# One that goes in its trial, with frames counted that did not come.
no_loader()
{
	[ -z "$(loaders "$right")" ]
}
start ip netns exec "$right" "$xdpdump" -i vd -Q in -w "$scratch/gone.pcapng"
capture=$pid said=$err
check "an interface that goes: on trial at XDP" wait_for 20 grep -q '^listening on vd: received frames at XDP (native)' "$said"
ip netns exec "$outside" "$trafgen" -i wc --via socket -n 100 > "$scratch/sent"
ip -n "$right" link del vd
ended "$capture" 20
equal "... the capture ends: status" 1 $?
check "... and says why" grep -q 'vd has disappeared' "$said"
check "... no loader stays" wait_for 10 no_loader

# by_libpcap NAME COMMAND...: an application reads; the loader changes the hook, and filters after that.
by_libpcap()
{
	what=$1
	shift
	# shellcheck disable=SC2046 # one word per variable
	start ip netns exec "$right" "$@" env $(library_environment) "$build/tests/hooks/blind" xdp:vb 200
	capture=$pid out_of_it=$out
	check "$what: begins" wait_for 10 grep -q ready "$out_of_it"
	start ip netns exec "$outside" "$trafgen" -i wa --via socket -d 30 -r 1000
	sender=$pid
	ended "$capture" 30
	equal "$what: ends well" 0 $?
	stop "$sender" INT
	check "$what: pcap_geterr() says so" grep -q "^geterr: .*$told: capturing at tc from here on" "$out_of_it"
	check "$what: frames come after it, by a filter that was set then" grep -q 'after 200 drop 0 ' "$out_of_it"
	show "$out_of_it"
}
is_quick || by_libpcap "privilege given up"

# Nobody looks any more, and the frames are missed without a word otherwise.
killed()
{
	# shellcheck disable=SC2046 # one word per variable
	start ip netns exec "$right" env $(library_environment) "$build/tests/hooks/blind" xdp:vb 0
	capture=$pid out_of_it=$out
	check "killed in the trial: begins" wait_for 10 grep -q ready "$out_of_it"
	# shellcheck disable=SC2046 # one word per process
	kill -KILL $(loaders "$right")
	ended "$capture" 30
	check "killed in the trial: pcap_geterr() says so" grep -q \
		'^geterr: the loader process has ended before a frame came to the XDP program of vb: if none comes, use hook=tc$' \
		"$out_of_it"
	show "$out_of_it"
}
killed
capable=$scratch/pcap-afxdp-loader
cp "$build/pcap-afxdp-loader" "$capable"
chmod 755 "$scratch" "$capable"
if is_sanitized || ! setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$capable" 2> /dev/null; then
	skip "no privilege: cannot set file capabilities in $scratch, or sanitizers, which such a file does not load"
else
	PCAP_AFXDP_LOADER=$capable by_libpcap "no privilege" setpriv --reuid=65534 --regid=65534 --clear-groups
fi
finish
