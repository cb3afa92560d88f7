#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Rounds of faults: in each a capture, traffic, and a fault of a kind that the table `kinds.txt` names, chosen by
# chance. What was sent is delivered or counted, or is missing as the table says; and nothing is left.
#
# FAULTS_SECONDS, FAULTS_ROUNDS: what ends it, whichever comes first. FAULTS_KINDS: of these kinds alone.
# FAULTS_SEED: the first round's; each round has the next one. To run a failed round again:
# FAULTS_SEED=that of the round FAULTS_ROUNDS=1.
# shellcheck source=tests/faults/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/faults/inventory.sh
. "$top/tests/faults/inventory.sh"
# shellcheck source=tests/faults/faults.sh
. "$top/tests/faults/faults.sh"
# shellcheck source=tests/faults/scarce.sh
. "$top/tests/faults/scarce.sh"
need_root
need_library
need tcpdump bpftool ethtool mkfifo
need_testprog trafgen pcapread capcheck
[ -x "$build/xdpdump/xdpdump" ] || skip_all "xdpdump was not built: make xdpdump/xdpdump"
[ -x "$build/tests/faults/resident" ] || skip_all "tests/faults/resident was not built: make check-faults"
seed=${FAULTS_SEED:-$(date +%s)}

table()
{
	grep -v -e '^#' -e '^$' "$top/tests/faults/kinds.txt"
}

# choose: $kind, $who, $missing of this round, and how the capture is attached.
choose()
{
	kinds=${FAULTS_KINDS:-$(table | cut -f 1)}
	# shellcheck disable=SC2086 # words
	set -- $kinds
	chance $#
	shift "$chance"
	kind=$1
	# shellcheck disable=SC2046 # words
	set -- $(table | awk -v kind="$kind" '$1 == kind { print $2, $3 }')
	[ $# -eq 2 ] || {
		bad "$kind is no kind of the table"
		finish
	}
	who=$1 missing=$2
	one_of auto tc packet divert sockets
	hook=$one
	one_of 1M 4M 16M
	ring=$one
}

# account: of the capture.
account()
{
	case $who:$missing in
	*:later) account_later ;;
	xdpdump:*) account_file ;;
	open:refused) [ "$opened" = no ] || account_reader ;;
	*) account_reader ;;
	esac
}

# within WHAT DELIVERED LOST: no more than was sent.
within()
{
	account="$2 delivered + $3 lost of $sent"
	[ $(($2 + $3)) -le "$sent" ] || wrong "$1: sent $sent, but $account"
}

# exactly WHAT DELIVERED LOST: all that was sent.
exactly()
{
	account="$2 delivered + $3 lost of $sent"
	[ $(($2 + $3)) -eq "$sent" ] || wrong "$1: sent $sent, but $account"
}

# pcapread's report has nothing that was not sent so, once.
is_sound()
{
	for fault in corrupt duplicates short_captures; do
		[ "$(json "$report" $fault)" -eq 0 ] || wrong "$(json "$report" $fault) frames are $fault"
	done
}

account_reader()
{
	if [ "$kind" = squeezed ] && [ "$ended_with" -eq 137 ]; then
		account='killed by the kernel for want of memory'
		return
	fi
	delivered=$(json "$report" delivered) lost=$(json "$report" ps_drop)
	[ "$ended_with" -eq 0 ] || wrong "pcapread ends with $ended_with: $(tail -n 1 "$said")"
	is_sound
	if [ "$missing" = away ]; then
		within pcapread "$delivered" "$lost"
		[ "$(json "$report" highest)" -eq $LAST_AFTERWARDS ] || wrong "what was sent afterwards is missing"
	else
		exactly pcapread "$delivered" "$lost"
	fi
}

