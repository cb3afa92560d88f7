# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154,SC2034 # variables of lib.sh, which comes first; of an eval
# What a virtual machine said on its console.

# judge LOG TESTS: counts what these tests counted, tells what failed and why others were skipped.
judge()
{
	log=$1
	tr -d '\r' < "$log" > "$scratch/log"
	grep -E '^(== |FAILED|skipped|able: |    |[0-9]+ s$|[0-9]+ passed, )' "$scratch/log" | grep -v '^== end'
	for kind in passed failed skipped; do
		number=$(sed -n "s/^[0-9]* passed, .*/, &,/;s/.*, \\([0-9]*\\) $kind,.*/\\1/p" "$scratch/log" |
			awk '{ n += $1 } END { print n + 0 }')
		eval "$kind=\$(($kind + number))"
	done
	# Killed, or ended by the time limit: no counts.
	unended=$(awk '
		/^== [^ ]+$/ { if (test != "" && test != "end") print test; test = $2 }
		/^[0-9]+ passed, .* skipped$/ { test = "" }
		END { if (test != "" && test != "end") print test }' "$scratch/log")
	[ -z "$unended" ] || bad "did not end: $(echo "$unended" | xargs)"
	for test in $2; do
		grep -q -x "== $test" "$scratch/log" || bad "did not begin: $test"
	done
	grep -q '^== end' "$scratch/log" || {
		bad "it did not come to its end: $log"
		tail -n 20 "$scratch/log"
	}
}
