#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2016 # commands in quotes are for inner shells
# Wireshark's extcap protocol, asked by hand, and by stock tshark in live captures.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need setpriv ping
veth_pair
ip -n "$right" link add "br{0" type bridge # a brace cannot be told in this protocol
ip -n "$right" tuntap add tun0 mode tun

# tshark minds the environment only where it is not root's. Ambient capabilities take root's place.
caps=+bpf,+net_admin,+net_raw,+perfmon
nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
mkdir "$scratch/extcap" "$scratch/home" "$scratch/out"
cp "$xdpdump" "$scratch/extcap/xdpdump"
chmod 777 "$scratch/home" "$scratch/out"
file=$scratch/out/f.pcapng

# as_user COMMAND...: start in $right.
as_user()
{
	# shellcheck disable=SC2086 # words
	start ip netns exec "$right" $nobody --inh-caps "$caps" --ambient-caps "$caps" \
		env HOME="$scratch/home" WIRESHARK_EXTCAP_DIR="$scratch/extcap" "$@"
}

# says TEXT: a line of the last answer.
says()
{
	grep -qxF "$1" "$out"
}

# answers NAME ARGUMENT...: well, and with nothing on standard error.
answers()
{
	what=$1
	shift
	run_xdpdump "$@"
	equal "$what: status" 0 "$state"
	check "$what: nothing on standard error" fails test -s "$err"
}

# refuses MESSAGE ARGUMENT...
refuses()
{
	message=$1
	shift
	run_xdpdump "$@"
	equal "refused, $message: status" 1 "$state"
	check "refused, $message: one line" test "$(wc -l < "$err")" -eq 1
	check "refused, $message" grep -q -e "^xdpdump: .*$message" "$err"
	check "refused, $message: nothing attached" no_xdp_program "$right" vb
}

# takes OPTION: the words it may have, of either list of options.
takes()
{
	sed -n -e "s/^OPTION(\"$1\", \"\([^\"]*\)\".*/\1/p" -e "s/^ROW([^,]*, \"$1\", \"\([^\"]*\)\".*/\1/p" \
		"$top/capture/options/options.def" "$top/xdpdump/options.def" | tr '|' ' '
}

# values OPTION: those of the dialogue.
values()
{
	number=$(sed -n "s/^arg {number=\([0-9]*\)}{call=--$1}.*/\1/p" "$out")
	sed -n "s/^value {arg=$number}{value=\([^}]*\)}.*/\1/p" "$out"
}

by_hand()
{
	answers interfaces --extcap-interfaces --extcap-version=4.0
	check "the program" grep -q '^extcap {version=[0-9.]*}{display=xdpdump}$' "$out"
	check "vb" says 'interface {value=xdpdump:vb}{display=vb at the XDP layer}'
	check "tun0" grep -q '^interface {value=xdpdump:tun0}' "$out"
	check "any" says 'interface {value=xdpdump:any}{display=all interfaces, and those that come later}'
	equal "sentences" 5 "$(wc -l < "$out")"
	ln -s "$xdpdump" "$scratch/other-name"
	start ip netns exec "$right" "$scratch/other-name" --extcap-interfaces
	check "by another name: status" ended "$pid" 20
	check "by another name: devices have it" says 'interface {value=other-name:vb}{display=vb at the XDP layer}'
	answers version --extcap-version
	equal "version: lines" 1 "$(wc -l < "$out")"

	answers "dlts of vb" --extcap-dlts --extcap-interface xdpdump:vb
	equal dlt '{number=1}{name=EN10MB}{display=Ethernet}' "$(sed -n 's/^dlt //p' "$out")"
	answers "dlts of vb, by a program's other name" --extcap-dlts --extcap-interface other-name:vb
	answers "dlts of tun0" --extcap-dlts --extcap-interface xdpdump:tun0
	equal dlt '{number=101}{name=RAW}{display=Raw IP}' "$(sed -n 's/^dlt //p' "$out")"

	answers "dlts of any" --extcap-dlts --extcap-interface xdpdump:any
	check "Linux cooked" grep -q '^dlt {number=276}{name=LINUX_SLL2}' "$out"
	answers "filter of any" --extcap-capture-filter 'tcp port 80' --extcap-interface xdpdump:any
	check "it is valid" fails test -s "$out"
	answers "vlan in a filter of any" --extcap-capture-filter 'vlan 5' --extcap-interface xdpdump:any
	check "it is refused, in words" grep -q '^no filter for many interfaces sees VLAN tags' "$out"
	answers config --extcap-config --extcap-interface xdpdump:vb
	"$xdpdump" --help all > "$scratch/help"
	sed -n 's/^arg .*{call=\([^}]*\)}.*/\1/p' "$out" > "$scratch/calls"
	check "there are options to set" test "$(wc -l < "$scratch/calls")" -ge 8
	# Descriptors come from who starts it, which Wireshark does not.
	equal "no option of the device is forgotten" \
		"$(sed -n 's/^OPTION("\([a-z-]*\)".*/--\1/p' "$top/capture/options/options.def" |
			grep -v -x -e --sock-fds -e --prog-fd | sort | xargs)" \
		"$(sed -n 's/^OPTION("\([a-z-]*\)".*/--\1/p' "$top/capture/options/options.def" |
			grep -x -F -f "$scratch/calls" | sort | xargs)"
	sed -n 's/^arg .*{call=--\([^}]*\)}.*{type=selector}.*/\1/p' "$out" > "$scratch/selectors"
	while read -r option; do
		# shellcheck disable=SC2046 # words
		equal "values of --$option" "$(takes "$option")" "$(echo $(values "$option"))"
	done < "$scratch/selectors"
	check "each value has its text" fails grep -F '{display=}' "$out"
	check "all of them exist" sh -c 'while read -r call; do grep -q -e "$call\( \|\$\)" "$1" || exit 1; done < "$0"' \
		"$scratch/calls" "$scratch/help"
	check "no title is too long for Wireshark, which takes 80 characters with its own name" sh -c \
		'! sed -n "s/^arg .*{display=\([^}]*\)}.*/\1/p" "$0" | grep -E ".{50}"' "$out"
	equal "numbers are in order" "$(seq 0 $(($(wc -l < "$scratch/calls") - 1)) | xargs)" \
		"$(sed -n 's/^arg {number=\([0-9]*\)}.*/\1/p' "$out" | xargs)"
	for value in $(values hook); do
		run_xdpdump --extcap-capture-filter udp --extcap-interface xdpdump:vb --hook "$value"
		equal "hook $value, asked about a filter" 0 "$state"
	done
}

