#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --files-per-queue: a file for each ring, whole by itself; together they have what was captured, once,
# and mergecap brings it into one order.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump mergecap ping
[ "$(getconf _NPROCESSORS_ONLN)" -eq 2 ] || skip_all "counts files and threads of two CPUs"
[ "$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)" = 0-1 ] || skip_all "needs both CPUs"
veth_pair numtxqueues 2 numrxqueues 2
offloads_off
folder=$scratch/files

# begin OPTION...: a capture with a file per ring into an empty folder; $capture, $said.
begin()
{
	rm -rf "$folder"
	mkdir "$folder"
	chmod 777 "$folder"
	start_xdpdump --files-per-queue -Q in "$@"
	capture=$pid said=$err
}

# send_both COUNT RATE: from both CPUs, that is through both queues, numbers apart.
send_both()
{
	start in_left "$trafgen" -i va -n "$1" -r "$2" --cpu 0 --flows 8 --src 198.18.0.1
	first=$pid first_sent=$out
	start in_left "$trafgen" -i va -n "$1" -r "$2" --cpu 1 --flows 8 --src 198.19.0.1 --start-seq "$1"
	second=$pid second_sent=$out
	ended "$first" 60
	ended "$second" 60
}

end()
{
	settle "$capture"
	stop "$capture" INT
	equal "$1: ends well" 0 $?
}

# limited NAME: it ends by itself.
limited()
{
	ended "$capture" 20
	equal "$1: ends well, by itself" 0 $?
}

names()
{
	(cd "$folder" && echo *)
}

