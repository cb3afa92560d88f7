#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Options of xdp-tools' xdpdump: they do the same, or say why not.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump capinfos unshare mount ping
veth_pair
file=$scratch/f.pcap

# refused MESSAGE OPTION...
refused()
{
	message=$1
	shift
	run_xdpdump -i vb -w "$scratch/made" "$@"
	equal "$*: status" 1 "$state"
	check "$*: the reason" grep -q "^xdpdump: .*$message" "$err"
	check "$*: nothing is left" fails test -e "$scratch/made"
}

# --use-pcap: nanoseconds, all packets, cut by the snapshot length, in several files.
start_xdpdump --use-pcap -w "$file"
capture=$pid said=$err
send -n 20000 -r 100000 -s mix
check "--use-pcap: it ends well" stop "$capture" INT
equal "--use-pcap: packets said, and in the file" "$(count captured "$said")" "$(packets "$file")"
check "--use-pcap: every frame once" accounted "$scratch/f.pcap" --dropped 0
capinfos "$scratch/f.pcap" > "$scratch/said"
check "--use-pcap: nanoseconds" grep -q 'Wireshark/tcpdump/\.\.\. - nanosecond pcap' "$scratch/said"
check "--use-pcap: time" sh -c '[ "$(($(date +%s) - $(tcpdump -nn -tt -r "$0" -c 1 2> /dev/null | cut -d. -f1)))" -lt 60 ]' "$scratch/f.pcap"

start_xdpdump --use-pcap -s 40 -c 100 -w "$scratch/g.pcap" udp
capture=$pid
send -n 200 -r 10000
check "--use-pcap -s -c: ends by itself" ended "$capture" 10
equal "--use-pcap -s -c: packets" 100 "$(packets "$scratch/g.pcap")"
equal "--use-pcap -s -c: bytes" $((24 + 100 * (16 + 40))) "$(wc -c < "$scratch/g.pcap")"

mkdir "$scratch/files"
start_xdpdump --use-pcap -C 500K -w "$scratch/files/f"
capture=$pid
send -n 20000 -r 100000 -s 100
check "--use-pcap -C: it ends well" stop "$capture" INT
equal "--use-pcap -C: packets in the files" 20000 "$(packets_in "$scratch/files")"
between "--use-pcap -C: largest file" 400000 512000 "$(largest "$scratch/files")"

fill_disk "full disk" '-t tmpfs -o size=1m none' --use-pcap
equal "full disk: packets said, and in the file" "$(count captured "$said")" "$(packets "$disk/f")"
tcpdump -nnr "$disk/f" > /dev/null 2> "$scratch/said"
check "full disk: the file ends with a whole record" fails grep -q truncated "$scratch/said"

start ip netns exec "$right" sh -c '"$0" -i vb --use-pcap -c 10 -w - | tcpdump -nn -r - > "$1"' "$xdpdump" "$scratch/text"
started_capturing
capture=$pid
send -n 10 -r 1000
check "--use-pcap through a pipe ends" ended "$capture" 10
equal "--use-pcap through a pipe: packets" 10 "$(wc -l < "$scratch/text")"

run_xdpdump -i vb --use-pcap
equal "--use-pcap without --write: status" 1 "$state"
check "--use-pcap without --write: the reason" grep -q '^xdpdump: --use-pcap needs --write$' "$err"
if "$xdpdump" --zstd -h > /dev/null 2>&1; then
	refused 'do not go together' --use-pcap --zstd
fi

# What is there under other names.
for mode in native skb unspecified; do
	start_xdpdump --load-xdp-program --load-xdp-mode "$mode" --perf-wakeup 0 --rx-capture entry -c 5
	capture=$pid said=$err lines=$out
	in_left ping -qc 6 -i 0.05 -W 5 10.99.0.2 > /dev/null
	check "--load-xdp-mode $mode: ends by itself" ended "$capture" 10
	equal "--load-xdp-mode $mode: lines" 5 "$(grep -c '^[0-9.]*: xdpdump()@entry: packet size [0-9]* bytes on if_index' "$lines")"
	check "--load-xdp-program: its words" grep -q 'Will load a capture only XDP program!' "$said"
