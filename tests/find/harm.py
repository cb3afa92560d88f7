#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""harm.py KIND FILE: files for harm.sh."""
import os
import random
import struct
import sys


def frame(host, size):
    ip = struct.pack("!BBHHHBBH", 0x45, 0, size - 14, 1, 0, 64, 17, 0) + bytes([10, 0, 0, host]) + bytes([10, 0, 1, 1])
    return b"\2" * 12 + b"\x08\x00" + ip + struct.pack("!HHHH", 1024, 53, size - 34, 0)


def savefile(path, frames, link=1, order="<", snaplen=262144):
    with open(path, "wb") as f:
        f.write(struct.pack(order + "IHHIIII", 0xa1b23c4d, 2, 4, 0, 0, snaplen, link))
        for n, data in enumerate(frames):
            f.write(struct.pack(order + "IIII", 1700000000 + n, 0, len(data), len(data)) + data)


def turns(path):
    """1 MiB with 10.0.0.9, one without, and so on: bytes that do not compress."""
    r = random.Random(1)
    savefile(path, (frame(9 if n % 2048 == 100 else 1, 1008) + r.randbytes(1008 - 42) for n in range(8192)))


def rot(path):
    """Damage in a MiB that is not wanted, in front of one that is; the time stays."""
    times = os.stat(path)
    with open(path, "r+b") as f:
        f.seek(times.st_size * 7 // 16)
        f.write(b"\xff" * 100000)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def long(path):
    """More than a window of 2^27 has to be, so that zstd takes the one that it is told."""
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHIIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, 1))
        f.truncate((1 << 27) + (1 << 20))


def block(kind, body):
    n = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + n + body + n


def section(f):
    f.write(block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)) + block(1, struct.pack("<HHI", 1, 0, 0)))


def processes(path):
    """More than is kept of a section, and little when it is compressed."""
    one = block(0x80000001, bytes(1 << 16))
    with open(path, "wb") as f:
        section(f)
        for _ in range(1100):
            f.write(one)


def links(path):
    """Each link type that there is, and then the last one again and again."""
    with open(path, "wb") as f:
        section(f)
        for kind in range(2, 65536):
            f.write(block(1, struct.pack("<HHI", kind, 0, 0)))
        f.write(800000 * block(1, struct.pack("<HHI", 65535, 0, 0)))


def dgux(path):
    """Of DG/UX's tcpdump, whose version is 543.0: the two lengths stand in each other's place."""
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHIIII", 0xa1b2c3d4, 543, 0, 0, 0, 65535, 1))
        for n in range(7):
            f.write(struct.pack("<IIII", 1700000000 + n, 0, 100, 42) + frame(n, 100))


def crowd(path):
    """A thousand files whose names begin so: their list is more than a pipe takes."""
    for n in range(1000):
        savefile("%s-%d" % (path, n), [])


def null(path):
    savefile(path, (struct.pack(">I", 2) + frame(1, 100)[14:] for _ in range(10)), 0, ">")


def nflog(path):
    savefile(path, (struct.pack(">BBHHH", 2, 0, 0, 8, 9) + bytes(4) for _ in range(10)), 239, ">")


def usb(path):
    """Of a kernel's isochronous transfers: two descriptors of three numbers each."""
    head = struct.pack(">QBBBBHBBqiiIIiiiiII", 1, 0x53, 0, 0x81, 3, 1, 45, 0, 1700000000, 5, -115, 96, 32, 0, 2, 1, 0, 0, 2)
    savefile(path, (head + struct.pack(">iIIIiIII", 0, 0, 96, 0, -18, 96, 96, 0) for _ in range(10)), 220, ">")


def big(path):
    with open(path, "wb") as f:
        section(f)
        f.write(block(6, struct.pack("<IIIII", 0, 0, 0, 300000, 300000) + bytes(300000)))


def long_ring(path):
    """160 MB that take no room on the disk."""
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHIIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, 1))
        for n in range(640):
            f.write(struct.pack("<IIII", 1700000000 + n, 0, 262000, 262000) + frame(n % 100, 1000))
            f.seek(n * 262016 + 262040)
        f.truncate(640 * 262016 + 24)


def option(code, value):
    return struct.pack("<HH", code, len(value)) + value + bytes(-len(value) % 4)


def packet(time, number=None):
    """Of the process that has this number in its section."""
    data = frame(1, 100) + bytes(58)
    options = b"" if number is None else option(32769, struct.pack("<I", number)) + bytes(4)
    return block(6, struct.pack("<IIIII", 0, 0, time, len(data), len(data)) + data + options)


def named(path, name=None):
    """Packets of a process, if there is one, and of the next number, which is nobody's."""
    with open(path, "wb") as f:
        section(f)
        if name:
            f.write(block(0x80000001, struct.pack("<I", 77) + option(2, name) + bytes(4)))
        for number in (0, 1) if name else (0,):
            f.write(packet(number + 1, number))


def nameless(path):
    named(path)


def alpha(path):
    named(path, b"alpha")


def beta(path):
    named(path, b"beta")


def names(path):
    """Prints of which process each packet is."""
    with open(path, "rb") as f:
        data = f.read()
    known, at = [], 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 0x80000001:
            size, = struct.unpack_from("<H", data, at + 14)
            known.append(data[at + 16:at + 16 + size].decode())
        elif kind == 6:
            number, = struct.unpack_from("<I", data, at + 28 + 100 + 4)
            print(known[number] if number < len(known) else "nobody")
        at += length


def secrets(path):
    """More of them than are kept until a packet is found."""
    with open(path, "wb") as f:
        section(f)
        for n in range(18):
            f.write(packet(n))
            f.write(block(10, struct.pack("<II", 0x544c534b, 1 << 20) + b"# a key\n".ljust(1 << 20, b"\n")))


def simple(path):
    """Packets that were cut to 41 bytes, of which only the interface tells."""
    with open(path, "wb") as f:
        f.write(block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)) + block(1, struct.pack("<HHI", 1, 0, 41)))
        for host in range(3):
            f.write(block(3, struct.pack("<I", 100) + frame(host, 100)[:41] + bytes(3)))


globals()[sys.argv[1]](sys.argv[2])
