#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# stack.py OBJECT: bytes of stack that its programs at XDP and tc use at most, but for the tag beside a frame
# (FILTER_TAG_SLOT of bpf/marker.h).
import struct
import sys

TAG_SLOT = -328
LDX, ST, STX = 1, 2, 3
data = open(sys.argv[1], "rb").read()
table, size, count, names = struct.unpack_from("<Q10xHHH", data, 40)
sections = [struct.unpack_from("<II8x8xQQ", data, table + size * i) for i in range(count)]
deepest = 0
for name, kind, at, length in sections:
    begin = sections[names][2] + name
    name = data[begin : data.index(b"\0", begin)].decode()
    if kind != 1 or not name.startswith(("xdp", "tc")):
        continue
    for code, registers, offset in struct.iter_unpack("<BBh4x", data[at : at + length]):
        base = registers >> 4 if code & 7 == LDX else registers & 15
        if code & 7 in (LDX, ST, STX) and base == 10 and offset != TAG_SLOT:
            deepest = max(deepest, -offset)
print(deepest)
