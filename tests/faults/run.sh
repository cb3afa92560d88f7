#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# run.sh: make check-faults, from the build directory. The last line is `N passed, N failed, N skipped`.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
passed=0 failed=0 skipped=0

for name in calls places campaign; do
	echo "== $name"
	sh "$here/$name.sh" 2>&1 | tee "tests/faults/$name.log"
	# shellcheck disable=SC2046 # three words
	set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' \
		"tests/faults/$name.log" | tail -n 1)
	if [ $# -eq 3 ]; then
		passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
	else
		echo "FAILED: $name ended without a result"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$passed" -gt 0 ] || exit 77
