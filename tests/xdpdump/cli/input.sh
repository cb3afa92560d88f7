#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Bad input: a sentence that tells what is wrong, status 1, nothing attached, no file made.
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
refused '--netns needs the name of a network namespace' --netns '' -i vb -w made
refused '--netns stands in front of the -i that it is for' -i vb --netns "$right" -w made
refused 'vb: no such interface' --netns "$left" -i vb -w made
refused 'name an interface' -w made
refused 'name an interface' -i ''
ln -s loop "$scratch/loop"
refused 'network namespace ./loop: Too many levels of symbolic links' --netns ./loop -i vb -w made
refused '-i needs a value' -i
refused '--interface needs a value' --interface
refused 'nosuch: no such interface' -i nosuch -w made
refused 'at most 15 characters' -i averylonginterfacename -w made
refused 'no such interface' -i "$long" -w made
refused 'no filter for many interfaces sees VLAN tags' -i any -w made vlan 5
many=$(printf '%120s' '' | tr ' ' a)
refused 'a pattern has at most 127 characters' -i "*$many$many" -w made
refused 'all patterns together have at most 255 characters' -i "*$many" -i "?$many" -i '[ab]*c' -i "*b$many" -w made
refused 'a pattern has at most 127 characters' --drops=only --netns "*$many$many" -i any
refused 'is named twice' -i 'v*' -i 'xdp:v*' -w made
# shellcheck disable=SC2046 # words
refused 'at most 16 interfaces' $(printf ' -i v%s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17)
refused 'vb is named twice' -i vb -i xdp:vb -w made
refused 'nosuch: not an option; valid are' -i vb,nosuch=1 -w made
refused 'nosuch: not an option; valid are' -i vb,nosuch=1 -d
refused 'nosuch: not an option; valid are' -i 'v*,nosuch=1' -d
refused 'ring: needs a value' -i vb,ring -w made

for value in 0 -1 x 1x ' 1' '' 0x10 1.5 9223372036854775808 99999999999999999999; do
	refused '--count takes a number from 1 to 9223372036854775807, not ' -i vb -w made -c "$value"
done
for value in -1 262145 x 64K '' 99999999999999999999; do
	refused '--snapshot-length takes a number from 0 to 262144, not ' -i vb -w made -s "$value"
done
for value in 0 -1 x 1MB '' 1.5M 99999999999999999999 9999999999G; do
	refused '--file-size takes a size such as 100M, not ' -i vb -w made -C "$value"
done
for value in 0 -1 x 1.5 '' 1000000001; do
	refused '--file-seconds takes a number from 1 to ' -i vb -w made -G "$value"
	refused '--ring-buffer interval takes a number from 1 to ' -i vb -w made -b "interval:$value"
done
for value in 0 -1 x 100001 ''; do
	refused '--file-count takes a number from 1 to 100000, not ' -i vb -w made -C 1 -W "$value"
	refused '--autostop files takes a number from 1 to 100000, not ' -i vb -w made -C 1 -a "files:$value"
done
for value in 0 -1 x '' 1e3 nan inf 0x1p3 2000000000 1..5 .; do
	refused 'takes seconds from 0.001 to 1000000000, not ' -i vb -w made -a "duration:$value"
	refused 'takes seconds from 0.001 to 1000000000, not ' -i vb -w made --stats-interval "$value"
done
for value in duration nosuch:1 '' : duration=1; do
	refused '--autostop takes duration, filesize, files or packets, a colon and a value' -i vb -w made -a "$value"
	refused '--ring-buffer takes duration, .* a colon and a value' -i vb -w made -b "$value"
done
for value in 0 x 101% 0% % -5% 5%% ''; do
	refused '--disk-limit takes ' -i vb -w made --disk-limit "$value"
done
if "$xdpdump" --zstd -h > /dev/null 2>&1; then
	for value in 0 -1 20 x '' 1x ,seekable 3,slow 0,seekable 99999999999999999999; do
		refused '--zstd takes a number from 1 to 19, not ' -i vb -w made "--zstd=$value"
	done
	refused '--zstd needs --write' -i vb --zstd
fi
for value in 0 -1 x 1 1023K '' 241M 1000000G 99999999999999999999 9999999999G; do
	refused '--pre-trigger takes a size ' -i vb -w made --pre-trigger "$value"
done
refused '--trigger needs a filter expression' -i vb -w made --trigger ' '
refused 'filter "foo bar": .*syntax error' -i vb -w made --trigger 'foo bar'
refused '-Z nosuch: no such user' -i vb -w made -Z nosuch
refused '-Z 1000: no such user.*, UID:GID' -i vb -w made -Z 1000
refused '-Z nobody:nogroup: neither a name nor UID:GID, two numbers' -i vb -w made -Z nobody:nogroup
refused '-Z 4294967295:1: neither a name nor UID:GID, two numbers' -i vb -w made -Z 4294967295:1
refused '--relinquish-privileges needs the name of a user' -i vb -w made -Z ''
refused '-Z needs a value' -i vb -w made -Z
refused 'printname needs a file' -i vb -w made -b printname:
refused 'new files need a name: --write FILE' -i vb -C 1
refused 'new files need a name: --write FILE' -i vb -C 1 -w -
refused '--print-name needs a file' -i vb --print-name
refused '--postrotate-command needs a file' -i vb -z true -w -
refused '--postrotate-command needs the name of a program' -i vb -z '' -w made
refused '-z needs the name of a program' -i vb -z ' ' -w made
refused '-z nosuch x: there is no program "nosuch" in PATH' -i vb -z 'nosuch x' -w made
refused "-z 'a: a quote is not closed" -i vb -z "'a" -w made
refused '-z gzip \\: a quote is not closed, or nothing follows a backslash' -i vb -z 'gzip \' -w made
refused '-z ./nosuch: ./nosuch cannot be run: No such file' -i vb -z ./nosuch -w made
refused '-z ./binary: ./binary cannot be run: Permission denied' -i vb -z ./binary -w made
refused '-z ./folder: ./folder cannot be run: Permission denied' -i vb -z ./folder -w made
refused '--disk-limit needs a file' -i vb --disk-limit 1M
for others in '' '-w -'; do
	# shellcheck disable=SC2086 # words
	refused '--files-per-queue needs a file: --write FILE' -i vb --files-per-queue $others
done
refused '--files-per-queue and --trigger do not go together' -i vb -w made --files-per-queue --trigger udp
refused '--files-per-queue and --pre-trigger do not go together' -i vb -w made --files-per-queue --pre-trigger 1M
refused '--files-per-queue and --disk-limit with a percentage do not go' -i vb -w made --files-per-queue --disk-limit 9%
refused '--files-per-queue and --program-names do not go together' -i vb -w made --files-per-queue -p all
refused '--files-per-queue and --rx-capture exit do not go together' -i vb -w made --files-per-queue --rx-capture exit
refused '--files-per-queue: two files would be called made-lo-cpu0: name' -i lo -i lo,hook=tc -w made --files-per-queue
refused '/nosuch/made-cpu0: No such file' -i vb -w /nosuch/made --files-per-queue
refused 'a number of files needs -C, -G or -b' -i vb -W 3 -w made
refused 'a number of files needs -C, -G or -b' -i vb -a files:3 -w made
refused 'nosuch/f.part: No such file or directory' -i vb -C 1 -w nosuch/f
refused 'File name too long' -i vb -C 1 -w "$long$long$long$long$long$long$long"
refused '--vlan x: not a value; valid are' -i vb -w made --vlan x
refused '--loader x: not a value; valid are' -i vb -w made --loader x
refused '--hash x: not a value; valid are' -i vb -w made --hash x
for value in 0 -1 1K x 4294967296; do
	refused '--sample .*: give a number' -i vb -w made --sample "$value"
done
for value in l1 l5 L4 l4+ l4+0 l4-1 l4+x l4+262145 l4+4+4 l2l3l4l2l3l4 +; do
	refused '--slice .*: give off, l2, l3 or l4' -i vb -w made --slice "$value"
done
for value in 0 -1 x 64KK 99999999999999999999; do
	refused '--flow-cutoff .*: give a number of bytes' -i vb -w made --flow-cutoff "$value"
done
for value in 0 63 16777217 64K x; do
	refused '--flow-table .*: give a number of flows from 64 to 16777216' -i vb -w made --flow-table "$value"
done

# Of no effect.
divert='is for --engine divert: add that, or leave it out'
refused "--zero-copy on $divert" -i vb -w made --zero-copy on
refused "--queues $divert" -i vb -w made --queues 0
refused "--busy-poll on $divert" -i vb -w made --busy-poll on
refused "--queues $divert" -i vb,queues=0 -w made
refused "--queues $divert" -i vb --hook tc --queues 0 -w made
refused '--flow-table is for --flow-cutoff: add that' -i vb -w made --flow-table 4096
refused '--xdp-mode skb is for the XDP hook' -i vb -w made --xdp-mode skb --hook tc
refused '--rest drop is only for' -i vb -w made --rest drop
refused '--to takes kafka://BROKER/TOPIC, not "redis://x/y"$' -i vb -w made --to redis://x/y
refused '--zstd 3: the value of --zstd follows an equals sign: --zstd=3$' -i vb -w made --zstd 3
refused '--zstd seekable: .*: --zstd=seekable$' -i vb -w made --zstd seekable
refused '--drops only: the value of --drops follows an equals sign: --drops=only$' -i vb -w made --drops only
refused "--decode 'tcpdump -nn': .*: --decode='tcpdump -nn'\$" -i vb --decode 'tcpdump -nn'
refused 'name an interface: -i IFACE; --program-names (-p) took "ni" for the name of an XDP program; promiscuous mode,' -pni vb
refused '--spool needs --to kafka://BROKER/TOPIC' -i vb -w made --spool folder:1M
refused '--kafka-conf needs --to kafka://BROKER/TOPIC' -i vb -w made --kafka-conf folder/conf
refused '--listen-format needs --listen PORT' -i vb -w made --listen-format pcap
for address in x 5555x 65536 10.0.0.1 10.0.0.1:x '[::1]5555' 1.2.3.4.5:5555; do
	refused '--listen takes .*ADDRESS:.PORT in numbers' -i vb -w made --listen "$address"
done
refused '--drops and --use-pcap do not go together' -i vb -w made --drops --use-pcap
refused '--drops, --pre-trigger and --trigger do not go together' -i vb -w made --drops --pre-trigger 1M --trigger udp
refused '--drop-reasons needs --drops' -i vb -w made --drop-reasons NO_SOCKET
refused '--drops: .*syntax error\|syntax error' -i vb -w made --drops tcp and
refused '--cpus 1023: not all of these are there' -i vb -w made --cpus 1023
many=$(i=0; while [ $i -lt 70 ]; do printf ' --hook tc'; i=$((i + 1)); done)
# shellcheck disable=SC2086 # words
refused 'there are more than [0-9]* options of this kind' -i vb -w made $many
refused '--slice l4+0' -i vb -w made --drops --slice l4+0
refused '--hex is about lines, and --write prints none' -i vb -x -w made
refused '-t is about lines, and --write prints none' -i vb -tttt -w made
refused '--list-interfaces takes no filter: leave "udp" out' -D udp
refused '--list-time-stamp-types takes no filter: leave "udp" out' -J -i vb udp
refused '--program-names needs the names or ids of XDP programs, not "-i"; .* tcpdump -p .* is off without -P' -p -i vb
refused '--load-xdp-mode takes native, skb or unspecified, not "foo"' -i vb -w made --load-xdp-mode foo

# A long name of an object, and one with a comma, is the name of a file that is not there.
for length in 200 251 255; do
	name=$(printf "%0${length}d" 0)
	refused "$name: No such file\|$name: File name too long" -i vb -w made --xdp-obj "$name"
done
refused '--xdp-obj 0*[.][.][.]: give the name of an object file, of at most 255 characters' -i vb -w made --xdp-obj "0$name"
refused 'a,b.o: No such file' -i vb -w made --xdp-obj a,b.o

for value in both '' in,out; do
	refused '--direction takes inout, in or out, not ' -i vb -w made -Q "$value"
done
for value in 0 -1 x 3M 32K 512M 1G 99999999999999999999 64KK; do
	refused '--ring .*: give a power of two from 512K to 256M' -i vb -w made --ring "$value"
done
refused '--ring : needs a value' -i vb -w made --ring ''
refused '--ring 16M,hook=xdp: give a power of two' -i vb -w made --ring 16M,hook=xdp
refused "--ring 0*[.][.][.]: give a power of two" -i vb -w made --ring "$long"
for value in 0 -1 x 32K 99999999999999999999; do
	refused '--ring-total .*: give a size of at least 512K' -i vb -w made --ring-total "$value"
done
refused '--hook nosuch: not a value; valid are' -i vb -w made --hook nosuch
refused '--xdp-mode fast: not a value; valid are' -i vb -w made --xdp-mode fast
for option in -w -c -s -F --ring --ring-total --hook --xdp-mode --write --count; do
	refused "$option needs a value" -i vb "$option"
done

refused '--write needs the name of a file' -i vb -w ''
refused '/nosuch/made: No such file or directory' -i vb -w /nosuch/made
refused 'folder: Is a directory' -i vb -w folder
refused 'made/: Is a directory' -i vb -w made/
refused 'nosuch: No such file or directory' -i vb -w made -F nosuch
refused 'folder: Is a directory' -i vb -w made -F folder
refused 'binary: not a text file' -i vb -w made -F binary
refused '/dev/zero: too large' -i vb -w made -F /dev/zero
refused 'either in .* or on the command line' -i vb -w made -F binary udp

refused 'filter "foo bar": .*syntax error' -i vb -w made foo bar
refused 'filter "tcp\[": .*syntax error' -i vb -w made 'tcp['
refused 'filter "port 99999": .*99999' -i vb -w made port 99999
refused 'filter "vlan and (":' -i vb -w made 'vlan and ('
refused 'filter "tcp\[": .*syntax error' -i any -w made 'tcp['
refused 'filter "tcp\[": .*syntax error' -i vb --drops=only -w made 'tcp['
refused '--drops and --use-pcap do not go together: pcap has no place for the reasons' -i vb --drops --use-pcap -w made
refused '--drops, --pre-trigger and --trigger do not go together' -i vb --drops --pre-trigger 1M --trigger udp -w made
refused 'a pattern has at most 127 characters' -i "*$long" --drops=only -w made
for address in ':5555' '[::1]' '[::1:5555' "$long:5555" 5555x 65536; do
	refused '--listen takes \[ADDRESS:\]PORT in numbers' -i vb --listen "$address"
done
refused 'File name too long' -i vb -G 1 -w "$(printf '%0900d' 0 | sed 's/0/%c/g')"

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

refused '--nosuch: no such option' --nosuch
refused '-R: no such option' -i vb -R -w made
refused '-R: no such option' -i vb --hex -xR -w made
refused '-w needs a value' -i vb -xw
refused '--help=x: no such option' --help=x
refused '--ri: no such option' -i vb --ri 1

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