# merged NAME: all files in one order, each frame in it once or counted as dropped.
merged()
{
	mergecap -w "$scratch/all.pcapng" "$folder"/* 2> "$scratch/merging"
	equal "$1: mergecap" 0 $?
	"$capcheck" --json "$first_sent" --json "$second_sent" --order none \
		--dropped "$(count dropped "$said")" "$scratch/all.pcapng" > "$scratch/counts" 2> "$scratch/verdict"
	equal "$1: every frame is there or counted, once" 0 $?
	show "$scratch/verdict"
	equal "$1: stamps that go back" 0 "$(json "$scratch/counts" time_backwards)"
}

# each_is_whole NAME: by itself, with the statistics of its own ring.
each_is_whole()
{
	for one in "$folder"/*; do
		"$capcheck" --order none "$one" > "$scratch/checked" 2>&1
		equal "$1, $(basename "$one"): cut bytes, interfaces, statistics blocks" "0 1 1" \
			"$(json "$scratch/checked" cut_bytes) $(json "$scratch/checked" interfaces) \
$(json "$scratch/checked" statistics_blocks)"
		# A reader with sanitizers may be too slow for the sockets: what they dropped is named.
		equal "$1, $(basename "$one"): received but not dropped, and delivered, of its own ring; stamps that go back" \
			"$(packets "$one") $(packets "$one") 0" \
			"$(($(json "$scratch/checked" ifrecv) - $(json "$scratch/checked" ifdrop) - $(json "$scratch/checked" osdrop))) \
$(json "$scratch/checked" usrdeliv) $(json "$scratch/checked" time_backwards)"
	done
}

# engine_of MODE: options of it, in $engine, and what it names files by, in $unit.
engine_of()
{
	case $1 in
	tap) engine='--engine tap' unit=cpu ;;
	rings) engine='--engine divert' unit=cpu ;;
	sockets) engine='--engine divert --zero-copy off' unit=q ;;
	esac
}

for mode in tap rings sockets; do
	engine_of "$mode"
	# shellcheck disable=SC2086 # options
	begin $engine -w "$folder/f.pcapng"
	send_both 50000 50000
	end "$mode"
	equal "$mode: files" "f-${unit}0.pcapng f-${unit}1.pcapng" "$(names)"
	whole_files "$mode" "$folder"
	each_is_whole "$mode"
	merged "$mode"
done

# Flat out, with rings that are too small: what is lost is counted.
for mode in tap rings sockets; do
	engine_of "$mode"
	# shellcheck disable=SC2086 # options
	begin $engine --ring 512K -w "$folder/f.pcapng"
	kill -STOP "$capture"
	send_both 20000 200000
	kill -CONT "$capture"
	end "$mode, stopped"
	whole_files "$mode, stopped" "$folder"
	merged "$mode, stopped"
	between "$mode, stopped: dropped" 1 40000 "$(count dropped "$said")"
done

# What is sent has rings of the CPUs also where what is received goes to sockets.
for mode in rings sockets; do
	engine_of "$mode"
	# shellcheck disable=SC2086 # options
	begin $engine -Q inout -w "$folder/f.pcapng"
	in_right ping -qc 20 -i 0.01 -W 1 10.99.0.1 > "$scratch/pings" # the answers do not reach the host
	send_both 1000 10000
	end "both directions, $mode"
	whole_files "both directions, $mode" "$folder"
	if [ "$mode" = rings ]; then
		equal "both directions, $mode: files" "f-cpu0.pcapng f-cpu1.pcapng" "$(names)"
		equal "both directions, $mode: packets" 2040 "$(packets_in "$folder")"
		continue
	fi
	equal "both directions: files" "f-cpu0.pcapng f-cpu1.pcapng f-q0.pcapng f-q1.pcapng" "$(names)"
	equal "both directions: sent, received" "20 2020" \
		"$(($(packets "$folder/f-cpu0.pcapng") + $(packets "$folder/f-cpu1.pcapng"))) \
$(($(packets "$folder/f-q0.pcapng") + $(packets "$folder/f-q1.pcapng")))"
done

# For a second after a filter was set each reader looks at what the kernel took.
begin -w "$folder/f.pcapng" 'src net 198.18.0.0/16'
send_both 2000 20000
end "filter"
equal "filter: packets" 2000 "$(packets_in "$folder")"
whole_files "filter" "$folder"

# Limits.
begin -c 5000 -w "$folder/f.pcapng"
send_both 10000 50000
limited "-c"
equal "-c: of all files together" 5000 "$(packets_in "$folder")"
equal "-c: said" 5000 "$(count captured "$said")"

begin -a duration:1 -w "$folder/f.pcapng"
send_both 1000 20000
limited "-a duration"
equal "-a duration: packets" 2000 "$(packets_in "$folder")"

begin -a filesize:100 -w "$folder/f.pcapng"
send_both 10000 20000
limited "-a filesize"
between "-a filesize: largest file" 99000 100000 "$(largest "$folder")"
whole_files "-a filesize" "$folder"

begin -C 100K -a files:2 -w "$folder/f.pcapng"
send_both 10000 20000
limited "-a files"
between "-a files: of one ring two, of the other no more" 3 4 "$(names | wc -w)"
whole_files "-a files" "$folder"

# New files.
begin -C 100K --print-name -w "$folder/f.pcapng"
printed=$out
send_both 5000 20000
end "-C"
same "-C: files" "$(names | wc -w)" "$(wc -l < "$printed")"
between "-C: files, of each ring" 7 9 "$(names | tr ' ' '\n' | grep -c 'f-cpu1.pcapng')"
between "-C: largest" 90000 102400 "$(largest "$folder")"
whole_files "-C" "$folder"
merged "-C"

begin -C 100K -W 2 -w "$folder/f.pcapng"
send_both 5000 20000
end "-W"
equal "-W: of each ring" "f-cpu0.pcapng0 f-cpu0.pcapng1 f-cpu1.pcapng0 f-cpu1.pcapng1" "$(names)"

begin -b filesize:100 -b files:3 -w "$folder/f.pcapng"
send_both 5000 20000
end "-b"
equal "-b: of each ring, number and time in the name" 3 \
	"$(names | tr ' ' '\n' | grep -c 'f-cpu0_0000[0-9]_2[0-9]*.pcapng')"

begin --disk-limit 600K -C 100K -w "$folder/f.pcapng"
send_both 10000 20000
end "--disk-limit"
between "--disk-limit: bytes of all files" 300000 614400 "$(cat "$folder"/* | wc -c)"

began=$(date +%s)
begin -G 1 -w "$folder/g%S.pcapng"
send_both 3000 1000
end "-G"
between "-G: files, of each ring, one a second at most" 3 $(($(date +%s) - began + 1)) "$(names | tr ' ' '\n' | grep -c '^g[0-9][0-9]-cpu0.pcapng')"
whole_files "-G" "$folder"
merged "-G"

# Signals.
begin -w "$folder/h%Y.pcapng"
send_both 1000 10000
settle "$capture"
kill -USR1 "$capture"
check "SIGUSR1: statistics of all" wait_for 5 grep -q '^2000 packets captured' "$said"
kill -HUP "$capture"
check "SIGHUP: a new file of each ring" \
	wait_for 5 sh -c "[ \$(ls '$folder' | grep -c '^h2[0-9]*-cpu[01].pcapng\$') = 2 ]"
send_both 1000 10000
end "SIGHUP"
equal "SIGHUP: files" 4 "$(names | wc -w)"
whole_files "SIGHUP" "$folder"

if "$xdpdump" --zstd -h > /dev/null 2>&1 && command -v zstd > /dev/null; then
	begin --zstd -w "$folder/f.pcapng"
	send_both 5000 20000
	settle "$capture"
	kill -USR2 "$capture"
	check "SIGUSR2: what is gathered is in the files" wait_for 3 sh -c \
		"[ \$(zstd -qdc '$folder/f-cpu1.pcapng' 2> '$scratch/cut' | wc -c) -gt 600000 ]"
	end "--zstd"
	for one in cpu0 cpu1; do
		zstd -qdf "$folder/f-$one.pcapng" -o "$scratch/$one.pcapng"
		mv "$scratch/$one.pcapng" "$folder/f-$one.pcapng"
	done
	merged "--zstd"
else
	skip "--zstd: not built, or no zstd"
fi

begin --use-pcap -Z nobody -w "$folder/f.pcap"
send_both 1000 10000
end "--use-pcap -Z nobody"
equal "--use-pcap -Z nobody: whose they are" "nobody nobody" "$(stat -c %U "$folder"/* | xargs)"
merged "--use-pcap -Z nobody"

# Several interfaces.
ip -n "$left" link add vc type veth peer name vd netns "$right"
ip -n "$left" link set vc up
ip -n "$right" link set vd up
begin -i vd -w "$folder/f.pcapng"
send_both 1000 10000
in_left "$trafgen" -i vc -n 500 -r 10000 > "$scratch/sent"
end "two interfaces"
equal "two interfaces: files" "f-vb-cpu0.pcapng f-vb-cpu1.pcapng f-vd-cpu0.pcapng f-vd-cpu1.pcapng" "$(names)"
equal "two interfaces: packets of the second" 500 \
	"$(($(packets "$folder/f-vd-cpu0.pcapng") + $(packets "$folder/f-vd-cpu1.pcapng")))"
whole_files "two interfaces" "$folder"

# reader_cpus: of each reader, "cpu0 on 1".
reader_cpus()
{
	for task in "/proc/$capture/task"/*; do
		sed -n 's/^read-//p' "$task/comm" | tr '\n' ' '
		grep -q '^read-' "$task/comm" && sed -n 's/^Cpus_allowed_list:[^0-9]*/on /p' "$task/status"
	done | sort | xargs
}

