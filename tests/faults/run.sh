#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# run.sh: make check-faults, from the build directory. The last line is `N passed, N failed, N skipped`.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
passed=0 failed=0 skipped=0

# judge NAME: by what it printed.
judge()
{
	echo "== $1"
	cat "tests/faults/$1.log"
	# shellcheck disable=SC2046 # three words
	set -- "$1" $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' \
		"tests/faults/$1.log" | tail -n 1)
	if [ $# -eq 4 ]; then
		passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
	else
		echo "FAILED: $1 ended without a result"
		failed=$((failed + 1))
	fi
}

# Rounds wait for what happens to them, meanwhile each call fails once.
sh "$here/campaign.sh" > tests/faults/campaign.log 2>&1 &
campaign=$!
trap 'kill $campaign 2> /dev/null; exit 130' INT TERM
for name in calls places; do
	sh "$here/$name.sh" > "tests/faults/$name.log" 2>&1
	judge $name
done
wait "$campaign"
judge campaign
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$passed" -gt 0 ] || exit 77