filters()
{
	for filter in '' udp 'tcp port 80 and not vlan' 'icmp[0] == 8' '-1 < ip[0]'; do
		answers "filter \"$filter\"" --extcap-capture-filter "$filter" --extcap-interface xdpdump:vb
		check "filter \"$filter\": no fault" fails test -s "$out"
	done
	for filter in 'tcp[' 'port 99999' 'nosuch word'; do
		answers "filter \"$filter\"" --extcap-capture-filter "$filter" --extcap-interface xdpdump:vb
		check "filter \"$filter\": the fault in one line" test "$(wc -l < "$out")" -eq 1
		check "filter \"$filter\": it is named" grep -q "^filter \"" "$out"
	done
	answers "ether on raw IP" --extcap-capture-filter 'ether proto 0x806' --extcap-interface xdpdump:tun0
	check "ether on raw IP: not valid" test -s "$out"
}

bad_input()
{
	refuses '--extcap-interface is missing' --extcap-dlts
	refuses '--extcap-interface needs a value' --extcap-config --extcap-interface
	refuses 'nosuch: no such interface' --extcap-config --extcap-interface xdpdump:nosuch
	refuses '--fifo is missing' --capture --extcap-interface xdpdump:vb
	refuses 'nosuch: No such file' --capture --extcap-interface xdpdump:vb --fifo "$scratch/nosuch"
	touch "$scratch/taken"
	set -- --capture --extcap-interface xdpdump:vb --fifo "$scratch/taken"
	refuses 'hook never: not a value' "$@" --hook never
	refuses '--nosuch: no such option' "$@" --nosuch
	refuses 'syntax error' "$@" --extcap-capture-filter 'tcp['
	mkfifo "$scratch/unread"
	refuses 'unread: nobody reads it' --capture --extcap-interface xdpdump:vb --fifo "$scratch/unread"
	refuses 'an extcap is asked by Wireshark' --extcap-interface xdpdump:vb
	start ip netns exec "$right" sh -c 'exec "$0" --extcap-interfaces > /dev/full' "$xdpdump"
	ended "$pid" 20
	equal "answers to a disk that is full: status" 1 $?
	check "... and why" grep -q '^xdpdump: standard output: No space left on device$' "$err"
}

is_attached()
{
	[ -n "$(xdp_program "$right" vb)" ]
}

# captures: the processes of xdpdump that capture here.
captures()
{
	for process in $(ip netns pids "$right"); do
		[ "$(cat "/proc/$process/comm" 2> /dev/null)" != xdpdump ] || echo "$process"
	done
}

