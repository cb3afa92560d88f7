# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Results as text: the tables and verdicts in markdown."""
import statistics

from interval import lowest, middle
from machine import describe
from measure import WORKS
from paths import PATHS
from targets import NOT_PLANNED


def number(value, digits=0):
    return "–" if value is None else f"{value:.{digits}f}"


def told(figure, digits=0):
    """The figure and, behind it, its interval; the interval alone where the figure is its lower end."""
    value, low, high = (f"{part:.{digits}f}" for part in figure)
    if value != low:
        return f"{value} ({low}…{high})"
    return low if low == high else f"{low}…{high}"


def spread(values, digits=0, of=middle):
    values = [v for v in values if v is not None]
    return told(of(values), digits) if values else "–"


def rows(head, lines):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"
    for line in lines:
        yield "| " + " | ".join(line) + " |"


def losses(results, work, path):
    """Of what was to be captured, in percent, and behind it the causes where there are some."""
    taken = [r for r in results.cells[work, path] if r.get("delivered") is not None]
    taken = [r for r in taken if r["delivered"] + r["lost"]]
    if not taken:
        return "–"

    def share(count):
        return statistics.median(100 * count(r) / (r["delivered"] + r["lost"]) for r in taken)

    causes = {cause: share(lambda r, cause=cause: r["causes"][cause])
              for cause in taken[0].get("causes", {})}
    parts = [f"{cause} {part:.1f}" for cause, part in causes.items() if part >= 0.05]
    return f"{share(lambda r: r['lost']):.1f}" + (f" ({', '.join(parts)})" if parts else "")


def cell_row(results, work, path):
    def values(key):
        return results.values(work, path, key)

    million = [d / 1e6 for d in values("delivered_pps") if d is not None]
    mib = [k / 1024 for k in values("rss_kib") if k is not None]
    return [
        PATHS[path].label, spread(values("ns"), of=lowest),
        told(results.cost(work, path, "added")) if path != NONE else "–",
        spread(million, 2), losses(results, work, path),
        spread(values("consumer_ns"), of=lowest),
        number(results.median(work, path, "core_cpu") * 100),
        number((results.median(work, path, "consumer_cpu") or 0) * 100) if million else "–",
        number(statistics.median(mib)) if mib else "–",
    ]


HEAD = ["traffic, with nothing attached; path", "ns per frame", "added", "delivered, Mpps", "lost, % (by cause)",
        "consumer, ns per frame", "CPU0, %", "CPU1, %", "peak RSS, MiB"]
NONE = "none"


def traffic_rows(results, work):
    """The first has the name of the traffic, in bold, and what was measured with nothing attached."""
    first = cell_row(results, work, NONE) if NONE in results.paths(work) else [""] * len(HEAD)
    yield [f"**{WORKS[work].label}**"] + first[1:]
    for path in results.paths(work):
        if path != NONE:
            yield cell_row(results, work, path)


def cells(results):
    """One table for all traffic, so that the head is there once."""
    yield ""
    yield from rows(HEAD, [row for work in results.names() for row in traffic_rows(results, work)])
    reasons = {}
    for (work, path), reason in results.skipped.items():
        reasons.setdefault((PATHS[path].label, reason), []).append(work)
    if reasons:
        yield "\nNot measured:\n"
        for (label, reason), works in reasons.items():
            yield f"- {label}: {reason}"


EXTRA_TITLES = {
    "program": "The capture program alone: ns per frame, the fastest of 100 batches",
    "drain": "Emptying a full ring, 64-byte frames: ns per frame",
    "idle": "Idle capture in immediate mode (cpu: cores; late: from time stamp to callback)",
    "slow": "10 000 frames a second, read with a timeout of 100 ms",
    "opening": "From pcap_create() to the first frame, ms",
    "openclose": "Opening a device, setting its filter and closing it, each in a fresh process: ms",
    "writing": "Writing 1500-byte frames to tmpfs: CPU time per KiB, ns",
    "prealloc": "xdpdump into a preallocated file in memory, ours and xdp-tools'",
    "scale": "tcpdump on xdp: by receive queues",
    "any": "Every frame of all interfaces, 64 bytes, by the number of interfaces",
    "stream": "One TCP connection that comes in while it is captured: Gbit/s",
}


EXTRA_NOTES = {
    "prealloc": "Paced is a million frames a second. Ours writes by standard output (-w - 1<>FILE), xdp-tools' by "
                "-w FILE, which cuts the file: it syncs each packet of its standard output.",
}


def sweep(rounds):
    """Of the first round: offered rates differ between rounds a little."""
    yield "\n### Lost of offered, 1500-byte frames: % at Mpps, the last flat out\n"
    lines = [[PATHS[name].label] + [f"{100 * lost:.1f} at {offered / 1e6:.2f}"
                                    for offered, lost in points]
             for name, points in rounds[0].items()]
    yield from rows([""] * len(lines[0]), lines)


def scale(rounds):
    """A table of its own: by load, the columns side by side."""
    yield "\n### tcpdump on xdp:, 64 bytes, by receive queues: ns per frame\n"
    yield ("The queue of a veth is the sending CPU modulo the queues: two CPUs load two at most, in"
           " turn. More loaded queues were not measured.\n")
    lines = []
    for load in rounds[0]:
        bare, tap = (lowest([r[load][key] for r in rounds]) for key in ("bare", "tap"))
        lost = statistics.median(100 * r[load]["lost"] for r in rounds)
        lines.append([load, told(bare), told(tap), told(tap - bare), f"{lost:.1f}"])
    yield from rows(["queues", "nothing attached", "captured", "added", "lost, %"], lines)


TABLES = {"sweep": sweep, "scale": scale}


def extras(results):
    for name, rounds in results.data["extras"].items():
        if name in TABLES:
            yield from TABLES[name](rounds)
            continue
        yield f"\n### {EXTRA_TITLES[name]}\n"
        if name in EXTRA_NOTES:
            yield EXTRA_NOTES[name] + "\n"
        lines = [[PATHS[key].label if name == "stream" else key,
                  spread([r.get(key) for r in rounds], 3 if name in ("idle", "slow") else 2)]
                 for key in rounds[0]]
        yield from rows(["", "median (interval)"], lines)
    for name, reason in results.data["extras_skipped"].items():
        yield f"\n{EXTRA_TITLES[name]}: not measured: {reason}"


def verdict_row(v):
    unit = " " + v["unit"] if v["unit"] else ""
    limit = f"{v['sense']} {v['limit']:g}{unit}"
    if "figure" not in v:
        return [v["target"], limit, v["why"], "–", v["verdict"]]
    figure = f"{v['figure']:.2f} ({v['low']:.2f}…{v['high']:.2f}){unit}"
    return [v["target"], limit, figure, str(v["rounds"]), v["verdict"]]


def verdicts(found):
    planned = [v for v in found if v.get("why") != NOT_PLANNED]
    yield from rows(["target", "wanted", "measured (interval)", "rounds", "verdict"],
                    [verdict_row(v) for v in planned])
    if len(planned) < len(found):
        yield f"\n{len(found) - len(planned)} more targets are for BENCH=full."


def machine_line(data):
    others = [r["others_cpu"] for c in data["cells"] for r in c["rounds"] if "others_cpu" in r]
    rounds = [len(c["rounds"]) for c in data["cells"]] or [0]
    return (f"{describe(data['machine'])} {min(rounds)} to {max(rounds)} rounds of "
            f"{data['options']['seconds']} s each, in {data['options']['took_seconds']} s. Other "
            f"processes meanwhile: {100 * statistics.median(others or [0]):.0f} % of a CPU (median).")
