#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""packets.py COUNT START_NS STEP_NS LENGTH NAME [APART_NS [WORDS]]: a pcapng file of UDP packets on standard output.

Each has its number and NAME in its data; time goes on by STEP_NS; the clock of every other packet is APART_NS ahead. The interface has a description of WORDS bytes. PORT is from the number, so that there are flows.
"""
import struct
import sys


def option(code, value):
    return struct.pack("=HH", code, len(value)) + value + b"\0" * (-len(value) % 4)


def block(kind, body):
    length = struct.pack("=I", len(body) + 12)
    return struct.pack("=I", kind) + length + body + length


def frame(number, length, name):
    data = b"%010d %s " % (number, name)
    data += b"." * max(0, length - 42 - len(data))
    udp = struct.pack("!HHHH", 1024 + number % 64, 9, 8 + len(data), 0) + data
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), number & 0xffff, 0, 64, 17, 0,
                     bytes([10, 99, 0, 1]), bytes([10, 99, 0, 2]))
    return bytes([2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0]) + ip + udp


def main():
    count, start, step, length = map(int, sys.argv[1:5])
    name = sys.argv[5].encode()
    apart = int(sys.argv[6]) if len(sys.argv) > 6 else 0
    words = option(3, b"w" * int(sys.argv[7])) if len(sys.argv) > 7 else b""
    out = sys.stdout.buffer
    out.write(block(0x0a0d0d0a, struct.pack("=IHHq", 0x1a2b3c4d, 1, 0, -1) +
                    option(1, b"comment of " + name) + option(0, b"")))
    out.write(block(1, struct.pack("=HHI", 1, 0, 262144) + option(2, name) + words + option(9, b"\x09") +
                    option(0, b"")))
    for number in range(count):
        time = start + number * step + number % 2 * apart
        data = frame(number, length, name)
        out.write(block(6, struct.pack("=IIIII", 0, time >> 32, time & 0xffffffff, len(data), len(data)) +
                        data + b"\0" * (-len(data) % 4)))


main()
