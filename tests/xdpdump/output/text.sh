#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Without -w: a line per packet, with -x its bytes, in the words of tcpdump or of xdp-tools' xdpdump. And what
# needs no capture: -d, -D, --version, --help. What the lines tell of each protocol is in lines.sh.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need ping tcpdump python3 bpftool
veth_pair
time='[0-9]\{10\}\.[0-9]\{9\}'
where='on if_index [0-9]*, rx queue [0-9]*, id [0-9]*'

start_xdpdump --format xdp-tools -c 3 icmp
capture=$pid printed=$out said=$err
in_left ping -qc 5 -i 0.1 -s 56 10.99.0.2 > /dev/null
check "-c 3 ends it" ended "$capture" 5
equal "lines" 3 "$(grep -c "^$time: xdpdump()@entry: packet size 98 bytes $where\$" "$printed")"
equal "all lines" 3 "$(wc -l < "$printed")"
equal "captured" 3 "$(count captured "$said")"
# Of a name the kernel keeps 15 characters.
program=$(sed -n 's/^listening on vb, .* func \([a-z_]*\), .*/\1/p' "$said")
bpftool btf dump file "$build/bpf/capture.bpf.o" > "$scratch/btf"
check "the program has its whole name: $program" grep -q "FUNC '$program' " "$scratch/btf"
check "announced as by xdp-tools" grep -q \
	'^listening on vb, ingress XDP program ID [0-9]* func [a-z_]*, capture mode entry, capture size 262144 bytes$' "$said"

start_xdpdump --format xdp-tools -x -s 30 -c 1 icmp
capture=$pid printed=$out
in_left ping -qc 2 -i 0.1 -s 56 10.99.0.2 > /dev/null
check "-x ends" ended "$capture" 5
check "first line with -x" grep -q "^$time: xdpdump()@entry: packet size 98 bytes, captured 30 bytes $where\$" "$printed"
check "first line of bytes" grep -q '^  0x0000:  02 74 67 00 00 02 02 00 00 00 00 0a 08 00 45 00  \.tg...........E\.$' "$printed"
check "last line of bytes" grep -q '^  0x0010:  00 54 .* 0a 63 00 01 *  \.T' "$printed"
equal "lines with -x" 3 "$(wc -l < "$printed")"

# Our own line, in both directions, and with -x.
day='[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]\{9\}'
request='IP 10\.99\.0\.1 > 10\.99\.0\.2: ICMP echo request, id [0-9]*, seq 1, length 64'
reply='IP 10\.99\.0\.2 > 10\.99\.0\.1: ICMP echo reply, id [0-9]*, seq 1, length 64'
start_xdpdump -Q inout -x -c 2 icmp
capture=$pid printed=$out
in_left ping -qc 2 -i 0.1 -s 56 10.99.0.2 > /dev/null
check "both directions end" ended "$capture" 5
check "received" grep -q "^$day vb In  $request\$" "$printed"
check "sent" grep -q "^$day vb Out $reply\$" "$printed"
equal "their bytes" 14 "$(grep -c '^  0x00[0-6]0:  ' "$printed")"

# one_line OPTION...: of a ping, or of what they choose, in $line
one_line()
{
	start_xdpdump "$@" -c 1 icmp
	capture=$pid printed=$out
	in_left ping -qc 2 -i 0.1 -s 56 10.99.0.2 > /dev/null
	ended "$capture" 5 || bad "$* does not end"
	line=$(cat "$printed")
}

# is NAME PATTERN: the line
is()
{
	if echo "$line" | grep -q -- "^$2\$"; then
		ok "$1"
	else
		bad "$1: $line"
	fi
}
one_line -v
is "-v: CPU, queue, number" "$day vb In  IP .*, length 64 \[cpu [0-9]*, queue 0, id 1\]"
one_line -v -Q out
is "-v: what is sent has no queue" "$day vb Out IP .*, length 64 \[cpu [0-9]*, id 1\]"
one_line --hook tc
is "at tc" "$day vb In  IP .*, length 64"
one_line -t
is "-t" "vb In  IP .*"
one_line -tt
is "-tt" "$time vb In  IP .*"
for style in -ttt -ttttt; do # what they count from is in time_text_test
	start_xdpdump $style -c 2 icmp
	capture=$pid printed=$out
	in_left ping -qc 3 -i 0.1 10.99.0.2 > /dev/null
	check "$style ends" ended "$capture" 5
	check "$style: the first" sh -c "sed -n 1p '$printed' | grep -q '^ 00:00:00\.0\{9\} vb In  IP '"
	check "$style: the second" sh -c "sed -n 2p '$printed' | grep -q '^ 00:00:0[0-9]\.[0-9]*[1-9][0-9]* vb Out IP '"
