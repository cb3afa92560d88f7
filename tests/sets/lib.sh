# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of the files it reads
# What the tests of files of addresses, ports and flows share: their oracles, and what xdpdump refuses.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

# oracle PROGRAM ARGUMENT...: what it found is found here, too.
oracle()
{
	program=$1
	shift
	"$build/tests/sets/$program" "$@" > "$scratch/oracle"
	grep -e ^ok -e ^FAILED "$scratch/oracle"
	passed=$((passed + $(grep -c ^ok "$scratch/oracle"))) failed=$((failed + $(grep -c ^FAILED "$scratch/oracle")))
	check "the oracle came to its end" grep -q ' passed, 0 failed' "$scratch/oracle"
}

# refuses_options WORDS OPTION...: xdpdump does not begin with these, and says so.
refuses_options()
{
	words=$1
	shift
	in_right timeout 120 "$build/xdpdump/xdpdump" -i vb "$@" -c 1 > "$scratch/said" 2>&1
	status=$?
	if [ "$status" -eq 1 ] && grep -qF -- "$words" "$scratch/said"; then
		ok "refused: $words"
	else
		bad "refused, with status $status: $words"
		show "$scratch/said"
	fi
}
