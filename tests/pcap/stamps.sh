#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Time stamps: which types are offered, and what an interface with a clock of its own is asked to do
# and gets back. No interface here has one: ioctl() is made to say so (fake_clock.c), the rest is real.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need tcpdump ping od python3
is_sanitized && skip_all "the library with sanitizers has to be loaded first"
veth_pair
clock=$scratch/clock

# fresh_clock REFUSAL [FILTER [LEAVES]]: flags 0, transmit on (1), filter 12 (014) as PTP left it.
fresh_clock()
{
	for octet in 0 1 "${2:-014}" 0 "$1" "${3:-0}" 0; do
		# shellcheck disable=SC2059 # an octet in octal
		printf "\\$octet\\000\\000\\000"
	done > "$clock"
	chmod 666 "$clock"
}

# "FLAGS TRANSMIT FILTER TIMES-SET"
clock_state()
{
	od -An -t d4 -N 16 "$clock" | xargs
}

clock_is()
{
	[ "$(clock_state)" = "$1" ]
}

with_clock()
{
	with_library env LD_PRELOAD="$build/tests/pcap/fake_clock.so" FAKE_CLOCK="$clock" "$@"
}

# The loader starts with an empty environment, as it should: it is wrapped.
cat > "$scratch/loader" <<-END
	#!/bin/sh
	LD_PRELOAD=$build/tests/pcap/fake_clock.so FAKE_CLOCK=$clock exec $PCAP_AFXDP_LOADER "\$@"
END
chmod 755 "$scratch/loader"

# start_stamped OPTION...: tcpdump on $device with that clock.
start_stamped()
{
	start ip netns exec "$right" env LD_LIBRARY_PATH="$library" PCAP_AFXDP_LOADER="$scratch/loader" \
		LD_PRELOAD="$build/tests/pcap/fake_clock.so" FAKE_CLOCK="$clock" PCAP_AFXDP_DEBUG=1 \
		tcpdump -i "${device:-xdp:vb,hook=xdp}" -nn -l --immediate-mode -tt -Q in "$@"
	wait_for 20 grep -q 'listening on' "$err" || {
		bad "tcpdump $* does not start"
		show "$err"
	}
}

ping_right()
{
	in_left ping -qc "$1" -i 0.02 -W 20 10.99.0.2 > "$scratch/ping"
}

types()
{
	sed -n 's/^  *\([a-z_]*\) (.*/\1/p' "$1" | xargs
}

# What a device can be asked for is told without opening it.
with_library tcpdump -i xdp:vb -J > "$scratch/said" 2>&1
equal "a veth's types" "host host_hiprec host_lowprec" "$(types "$scratch/said")"
with_library tcpdump -i xdp:nosuch0 -J > "$scratch/said" 2>&1
equal "those of an interface that is not there" "host host_hiprec host_lowprec" "$(types "$scratch/said")"
fresh_clock 0
with_clock tcpdump -i xdp:vb -J > "$scratch/said" 2>&1
equal "an interface with a clock of its own" "host host_hiprec host_lowprec adapter adapter_unsynced" "$(types "$scratch/said")"
with_clock tcpdump -i xdp:vb,hook=packet -J > "$scratch/said" 2>&1
equal "by a packet socket it is of no use" "host host_hiprec host_lowprec" "$(types "$scratch/said")"
if kernel_since 6 6; then
	with_clock tcpdump -i xdp:vb,hook=tc -J > "$scratch/said" 2>&1
	equal "at tc it is of use" "host host_hiprec host_lowprec adapter adapter_unsynced" "$(types "$scratch/said")"
fi
check "asking changes nothing" clock_is "0 1 12 0"
check "nor attaches anything" no_xdp_program "$right" vb

# The host's, each type that is listed.
for type in host host_hiprec host_lowprec; do
	start_stamped -Z root -j $type -c 3 icmp
	before=$(date +%s)
	ping_right 3
	check "-j $type: three frames" ended "$pid" 10
	between "-j $type: the time is the host's" "$before" $((before + 10)) "$(sed -n '1s/\..*//p' "$out")"
done
check "which needs nothing of the interface" clock_is "0 1 12 0"

# Of low precision: as of the last tick, for the many frames since.
for type in host host_lowprec; do
	start_stamped -Z root -j $type -c 200 icmp
	in_left ping -qf -c 300 -W 20 10.99.0.2 > "$scratch/ping"
	check "-j $type: 200 frames" ended "$pid" 10
	different=$(cut -d' ' -f1 "$out" | sort -u | wc -l)
	if [ $type = host ]; then
		check "-j $type: $different times" [ "$different" -gt 190 ]
	else
		check "-j $type: $different times" [ "$different" -lt 150 ]
	fi
done

# Refused where it is not to be had, before anything is opened.
start_capture tcpdump -i xdp:vb -nn -j adapter_unsynced -Z root -c 1 icmp
wait_for 20 grep -q 'listening on' "$err"
check "a veth refuses" grep -q "type 'adapter_unsynced'.*not supported" "$err"
ping_right 1
ended "$pid" 10
equal "and the host's stamps are taken" 0 $?

# Asked for, it stamps every frame as long as the capture runs, and is then as before.
start_stamped -Z root -j adapter_unsynced icmp
check "the interface is asked to stamp all frames" clock_is "0 1 1 1"
before=$(date +%s)
ping_right 5
wait_for 5 grep -q 'seq 5,' "$out"
stop "$pid" INT
equal "tcpdump ends well" 0 $?
check "then it is as before" clock_is "0 1 12 2"
# This one's driver gives no stamp: all are the host's, and counted.
between "frames without a stamp have the host's" "$before" $((before + 10)) "$(sed -n '1s/\..*//p' "$out")"
check "and are counted" grep -q '5 packets without a time stamp of the interface' "$err"

