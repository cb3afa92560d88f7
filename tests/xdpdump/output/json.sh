#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --json: each object is as xdpdump.schema.json says, by a validator that is not ours, and has no member that
# is not in there; and who reads it into doubles has each digit of a time.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need ping jq
schema=$build/xdpdump/xdpdump.schema.json
/usr/bin/python3 -c 'import jsonschema' 2> /dev/null || skip_all "needs python3-jsonschema"
veth_pair

# valid KIND FILE [not]: each line is of this kind, by itself and by the whole schema; tells how many there are.
# not: none is.
valid()
{
	/usr/bin/python3 - "$schema" "$@" <<- 'END'
	import copy, json, sys
	import jsonschema
	with open(sys.argv[1], encoding="utf-8") as f:
	    schema = json.load(f)
	jsonschema.Draft7Validator.check_schema(schema)
	strict = copy.deepcopy(schema)
	strict["oneOf"] = [{"$ref": "#/definitions/" + sys.argv[2]}]
	for kind in sys.argv[2], "interface":
	    strict["definitions"][kind]["additionalProperties"] = False
	validators = [jsonschema.Draft7Validator(s) for s in (schema, strict)]
	wanted = len(sys.argv) == 4
	n = 0
	for line in open(sys.argv[3], encoding="utf-8"):
	    if line.startswith("{"):
	        if all(v.is_valid(json.loads(line)) for v in validators) != wanted:
	            sys.exit("%s: %s" % (line, list(validators[1].iter_errors(json.loads(line)))))
	        n += 1
	print(n)
	sys.exit(n == 0)
	END
}

# all_valid NAME KIND COUNT FILE
all_valid()
{
	check "$1: by the schema" valid "$2" "$4"
	equal "$1: objects" "$3" "$(tail -n 1 "$scratch/output")"
}

# Packets of both directions and of another namespace, with bytes; statistics once and at the end.
start "$xdpdump" --netns "$right" -i vb --json -x -s 20 -Q inout -c 4 icmp
started_capturing
capture=$pid printed=$out said=$err
kill -USR1 "$capture"
check "statistics when asked" wait_for 5 grep -q '"final":false' "$said"
in_left ping -qc 3 -i 0.1 -s 56 10.99.0.2 > /dev/null
check "it ends" ended "$capture" 5
all_valid "packets" packet 4 "$printed"
all_valid "statistics" statistics 2 "$said"
equal "the version of the schema" "1 1" "$(jq -r .schema "$printed" "$said" 2> /dev/null | sort -u) $(jq .version "$schema")"
equal "between whom: cut behind the Ethernet header and 6 bytes" "[null,null]" "$(jq -c '[.src, .dst]' "$printed" | sort -u)"
equal "one of them is final" 1 "$(grep -c '"not_kept":0,"final":true}$' "$said")"
equal "its namespace" 4 "$(jq -r .netns "$printed" | grep -c -x "$right")"

# What is counted of drops, each second.
start ip netns exec "$right" "$xdpdump" --drops=summary --json -c 3 udp
started_capturing
capture=$pid printed=$out
in_left python3 -c 'import socket
for i in range(3):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("10.99.0.2", 9))'
check "a summary of drops: it ends" ended "$capture" 10
check "a summary of drops: by the schema" valid drops "$printed"
equal "a summary of drops: all that were dropped" "3 vb NO_SOCKET" \
	"$(jq -r '.dropped_so_far, (.drops[0] | .drop_interface, .drop_reason)' "$printed" | tail -n 3 | xargs)"

# Between whom: TCP, UDP, tags, IPv6 with an extension, fragments.
cat > "$scratch/frames.py" <<- 'END'
import socket, struct, sys
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("va", 0))
MAC = bytes.fromhex("027467000002" "02aabbccddee")
def ip4(protocol, data, fragment=0):
    return struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(data), 7, fragment, 64, protocol, 0,
                       bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2])) + data
def ip6(protocol, data):
    return struct.pack("!IHBB", 6 << 28, len(data), protocol, 64) + bytes(15) + b"\1" + bytes(15) + b"\2" + data