# What xdpdump says of itself agrees with its files.
account_file()
{
	has_statistics || return
	captured=$(said_count 'packets captured') received=$(said_count 'packets received by filter')
	lost=$(said_count 'packets dropped by kernel') unwritten=$(said_count 'packets not kept: .*')
	account="$captured captured + $lost dropped + $unwritten not kept of $received received, $sent sent"
	[ "$received" -eq $((captured + lost + unwritten)) ] || wrong "does not add up: $account"
	# What was in the pipe is gone with who read it.
	[ "$(in_files)" -eq "$captured" ] || { [ "$kind" = pipe_gone ] && [ "$(in_files)" -lt "$captured" ]; } ||
		wrong "$(in_files) packets are in the files: $account"
	case $missing in
	unwritten)
		[ "$received" -le "$sent" ] || wrong "more than was sent: $account"
		[ "$unwritten" -eq 0 ] && [ "$ended_with" -eq 0 ] || has_reason
		;;
	away) [ "$received" -le "$sent" ] || wrong "more than was sent: $account" ;;
	*)
		[ "$received" -eq "$sent" ] || wrong "not all was received: $account"
		[ "$ended_with" -eq 0 ] || wrong "ends with $ended_with"
		;;
	esac
}

# A status and a sentence.
has_reason()
{
	grep -q -e '^xdpdump: ' -e 'packets not kept: ' "$said" || wrong "no reason is given"
	[ "$kind" = pipe_gone ] || [ "$ended_with" -ne 0 ] || wrong "ends with status 0 although not all is written"
}

# A capture that ended before the sender.
account_later()
{
	account='ended before'
	case $who in
	xdpdump)
		[ "$ended_with" -eq 137 ] || account_part
		[ "$(in_files)" -le "$sent" ] || wrong "more packets in the files than were sent"
		;;
	reader)
		[ "$ended_with" -ne 137 ] || return
		is_sound
		within pcapread "$(json "$report" delivered)" "$(json "$report" ps_drop)"
		;;
	esac
}

account_part()
{
	has_statistics || return
	captured=$(said_count 'packets captured') received=$(said_count 'packets received by filter')
	lost=$(said_count 'packets dropped by kernel')
	account="$captured captured + $lost dropped of $received received, $sent sent"
	[ "$received" -eq $((captured + lost)) ] || wrong "does not add up: $account"
	[ "$(in_files)" -eq "$captured" ] || wrong "$(in_files) packets are in the files: $account"
	[ "$received" -le "$sent" ] || wrong "more than was sent: $account"
}

# amid_traffic: the fault comes while frames do.
amid_traffic()
{
	! command -v "prepare_$kind" > /dev/null || "prepare_$kind"
	start_victim || return
	opened=yes
	send_begin
	nap 50 400
	"$kind"
	send_end
	[ "$missing" != away ] || send_afterwards
	end_victim
}

# amid_open: the fault is there while the capture opens; then frames come.
amid_open()
{
	"$kind"
	[ "$opened" = yes ] || return
	send_begin
	send_end
	end_victim
}

round()
{
	begin_chance "$1"
	faulty=no account='' ended_with=0 sent=0 opened=no resident_sees=all given='' launcher='' renamed='' lives_in=''
	choose
	title="$kind, $hook, ring=$ring"
	begin_round
	case $who in
	open) amid_open ;;
	*)
		resident_open
		amid_traffic
		;;
	esac
	[ "$opened" = no ] || account
	[ "$who" = open ] || resident_close
	let_loaders_go
	inventory
	leave_group
	[ "$faulty" = yes ] || ok "round $rounds, seed $1: $title${account:+: $account}"
}

echo "# seed $seed: FAULTS_SEED=$seed runs the same rounds"
inventory_begin
resident_begin
rounds=0
while [ "$rounds" -lt "$FAULTS_ROUNDS" ] && [ $(($(date +%s) - begun)) -lt "$FAULTS_SECONDS" ]; do
	rounds=$((rounds + 1))
	round $((seed + rounds - 1))
done
echo "# $rounds rounds, seeds $seed to $((seed + rounds - 1)); $(table | wc -l) kinds"
finish
