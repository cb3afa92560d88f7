# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""suricata_replay.py INTERFACE FILE RATE: sends the frames of a capture file, so many a second, each before the next.
tcpreplay 4.5 gives frames to a ring (PACKET_TX_RING) and may end before the last ones have left."""

import socket
import sys
import time

from scapy.utils import RawPcapReader


def main(interface, path, rate):
    out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    out.bind((interface, 0))
    due = time.monotonic()
    for frame, _ in RawPcapReader(path):
        out.send(frame)
        due += 1 / rate
        time.sleep(max(0, due - time.monotonic()))


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
