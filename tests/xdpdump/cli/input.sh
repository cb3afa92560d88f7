#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Bad input: a sentence that tells what is wrong, status 1, nothing attached, no file made. What is seen by the command
# line alone is in refused_test.c.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
veth_pair
mkdir "$scratch/folder"
printf 'udp\000tcp' > "$scratch/binary"
cd "$scratch" || exit 1

# refused MESSAGE ARGUMENT...: MESSAGE is a basic regular expression.
refused()
{
	message=$1
	shift
	rm -f made
	run_xdpdump "$@"
	if [ "$state" -ne 1 ]; then
		bad "xdpdump $*: status $state"
	elif ! grep -q "^xdpdump: .*$message" "$err" || [ "$(wc -l < "$err")" -ne 1 ]; then
		bad "xdpdump $*: says not only: $message"
		show "$err"
	elif [ -e made ] || [ -e made.part ] || ! no_xdp_program "$right" vb; then
		bad "xdpdump $*: left something behind"
	else
		ok "xdpdump $*"
	fi
}

long=$(printf '%0600d' 0)
refused 'name an interface: -i IFACE'
refused 'network namespace nosuch: no such name' --netns nosuch -i vb -w made
refused 'network namespace nosuch: no such name' --netns nosuch -D
refused 'network namespace nosuch: no such name' --netns nosuch -J -i vb
refused 'network namespace nosuch: no such name' --netns nosuch --doctor -i vb
refused 'network namespace ./nosuch: No such file' --netns ./nosuch -i vb -w made
refused 'network namespace 00000000000000000000000000000000...: File name too long' --netns "$(printf %05000d 0)" -i vb -w made
refused 'binary is no network namespace' --netns "$scratch/binary" -i vb -w made
refused 'vb: no such interface' --netns "$left" -i vb -w made
refused 'name an interface' -i ''
ln -s loop "$scratch/loop"
refused 'network namespace ./loop: Too many levels of symbolic links' --netns ./loop -i vb -w made
refused 'nosuch: no such interface' -i nosuch -w made
refused 'at most 15 characters' -i averylonginterfacename -w made
refused 'no such interface' -i "$long" -w made
refused 'no filter for many interfaces sees VLAN tags' -i any -w made vlan 5
many=$(printf '%120s' '' | tr ' ' a)
refused 'a pattern has at most 127 characters' -i "*$many$many" -w made
refused 'all patterns together have at most 255 characters' -i "*$many" -i "?$many" -i '[ab]*c' -i "*b$many" -w made
refused 'a pattern has at most 127 characters' --drops=only --netns "*$many$many" -i any
refused 'nosuch: not an option; valid are' -i vb,nosuch=1 -w made
refused 'nosuch: not an option; valid are' -i vb,nosuch=1 -d
refused 'nosuch: not an option; valid are' -i 'v*,nosuch=1' -d
refused 'ring: needs a value' -i vb,ring -w made

if "$xdpdump" --zstd -h > /dev/null 2>&1; then
	for value in 0 -1 20 x '' 1x ,seekable 3,slow 0,seekable 99999999999999999999; do
		refused '--zstd takes a number from 1 to 19, not ' -i vb -w made "--zstd=$value"
	done
	refused '--zstd needs --write' -i vb --zstd
fi
refused 'filter "foo bar": .*syntax error' -i vb -w made --trigger 'foo bar'
refused '-Z nosuch: no such user' -i vb -w made -Z nosuch
refused '-Z 1000: no such user.*, UID:GID' -i vb -w made -Z 1000
refused '-Z nobody:nogroup: neither a name nor UID:GID, two numbers' -i vb -w made -Z nobody:nogroup
refused '-Z 4294967295:1: neither a name nor UID:GID, two numbers' -i vb -w made -Z 4294967295:1
refused '-z ./nosuch: ./nosuch cannot be run: No such file' -i vb -z ./nosuch -w made
refused '-z ./binary: ./binary cannot be run: Permission denied' -i vb -z ./binary -w made
refused '-z ./folder: ./folder cannot be run: Permission denied' -i vb -z ./folder -w made
refused '--files-per-queue: two files would be called made-lo-cpu0: name' -i lo -i lo,hook=tc -w made --files-per-queue
refused '/nosuch/made-cpu0: No such file' -i vb -w /nosuch/made --files-per-queue
refused 'nosuch/f.part: No such file or directory' -i vb -C 1 -w nosuch/f
refused 'File name too long' -i vb -C 1 -w "$long$long$long$long$long$long$long"

# Of no effect.
divert='is for --engine divert: add that, or leave it out'
refused "--zero-copy on $divert" -i vb -w made --zero-copy on
refused "--queues $divert" -i vb -w made --queues 0
refused "--busy-poll on $divert" -i vb -w made --busy-poll on
refused "--queues $divert" -i vb,queues=0 -w made
refused "--queues $divert" -i vb --hook tc --queues 0 -w made
refused '--flow-table is for --flow-cutoff: add that' -i vb -w made --flow-table 4096
refused '--set-max is for --hosts, --ports and their like: add one' -i vb -w made --set-max 100
if ip -n "$right" link property add dev vb altname another 2> "$scratch/why"; then
	refused 'another is named twice' -i vb -i another -w made
	ip -n "$right" link property del dev vb altname another
else
	skip "an alternative name: $(cat "$scratch/why")"
fi
refused '--xdp-mode skb is for the XDP hook' -i vb -w made --xdp-mode skb --hook tc
refused '--rest drop is only for' -i vb -w made --rest drop
for address in x 5555x 65536 10.0.0.1 10.0.0.1:x '[::1]5555' 1.2.3.4.5:5555; do
	refused '--listen takes .*ADDRESS:.PORT in numbers' -i vb -w made --listen "$address"
