#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What the tests share fails where it must: for what is missing, crashes, hangs, or was never asked for.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/xdpdump/lib.sh"
hangs_after=1

# verdict NAME COUNTS COMMAND...: passed and failed of a test that consists of this alone.
verdict()
{
	verdict_name=$1 wanted=$2
	shift 2
	equal "$verdict_name" "$wanted" "$(
		passed=0 failed=0
		"$@" > /dev/null 2>&1
		echo "$passed $failed"
	)"
}

# runs SECONDS PROGRAM: it is started, and waited for.
runs()
{
	start sh -c "$2"
	ended "$pid" "$1"
}

# adds_up WORD: is it a number to the shell? A shell that is to add up something else ends.
adds_up()
{
	(
		trap - EXIT
		[ $(($1 + 1)) -ge 0 ]
	)
}

echo '{"frames": 3, "lost": 0}' > "$scratch/report"
echo '3 packets captured' > "$scratch/said"
: > "$scratch/empty"
for word in "$(json "$scratch/empty" frames)" "$(json "$scratch/missing" frames 2> /dev/null)" "$(packets "$scratch/missing")" \
	"$(packets "$scratch/empty")" "$(count captured "$scratch/empty")" "$(tcpdump_count dropped "$scratch/said")"; do
	verdict "$word: is not 0" "0 1" equal it 0 "$word"
	verdict "$word: is not between" "0 1" between it 0 10 "$word"
	verdict "$word: twice is not the same" "0 1" equal both "$word" "$word"
	check "$word: no sum takes it" fails adds_up "$word"
done
equal "what is reported" "3 0 3 3" "$(json "$scratch/report" frames) $(json "$scratch/report" lost) $(count captured "$scratch/said") \
$(tcpdump_count captured "$scratch/said")"
check "a sum takes it" adds_up "$(json "$scratch/report" frames)"
verdict "what agrees" "1 0" equal it 3 3
verdict "what does not" "0 1" equal it 3 4
verdict "nothing is the same as nothing" "0 1" same it '' ''
verdict "none are as many as none" "0 1" same it 0 0
verdict "some are as many as some" "1 0" same it 3 3
verdict "a check of a program that is not there" "0 1" check it "$scratch/missing"
verdict "one that crashes has not said no" "0 1" check it fails sh -c 'kill -SEGV $$'
verdict "grep without a file has not said no" "0 1" check it fails grep -q nothing "$scratch/missing"
verdict "one that ends" "0 0" runs 10 'exit 3'
verdict "one that is killed" "0 0" runs 10 'kill -KILL $$'
verdict "one that crashes" "0 1" runs 10 'kill -SEGV $$'
verdict "one that gives up by abort" "0 1" runs 10 'kill -ABRT $$'
verdict "one that hangs" "0 1" runs 0 'exec sleep 60'
hangs_after=30
runs 0 'sleep 0.2' > "$scratch/late"
equal "one that comes late: its status, for who asks" 124 $?
verdict "one that comes late" "0 0" runs 0 'sleep 0.2'
(
	trap - EXIT
	passed=0 failed=0 skipped=0
	finish
) > "$scratch/finished"
equal "a test that asks for nothing: its status" 1 $?
# shellcheck disable=SC2016 # for the shell inside
sh -c '. "$1"
	echo "$scratch" > "$2"
	at_exit "kill -TERM $$"
	kill -TERM $$' "$0" "$top/tests/lib.sh" "$scratch/twice"
check "a second signal while it cleans up: nothing is left" test ! -e "$(cat "$scratch/twice")"
finish
