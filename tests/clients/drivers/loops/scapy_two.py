# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Scapy on two devices: scapy_two.py sniff|bridge DEVICE DEVICE SECONDS. It prints "ready", and after so
many seconds how many packets it saw. bridge forwards what one device receives by the other."""
import sys

from scapy.config import conf

conf.use_pcap = True
from scapy.all import ICMP, bridge_and_sniff, sniff  # noqa: E402 - after use_pcap

what, first, second, seconds = sys.argv[1:]
seen = 0


def count(packet):
    global seen
    seen += ICMP in packet


options = {"timeout": float(seconds), "store": False, "prn": count,
           "started_callback": lambda: print("ready", flush=True)}
if what == "sniff":
    sniff(iface=[first, second], **options)
else:
    bridge_and_sniff(first, second, **options)
print("counted", seen)
