# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""PyPI's pcapy-ng, and Debian's pcapy: see ../README.md for what a driver does and prints."""
import sys

import pcapy

device, wanted, frame = sys.argv[1:4]
handle = pcapy.open_live(device, 65535, True, 100)
handle.setfilter(wanted)
for _ in range(3):
    handle.sendpacket(bytes.fromhex(frame))
print("injected 3\nready", flush=True)
seen = []
try:
    while True:
        handle.dispatch(-1, lambda header, data: seen.append(header.getlen()))
except KeyboardInterrupt:
    pass
print("counted", len(seen))
