#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""crowd.py PORT N FILE: N connections to ::1 that say as much as is taken and never read, until FILE is there."""
import os
import socket
import sys
import time

port, count, go = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
crowd = []
for _ in range(count):
    one = socket.create_connection(("::1", port), 10)
    one.setblocking(False)
    crowd.append(one)
    try:
        one.send(bytes(1 << 20))
    except OSError:
        pass
print("connected", flush=True)
deadline = time.monotonic() + 60
while not os.path.exists(go) and time.monotonic() < deadline:
    time.sleep(0.05)
