#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Packets that a host drops, and whose socket has lost each.

    drops.py peer ADDRESS            in another namespace: does what it reads
    drops.py serve PACKETS ADDRESS TRUTH THEIRS PEER...
                                     lose packets of each kind until PACKETS (JSON of xdpdump) has one with the class
                                     that it is to have; PEER: a command that starts a peer
    drops.py check PACKETS TRUTH     no other process is named than the one that lost the packet
    drops.py options FILE            packets that have both the function and the process, in Apple's options"""
import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time

SENT, THEIRS = 9999, 9998  # ports: the test drops what goes there, and what comes from there
GROUP = "239.1.2.3"
PATIENCE = 20


def tiny():
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    return s


def take_nothing(s):
    """A filter of one instruction: return 0."""
    import ctypes  # pylint: disable=import-outside-toplevel

    program = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
    s.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HL", 1, ctypes.addressof(program)))


def lost(s):
    """SO_MEMINFO, of which the ninth are drops."""
    return struct.unpack("9I", s.getsockopt(socket.SOL_SOCKET, 55, 36))[8]


def peer(address):
    """kind port, and with the first of a port its own port is told."""
    open_ = {}
    print("ready", flush=True)
    for line in sys.stdin:
        kind, to, port = line.split()
        if kind == "ping":
            subprocess.run(["ping", "-qc", "1", "-s", "1000", "-W", "0.01", to], check=False, stdout=subprocess.DEVNULL)
            print(0, flush=True)
            continue
        s = open_.get((kind, port))
        if not s:
            s = open_[kind, port] = socket.socket(type=socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM)
            s.bind((address, 0))
            if to == GROUP:
                s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
            s.setblocking(kind != "syn")
            if kind == "syn":
                s.connect_ex((to, int(port)))
            else:
                s.connect((to, int(port)))
        with contextlib.suppress(ConnectionRefusedError):
            if kind != "syn":
                s.send(b"x" * (1000 if kind == "udp" else 10))
        print(s.getsockname()[1], flush=True)


class Test:
    """One after the other: what is told of them is read as it comes."""

    def __init__(self, packets, address, truth, theirs, command):
        self.packets, self.address, self.truth = open(packets, encoding="utf-8"), address, open(truth, "w", encoding="ascii")
        self.peer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.peer.stdout.readline()
        self.theirs, self.rest = theirs, ""

    def send(self, kind, port, to=None):
        print(kind, to or self.address, port, file=self.peer.stdin, flush=True)
        return int(self.peer.stdout.readline())

    def classes(self, flow):
        """Of packets of this flow since the last call."""
        lines = (self.rest + self.packets.read()).split("\n")
        self.rest = lines.pop()
        return {p["who"]["class"] for p in map(json.loads, lines) if flow_of(p) == flow}

    def run(self, kind, wanted, flow, pids, again):
        """Lose packets until one is told as wanted. flow: of whom pids are, surely or not at all."""
        print(json.dumps({"kind": kind, "flow": flow, "pids": pids}), file=self.truth, flush=True)
        end = time.monotonic() + PATIENCE
        while wanted not in self.classes(tuple(flow)):
            if time.monotonic() > end:
                print(f"FAILED: {kind}: none is {wanted}")
                return
            again()
            time.sleep(0.02)
        print(f"ok: {kind}: {wanted}")


def flow_of(p):
    if "src_port" not in p:
        return (p.get("protocol", "other"), 0, 0)
    ends = (p["src_port"], p["dst_port"])
    return (p["protocol"],) + (ends if p["direction"] == "out" else ends[::-1])


def receivers(t):
    me = os.getpid()
    s = tiny()
    s.bind((t.address, 0))
    port = s.getsockname()[1]
    flow = ["udp", port, t.send("udp", port)]
    t.run("a buffer that is full", "exact", flow, [me], lambda: t.send("udp", port))

    other = tiny()
    other.bind((t.address, 0))
    port = other.getsockname()[1]
    child = os.fork()
    if child == 0:
        s.close()
        signal.pause()
    t.run("a buffer of two processes", "shared", ["udp", port, t.send("udp", port)], [me, child], lambda: t.send("udp", port))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)

    raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    take_nothing(raw)
    t.run("a raw socket", "exact", ["icmp", 0, 0], [me], lambda: t.send("ping", 0))
    raw.close()


