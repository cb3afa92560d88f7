# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of the files it reads
# What the tests of hooks and directions share, on top of ../apps/lib.sh: pairs of captures, one by
# the system's tcpdump on AF_PACKET, one on an xdp: device, that must have the same frames.

# shellcheck source=tests/apps/lib.sh
. "$(dirname "$0")/../apps/lib.sh"
stream=$build/tests/pcap/stream
frame_options='-e -xx' # of tcpdump: what of a frame is compared
their_options=--immediate-mode # of AF_PACKET's tcpdump, at most one
ignored='' # filter expression of frames that same_frames leaves out

# start_pair NAME NAMESPACE INTERFACE OPTIONS [ARGUMENT...]: both captures, OPTIONS behind the name
# of ours; $ours_err is what ours says. Immediate, so that nothing is left in a block at the end.
start_pair()
{
	pair=$scratch/$1 pair_device=xdp:$3${4:+,}$4 pair_namespace=$2
	set -- "$@" # NAME NAMESPACE INTERFACE OPTIONS ARGUMENT...
	name=$1 interface=$3
	shift 4
	# shellcheck disable=SC2086 # one option, or none
	start ip netns exec "$pair_namespace" tcpdump -Z root $their_options -B 65536 -s 70000 -nn \
		-i "$interface" -w "$scratch/$name.theirs" "$@"
	echo "$pid" > "$pair.pids"
	their_err=$err
	# shellcheck disable=SC2046 # one word per variable
	start ip netns exec "$pair_namespace" env $(library_environment) tcpdump -Z root --immediate-mode \
		-s 70000 -nn -i "$pair_device" -w "$scratch/$name.ours" "$@"
	echo "$pid" >> "$pair.pids"
	ours_err=$err
	wait_for 20 grep -q 'listening on' "$ours_err" && wait_for 20 grep -q 'listening on' "$their_err" ||
		bad "captures on $interface and $pair_device do not start: $(head -n 3 "$ours_err")"
	cp "$ours_err" "$pair.said"
}

# end_pairs NAME...: both captures of each.
end_pairs()
{
	for name; do
		# shellcheck disable=SC2046 # two processes
		settle $(cat "$scratch/$name.pids")
	done
	for name; do
		# shellcheck disable=SC2046 # two processes
		kill -INT $(cat "$scratch/$name.pids")
	done
	for name; do
		for process in $(cat "$scratch/$name.pids"); do
			ended "$process" 10
		done
	done
}

# frames_of FILE: one line each, with all their bytes, in an order of no meaning.
frames_of()
{
	# shellcheck disable=SC2086 # words
	tcpdump -nn -t $frame_options -r "$1" ${ignored:+"not ($ignored)"} 2> "$scratch/unread" |
		awk '/^\t/ { printf " %s", $0; next } NR > 1 { print "" } { printf "%s", $0 } END { if (NR) print "" }' |
		sort
}

# Of what libpcap looks at itself, and not the kernel, as of the first frame behind pcap_setfilter(), 1.11 leaves out what
# the kernel's filter has found by a tag. lacks_first NAME: that is all that theirs lack.
lacks_first()
{
	tcpdump --version 2>&1 | grep -q 'libpcap version 1\.1[1-9]' || return
	tcpdump -c 1 -r "$scratch/$1.ours" -w "$scratch/first" 2> "$scratch/unread" || return
	frames_of "$scratch/first" > "$scratch/first.text"
	grep -q vlan "$scratch/first.text" &&
		comm -3 "$scratch/theirs.text" "$scratch/ours.text" | sed 's/^\t//' | cmp -s - "$scratch/first.text"
}

# same_frames NAME TEXT LEAST [MOST]: the pair's files hold the same frames, so many of them.
same_frames()
{
	frames_of "$scratch/$1.theirs" > "$scratch/theirs.text"
	frames_of "$scratch/$1.ours" > "$scratch/ours.text"
	if cmp -s "$scratch/theirs.text" "$scratch/ours.text" || lacks_first "$1"; then
		between "$2: the same frames" "$3" "${4:-1000000}" "$(wc -l < "$scratch/ours.text")"
	else
		bad "$2: $(wc -l < "$scratch/theirs.text") frames, ours $(wc -l < "$scratch/ours.text"), that differ"
		diff "$scratch/theirs.text" "$scratch/ours.text" | cut -c 1-180 > "$scratch/difference"
		show "$scratch/difference"
	fi
}

# One frame per segment, but checksums as the stack leaves them: what tc and AF_PACKET both see.
segments_only()
{
	in_left ethtool -K va tso off gso off gro off > /dev/null 2>&1
	in_right ethtool -K vb tso off gso off gro off > /dev/null 2>&1
	ip -n "$left" link set va gso_max_segs 1
	ip -n "$right" link set vb gso_max_segs 1
}

# tcp FROM-NAMESPACE TO-NAMESPACE ADDRESS BYTES: a transfer; fails unless all bytes arrive.
tcp()
{
	rm -f "$scratch/received"
	ip netns exec "$2" "$stream" tcp-receive 7000 10 > "$scratch/received" 2>&1 &
	receiver=$!
	started="$started $receiver"
	wait_for 5 grep -q ready "$scratch/received"
	ip netns exec "$1" "$stream" tcp-send "$3" 7000 "$4" > "$scratch/sent"
	ended "$receiver" 12
	grep -q -x "$4" "$scratch/received"
}

# batch TEXT NAMESPACE INTERFACE OPTIONS COMMAND: for each line "LEAST MOST [FILTER]" of the input a
# pair of captures, all at once, while the command sends; then they are compared.
batch()
{
	batch_text="$1 $4" batch_interface=$3 batch_options=$4 batch_namespace=$2 batch_command=$5
	cat > "$scratch/batch"
	pairs_started=''
	while read -r least most filter; do
		number=$(echo "$pairs_started" | wc -w)
		start_pair "$number" "$batch_namespace" "$batch_interface" "$batch_options" ${filter:+"$filter"}
		pairs_started="$pairs_started $number"
	done < "$scratch/batch"
	$batch_command
	# shellcheck disable=SC2086 # numbers
	end_pairs $pairs_started
	number=0
	while read -r least most filter; do
		same_frames "$number" "$batch_text${filter:+, '$filter'}" "$least" "$most"
		number=$((number + 1))
	done < "$scratch/batch"
}