begin -w "$folder/f.pcapng"
check "readers run" wait_for 5 sh -c "grep -q '^read-cpu1' /proc/$capture/task/*/comm"
settle "$capture"
equal "readers keep off the CPU that fills the ring" "cpu0 on 1 cpu1 on 0" "$(reader_cpus)"
end "without --cpus"
begin --cpus 0,1 -w "$folder/f.pcapng"
settle "$capture"
equal "--cpus: one each in turn" "cpu0 on 0 cpu1 on 1" "$(reader_cpus)"
end "--cpus 0,1"
begin --cpus 1 -w "$folder/f.pcapng"
settle "$capture"
equal "--cpus with one: all on that" "cpu0 on 1 cpu1 on 1" "$(reader_cpus)"
end "--cpus 1"

# The interface goes: what has come is written.
ip -n "$left" link add vg type veth peer name vh netns "$right"
ip -n "$left" link set vg up
ip -n "$right" link set vh up
rm -rf "$folder"
mkdir "$folder"
start ip netns exec "$right" "$xdpdump" -i vh --files-per-queue -w "$folder/f.pcapng"
capture=$pid said=$err
started_capturing
in_left "$trafgen" -i vg -n 1000 -r 10000 > "$scratch/sent"
settle "$capture"
ip -n "$left" link del vg
ended "$capture" 10
equal "interface gone: status" 1 $?
equal "interface gone: said" "xdpdump: vh has disappeared" "$(grep -x 'xdpdump: vh .*' "$said")"
equal "interface gone: packets" 1000 "$(count captured "$said")"
whole_files "interface gone" "$folder"

# A disk that is full ends it for all.
fill_disk "full disk" "-t tmpfs -o size=3M tmpfs" --files-per-queue
whole_files "full disk" "$disk"

# kill -9: what was written can be read.
begin -w "$folder/f.pcapng"
in_left "$trafgen" -i va -n 100000 -r 100000 -s mix --cpu 1 > "$scratch/sent.other" 2>&1 &
other=$!
started="$started $other"
kill_amidst is_longer 3000000 "$folder/f-cpu1.pcapng"
equal "kill -9: status" 137 "$state"
check "kill -9: no XDP program is left" wait_for 5 no_xdp_program "$right" vb
ended "$sender" 20
ended "$other" 20
between "kill -9: packets in the file" 1000 200000 "$(packets "$folder/f-cpu1.pcapng")"
for one in "$folder"/*; do
	check "kill -9: $(basename "$one") can be read up to its end" "$capcheck" --cut-is-fine --order none "$one"
done
finish