done
one_line -tttt
is "-tttt" "$(date +%Y-%m-)[0-3][0-9] $day vb In  IP .*"
run_xdpdump -i vb -tttttt
check "-tttttt: the reason" grep -q '^xdpdump: only -t, -tt, -ttt, -tttt and -ttttt are times of a line$' "$err"
run_xdpdump -i vb -t --json
check "-t --json: the reason" grep -q '^xdpdump: -t is about lines, and --json prints none$' "$err"
run_xdpdump -i vb -tt --rx-capture entry
check "-tt --rx-capture: the reason" grep -q '^xdpdump: the lines of xdp-tools have their own time: ' "$err"
one_line --rx-capture entry
is "--rx-capture: as by xdp-tools" "$time: xdpdump()@entry: packet size 98 bytes $where"
one_line --rx-capture entry --format line
is "--rx-capture --format line" "$day vb In  IP .*, length 64"

# Printed at once, and the lines of a live capture that is stopped.
start_xdpdump icmp
capture=$pid printed=$out said=$err
in_left ping -qc 1 10.99.0.2 > /dev/null
check "printed within half a second" wait_for 1 grep -q 'ICMP echo request' "$printed"
check "it ends well on SIGINT" stop "$capture" INT
equal "captured" "$(wc -l < "$printed")" "$(count captured "$said")"

# As JSON: an object a line, with the bytes if asked for; with a filter the number is of packets alone.
start_xdpdump --json -x -s 20 -Q inout -c 4 icmp
capture=$pid printed=$out said=$err
in_left ping -qc 3 -i 0.1 -s 56 10.99.0.2 > /dev/null
check "--json ends" ended "$capture" 5
number=$(ip netns exec "$right" cat /sys/class/net/vb/ifindex)
python3 - "$printed" > "$scratch/read" 2>&1 << 'END'
import json, sys, time
lines = [json.loads(line) for line in open(sys.argv[1])]
for p in lines:
    assert abs(p["time"] - time.time()) < 60, p
    assert 1 <= p["id"] <= 4 and p["cpu"] < 4096 and p["queue"] == 0, p
    assert bytes.fromhex(p["bytes"])[12:14] == b"\x08\x00", p
    assert "verdict" not in p and "hash" not in p, p
    print(p["interface"], p["direction"], p["place"], p["length"], p["captured"])
END
equal "--json, received" 2 "$(grep -c '^vb in entry 98 20$' "$scratch/read")"
equal "--json, sent" 2 "$(grep -c '^vb out egress 98 20$' "$scratch/read")"
equal "--json: nothing else" 4 "$(wc -l < "$scratch/read")"
check "--json: statistics" sh -c "tail -n 1 '$said' | python3 -c 'import json, sys; assert json.load(sys.stdin)[\"captured\"] == 4'"

# Colour: on a terminal, and where it is asked for.
colored()
{
	start_xdpdump "$@" -c 1 icmp
	capture=$pid printed=$out
	in_left ping -qc 2 -i 0.1 10.99.0.2 > /dev/null
	ended "$capture" 5 || bad "$* does not end"
	lines=$(grep -c "$(printf '\033')\[" "$printed")
}
colored
equal "colour in a file" 0 "$lines"
colored --color always
equal "colour, --color always" 1 "$lines"
colored --color always --json
equal "colour, --color always --json" 0 "$lines"
run_xdpdump -i vb --color red
check "--color red: the reason" grep -q -e '^xdpdump: --color takes auto, always or never, not "red"$' "$err"
# on_terminal ENVIRONMENT OPTION...: its lines in colour, in $lines
on_terminal()
{
	environment=$1
	shift
	start ip netns exec "$right" env TERM=xterm "$environment" python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
		"$xdpdump" -i vb -c 1 "$@" icmp
	wait_for 20 grep -q 'listening on' "$out" || bad "on a terminal it does not start"
	in_left ping -qc 2 -i 0.1 10.99.0.2 > /dev/null
	ended "$pid" 5 || bad "on a terminal it does not end"
	lines=$(grep -c "$(printf '\033')\[2m[0-9.:]* *$(printf '\033')" "$out")
}
on_terminal NO_COLOR=
equal "colour on a terminal" 1 "$lines"
on_terminal NO_COLOR=1
equal "colour on a terminal, NO_COLOR" 0 "$lines"
on_terminal NO_COLOR= --color never
equal "colour on a terminal, --color never" 0 "$lines"

# -v tells where the filter runs.
start_xdpdump -v icmp
stop "$pid" INT
check "-v tells of the filter" grep -q '^xdpdump: filter: ' "$err"
check "-v tells of causes that did not occur" grep -q '^0 .*ring full' "$err"

for level in -d -dd -ddd; do
	"$xdpdump" "$level" tcp port 80 > "$scratch/ours"
	tcpdump -y EN10MB -s 262144 "$level" tcp port 80 2> /dev/null > "$scratch/theirs"
	check "$level as tcpdump prints it" cmp "$scratch/ours" "$scratch/theirs"
done
"$xdpdump" -dddd tcp port 80 > "$scratch/ours"
same "-dddd has the classic instructions" "$(tcpdump -y EN10MB -d tcp port 80 2> /dev/null | wc -l)" \
	"$(grep -v again "$scratch/ours" | grep -c '^([0-9]*)')"
