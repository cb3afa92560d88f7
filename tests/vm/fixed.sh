#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a virtual machine: a virtio card whose offloads the host fixes (VirtualBox, Firecracker; QEMU's
# ctrl_guest_offloads=off) refuses the program. What auto takes is at tc, says why, and has the frames.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
# shellcheck source=tests/vm/cards.sh
. "$(dirname "$0")/cards.sh"
need_root
need_library
need_xdpdump
need tcpdump ping
kernel_since 6 6 || skip_all "needs TCX (Linux 6.6)"
join_cards
# The driver's words are in a tracepoint from 6.12 on; before, the number alone.
words='Operation not supported'
! kernel_since 6 12 || words="Can't set XDP while host is implementing [^;]* (Operation not supported)"

start ip netns exec "$right" "$xdpdump" -i eth1 -Q in -w "$scratch/f.pcapng" icmp
capture=$pid said=$err
check "auto: begins at tc" wait_for 60 grep -q '^listening on eth1: received frames at tc' "$said"
check "auto: says why" grep -q "capturing at tc: eth1 takes no native XDP program: .*$words" "$said"
in_left ping -qc 5 -i 0.1 -W 5 10.99.0.2 > "$scratch/ping"
settle "$capture"
check "auto: ends well" stop "$capture" INT
equal "auto: frames" 5 "$(packets "$scratch/f.pcapng")"
run_xdpdump -i eth1 --hook xdp -c 1
equal "hook=xdp: is refused" 1 "$state"
check "hook=xdp: says why" grep -q "eth1 takes no native XDP program: .*$words" "$err"
show "$err"
finish