# is_open: the file's first blocks are there, and then the rings are opened, before it sleeps.
# shellcheck disable=SC2046 # processes
is_open()
{
	wait_for 20 is_attached && wait_for 20 test -s "$1" && settle $(captures)
}

# start_into READER-COMMAND...: a capture by hand, into a fifo.
start_into()
{
	rm -f "$scratch/fifo"
	mkfifo "$scratch/fifo"
	start "$@" "$scratch/fifo"
	reader=$pid read=$out
	start ip netns exec "$right" "$xdpdump" --capture --extcap-interface xdpdump:vb --fifo "$scratch/fifo"
	capture=$pid said=$err
	check "a capture into a fifo starts" is_open "$read"
}

ended_cleanly()
{
	ended "$capture" 10
	equal "$1: status" 0 $?
	check "$1: nothing on standard error" fails test -s "$said"
	check "$1: nothing attached" no_xdp_program "$right" vb
}

ends()
{
	start_into cat
	send -n 1000 -r 5000
	kill -TERM "$capture"
	ended_cleanly SIGTERM
	ended "$reader" 10
	cp "$read" "$file"
	check "SIGTERM: every frame is in the fifo" accounted "$file" --dropped 0

	start_into cat
	kill -KILL "$reader"
	ended_cleanly "the fifo closes, without traffic"
	start_into cat
	start ip netns exec "$left" ping -qi 0.01 -w 10 10.99.0.2
	sleep 0.2
	kill -KILL "$reader"
	ended_cleanly "the fifo closes, in traffic"
	stop "$pid" INT

	# Before anybody reads, nothing is held yet.
	rm "$scratch/fifo"
	mkfifo "$scratch/fifo"
	start ip netns exec "$right" "$xdpdump" --capture --extcap-interface xdpdump:vb --fifo "$scratch/fifo"
	sleep 0.3
	kill -TERM "$pid"
	ended "$pid" 5
	check "SIGTERM before there is a reader: nothing attached" no_xdp_program "$right" vb
}

# tshark_starts OPTION...: of stock tshark, on xdpdump:vb; when frames are captured it returns.
tshark_starts()
{
	rm -f "$file"
	as_user tshark -i xdpdump:vb -w "$file" "$@"
	tshark=$pid said=$err
	is_open "$file" && return
	bad "tshark -i xdpdump:vb $* does not start"
	show "$err"
	finish
}

tshark_ended()
{
	what=$1
	shift
	"$@"
	equal "$what: status" 0 $?
	check "$what: no complaint of the extcap" fails grep -q extcap "$said"
	check "$what: nothing is left" wait_for 5 no_xdp_program "$right" vb
	check "$what: no process is left" wait_for 5 fails pgrep -f "^$scratch/extcap/xdpdump"
}

live()
{
	as_user tshark -D
	ended "$pid" 20
	check "tshark -D lists it" grep -q 'xdpdump:vb (vb at the XDP layer)' "$out"
	as_user tshark -L -i xdpdump:vb
	ended "$pid" 20
	check "tshark -L" grep -q 'EN10MB (Ethernet)' "$out"

	tshark_starts -c 2000
	send -n 2000 -r 5000 -s mix
	tshark_ended "tshark -c 2000" ended "$tshark" 20
	check "tshark -c 2000: all that was sent" accounted "$file" --dropped 0

	tshark_starts
	send -n 3000 -r 5000
	wait_for 10 holds 3000
	tshark_ended "tshark until SIGINT" stop "$tshark" INT
	check "tshark until SIGINT: all that was sent" accounted "$file" --dropped 0

	tshark_starts -f 'udp port 4242'
	send -n 3000 -r 5000 --match 10 4242
	wait_for 10 holds 300
	tshark_ended "tshark -f" stop "$tshark" INT
	check "tshark -f: what matched, and no more" accounted "$file" --matched --dropped 0
	tshark -r "$file" -Y 'udp.port != 4242' 2> /dev/null > "$scratch/others"
	check "tshark -f: no other port" fails test -s "$scratch/others"
}

# holds N: has tshark written that many? What the file ends with may be half a record.
holds()
{
	[ "$(tshark -r "$file" -T fields -e frame.number 2> /dev/null | wc -l)" -ge "$1" ]
}

# tshark_of_pings NAME N OPTION...: into $file, until it ends by itself; N pings meanwhile
tshark_of_pings()
{
	what=$1 pings=$2
	shift 2
	rm -f "$file"
	as_user tshark -i xdpdump:vb -w "$file" -f icmp "$@"
	tshark=$pid said=$err
	is_open "$file"
	in_left ping -qc "$pings" -i 0.05 10.99.0.2 > /dev/null
	tshark_ended "$what" ended "$tshark" 20
}