tcp = struct.pack("!HHIIBBHHH", 40000, 443, 1000, 2000, 0x50, 0x12, 512, 0, 0)
udp = struct.pack("!HHHH", 53, 5353, 8, 0)
for type, payload in [(0x0800, ip4(6, tcp + b"data!")), (0x0800, ip4(17, udp)),
                      (0x8100, struct.pack("!HH", 42, 0x0800) + ip4(17, udp)),
                      (0x88a8, struct.pack("!HHHH", 7, 0x8100, 42, 0x86dd) + ip6(6, tcp)),
                      (0x86dd, ip6(60, bytes([17, 0]) + bytes(6) + udp)),
                      (0x0800, ip4(17, udp, 0x2000)), (0x0800, ip4(17, b"12345678", 1)),
                      (0x0800, ip4(50, bytes(8))), (0x0800, ip4(51, bytes(8))), (0x0800, ip4(2, bytes(8))),
                      (0x0800, ip4(89, bytes(8))), (0x0800, ip4(112, bytes(8))),
                      (0x0800, ip4(132, bytes(12))), (0x0800, ip4(254, bytes(8))),
                      (0x0800, ip4(136, udp)), (0x86dd, ip6(33, udp + bytes(8))),
                      (0x0800, ip4(17, struct.pack("!HHHH", 1, 6081, 16, 0) + bytes(8))),
                      (0x0800, ip4(17, struct.pack("!HHHH", 1, 8472, 16, 0) + bytes(6) + b"\5\0")),
                      (0x8864, struct.pack("!BBHH", 0x11, 0, 9, 2) + bytes(2)),
                      (0x0806, bytes(28))]:
    s.send(MAC + struct.pack("!H", type) + payload)
END
frames_in() # OPTION...: of them, by the address that they come from
{
	start_xdpdump -Q in -c 20 "$@" 'ether src 02:aa:bb:cc:dd:ee'
	capture=$pid frames=$out
	in_left /usr/bin/python3 "$scratch/frames.py"
	check "frames, $*: it ends" ended "$capture" 20
}
frames_in --hook tc --json
all_valid "frames" packet 20 "$frames"
jq -c '[.vlans, .src, .dst, .protocol, .protocol_number, .src_port, .dst_port, .tcp_flags, .fragment]' "$frames" > "$scratch/ends"
cat > "$scratch/wanted" <<- 'END'
[null,"192.0.2.1","192.0.2.2","tcp",6,40000,443,18,null]
[null,"192.0.2.1","192.0.2.2","udp",17,53,5353,null,null]
[[42],"192.0.2.1","192.0.2.2","udp",17,53,5353,null,null]
[[7,42],"::1","::2","tcp",6,40000,443,18,null]
[null,"::1","::2","udp",17,53,5353,null,null]
[null,"192.0.2.1","192.0.2.2","udp",17,53,5353,null,true]
[null,"192.0.2.1","192.0.2.2","udp",17,null,null,null,true]
[null,"192.0.2.1","192.0.2.2","esp",50,null,null,null,null]
[null,"192.0.2.1","192.0.2.2","ah",51,null,null,null,null]
[null,"192.0.2.1","192.0.2.2","igmp",2,null,null,null,null]
[null,"192.0.2.1","192.0.2.2","ospf",89,null,null,null,null]
[null,"192.0.2.1","192.0.2.2","vrrp",112,null,null,null,null]
[null,"192.0.2.1","192.0.2.2","sctp",132,0,0,null,null]
[null,"192.0.2.1","192.0.2.2",null,254,null,null,null,null]
[null,"192.0.2.1","192.0.2.2",null,136,53,5353,null,null]
[null,"::1","::2",null,33,53,5353,null,null]
[null,"192.0.2.1","192.0.2.2","udp",17,1,6081,null,null]
[null,"192.0.2.1","192.0.2.2","udp",17,1,8472,null,null]
[null,null,null,null,null,null,null,null,null]
[null,null,null,"arp",null,null,null,null,null]
END
check "between whom" cmp "$scratch/ends" "$scratch/wanted"
[ "$failed" -eq 0 ] || diff "$scratch/ends" "$scratch/wanted"
equal "by which addresses" "02:aa:bb:cc:dd:ee 02:74:67:00:00:02" "$(jq -r '"\(.mac_src) \(.mac_dst)"' "$frames" | sort -u)"

