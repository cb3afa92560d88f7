# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""The targets, and whether the figures of a run meet them.

A target is (text, limit, at most or at least, unit, how its figure comes out of the rounds). Times of a
CPU are the lowest of the rounds, rates the highest; all else are medians. A target is met or missed when
the whole interval of its figure is, of ENOUGH rounds or more; else it is undecided.
"""
import statistics

from interval import ENOUGH, highest, lowest, middle
from measure import WORKS

# A frame that is lost is not copied, and costs little: who loses more than this is not compared.
LOSS_MAX = 0.02
# Nor who was offered less than this of the rate that was asked for.
OFFERED_MIN = 0.9
NOT_PLANNED = "not measured in this mode"


class Missing(Exception):
    """No figure in this run."""


class Unfair(Missing):
    """Figures, but not of the same thing."""


def is_clean(figures):
    """Did all come that was to come? What is lost costs less than what is captured."""
    return not figures.get("lost") and not figures.get("refused")


def lost_share(figures):
    """Of what was to be captured, in a round."""
    lost = figures.get("lost") or 0
    return lost / (figures["delivered"] + lost) if lost else 0


class Results:
    """Rounds by traffic and path, as bench/run wrote them; and what was asked of them."""

    def __init__(self, data):
        self.data = data
        self.cells = {(c["work"], c["path"]): c["rounds"] for c in data["cells"]}
        self.skipped = {(s["work"], s["path"]): s["reason"] for s in data["skipped"]}
        self.asked, self.extras_asked = set(), set()
        self.fewest = None  # rounds that a figure comes of

    def count(self, rounds):
        self.fewest = len(rounds) if self.fewest is None else min(self.fewest, len(rounds))

    def rounds(self, work, path):
        self.asked.add((work, path))
        rounds = self.cells.get((work, path))
        if not rounds:
            raise Missing(self.skipped.get((work, path), NOT_PLANNED))
        self.count(rounds)
        return rounds

    def values(self, work, path, key):
        return [r[key] for r in self.rounds(work, path) if r.get(key) is not None]

    def pairs(self, work, path, peer, key):
        """Figures of both, of rounds that both were in."""
        peers = {r["turn"]: r for r in self.rounds(work, peer)}
        return [(r, peers[r["turn"]]) for r in self.rounds(work, path)
                if r["turn"] in peers and r.get(key) is not None]

    def cost(self, work, path, key):
        """The lowest; "added" is that of ns, over nothing attached."""
        if key == "added":
            return self.cost(work, path, "ns") - self.cost(work, "none", "ns")
        rounds = [r for r in self.rounds(work, path) if r.get(key) is not None]
        if not rounds:
            raise Missing("no figure")
        clean = [r for r in rounds if is_clean(r)] or [
            r for r in rounds if lost_share(r) <= LOSS_MAX] or rounds
        self.count(clean)
        return lowest([r[key] for r in clean])

    def median(self, work, path, key):
        values = self.values(work, path, key)
        return statistics.median(values) if values else None

    def loss(self, work, path):
        rounds = self.rounds(work, path)
        return statistics.median(lost_share(r) for r in rounds)

    def check_offered(self, work, *paths):
        offered = {path: self.median(work, path, "sent_pps") for path in paths}
        for path, pps in offered.items():
            if pps < (WORKS[work].rate or 0) * OFFERED_MIN:
                raise Unfair(f"{path} was offered {pps / 1e6:.2f} Mpps")

    def check_fair(self, work, *paths):
        self.check_offered(work, *paths)
        for path in paths:
            if self.loss(work, path) > LOSS_MAX:
                raise Unfair(f"{path} lost {100 * self.loss(work, path):.0f} % of the frames")

    def extra(self, name, key):
        self.extras_asked.add(name)
        rounds = self.data["extras"].get(name)
        if not rounds:
            raise Missing(self.data["extras_skipped"].get(name, NOT_PLANNED))
        values = [r[key] for r in rounds if r.get(key) is not None]
        if not values:
            raise Missing("no figure")
        self.count(values)
        return values

    def names(self):
        return list(dict.fromkeys(work for work, _ in self.cells))

    def paths(self, work):
        return [path for w, path in self.cells if w == work]


def ratio(work, path, peer, key="added"):
    """Of what it costs, where both delivered."""
    def figure(r):
        r.check_fair(work, path, peer)
        return r.cost(work, path, key) / r.cost(work, peer, key)
    return figure


def loss_over(work, path, peer):
    """Percent of the frames that were lost beyond those of the peer."""
    def figure(r):
        r.check_offered(work, path, peer)
        return middle([100 * (lost_share(a) - lost_share(b))
                       for a, b in r.pairs(work, path, peer, "delivered")])
    return figure


def value(work, path, key, factor=1):
    def figure(r):
        r.check_offered(work, path)
        return middle([v * factor for v in r.values(work, path, key)])
    return figure


def added(work, path):
    return lambda r: r.cost(work, path, "added")


def extra(name, key, factor=1):
    return lambda r: middle([v * factor for v in r.extra(name, key)])


def extra_over(name, what, other):
    return lambda r: lowest(r.extra(name, what)) - lowest(r.extra(name, other))


def extra_of(name, what, other):
    """Of the CPU's time."""
    return lambda r: lowest(r.extra(name, what)) / lowest(r.extra(name, other))


