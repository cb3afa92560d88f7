# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Datagrams of 1000 bytes for port 9000 of ADDRESS, 100 a second, and who takes them there.

datagrams.py take ADDRESS: prints "ready", and takes them until it is killed.
datagrams.py send ADDRESS COUNT
"""
import socket
import sys
import time

end = (sys.argv[2], 9000)
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
    if sys.argv[1] == "take":
        s.bind(end)
        print("ready", flush=True)
        while s.recv(2000):
            pass
    for _ in range(int(sys.argv[3])):
        s.sendto(bytes(1000), end)
        time.sleep(0.01)
