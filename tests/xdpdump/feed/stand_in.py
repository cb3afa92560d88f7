#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""A stand-in for pcapng-kafka put under xdpdump --to, without Kafka: whole blocks go to $STAND_IN/N.pcapng, N being
the number of its run, with --stream behind that and a dash, and packets count as acknowledged once they are there.
$PUT_STATE, which is util/put_state.h, says where."""
import mmap
import os
import re
import struct
import sys

PACKET = 6


def members(path):
    """Where each member of struct put_state is, and how large all are."""
    places, size = {}, 0
    with open(path) as header:
        for bits, name in re.findall(r"^\t_Atomic uint(\d+)_t (\w+);", header.read(), re.M):
            places[name] = size
            size += int(bits) // 8
    return places, size


PLACES, SIZE = members(os.environ["PUT_STATE"])
RUNS, ACKNOWLEDGED, READY = PLACES["runs"], PLACES["acknowledged"], PLACES["is_ready"]

state = mmap.mmap(int(sys.argv[sys.argv.index("--state-fd") + 1]), SIZE)


def add(at, n):
    struct.pack_into("=Q", state, at, struct.unpack_from("=Q", state, at)[0] + n)


def whole_blocks(data):
    """Their length, and how many of them are packets."""
    at = packets = 0
    while at + 12 <= len(data):
        kind, length = struct.unpack_from("=II", data, at)
        if at + length > len(data):
            break
        packets += kind == PACKET
        at += length
    return at, packets


add(RUNS, 1)
stream = sys.argv[sys.argv.index("--stream") + 1] + "-" if "--stream" in sys.argv else ""
run = os.path.join(os.environ["STAND_IN"], stream + str(struct.unpack_from("=Q", state, RUNS)[0]))
with open(run + ".pcapng", "wb", buffering=0) as out:
    with open(run + ".pid", "w") as mine:
        mine.write(str(os.getpid()))
    struct.pack_into("=I", state, READY, 1)
    rest = b""
    while more := os.read(0, 1 << 20):
        rest += more
        length, n = whole_blocks(rest)
        out.write(rest[:length])
        add(ACKNOWLEDGED, n)
        rest = rest[length:]
