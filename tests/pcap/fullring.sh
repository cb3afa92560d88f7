#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# A ring that is full: every frame is delivered, or counted as lost; none is torn.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump
need_testprog trafgen capcheck
veth_pair
frames=$FULLRING_FRAMES

# account NAME: what was sent against what tcpdump wrote and said.
account()
{
	if testprogs/capcheck --json "$scratch/sent" --dropped "$(tcpdump_count dropped "$said")" \
		"$scratch/f.pcap" > "$scratch/counts" 2> "$scratch/verdict"; then
		ok "$1: $(json "$scratch/counts" sent) sent = $(json "$scratch/counts" delivered) delivered + $(json "$scratch/counts" dropped) dropped"
	else
		bad "$1: $(cat "$scratch/verdict")"
	fi
	equal "$1: received by filter" "$(json "$scratch/sent" sent)" "$(tcpdump_count received "$said")"
}

begin()
{
	device=xdp:vb,ring=512K start_tcpdump -Q in -Z root -w "$scratch/f.pcap" || finish
	tcpdump=$pid said=$err
}

end()
{
	settle "$tcpdump"
	check "$1: tcpdump ends well" stop "$tcpdump" INT
}

# Nobody reads: the ring fills once.
begin
kill -STOP "$tcpdump"
in_left testprogs/trafgen -i va -n "$frames" > "$scratch/sent"
kill -CONT "$tcpdump"
end "stopped reader"
account "stopped reader"
between "stopped reader: losses" 1 "$frames" "$(tcpdump_count dropped "$said")"

# It reads now and then, so that the ring fills many times over, each time at another place.
begin
start in_left testprogs/trafgen -i va -n "$frames" -r 200000 -s mix --cpu 0,1 --flows 16
sender=$pid sent=$out
while ! process_gone "$sender"; do
	kill -STOP "$tcpdump"
	sleep 0.02
	kill -CONT "$tcpdump"
	sleep 0.02
done
ended "$sender" 20
cp "$sent" "$scratch/sent"
end "halting reader"
testprogs/capcheck --json "$scratch/sent" --dropped "$(tcpdump_count dropped "$said")" --order flow \
	"$scratch/f.pcap" > "$scratch/counts" 2> "$scratch/verdict"
equal "halting reader: verdict" 0 $?
show "$scratch/verdict"
between "halting reader: losses" 1 "$frames" "$(json "$scratch/counts" dropped)"
between "halting reader: deliveries" 1000 "$frames" "$(json "$scratch/counts" delivered)"

# The losses are told in the file itself, each on the next record of its ring.
if [ -x "$build/xdpdump/xdpdump" ]; then
	start ip netns exec "$right" "$build/xdpdump/xdpdump" -i vb --ring 512K -w "$scratch/f.pcapng"
	xdpdump=$pid said=$err
	wait_for 20 grep -q 'listening on' "$said"
	for round in 1 2 3 4 5; do
		kill -STOP "$xdpdump"
		in_left testprogs/trafgen -i va -n 20000 --start-seq $((round * 20000 - 20000)) > "$scratch/sent.$round"
		kill -CONT "$xdpdump"
		settle "$xdpdump"
	done
	stop "$xdpdump" INT
	if testprogs/capcheck --sent 100000 "$scratch/f.pcapng" > "$scratch/counts" 2> "$scratch/verdict"; then
		ok "epb_dropcount: 100000 sent = $(json "$scratch/counts" delivered) delivered + $(json "$scratch/counts" dropped) told of"
	else
		bad "epb_dropcount: $(cat "$scratch/verdict" "$said")"
	fi
else
	skip "epb_dropcount: xdpdump is not built"
fi
finish
