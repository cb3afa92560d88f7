#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# 100000 packets a second for ROTATE_SECONDS, a new file every ROTATE_EVERY seconds by the clock: no packet is
# missing within a file or between two, and xdpdump and its helpers grow by nothing.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
seconds=$ROTATE_SECONDS rate=${ROTATE_RATE:-100000} every=$ROTATE_EVERY
veth_pair
folder=$scratch/files
mkdir "$folder"

# Each finished file is judged and removed, so that an hour needs the disk of some seconds. A report that
# cannot be written has no line in the list, which then has too few.
checked=$scratch/checked
: > "$checked"
cat > "$scratch/judge" << END
#!/bin/sh
"$capcheck" --dropped 0 "\$1" 2>&1 | tr '\\n' ' ' >> "$checked"
echo >> "$checked"
rm "\$1"
END
chmod 755 "$scratch/judge"

# sample: KiB of private memory, touched or not (the writer comes to its pieces as it needs them), descriptors and threads of all processes of the capture.
sample()
{
	for process in $(ip netns pids "$right"); do
		sed -n 's/^VmData:[^0-9]*\([0-9]*\).*/memory \1/p; s/^Threads:[^0-9]*\([0-9]*\)/threads \1/p' \
			"/proc/$process/status"
		echo "descriptors $(find "/proc/$process/fd" -type l | wc -l)"
	done 2> /dev/null | awk '{ n[$1] += $2 } END { print n["memory"], n["descriptors"], n["threads"] }'
}

# In the middle of a file nothing is on its way: no file being judged, no command.
in_mid_file()
{
	now=$(date +%s)
	[ $((now % every)) -eq $((every / 2)) ]
}

start_xdpdump -G "$every" -z "$scratch/judge" -w "$folder/%s.pcapng"
capture=$pid said=$err
start ip netns exec "$left" "$trafgen" -i va -d "$seconds" -r "$rate"
sender=$pid sent=$out end=$(($(date +%s) + seconds))
wait_for 30 test -s "$checked" || bad "no file is finished"
while ! process_gone "$sender" && [ "$(($(date +%s) + every))" -lt "$end" ]; do
	wait_for $((2 * every)) in_mid_file
	sample >> "$scratch/samples"
	sleep 2
done
check "the sender ends" ended "$sender" $((3 * every))
settle "$capture"
check "it ends well" stop "$capture" INT

between "packets sent, of $((seconds * rate))" $((seconds * rate / 2)) $((seconds * rate)) "$(json "$sent" sent)"
equal "packets captured" "$(json "$sent" sent)" "$(count captured "$said")"
equal "packets dropped" 0 "$(count dropped "$said")"
sed 's/.*"delivered":\([0-9]*\).*"gaps":\([0-9]*\).*"lowest":\([0-9]*\),"highest":\([0-9]*\).*"good":\([a-z]*\).*/\1 \2 \3 \4 \5/' \
	"$checked" | sort -n -k 3 > "$scratch/all_numbers"
# The last file may have been begun after the last packet.
grep -v '"delivered":0,' "$scratch/all_numbers" > "$scratch/numbers"
between "files with packets" $((seconds / every)) $((seconds / every + 2)) "$(grep -c ' true$' "$scratch/numbers")"
equal "files that are broken, out of order or not read" 0 "$(grep -cv ' true$' "$scratch/numbers")"
equal "packets in the files" "$(json "$sent" sent)" "$(awk '{ n += $1 } END { print n }' "$scratch/numbers")"
equal "missing within files" 0 "$(awk '{ n += $2 } END { print n + 0 }' "$scratch/numbers")"
equal "missing between files" 0 "$(awk 'NR == 1 ? $3 : $3 != last + 1 { n++ } { last = $4 } END { print n + 0 }' "$scratch/numbers")"
equal "files that were left" 0 "$(find "$folder" -type f | wc -l)"

if [ "$(wc -l < "$scratch/samples")" -lt 2 ]; then
	bad "memory and descriptors: fewer than two samples"
	finish
fi
# shellcheck disable=SC2046 # three numbers each
set -- $(head -n 1 "$scratch/samples") $(tail -n 1 "$scratch/samples")
if is_sanitized; then
	skip "memory: a build with sanitizers keeps what was freed"
else
	between "KiB of memory at the end, $1 after the first file" 1 $(($1 + 256)) "$4"
fi
equal "descriptors as after the first file" "$2" "$5"
equal "threads as after the first file" "$3" "$6"
echo "  $(wc -l < "$scratch/samples") samples"
[ "$failed" -eq 0 ] || show "$scratch/samples"
[ "$failed" -eq 0 ] || show "$checked"
finish