# Converted to the host's clock, which is compared with the interface's by the kernel.
fresh_clock 0
start_stamped -Z root -j adapter icmp
check "adapter: the interface is asked to stamp all frames" clock_is "0 1 1 1"
check "adapter: no complaint" fails grep -q "not those of" "$err"
# A driver may have set it when the program came.
equal "adapter: the clocks are compared before the attach, and again after it" 2 "$(od -An -t d4 -j 24 -N 4 "$clock" | xargs)"
before=$(date +%s)
ping_right 5
wait_for 5 grep -q 'seq 5,' "$out"
stop "$pid" INT
equal "adapter: tcpdump ends well" 0 $?
check "adapter: then it is as before" clock_is "0 1 12 2"
between "adapter: frames without a stamp have the host's" "$before" $((before + 10)) "$(sed -n '1s/\..*//p' "$out")"
check "adapter: they are counted" grep -q '5 packets without a time stamp of the interface' "$err"

# An interface whose clock cannot be compared (ENODEV, 19 = 023).
fresh_clock 023
start_stamped -Z root -j adapter -c 1 icmp
check "adapter without a clock device: the reason" grep -q "not those of vb: No such file or directory" "$err"
check "adapter without a clock device: nothing was changed" clock_is "0 1 12 0"
ping_right 1
check "adapter without a clock device: the capture runs" ended "$pid" 10

# With privileges dropped: the loader does it.
fresh_clock 0
start_stamped -j adapter_unsynced icmp
check "asked for by an application that drops its privileges" clock_is "0 1 1 1"
stop "$pid" INT
check "put back after that" wait_for 5 clock_is "0 1 12 2"

# Killed: again the loader.
fresh_clock 0
start_stamped -Z root -j adapter_unsynced icmp
kill -KILL "$pid"
ended "$pid" 5 2> "$scratch/killed"
check "put back after kill -9" wait_for 5 clock_is "0 1 12 2"
check "no program stays" wait_for 5 no_xdp_program "$right" vb

# Killed while it starts the loader, which has got so far as to know what to put back: it is handed
# struct loader_setup, and then the end.
setup=$(readelf --debug-dump=info "$build/pcap-afxdp-loader" 2> /dev/null |
	awk '/DW_AT_name.*: loader_setup$/ { on = 1 } on && /DW_AT_byte_size/ { print $NF + 0; exit }')
fresh_clock 0
mv "$scratch/loader" "$scratch/loader.whole"
cat > "$scratch/loader" <<-END
	#!$(command -v python3)
	import os, socket, sys
	setup = socket.socket(fileno=int(sys.argv[1])).recv(${setup:-0}, socket.MSG_WAITALL)
	ours, loaders = socket.socketpair()
	ours.sendall(setup)
	os.set_inheritable(loaders.fileno(), True)
	os.execv("$scratch/loader.whole", ["loader", str(loaders.fileno())])
END
chmod 755 "$scratch/loader"
start_stamped -Z root -j adapter_unsynced icmp
kill -KILL "$pid"
ended "$pid" 5 2> "$scratch/killed"
check "put back by a loader that was not yet ready" wait_for 5 clock_is "0 1 12 2"
mv "$scratch/loader.whole" "$scratch/loader"

# Another capture has turned them on, and ends while this one opens.
fresh_clock 0 1 1
start_stamped -Z root -j adapter_unsynced icmp
check "turned off by another capture's end: on again" clock_is "0 1 1 1"
stop "$pid" INT
check "and then as that left it" clock_is "0 1 0 2"

# Somebody else has set it meanwhile: it is theirs.
fresh_clock 0
start_stamped -Z root -j adapter_unsynced icmp
printf '\017' | dd of="$clock" bs=1 seek=8 conv=notrunc status=none
stop "$pid" INT
check "what somebody else has set meanwhile stays" clock_is "0 1 15 1"

# The driver refuses (ERANGE, 34 = 042): the reason is told, the capture runs on host time.
fresh_clock 042
start_stamped -Z root -j adapter_unsynced -c 1 icmp
check "a driver that refuses: the reason" grep -q "not those of vb: Numerical result out of range" "$err"
check "and a warning by the status" grep -q 'not supported by that device' "$err"
ping_right 1
check "the capture runs" ended "$pid" 10
check "and nothing was changed" clock_is "0 1 12 0"

# A packet socket.
fresh_clock 0
device=xdp:vb,hook=packet start_stamped -Z root -j adapter_unsynced icmp
check "a packet socket refuses" grep -q "type 'adapter_unsynced'.*not supported" "$err"
check "nothing was changed for it" clock_is "0 1 12 0"
stop "$pid" INT

# auto that had to take tc, where drivers put their stamps beside the frame.
kernel_since 6 6 || finish
start_stamped -Z root icmp
holder=$pid
device=xdp:vb start_stamped -Z root -j adapter_unsynced icmp
check "behind another program: the interface is asked to stamp all frames" clock_is "0 1 1 1"
ping_right 5
wait_for 5 grep -q 'seq 5,' "$out"
stop "$pid" INT
check "then it is as before" clock_is "0 1 12 2"
check "frames without a stamp are counted there, too" grep -q '5 packets without a time stamp of the interface' "$err"
stop "$holder" INT
finish