"$xdpdump" -dddd ip protochain 6 > "$scratch/ours" 2>&1
equal "-dddd of what runs in user space: status" 1 $?
check "-dddd of what runs in user space: says so" grep -q '^xdpdump: .* in user space: .*backward jump$' "$scratch/ours"
"$xdpdump" -dddd tcp port 80 > "$scratch/ours"
check "-dddd has the eBPF beside them" grep -q '^([0-9]*) ret .* [0-9]*: mov w0, 262144$' "$scratch/ours"
printf '# web\ntcp # not udp\nport 80\n' > "$scratch/filter"
"$xdpdump" -d -F "$scratch/filter" > "$scratch/ours"
tcpdump -y EN10MB -s 262144 -d tcp port 80 2> /dev/null > "$scratch/theirs"
check "-F with comments" cmp "$scratch/ours" "$scratch/theirs"
check "-F from standard input" sh -c "'$xdpdump' -d -F - < '$scratch/filter' | cmp - '$scratch/theirs'"

in_right "$xdpdump" -D > "$scratch/list"
check "-D lists vb" grep -q '^[0-9]* *vb  *<No XDP program loaded!>  *02:74:67:00:00:02  *[a-z]*  *veth$' "$scratch/list"
check "-D attaches nothing" no_xdp_program "$right" vb
start_xdpdump
in_right "$xdpdump" -D > "$scratch/list"
number=$(xdp_program "$right" vb)
stop "$pid" INT
check "-D shows who is in the hook" grep -q ' vb  *xdp_[a-z_]*  *[0-9]*  *02:74:' "$scratch/list"
equal "-D has the program's number where xdp-tools' has it" "$number" "$(grep ' vb ' "$scratch/list" | cut -c51- | cut -d ' ' -f 1)"
check "--version" sh -c "'$xdpdump' --version | grep -q '^xdpdump (pcap-afxdp [0-9]'"
ln -s "$xdpdump" "$scratch/other-name"
check "by another name, --version" sh -c "'$scratch/other-name' --version | grep -q '^other-name ('"
check "by another name, --help" sh -c "'$scratch/other-name' --help | grep -q '^Usage: other-name '"
check "by another name, an error" sh -c "'$scratch/other-name' --no-such 2>&1 |
	grep -q '^other-name: .* (see other-name --help)'"
check "--help fits a screen of 24 lines of 80" sh -c "'$xdpdump' --help | awk 'length > 80 { exit 1 } END { exit NR > 23 }'"
for option in drops netns decode; do
	check "--help has --$option" sh -c "'$xdpdump' --help | grep -q -- '--$option'"
done
check "--help all has lines of 80 at most" sh -c "'$xdpdump' --help all | awk 'length > 80 { exit 1 }'"
check "--help all names every option" sh -c "[ \$('$xdpdump' --help all | grep -c -- '^ .*--[a-z]') -ge 60 ]"
for option in $("$xdpdump" --help all | sed -n 's/^ .\{5\}--\([a-z-]*\).*/\1/p'); do
	grep -qE -- "^\.It Fl .*-$option( |$)" "$top/man/xdpdump.8" || echo "--$option: xdpdump(8)"
done > "$scratch/without"
for option in $("$xdpdump" --help all | sed -n '/^The device/,/^$/s/^ .\{5\}--\([a-z-]*\).*/\1/p'); do
	grep -qE -- "^\.It Cm $option( |=|$)" "$top/man/pcap-afxdp.7" || echo "$option: pcap-afxdp(7)"
done >> "$scratch/without"
show "$scratch/without"
check "each option has its words in the manuals" test ! -s "$scratch/without"
check "-h" sh -c "'$xdpdump' -h | grep -q '^Usage: xdpdump '"

# The largest frames there are, as of BIG TCP, with all of their bytes.
cat > "$scratch/large.py" <<'END'
import socket
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.setsockopt(socket.SOL_SOCKET, 32, 4 << 20)  # SO_SNDBUFFORCE
s.bind(("lo", 0))
for _ in range(2):
    s.send(bytes(12) + b"\x88\xb5" + bytes(262144 - 14))
END
if ip -n "$right" link set lo mtu 262144 gso_max_size 262144 2> "$scratch/why"; then
	for form in '' --json; do
		start ip netns exec "$right" "$xdpdump" -i lo --hook tc -c 2 -x $form 'ether proto 0x88b5'
		capture=$pid printed=$out
		started_capturing
		ip netns exec "$right" python3 "$scratch/large.py"
		check "256 KiB, -x $form: it ends" ended "$capture" 20
		case $form in
		'') equal "256 KiB, -x: lines" $((2 * (1 + 262144 / 16))) "$(wc -l < "$printed")" ;;
		*) equal "256 KiB, -x $form: bytes" "262144 262144" "$(python3 -c 'import json, sys
print(*(len(json.loads(line)["bytes"]) // 2 for line in sys.stdin))' < "$printed" | xargs)" ;;
		esac
	done
else
	skip "frames of 256 KiB: $(cat "$scratch/why")"
fi
finish
