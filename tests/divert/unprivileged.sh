#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# sock-fds= and prog-fd=: a process without any capability captures and sends.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump
need_testprog trafgen pcapread txpush xdplaunch
id nobody > /dev/null 2>&1 || skip_all "needs the user nobody"
# In portions that a queue's ring has room for, of what any process may lock: a machine that is busy with something
# else lets the reader wait.
frames=8000 portion=800
# Programs and library where nobody may read them.
mkdir "$scratch/lib" "$scratch/bin"
copy_library "$scratch/lib"
cp "$build/testprogs/pcapread" "$build/testprogs/txpush" "$scratch/bin"
ln -s libpcap.so.0.8 "$scratch/lib/libpcap.so.1"
chmod -R a+rX "$scratch"
mkdir -m 777 "$scratch/open"

# launch OPTIONS COMMAND...: by the launcher, in $right, in the background; OPTIONS are its own.
launch()
{
	options=$1
	shift
	# shellcheck disable=SC2046,SC2086 # one word per variable or option
	start ip netns exec "$right" "$build/testprogs/xdplaunch" -i vb $options \
		env $(library_environment | sed "s|$library|$scratch/lib|") "$@"
}

has_no_capability()
{
	[ "$(grep -c -E '^Cap(Inh|Prm|Eff|Amb):[[:space:]]*0+$' "/proc/$1/status")" -eq 4 ] &&
		grep -q "^Uid:[[:space:]]*$(id -u nobody)" "/proc/$1/status"
}

generate()
{
	in_left "$build/testprogs/trafgen" -i va "$@" > "$scratch/sent" || bad "trafgen $*"
}

generate_all()
{
	sent=0
	while [ "$sent" -lt "$frames" ]; do
		generate -n "$portion" --start-seq "$sent" -r 50000 "$@"
		settle "$reader"
		sent=$((sent + portion))
	done
}

is_attached()
{
	[ -n "$(xdp_program "$right" vb)" ]
}

veth_pair mtu 1500 numtxqueues 2 numrxqueues 2
offloads_off

# captures NAME OPTIONS ARGUMENT...: pcapread, which judges each frame, and stamps in order.
captures()
{
	what=$1 options=$2
	shift 2
	rm -f "$scratch/open/ready"
	launch "$options" "$scratch/bin/pcapread" -i xdp:vb -t 300 --ready "$scratch/open/ready" "$@"
	reader=$pid report=$out said=$err
	wait_for 20 test -e "$scratch/open/ready" || { bad "$what: does not start"; show "$report"; show "$said"; }
	check "$what: no capability, and user nobody" has_no_capability "$reader"
	check "$what: the program is attached" is_attached
}

captures "both queues" "" --nano
generate_all --flows 64 --cpu 0,1
check "both queues: the reader has no complaint" all_read "$reader"
equal "both queues: every frame" "$frames" "$(json "$report" delivered)"
equal "both queues: stamps that go back" 0 "$(json "$report" time_backwards)"
check "both queues: no warning" grep -q '"activate":0' "$report"
equal "both queues: lost" 0 "$(json "$report" ps_drop)"
equal "both queues: received, by its statistics" "$frames" "$(json "$report" ps_recv)"
check "it is gone with the process" wait_for 10 no_xdp_program "$right" vb

captures "a filter" "" -f 'udp port 53'
generate_all --match 4 53
check "a filter: the reader has no complaint" all_read "$reader"
equal "a filter: what it takes" $((frames / 4)) "$(json "$report" delivered)"
# It runs in user space: these are the frames that came to it, as on AF_PACKET.
equal "a filter: received, by its statistics" "$frames" "$(json "$report" ps_recv)"

captures "attached by the launcher" --attach
generate_all
check "attached by the launcher: the reader has no complaint" all_read "$reader"
equal "attached by the launcher: every frame" "$frames" "$(json "$report" delivered)"
check "it is gone with the process" wait_for 10 no_xdp_program "$right" vb

# tcpdump, as it is.
launch "" tcpdump -i xdp:vb -nn -w "$scratch/open/f.pcap" udp
tcpdump=$pid
wait_for 20 grep -q 'listening on' "$err" || show "$err"
generate -n "$portion" -r 20000
settle "$tcpdump"
stop "$tcpdump"
equal "tcpdump as nobody" "$portion" "$(packets "$scratch/open/f.pcap")"

