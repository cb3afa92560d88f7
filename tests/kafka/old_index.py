#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""old_index.py FOLDER: records of version 1 of an index, a file each in FOLDER.

Standard input has the messages, as kcat -f '%p %o %T %S %h@END@' prints them.
"""
import struct
import sys

LABEL = (b"host", b"interface", b"session", b"writer", b"stream", b"sequence", b"first", b"last",
         b"packets", b"bytes", b"lost", b"before", b"dropped", b"behind")
messages = [m for m in sys.stdin.buffer.read().split(b"@END@") if m]
for number, message in enumerate(messages):
    partition, offset, time, size, headers = message.split(b" ", 4)
    values = dict(h.split(b"=", 1) for h in headers[headers.index(b"host="):].split(b","))
    text = b"pcapng-kafka 1\n" + b"".join(b"%s=%s\n" % (name, values[name]) for name in LABEL)
    record = struct.pack("<8sQQIIHHI", b"pcksec\x01\x00", int(offset), int(time), int(partition),
                         int(size), len(text), 0, 0) + text
    with open("%s/%06d" % (sys.argv[1], number), "wb") as f:
        f.write(record)
