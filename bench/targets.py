# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""The targets, and whether the figures of a run meet them.

A target is (text, limit, at most or at least, unit, how its figure comes out of a round). Every
figure is taken within a round; the verdict goes by the median of the rounds.
"""
import statistics


# A frame that is lost is not copied, and costs little: who loses more than this is not compared.
LOSS_MAX = 0.02


class Missing(Exception):
    """No figure in this run."""


class Unfair(Missing):
    """Figures, but not of the same thing."""


class Results:
    """Rounds by traffic and path, as bench/run wrote them."""

    def __init__(self, data):
        self.data = data
        self.cells = {(c["work"], c["path"]): c["rounds"] for c in data["cells"]}
        self.skipped = {(s["work"], s["path"]): s["reason"] for s in data["skipped"]}

    def values(self, work, path, key):
        rounds = self.cells.get((work, path))
        if not rounds:
            raise Missing(self.skipped.get((work, path), "not measured in this mode"))
        return [r.get(key) for r in rounds]

    def median(self, work, path, key):
        values = [v for v in self.values(work, path, key) if v is not None]
        return statistics.median(values) if values else None

    def loss(self, work, path):
        shares = [lost / (got + lost) for got, lost in
                  zip(self.values(work, path, "delivered"), self.values(work, path, "lost"))
                  if got is not None and got + lost]
        return statistics.median(shares) if shares else 0

    def check_fair(self, work, *paths):
        for path in paths:
            if self.loss(work, path) > LOSS_MAX:
                raise Unfair(f"{path} lost {100 * self.loss(work, path):.0f} % of the frames")

    def extra(self, name, key):
        rounds = self.data["extras"].get(name)
        if not rounds:
            raise Missing(self.data["extras_skipped"].get(name, "not measured in this mode"))
        values = [r[key] for r in rounds if r.get(key) is not None]
        if not values:
            raise Missing("no figure")
        return values

    def names(self):
        return list(dict.fromkeys(work for work, _ in self.cells))

    def paths(self, work):
        return [path for w, path in self.cells if w == work]


def ratio(work, path, peer):
    """Of the costs added, where both delivered."""
    def figure(r):
        pairs = zip(r.values(work, path, "added"), r.values(work, peer, "added"))
        r.check_fair(work, path, peer)
        return [a / b for a, b in pairs]
    return figure


def value(work, path, key="added", factor=1):
    return lambda r: [v * factor for v in r.values(work, path, key)]


def extra(name, key, factor=1):
    return lambda r: [v * factor for v in r.extra(name, key)]


def program_over(what, other):
    """Of the program alone: the stack around it drifts by more than such a difference."""
    return lambda r: [a - b for a, b in zip(r.extra("program", what), r.extra("program", other))]


def drain_over_reading(r):
    return [a - b for a, b in zip(r.extra("drain", "xdp: by pcap_dispatch"),
                                  r.extra("drain", "xdp: by the library"))]


def into_file(key, offered=0.0):
    """Of what was to be offered: a generator that was slower proves nothing."""
    def figure(r):
        paced = statistics.median(r.extra("prealloc", "1500 bytes paced: offered, Mpps"))
        if paced < offered:
            raise Unfair(f"the generator made {paced:.2f} Mpps")
        return r.extra("prealloc", key)
    return figure


def into_file_of_theirs(r):
    return [a / b for a, b in zip(r.extra("prealloc", "64 bytes: added by ours, ns"),
                                  r.extra("prealloc", "64 bytes: added by xdp-tools', ns"))]


def rate(work, path, peer, key="delivered_pps"):
    return lambda r: [a / b for a, b in zip(r.values(work, path, "delivered_pps"),
                                            r.values(work, peer, key))]


def scaling(load):
    """Of what the capture adds with one queue from one CPU; where both delivered."""
    def figure(r):
        pairs = zip(r.extra("scale", load), r.extra("scale", "1 from 1 CPU"))
        taken = [(a["added"] / b["added"], max(a["lost"], b["lost"])) for a, b in pairs]
        lost = statistics.median(share for _, share in taken)
        if lost > LOSS_MAX:
            raise Unfair(f"{100 * lost:.0f} % of the frames were lost")
        return [part for part, _ in taken]
    return figure


AT_MOST, AT_LEAST = "at most", "at least"
TARGETS = [
    ("tap, 64 bytes, all: added, of tcpdump's on AF_PACKET", 0.40, AT_MOST, "",
     ratio("64", "tap", "tcpdump")),
    ("tap, 1500 bytes, all, 4 MiB ring: added, of tcpdump -B 65536's", 0.50, AT_MOST, "",
     ratio("1500", "tap-4M", "tcpdump-B")),
    ("tap, 1500 bytes, all, 64 MiB ring: added, of tcpdump -B 65536's", 0.60, AT_MOST, "",
     ratio("1500", "tap", "tcpdump-B")),
    ("tap, 1500 bytes at 300 kpps, 4 MiB ring: added, of tcpdump's", 0.50, AT_MOST, "",
     ratio("1500 paced", "tap-4M", "tcpdump")),
    ("tap, 1500 bytes at 300 kpps, 64 MiB ring: added, of tcpdump -B 65536's", 0.60, AT_MOST, "",
     ratio("1500 paced", "tap", "tcpdump-B")),
    ("tap with hook=tc, 64 bytes, all: added, of tcpdump's", 0.50, AT_MOST, "",
     ratio("64", "tap-tc", "tcpdump")),
    ("tap, 1 % match: added", 15, AT_MOST, "ns", value("1%", "tap")),
    ("tap, 1 % match, privileges dropped: added", 15, AT_MOST, "ns", value("1%", "tap-Z")),
    ("program, 100 hosts over one host", 6, AT_MOST, "ns",
     program_over("64 bytes, 100 hosts", "64 bytes, 1 host")),
    ("program, 100 ports over one port", 6, AT_MOST, "ns",
     program_over("64 bytes, 100 ports", "64 bytes, 1 port")),
    ("tap, transmit, 64 bytes: added, of tcpdump's", 0.35, AT_MOST, "",
     ratio("out 64", "tap", "tcpdump")),
    ("tap, transmit, 1500 bytes: added, of tcpdump's", 0.35, AT_MOST, "",
     ratio("out 1500", "tap", "tcpdump")),
    ("tap, 64 bytes, 8 queues, one loaded: added, of one queue's", 1.1, AT_MOST, "",
     scaling("8 from 1 CPU")),
    ("tap, 64 bytes, 8 queues, two loaded in turn: added, of one queue's", 1.1, AT_MOST, "",
     scaling("8 from 2 CPUs")),
    ("divert, pcap_dispatch, 64 bytes: delivered, of the XDP_DROP rate", 0.50, AT_LEAST, "",
     rate("64", "dispatch-divert", "xdp_drop", "sent_pps")),
    ("the same without reading the clock (host_lowprec)", 0.60, AT_LEAST, "",
     rate("64", "dispatch-divert-lowprec", "xdp_drop", "sent_pps")),
    ("divert, pcap_dispatch, 64 bytes: delivered, of tcpdump's", 2.2, AT_LEAST, "",
     rate("64", "dispatch-divert", "tcpdump")),
    ("pcap_dispatch on xdp:, per 64-byte frame beyond reading it", 25, AT_MOST, "ns",
     drain_over_reading),
    ("xdpdump -w: CPU time, of write(2) of the same bytes", 1.2, AT_MOST, "",
     extra("writing", "xdpdump")),
    ("xdpdump, 1500 bytes at 1 Mpps into a preallocated file: lost", 0, AT_MOST, "%",
     into_file("1500 bytes paced: lost, %", 0.98)),
    ("xdpdump, 64 bytes, all, into a preallocated file: added, of xdp-tools'", 1 / 3, AT_MOST, "",
     into_file_of_theirs),
    ("xdpdump, 64 bytes, all, into a preallocated file: lost", 0, AT_MOST, "%",
     into_file("64 bytes: lost by ours, %")),
    ("idle capture: of a core", 1, AT_MOST, "%", extra("idle", "cpu", 100)),
    ("idle capture, immediate mode: frame delivered after", 1, AT_MOST, "ms",
     extra("idle", "late_max_ms")),
    ("10 kpps: of a core", 3, AT_MOST, "%", extra("slow", "cpu", 100)),
    ("10 kpps: latest frame, of the timeout", 1, AT_MOST, "",
     lambda r: [a / b for a, b in zip(r.extra("slow", "late_max_ms"),
                                      r.extra("slow", "timeout_ms"))]),
    ("opening to first packet", 150, AT_MOST, "ms", extra("opening", "xdp_ms")),
    ("tcpdump on xdp:, processes", 3, AT_MOST, "", value("64", "tap", "processes")),
    ("tcpdump on xdp:, memory beside the ring", 16, AT_MOST, "MiB",
     value("64", "tap", "rss_own_kib", 1 / 1024)),
]


def judge(results):
    """Verdicts, as dicts: target, limit, unit, figure, low, high, verdict, why."""
    verdicts = []
    for text, limit, sense, unit, figure in TARGETS:
        verdict = {"target": text, "limit": limit, "sense": sense, "unit": unit}
        try:
            values = figure(results)
            middle = statistics.median(values)
            met = middle <= limit if sense == AT_MOST else middle >= limit
            verdict.update(figure=middle, low=min(values), high=max(values),
                           verdict="PASS" if met else "FAIL")
        except Unfair as why:
            verdict.update(verdict="NOT COMPARABLE", why=str(why))
        except Missing as why:
            verdict.update(verdict="NOT MEASURED", why=str(why))
        verdicts.append(verdict)
    return verdicts
