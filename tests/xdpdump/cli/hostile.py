#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Is a file UTF-8 that no terminal obeys? hostile.py WORD FILE [STRING...]: "text"; "json", of which each line parses, too;
# "metrics", no two of which are the same; "pcapng", by the strings of its blocks. STRINGs, with a ? in
# the place of each byte that is none of them, are in it.
import json
import re
import struct
import sys
import unicodedata

def harmless(text):
    for c in text:
        if c not in '\n\t' and unicodedata.category(c) in ('Cc', 'Cf', 'Zl', 'Zp'):
            sys.exit(f'{text!r} has {c!r} in it')

def options(block):
    while len(block) >= 4:
        code, length = struct.unpack_from('<HH', block)
        if code == 0:
            return
        yield code, block[4:4 + length]
        block = block[4 + (length + 3) // 4 * 4:]

def strings(data):
    """Names, comments, and what else is text in blocks of a section, an interface and a packet."""
    heads = {0x0a0d0d0a: (16, (1, 2, 3, 4)), 1: (8, (1, 2, 3, 11, 12, 15)), 6: (None, (1,))}
    while data:
        kind, length = struct.unpack_from('<II', data)
        if kind in heads:
            head, codes = heads[kind]
            if head is None:
                head = 20 + (struct.unpack_from('<I', data, 20)[0] + 3) // 4 * 4
            for code, value in options(data[8 + head:length - 4]):
                if code in codes:
                    yield (value[1:] if kind == 1 and code == 11 else value).decode()
        data = data[length:]

kind, name, *wanted = sys.argv[1:]
data = open(name, 'rb').read()
text = '\n'.join(strings(data)) if kind == 'pcapng' else data.decode()
harmless(text)
if not text:
    sys.exit('nothing is in it')
if kind == 'json':
    for line in text.splitlines():
        if line.startswith('{'):
            json.loads(line)
if kind == 'metrics':
    series = [line.rsplit(' ', 1)[0] for line in text.splitlines() if not line.startswith('#')]
    if len(set(series)) != len(series):
        sys.exit('two series are the same')
for string in wanted:
    if string not in text:
        sys.exit(f'{string} is not in it')
