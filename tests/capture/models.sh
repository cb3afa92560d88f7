#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What one CPU stores, the other sees in an order that the ring, the doorbell and the exchange of filters can
# live with: Spin explores all states of the models in capture/. Each bug that is seeded has to be found.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
! is_quick || skip_all "all states take minutes: not in the quick form"
need spin cc

# States that are kept as they are take a quarter less time, and room for the six million of these.
collapse=''
[ "$ADOPT_RECORDS" -le 2 ] || collapse=-DCOLLAPSE

# explore MODEL DEFINES [OPTIMIZATION]: what Spin says of it, in $said. With -O2 the compiler takes longer by more than the
# search is shorter.
explore()
{
	room=$scratch/$(echo "$*" | tr -c 'a-zA-Z0-9\n' _)
	said=$room/said
	mkdir "$room" && cp "$top"/capture/ring/*.pml "$top"/capture/read/*.pml "$room" || return 1
	# shellcheck disable=SC2086 # defines are words
	(
		cd "$room" && spin -a $2 "$1.pml" && cc "${3:--O1}" -w -DSAFETY $collapse -DMEMLIM=3000 -o pan pan.c &&
			timeout 900 ./pan -m100000
	) > "$said" 2>&1
	! grep -q 'search depth too small\|hash table full\|reached.*limit' "$said"
}

# holds MODEL [DEFINES]
holds()
{
	check "$1 $2: all states are explored" explore "$1" "$2"
	check "$1 $2: what it asserts holds" grep -q 'errors: 0' "$said"
	sed -n 's/^ *\([0-9]*\) states, stored.*/      \1 states/p' "$said"
}

# finds MODEL DEFINES: these leave out what the model is there to defend. The search is short, the compiler is not.
finds()
{
	explore "$1" "$2" -O0
	check "$1 $2: found" grep -q 'errors: 1' "$said"
	[ "$(grep -c '^pan:1: \(assertion violated\|invalid end state\)' "$said")" = 1 ] || show "$said"
}

for size in '' -DLONG_CHUNKS; do
	holds chunks "$size"
	holds chunks "$size -DXCHG"
	holds chunks "$size -DXCHG -DWEAK"
	finds chunks "$size -DWEAK"
	for bug in HEAD_FIRST TAIL_FIRST USED_LATE; do
		finds chunks "$size -DBUG_$bug"
	done
done

# Two CPUs take turns in one ring.
holds shared ''
holds shared -DXCHG
holds shared '-DXCHG -DWEAK'
finds shared -DWEAK
for bug in LOOKS_FIRST PLAIN_END; do
	finds shared "-DXCHG -DWEAK -DBUG_$bug"
done
finds shared -DBUG_LOOKS_FIRST

holds doorbell '-DXCHG'
holds doorbell '-DXCHG -DWEAK'
holds doorbell '-DXCHG -DSELECTS'
for bug in NO_FENCE BELL_FIRST 'EMPTY_LATE -DSELECTS'; do
	finds doorbell "-DXCHG -DBUG_$bug"
done
finds doorbell '' # plain stores are for who has a timer:

holds doorbell '-DTIMER'
holds doorbell '-DTIMER -DSELECTS'
holds doorbell '-DTIMER -DXCHG -DWEAK'
for bug in NO_FENCE NO_LAST_LOOK NO_DUE; do
	finds doorbell "-DTIMER -DBUG_$bug"
done

# The reader leaves rings that are silent.
holds doorbell '-DTIMER -DLEAVES'
holds doorbell '-DTIMER -DLEAVES -DSELECTS'
holds doorbell '-DTIMER -DLEAVES -DXCHG -DWEAK'
for bug in LEAVES_UNARMED NO_SECOND_LOOK NO_STIR; do
	finds doorbell "-DTIMER -DLEAVES -DBUG_$bug"
done

holds adopt "-DRECORDS=$ADOPT_RECORDS"
for bug in NO_LIMIT NO_DISTRUST NO_GRACE REFUSED_COUNTS; do
	finds adopt "-DRECORDS=2 -DBUG_$bug"
done

finish