def extra_added(name, what, other, bare, lost):
    """Of rounds in which none of them lost more than a little: what is lost costs less."""
    def figure(r):
        clean = [all(share <= 100 * LOSS_MAX for share in shares) for shares in zip(*(r.extra(name, key) for key in lost))]
        if not any(clean):
            raise Unfair("one of them lost frames in each round")
        ours, theirs, nothing = (lowest([v for v, ok in zip(r.extra(name, key), clean) if ok])
                                 for key in (what, other, bare))
        return (ours - nothing) / (theirs - nothing)
    return figure


def program_over(what, other):
    """Of the program alone: the stack around it drifts by more than such a difference."""
    return extra_over("program", what, other)


def into_file(key, offered=0.0):
    """Of what was to be offered: a generator that was slower proves nothing."""
    def figure(r):
        paced = statistics.median(r.extra("prealloc", "1500 bytes paced: offered, Mpps"))
        if paced < offered:
            raise Unfair(f"the generator made {paced:.2f} Mpps")
        return middle(r.extra("prealloc", key))
    return figure


def extra_ratio(name, what, other):
    return lambda r: middle([a / b for a, b in zip(r.extra(name, what), r.extra(name, other))])


def flat_out(results, work, path):
    """Frames a second that come through: as many as in the fastest stretch where none was lost."""
    return highest([1e9 / r["ns"] if is_clean(r) else r.get("delivered_pps", r["sent_pps"])
                    for r in results.rounds(work, path)])


def rate(work, path, peer):
    return lambda r: flat_out(r, work, path) / flat_out(r, work, peer)


def scaling(load):
    """Of what the capture adds with one queue from one CPU; where both delivered."""
    def figure(r):
        sides = [r.extra("scale", of) for of in (load, "1 from 1 CPU")]
        lost = max(statistics.median(one["lost"] for one in side) for side in sides)
        if lost > LOSS_MAX:
            raise Unfair(f"{100 * lost:.0f} % of the frames were lost")
        many, one = (lowest([x["tap"] for x in side]) - lowest([x["bare"] for x in side]) for side in sides)
        return many / one
    return figure


MANY, FEW = "201 interfaces", "one interface"


def any_added(r):
    return (lowest(r.extra("any", f"{MANY}: xdp:any, ns")) - lowest(r.extra("any", f"{MANY}: nothing attached, ns"))) / (
        lowest(r.extra("any", f"{FEW}: xdp:any, ns")) - lowest(r.extra("any", f"{FEW}: nothing attached, ns")))