# stamps NAME LEAST MOST OPTIONS: of two frames that came a second apart, while the reader was stopped,
# the stamps are so many ms apart.
stamps()
{
	launch "$4" tcpdump -i xdp:vb -nn -w "$scratch/open/t.pcap" udp
	tcpdump=$pid
	wait_for 20 grep -q 'listening on' "$err"
	generate -n 1
	settle "$tcpdump"
	kill -STOP "$tcpdump"
	generate -n 1
	sleep 1
	generate -n 1
	kill -CONT "$tcpdump"
	settle "$tcpdump"
	stop "$tcpdump"
	between "$1" "$2" "$3" "$(tcpdump -ttr "$scratch/open/t.pcap" 2> /dev/null |
		awk '{ before = now; now = $1 } END { printf "%d", (now - before) * 1000 }')"
}
stamps "our program: stamps of the kernel, ms apart" 900 5000 ""
stamps "one that is not known: stamps of reading, ms apart" 0 500 --attach

# Sending.
start ip netns exec "$left" "$build/testprogs/pcapread" -i va -Q in --buffer 16777216 -t 300 --ready "$scratch/listens"
receiver=$pid received=$out
wait_for 20 test -e "$scratch/listens"
launch "" "$scratch/bin/txpush" -i xdp:vb --to 02:00:00:00:00:0a -c "$frames"
sender=$pid
check "txpush as nobody" ended "$sender" 30
check "txpush as nobody: the receiver has no complaint" all_read "$receiver"
equal "txpush as nobody: arrived" "$frames" "$(json "$received" delivered)"

# refused NAME PATTERN OPTIONS: what a process of no privilege is told.
refused()
{
	with_library "$build/testprogs/pcapread" -i "xdp:vb,$3" -t 1 > "$scratch/refused" 2>&1
	check "$1" grep -q -- "$2" "$scratch/refused"
}
refused "not a descriptor" 'sock-fds=x: give up to' engine=divert,sock-fds=x
refused "a standard one" 'sock-fds=1: give up to' engine=divert,sock-fds=1
refused "not open" 'descriptor 77 is not an AF_XDP socket' engine=divert,sock-fds=77
refused "only a program" 'prog-fd= needs sock-fds=' engine=divert,prog-fd=5
refused "another engine" 'is for engine=divert' sock-fds=5
refused "not at XDP" 'is at XDP only' engine=divert,sock-fds=77,hook=tc
refused "the rest dropped" 'whoever loaded the program decides on after= and rest=' engine=divert,sock-fds=77,rest=drop
refused "a program of one's own" 'does not go with sock-fds=' engine=divert,sock-fds=77,xdp-obj=x
launch "" "$scratch/bin/pcapread" -i xdp:vb,prog-fd=77 -t 1
ended "$pid" 10
check "no program" grep -q 'prog-fd=77: not an XDP program' "$out"
launch "" "$scratch/bin/pcapread" -i xdp:vb,sample=2,warn=on -t 1
ended "$pid" 10
check "sample=: a warning" grep -q 'sample=.* do not go with sock-fds=' "$out"
launch "" "$scratch/bin/pcapread" -i xdp:vb,watchdog=5,warn=on -t 1
ended "$pid" 10
check "watchdog=: a warning" grep -q 'watchdog= does not go with sock-fds=' "$out"
launch "" sh -c "$scratch/bin/pcapread -i xdp:vb -t 1; $scratch/bin/pcapread -i xdp:vb -t 1"
ended "$pid" 10
check "sockets that were used" grep -q 'the one of descriptor [0-9]* was used before' "$out"
launch "" "$scratch/bin/pcapread" -i xdp:vb,queues=0 -t 1
ended "$pid" 10
check "more sockets than queues" grep -q 'sock-fds= has 2 descriptors, for 1 queues' "$out"
launch "" "$scratch/bin/pcapread" -i xdp:vb,ring=64M -t 1
ended "$pid" 10
check "more memory than may be locked" grep -q 'give a smaller ring=' "$out"

# A failed pcap_activate() leaves the descriptors to the next one of the same process.
rm -f "$scratch/open/ready"
launch "" sh -c "until [ -e $scratch/open/taken ]; do sleep 0.05; done
	exec $scratch/bin/pcapread -i xdp:vb --retry 400 -t 300 --ready $scratch/open/ready"
reader=$pid report=$out said=$err
wait_for 10 grep -q "^Uid:[[:space:]]*$(id -u nobody)" "/proc/$reader/status" # has opened them
start_tcpdump || finish
holder=$pid
touch "$scratch/open/taken"
check "the hook is taken: says by whom" wait_for 10 grep -q 'held by program id.*prog-fd= needs it' "$said"
stop "$holder"
check "another try: opens" wait_for 20 test -e "$scratch/open/ready"
generate -n "$portion" -r 20000
check "another try: the reader has no complaint" all_read "$reader"
equal "another try: every frame" "$portion" "$(json "$report" delivered)"
finish
