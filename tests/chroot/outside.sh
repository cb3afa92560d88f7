# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of lib.sh, which comes first
# For tests that do their work in a fresh Debian.

# in_fresh SUITE SCRIPT [ARGUMENT...]: one of tests/, as root in that system. Its counts are ours. /mnt is
# $scratch/SUITE there. 77: no such system can be made here.
in_fresh()
{
	suite=$1 script=$2
	shift 2
	mkdir -p "$scratch/$suite"
	CHROOT_SHARE=$scratch/$suite sh "$top/tests/chroot/run.sh" "$suite" \
		env CHECK_SIZE="$CHECK_SIZE" sh "tests/$script" "$@" > "$scratch/said" 2>&1
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
		bad "$suite: $script $* ended with status $state"
	fi
	return "$state"
}
