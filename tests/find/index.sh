#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Indexes of pcapng-find: with them it finds what it finds without, and reads less; a stale, foreign, damaged or writable
# one is not used, which is told, and no packet is missed; they are as small as docs/index-format.md says.
# shellcheck source=tests/find/lib.sh
. "$(dirname "$0")/lib.sh"
need python3 tcpdump gzip zstd lz4
seed=${SEED:-$(date +%s)}
echo "SEED=$seed"
python3 "$top/tests/find/make.py" "$scratch/made" "$seed" 150 || exit 1
ring=$scratch/made/ring
file=$ring/large.pcapng

# The same as without indexes.
finds_all()
{
	"$find" -q -c --no-index "$@" > "$scratch/wanted" && "$find" -c "$@" > "$scratch/found" 2> "$err" &&
		cmp "$scratch/wanted" "$scratch/found"
}

check "indexes are written" run 0 --index "$ring"
check "of each file" said '13 indexes were written, 0 were there'
check "but once" run 0 --index "$ring"
check "those that are there stay" said '0 indexes were written, 13 were there'
rm "$ring/a.pcapng.idx" "$ring/sub/d.pcapng.zst.idx"
check "what is missing is written" run 0 --index "$ring"
check "and no more" said '2 indexes were written, 11 were there'
check "no part of one is left" sh -c "! find '$ring' -name '*.part' | grep ."

python3 "$top/tests/find/query.py" "$find" "$scratch/made" "$seed" "$FIND_QUERIES" > "$scratch/queries"
tail -n 1 "$scratch/queries"
check "queries with indexes find what tcpdump finds, in the order of time" sh -c \
	"tail -n 1 '$scratch/queries' | grep -q '^[1-9].* [1-9][0-9]* of them with packets, .* 0 differ$' || { cat '$scratch/queries'; exit 1; }"
check "an address that is nowhere: nothing is read" run 0 -c host 10.9.9.9 "$ring"
check "of no file" said '0 packets; read 0 of 13 files, 0.0 of'
check "--list names none" sh -c "[ -z \"\$('$find' --list host 10.9.9.9 '$ring')\" ]"
check "a host that spoke for a while" finds_all src host 10.0.0.4 and dst host 10.0.0.5 "$file"
check "a part of its file is read" sh -c "sed -n 's/.*files, \(.*\) of \(.*\) MB$/\1 \2/p' '$err' | awk '{ exit !(\$1 < \$2 * 0.8) }'"
check "a time" finds_all --since @1700000000 --until @1700000001 "$ring"
check "an expression without keys" finds_all 'tcp[13] & 2 != 0' "$ring"
check "says that it is one" said 'asks for no address, port or tag'

cp "$file.idx" "$scratch/idx"
cp -p "$file" "$scratch/file"
check_bad()
{
	check "$1: nothing is missed" finds_all port 53 "$file"
	check "$1: it is told" said "large.pcapng is read whole, because its index cannot be used: $2"
	cp "$scratch/idx" "$file.idx"
}

head -c 500 "$scratch/idx" > "$file.idx"
check_bad "cut off" 'it is damaged'
: > "$file.idx"
check_bad "empty" 'it is damaged'
cp "$ring/us.pcap.idx" "$file.idx"
check_bad "of another file" 'the file has changed since'
chmod o+w "$file.idx"
check_bad "writable by all" 'others than root and the owner of the file may write it'
chmod 644 "$file.idx"
rm "$file.idx"
ln -s "$scratch/idx" "$file.idx"
check "a link: nothing is missed" finds_all port 53 "$file"
check "a link: it is told" said 'others than root'
rm "$file.idx"
cp "$scratch/idx" "$file.idx"
if [ "$(id -u)" -eq 0 ]; then
	chown 65534 "$file.idx"
	check "of another user: nothing is missed" finds_all port 53 "$file"
	check "of another user: it is told" said 'others than root'
	chown 0 "$file.idx"
fi
printf '\002' | dd of="$file.idx" bs=1 seek=8 conv=notrunc 2> "$scratch/dd"
check_bad "of another version" 'it is of another version'
cat "$ring/a.pcapng" >> "$file"
check_bad "a file that has grown" 'the file has changed since'
cp -p "$scratch/file" "$file"
touch "$file"
check_bad "a file that was written again" 'the file has changed since'
cp -p "$scratch/file" "$file"

# A file whose name leaves no room for that of an index has none.
long=$scratch/$(printf '%0252d' 0)
cp "$file" "$long"
check "a long name gets none" run 1 --index "$long"
check "and it is told why" said 'gets no index: File name too long'
check "its packets are found" finds_all port 53 "$long"
check "nothing is said of an index that cannot be there" sh -c "! grep 'cannot be used' '$err'"

# Whatever byte of it is another one.
python3 - "$scratch/idx" "$file" "$find" "$seed" <<'END' > "$scratch/flips"
import random
import subprocess
import sys

