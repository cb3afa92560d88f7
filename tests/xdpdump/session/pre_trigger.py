#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""pre_trigger.py FILE OVERWRITTEN LOST: is FILE whole from its oldest packet of each CPU on?

Numbers of one CPU's packets begin behind those that were overwritten, and go on without a gap but for packets
that were lost, of which the packet behind the gap tells how many. Stamps never go back. Prints what is wrong.
"""
import struct
import sys

EPB = 6
OPT_DROPCOUNT, OPT_PACKETID = 4, 5
NUMBER_BITS, GENERATION_BITS = 44, 8


def packets(data):
    """(CPU, number, time, drops told) of each packet."""
    at = 0
    while at + 12 <= len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == EPB:
            high, low, caplen = struct.unpack_from("<III", data, at + 12)
            option = at + 28 + (caplen + 3) // 4 * 4
            identifier = drops = 0
            while option < at + length - 4:
                code, size = struct.unpack_from("<HH", data, option)
                if code == OPT_PACKETID:
                    identifier, = struct.unpack_from("<Q", data, option + 4)
                if code == OPT_DROPCOUNT:
                    drops, = struct.unpack_from("<Q", data, option + 4)
                if code == 0:
                    break
                option += 4 + (size + 3) // 4 * 4
            yield (identifier >> (NUMBER_BITS + GENERATION_BITS), identifier & ((1 << NUMBER_BITS) - 1),
                   high << 32 | low, drops)
        at += length


def main():
    name, overwritten, lost = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with open(name, "rb") as file:
        data = file.read()
    first, last, stamp, missing, faults = {}, {}, 0, 0, []
    for cpu, number, time, drops in packets(data):
        if time < stamp:
            faults.append(f"packet {number} of CPU {cpu} is {stamp - time} ns older than the one before")
        stamp = time
        first.setdefault(cpu, number)
        gap = number - last.get(cpu, number - 1) - 1
        if gap != drops and cpu in last:
            faults.append(f"{gap} packets are missing before packet {number} of CPU {cpu}, and it tells of {drops}")
        missing += gap
        last[cpu] = number
    before = sum(number - 1 for number in first.values())
    if before != overwritten:
        faults.append(f"{before} packets are missing before the first of each CPU, and {overwritten} were overwritten")
    if missing > lost:
        faults.append(f"{missing} packets are missing in between, and {lost} were lost")
    for fault in faults[:5]:
        print(fault)
    return 1 if faults else 0


sys.exit(main())
