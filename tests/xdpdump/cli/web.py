# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Sends datagrams to an address for half a second: long enough for the names of its process to be read."""
import socket
import sys
import time

s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect((sys.argv[1], 9))
for _ in range(25):
    try:
        s.send(b"from the web")
    except ConnectionRefusedError:
        pass
    time.sleep(0.02)
