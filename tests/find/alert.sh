#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The recipe of docs/lookback.md, as it stands there: what a stock Suricata alerts of, with half a minute before and after
# it, out of a ring of files.
# shellcheck source=tests/find/lib.sh
. "$(dirname "$0")/lib.sh"
need python3 tcpdump jq suricata
PATH=$build/find:$PATH
mkdir "$scratch/packets" "$scratch/log"

# Five minutes of six hosts in three files; in the third minute one sends what a rule is for.
python3 - "$scratch/packets" > "$scratch/made" <<'END'
import struct, sys
START = 1_700_000_000
for part in range(3):
    with open("%s/ring%d.pcap" % (sys.argv[1], part), "wb") as f:
        f.write(struct.pack("<IHHIIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
        for n in range(part * 1000, part * 1000 + 1000):
            data = b"an attack" if n == 1500 else b"nothing"
            hosts = bytes([10, 0, 0, 1 + n % 2 * 3]) + bytes([10, 0, 0, 2 + n % 3])
            udp = struct.pack("!HHHH", 5000, 7000, 8 + len(data), 0) + data
            frame = bytes(12) + struct.pack("!HBBHHHBBH", 0x800, 0x45, 0, 20 + len(udp), n, 0, 64, 17, 0) + hosts + udp
            f.write(struct.pack("<IIII", START + n // 10, n % 10 * 100_000, len(frame), len(frame)) + frame)
END
echo 'alert udp any any -> any any (msg:"an attack"; content:"an attack"; sid:1;)' > "$scratch/rules"
check "a stock Suricata reads the ring" timeout 120 suricata -r "$scratch/packets" -S "$scratch/rules" -l "$scratch/log" \
	--runmode single --set unix-command.enabled=no
equal "alerts" 1 "$(grep -c '"event_type":"alert"' "$scratch/log/eve.json")"
check "indexes are written" run 0 --index "$scratch/packets"

sed -n '/^## Around an alert/,/^## [^A]/s/^    //p' "$top/docs/lookback.md" |
	sed "s#/var/log/suricata#$scratch/log#; s#/var/log/packets#$scratch/packets#" > "$scratch/recipe"
check "the page has a recipe" [ -s "$scratch/recipe" ]
(cd "$scratch" && sh ./recipe 2> "$err")
check "it has run" [ -s "$scratch/alert.pcapng" ]
tcpdump -ttnr "$scratch/alert.pcapng" > "$scratch/found" 2> /dev/null
for file in "$scratch"/packets/*.pcap; do
	tcpdump -ttnr "$file" 'host 10.0.0.1 and host 10.0.0.2' 2> /dev/null
done | awk '$1 >= 1700000120 && $1 < 1700000180' > "$scratch/wanted"
check "it finds packets" [ -s "$scratch/wanted" ]
check "those of the two hosts around the alert" cmp "$scratch/wanted" "$scratch/found"
finish
