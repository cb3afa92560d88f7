#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# watchdog=: frames are kept from the host while somebody reads, be the link idle, and the host has them when
# nobody has read for so long: a reader that is stopped, with and without frames that match, or behind a pipe
# that nobody reads. Each frame is delivered or counted, and the capture goes on when the reader is back.
# shellcheck source=tests/divert/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump
need_testprog trafgen pcapread
xdpdump=$build/xdpdump/xdpdump
[ -x "$xdpdump" ] || skip_all "needs xdpdump"
seconds=4 rate=1000 # of 2 s, and of a machine that is busy with something else, it is much
frames=$((seconds * rate))
cases='rings sockets drop tc large off'
is_quick || cases="$cases default"

# options_of CASE: of the device, in $options, and of the frames, in $size.
options_of()
{
	size=64
	case $1 in
	rings) options=engine=divert,ring=16M,watchdog=2s ;;
	sockets) options=engine=divert,zero-copy=off,watchdog=2s ;;
	drop) options=hook=xdp,after=drop,ring=16M,watchdog=2s ;;
	tc) options=hook=tc,after=drop,ring=16M,watchdog=2s ;;
	large) options=engine=divert,ring=512K,watchdog=2s size=1514 ;; # the ring is full before the time
	off) options=engine=divert,ring=16M,watchdog=off ;;
	default) options=engine=divert,ring=16M ;;
	esac
}

# use CASE: its pair of namespaces, reader, and so on.
use()
{
	for variable in left right reader report host pcap; do
		eval "$variable=\${$1_$variable}"
	done
	options_of "$1"
}

# keep CASE: these are of it.
keep()
{
	for variable in left right reader report host pcap; do
		eval "$1_$variable=\$$variable"
	done
}

# begin CASE: a reader that has begun to read, and the host beside it.
begin()
{
	veth_pair
	offloads_off
	in_right ethtool -K vb gro on # for tc: vb polls
	options_of "$1"
	rm -f "$scratch/ready"
	start_capture testprogs/pcapread -i "xdp:vb,$options" --ready "$scratch/ready" -Q in -t 300
	reader=$pid report=$out
	wait_for 20 [ -e "$scratch/ready" ] || bad "$1: does not start: $(cat "$report" "$err")"
	settle "$reader"
	host_begin
	pcap=$scratch/$1.pcap
	mv "$scratch/host.pcap" "$pcap"
	keep "$1"
}

# counted NAME: of xdpdump's statistics.
counted()
{
	tail -n 1 "$said" | sed -n "s/.*\"$1\":\\([0-9]*\\).*/\\1/p"
}

# An idle link, for longer than the watchdog waits: all of them side by side.
for case in $cases; do
	begin "$case"
done
sleep "$WATCHDOG_IDLE"
for case in $cases; do
	use "$case"
	send 100 -r 5000
	settle "$reader"
done

# Then nobody reads while frames come, and then the reader is back.
for case in $cases; do
	use "$case"
	kill -STOP "$reader"
done
senders=''
for case in $cases; do
	use "$case"
	last=$frames
	[ "$case" != default ] || last=$((frames + 4 * rate))
	start in_left testprogs/trafgen -i va -n "$last" -r "$rate" -s "$size" --start-seq 100
	senders="$senders $pid"
done
for sender in $senders; do
	ended "$sender" 60
done
for case in $cases; do
	use "$case"
	last=$((frames + 100))
	[ "$case" != default ] || last=$((last + 4 * rate))
	kill -CONT "$reader"
	settle "$reader"
	send 100 -r 5000 --start-seq "$last"
	settle "$reader"
	stop "$reader" INT
	settle "$host"
	stop "$host" INT
	delivered=$(json "$report" delivered) lost=$(json "$report" ps_drop) reached=$(packets "$pcap")
	equal "$case: $delivered delivered + $lost counted" $((last + 100)) $((delivered + lost))
	equal "$case: the capture goes on with the reader" $((last + 99)) "$(json "$report" highest)"
	case $case in
	off)
		equal "$case: reached the host" 0 "$reached"
		;;
	large)
		between "$case: reached the host" $((frames / 6)) $((frames * 19 / 20)) "$reached"
		check "$case: lost before that" [ "$lost" -gt "$reached" ]
		;;
	tc) # a packet socket sees frames before tc
		between "$case: passed on" $((frames / 6)) $((frames * 19 / 20)) "$lost"
		;;
	*)
		between "$case: passed on" $((frames / 6)) $((frames * 19 / 20)) "$lost"
		equal "$case: the host has what is counted, and nothing of the idle time" "$lost" "$reached"
		;;
	esac