AT_MOST, AT_LEAST = "at most", "at least"
TARGETS = [
    ("tap, 64 bytes, all: added, of tcpdump's on AF_PACKET", 0.40, AT_MOST, "",
     ratio("64", "tap", "tcpdump")),
    ("tap, 1500 bytes, all, 4 MiB ring: added, of tcpdump -B 65536's", 0.50, AT_MOST, "",
     ratio("1500", "tap-4M", "tcpdump-B")),
    ("tap, 1500 bytes, all, ring of its own size: added, of tcpdump -B 65536's", 0.60, AT_MOST, "",
     ratio("1500", "tap", "tcpdump-B")),
    ("tap, 1500 bytes at 300 kpps, 4 MiB ring: added, of tcpdump's", 0.50, AT_MOST, "",
     ratio("1500 paced", "tap-4M", "tcpdump")),
    ("tap, 1500 bytes at 300 kpps, ring of its own size: added, of tcpdump -B 65536's", 0.60, AT_MOST, "",
     ratio("1500 paced", "tap", "tcpdump-B")),
    ("tap with hook=tc, 64 bytes, all: added, of tcpdump's", 0.50, AT_MOST, "",
     ratio("64", "tap-tc", "tcpdump")),
    ("tap, 1 % match: added", 15, AT_MOST, "ns", added("1%", "tap")),
    ("tap, 1 % match, privileges dropped: added", 15, AT_MOST, "ns", added("1%", "tap-Z")),
    ("program, 100 hosts over one host", 6, AT_MOST, "ns",
     program_over("64 bytes, 100 hosts", "64 bytes, 1 host")),
    ("program, 100 ports over one port", 6, AT_MOST, "ns",
     program_over("64 bytes, 100 ports", "64 bytes, 1 port")),
    ("program, after=drop: the watchdog", 3, AT_MOST, "ns",
     program_over("64 bytes, after=drop", "64 bytes, after=drop, watchdog=off")),
    ("tap, transmit, 64 bytes: added, of tcpdump's", 0.35, AT_MOST, "",
     ratio("out 64", "tap", "tcpdump")),
    ("tap, transmit, 1500 bytes: added, of tcpdump's", 0.35, AT_MOST, "",
     ratio("out 1500", "tap", "tcpdump")),
    ("tap, 64 bytes, 8 queues, one loaded: added, of one queue's", 1.1, AT_MOST, "",
     scaling("8 from 1 CPU")),
    ("tap, 64 bytes, 8 queues, two loaded in turn: added, of one queue's", 1.1, AT_MOST, "",
     scaling("8 from 2 CPUs")),
    ("divert, pcap_dispatch, 64 bytes: delivered, of the XDP_DROP rate", 0.50, AT_LEAST, "",
     rate("64", "dispatch-divert", "xdp_drop")),
    ("the same without reading the clock (host_lowprec)", 0.60, AT_LEAST, "",
     rate("64", "dispatch-divert-lowprec", "xdp_drop")),
    ("divert, pcap_dispatch, 64 bytes: delivered, of tcpdump's", 2.2, AT_LEAST, "",
     rate("64", "dispatch-divert", "tcpdump")),
    ("divert, 512 bytes at 900 kpps: receive path, of AF_XDP sockets'", 1, AT_MOST, "",
     ratio("512 fast", "divert", "divert-sockets", "ns")),
    ("divert, 512 bytes at 900 kpps: lost beyond AF_XDP sockets'", 0, AT_MOST, "%",
     loss_over("512 fast", "divert", "divert-sockets")),
    ("divert, 1500 bytes at 900 kpps: receive path, of AF_XDP sockets'", 1, AT_MOST, "",
     ratio("1500 fast", "divert", "divert-sockets", "ns")),
    ("divert, 1500 bytes at 900 kpps: lost beyond AF_XDP sockets'", 0, AT_MOST, "%",
     loss_over("1500 fast", "divert", "divert-sockets")),
    ("dumpcap on xdp:, 1500 bytes at 600 kpps: lost beyond dumpcap's on AF_PACKET", 0, AT_MOST, "%",
     loss_over("1500 at 600k", "dumpcap-xdp", "dumpcap")),
    ("dumpcap on xdp:, 1500 bytes at 300 kpps: its CPU, of that on AF_PACKET", 1, AT_MOST, "",
     ratio("1500 paced", "dumpcap-xdp", "dumpcap", "consumer_cpu")),
    ("pcap_dispatch on xdp:, per 64-byte frame beyond reading it", 25, AT_MOST, "ns",
     extra_over("drain", "xdp: by pcap_dispatch", "xdp: by the library")),
    ("xdpdump --pre-trigger, 64 bytes at 1 Mpps before the trigger: of a core", 0.5, AT_MOST, "%",
     value("64 at 1M", "pre-trigger", "consumer_cpu", 100)),
    ("tcpdump on xdp:any, 64 bytes, 201 interfaces: added, of that with one", 1.1, AT_MOST, "", any_added),
    ("tcpdump on xdp:any, 201 interfaces: memory, of that with one", 1.2, AT_MOST, "",
     extra_ratio("any", f"{MANY}: memory, MiB", f"{FEW}: memory, MiB")),
    ("xdpdump -w: CPU time, of write(2) of the same bytes", 1.2, AT_MOST, "",
     extra_of("writing", "xdpdump", "write(2)")),
    ("xdpdump, 1500 bytes at 1 Mpps into a preallocated file: lost", 0, AT_MOST, "%",
     into_file("1500 bytes paced: lost, %", 0.98)),
    ("xdpdump, 64 bytes, all, into a preallocated file: added, of xdp-tools'", 1 / 3, AT_MOST, "",
     extra_added("prealloc", "64 bytes: by ours, ns", "64 bytes: by xdp-tools', ns", "64 bytes: nothing attached, ns",
                 ("64 bytes: lost by ours, %", "64 bytes: lost by xdp-tools', %"))),
    ("xdpdump, 64 bytes, all, into a preallocated file: lost", 0, AT_MOST, "%",
     into_file("64 bytes: lost by ours, %")),
    ("idle capture: of a core", 1, AT_MOST, "%", extra("idle", "xdp: cpu", 100)),
    ("idle capture, immediate mode: median frame delivered after", 1, AT_MOST, "ms",
     extra("idle", "xdp: late, median, ms")),
    ("the same, of that on AF_PACKET", 2, AT_MOST, "",
     extra_ratio("idle", "xdp: late, median, ms", "AF_PACKET: late, median, ms")),
    ("10 kpps: of a core", 3, AT_MOST, "%", extra("slow", "xdp: cpu", 100)),
    ("10 kpps: latest frame, beyond the timeout", 1, AT_MOST, "ms",
     extra("slow", "xdp: beyond the timeout, worst, ms")),
    ("opening to first packet", 150, AT_MOST, "ms", extra("opening", "xdp_ms")),
    ("pcap_activate() on xdp:", 40, AT_MOST, "ms", extra("openclose", "xdp: activate")),
    ("pcap_setfilter() on xdp:", 5, AT_MOST, "ms", extra("openclose", "xdp: setfilter")),
    ("pcap_close() on xdp:, of closing the descriptors alone", 1.2, AT_MOST, "",
     extra_ratio("openclose", "xdp: close", "descriptors alone close")),
    ("tcpdump on xdp:, processes", 3, AT_MOST, "", value("64", "tap", "processes")),
    ("tcpdump on xdp:, memory", 48, AT_MOST, "MiB", value("64", "tap", "rss_kib", 1 / 1024)),
    ("tcpdump on xdp:, memory beside the ring", 16, AT_MOST, "MiB",
     value("64", "tap", "rss_own_kib", 1 / 1024)),
]
MET, MISSED, UNDECIDED, UNFAIR = "MET", "MISSED", "UNDECIDED", "NOT COMPARABLE"