def sharers(t):
    """Of one port, or of one group: the kernel tells whose buffer was full."""
    me, (ready, told), (wait, go) = os.getpid(), os.pipe(), os.pipe()

    def bound(reuse, address, port=0):
        s = tiny()
        s.setsockopt(socket.SOL_SOCKET, reuse, 1)
        s.bind((address, port))
        return s
    mine = bound(socket.SO_REUSEPORT, t.address)
    port = mine.getsockname()[1]
    child = os.fork()
    if child == 0:
        mine.close()
        theirs = bound(socket.SO_REUSEPORT, t.address, port)
        large = socket.socket(type=socket.SOCK_DGRAM)
        large.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        large.bind((GROUP, 0))
        large.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + socket.inet_aton(t.address))
        os.write(told, f"{large.getsockname()[1]:5}".encode())
        os.read(wait, 1)
        os.write(told, f"{lost(theirs):5}".encode())
        signal.pause()
    group_port = int(os.read(ready, 5))
    source = t.send("udp", port)
    for _ in range(10):
        t.send("udp", port)
    os.write(go, b"x")
    whose = [child] if int(os.read(ready, 5)) else [me]
    t.run("one of several of a port", "exact", ["udp", port, source], whose, lambda: t.send("udp", port))
    group = bound(socket.SO_REUSEADDR, GROUP, group_port)
    group.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + socket.inet_aton(t.address))
    t.run("one of several of a group", "exact", ["udp", group_port, t.send("udp", group_port, GROUP)], [me],
          lambda: t.send("udp", group_port, GROUP))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def connections(t):
    me = os.getpid()
    s = socket.create_server((t.address, 0))
    port = s.getsockname()[1]
    source = t.send("tcp", port)
    c, _ = s.accept()
    take_nothing(c)
    t.run("a connection", "exact", ["tcp", port, source], [me], lambda: t.send("tcp", port))
    s.close()
    s = socket.create_server((t.address, 0))
    take_nothing(s)
    port = s.getsockname()[1]
    t.run("a listener", "listener", ["tcp", port, t.send("syn", port)], [me], lambda: t.send("syn", port))


def others(t):
    me = os.getpid()
    s = socket.socket(type=socket.SOCK_DGRAM)
    s.connect((t.theirs, SENT))
    t.run("what is sent", "exact", ["udp", s.getsockname()[1], SENT], [me], lambda: s.send(b"x"))
    t.run("what another host sent", "unknown", ["udp", THEIRS, t.send("udp", THEIRS)], [], lambda: t.send("udp", THEIRS))
    t.run("what no socket is for", "unknown", ["udp", 9, t.send("udp", 9)], [], lambda: t.send("udp", 9))


def serve(packets, address, truth, *command):
    t = Test(packets, address, truth, command[0], command[1:])
    for of in (receivers, sharers, connections, others):
        of(t)
    t.peer.stdin.close()
    t.peer.wait()


def check(packets, path):
    with open(path, encoding="ascii") as lines:
        truths = {tuple(one["flow"]): one for one in map(json.loads, lines)}
    wrong = n = named = 0
    with open(packets, encoding="utf-8") as lines:
        for p in map(json.loads, lines):
            if "drop_reason" not in p:
                continue
            truth = truths.get(flow_of(p))
            got = sorted(one["pid"] for one in p["who"].get("processes", []))
            n += 1
            named += bool(got)
            if got and got != sorted(truth["pids"] if truth else []):
                wrong += 1
                if wrong < 5:
                    print("wrong:", p, truth)
    print(f"{n} drops, {named} with a process, {wrong} wrong")
    return not named or wrong


def options(path):
    both = at = 0
    with open(path, "rb") as f:
        data = f.read()
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        o, codes = at + 28 + (struct.unpack_from("<I", data, at + 20)[0] + 3 & ~3), set()
        while kind == 6 and o < at + length - 8:
            code, n = struct.unpack_from("<HH", data, o)
            codes.add(code)
            o += 4 + (n + 3 & ~3)
        both += {1, 32769, 32777} <= codes
        at += length
    print(both)


COMMANDS = {"peer": peer, "serve": serve, "check": check, "options": options}
sys.exit(COMMANDS[sys.argv[1]](*sys.argv[2:]))
