#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The Debian packages, in fresh systems: one builds them (build_debs.sh), another has them installed, used,
# upgraded and purged (use_debs.sh). `make check-packages SUITE=bookworm`; the long form has both suites.
#
# What is downloaded stays in CHROOT_CACHE for the next time.

# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"

# in_fresh SCRIPT: its counts are ours; 77: it cannot be made here.
in_fresh()
{
	CHROOT_SHARE=$scratch/$suite sh "$top/tests/chroot/run.sh" "$suite" \
		env CHECK_SIZE="$CHECK_SIZE" sh "tests/packaging/$1" > "$scratch/said" 2>&1
	state=$?
	sed '$d' "$scratch/said"
	counts=$(tail -n 1 "$scratch/said" |
		sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
	if [ -n "$counts" ]; then
		# shellcheck disable=SC2086 # three numbers
		set_counts $counts
	elif [ "$state" -eq 77 ]; then
		skip_all "$(sed -n 's/^skipped: //p' "$scratch/said")"
	else
		tail -n 1 "$scratch/said"
		bad "$suite: $1 ended with status $state"
	fi
	return "$state"
}

suites=bookworm
[ "$CHECK_SIZE" != long ] || suites='bookworm trixie'
for suite in ${SUITE:-$suites}; do
	mkdir "$scratch/$suite"
	in_fresh build_debs.sh && in_fresh use_debs.sh
done
finish
