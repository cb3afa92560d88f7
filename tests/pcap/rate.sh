#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Small frames by the million, at the highest rate that loses none and flat out: what was sent is
# delivered or counted as dropped, none is corrupt, twice or out of order.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need_testprog trafgen pcapread
veth_pair
frames=$RATE_FRAMES

# capture NAME SENDER_OPTION...: leaves the counts in $scratch/counts.
capture()
{
	name=$1
	shift
	rm -f "$scratch/ready"
	start_capture "$build/testprogs/pcapread" -i "${device:-xdp:vb}" --nano -t 300 -Q in \
		--ready "$scratch/ready"
	reader=$pid counts=$out said=$err
	wait_for 20 test -e "$scratch/ready"
	in_left testprogs/trafgen -i va -n "$frames" --cpu 0 "$@" > "$scratch/sent" || bad "$name: trafgen"
	all_read "$reader"
	status=$?
	sent=$(json "$scratch/sent" sent)
	received=$(json "$counts" frames)
	dropped=$(json "$counts" ps_drop)
	# pcapread's own faults, but for the gaps that drops make
	equal "$name: status of pcapread" 0 "$status"
	[ "$status" -eq 0 ] || show "$said"
	equal "$name: sent = $received delivered + $dropped dropped" "$sent" $((received + dropped))
	equal "$name: corrupt" 0 "$(json "$counts" corrupt)"
	echo "  $(json "$scratch/sent" pps) frames a second sent, $dropped of $sent dropped"
}

capture "flat out"
# Down from there until nothing is lost.
rate=$(json "$scratch/sent" pps)
runs=0
until [ "$runs" -ge 8 ] || { [ "$runs" -gt 0 ] && [ "$dropped" -eq 0 ]; }; do
	[ "$runs" -eq 0 ] || rate=$((rate * 2 / 3))
	runs=$((runs + 1))
	capture "$rate frames a second" -r "$rate" --even
done
equal "the highest rate without a loss, $rate frames a second: dropped" 0 "$dropped"
device=xdp:vb,ring=512K capture "flat out into a small ring"
finish
