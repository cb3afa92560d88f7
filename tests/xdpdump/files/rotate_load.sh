#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2016,SC2010 # commands in quotes are for inner shells; names are ours
# Rotation when it is hard: under load, on a disk that fills, and when the process is killed.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump mergecap mount
veth_pair
folder=$scratch/files

# Files of 2 MB, more than ten a second, with a command for each.
mkdir "$folder"
start_xdpdump -C 2 -G 1 -z true -w "$folder/f-%s.pcapng"
capture=$pid said=$err begun_at=$(date +%s)
send -n 300000 -r 150000 -s 100
check "under load: it ends well" stop "$capture" INT
equal "under load: packets said, and in the files" "$(count captured "$said")" "$(packets_in "$folder")"
equal "under load: captured and dropped" 300000 $(($(count captured "$said") + $(count dropped "$said")))
mergecap -w "$scratch/all.pcapng" "$folder"/* 2> /dev/null
check "under load: no frame twice, those that lack were dropped" \
	"$capcheck" --order none --dropped "$(count dropped "$said")" --json "$scratch/sent" "$scratch/all.pcapng"
# Of 132 bytes each, 15,151 packets fill a file; and a second is over at least once, and once more for each that it took.
between "under load: files" $(($(count captured "$said") / 15152)) $((40 + $(date +%s) - begun_at)) "$(ls "$folder" | wc -l)"
equal "under load: what is left beside them" 0 "$(ls "$folder" | grep -c part)"

# Files of 300 KB on a disk of 1 MiB.
fill_disk "full disk" '-t tmpfs -o size=1m none' -C 300K
whole_files "full disk" "$disk"
between "full disk: files" 3 4 "$(ls "$disk" | wc -l)"

# kill -9: the finished files are whole, the last one can be read up to its end.
rm -rf "$folder"
mkdir "$folder"
start_xdpdump -C 1 -w "$folder/f"
capture=$pid
has_finished()
{
	[ "$(ls "$folder" | grep -vc '\.part$')" -ge "$1" ]
}
kill_amidst has_finished 5
ended "$sender" 60
# The one being written, and those that were on their way to the disk. Nothing is in one that has just begun.
between "killed: files with a temporary name" 1 10 "$(ls "$folder" | grep -c '\.part$')"
find "$folder" -name '*.part' -empty -delete
finished=0 numbers=''
for one in "$folder"/*; do
	case $one in
	*.part) ;;
	*)
		finished=$((finished + 1))
		tshark -r "$one" -T fields -e frame.number > /dev/null 2> "$scratch/complaint" &&
			[ ! -s "$scratch/complaint" ] || grep -q 'Running as user' "$scratch/complaint" ||
			bad "killed: $one cannot be read"
		;;
	esac
	numbers="$numbers $one"
done
between "killed: finished files" 5 100 "$finished"
between "killed: packets in all" 10000 100000 "$(packets_in "$folder")"
check "killed: no XDP program is left" wait_for 20 no_xdp_program "$right" vb
# shellcheck disable=SC2086 # names are ours
mergecap -w "$scratch/all.pcapng" $numbers > "$scratch/merged" 2>&1
equal "killed: merged, they are as many" "$(packets_in "$folder")" "$(packets "$scratch/all.pcapng")"
finish
