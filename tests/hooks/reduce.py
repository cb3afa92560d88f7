#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Frames of every kind of header, and how much of each a slice has to keep.

reduce.py frames IFACE          send one of each, through a packet socket
reduce.py lengths DEPTH MORE    what is left of each at that depth, a line each
reduce.py captured FILE         what a pcapng file of this machine has of each frame, a line each
reduce.py flow IFACE TEXT...    send frames of flows: PROTOCOL:PORT:COUNT[:reverse][:vlan][:huge]

The headers are put together here, byte by byte, so that their lengths are known without parsing.
"""
import socket
import struct
import sys

MACS = bytes.fromhex("02ab00000002" "02ab00000001")
HERE, THERE = bytes([198, 18, 0, 1]), bytes([198, 18, 0, 2])
HERE6, THERE6 = b"\xfd" + bytes(14) + b"\x01", b"\xfd" + bytes(14) + b"\x02"
PAYLOAD = bytes(range(200))
HUGE = 65549  # what fits into an MTU of 65535: 14 bytes more than XDP can copy


def link(ethertype, *tags):
    """Ethernet with tags: (TPID, VLAN)."""
    return MACS + b"".join(struct.pack("!HH", *tag) for tag in tags) + struct.pack("!H", ethertype)


def ip4(protocol, options=b"", fragment=0, ends=(HERE, THERE)):
    return struct.pack("!BBHHHBBH", 0x45 + len(options) // 4, 0, 0, 1, fragment, 64, protocol,
                       0) + ends[0] + ends[1] + options


def ip6(following, *extensions):
    return struct.pack("!IHBB", 6 << 28, 0, following, 64) + HERE6 + THERE6 + b"".join(extensions)


def extension(following, units):
    return bytes([following, units]) + bytes(6 + 8 * units)


def tcp(flags=0x10, options=b"", ports=(1000, 2000)):
    return struct.pack("!HHIIBBHHH", *ports, 1, 1, (20 + len(options)) // 4 << 4, flags, 0, 0,
                       0) + options


def udp(ports=(1000, 2000)):
    return struct.pack("!HHHH", *ports, 8, 0)


IP4, IP6, VLAN, QINQ = 0x0800, 0x86dd, 0x8100, 0x88a8

# Link, network and transport header, payload; None: what a slice cannot know, and keeps whole.
FRAMES = [
    (link(0x0806), None, None, bytes(28)),                                   # ARP
    (link(IP4), ip4(17), udp(), PAYLOAD),
    (link(IP4), ip4(6, b"\x07\x07\x04" + bytes(5)), tcp(0x18, bytes(20)), PAYLOAD),
    (link(IP4, (VLAN, 5)), ip4(1), bytes(8), PAYLOAD),                       # ICMP
    (link(IP4, (QINQ, 7), (VLAN, 5)), ip4(6), tcp(), PAYLOAD),
    (link(IP6, (0x9100, 7), (VLAN, 5), (VLAN, 6)), ip6(17), udp(), PAYLOAD),
    (link(IP6), ip6(58), bytes(8), PAYLOAD),                                 # ICMPv6
    (link(IP6), ip6(0, extension(60, 1), extension(17, 0)), udp(), PAYLOAD),
    (link(IP6), ip6(44, struct.pack("!BBHI", 17, 0, 1, 9)), udp(), PAYLOAD),  # first fragment
    (link(IP6), ip6(44, struct.pack("!BBHI", 17, 0, 0x48, 9)), b"", PAYLOAD),  # a later one
    (link(IP6), ip6(51, bytes([6, 4]) + bytes(22)), tcp(), PAYLOAD),         # AH
    (link(IP4), ip4(17, fragment=0x2000), udp(), PAYLOAD),
    (link(IP4), ip4(17, fragment=0x0010), b"", PAYLOAD),
    (link(IP4), ip4(132), bytes(12), PAYLOAD),                               # SCTP
    (link(IP4), ip4(50), b"", PAYLOAD),                                      # ESP
    (link(IP4), ip4(47), b"", PAYLOAD),                                      # GRE
    (link(IP4), None, None, bytes([0x45]) + bytes(9)),                       # cut off in IPv4
    (link(IP4), None, None, bytes([0x41]) + bytes(39)),                      # 4 bytes of header
    (link(VLAN, (VLAN, 1), (VLAN, 2), (VLAN, 3)), None, None, PAYLOAD),      # four tags
    (link(IP4), ip4(6), None, bytes(10)),                                    # cut off in TCP
]


def kept(frame, depth, more):
    headers, left = frame[:3], {"l2": 1, "l3": 2, "l4": 3}[depth]
    whole = sum(len(part) for part in frame if part is not None)
    if depth == "l4" and headers[2] is None and headers[1] is not None:
        left = 2
    if any(part is None for part in headers[:left]):
        return whole
    return min(whole, sum(len(part) for part in headers[:left]) + more)


def flow(text):
    words = text.split(":")
    ends, ports = (HERE, THERE), (int(words[1]), 53)
    if "reverse" in words:
        ends, ports = ends[::-1], ports[::-1]
    header = link(IP4, (VLAN, 9)) if "vlan" in words else link(IP4)
    if words[0] == "udp":
        header += ip4(17, ends=ends) + udp(ports)
    else:
        header += ip4(6, ends=ends) + tcp({"tcp": 0x10, "syn": 0x02, "synack": 0x12}[words[0]],
                                          ports=ports)
    return [header + bytes((HUGE if "huge" in words else 500) - len(header))] * int(words[2])


def captured(name):
    """Captured lengths of enhanced packet blocks: tshark takes far longer, and this is asked often."""
    with open(name, "rb") as file:
        while head := file.read(8):
            kind, length = struct.unpack("=II", head)
            body = file.read(length - 8)
            if len(body) != length - 8 or struct.unpack("=I", body[-4:])[0] != length:
                sys.exit(f"{name}: a block is not whole")
            if kind == 6:
                yield struct.unpack("=I", body[12:16])[0]


def send(interface, frames):
    out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    out.bind((interface, 0))
    for frame in frames:
        out.send(frame)


def main():
    what, *words = sys.argv[1:]
    if what == "frames":
        send(words[0], [b"".join(part or b"" for part in frame) for frame in FRAMES])
    elif what == "lengths":
        for frame in FRAMES:
            print(kept(frame, words[0], int(words[1])))
    elif what == "captured":
        print(*captured(words[0]), sep="\n")
    else:
        send(words[0], [frame for text in words[1:] for frame in flow(text)])


main()
