# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""PyPI's pypcap as a client: see ../README.md for what a driver does and prints."""
import sys

import pcap

device, wanted, frame = sys.argv[1:4]
handle = pcap.pcap(name=device, timeout_ms=100)
handle.setfilter(wanted)
for _ in range(3):
    handle.sendpacket(bytes.fromhex(frame))
print("injected 3\nready", flush=True)
counted = 0
try:
    for _ in handle:
        counted += 1
except KeyboardInterrupt:
    pass
print("counted", counted)
