#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --doctor is right: in each of these situations it says whether the capture works, and why not, and then the
# capture with the very same options does just that, for the same reason.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need ethtool setpriv
foreign=$build/tests/hooks/foreign refuse=$build/tests/xdpdump/doctor/refuse
for program in "$foreign" "$refuse"; do
	[ -x "$program" ] || skip_all "needs $program"
done
veth_pair
PCAP_AFXDP_OPTIONS=ring=1M,veth=xdp # which take less time to make
export PCAP_AFXDP_OPTIONS
before='' # a command to run xdpdump by

# run ARGUMENT...: xdpdump in $right, to its end; $state, $out, $err.
run()
{
	# shellcheck disable=SC2086 # words
	start ip netns exec "$right" $before "$xdpdump" "$@"
	ended "$pid" 20
	state=$?
}

# in_one_line FILE...: lines that --doctor has broken are whole again.
in_one_line()
{
	cat "$@" | tr -s '\n ' '  '
}

# What the quick form runs: of each kind of check, one that works and one that does not.
chosen='nothing special
zero-copy if there is any
a queue that is not there
drop
an object that is not there
a trigger that does not parse
processes, by a packet socket
more than the rings may have
a filter for user space
a filter for user space, and divert
a taken hook
a taken hook, XDP wanted
a verifier that refuses XDP
a seccomp filter, error 38
a folder that is not there
a file that the user may not make
a command that is not there
a file that is being written
a decoder that is not there
a disk that is full
no such interface
a bridge
divert the default route'

is_chosen()
{
	is_quick || return 0
	echo "$chosen" | grep -qxF -e "$1" || return 1
	echo "$1" >> "$scratch/chosen"
}

# situation NAME works|fails|agrees REASON OPTION...: REASON, a basic regular expression, is in what --doctor
# says, and in what the capture complains of if it fails. "agrees": that is up to the kernel.
situation()
{
	name=$1 wanted=$2 reason=$3
	shift 3
	is_chosen "$name" || return 0
	run --doctor "$@"
	doctor=$state
	in_one_line "$out" "$err" > "$scratch/doctor"
	run -a duration:0.1 "$@"
	capture=$state
	cp "$err" "$scratch/capture"
	if [ "$wanted" = agrees ]; then
		wanted=fails
		[ "$capture" -ne 0 ] || wanted=works
	fi
	case $wanted in
	works)
		if [ "$doctor" -eq 0 ] && [ "$capture" -eq 0 ] && grep -q -e "$reason" "$scratch/doctor" &&
			grep -q 'Capture on .* works\.' "$scratch/doctor"; then
			ok "$name: works"
			return
		fi
		;;
	fails)
		if [ "$doctor" -eq 1 ] && [ "$capture" -eq 1 ] && grep -q -e "$reason" "$scratch/doctor" &&
			grep -q -e "$reason" "$scratch/capture" && ! grep -q 'Capture on .* works\.' "$scratch/doctor"; then
			ok "$name: $(cut -c 1-120 "$scratch/capture" | tail -1)"
			return
		fi
		;;
	esac
	bad "$name $wanted: $*: status of --doctor $doctor, of the capture $capture, reason $reason"
	show "$scratch/doctor"
	show "$scratch/capture"
}

nothing_left()
{
	check "$1: nothing in the XDP hook" no_xdp_program "$right" vb
	equal "$1: nothing at tc" 'ingress 0 egress 0' \
		"$(in_right "$foreign" list vb | sed 's/.*\(ingress .*\)/\1/' | xargs)"
}

# hold HOOK: somebody else has a program there; $holder.
hold()
{
	start ip netns exec "$right" "$foreign" "$1" vb
	holder=$pid
	wait_for 10 grep -q attached "$out" || bad "no foreign program in $1"
}

