#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# libpcap's own test programs, from the source package the library was made of, on xdp: devices.
# shellcheck source=tests/apps/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need ping stdbuf
source=$library/tree/testprogs
[ -r "$source/nonblocktest.c" ] || skip_all "the source package of libpcap has no testprogs"
cc=$(sed -n 's/^CC = //p' "$build/Makefile" 2> /dev/null)
cc=${cc:-cc}
veth_pair

# compile NAME [SED-SCRIPT]: into $scratch.
compile()
{
	sed -e "${2:-}" "$source/$1.c" > "$scratch/$1.c"
	# shellcheck disable=SC2086 # the compiler's own options
	$cc -w -O1 -I "$library/tree" -I "$source" "$scratch/$1.c" -o "$scratch/$1" -L "$library" -lpcap \
		-lpthread -Wl,--allow-shlib-undefined > "$scratch/cc" 2>&1 || {
		bad "$1 compiles"
		show "$scratch/cc"
	}
}

for program in nonblocktest selpolltest capturetest writecaptest can_set_rfmon_test findalldevstest \
	opentest valgrindtest; do
	compile $program
done
# A minute of sleep says no more than two seconds; the device is written into the other.
compile threadsignaltest 's/sleep_secs(60)/sleep_secs(2)/'
compile reactivatetest 's/"lo"/"xdp:vb"/'
[ "$failed" -eq 0 ] || finish

# start_program NAME OPTION...: on $device; line by line, for a signal would end it with lines unwritten.
start_program()
{
	program=$1
	shift
	start_on stdbuf -oL "$scratch/$program" -i "$device" "$@"
}

# run_program NAME OPTION...: one that ends by itself.
run_program()
{
	program=$1
	shift
	with_library timeout 20 "$scratch/$program" "$@" > "$scratch/said" 2>&1
}

# cpu PID: hundredths of a second it has used.
cpu()
{
	awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# A callback breaks the loop. Then the table of descriptors is full: AF_PACKET cannot block without another one, which
# the program takes for right; an xdp: device needs none.
nonblock()
{
	start_program nonblocktest || return
	ping_right 20
	ended "$pid" 10
	equal "nonblocktest on $device" 1 $?
	check "nonblocktest: the loop was broken" says 'using pcap_breakloop()' "$err"
	check "nonblocktest: full table of descriptors" says 'pcap_setnonblock succeeded even though file table is full' "$err"
}

# all_seen: requests and replies of ten pings, so far as the program tells while it reads.
all_seen()
{
	[ "$(sum 'packets seen' "$out")" -ge 20 ]
}

# Readable when there is something to read, and not before; no busy loop.
select_and_poll()
{
	start_program selpolltest "$@" icmp || return
	used=$(cpu "$pid")
	sleep 0.5
	used=$(($(cpu "$pid") - used))
	woken=$(grep -c 'returned a descriptor' "$out")
	ping_right 10
	wait_for 10 all_seen
	case "$*" in
	-n) ;; # reads all the time, as it was told
	*) between "selpolltest $* on $device: hundredths of a second of CPU while idle" 0 5 "$used" ;;
	esac
	between "selpolltest $* on $device: woken without a packet" 0 8 "$woken"
	stop "$pid" TERM > "$scratch/ended"
	equal "selpolltest $* on $device: packets" 20 "$(sum 'packets seen' "$out")"
	equal "selpolltest $* on $device: errors" '' "$(cat "$err")"
}

# A signal ends the loop by pcap_breakloop() in its handler, whatever the reading is doing.
capture()
{
	start_program capturetest "$@" -s -b -t 100 icmp || return
	ping_right 10
	wait_for 10 all_seen
	stop "$pid" INT
	equal "capturetest $* on $device: status" 0 $?
	equal "capturetest $* on $device: packets" 20 "$(sum 'packets seen' "$out")"
	check "capturetest $*: SIGINT breaks the loop" says 'Broken out of loop from SIGINT handler' "$out"
	equal "capturetest $*: none dropped" 0 "$(sed -n 's/.*ps_recv, \([0-9]*\) ps_drop.*/\1/p' "$out" | tail -n 1)"
}

