#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""slow_reader.py PORT GO FILE: connects, reads nothing until the file GO is there, then all into FILE."""
import os
import socket
import sys
import time

port, go, name = int(sys.argv[1]), sys.argv[2], sys.argv[3]
connection = socket.socket()
connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
connection.connect(("127.0.0.1", port))
print("connected", flush=True)
for _ in range(6000):
    if os.path.exists(go):
        break
    time.sleep(0.01)
with open(name, "wb") as out:
    while True:
        data = connection.recv(1 << 20)
        if not data:
            break
        out.write(data)
