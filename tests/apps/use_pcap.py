# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Scapy on libpcap: sniffs echo requests on DEVICE, then asks by ARP and waits for the reply.

use_pcap.py DEVICE MAC OWN-ADDRESS WANTED-ADDRESS: prints "ready", then what it has seen.
"""
import sys

from scapy.config import conf

conf.use_pcap = True
from scapy.all import ARP, Ether, ICMP, sniff, srp1  # noqa: E402 - after use_pcap

device, mac, own, wanted = sys.argv[1:]
seen = sniff(iface=device, filter="icmp", count=20, timeout=10,
             started_callback=lambda: print("ready", flush=True))
print(sum(p[ICMP].type == 8 for p in seen), "requests,",
      sum(p[ICMP].type == 0 for p in seen), "replies", flush=True)
request = Ether(dst="ff:ff:ff:ff:ff:ff", src=mac) / ARP(hwsrc=mac, psrc=own, pdst=wanted)
reply = srp1(request, iface=device, timeout=5, verbose=False)
print(reply[ARP].psrc if reply else "no reply")