# Both kinds of wake-up at once, for each sleeps for two seconds: where these are over before all is sent, once more.
break_thread()
{
	for _ in 1 2 3 4 5; do
		start_program threadsignaltest -n icmp || return
		silent=$pid silent_out=$out
		start_capture stdbuf -oL "$scratch/threadsignaltest" -i "$device" icmp
		ping_right 10
		process_gone "$silent" || break
		kill_started
	done
	ended "$silent" 15
	equal "threadsignaltest -n on $device" 0 $?
	check "threadsignaltest -n: pcap_breakloop() alone wakes the thread" says 'Loop got broken' "$silent_out"
	equal "threadsignaltest -n: packets" 20 "$(sum 'packets seen' "$silent_out")"
	ended "$pid" 15
	equal "threadsignaltest on $device" 0 $?
	check "threadsignaltest: by a signal" says 'Loop got broken' "$out"
}

write_file()
{
	start_program writecaptest -w "$scratch/w.pcap" icmp || return
	ping_right 10
	settle "$pid"
	stop "$pid" INT
	equal "writecaptest on $device: status" 0 $?
	check "writecaptest: link type" says "Listening on $device, link-type EN10MB" "$out"
	equal "writecaptest: packets in the file" 20 "$(packets "$scratch/w.pcap")"
}

for device in xdp:vb xdp:vb,hook=tc; do
	nonblock
	select_and_poll
	select_and_poll -s
	select_and_poll -p -n
	capture
	write_file
done
device=xdp:vb
for mode in -p '-s -n' -n '-s -t -q' '-p -t -q'; do
	# shellcheck disable=SC2086 # words
	select_and_poll $mode
done
for mode in -n -m -r '-m -n'; do
	# shellcheck disable=SC2086 # words
	capture $mode
done
break_thread

run_program writecaptest -i xdp:vb -L
equal "writecaptest -L" EN10MB "$(cat "$scratch/said")"
run_program writecaptest -D
equal "writecaptest -D lists no xdp: device" 0 "$(grep -c xdp: "$scratch/said")"
PCAP_AFXDP_LIST=1
export PCAP_AFXDP_LIST
run_program writecaptest -D
check "writecaptest -D with PCAP_AFXDP_LIST=1" grep -q -x '[0-9]*\.xdp:vb (vb at the XDP layer)' "$scratch/said"
check "findalldevstest with PCAP_AFXDP_LIST=1" run_program findalldevstest
check "findalldevstest: xdp:vb is there" grep -q '^xdp:vb$' "$scratch/said"
first=$(grep -v '^[[:space:]]' "$scratch/said" | head -n 1)
unset PCAP_AFXDP_LIST
check "findalldevstest" run_program findalldevstest
equal "findalldevstest lists no xdp: device unasked" 0 "$(grep -c xdp: "$scratch/said")"
equal "findalldevstest: the first device is the same" \
	"$(grep -v '^[[:space:]]' "$scratch/said" | head -n 1)" "$first"

run_program can_set_rfmon_test xdp:vb
equal "can_set_rfmon_test" 'xdp:vb: Monitor mode cannot be set' "$(cat "$scratch/said")"
check "reactivatetest on xdp:vb" run_program reactivatetest xdp:vb # an argument since 1.11
for options in '' -a -p '-a -p' '-s 100' '-B 4096' '-B 65536'; do
	# shellcheck disable=SC2086 # none, one or two words
	check "opentest $options" run_program opentest -i xdp:vb $options
done
check "opentest -I is refused" fails run_program opentest -i xdp:vb -I
check "opentest -I: says why" says "That device doesn't support monitor mode" "$scratch/said"
for options in '' -a; do
	# shellcheck disable=SC2086 # none or one word
	check "valgrindtest $options" run_program valgrindtest -i xdp:vb $options
done
nothing_left "$right" vb
finish