with_options()
{
	tshark_of_pings "tshark with options" 5 -c 5 -o extcap.xdpdump_vb.direction:out \
		-o extcap.xdpdump_vb.hook:tc -o extcap.xdpdump_vb.snapshotlength:60
	equal "direction out: replies alone" '0 0 0 0 0' \
		"$(tshark -r "$file" -T fields -e icmp.type 2> /dev/null | xargs)"
	equal "snapshot length" '60 60 60 60 60' \
		"$(tshark -r "$file" -T fields -e frame.cap_len 2> /dev/null | xargs)"

	tshark_of_pings "tshark, both directions" 3 -c 6 -o extcap.xdpdump_vb.direction:inout
	equal "direction inout: of one interface requests, of the other replies" '0:8 0:8 0:8 1:0 1:0 1:0' \
		"$(tshark -r "$file" -T fields -E separator=: -e frame.interface_id -e icmp.type 2> /dev/null | sort | xargs)"
}

# As root, with the link in Wireshark's own folder; ip netns exec makes a mount namespace for it.
installed()
{
	folder=$(tshark -G folders 2> /dev/null | sed -n 's/^Extcap path:[[:space:]]*//p' | head -n 1)
	if [ ! -d "$folder" ]; then
		skip "the link in Wireshark's folder: there is none"
		return
	fi
	mkdir "$scratch/linked"
	ln -s "$xdpdump" "$scratch/linked/xdpdump"
	rm -f "$file"
	start ip netns exec "$right" sh -c 'folder=$1
		shift
		mount --bind "$0" "$folder" || exit
		tshark "$@"
		status=$?
		umount "$folder"
		exit "$status"' \
		"$scratch/linked" "$folder" -i xdpdump:vb -f udp -w "$file" -c 500
	tshark=$pid said=$err
	is_open "$file"
	send -n 500 -r 2000
	tshark_ended "tshark by root" ended "$tshark" 20
	check "tshark by root: all that was sent" accounted "$file" --dropped 0
}

# Somebody without any privilege, where the loader has it.
by_loader()
{
	cp "$build/pcap-afxdp-loader" "$scratch/loader"
	if ! command -v setcap > /dev/null ||
		! setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$scratch/loader" 2> /dev/null; then
		skip "capture by the loader: needs setcap, and a file system that has capabilities"
		return
	fi
	caps=-all PCAP_AFXDP_LOADER=$scratch/loader
	tshark_starts -f 'udp port 4242'
	send -n 500 -r 2000 --match 10 4242
	wait_for 10 holds 50
	tshark_ended "tshark without privilege" stop "$tshark" INT
	check "tshark without privilege: what matched" accounted "$file" --matched --dropped 0
}

refused_in_tshark()
{
	as_user tshark -i xdpdump:vb -f 'tcp[' -w "$file" -c 1
	ended "$pid" 20
	check "a filter that is not valid: status" test $? -ne 0
	check "a filter that is not valid: the reason" grep -q 'syntax error' "$err"
	caps=-all
	as_user tshark -i xdpdump:vb -o extcap.xdpdump_vb.loader:off -w "$file" -c 1
	ended "$pid" 20
	check "without capabilities: status" test $? -ne 0
	check "without capabilities: the reason" grep -q 'CAP_BPF.*missing' "$err"
}

links()
{
	if ! command -v make > /dev/null || [ ! -f "$build/Makefile" ]; then
		skip "the link in Wireshark's folder: needs make and the build"
		return
	fi
	set -- make -s -C "$build" DESTDIR="$scratch/root" extcapdir=/folder sbindir=/sbin
	check "install makes the link" "$@" install-extcap
	equal "where it goes" /sbin/xdpdump "$(readlink "$scratch/root/folder/xdpdump")"
	check "by the name the command has" "$@" install-extcap program_transform_name='s/^/afx-/'
	equal "where it goes" /sbin/afx-xdpdump "$(readlink "$scratch/root/folder/afx-xdpdump")"
	check "no folder, nothing to do" make -s -C "$build" DESTDIR="$scratch/none" extcapdir= install-extcap
	check "no folder: nothing was made" fails test -e "$scratch/none"
}

by_hand
links
filters
bad_input
ends
if command -v tshark > /dev/null; then
	live
	with_options
	installed
	by_loader
	refused_in_tshark
else
	skip "live capture: needs tshark"
fi
finish
