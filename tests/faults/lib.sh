# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2034,SC2154 # variables are for the files that read it, or theirs
# What a round of the campaign is made of: chance, the capture that meets the fault, a program that runs
# through all rounds and captures in each, and the sender.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
xdpdump=$build/xdpdump/xdpdump
failing=$build/tests/faults/failing.so
foreign=$build/tests/hooks/foreign
folder=$scratch/files
FIRST_AFTERWARDS=10000000 LAST_AFTERWARDS=10000999

# chance N: $chance is from 0 to N-1, by the generator of tests/random.h.
chance()
{
	random=$((random ^ (random << 13)))
	random=$((random ^ ((random >> 7) & 0x01ffffffffffffff)))
	random=$((random ^ (random << 17)))
	chance=$((((random >> 33) & 0x7fffffff) % $1))
}

# begin_chance SEED: neighbours have nothing in common.
begin_chance()
{
	random=$((($1 + 1) * 88172645463325253))
	for _ in 1 2 3 4; do
		chance 2
	done
}

# between_ms LOW HIGH: $ms; nap LOW HIGH: sleeps so long.
between_ms()
{
	chance $(($2 - $1 + 1))
	ms=$(($1 + chance))
}

nap()
{
	between_ms "$1" "$2"
	sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
}

# one_of WORD...: $one
one_of()
{
	chance $#
	shift "$chance"
	one=$1
}

# wrong TEXT: something is, in this round.
wrong()
{
	faulty=yes
	bad "round $rounds, seed $((seed + rounds - 1)): $title: $1"
	[ ! -s "${said:-/nonexistent}" ] || show "$said"
}

begin_round()
{
	veth_pair numrxqueues 2 numtxqueues 2
	in_left ethtool -L va rx 1 tx 1 > "$scratch/ethtool" 2>&1
	in_right ethtool -L vb rx 1 tx 1 > "$scratch/ethtool" 2>&1
	in_right ethtool -K vb gro on # it polls, program or not
	rm -rf "$folder"
	mkdir "$folder"
	said='' report='' capture='' over=no
}

# device_options: $hook and $ring as options of a device.
device_options()
{
	case $hook in
	auto) echo "ring=$ring" ;;
	divert) echo "engine=divert,ring=$ring" ;;
	sockets) echo "engine=divert,zero-copy=off,ring=$ring" ;;
	*) echo "hook=$hook,ring=$ring" ;;
	esac
}

# command_options: the same of xdpdump.
command_options()
{
	device_options | sed 's/,/ --/g; s/^/--/; s/=/ /g'
}

# start_victim: the capture that meets the fault, by $launcher if there is one.
# shellcheck disable=SC2086,SC2046 # words
start_victim()
{
	rm -f "$scratch/ready"
	if [ "$who" = xdpdump ]; then
		start ip netns exec "$right" $launcher "$xdpdump" -i vb $(command_options) ${given:--w $folder/f} udp
	else
		start_capture $launcher "$build/testprogs/pcapread" -i "xdp:vb,$(device_options)" --nano -Q in \
			-f udp --ready "$scratch/ready" -t 60
	fi
	capture=$pid report=$out said=$err
	wait_for 20 is_started && ! process_gone "$capture" && return
	wrong "the capture does not start"
	ended "$capture" 1
	return 1
}

# is_started: it captures, or it has ended.
is_started()
{
	process_gone "$capture" && return
	if [ "$who" = xdpdump ]; then
		grep -q 'listening on' "$said"
	else
		[ -e "$scratch/ready" ]
	fi
}

# end_victim: it reads what there is; its status in $ended_with.
end_victim()
{
	[ "$over" = no ] || return
	over=yes
	if process_gone "$capture"; then
		ended "$capture" 1
	else
		all_read "$capture"
	fi > "$scratch/ended"
	ended_with=$?
	[ ! -s "$scratch/ended" ] || wrong "$(cat "$scratch/ended")"
}

# kill_victim: and wait for its end.
kill_victim()
{
	kill -KILL "$capture"
	ended "$capture" 10 2> "$scratch/killed"
	ended_with=$? over=yes
}

# not_here WHY: this kind cannot be, which is said once.
not_here()
{
	case ${unable:-} in
	*" $kind "*) ;;
	*) skip "$kind: $1" ;;
	esac
	unable="${unable:-} $kind "
}

# --- The sender.

send_begin()
{
	between_ms 5 40
	rate=$((ms * 1000))
	between_ms 800 1500
	start in_left "$build/testprogs/trafgen" -i va -n $((rate * ms / 1000)) -r "$rate" -s mix --cpu 0
	sender=$pid sender_report=$out
}

send_end()
{
	ended "$sender" 30 > "$scratch/ended"
	sent=$(json "$sender_report" sent)
}

# What comes once the interface is back.
send_afterwards()
{
	in_left "$build/testprogs/trafgen" -i va -n 1000 -r 20000 --start-seq $FIRST_AFTERWARDS \
		> "$scratch/afterwards" 2>&1
	sent=$((sent + $(json "$scratch/afterwards" sent)))
}

# --- What xdpdump leaves.

# has_statistics: what it counted was said. Else each said_count would be 0, and add up.
has_statistics()
{
	grep -q '^[0-9]* packets captured$' "$said" && return
	wrong "no closing statistics: status $ended_with: $(tail -n 1 "$said")"
	return 1
}

said_count()
{
	number=$(sed -n "s/^\\([0-9]*\\) $1\$/\\1/p" "$said" | tail -n 1)
	echo "${number:-0}"
}

in_files()
{
	total=0
	for one in "$folder"/*; do
		[ ! -f "$one" ] || total=$((total + $(packets "$one")))
	done
	echo "$total"
}

# --- The program that stays.

# shellcheck disable=SC2016,SC2046 # an inner shell; one word per variable
resident_begin()
{
	mkfifo "$scratch/commands"
	start sh -c 'exec "$@" < "$0"' "$scratch/commands" env $(library_environment) \
		"$build/tests/faults/resident"
	resident=$pid answers=$out answered=0
	exec 3> "$scratch/commands"
}

has_answered()
{
	[ "$(wc -l < "$answers")" -gt "$answered" ]
}

# resident_asked COMMAND: its answer in $answer.
resident_asked()
{
	echo "$1" >&3
	answer=
	wait_for 20 has_answered || {
		wrong "the program that stays does not answer"
		return
	}
	answered=$((answered + 1))
	answer=$(sed -n "${answered}p" "$answers")
}

resident_open()
{
	resident_asked "open /run/netns/$right xdp:vb,hook=tc,ring=4M"
	[ "$answer" = opened ] || wrong "the program that stays cannot open: $answer"
}

# resident_close: its account, and what it has then. Its first close says what it has for ever.
resident_close()
{
	settle "$resident"
	resident_asked close
	belongings=$(echo "$answer" | sed 's/^closed [0-9]* [0-9]* \(.*\);.*/\1/')
	[ "$belongings" = "${belongings_before:=$belongings}" ] ||
		wrong "the program that stays had descriptors and KiB mapped: $belongings_before, and has $belongings"
	[ "$hook" != divert ] && [ "$hook" != sockets ] || return
	# shellcheck disable=SC2086 # words
	set -- $answer
	if [ "$resident_sees" = all ]; then
		[ $(($2 + $3)) -eq "$sent" ] || wrong "the program that stays has $2 and lost $3 of $sent: $answer"
	else
		[ $(($2 + $3)) -le "$sent" ] || wrong "the program that stays has $2 and lost $3 of $sent: $answer"
	fi
}