def verdict_of(found, rounds, limit, sense):
    _, low, high = found
    if sense == AT_LEAST:
        limit, low, high = -limit, -high, -low
    if rounds < ENOUGH or low <= limit < high:
        return UNDECIDED
    return MET if high <= limit else MISSED


def judge_one(results, target):
    """As a dict: target, limit, unit, figure, low, high, rounds, verdict, why."""
    text, limit, sense, unit, figure = target
    verdict = {"target": text, "limit": limit, "sense": sense, "unit": unit}
    try:
        results.fewest = None
        found = figure(results)
        return verdict | found._asdict() | {
            "rounds": results.fewest, "verdict": verdict_of(found, results.fewest, limit, sense)}
    except Unfair as why:
        return verdict | {"verdict": UNFAIR, "why": str(why)}
    except Missing as why:
        return verdict | {"verdict": "NOT MEASURED", "why": str(why)}


def judge(results):
    return [judge_one(results, target) for target in TARGETS]


def undecided(data):
    """What more rounds are needed of: pairs of traffic and path, and extras."""
    cells, extras = set(), set()
    for target in TARGETS:
        results = Results(data)
        verdict = judge_one(results, target)["verdict"]
        few = any(len(results.cells[cell]) < ENOUGH for cell in results.asked & results.cells.keys())
        if verdict == UNDECIDED or (verdict == UNFAIR and few):
            cells |= results.asked
            extras |= results.extras_asked
    return cells, extras