options()
{
	situation "nothing special" works 'segmentation offload; --hook tc avoids that' -i vb
	situation "both directions" works 'capture' -i vb -Q inout
	situation "zero-copy that the driver has not" fails 'refuses a zero-copy socket' -i vb --engine divert --zero-copy on
	situation "zero-copy if there is any" works 'the rings of [0-9]* CPU' -i vb --engine divert
	situation "sockets without zero-copy" works '1 queue, copy mode' -i vb --engine divert --zero-copy off
	situation "room for all, by sockets" fails 'is for rings' -i vb --engine divert --full pass --zero-copy off
	situation "a watchdog over nothing" fails 'is only for --engine divert' -i vb --watchdog 5s
	situation "a queue that is not there" fails 'vb has no receive queue 3, but 1' -i vb --engine divert --queues 3
	situation "divert at tc" fails 'is at XDP only' -i vb --engine divert --hook tc
	situation "divert and drop" fails 'is for --engine tap' -i vb --engine divert --after drop
	situation "drop by a packet socket" fails 'a packet socket cannot drop' -i vb --hook packet --after drop
	situation "drop the rest, of nothing" fails 'is only for --engine divert' -i vb --rest drop
	situation "drop" works 'capture' -i vb --after drop
	situation "a dispatcher that is not there" fails 'nothing is in the XDP hook' -i vb --join on
	situation "a socket that was not passed" fails 'descriptor 3 is not an AF_XDP socket' -i vb --engine divert --sock-fds 3
	situation "sockets without divert" fails 'is for --engine divert' -i vb --sock-fds 3
	situation "a program that was not passed" fails 'needs --sock-fds' -i vb --prog-fd 3
	situation "an object that is not there" fails 'No such file' -i vb --xdp-obj /nonexistent.o
	situation "an object that is none" fails 'is no BPF object' -i vb --xdp-obj "$0"
	situation "a busy reader" works 'copy mode' -i vb --engine divert --busy-poll on
	situation "slices, samples and cutoffs" works 'capture' -i vb --slice l4+8 --sample 2 --flow-cutoff 64K
	situation "time stamps of an interface without a clock" works "time stamps are the host's" -i vb -j adapter
	situation "a trigger that does not parse" fails 'syntax error' -i vb --trigger 'tcp prot 80'
	blind='a packet socket, which does not know whose a frame is'
	[ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] || blind='have to see all processes'
	situation "processes, by a packet socket" fails "$blind" -i vb --hook packet --process nosuch
	situation "more than the rings may have" fails 'do not fit into' -i vb --pre-trigger 64M --ring-total 16M
	situation "the newest, and packets kept from the host" fails 'until the trigger nobody reads' -i vb --pre-trigger 1M --engine divert
	situation "a trigger for user space" fails 'only the kernel can wait' -i vb --pre-trigger 1M --trigger 'ip protochain 17'
}

filters()
{
	situation "a filter that does not parse" fails 'syntax error' -i vb tcp prot 80
	situation "a filter" works 'filter ok runs in the kernel' -i vb tcp port 80
	situation "a filter for user space" works 'filter note runs in user space' -i vb ip protochain 17
	situation "a filter for user space, and divert" fails 'the kernel cannot run this filter' -i vb --engine divert ip protochain 17
	situation "a file with a filter that is not there" fails 'No such file' -i vb -F "$scratch/nonexistent"
}

programs()
{
	situation "the exit of no program" works 'has no XDP program: capturing as without' -i vb --rx-capture exit
	situation "the verdict of no program" fails 'has no XDP program that could return one' -i vb --rx-capture exit --verdict drop
	hold xdp
	situation "a taken hook" works 'capture note tc; .*held by' -i vb
	situation "a taken hook, XDP wanted" fails 'the XDP hook of vb is held by' -i vb --hook xdp
	situation "a taken hook, divert" fails 'held by .*and --engine divert needs it' -i vb --engine divert
	situation "a program that is no dispatcher" fails 'which is no dispatcher of libxdp\|not mounted here' -i vb --join on
	situation "a program" agrees 'capture ok ingress XDP program ID\|refuses fentry' -i vb -p all
	situation "the exit of a program" agrees 'capture ok ingress XDP program ID\|refuses fentry' -i vb --rx-capture exit --verdict drop
	situation "a program that is not there" fails 'no program or function of that name' -i vb -p nosuch
	situation "a program, sent frames" fails 'XDP programs see received frames' -i vb -p all -Q inout
	# Programs for tracing, as under lockdown; then those for XDP, as by a verifier that takes them at tc only.
	before="$refuse 26 1"
	situation "a kernel that forbids tracing" fails 'refuses fentry and fexit' -i vb -p all
	before=''
	stop "$holder" INT
	for error in 1 38; do
		before="$refuse all $error"
		situation "a seccomp filter, error $error" fails 'a seccomp filter refuses bpf(2) here' -i vb
		! is_chosen "a seccomp filter, error $error" ||
			check "... and neither capabilities nor tc hooks are said to do" \
				grep -q 'tc hooks note not known: a seccomp filter.*capabilities bad a seccomp filter' "$scratch/doctor"
	done
	before='unshare -U --map-root-user'
	if $before true 2> /dev/null; then
		situation "a user namespace" fails 'this is a user namespace' -i vb
	else
		skip "a user namespace: cannot be made here, as in a chroot"
	fi
	before="$refuse 6 13"
	situation "a verifier that refuses XDP" works 'capture note tc; .*capturing at tc: .*refuses the capture program' -i vb
	situation "a verifier that refuses XDP, XDP wanted" fails 'refuses the capture program' -i vb --hook xdp
	before=''
}

