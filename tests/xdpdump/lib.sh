# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What the tests of xdpdump share, on top of ../lib.sh: captures run in $right on vb.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
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
	wait_for 20 grep -q '^listening on' "$err" && return
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

# run_xdpdump ARGUMENT...: in $right, to its end, within 20 s. Its status in $state; $out and $err.
run_xdpdump()
{
	start ip netns exec "$right" "$xdpdump" "$@"
	ended "$pid" 20
	state=$?
}

# send OPTION...: of trafgen, from va; its report is $scratch/sent.
send()
{
	in_left "$trafgen" -i va "$@" > "$scratch/sent" 2> "$scratch/sent.err" && return
	bad "trafgen $*"
	show "$scratch/sent.err"
	finish
}

# count captured|received|dropped FILE: of the closing statistics in FILE.
count()
{
	case $1 in
	captured) words='packets captured' ;;
	received) words='packets received by filter' ;;
	dropped) words='packets dropped by kernel' ;;
	esac
	sed -n "s/^\\([0-9]*\\) $words\$/\\1/p" "$2"
}

# accounted FILE [OPTION...]: capcheck, with options, finds every frame of the last send, delivered or dropped.
accounted()
{
	file=$1
	shift
	"$capcheck" "$@" --json "$scratch/sent" "$file"
}
