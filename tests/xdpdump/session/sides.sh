#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What an interface receives and what it sends: an interface block for each, with statistics and losses of
# its own.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need ping capinfos tshark taskset nproc
stream=$build/tests/pcap/stream
[ -x "$stream" ] || skip_all "needs tests/pcap/stream"
veth_pair
file=$scratch/f.pcapng

# begin OPTION...: a capture on vb into $file; $capture, $said
begin()
{
	start_xdpdump -w "$file" "$@"
	capture=$pid said=$err
}

end()
{
	settle "$capture"
	check "$1: ends well" stop "$capture" INT
	"$capcheck" --interfaces "$file" > "$scratch/interfaces" || bad "$1: the file"
	equal "$1: each block counts its own packets" '' \
		"$(awk '{ if ($4 != $NF) print }' "$scratch/interfaces")"
}

pings()
{
	in_left taskset -c 0 ping -qc "$1" -i 0.02 10.99.0.2 > "$scratch/ping" 2>&1
}

# of NUMBER NAME: what the file says of interface NUMBER
of()
{
	awk -v number="$1" -v name="$2" \
		'$2 == number { for (i = 3; i < NF; i += 2) if ($i == name) print $(i + 1) }' \
		"$scratch/interfaces"
}

interfaces()
{
	grep -c . "$scratch/interfaces"
}

# directions NUMBER: of the packets of interface NUMBER, each once
directions()
{
	tshark -r "$file" -Y "frame.interface_id == $1" -T fields -e frame.packet_flags_direction 2> /dev/null |
		sort -u
}

# described TEXT...: the descriptions of the blocks, in order
described()
{
	[ "$(capinfos "$file" 2> /dev/null | sed -n 's/^ *Description = //p')" = "$(printf '%s\n' "$@")" ]
}

begin -v icmp
place="XDP program ID $(xdp_program "$right" vb)"
send -n 1000 # which the filter does not take
pings 5
end "both"
equal "both: blocks" 2 "$(interfaces)"
check "both: what they are of" sh -c "capinfos '$file' 2> /dev/null | grep -c 'Name = vb$' | grep -qx 2"
check "both: where" sh -c "capinfos '$file' 2> /dev/null | grep -q 'Description = ingress $place'"
check "both: where the other" sh -c "capinfos '$file' 2> /dev/null | grep -q 'Description = egress tc hook$'"
equal "both: received packets" 5 "$(of 0 packets)"
equal "both: sent packets" 5 "$(of 1 packets)"
equal "both: those of the first were received" 0x00000001 "$(directions 0)"
equal "both: those of the second were sent" 0x00000002 "$(directions 1)"
equal "both: seen at the one" 1005 "$(of 0 ifrecv)"
equal "both: seen at the other" 5 "$(of 1 ifrecv)"
equal "both: taken at the one" 5 "$(of 0 filteraccept)"
equal "both: taken at the other" 5 "$(of 1 filteraccept)"

for hook in tc packet; do
	begin --hook $hook icmp
	pings 3
	end "$hook"
	equal "$hook: blocks" 2 "$(interfaces)"
	equal "$hook: received packets" 3 "$(of 0 packets)"
	equal "$hook: sent packets" 3 "$(of 1 packets)"
	equal "$hook: those of the second were sent" 0x00000002 "$(directions 1)"
done

begin -Q in icmp
pings 3
end "received alone"
equal "received alone: blocks" 1 "$(interfaces)"
check "received alone: where" sh -c "capinfos '$file' 2> /dev/null | grep -q 'Description = ingress XDP'"
begin -Q out icmp
pings 3
end "sent alone"
equal "sent alone: blocks" 1 "$(interfaces)"
equal "sent alone: packets" 3 "$(of 0 packets)"
equal "sent alone: taken" 3 "$(of 0 filteraccept)"
check "sent alone: where" described "egress tc hook"

# What loopback sends it receives.
start_xdpdump -Q inout -i lo -w "$file" icmp
capture=$pid
wait_for 5 grep -q 'listening on lo' "$err"
in_right ping -qc 2 -i 0.02 127.0.0.1 > /dev/null
pings 4
end "loopback"
equal "loopback: blocks" 3 "$(interfaces)"
equal "loopback: the other's received packets" 4 "$(of 0 packets)"
equal "loopback: the other's sent packets" 4 "$(of 1 packets)"
equal "loopback: its packets" 4 "$(of 2 packets)"

# Less than all: what was left out is told on the side where it was.
begin -Q inout --sample 3 icmp
pings 30
end "sample"
equal "sample: received packets" 10 "$(of 0 packets)" # each CPU and side for itself
equal "sample: sent packets" 10 "$(of 1 packets)"
equal "sample: taken at the one" "$(of 0 packets)" "$(of 0 filteraccept)"
equal "sample: taken at the other" "$(of 1 packets)" "$(of 1 filteraccept)"
equal "sample: seen at the one" 30 "$(of 0 ifrecv)"
equal "sample: seen at the other" 30 "$(of 1 ifrecv)"

# tell_losses: what was lost is told by the next record of the same CPU, of either side
tell_losses()
{
	kill -CONT "$capture"
	settle "$capture"
	for cpu in $(seq 0 $(($(nproc --all) - 1))); do
		in_left taskset -c "$cpu" ping -qc 1 10.99.0.2 > "$scratch/ping" 2>&1
	done
}