files()
{
	mkdir "$scratch/open"
	chmod 777 "$scratch/open"
	situation "a folder that is not there" fails 'No such file or directory' -i vb -w "$scratch/nonexistent/f"
	situation "a folder as a file" fails 'Is a directory' -i vb -w "$scratch/open"
	situation "a user that is not there" fails 'no such user' -i vb -Z nosuch -w "$scratch/open/f"
	situation "a file that the user may not make" fails 'Permission denied' -i vb -Z nobody -w "$scratch/f"
	situation "a folder that is missing, in many files" fails 'No such file' -i vb -C 1 -W 3 -w "$scratch/nonexistent/f"
	situation "a name that is too long" fails 'File name too long' -i vb -w "$scratch/$(printf '%0300d' 0)"
	situation "a path that is too long" fails 'File name too long' -i vb -w "$scratch/$(printf '%05000d' 0)"
	situation "a pattern that is too long" fails 'File name too long' -i vb -C 1 -w "$scratch/%H$(printf '%05000d' 0)"
	situation "a command that is not there" fails 'nosuch-command' -i vb -z nosuch-command -w "$scratch/open/f"
	situation "a command with quotes that do not end" fails '-z' -i vb -z "sh -c 'true" -w "$scratch/open/f"
	ln -s nowhere "$scratch/open/g0.part"
	situation "a link in the way" fails 'a symbolic link is in the way' -i vb -C 1 -W 3 -w "$scratch/open/g"
	check "the link is still there" rm "$scratch/open/g0.part"
	mkdir "$scratch/open/g0.part"
	situation "a folder in the way" fails 'Is a directory' -i vb -C 1 -W 3 -w "$scratch/open/g"
	rmdir "$scratch/open/g0.part"
	python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$scratch/open/socket"
	situation "a socket as a file" fails 'No such device or address' -i vb -w "$scratch/open/socket"
	rm "$scratch/open/socket"
	situation "a device as a file" works '/dev/null: can be written' -i vb -w /dev/null
	start_xdpdump -w "$scratch/open/h"
	writer=$pid
	situation "a file that is being written" fails 'another xdpdump has' -i vb -w "$scratch/open/h"
	stop "$writer"
	rm -f "$scratch/open/h"
	situation "a decoder that is none" fails 'runs tcpdump or tshark' -i vb --decode=true
	before='env PATH=/nonexistent'
	situation "a decoder that is not there" fails 'tcpdump' -i vb --decode
	before=''
	situation "a decoder" works 'capture' -i vb --decode=tcpdump
	situation "compressed text" fails '--zstd needs --write' -i vb --zstd
	situation "a list that cannot be written" fails 'nonexistent/list' -i vb -b printname:"$scratch/nonexistent/list" -w "$scratch/open/f"
	cat > "$scratch/full" <<-'END'
	#!/bin/sh
	mkdir -p "$SMALL" && mount -t tmpfs -o size=16k none "$SMALL" || exit 99
	cat /dev/zero > "$SMALL/zero" 2> /dev/null
	exec "$@"
	END
	chmod +x "$scratch/full"
	before="env SMALL=$scratch/small $scratch/full"
	situation "a disk that is full" fails 'No space left' -i vb -w "$scratch/small/f"
	before=''
	rm -f "$scratch/open/f"
	run --doctor -i vb -Z nobody -C 1 -W 3 -z true -w "$scratch/open/f"
	equal "--doctor leaves no file" '' "$(ls "$scratch/open")"
	echo as it was > "$scratch/open/f"
	chmod 666 "$scratch/open/f"
	run --doctor -i vb -w "$scratch/open/f"
	equal "... and a file as it is" 'as it was' "$(cat "$scratch/open/f")"
	situation "a user's file" works 'files ok .*/f: can be written, by nobody' -i vb -Z nobody -w "$scratch/open/f"
}