done

veth_pair
offloads_off
# rest=drop where nothing matches: alive while it looks, be the ring empty, and not when it is stopped.
for zero_copy in auto off; do
	name="rest=drop, zero-copy=$zero_copy"
	start ip netns exec "$right" "$xdpdump" -i vb --engine divert --zero-copy "$zero_copy" --rest drop --watchdog 2s \
		--json -w "$scratch/f.pcapng" udp port 4242
	reader=$pid said=$err
	wait_for 20 grep -q '^listening on' "$said" || bad "$name: $(cat "$said")"
	settle "$reader"
	host_begin
	send 3000 -r "$rate"
	host_end
	equal "$name, nothing matches for 3 s: reached the host" 0 "$reached"
	host_begin
	kill -STOP "$reader"
	send "$frames" -r "$rate"
	kill -CONT "$reader"
	settle "$reader"
	send 100 -r 5000 --match 1 4242
	host_end
	settle "$reader"
	stop "$reader" INT
	between "$name, stopped: passed on" $((frames / 6)) $((frames - 1)) "$reached"
	same "$name: the host has what is counted" "$(counted rest_watchdog)" "$reached"
	equal "$name: the capture goes on: captured, of these passed on" "100 0" \
		"$(counted captured) $(counted passed_watchdog)"
done

# A reader that is seconds behind with the ring of one CPU, and so has not come to that of another, whose records
# are younger: it reads.
if [ "$(nproc)" -ge 2 ]; then
	rm -f "$scratch/ready"
	start_capture testprogs/pcapread -i xdp:vb,engine=divert,ring=16M,watchdog=2s --ready "$scratch/ready" \
		-Q in -t 300 --slow 800
	reader=$pid report=$out
	wait_for 20 [ -e "$scratch/ready" ] || bad "behind: does not start: $(cat "$report" "$err")"
	host_begin
	in_left testprogs/trafgen -i va --cpu 0 -n 8000 -s 1514 > "$scratch/sent" || bad "trafgen"
	in_left testprogs/trafgen -i va --cpu 1 -n 120 -r 20 --start-seq 8000 > "$scratch/sent" || bad "trafgen"
	host_end
	stop "$reader" INT
	read=$(json "$report" delivered)
	between "behind by thousands of records after 6 s: delivered by then" 1 8000 "$read"
	equal "behind: reached the host" 0 "$reached"
	equal "behind: given up" 0 "$(json "$report" ps_drop)"
else
	skip "a reader that is behind with one of two rings: one CPU"
fi

# Behind a pipe that nobody reads.
mkfifo "$scratch/pipe"
sh -c "until [ -e '$scratch/go' ]; do sleep 0.1; done; cat > '$scratch/piped'" < "$scratch/pipe" &
reads=$!
started="$started $reads"
start ip netns exec "$right" "$xdpdump" -i vb --engine divert --watchdog 2s --ring 64M --json -w "$scratch/pipe"
reader=$pid said=$err
wait_for 20 grep -q '^listening on' "$said" || bad "a pipe: $(cat "$said")"
host_begin
send "$frames" -r "$rate" -s 1514
touch "$scratch/go"
settle "$reader"
host_end
stop "$reader" INT
wait "$reads"
equal "a pipe: $(counted captured) captured + $(counted passed_watchdog) passed on" "$frames" \
	$(($(counted captured) + $(counted passed_watchdog)))
equal "a pipe: the host has what is counted" "$(counted passed_watchdog)" "$reached"
between "a pipe: passed on" $((frames / 6)) $((frames * 19 / 20)) "$reached"
equal "a pipe: what was captured came through" "$(counted captured)" "$(packets "$scratch/piped")"

for value in 1s 61m 1 5h -5s s; do
	refused 'give off, or a time from 2s to 60m' "xdp:vb,engine=divert,watchdog=$value"
done
refused 'watchdog= is only for' xdp:vb,watchdog=5s
check "no XDP program is left" wait_for 5 no_xdp_program "$right" vb
finish