# The same as lines: numbers of TCP with -v, hardware addresses with -e, protocols by name.
frames_in --hook tc -v -e -t
for line in 'vb In  02:aa:bb:cc:dd:ee > 02:74:67:00:00:02, ethertype 0x0800, length 59: IP 192\.0\.2\.1\.40000 > 192\.0\.2\.2\.443: Flags \[S\.\], seq 1000:1005, ack 2000, win 512, length 5 \[cpu' \
	'192\.0\.2\.2: ESP, length 8 ' '192\.0\.2\.2: AH, length 8 ' '192\.0\.2\.2: IGMP, length 8 ' '192\.0\.2\.2: OSPF, length 8 ' \
	'192\.0\.2\.2: VRRP, length 8 ' 'SCTP, length 0 ' 'IP-proto-254, length 8 ' '6081: GENEVE, length 8 ' \
	'8472: VXLAN vni 5: ' 'PPPoE data, session 9, length 2 '; do
	check "a line: $line" grep -q "$line" "$frames"
done

# Another order of things: a filter in user space, a file, losses told, the doctor.
start_xdpdump --json -w "$scratch/f.pcapng" -a duration:0.2 ip protochain 17
check "a file, a filter in user space: it ends" ended "$pid" 5
all_valid "statistics with filter and file" statistics 1 "$err"
grep '^{' "$err" > "$scratch/final"
check "why the filter is slow" jq -e '.final and .filter and .file' "$scratch/final"

# Several interfaces, of which one goes.
in_right ip link add vd type veth peer name ve
in_right ip link set ve up
in_right ip link set vd up
start_xdpdump --json -i vd -i lo -w "$scratch/f.pcapng"
wait_for 5 grep -q 'listening on lo' "$err"
in_right ip link del vd
wait_for 5 grep -q 'vd has disappeared' "$err"
check "several interfaces: it ends" stop "$pid" INT
all_valid "statistics of several interfaces" statistics 1 "$err"
grep '^{' "$err" > "$scratch/final"
equal "they are" "vb false vd true lo false" \
	"$(jq -r '.interfaces[] | "\(.interface) \(.gone)"' "$scratch/final" | xargs)"

# The same in a file, from time to time.
start_xdpdump -i lo --stats-file "$scratch/stats" --stats-interval 0.1 -w "$scratch/f.pcapng"
three() { [ "$(wc -l < "$scratch/stats")" -ge 3 ]; }
check "statistics in a file: they come" wait_for 10 three
stop "$pid" INT
all_valid "statistics in a file" statistics "$(wc -l < "$scratch/stats")" "$scratch/stats"
equal "the last one is final" 1 "$(grep -c '"final":true' "$scratch/stats")"

run_xdpdump --doctor vb --json
all_valid "the doctor" doctor 1 "$out"
run_xdpdump --doctor nosuch --json
all_valid "the doctor, of what is not there" doctor 1 "$out"

# Interfaces, with the program that holds the hook.
start_xdpdump
capture=$pid
run_xdpdump -D --json
stop "$capture"
all_valid "interfaces" interface 2 "$out"
check "the program in the hook" jq -e 'select(.interface == "vb") | .programs[0].function | startswith("xdp_")' "$out"

# The validator notices what is wrong.
head -n 1 "$printed" > "$scratch/one"
for change in 'del(.time)' 'del(.cpu)' '.queue = "0"' '.cpu = 4096' '.nanoseconds = 1000000000' '.place = "tc"' \
	'.unknown = 1' '.hash = 5'; do
	jq -c "$change" "$scratch/one"
done > "$scratch/wrong"
check "each of eight mistakes is noticed" valid packet "$scratch/wrong" not
equal "mistakes" 8 "$(tail -n 1 "$scratch/output")"

# No digit is lost, whoever reads it: seconds and nanoseconds are those of the number as it is printed.
sed 's/^{"time":\([0-9]*\)\.0*\([0-9]*\),.*/\1 \2/' "$printed" > "$scratch/wanted"
jq -r '"\(.seconds) \(.nanoseconds)"' "$printed" > "$scratch/read"
check "jq has each digit" cmp "$scratch/wanted" "$scratch/read"
/usr/bin/python3 -c 'import json, sys
for line in sys.stdin:
    p = json.loads(line)
    assert abs(p["time"] - p["seconds"] - p["nanoseconds"] / 1e9) < 1e-6
    print(p["seconds"], p["nanoseconds"])' < "$printed" > "$scratch/read"
check "python3 has each digit" cmp "$scratch/wanted" "$scratch/read"
if command -v node > /dev/null; then
	node -e 'require("fs").readFileSync(0, "utf8").trim().split("\n").map(JSON.parse)
		.forEach(p => console.log(p.seconds, p.nanoseconds))' < "$printed" > "$scratch/read"
	check "node has each digit" cmp "$scratch/wanted" "$scratch/read"
fi
finish
