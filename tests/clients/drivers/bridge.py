# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""A bridge of two handles by pcapy: what one device receives goes out by the other.

bridge.py DEVICE DEVICE: prints "ready", and when interrupted how many frames went each way. A bridge
that forwards its own frames would do so for ever: it gives up at 1000.
"""
import select
import sys

import pcapy

most = 1000
handles = [pcapy.open_live(device, 65535, True, 10) for device in sys.argv[1:]]
forwarded = [0, 0]


def forward(way):
    def send(_, data):
        if sum(forwarded) < most:
            handles[1 - way].sendpacket(data)
        forwarded[way] += 1

    handles[way].dispatch(-1, send)


for handle in handles:
    handle.setnonblock(True)
print("ready", flush=True)
try:
    while sum(forwarded) < most:
        readable = select.select([h.getfd() for h in handles], [], [], 0.1)[0]
        for way, handle in enumerate(handles):
            if handle.getfd() in readable:
                forward(way)
except KeyboardInterrupt:
    pass
print("forwarded", *forwarded)
