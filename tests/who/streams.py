# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""What others get of a capture."""
import socket
import struct
import sys


def join(port):
    with socket.create_connection(("127.0.0.1", port)) as s:
        data = s.recv(65536)
        while data:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            data = s.recv(65536)


def processes(name):
    """How many blocks of them there are."""
    with open(name, "rb") as f:
        data = f.read()
    at = n = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        n += kind == 0x80000001
        at += length
    return n
