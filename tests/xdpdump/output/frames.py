#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Frames of every kind that a line tells of, whole, malformed and cut, for the tests of text.

frames.py --write FILE [--cut] [--raw] [--mutate N]: as a pcap file; --cut: each of them at every
length; --raw: without Ethernet headers; --mutate: and N with a few bytes that are not as they were.
frames.py --send IFACE: each once, in order, but for those that the kernel keeps from packet sockets.
frames.py --tun IFACE: as --send, raw IP into a tun device of that name,
which ends with the process. frames.py --corpus DIR: each in a file, for fuzz_line. frames.py --names: what each is, a line each; with --wire without those."""
import argparse
import fcntl
import os
import random
import socket
import struct

HERE, THERE = bytes.fromhex("021122334455"), bytes.fromhex("0266778899aa")
A4, B4 = bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])
A6, B6 = (socket.inet_pton(socket.AF_INET6, "2001:db8::%d" % n) for n in (1, 2))
MULTICAST6 = socket.inet_pton(socket.AF_INET6, "ff02::1")
TCP, UDP, ICMP, IPIP, IPV6, GRE, ICMP6, SCTP = 6, 17, 1, 4, 41, 47, 58, 132
VXLAN_PORT = 4789


def ether(kind, payload, to=THERE):
    return to + HERE + struct.pack("!H", kind) + payload


def ip4(protocol, payload, options=b"", fragment=0, length=None, version=4, words=None, ident=7):
    words = 5 + len(options) // 4 if words is None else words
    length = 20 + len(options) + len(payload) if length is None else length
    head = struct.pack("!BBHHHBBH", version << 4 | words, 0, length, ident, fragment, 64, protocol, 0)
    total = sum(struct.unpack("!10H", head + A4 + B4))
    total = (total >> 16) + (total & 0xffff)
    return head[:10] + struct.pack("!H", 0xffff & ~total) + A4 + B4 + options + payload


def ip6(protocol, payload, length=None, to=B6, version=6):
    length = len(payload) if length is None else length
    return struct.pack("!IHBB", version << 28, length, protocol, 64) + A6 + to + payload


def tcp(flags, payload=b"", options=b"", words=None, ports=(51514, 443)):
    words = 5 + len(options) // 4 if words is None else words
    return struct.pack("!HHIIHHHH", *ports, 1000, 2000, words << 12 | flags, 512, 0, 0) + options + payload


def udp(payload=b"", length=None, ports=(40001, 40002)):
    return struct.pack("!HHHH", *ports, 8 + len(payload) if length is None else length, 0) + payload


def icmp(kind, code, rest=b"\0\0\0\0", payload=b""):
    return struct.pack("!BBH", kind, code, 0) + rest + payload


def echo(kind, payload=b"x" * 56):
    return icmp(kind, 0, struct.pack("!HH", 7, 1), payload)


def vlan(tag, kind, payload):
    return struct.pack("!HH", tag, kind) + payload


def arp(operation, sender=A4, target=B4, target_hardware=b"\0" * 6, protocol=0x0800, hardware=1):
    return struct.pack("!HHBBH", hardware, protocol, 6, 4, operation) + HERE + sender + target_hardware + target


def gre(protocol, payload, flags=0, more=b""):
    return struct.pack("!HH", flags, protocol) + more + payload


def vxlan(vni, payload, flags=8):
    return struct.pack("!II", flags << 24, vni << 8) + payload


def mpls(label, bottom):
    return struct.pack("!I", label << 12 | 5 << 9 | bottom << 8 | 64)


def options6(following, n=0):
    return struct.pack("!BB", following, n) + b"\x01" + bytes([3 + 8 * n]) + b"\0" * (4 + 8 * n)


def fragment6(following, offset, more):
    return struct.pack("!BBHI", following, 0, offset | more, 77)


QUOTED_UDP = ip4(UDP, udp(b"x" * 8))
QUOTED_TCP = ip4(TCP, tcp(2))
QUOTED_ICMP = ip4(ICMP, echo(8, b""))
QUOTED6 = ip6(UDP, udp(b"x" * 8))
SYN4 = ip4(TCP, tcp(0x02))
KEPT_FROM_SOCKETS = ("VLAN, 2 bytes",)


def ip_packets():
    """What raw IP has as well: name, packet."""
    yield "TCP SYN", SYN4
    yield "TCP SYN, options", ip4(TCP, tcp(0x02, options=bytes.fromhex("020405b40402080a0000000100000000")))
    yield "TCP SYN ACK", ip4(TCP, tcp(0x12))
    yield "TCP PSH ACK", ip4(TCP, tcp(0x18, b"y" * 36))
    yield "TCP FIN ACK", ip4(TCP, tcp(0x11))
    yield "TCP RST", ip4(TCP, tcp(0x04))
    yield "TCP RST with words", ip4(TCP, tcp(0x14, b"go away"))
    yield "TCP ECN", ip4(TCP, tcp(0xc2))
    yield "TCP URG", ip4(TCP, tcp(0x30, b"u"))
    yield "TCP, no flag", ip4(TCP, tcp(0))
    yield "TCP, all flags", ip4(TCP, tcp(0xff))
    yield "TCP, header too short", ip4(TCP, tcp(0x10, words=3))
    yield "TCP, header beyond the end", ip4(TCP, tcp(0x10, words=15))
    yield "TCP, 12 bytes", ip4(TCP, tcp(0x10)[:12])
    yield "TCP over IPv6", ip6(TCP, tcp(0x18, b"z" * 100))
    yield "UDP", ip4(UDP, udp(b"x" * 120))
    yield "UDP, empty", ip4(UDP, udp())
    yield "UDP, length too small", ip4(UDP, udp(b"x" * 10, length=5))
    yield "UDP, length too large", ip4(UDP, udp(b"x" * 10, length=500))
    yield "UDP, length 0", ip4(UDP, udp(b"x" * 10, length=0))
    yield "UDP, 5 bytes", ip4(UDP, udp()[:5])
    yield "UDP over IPv6", ip6(UDP, udp(b"x" * 120))
    yield "UDP, port 53", ip6(UDP, udp(b"x" * 120, ports=(53, 40001)))
    yield "ICMP echo request", ip4(ICMP, echo(8))
    yield "ICMP echo reply", ip4(ICMP, echo(0))
    yield "ICMP echo, 4 bytes", ip4(ICMP, echo(8)[:4])
    for code in range(16):
        yield "ICMP unreachable %d" % code, ip4(ICMP, icmp(3, code, struct.pack("!HH", 0, 1400), QUOTED_UDP))
    yield "ICMP unreachable 77", ip4(ICMP, icmp(3, 77, payload=QUOTED_UDP))
    yield "ICMP port unreachable, TCP", ip4(ICMP, icmp(3, 3, payload=QUOTED_TCP))
    yield "ICMP port unreachable, ICMP", ip4(ICMP, icmp(3, 3, payload=QUOTED_ICMP))
    yield "ICMP needs fragments, no MTU", ip4(ICMP, icmp(3, 4, payload=QUOTED_UDP))
    yield "ICMP source quench", ip4(ICMP, icmp(4, 0, payload=QUOTED_UDP))
    for code in range(5):
        yield "ICMP redirect %d" % code, ip4(ICMP, icmp(5, code, bytes([10, 0, 0, 9]), QUOTED_UDP))
    for code in range(3):
        yield "ICMP time exceeded %d" % code, ip4(ICMP, icmp(11, code, payload=QUOTED_UDP))
    yield "ICMP parameter problem", ip4(ICMP, icmp(12, 0, b"\x14\0\0\0", QUOTED_UDP))
    yield "ICMP type 99", ip4(ICMP, icmp(99, 1))
    yield "ICMPv6 echo request", ip6(ICMP6, echo(128))
    yield "ICMPv6 echo reply", ip6(ICMP6, echo(129))
    for code in range(8):
        yield "ICMPv6 unreachable %d" % code, ip6(ICMP6, icmp(1, code, payload=QUOTED6))
    yield "ICMPv6 port unreachable, TCP", ip6(ICMP6, icmp(1, 4, payload=ip6(TCP, tcp(2))))
    yield "ICMPv6 port unreachable, SCTP", ip6(ICMP6, icmp(1, 4, payload=ip6(SCTP, b"\x13\x88\x17\x70" + b"\0" * 8)))
    yield "ICMPv6 packet too big", ip6(ICMP6, icmp(2, 0, struct.pack("!I", 1280), QUOTED6))
    for code in range(3):
        yield "ICMPv6 time exceeded %d" % code, ip6(ICMP6, icmp(3, code, payload=QUOTED6))
    for code in range(4):
        yield "ICMPv6 parameter problem %d" % code, ip6(ICMP6, icmp(4, code, struct.pack("!I", 6), QUOTED6))
    yield "MLD query", ip6(ICMP6, icmp(130, 0, struct.pack("!HH", 1000, 0), MULTICAST6), to=MULTICAST6)
    yield "MLD report", ip6(ICMP6, icmp(131, 0, payload=MULTICAST6), to=MULTICAST6)
    yield "MLD done", ip6(ICMP6, icmp(132, 0, payload=MULTICAST6), to=MULTICAST6)
    yield "MLDv2 query", ip6(ICMP6, icmp(130, 0, struct.pack("!HH", 1000, 0), MULTICAST6 + struct.pack("!BBH", 2, 125, 0)))
    yield "MLDv2 report", ip6(0, options6(ICMP6) + icmp(143, 0, struct.pack("!HH", 0, 1), struct.pack("!BBH", 4, 0, 0) + MULTICAST6), to=MULTICAST6)
    yield "router solicitation", ip6(ICMP6, icmp(133, 0), to=MULTICAST6)
    yield "router advertisement", ip6(ICMP6, icmp(134, 0, struct.pack("!BBH", 64, 0, 1800), b"\0" * 8), to=MULTICAST6)
    yield "neighbour solicitation", ip6(ICMP6, icmp(135, 0, payload=B6 + b"\x01\x01" + HERE), to=MULTICAST6)
    yield "neighbour advertisement", ip6(ICMP6, icmp(136, 0, b"\x60\0\0\0", A6 + b"\x02\x01" + HERE))
    yield "ICMPv6 redirect", ip6(ICMP6, icmp(137, 0, payload=A6 + B6))
    yield "ICMPv6 type 200", ip6(ICMP6, icmp(200, 3))
    yield "SCTP", ip4(SCTP, struct.pack("!HHII", 5000, 6000, 1, 2) + struct.pack("!BBHIHHI", 0, 3, 24, 1, 0, 0, 0) + b"d" * 8)
    yield "SCTP over IPv6", ip6(SCTP, struct.pack("!HHII", 5000, 6000, 1, 2) + struct.pack("!BBH", 11, 0, 4))
    yield "IPv4 protocol 253", ip4(253, b"x" * 20)
    yield "IPv6 next header 253", ip6(253, b"x" * 20)
    yield "IPv6 no next header", ip6(59, b"")
    yield "fragment, first", ip4(UDP, udp(b"x" * 120, length=1000), fragment=0x2000)
    yield "fragment, middle", ip4(UDP, b"x" * 128, fragment=0x2010)
    yield "fragment, last", ip4(UDP, b"x" * 40, fragment=0x0020)
    yield "fragment, far behind", ip4(UDP, b"x" * 40, fragment=0x1000)
    yield "fragment of TCP, last", ip4(TCP, b"x" * 40, fragment=0x0020)
    yield "IPv4 options", ip4(UDP, udp(b"x" * 20), options=b"\x94\x04\0\0")
    yield "IPv4, header too short", ip4(UDP, udp(b"x" * 20), words=3)
    yield "IPv4, header beyond the end", ip4(UDP, udp(), words=15)
    yield "IPv4, length too small", ip4(UDP, udp(b"x" * 20), length=12)
    yield "IPv4, length too large", ip4(UDP, udp(b"x" * 20), length=1500)
    yield "IPv4, length 0", ip4(TCP, tcp(0x10, b"x" * 20), length=0)
    yield "IPv4, 10 bytes", SYN4[:10]
    yield "IPv6 hop-by-hop", ip6(0, options6(UDP) + udp(b"x" * 20))
    yield "IPv6 destination options", ip6(60, options6(UDP, 1) + udp(b"x" * 20))
    yield "IPv6 routing", ip6(43, struct.pack("!BBBBI", UDP, 2, 0, 1, 0) + B6 + udp(b"x" * 20))
    yield "IPv6 fragment, first", ip6(44, fragment6(UDP, 0, 1) + udp(b"x" * 120, length=1000))
    yield "IPv6 fragment, last", ip6(44, fragment6(UDP, 128, 0) + b"x" * 40)
    yield "IPv6, two extension headers", ip6(0, options6(60) + options6(TCP) + tcp(0x10))
    yield "IPv6, length too large", ip6(UDP, udp(b"x" * 20), length=1000)
    yield "IPv6, length too small", ip6(UDP, udp(b"x" * 20), length=6)
    yield "IPv6, 30 bytes", QUOTED6[:30]
    yield "IPv4 in IPv4", ip4(IPIP, SYN4)
    yield "IPv6 in IPv4", ip4(IPV6, ip6(TCP, tcp(0x10)))
    yield "IPv4 in IPv6", ip6(IPIP, SYN4)
    yield "IPv6 in IPv6", ip6(IPV6, ip6(UDP, udp(b"x" * 9)))
    yield "GRE", ip4(GRE, gre(0x0800, SYN4))
    yield "GRE with a key", ip4(GRE, gre(0x0800, SYN4, 0x2000, struct.pack("!I", 42)))
    yield "GRE with all", ip4(GRE, gre(0x0800, SYN4, 0xb000, struct.pack("!III", 0, 42, 5)))
    yield "GRE, IPv6", ip4(GRE, gre(0x86dd, ip6(UDP, udp(b"x" * 3))))
    yield "GRE, Ethernet", ip4(GRE, gre(0x6558, ether(0x0800, SYN4)))
    yield "GRE, unknown protocol", ip4(GRE, gre(0x88b5, b"x" * 20))
    yield "GRE over IPv6", ip6(GRE, gre(0x0800, SYN4))
    yield "VXLAN", ip4(UDP, udp(vxlan(42, ether(0x0800, ip4(TCP, tcp(0x18, b"y" * 36, ports=(22, 40000))))), ports=(50000, VXLAN_PORT)))
    yield "VXLAN, ARP", ip4(UDP, udp(vxlan(7, ether(0x0806, arp(1))), ports=(50000, VXLAN_PORT)))
    yield "VXLAN over IPv6", ip6(UDP, udp(vxlan(7, ether(0x86dd, ip6(ICMP6, echo(128)))), ports=(50000, VXLAN_PORT)))


def frames():
    """Name, frame."""
    for name, packet in ip_packets():
        yield name, ether(0x86dd if packet[0] >> 4 == 6 else 0x0800, packet)
    yield "ARP request", ether(0x0806, arp(1), b"\xff" * 6)
    yield "ARP request, padded", ether(0x0806, arp(1) + b"\0" * 18, b"\xff" * 6)
    yield "ARP request, to an address", ether(0x0806, arp(1, target_hardware=THERE))
    yield "ARP reply", ether(0x0806, arp(2))
    yield "ARP announcement", ether(0x0806, arp(1, B4, B4), b"\xff" * 6)
    yield "ARP probe", ether(0x0806, arp(1, b"\0" * 4), b"\xff" * 6)
    yield "ARP, operation 99", ether(0x0806, arp(99))
    yield "ARP, another protocol", ether(0x0806, arp(1, protocol=0x0801))
    yield "ARP, 20 bytes", ether(0x0806, arp(1)[:20])
    yield "reverse ARP", ether(0x8035, arp(3, target_hardware=HERE))
    yield "VLAN, TCP", ether(0x8100, vlan(100, 0x0800, SYN4))
    yield "VLAN, ARP", ether(0x8100, vlan(100, 0x0806, arp(1)))
    yield "VLAN with priority, UDP over IPv6", ether(0x8100, vlan(5 << 13 | 200, 0x86dd, ip6(UDP, udp(b"x" * 20))))
    yield "VLAN in VLAN", ether(0x88a8, vlan(300, 0x8100, vlan(100, 0x0800, ip4(ICMP, echo(8)))))
    yield "VLAN 0x9100", ether(0x9100, vlan(300, 0x8100, vlan(100, 0x0800, ip4(ICMP, echo(8)))))
    yield "VLAN, unknown ethertype", ether(0x8100, vlan(100, 0x88b5, b"x" * 46))
    yield "VLAN, 2 bytes", ether(0x8100, b"\0\x64")
    yield "MPLS", ether(0x8847, mpls(1000, 1) + SYN4)
    yield "MPLS, two labels", ether(0x8847, mpls(1000, 0) + mpls(2000, 1) + ip6(UDP, udp(b"x" * 20)))
    yield "ethertype 0x88b5", ether(0x88b5, b"x" * 46)
    yield "ethertype 0x88cc", ether(0x88cc, b"\x02\x07\x04" + HERE + b"\x04\x03\x05v1\x06\x02\0\x78\0\0" + b"\0" * 20)
    yield "802.3", ether(38, b"\x42\x42\x03" + b"\0" * 35)
    yield "IPv4 ethertype, version 6", ether(0x0800, ip6(UDP, udp(b"x" * 20)))
    yield "IPv6 ethertype, version 4", ether(0x86dd, SYN4 + b"\0" * 20)
    yield "IPv4, padded", ether(0x0800, SYN4 + b"\0" * 6)
    yield "no payload", ether(0x0800, b"")


def cut(all_frames):
    for name, frame in all_frames:
        for length in range(1, len(frame) + 1):
            yield "%s, cut to %d" % (name, length), frame[:length], len(frame)


def mutated(all_frames, n):
    rng = random.Random(17)
    for _ in range(n):
        name, frame = rng.choice(all_frames)
        frame = bytearray(frame)
        for _ in range(rng.randint(1, 3)):
            frame[rng.randrange(len(frame))] = rng.choice((0, 1, 255, rng.randrange(256)))
        yield name + ", changed", bytes(frame), len(frame)


def send_by_tun(name, packets):
    """Made here, as it is gone with its descriptor: it says that it is there, and waits for a line."""
    tun = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH22x", name.encode(), 0x1001)) # TUNSETIFF, IFF_TUN | IFF_NO_PI
    print("made", flush=True)
    input()
    for _, packet, _ in packets:
        os.write(tun, packet)
    input()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write")
    parser.add_argument("--send")
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--corpus")
    parser.add_argument("--tun")
    parser.add_argument("--wire", action="store_true")
    parser.add_argument("--raw", action="store_true")
    parser.add_argument("--cut", action="store_true")
    parser.add_argument("--mutate", type=int, default=0)
    args = parser.parse_args()
    chosen = list(ip_packets() if args.raw or args.tun else frames())
    if args.send or args.wire:
        chosen = [one for one in chosen if one[0] not in KEPT_FROM_SOCKETS]
    packets = [(name, frame, len(frame)) for name, frame in chosen]
    if args.cut:
        packets = list(cut(chosen))
    packets += mutated(chosen, args.mutate)
    if args.names:
        print("\n".join(name for name, _, _ in packets))
    if args.send:
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as s:
            s.bind((args.send, 0))
            for _, frame, _ in packets:
                s.send(frame)
    if args.tun:
        send_by_tun(args.tun, packets)
    if args.corpus:
        for i, (_, frame, _) in enumerate(packets):
            with open("%s/%d" % (args.corpus, i), "wb") as f:
                f.write(b"\x01\0\0" + frame)
    if args.write:
        with open(args.write, "wb") as f:
            f.write(struct.pack("=IHHIIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, 101 if args.raw else 1))
            for i, (_, frame, length) in enumerate(packets):
                f.write(struct.pack("=IIII", 1795231427 + i // 1000, i % 1000 * 1000000 + 789, len(frame), length))
                f.write(frame)


if __name__ == "__main__":
    main()