interfaces()
{
	situation "no such interface" fails 'nosuch: no such interface' -i nosuch
	situation "an interface twice" fails 'vb is named twice' -i vb -i xdp:vb
	situation "no such namespace" fails 'nosuch' --netns nosuch -i vb
	ip -n "$right" link add br0 type bridge
	ip -n "$right" link set br0 up
	ip -n "$right" tuntap add tun0 mode tun
	ip -n "$right" link set tun0 up
	situation "a bridge" works 'native XDP note the driver has none' -i br0
	situation "a bridge, XDP wanted" fails 'takes no native XDP program' -i br0 --hook xdp
	situation "raw IP, XDP wanted" fails 'has no Ethernet frames' -i tun0 --hook xdp
	situation "two kinds of link, each as it is, in the older format for readers" fails \
		'--listen-format pcap takes one kind of link' -i vb -i tun0 --mixed-links --listen 5555 --listen-format pcap
	situation "two interfaces" works 'Capture on tun0 works' -i vb -i tun0 -w "$scratch/two"
	situation "what loopback sends" fails '--direction in' -i lo -Q out
	ip -n "$right" route add default via 10.99.0.1
	situation "divert the default route" fails 'if that is meant, say --yes' -i vb --engine divert
	situation "divert it all the same" works 'the rings of [0-9]* CPU' -i vb --engine divert --yes
	ip -n "$right" route replace 224.0.0.0/4 dev vb
	ip -n "$right" route del default
	situation "divert where multicast goes" works 'the rings of [0-9]* CPU' -i vb --engine divert
	ip -n "$right" route add 128.0.0.0/1 via 10.99.0.1
	situation "divert half of the default route" fails 'if that is meant, say --yes' -i vb --engine divert
	ip -n "$right" route del 128.0.0.0/1
	ip -n "$right" link set vb mtu 9000
	ip -n "$left" link set va mtu 9000
	situation "large frames" works 'MTU ok 9000' -i vb --hook xdp
	ip -n "$left" link set va mtu 1500
	ip -n "$right" link set vb mtu 1500
	ip -n "$right" link set vb down
	situation "an interface that is down" fails 'vb is down' -i vb
	ip -n "$right" link set vb up
}

limits()
{
	cp "$build/pcap-afxdp-loader" "$scratch/loader"
	before="prlimit --nofile=20"
	situation "few descriptors" fails 'raise ulimit -n' -i vb
	before="env PCAP_AFXDP_LOADER=$scratch/nosuch"
	situation "no loader, as root" works 'loader note .*nosuch: No such file' -i vb
	user='setpriv --reuid 65534 --regid 65534 --clear-groups'
	before="env PCAP_AFXDP_LOADER=$scratch/nosuch $user"
	situation "no loader, as a user" fails 'CAP_BPF' -i vb
	before="env PCAP_AFXDP_LOADER=$scratch/loader $user"
	situation "a loader without capabilities" fails 'CAP_BPF' -i vb
	situation "no loader wanted" fails 'CAP_BPF' -i vb --loader off
	if command -v setcap > /dev/null &&
		setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$scratch/loader" 2> /dev/null; then
		situation "a loader with capabilities" works 'the loader opens the capture' -i vb udp port 53
		situation "a loader with capabilities, and divert" fails 'only captures, and --engine divert keeps' -i vb --engine divert
		situation "a loader with capabilities, and sockets" fails 'CAP_BPF' -i vb --engine divert --zero-copy off
		hold xdp
		situation "a loader, and a taken hook" fails 'the XDP hook of vb is held by' -i vb --hook xdp
		stop "$holder" INT
		before="$before --no-new-privs"
		situation "a loader that may gain none" fails 'CAP_BPF' -i vb
	else
		skip "a loader with capabilities: needs setcap, and a file system that has them"
	fi
	before=''
}

options
filters
programs
files
nothing_left "so far"
interfaces
limits
nothing_left "at the end"
! is_quick || equal "chosen, and not there" '' "$(echo "$chosen" | grep -vxF -f "$scratch/chosen")"
finish
