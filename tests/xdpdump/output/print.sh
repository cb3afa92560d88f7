#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --print: the file and the lines, both live and both whole, whatever becomes of the other.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need ping tcpdump
veth_pair
cd "$scratch" || exit 1

# lines FILE: of packets, as tcpdump counts them
lines()
{
	grep -c '^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\.[0-9]\{9\} vb In  IP ' "$1"
}

# Live: a packet is printed, and in the file, while the capture runs.
start_xdpdump -w live.pcapng --print -Q in icmp
capture=$pid printed=$out said=$err
in_left ping -qc 1 10.99.0.2 > /dev/null
check "a line is there at once" wait_for 5 grep -q 'ICMP echo request' "$printed"
check "the packet is in the file" wait_for 5 sh -c 'tcpdump -nnr live.pcapng 2> /dev/null | grep -q "ICMP echo request"'
in_left ping -qc 4 -i 0.05 10.99.0.2 > /dev/null
check "it ends well" stop "$capture" INT
equal "captured" 5 "$(count captured "$said")"
equal "lines" 5 "$(lines "$printed")"
equal "packets in the file" 5 "$(packets live.pcapng)"
tcpdump -nntr live.pcapng 2> /dev/null > theirs
sed 's/^[^ ]* vb In  //' "$printed" > ours
check "each line is of the packet in the file, in its order" cmp ours theirs

# In each kind of file, under load, with all that a line can be.
for options in '' '--use-pcap' '-s 60' '-x' '--json'; do
	# shellcheck disable=SC2086 # words
	start_xdpdump -w "$scratch/f" --print $options udp
	capture=$pid printed=$out said=$err
	send -n 3000 -r 10000
	check "$options: it ends well" all_read "$capture"
	got=$(packets f)
	check "$options: packets in the file" test "$got" -ge 2000
	case $options in
	--json)
		equal "$options: captured" "$got" "$(json "$said" captured)"
		equal "$options: objects" "$got" "$(grep -c '^{"time":' "$printed")"
		;;
	*)
		equal "$options: captured" "$got" "$(count captured "$said")"
		equal "$options: lines" "$got" "$(lines "$printed")"
		;;
	esac
done
if "$xdpdump" --zstd -h > /dev/null 2>&1 && command -v zstd > /dev/null; then
	start_xdpdump -w f.zst --zstd --print -c 100 udp
	capture=$pid printed=$out
	send -n 200 -r 1000
	check "--zstd: it ends" ended "$capture" 10
	equal "--zstd: lines" 100 "$(lines "$printed")"
	zstd -qdcf f.zst > f
	equal "--zstd: packets" 100 "$(packets f)"
fi

# Several files, one stream of lines.
mkdir several
start_xdpdump -w several/f -b packets:100 --print udp
capture=$pid printed=$out said=$err
send -n 1050 -r 5000
check "several files: it ends well" all_read "$capture"
equal "several files: packets" "$(count captured "$said")" "$(packets_in several)"
equal "several files: lines" "$(count captured "$said")" "$(lines "$printed")"
check "several files: there are" test "$(find several -name 'f_*' | wc -l)" -ge 10

# Text whose reader goes: the capture ends with status 0, and the file is whole.
cat > to_head <<'END'
"$@" -w left.pcapng --print icmp 2> said.left || echo "status $?" > status.left
END
start ip netns exec "$right" sh -c 'sh to_head "$0" -i vb | head -n 3' "$xdpdump"
capture=$pid printed=$out
wait_for 20 grep -q 'listening on' said.left || bad "| head -n 3 does not start"
in_left ping -qc 20 -i 0.05 10.99.0.2 > /dev/null
check "| head -n 3 ends" ended "$capture" 10
equal "| head -n 3: lines" 3 "$(wc -l < "$printed")"
check "| head -n 3: status 0" fails test -e status.left
check "| head -n 3: no complaint" fails grep -q '^xdpdump: [^w]' said.left
check "| head -n 3: at least these are in the file" test "$(packets left.pcapng)" -ge 3
"$capcheck" --order none left.pcapng > checked 2>&1
equal "| head -n 3: the file ends with a whole block" 0 "$(json checked cut_bytes)"
equal "| head -n 3: the file has what is said" "$(count captured said.left)" "$(packets left.pcapng)"

# And while no packets come.
mkfifo pipe
start sh -c 'exec sleep 60 < pipe'
reader=$pid
start sh -c 'exec ip netns exec "$0" "$1" -i vb -w idle.pcapng --print -b packets:5 > pipe' "$right" "$xdpdump"
started_capturing
capture=$pid
settle "$capture"
stop "$reader" TERM
check "the reader goes and nothing comes: status 0" ended "$capture" 5

# Where the lines cannot go: told, and the file is whole.
start sh -c 'exec ip netns exec "$0" "$1" -i vb -w full.pcapng --print icmp > /dev/full' "$right" "$xdpdump"
started_capturing
capture=$pid said=$err
in_left ping -qc 3 -i 0.05 10.99.0.2 > /dev/null
ended "$capture" 10
equal "lines to a full disk: status" 1 $?
check "lines to a full disk: the reason" grep -q '^xdpdump: standard output: No space left on device$' "$said"
"$capcheck" --order none full.pcapng > checked 2>&1
equal "lines to a full disk: the file ends with a whole block" 0 "$(json checked cut_bytes)"
equal "lines to a full disk: the file has what is said" "$(count captured "$said")" "$(packets full.pcapng)"
fill_disk "the file on a full disk" '-t tmpfs -o size=1m none' --print
equal "the file on a full disk: packets said, and in the file" "$(count captured "$said")" "$(packets "$disk/f")"

# The option itself.
run_xdpdump -i vb -w - --print
equal "--print -w -: status" 1 "$state"
check "--print -w -: the reason" grep -q '^xdpdump: --print and --write - do not go together' "$err"
run_xdpdump -i vb -w made --files-per-queue --print
check "--print --files-per-queue: the reason" grep -q '^xdpdump: --print and --files-per-queue do not go together' "$err"
check "--print --files-per-queue: no file" fails test -e made-cpu0
start_xdpdump --print -c 1 icmp
capture=$pid printed=$out
in_left ping -qc 2 -i 0.1 10.99.0.2 > /dev/null
check "--print without --write: ends" ended "$capture" 10
equal "--print without --write: lines" 1 "$(lines "$printed")"
start_xdpdump --print-name -w named.pcapng -c 1 icmp
capture=$pid printed=$out
in_left ping -qc 2 -i 0.1 10.99.0.2 > /dev/null
check "--print-name is another option: ends" ended "$capture" 10
equal "--print-name is another option" named.pcapng "$(cat "$printed")"
finish
