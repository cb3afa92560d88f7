# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Who held which socket when, as those wrote it down who made it, and what a label may say of it.

Of each holder there are four times: when it began to get the socket, surely had it, began to give it up, surely had it
no more. A label is wrong if it names who cannot have held the socket then, or leaves out who surely did, or names
anybody for a flow that no process of ours has."""
import collections
import json
import os
import socket
import sys
import time

TUNNEL = 4789
AROUND = 2 * 10**9  # ns: the first and the last packets of a connection
CLASSES = ("exact", "shared", "listener", "closed", "forwarded", "unknown")


class Place:
    """Where the truth is written, and of which kind it is now."""
    path = kind = None


def now():
    return time.time_ns()


def key_of(s):
    return "udp" if s.type == 2 else "tcp"


def number_of(s):
    """What no other socket has: SO_COOKIE."""
    return int.from_bytes(s.getsockopt(socket.SOL_SOCKET, 57, 8), sys.byteorder)


class Held:
    """A socket that a process has since begin, or a little later; listener: its number, or that of the one it came by."""

    def __init__(self, flow, begin, pid=None, name=None, listener=None):
        self.flow, self.begin, self.sure, self.name, self.listener = flow, begin, now(), name, listener
        self.pid = pid or os.getpid()

    def end(self, release):
        until = now()
        release()
        one = {"kind": Place.kind, "flow": self.flow, "pid": self.pid, "name": self.name, "listener": self.listener,
               "times": [self.begin, self.sure, until, now()]}
        with open(Place.path, "a", encoding="ascii") as out:
            out.write(json.dumps(one) + "\n")


def perhaps(flow, begin, pid, name):
    """Who had it for some of that time, and nobody knows since when."""
    h = Held(flow, begin, pid, name)
    h.sure = sys.maxsize
    return h


def connection(s, begin, peer=None, pid=None, name=None, listener=None):
    """peer: of a socket that is not connected; listener: by which it came."""
    return Held([key_of(s), s.getsockname()[1], (peer or s.getpeername())[1]], begin, pid, name, listener and number_of(listener))


def listening(s, begin, pid=None):
    return Held(["listener", s.getsockname()[1], 0], begin, pid, listener=number_of(s))


def flow_of(packet):
    if "src_port" not in packet:
        return (packet.get("protocol", "other"), 0, 0)
    ends = (packet["src_port"], packet["dst_port"])
    if TUNNEL in ends:
        return ("tunnel", 0, 0)
    return (packet["protocol"],) + (ends if packet["direction"] == "out" else ends[::-1])


def when_of(packet):
    return packet["seconds"] * 10**9 + packet["nanoseconds"]


def are_wrong(named, truth, when, kind):
    sure = {h["pid"] for h in truth if h["times"][1] <= when <= h["times"][2]}
    maybe = {h["pid"] for h in truth if h["times"][0] <= when <= h["times"][3]}
    return not sure <= named or not named <= maybe or (kind and (len(named) > 1) != (kind == "shared"))


def is_name_wrong(one, truth, when):
    """The command that a process has, where the truth has names."""
    names = {h["name"] for h in truth if h["pid"] == one["pid"] and h["times"][0] <= when <= h["times"][3]}
    return "command" in one and names and None not in names and one["command"] not in names


def is_closed_wrong(named, truth, when):
    past = [h for h in truth if h["times"][0] <= when]
    if any(h["times"][1] <= when <= h["times"][2] for h in truth) or not past:
        return True
    last = max(h["times"][2] for h in past)
    return not named <= {h["pid"] for h in past if h["times"][3] >= last}


def listeners_of(flow, truths):
    """Who held the listener by which it came: where that is not known, all of its port."""
    by = {h["listener"] for h in truths.get(flow, [])} - {None}
    return [h for h in truths.get(("listener", flow[1], 0), []) if not by or h["listener"] in by]


def is_wrong(packet, truths):
    when = when_of(packet)
    flow = flow_of(packet)
    truth = truths.get(flow, [])
    label = packet["who"]
    named = {one["pid"] for one in label.get("processes", [])}
    kind = label["class"]
    if kind in ("exact", "shared"):
        first = min(truth, key=lambda h: h["times"][0] if h["times"][0] > when else 1 << 63, default=None)
        # Before accept() it waits at its listener: who holds that alone, and gets it, has it.
        if not any(h["times"][0] <= when <= h["times"][3] for h in truth) and first:
            return kind == "shared" or named != {first["pid"]} or are_wrong(named, listeners_of(flow, truths), when, kind)
        return are_wrong(named, truth, when, kind) or any(is_name_wrong(one, truth, when) for one in label["processes"])
    if kind == "listener":
        # A SYN, what ends the handshake, and what comes before accept().
        begun = packet.get("tcp_flags", 0) & 0x02 == 0 and any(h["times"][1] <= when <= h["times"][2] for h in truth)
        return "tcp_flags" not in packet or begun or are_wrong(named, listeners_of(flow, truths), when, None)
    if kind == "closed":
        return is_closed_wrong(named, truth, when)
    # Of another host with the same ports, at another time: nothing of ours.
    return kind == "forwarded" and any(h["times"][0] - AROUND <= when <= h["times"][3] + AROUND for h in truth)


def read(path):
    truths = collections.defaultdict(list)
    with open(path, encoding="ascii") as lines:
        for line in lines:
            h = json.loads(line)
            truths[tuple(h["flow"])].append(h)
    return truths


def show(counts):
    print(f"{'kind':<22}{'packets':>9}" + "".join(f"{c:>11}" for c in CLASSES))
    for kind, classes in counts.items():
        print(f"{kind:<22}{sum(classes.values()):>9}" + "".join(f"{classes[c]:>11}" for c in CLASSES))


def check(path, packets, least):
    """least: how many of a class there have to be, as in exact=100."""
    truths = read(path)
    counts, wrong = collections.defaultdict(collections.Counter), 0
    with open(packets, encoding="utf-8") as lines:
        for line in lines:
            packet = json.loads(line)
            truth = truths.get(flow_of(packet))
            counts[truth[0]["kind"] if truth else "nobody of ours"][packet["who"]["class"]] += 1
            if is_wrong(packet, truths):
                wrong += 1
                if wrong < 20:
                    print("wrong:", when_of(packet), *(packet[k] for k in ("direction", "src_port", "dst_port", "tcp_flags") if k in packet), packet["who"],
                          *(truth or ["no truth"]), sep="\n  ")
    show(counts)
    total = sum(counts.values(), collections.Counter())
    print(f"{len(truths)} flows, {sum(total.values())} packets: {wrong} wrong")
    for one in least:
        name, n = one.split("=")
        if total[name] < int(n):
            print(f"{name}: wanted at least {n}, got {total[name]}")
            wrong += 1
    return wrong != 0
