#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine with two cards that stamp frames of PTP: their stamps, as -j adapter_unsynced has them, are
# those that the kernel gives to any socket, and by -j adapter they are in the host's time. QEMU's igb stamps the first
# frame after a reset and no other: it takes a stamp for read only when a register is read that Linux does not read.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need tcpdump ping ethtool
raw=$build/tests/vm/raw
file=$scratch/f.pcapng
syncs=10
[ -x "$raw" ] || skip_all "needs tests/vm/raw"
[ -e /sys/class/net/eth1 ] || skip_all "no two network cards"
pair_namespaces
ip link set eth0 netns "$left" name va
ip link set eth1 netns "$right" name vb
pair_up
driver=$(in_right ethtool -i vb | sed -n 's/^driver: //p')
in_right ethtool -T vb
in_right ethtool -T vb | grep -q 'hardware-raw-clock' || skip_all "$driver has no clock"

ip -n "$right" link set vb promisc on

# able RESULT: a row of check-vm's table.
able()
{
	echo "able: $(uname -r | sed 's/[+-][a-z].*//') | -j adapter at tc, $driver, frames of PTP | $1"
}

# Those of PTP's frames in the file.
ptp_times()
{
	tcpdump -ttnr "$file" --time-stamp-precision=nano 'ether proto 0x88f7' 2> /dev/null | cut -d ' ' -f 1
}

# listens: a socket that is told of the driver's stamps.
listens()
{
	start ip netns exec "$right" "$raw" stamps vb $syncs
	socket=$pid told=$out
	wait_for 10 grep -q ready "$err" || bad "a socket for stamps: $(cat "$err")"
}

# begin TYPE
begin()
{
	type=$1
	start_xdpdump -v -j "$type" -w "$file" 'ether proto 0x88f7 or icmp'
	capture=$pid said=$err
	show "$said"
	check "the two ends are joined" wait_for 30 in_left ping -qc 1 -W 1 10.99.0.2
	listens
}

# send_syncs: and the socket has them.
send_syncs()
{
	in_left "$raw" ptp va $syncs
	ended "$socket" 60
	equal "$type: the socket has them" 0 $?
}

end()
{
	settle "$capture"
	check "-j $type: ends well" stop "$capture" INT
	ptp_times > "$scratch/times"
	equal "-j $type: frames of PTP in the file" $syncs "$(wc -l < "$scratch/times")"
}

# stamps NAME FILTER: the frames that the card is set to stamp.
stamps()
{
	equal "$1: frames that the card stamps (HWTSTAMP_FILTER_...)" "$2" "$(in_right "$raw" filter vb)"
}

in_right "$xdpdump" -i vb -J > "$scratch/types"
show "$scratch/types"
if ! kernel_since 6 6; then
	equal "before 6.6 no hook has them: types that -J offers" 0 "$(grep -c '^ *adapter' "$scratch/types")"
	[ "$failed" -eq 0 ] || { able FAILED; finish; }
	able 'no, and -J does not offer it: TCX is of 6.6'
	finish
fi
equal "-J offers both" 2 "$(grep -c '^ *adapter' "$scratch/types")"

stamps before 0
begin adapter_unsynced
stamps "-j adapter_unsynced" 12
check "it is at tc" grep -q '^listening on vb: received .*frames at tc' "$said"
check "it says whose stamps" grep -q 'time stamps of the interface (adapter_unsynced)' "$said"
check "it says that only PTP's frames have one" grep -q 'vb stamps only frames of PTP' "$said"
send_syncs
end
stamped=$(grep -c '^[0-9]' "$told")
check "the driver stamps frames: $stamped of $syncs" [ "$stamped" -gt 0 ]
grep '^[0-9]' "$told" > "$scratch/wanted"
equal "stamps that are the socket's, to the nanosecond" "$stamped" "$(grep -c -x -F -f "$scratch/wanted" "$scratch/times")"
show "$told"
[ "$failed" -eq 0 ] || show "$scratch/times"
check "frames without are counted" grep -q '^[1-9][0-9]* packets* without a time stamp of the interface' "$said"
stamps ended 0

ip -n "$right" link set vb down # which resets the card
ip -n "$right" link set vb up
before=$(date +%s)
begin adapter
send_syncs
end
show "$told"
check "-j adapter: the driver stamps frames" grep -q '^[0-9]' "$told"
between "-j adapter: the first is in the host's time" "$before" "$(date +%s)" "$(sed -n '1s/\..*//p' "$scratch/times")"
between "-j adapter: and the last" "$before" "$(date +%s)" "$(sed -n '$s/\..*//p' "$scratch/times")"
check "-j adapter: they are in order" sort -c "$scratch/times"
show "$scratch/times"

begin adapter_unsynced
stamps "again" 12
kill -KILL "$capture" "$socket"
ended "$capture" 10 2> "$scratch/killed"
wait_for 10 sh -c '[ "$(ip netns exec "$1" "$2" filter vb)" = 0 ]' sh "$right" "$raw"
stamps killed 0
if [ "$failed" -eq 0 ]; then
	able "yes: the stamp that a socket is told, to the nanosecond"
else
	able FAILED
fi
finish
