# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""What 100 Gbit/s would take by the figures of a run: calculated, not measured."""
from interval import lowest
from paths import PATHS
from table import number, rows
from targets import LOSS_MAX, NOT_PLANNED, Missing

CORES = 16
LINK = 12.5e9  # bytes a second
OVERHEAD = 20  # bytes of the wire beside the frame: preamble, gap
RECORD = 64  # bytes of a record beside the frame
PARTS = ((64, 7), (576, 4), (1500, 1))  # of the mix
FRAMES = {"64": 64, "512": 512, "1500": 1500,
          "mix": sum(size * share for size, share in PARTS) / sum(share for _, share in PARTS)}
HEAD = ["frames, with FCS", "64 B", "512 B", "1500 B", f"64/576/1500 at 7:4:1 (mean {FRAMES['mix']:.0f} B)"]


def rate(size):
    return LINK / (size + OVERHEAD)


def program(results, work):
    """ns of the capture program alone; of the mix that of its parts, 512 bytes for 576."""
    def alone(size):
        return lowest(results.extra("program", f"{size} bytes")).figure

    if work != "mix":
        return alone(work)
    shares = {"64": 7, "512": 4, "1500": 1}
    return sum(alone(size) * share for size, share in shares.items()) / sum(shares.values())


def cell(path, key):
    """Of a row and a column of the tables by traffic, where next to nothing was lost."""
    def figure(results, work):
        if results.loss(work, path) > LOSS_MAX:
            raise Missing(f"lost {100 * results.loss(work, path):.0f} %")
        return results.cost(work, path, key).figure
    return figure


def drop(results, work):
    return program(results, work) + results.cost(work, "xdp_drop", "ns").figure


def consumer(path):
    """Where it was not measured with such frames: on the line between 64 and 1500 bytes."""
    def figure(results, work):
        try:
            return cell(path, "consumer_ns")(results, work)
        except Missing:
            small, large = (cell(path, "consumer_ns")(results, size) for size in ("64", "1500"))
            return small + (large - small) * (FRAMES[work] - 64) / (1500 - 64)
    return figure


def label(path):
    return f"“{PATHS[path].label}”"


COSTS = (
    (f"tap: what it adds, by “added” of {label('tap')}", cell("tap", "added")),
    ("tap with the host's stack behind it, “ns per frame” of the same", cell("tap", "ns")),
    (f"after=drop: the program alone, and “ns per frame” of {label('xdp_drop')}", drop),
    (f"divert, copy mode, “ns per frame” of {label('divert')}", cell("divert", "ns")),
    (f"... of {label('xdpdump-divert')}", cell("xdpdump-divert", "ns")),
    (f"the reader of tap, “consumer” of {label('xdpdump')}", consumer("xdpdump")),
    (f"the reader of divert, “consumer” of {label('xdpdump-divert')}", consumer("xdpdump-divert")),
)


def cost(results, figure, work):
    """Cores, and in brackets the ns per frame that they come of."""
    try:
        ns = figure(results, work)
    except Missing as why:
        return "not measured" if str(why) == NOT_PLANNED else str(why)
    return f"{ns * 1e-9 * rate(FRAMES[work]):.1f} ({ns:.0f})"


def by_size(what, figure, digits=0):
    return [what] + [number(figure(size, rate(size)), digits) for size in FRAMES.values()]


def pcie(size, f):
    """Gbit/s: 24 bytes for each packet of 256 on the bus, 64 for the completion and its own 24."""
    parts = PARTS if size == FRAMES["mix"] else ((size, 1),)
    headers = sum(24 * -(-part // 256) * share for part, share in parts) / sum(n for _, n in parts)
    return (size + 88 + headers) * 8 * f / 1e9


def model(results):
    yield "\n## To 100 Gbit/s, on paper\n"
    yield (f"Calculated from the figures above, not measured: no such link was there. Taken to {CORES} queues on"
           f" {CORES} cores as if cores did not hinder each other, every frame captured whole. Rows in cores have in"
           " brackets the ns per frame that they come of; what lost more than 2 % of its frames is left out.\n")
    lines = [by_size("rate, Mpps", lambda size, f: f / 1e6, 1),
             by_size(f"time per frame that {CORES} cores have, ns", lambda size, f: CORES / f * 1e9)]
    lines += [[what] + [cost(results, figure, work) for work in FRAMES] for what, figure in COSTS]
    lines += [["divert, zero-copy"] + ["not measured"] * len(FRAMES),
              by_size("memory, record read, GB/s", lambda s, f: (2 * s + 2 * (s + RECORD)) * f / 1e9),
              by_size("memory, written to disk too, GB/s", lambda s, f: (2 * s + 4 * (s + RECORD)) * f / 1e9),
              by_size("PCIe of the card, Gbit/s", pcie),
              by_size("disk, GB/s", lambda s, f: (s + RECORD) * f / 1e9, 1)]
    yield from rows(HEAD, lines)
