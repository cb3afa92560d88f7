#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""make.py DIR SEED PACKETS: files of captures of all forms, and DIR/files, a line each: the file, and behind a tab the
files that tcpdump reads in its place, one for each link type, with a blank in between."""
import os
import random
import struct
import subprocess
import sys

HOSTS4 = [bytes([10, 0, i // 8, i % 8]) for i in range(24)] + [bytes([192, 168, 1, i]) for i in range(1, 9)]
HOSTS6 = [bytes.fromhex("20010db8000000000000000000000000")[:15] + bytes([i]) for i in range(1, 13)]
PORTS = [22, 53, 80, 123, 443, 1024, 5060, 8080, 33000, 40001, 65535]
MACS = [bytes([2, 0, 0, 0, 0, i]) for i in range(8)]
WINDOW = {"from": 0, "size": 64, "more": 0}  # of hosts that speak at a time; how large packets are
LARGE = 4000
START = 1_700_000_000_000_000_000


def host(r, hosts):
    return hosts[(WINDOW["from"] + r.randrange(WINDOW["size"])) % len(hosts)]


def l4(r, protocol):
    source, to = r.choice(PORTS), r.choice(PORTS)
    data = r.randbytes(r.randrange(0, 200) + WINDOW["more"])
    if protocol == 6:
        return struct.pack("!HHIIBBHHH", source, to, r.getrandbits(32), 0, 0x50, r.choice((2, 16, 18, 24, 4)), 1000, 0, 0) + data
    if protocol in (17, 132):
        return struct.pack("!HHHH", source, to, 8 + len(data), 0) + data
    return bytes([r.choice((0, 3, 8, 11, 128, 129)), 0, 0, 0]) + data


def ip4(r):
    protocol = r.choice((6, 6, 6, 17, 17, 1, 132, 47, 50))
    data = l4(r, protocol)
    options = b"\x01" * 4 * r.choice((0, 0, 0, 0, 1, 3))
    fragment = r.choice((0,) * 12 + (0x2000, 0x2005, 0x0040, 0x4000))
    return struct.pack("!BBHHHBBH", 0x45 + len(options) // 4, 0, 20 + len(options) + len(data), 1, fragment, 64, protocol,
                       0) + host(r, HOSTS4) + host(r, HOSTS4) + options + data


def geneve(r):
    """A frame in a tunnel: nothing of it is a key."""
    inner = r.choice(MACS) + r.choice(MACS) + r.choice((b"", b"\x81\x00\x00\x05")) + b"\x08\x00" + ip4(r)
    data = struct.pack("!BBHI", 0, 0, 0x6558, r.choice((9, 10)) << 8) + inner
    return struct.pack("!BBHHHBBH", 0x45, 0, 36 + len(data), 1, 0, 64, 17, 0) + host(r, HOSTS4) + host(r, HOSTS4) + \
        struct.pack("!HHHH", r.choice(PORTS), 6081, 8 + len(data), 0) + data


def ip6(r):
    protocol = r.choice((6, 6, 17, 17, 58, 132))
    data = l4(r, protocol)
    if r.random() < 0.1:
        data = bytes([protocol, 0, 0, 0]) + r.randbytes(4) + data
        protocol = r.choice((0, 44, 60))
    return struct.pack("!IHBB", 6 << 28, len(data), protocol, 64) + host(r, HOSTS6) + host(r, HOSTS6) + data


def network(r):
    """Its Ethernet type and the packet."""
    kind = r.random()
    if kind < 0.6:
        return 0x0800, geneve(r) if kind < 0.05 else ip4(r)
    if kind < 0.85:
        return 0x86dd, ip6(r)
    if kind < 0.95:
        return r.choice((0x0806, 0x8035)), struct.pack("!HHBBH", 1, 0x800, 6, 4, r.choice((1, 2))) + r.choice(MACS) + \
            host(r, HOSTS4) + r.choice(MACS) + host(r, HOSTS4)
    return r.choice((0x88cc, 0x8863, 0x809b, 0x22f0)), r.randbytes(r.randrange(0, 60))


def ethernet(r):
    kind, data = network(r)
    tags = b""
    for _ in range(r.choice((0, 0, 0, 1, 1, 2))):
        tags += struct.pack("!HH", r.choice((0x8100, 0x88a8, 0x9100)), r.choice((1, 5, 100, 4094)) | r.choice((0, 0x6000)))
    if r.random() < 0.04:
        return r.choice(MACS) + r.choice(MACS) + tags + struct.pack("!HI", 0x8847, (r.randrange(16, 20) << 12) | 0x140) + data
    if r.random() < 0.03:
        return r.choice(MACS) + r.choice(MACS) + tags + struct.pack("!HBBHHH", 0x8864, 0x11, 0, 7, len(data) + 2,
                                                                   0x21 if kind == 0x800 else 0x57) + data
    if r.random() < 0.02:
        return r.choice(MACS) + r.choice(MACS) + struct.pack("!H", r.randrange(0, 1500)) + r.randbytes(40)
    return r.choice((b"\xff" * 6, b"\x01\x00\x5e\x00\x00\x01") + tuple(MACS)) + r.choice(MACS) + tags + \
        struct.pack("!H", kind) + data


def raw(r):
    return r.choice((ip4, ip4, ip6))(r)


def cooked(r):
    kind, data = network(r)
    return struct.pack("!HHIHBB", kind, 0, r.randrange(1, 4), 1, r.choice((0, 4, 1)), 6) + r.choice(MACS) + b"\0\0" + data


def cooked1(r):
    kind, data = network(r)
    return struct.pack("!HHH", r.choice((0, 4, 1)), 1, 6) + r.choice(MACS) + b"\0\0" + struct.pack("!H", kind) + data


def loop(r):
    data = raw(r)
    return struct.pack("!I" if r.random() < 0.5 else "<I", 2 if data[0] >> 4 == 4 else 10) + data


LINKS = {1: ethernet, 101: raw, 276: cooked, 113: cooked1, 0: loop}


def frames(r, links, count, span, large):
    """(interface, time, length, bytes): the time goes on, steps a little, and once far back. large: packets, with few hosts
    at a time, so that a file has several granules."""
    WINDOW.update({"size": 3, "more": 1200} if large else {"from": 0, "size": 64, "more": 0})
    time = START + r.randrange(0, 3 * span)
    for n in range(count):
        i = r.randrange(len(links))
        if large:
            WINDOW["from"] = n * 12 // count
        time += r.randrange(0, 2 * span // count) - (span // count // 3)
        if n == count // 2 and r.random() < 0.5:
            time -= span // 2
        frame = LINKS[links[i]](r)
        if r.random() < 0.02:
            frame = r.randbytes(r.randrange(0, 70))
        yield i, time, len(frame), frame[:r.choice((65535,) * (30 if large else 3) + (96, 60, 40, 14))]


def savefile(path, link, packets, order="<", ns=True):
    with open(path, "wb") as f:
        f.write(struct.pack(order + "IHHIIII", 0xa1b23c4d if ns else 0xa1b2c3d4, 2, 4, 0, 0, 262144, link))
        for _, t, n, data in packets:
            f.write(struct.pack(order + "IIII", t // 10**9, t % 10**9 // (1 if ns else 1000), len(data), n) + data)


def block(order, kind, body):
    body += b"\0" * (-len(body) % 4)
    n = struct.pack(order + "I", len(body) + 12)
    return struct.pack(order + "I", kind) + n + body + n


def option(order, code, value):
    return struct.pack(order + "HH", code, len(value)) + value + b"\0" * (-len(value) % 4)


def pcapng(path, links, packets, r, order="<", resolution=9, sections=True):
    """With names, secrets, comments, a custom block; some packets by the older block."""
    per_second = 1 << (resolution & 127) if resolution & 128 else 10**resolution

    def section():
        f.write(block(order, 0x0a0d0d0a, struct.pack(order + "IHHq", 0x1a2b3c4d, 1, 0, -1) +
                      option(order, 1, b"of make.py") + option(order, 0, b"")))
        for n, link in enumerate(links):
            f.write(block(order, 1, struct.pack(order + "HHI", link, 0, 262144) + option(order, 2, b"eth%d" % n) +
                          option(order, 9, bytes([resolution])) + option(order, 0, b"")))

    with open(path, "wb") as f:
        section()
        for n, (i, t, length, data) in enumerate(packets):
            stamp = t * per_second // 10**9
            head = struct.pack(order + "II", stamp >> 32, stamp & 0xffffffff) + struct.pack(order + "II", len(data), length)
            pad = b"\0" * (-len(data) % 4)
            if n == 20:
                f.write(block(order, 4, option(order, 1, b"\x0a\x00\x00\x01one.example\0") + option(order, 0, b"")))
                f.write(block(order, 10, struct.pack(order + "II", 0x544c534b, 9) + b"# a key\n\n"))
                f.write(block(order, 0xbad, struct.pack(order + "I", 32473) + b"none of ours"))
            if n == 70 and sections:
                section()
            if r.random() < 0.1:
                f.write(block(order, 2, struct.pack(order + "HH", i, 0) + head + data + pad))
            else:
                f.write(block(order, 6, struct.pack(order + "I", i) + head + data + pad +
                              (option(order, 1, b"packet %d" % n) + option(order, 2, struct.pack(order + "I", 1)) +
                               option(order, 0, b"") if n % 5 == 0 else b"")))


def compress(path):
    for program, ending in (("gzip", ".gz"), ("zstd", ".zst"), ("lz4", ".lz4")):
        if path.endswith(ending) and "large" in path:  # in frames, as xdpdump --zstd writes
            with open(path, "wb") as out, open(path[:-4], "rb") as f:
                while piece := f.read(200_000):
                    out.write(subprocess.run([program, "-q", "-c"], input=piece, stdout=subprocess.PIPE, check=True).stdout)
        elif path.endswith(ending):
            subprocess.run([program, "-q", "-f", path[:-len(ending)], *([path] if program == "lz4" else [])], check=True)


def main():
    folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    r = random.Random(seed)
    lines = []
    span = 60 * 10**9
    os.makedirs(folder + "/ring/sub", exist_ok=True)
    kinds = (("us.pcap", [1], "<", False), ("ns.pcap", [1], ">", True), ("a.pcapng", [1, 1], "<", 9),
             ("b.pcapng", [1], ">", 6), ("c.pcapng", [1, 1], "<", 0x80 | 24), ("mixed.pcapng", [1, 276, 101, 113], "<", 9),
             ("raw.pcap", [101], "<", True), ("loop.pcap", [0], "<", True), ("sub/d.pcapng.zst", [1], "<", 9),
             ("sub/e.pcap.gz", [1], "<", False), ("sub/f.pcapng.lz4", [276], "<", 9),
             ("large.pcapng", [1, 1], "<", 9), ("large.pcap.zst", [1], "<", True))
    for name, links, order, how in kinds:
        path = folder + "/ring/" + name
        plain = path.rsplit(".", 1)[0] if path.endswith((".gz", ".zst", ".lz4")) else path
        packets = list(frames(r, links, LARGE if "large" in name else count, span, "large" in name))
        if ".pcapng" in name:
            pcapng(plain, links, packets, r, order, how)
        else:
            savefile(plain, links[0], packets, order, how)
        own = [plain]
        if len(set(links)) > 1:
            own = []
            for n, link in enumerate(links):
                own.append("%s/oracle-%d-%s" % (folder, n, os.path.basename(name)))
                pcapng(own[-1], [link], [(0, *rest) for i, *rest in packets if i == n], random.Random(0), order, how, False)
        elif plain != path:
            own = [folder + "/oracle-" + os.path.basename(plain)]
            os.link(plain, own[0])
            compress(path)
            os.path.exists(plain) and os.unlink(plain)
        lines.append(path + "\t" + " ".join(own))
    with open(folder + "/files", "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")


main()