idx, file, find, seed = sys.argv[1:]
r = random.Random(int(seed))
good = open(idx, "rb").read()
query = ["host", "10.0.0.6", file]
want = subprocess.run([find, "-q", "-c", "--no-index", *query], stdout=subprocess.PIPE, check=True).stdout
for n in range(60):
    bad = bytearray(good)
    at = r.randrange(len(bad)) if n % 3 else r.randrange(128)
    bad[at] ^= 1 << r.randrange(8)
    open(file + ".idx", "wb").write(bad)
    run = subprocess.run([find, "-c", *query], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if run.returncode or run.stdout != want:
        print("byte %d: %s %s, wanted %s" % (at, run.returncode, run.stdout, want))
END
check "no changed byte hides a packet" [ ! -s "$scratch/flips" ]
show "$scratch/flips"
cp "$scratch/idx" "$file.idx"

# A file that grows while it is read gets none.
mkdir "$scratch/growing"
mkfifo "$scratch/pipe"
cp "$file" "$scratch/growing/f.pcapng"
start "$find" --index --rate 1M "$scratch/growing"
wait_for 10 sh -c "grep -q growing/f.pcapng /proc/$pid/maps || ls -l /proc/$pid/fd 2> /dev/null | grep -q growing/f.pcapng"
cat "$file" >> "$scratch/growing/f.pcapng"
ended "$pid" 60
check "a file that is being written" grep -q '1 files are being written, and get no index yet' "$err"
check "gets no index" [ ! -e "$scratch/growing/f.pcapng.idx" ]

# sizes FLOWS SIZE: a file of 8 MB whose MiB have so many flows each; the size of its index, in thousandths of it.
sizes()
{
	mkdir -p "$scratch/sizes"
	python3 - "$scratch/sizes/f.pcap" "$1" "$2" <<'END'
import struct
import sys

path, flows, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(path, "wb") as f:
    f.write(struct.pack("<IHHIIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, 1))
    for n in range(8_000_000 // size):
        flow = n // -(-1048576 // size) * flows + n % flows
        ip = struct.pack("!BBHHHBBH", 0x45, 0, size - 30, 1, 0, 64, 6, 0) + struct.pack("!II", 0x0a000000 + flow, 0x0b000000 + flow)
        frame = b"\2" * 12 + b"\x08\x00" + ip + struct.pack("!HH", 1024 + flow % 60000, 2000 + flow % 50000)
        frame += bytes(size - 16 - len(frame))
        f.write(struct.pack("<IIII", 1700000000 + n // 1000, n % 1000, len(frame), len(frame)) + frame)
END
	rm -f "$scratch/sizes/f.pcap.idx"
	"$find" -q --index "$scratch/sizes"
	echo $(($(stat -c %s "$scratch/sizes/f.pcap.idx") * 10000 / $(stat -c %s "$scratch/sizes/f.pcap")))
}

between "at 100 flows a MiB an index is 0.5 % of its file at most, in hundredths of a percent" 1 50 "$(sizes 100 516)"
between "at 900 flows a MiB 3.5 %" 1 350 "$(sizes 900 516)"
between "and with a flow for each packet, whose keys are too many, next to nothing" 0 350 "$(sizes 10000 80)"
check "what has too many keys is read" finds_all host 10.0.0.77 "$scratch/sizes/f.pcap"

# So many files of three packets: one has the address.
python3 - "$scratch/many" "$FIND_FILES" <<'END'
import os, struct, sys
for n in range(int(sys.argv[2])):
    if n % 1000 == 0:
        folder = "%s/%d" % (sys.argv[1], n // 1000)
        os.makedirs(folder)
    udp = struct.pack("!HHHH", 5000, n % 50000 + 1, 16, 0) + bytes(8)
    frame = bytes(12) + struct.pack("!HBBHHHBBH", 0x800, 0x45, 0, 36, n & 0xffff, 0, 64, 17, 0) + \
        struct.pack("!I", 10 << 24 | n) + bytes([10, 9, 9, 9]) + udp
    with open("%s/%d.pcap" % (folder, n), "wb") as f:
        f.write(struct.pack("<IHHIIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
        f.write(b"".join(struct.pack("<IIII", 1_700_000_000 + n, k, len(frame), len(frame)) + frame for k in range(3)))
END
check "$FIND_FILES files have indexes" timeout 300 "$find" --index "$scratch/many"
check "an address of one" timeout 300 sh -c "'$find' -c host 10.0.0.5 '$scratch/many' > '$scratch/found' 2> '$err'"
check "is found" count_is 3
check "in that one" said "3 packets; read 1 of $FIND_FILES files"
check "of all, those of a time" timeout 300 sh -c "'$find' -c --since @1700000100 --until @1700000110 '$scratch/many' > '$scratch/found' 2> '$err'"
check "are found" count_is 30
check "in their files" said "30 packets; read 10 of $FIND_FILES files"
finish