done
refused 'hw: a program in the network card' --load-xdp-mode hw
refused 'takes native, skb or unspecified' --load-xdp-mode fast
for value in both 'entry,' '' entry,both; do
	refused '--rx-capture takes entry, exit or entry,exit' --rx-capture "$value"
done
for value in dropped 'drop,' ''; do
	refused '--verdict takes aborted, drop, pass' --rx-capture exit --verdict "$value"
done
refused '--verdict needs --rx-capture exit' --verdict drop
refused '--verdict needs --rx-capture exit' --rx-capture entry,exit --verdict drop
refused '--program-names and --direction do not go together' -p all -Q inout
refused '--program-names needs the names or ids' -p ''
refused 'vb has no XDP program that could return one' --rx-capture exit --verdict drop

# Programs that are there already. Where fentry is allowed, tests/vm/programs.sh has the rest.
start_xdpdump -p all --rx-capture exit -c 5
capture=$pid said=$err
in_left ping -qc 6 -i 0.05 -W 5 10.99.0.2 > /dev/null
check "no XDP program: captures at the hook" ended "$capture" 10
check "no XDP program: says so" grep -q 'warning: vb has no XDP program: capturing as without' "$said"
start ip netns exec "$right" "$build/tests/hooks/foreign" xdp vb
foreign=$pid
wait_for 10 fails no_xdp_program "$right" vb || bad "no program of somebody else's"
refused 'no program or function of that name on vb; there are foreign_xdp@[0-9]*$' -p xdp_drop
refused 'no program or function of that name' -p foreign_xdp,5
refused 'it names none on vb; there are foreign_xdp@[0-9]*$' -p ,
refused 'no program with that id' -p foreign_xdp@5
refused 'leave --hook out' -p all --hook tc
for given in '--after drop' '--rest drop' '--engine divert' '--join on'; do
	# shellcheck disable=SC2086 # words
	refused "a capture on attached XDP programs only observes: leave $given out" -p all $given
done
start ip netns exec "$right" "$xdpdump" -i vb --hook tc -a duration:0.2 -w "$scratch/beside"
check "behind it: ends well" ended "$pid" 10
check "the file tells of it" sh -c 'capinfos "$0" 2> /dev/null | grep -q "XDP programs on vb: foreign_xdp@[0-9]*$"' \
	"$scratch/beside"
start ip netns exec "$right" "$xdpdump" -i vb -p all --rx-capture entry,exit -w "$scratch/made"
capture=$pid said=$err
if wait_for 10 grep -q '^listening on' "$said"; then
	check "on a program: ends well" stop "$capture" INT
else
	ended "$capture" 10
	equal "on a program, which this kernel forbids: status" 1 $?
	check "on a program, which this kernel forbids: the reason" grep -q \
		'^xdpdump: the kernel refuses fentry and fexit, which .* needs (.*); --hook tc captures behind them$' "$said"
	# shellcheck disable=SC2016 # for the inner shell
	start unshare -m sh -c 'mount -t tmpfs none /sys/kernel/security &&
		echo "none [integrity] confidentiality" > /sys/kernel/security/lockdown &&
		echo lockdown,capability,yama > /sys/kernel/security/lsm && exec nsenter "--net=/run/netns/$0" "$@"' \
		"$right" "$xdpdump" -i vb -p all -c 1
	ended "$pid" 20
	check "on a program, which this kernel forbids: what may be behind it" grep -q \
		'(lockdown: integrity; security modules: lockdown,capability,yama); --hook tc captures' "$err"
	check "on a program, which this kernel forbids: nothing is left" fails test -e "$scratch/made"
fi
check "their program is still there" fails no_xdp_program "$right" vb
stop "$foreign" TERM
check "-D: no program" sh -c 'ip netns exec "$0" "$1" -D | grep -Eq "vb +<No XDP program loaded!>"' "$right" "$xdpdump"
finish
