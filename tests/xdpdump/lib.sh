# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# What the tests of xdpdump share, on top of tests/lib.sh: captures run in $right on vb.

# By its path from the top: those who read this are in folders of several depths.
# shellcheck source=tests/lib.sh
. "${0%tests/*}tests/lib.sh"
xdpdump=$build/xdpdump/xdpdump
trafgen=$build/testprogs/trafgen
capcheck=$build/testprogs/capcheck

need_xdpdump()
{
	[ -x "$xdpdump" ] || skip_all "xdpdump was not built: make xdpdump/xdpdump"
}

# started_capturing: has the xdpdump that was started last said that it listens?
started_capturing()
{
	# Not at the line's beginning: another program may have written to the file as well.
	wait_for 120 grep -q 'listening on' "$err" && return
	bad "xdpdump $* does not start"
	show "$err"
	finish
}

# start_xdpdump OPTION...: on vb in $right, and wait until it listens; $pid, $out, $err as by start.
# Under nohup SIGHUP is ignored, which a shell cannot take back.
start_xdpdump()
{
	start ip netns exec "$right" env --default-signal=HUP "$xdpdump" -i vb "$@"
	started_capturing "$@"
}

# lacks_who FILE: xdpdump says there that of this kernel, or with these privileges, nobody gets --who.
lacks_who()
{
	grep -q '^xdpdump: --who.* \(needs\|has no privilege\|have to see all processes\)' "$1"
}

# start_who OPTION...: with processes, as JSON in $packets; $capture and $said. Skips where nobody gets --who.
start_who()
{
	start "$xdpdump" --netns "$right" -i vb --json "$@"
	capture=$pid packets=$out said=$err
	wait_for 120 grep -q 'listening on\|^xdpdump: ' "$said"
	grep -q 'listening on' "$said" && return
	lacks_who "$said" && skip_all "$(cat "$said")"
	bad "it starts: $*"
	show "$said"
	finish
}

# fields FIELD...: of each packet of $file, in a line.
fields()
{
	wanted_fields=''
	for field; do
		wanted_fields="$wanted_fields -e $field"
	done
	# shellcheck disable=SC2086,SC2154 # words; $file is of the test
	# tshark 4.4 puts \ in front of spaces in a field.
	tshark -r "$file" -T fields -E separator=/s $wanted_fields 2> /dev/null | sed 's/\\ / /g'
}

# run_xdpdump ARGUMENT...: in $right, to its end, within two minutes. Its status in $state; $out and $err.
run_xdpdump()
{
	start ip netns exec "$right" "$xdpdump" "$@"
	ended "$pid" 120
	state=$?
}

# is_refused WORDS OPTION...: with these words, and status 1.
is_refused()
{
	words=$1
	shift
	run_xdpdump -i vb "$@"
	equal "$*: status" 1 "$state"
	check "$*: why" grep -q -- "$words" "$err"
}

# send OPTION...: of trafgen, from va; its report is $scratch/sent.
send()
{
	in_left "$trafgen" -i va "$@" > "$scratch/sent" 2> "$scratch/sent.err" && return
	bad "trafgen $*"
	show "$scratch/sent.err"
	finish
}

# count captured|received|dropped FILE: of the closing statistics in FILE. Without them a word, as json has it.
count()
{
	case $1 in
	captured) words='packets captured' ;;
	received) words='packets received by filter' ;;
	dropped) words='packets dropped by kernel' ;;
	esac
	sed -n "s/^\\([0-9]*\\) $words\$/\\1/p" "$2" | grep . || echo "no.$1.said"
}

# accounted FILE [OPTION...]: capcheck, with options, finds every frame of the last send, delivered or dropped.
accounted()
{
	file=$1
	shift
	"$capcheck" "$@" --json "$scratch/sent" "$file"
}

# packets_in FOLDER: in all files of it.
packets_in()
{
	total=0
	for one in "$1"/*; do
		total=$((total + $(packets "$one")))
	done
	echo "$total"
}

# largest FOLDER: bytes of its largest file.
largest()
{
	# shellcheck disable=SC2012 # names are ours
	ls -lS "$1" | awk 'NR == 2 { print $5 }'
}

# fill_disk NAME DISK OPTION...: xdpdump with the options writes more than there is room for on DISK, in
# words for mount, which only it sees (ip netns exec makes a mount namespace for each command). What it
# said is then $said, its files are in $disk.
disk=$scratch/disk
fill_disk()
{
	name=$1 mounted=$2
	shift 2
	rm -rf "$disk"
	mkdir -p "$disk" "$scratch/small"
	# shellcheck disable=SC2016 # for the inner shell
	start ip netns exec "$right" sh -c 'small=$1 disk=$2
		mount $3 "$small" || exit 99
		shift 3
		"$@" -w "$small/f"
		status=$?
		cp "$small"/f* "$disk"
		umount "$small"
		exit $status' sh "$scratch/small" "$disk" "$mounted" "$xdpdump" -i vb "$@"
	started_capturing "$@"
	capture=$pid said=$err
	send -n 100000 -r 100000 -s mix
	ended "$capture" 20
	equal "$name: status" 1 $?
	check "$name: the reason" grep -q '^xdpdump: .*/small/f.*: No space left on device$' "$said"
}

# whole_files NAME FOLDER: each ends with a whole block and has no frame spoilt or twice, and together they have what
# $said tells of.
whole_files()
{
	for one in "$2"/*; do
		"$capcheck" --order none "$one" > "$scratch/checked" 2>&1
		equal "$1: $(basename "$one"): bytes behind the last whole block; frames that are spoilt, and twice" "0 0 0" \
			"$(json "$scratch/checked" cut_bytes) $(json "$scratch/checked" corrupt) $(json "$scratch/checked" duplicates)"
	done
	equal "$1: packets said, and in the files" "$(count captured "$said")" "$(packets_in "$2")"
}

# kill_amidst COMMAND...: kill -9 $capture while $sender sends, once the command succeeds. Its status.
kill_amidst()
{
	in_left "$trafgen" -i va -n 100000 -r 100000 -s mix > "$scratch/sent" 2>&1 &
	sender=$!
	started="$started $sender"
	# The sender may take its time to begin.
	until "$@" || process_gone "$sender"; do
		sleep 0.05
	done
	kill -KILL "$capture"
	ended "$capture" 5
}

# is_longer BYTES FILE
is_longer()
{
	[ "$(wc -c < "$2")" -gt "$1" ]
}