# lost NAME SIDE OTHER: frames of SIDE, none of OTHER
lost()
{
	check "$1: some are lost" test "$(of "$2" osdrop)" -gt 1000
	equal "$1: the packets of that side tell of them" "$(of "$2" osdrop)" "$(of "$2" epb_drops)"
	equal "$1: none of the other side" "0 0" "$(of "$3" osdrop) $(of "$3" epb_drops)"
	equal "$1: what is said" "$(count dropped "$said")" "$(of "$2" osdrop)"
	equal "$1: taken" $(($(of "$2" packets) + $(of "$2" osdrop))) "$(of "$2" filteraccept)"
}

begin -Q inout --ring 512K -s 1500
kill -STOP "$capture"
send -n 20000 -s 1500
tell_losses
end "lost while receiving"
lost "lost while receiving" 0 1

begin -Q inout --ring 512K -s 1500
kill -STOP "$capture"
in_right "$stream" udp-send 10.99.0.1 7 4000 1400 1400 > "$scratch/sent"
tell_losses
end "lost while sending"
lost "lost while sending" 1 0

# Files, memory and rings of their own.
begin -Q inout --pre-trigger 1M --trigger 'icmp[icmptype] = 0' icmp
pings 3
end "after the trigger"
equal "after the trigger: received packets" 3 "$(of 0 packets)"
equal "after the trigger: sent packets" 3 "$(of 1 packets)"

mkdir "$scratch/files"
file=$scratch/files/f.pcapng
begin -Q inout -b packets:7 icmp
pings 10
settle "$capture"
check "rotated: ends well" stop "$capture" INT
received=0 sent=0 taken=0
for file in "$scratch"/files/*; do
	"$capcheck" --interfaces "$file" > "$scratch/interfaces"
	equal "rotated: ${file##*/}: each block counts its own packets" '' \
		"$(awk '{ if ($4 != $NF) print }' "$scratch/interfaces")"
	received=$((received + $(of 0 packets))) sent=$((sent + $(of 1 packets)))
	taken=$((taken + $(of 1 filteraccept))) # as of the time when the file ended
done
equal "rotated: received packets" 10 "$received"
equal "rotated: sent packets" 10 "$sent"
equal "rotated: taken of those sent" 10 "$taken"

# Statistics are taken while one side sends as fast as it can and loses: the other has nothing of it.
rm -f "$scratch"/files/*
file=$scratch/files/f.pcapng
begin -Q inout --ring 512K -b packets:2000 udp
in_right "$stream" udp-send 10.99.0.1 7 60000 1400 1000000 > "$scratch/sent"
settle "$capture"
check "rotated at full rate: ends well" stop "$capture" INT
files=0
for file in "$scratch"/files/*; do
	"$capcheck" --interfaces "$file" > "$scratch/interfaces"
	# Seen are the few messages that nobody listens.
	[ "$(of 0 ifrecv)" -le 100 ] && [ "$(of 0 filteraccept) $(of 0 osdrop)" = '0 0' ] ||
		bad "rotated at full rate: ${file##*/}: received: $(head -n 1 "$scratch/interfaces")"
	[ "$(of 1 ifrecv)" -le 60000 ] && [ "$(of 1 filteraccept)" -le 60000 ] && [ "$(of 1 osdrop)" -le 60000 ] ||
		bad "rotated at full rate: ${file##*/}: sent: $(tail -n 1 "$scratch/interfaces")"
	files=$((files + 1))
done
check "rotated at full rate: files" test "$files" -gt 5

rm -f "$scratch"/files/*
file=$scratch/files/f.pcapng
begin --files-per-queue -Q inout icmp
pings 10
settle "$capture"
check "a file per ring: ends well" stop "$capture" INT
received=0 sent=0
for file in "$scratch"/files/*; do
	"$capcheck" --interfaces "$file" > "$scratch/interfaces"
	equal "a file per ring: ${file##*/}: blocks" 2 "$(interfaces)"
	equal "a file per ring: ${file##*/}: each block counts its own packets" '' \
		"$(awk '{ if ($4 != $NF || $4 != $12) print }' "$scratch/interfaces")"
	received=$((received + $(of 0 packets))) sent=$((sent + $(of 1 packets)))
done
equal "a file per ring: received packets" 10 "$received"
equal "a file per ring: sent packets" 10 "$sent"

file=$scratch/f.pcapng
for zero_copy in auto off; do
	begin -Q inout --engine divert --zero-copy "$zero_copy" --yes udp
	send -n 500 -r 10000
	in_right "$stream" udp-send 10.99.0.1 7 5 100 100 > "$scratch/sent"
	end "divert, --zero-copy $zero_copy"
	equal "divert, --zero-copy $zero_copy: received packets" 500 "$(of 0 packets)"
	equal "divert, --zero-copy $zero_copy: sent packets" 5 "$(of 1 packets)"
	equal "divert, --zero-copy $zero_copy: taken at the one" 500 "$(of 0 filteraccept)"
	equal "divert, --zero-copy $zero_copy: taken at the other" 5 "$(of 1 filteraccept)"
done
check "no XDP program is left" no_xdp_program "$right" vb
finish
