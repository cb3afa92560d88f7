#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --who: services hand their sockets around, and each label names who held the socket when the packet passed, or says
# that it is not known. A file says the same; others read it.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need jq tshark unshare
veth_pair
oracle=$top/tests/who/oracle.py
peer="ip netns exec $left python3 $oracle peer 10.99.0.1"

start_who --who=cmdline -w "$scratch/who.pcapng" --print
# rings PROCESS: how many mappings it shares and may write, of more than what looks write to.
rings() {
	python3 -c '
import sys
maps = [line.split()[:2] for line in open("/proc/%s/maps" % sys.argv[1])]
sizes = [eval("-(0x%s) + 0x%s" % tuple(at.split("-"))) for at, how in maps if how == "rw-s"]
print(sum(size > 2 ** 17 for size in sizes))' "$1"
}
looker=$(pgrep -P "$capture" -x xdpdump)
check "the capture has rings" test "$(rings "$capture")" -gt 0
equal "the process that looks has none of them" 0 "$(rings "$looker")"
check "services run" timeout 50 ip netns exec "$right" python3 "$oracle" serve "$scratch/truth" \
	10.99.0.2 1 "$peer" ""
check "it ends" stop "$capture"
check "no label is wrong, and most are known" python3 "$oracle" check "$scratch/truth" "$packets" \
	exact=100 shared=1 closed=10
cat "$scratch/output"

in_objects=$(jq -r 'select(.who.class == "exact") | .who.processes[0].pid' "$packets" | sort | uniq -c)
tshark -r "$scratch/who.pcapng" -T fields -e frame.comment > "$scratch/comments" 2> "$scratch/tshark"
check "tshark reads the file" fails grep -qi 'error\|malformed\|damaged' "$scratch/tshark"
in_file=$(grep -v '(closed)\|(listener)' "$scratch/comments" | sed -n 's/^process [^[]*\[\([0-9]*\)\].*/\1/p' | sort | uniq -c)
echo "$in_objects" > "$scratch/in_objects"
echo "$in_file" > "$scratch/in_file"
check "the file has the same processes" diff "$scratch/in_objects" "$scratch/in_file"
check "and their arguments" grep -q '^process python3\[[0-9]*\].*: .*python3 .*oracle.py serve' "$scratch/comments"
figures=$(grep '"final":true' "$said" | jq -c '[.who_exact + .who_shared + .who_listener + .who_closed + .who_forwarded + .who_unknown, .captured]')
same "each packet has one class" "$(grep -c '"who"' "$packets")" "$(echo "$figures" | jq '.[0]')"
equal "of all packets" true "$(echo "$figures" | jq '.[0] == .[1]')"

"$xdpdump" --netns "$right" -i vb --who --doctor > "$scratch/doctor" 2>&1
check "--doctor tells what a look costs" grep -q '^processes .*a look at the [0-9]* descriptors of sockets ' "$scratch/doctor"
unshare --pid --fork --mount-proc "$xdpdump" --netns "$right" -i vb --who --quiet -a duration:1 > "$scratch/pids" 2>&1
check "another pid namespace is refused" grep -q 'have to see all processes, and in a pid namespace' "$scratch/pids"

# are_numbered FILE...: the block of a process comes before its first packet, in each, and no record is as the kernel wrote it.
are_numbered()
{
	python3 - "$@" <<'END'
import struct, sys
files = 0
for name in sys.argv[1:]:
    data, at, blocks, used = open(name, "rb").read(), 0, 0, 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 0x80000001:
            blocks += 1
        if kind == 6:
            o = at + 28 + (struct.unpack_from("<I", data, at + 20)[0] + 3 & ~3)
            while o < at + length - 8:
                code, n = struct.unpack_from("<HH", data, o)
                if code == 32769:
                    assert struct.unpack_from("<I", data, o + 4)[0] < blocks, name
                    used += 1
                assert code != 0x80fe, name
                o += 4 + (n + 3 & ~3)
        at += length
    files += used > 0
sys.exit(files < max(1, len(sys.argv) - 2))
END
}

start "$xdpdump" --netns "$right" -i vb --who -w "$scratch/part.pcapng" -C 4K -W 9 --quiet
capture=$pid
wait_for 10 test -e "$scratch/part.pcapng0" -o -e "$scratch/part.pcapng" -o -e "$scratch/part.pcapng0.part"
timeout 20 ip netns exec "$right" python3 "$oracle" serve "$scratch/more" \
	10.99.0.2 1 "$peer" "" > /dev/null 2>&1
stop "$capture"
check "blocks are before their packets, in each file" are_numbered "$scratch"/part.pcapng*

# Who comes late to a stream gets the processes of before, too.
port=$((20000 + $$ % 10000))
start "$xdpdump" --netns "$right" -i vb -Q inout --who --listen $port --print --json
capture=$pid packets=$out said=$err
started_capturing
in_right python3 -c 'import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("10.99.0.1", 9))'
wait_for 10 grep -q '"class":"exact"' "$packets"
start python3 "$top/tests/who/oracle.py" join $port
joined=$pid stream=$out
wait_for 10 test -s "$stream"
in_right python3 -c 'import ctypes, socket
ctypes.CDLL(None).prctl(15, b"a\n\x1b[31mb", 0, 0, 0)
socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("10.99.0.1", 9))'
have_two()
{
	[ "$(grep -c '"class":"exact"' "$packets")" -gt 1 ]
}
wait_for 10 have_two
stop "$capture"
ended "$joined" 10
check "who joins late gets the processes" are_numbered "$stream"
equal "any name is an object's" true "$(jq -s 'any(.[].who.processes[]?; .command == "a\n\u001b[31mb")' "$packets")"
check "and commands no terminal" fails grep -qaF "$(printf '\033[31m')" "$packets" "$stream"
equal "of before and of since" 2 "$(python3 "$top/tests/who/oracle.py" processes "$stream")"

start "$xdpdump" --netns "$right" -i any --who -c 1
capture=$pid said=$err
check "a packet socket does not tell, and that is said" wait_for 120 grep -q 'does not know whose' "$said"
stop "$capture"

# The process that looks at sockets is the only child.
start "$xdpdump" --netns "$right" -i vb --who -w "$scratch/blind.pcapng"
capture=$pid said=$err
started_capturing
looker=$(cat "/proc/$capture/task/$capture/children")
kill -KILL "${looker% }"
ended "$capture" 20
equal "who looks is killed: status" 1 $?
check "who looks is killed: said" grep -q '^xdpdump: --who: the process that looks at sockets has ended, and with it the capture' "$said"
check "who looks is killed: the file is not blamed" fails grep -q 'blind.pcapng:' "$said"

# Who may capture as a member of the group hears of no process.
refuses()
{
	! "$xdpdump" "$@" > "$scratch/refused" 2>&1
}
check "not with --files-per-queue" refuses -i vb --who --files-per-queue -w "$scratch/x.pcapng"
check "not with XDP programs" refuses -i vb --who -p all
finish
