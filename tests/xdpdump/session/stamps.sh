#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# -j and -J: what an interface with a clock of its own is asked to do and gets back. No interface here
# has one: ioctl() is made to say so, as in tests/pcap/stamps.sh, which has the rest. The driver tells
# no stamp: all are the host's, and counted.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need ping od tcpdump
is_sanitized && skip_all "the library with sanitizers has to be loaded first"
veth_pair
clock=$scratch/clock file=$scratch/f.pcapng

# fresh_clock: off, as PTP left it: flags 0, transmit on (1), filter 12.
fresh_clock()
{
	printf '\000\000\000\000\001\000\000\000\014\000\000\000\000\000\000\000\000\000\000\000' > "$clock"
	chmod 666 "$clock"
}

# "FLAGS TRANSMIT FILTER TIMES-SET"
clock_is()
{
	[ "$(od -An -t d4 -N 16 "$clock" | xargs)" = "$1" ]
}

# The loader starts with an empty environment, as it should: it is wrapped.
cat > "$scratch/loader" <<-END
	#!/bin/sh
	LD_PRELOAD=$build/tests/pcap/fake_clock.so FAKE_CLOCK=$clock exec $PCAP_AFXDP_LOADER "\$@"
END
chmod 755 "$scratch/loader"

with_clock()
{
	in_right env LD_PRELOAD="$build/tests/pcap/fake_clock.so" FAKE_CLOCK="$clock" "$@"
}

# start_stamped TYPE: into $file
start_stamped()
{
	start ip netns exec "$right" env PCAP_AFXDP_LOADER="$scratch/loader" \
		LD_PRELOAD="$build/tests/pcap/fake_clock.so" FAKE_CLOCK="$clock" "$xdpdump" -i vb -Q in -w "$file" -j "$1" icmp
	started_capturing -j "$1"
	capture=$pid said=$err
}

in_right "$xdpdump" -i vb -J > "$scratch/types"
equal "-J, a veth" 'host host_hiprec host_lowprec' "$(sed -n 's/^  \([a-z_]*\) (.*/\1/p' "$scratch/types" | xargs)"
fresh_clock
with_clock "$xdpdump" -i vb -J > "$scratch/types"
equal "-J, a clock" 'host host_hiprec host_lowprec adapter adapter_unsynced' "$(sed -n 's/^  \([a-z_]*\) (.*/\1/p' "$scratch/types" | xargs)"
check "-J changes nothing" clock_is "0 1 12 0"
check "-J attaches nothing" no_xdp_program "$right" vb

for type in adapter adapter_unsynced; do
	fresh_clock
	start_stamped $type
	check "-j $type: the interface is asked to stamp all frames" clock_is "0 1 1 1"
	check "-j $type: said" grep -q "^listening on vb: .*, time stamps of the interface ($type)$" "$said"
	before=$(date +%s)
	in_left ping -qc 5 -i 0.05 10.99.0.2 > /dev/null
	sleep 0.2
	check "-j $type: ends well" stop "$capture" INT
	check "-j $type: then it is as before, though privileges were given up" wait_for 5 clock_is "0 1 12 2"
	equal "-j $type: packets" 5 "$(packets "$file")"
	equal "-j $type: whose stamps, in the file" 1 "$(grep -ac "time stamps of the interface ($type)" "$file")"
	between "-j $type: frames without a stamp have the host's" "$before" $((before + 10)) \
		"$(tcpdump -ttnr "$file" -c 1 2> /dev/null | cut -d. -f1)"
	check "-j $type: those are counted" grep -q '^5 packets without a time stamp of the interface$' "$said"
done

fresh_clock
start_stamped adapter
kill -KILL "$capture"
ended "$capture" 5 2> "$scratch/killed"
check "killed: put back by the loader" wait_for 5 clock_is "0 1 12 2"

start_xdpdump -j adapter -c 1 icmp
capture=$pid said=$err
check "a veth: the reason, and the capture runs" grep -q "time stamps are the host's, not those of vb" "$said"
in_left ping -qc 2 -i 0.1 10.99.0.2 > /dev/null
check "a veth: packets" ended "$capture" 5
run_xdpdump -i vb -j fast
check "-j fast: the reason" grep -q 'takes host, host_hiprec, host_lowprec, adapter or adapter_unsynced, not "fast"' "$err"
run_xdpdump -J
check "-J alone: the reason" grep -q 'needs one interface' "$err"
finish
