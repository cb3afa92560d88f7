# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Frames in rounds, and which rounds a capture has of each interface.

send COUNT PREFIX	without end, a datagram to port 9 by each interface PREFIX0, PREFIX1...; its ident is the round
rounds FILE COUNT	of each interface of tshark's lines (interface, ident, time): first and last round; they are the
			same but for one, and the first frames have one time
drops FILE NAME	of each received frame there is a drop, but for the last ones
"""

import collections
import socket
import struct
import sys
import time

AT_WORK = 64  # frames that were captured and have not come to where they are dropped


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def datagram(number, n):
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 32, n & 0xFFFF, 0, 64, 17, 0, socket.inet_aton("10.99.0.1"),
                       socket.inet_aton("10.99.0.2"))
    head = head[:10] + struct.pack("!H", checksum(head)) + head[12:]
    return bytes.fromhex(f"0274670000{number + 2:02x}02000000000a0800") + head + struct.pack("!HHHHI", 4000, 9, 12, 0, n)


def send(count, prefix):
    sockets = []
    for i in range(int(count)):
        sockets.append(socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
        sockets[-1].bind((f"{prefix}{i}", 0))
    for n in range(1 << 30):
        for i, s in enumerate(sockets):
            s.send(datagram(i, n))
        if n % 50 == 0:
            print(n, flush=True)
        time.sleep(0.0005)


def read(path):
    rounds, first = collections.defaultdict(list), {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, n, at = line.split()[:3]
            rounds[name].append(int(n, 16 if n.startswith("0x") else 10))
            first.setdefault(name, float(at))
    return rounds, first


def same_rounds(path, count):
    rounds, first = read(path)
    begins, ends = [r[0] for r in rounds.values()], [r[-1] for r in rounds.values()]
    print(f"{len(rounds)} interfaces, first rounds {min(begins)} to {max(begins)}, last {min(ends)} to {max(ends)}, "
          f"first frames within {max(first.values()) - min(first.values()):.6f} s")
    whole = all(r == list(range(r[0], r[0] + len(r))) for r in rounds.values())
    sys.exit(len(rounds) != int(count) or max(begins) - min(begins) > 1 or max(ends) - min(ends) > 1 or not whole)


def has_drops(path, name):
    rounds, _ = read(path)
    came, dropped = rounds[name], set(next(r for who, r in rounds.items() if who.endswith(":drops")))
    bare = [n for n in came if n not in dropped]
    print(f"{len(came)} came from {came[0]} to {came[-1]}, {len(dropped)} dropped from {min(dropped)} on, "
          f"without a drop {bare[:5]}...")
    sys.exit(any(n + AT_WORK < came[-1] for n in bare) or min(dropped) > came[0] or len(came) < 100)


COMMANDS = {"send": send, "rounds": same_rounds, "drops": has_drops}
COMMANDS[sys.argv[1]](*sys.argv[2:])