done
refused '--drops: .*syntax error\|syntax error' -i vb -w made --drops tcp and
refused '--slice l4+0' -i vb -w made --drops --slice l4+0

# A long name of an object, and one with a comma, is the name of a file that is not there.
for length in 200 251 255; do
	name=$(printf "%0${length}d" 0)
	refused "$name: No such file\|$name: File name too long" -i vb -w made --xdp-obj "$name"
done
refused '--xdp-obj 0*[.][.][.]: give the name of an object file, of at most 255 characters' -i vb -w made --xdp-obj "0$name"
refused 'a,b.o: No such file' -i vb -w made --xdp-obj a,b.o

refused "--ring 0*[.][.][.]: give a power of two" -i vb -w made --ring "$long"
refused '/nosuch/made: No such file or directory' -i vb -w /nosuch/made
refused 'folder: Is a directory' -i vb -w folder
refused 'made/: Is a directory' -i vb -w made/
refused 'nosuch: No such file or directory' -i vb -w made -F nosuch
refused 'folder: Is a directory' -i vb -w made -F folder
refused 'binary: not a text file' -i vb -w made -F binary
refused '/dev/zero: too large' -i vb -w made -F /dev/zero

refused 'filter "foo bar": .*syntax error' -i vb -w made foo bar
refused 'filter "tcp\[": .*syntax error' -i vb -w made 'tcp['
refused 'filter "port 99999": .*99999' -i vb -w made port 99999
refused 'filter "vlan and (":' -i vb -w made 'vlan and ('
refused 'filter "tcp\[": .*syntax error' -i any -w made 'tcp['
refused 'filter "tcp\[": .*syntax error' -i vb --drops=only -w made 'tcp['
refused 'a pattern has at most 127 characters' -i "*$long" --drops=only -w made
for address in ':5555' '[::1]' '[::1:5555' "$long:5555" 5555x 65536; do
	refused '--listen takes \[ADDRESS:\]PORT in numbers' -i vb --listen "$address"
done
refused 'File name too long' -i vb -G 1 -w "$(printf '%0900d' 0 | sed 's/0/%c/g')"

# A name is so long that what comes behind it later, which the first file may not have, has no room: one character less
# has. Weekdays have up to nine.
for way in '230 -C 1' '230 -G 1 --zstd' '223 -C 1 -w %A' '239 -C 1 -W 3' '214 -b packets:1' '247 --index'; do
	name=$(printf "%0${way%% *}d" 0)
	case $way in
	*%A) name=${name#00}%A ;;
	esac
	options=${way#* }
	options=${options% -w *}
	# shellcheck disable=SC2086 # words
	refused 'File name too long, with .* behind it' -i vb $options -w "$name"
	# shellcheck disable=SC2086
	run_xdpdump -i vb $options -a duration:0.1 -w "${name#0}"
	equal "$options, one character less: status" 0 "$state"
	rm -f 00*
done

# Packets are no text. Without python3 there is no terminal here.
if command -v python3 > /dev/null && [ -e /dev/ptmx ]; then
	start ip netns exec "$right" timeout 20 python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' \
		"$xdpdump" -i vb -w -
	ended "$pid" 30
	equal "packets to a terminal: status" 1 $?
	check "packets to a terminal: the reason" grep -q '^xdpdump: standard output is a terminal: send it to a file' "$out"
else
	skip "packets to a terminal: needs python3, and terminals (/dev/pts)"
fi

# Seconds may begin with the point.
run_xdpdump -i vb -a duration:.2 -w made
equal "-a duration:.2: status" 0 "$state"
check "-a duration:.2: a file" test -s made

# A file that another xdpdump writes.
start_xdpdump -w "$scratch/taken"
writer=$pid
for rotation in '' '-C 1'; do
	# shellcheck disable=SC2086 # words
	run_xdpdump -i vb --hook tc $rotation -w "$scratch/taken"
	equal "a file that is taken${rotation:+, $rotation}: status" 1 "$state"
	check "a file that is taken${rotation:+, $rotation}: the reason" grep -q '^xdpdump: .*/taken: another xdpdump' "$err"
done
check "who wrote it first goes on" stop "$writer"

ip -n "$right" link set vb down
refused 'vb is down: ip link set vb up' -i vb -w made
ip -n "$right" link set vb up
refused 'lo sends it also receives' -i lo -Q out -w made
refused 'native XDP' -i lo --hook xdp -w made

# Without privilege, as somebody who can read the program.
if command -v setpriv > /dev/null; then
	cp "$xdpdump" "$scratch/xdpdump"
	as_root=$xdpdump
	start ip netns exec "$right" setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$scratch/xdpdump" -i vb -w "$scratch/made"
	ended "$pid" 10
	equal "without privilege: status" 1 $?
	check "without privilege: the capabilities" grep -q '^xdpdump: .*CAP_BPF.*CAP_NET_ADMIN.*CAP_NET_RAW' "$err"
	check "without privilege: no file" fails test -e made
	start ip netns exec "$right" setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$scratch/xdpdump" -i vb -Z root -w "$scratch/made"
	ended "$pid" 10
	equal "without privilege, -Z: status" 1 $?
	check "without privilege, -Z: the reason" grep -q '^xdpdump: -Z root: only root can' "$err"
	in_right setpriv --reuid 65534 --regid 65534 --clear-groups "$scratch/xdpdump" -D > listed
	check "-D needs no privilege" grep -q ' vb .*veth' listed
	xdpdump=$as_root
else
	skip "no setpriv, to run it without privilege"
fi
finish
