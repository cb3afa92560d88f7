# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""One measurement: a path, with some traffic; and the plan of all of them."""
import os
import time

from lab import (FAR_IP, NEAR_IP, NEAR_MAC, RECEIVE_CPU, Process, Unavailable, cpu_ns,
                 machine_busy_ns)
from paths import INTERFACE, PATHS

MATCH_PORT = 4242
ATTEMPTS, CORE_CPU_MIN = 3, 0.1


class Work:
    """Traffic, and what is asked of the capture."""

    def __init__(self, name, label, size, expression=None, snaplen=None, every=0, outbound=False,
                 rate=None, cpus=(RECEIVE_CPU,), flows=1):
        self.name, self.label, self.size, self.rate = name, label, size, rate
        self.cpus, self.flows = cpus, flows
        self.filter, self.snaplen, self.every, self.outbound = expression, snaplen, every, outbound

    def generator(self, lab, seconds):
        if self.outbound:
            return [os.path.join(lab.build, "bench/sendudp"), "-a", FAR_IP, "-s", self.size,
                    "-d", str(seconds), "-c", str(RECEIVE_CPU)]
        argv = [os.path.join(lab.build, "testprogs/trafgen"), "-i", "far", "-s", self.size,
                "-d", str(seconds), "--cpu", ",".join(map(str, self.cpus)), "--dst-mac", NEAR_MAC,
                "--dst", NEAR_IP, "--flows", str(self.flows)]
        argv += ["-r", str(self.rate), "--even"] if self.rate else []
        return argv + (["--match", str(self.every), str(MATCH_PORT)] if self.every else [])

    def side(self):
        return "near" if self.outbound else "far"


def hosts(count):
    """The traffic's own source last, so that all terms are looked at unless a filter is clever."""
    others = [f"198.51.{i // 200}.{i % 200 + 1}" for i in range(count - 1)]
    return " or ".join(f"host {address}" for address in others + ["198.18.0.1"])


def ports(count):
    others = [2000 + 7 * i for i in range(count - 1)]
    return " or ".join(f"udp port {port}" for port in others + [9])


WORKS = {work.name: work for work in [
    Work("64", "64 bytes, all captured", "64"),
    Work("512", "512 bytes, all captured", "512"),
    Work("1500", "1500 bytes, all captured", "1500"),
    Work("1500 paced", "1500 bytes, 300 000 a second, all captured", "1500", rate=300_000),
    # As fast as the slowest path of each comparison can be offered them: AF_XDP sockets, dumpcap.
    Work("512 fast", "512 bytes, 900 000 a second, all captured", "512", rate=900_000),
    Work("1500 fast", "1500 bytes, 900 000 a second, all captured", "1500", rate=900_000),
    Work("1500 at 600k", "1500 bytes, 600 000 a second, all captured", "1500", rate=600_000),
    Work("64 at 1M", "64 bytes, 1 000 000 a second, all captured", "64", rate=1_000_000),
    Work("mix", "64/576/1500 at 7:4:1, all captured", "mix"),
    Work("1%", "64 bytes, 1 % captured", "64", f"udp port {MATCH_PORT}", every=100),
    Work("0%", "64 bytes, none captured", "64", "tcp port 4242"),
    Work("snap96", "1500 bytes, 96 of them kept", "1500", snaplen=96),
    Work("out 64", "64 bytes, sent by the host", "64", outbound=True),
    Work("out 1500", "1500 bytes, sent by the host", "1500", outbound=True),
]}

# What is measured in each mode: traffic, and the paths beside each other in every round of it.
PLANS = {
    "quick": [
        ("64", ["none", "xdp_drop", "tcpdump", "tap", "tap-tc", "dispatch-divert"]),
        ("1500", ["none", "tcpdump-B", "tap"]),
        ("1%", ["none", "tap"]),
        ("out 64", ["none", "tcpdump", "tap"]),
        ("1500 paced", ["none", "dumpcap", "dumpcap-xdp"]),
    ],
    "full": [
        ("64", ["none", "xdp_pass", "xdp_drop", "tcpdump", "tcpdump-B", "tap", "tap-4M", "tap-tc",
                "tap-lowprec", "tap-drop", "dispatch", "dispatch-xdp", "divert", "divert-sockets",
                "dispatch-divert", "dispatch-divert-lowprec", "dumpcap", "dumpcap-xdp",
                "netsniff-ng", "xdpdump", "xdpdump-divert", "xdp-tools"]),
        ("512", ["none", "xdp_drop", "tcpdump", "tcpdump-B", "tap", "divert"]),
        ("1500", ["none", "xdp_pass", "xdp_drop", "tcpdump", "tcpdump-B", "tap", "tap-4M", "tap-tc",
                  "tap-lowprec", "tap-drop", "divert", "divert-sockets", "dumpcap", "dumpcap-xdp",
                  "netsniff-ng", "xdpdump", "xdp-tools"]),
        ("mix", ["none", "tcpdump", "tap"]),
        ("1500 paced", ["none", "tcpdump", "tcpdump-B", "tap", "tap-4M", "dumpcap", "dumpcap-xdp"]),
        ("512 fast", ["none", "divert", "divert-sockets"]),
        ("1500 fast", ["none", "divert", "divert-sockets"]),
        ("1500 at 600k", ["none", "dumpcap", "dumpcap-xdp"]),
        ("64 at 1M", ["none", "pre-trigger"]),
        ("1%", ["none", "tcpdump", "tap", "tap-tc", "tap-Z"]),
        ("0%", ["none", "tcpdump", "tap"]),
        ("snap96", ["none", "tcpdump", "tap"]),
        ("out 64", ["none", "tcpdump", "tap"]),
        ("out 1500", ["none", "tcpdump", "tap"]),
    ],
}


def generate(lab, work, seconds):
    """The generator's report, and the CPU time of its cores: its own, and the softirq threads'."""
    softirq = [lab.softirq[cpu] for cpu in work.cpus if lab.softirq[cpu]]
    before = cpu_ns(softirq)
    process = Process(lab, work.generator(lab, seconds), RECEIVE_CPU, work.side())
    process.popen.wait()
    process.stop()
    report = process.json()
    report["core_ns"] = report["cpu_seconds"] * 1e9 + cpu_ns(softirq) - before
    return report


def consumer_figures(process, used_ns, counts, report):
    delivered, causes = counts
    lost = sum(n for cause, n in causes.items() if cause != INTERFACE)
    peak, own = process.peak
    return {
        "delivered": delivered, "lost": lost, "causes": causes,
        "delivered_pps": delivered / report["active_seconds"],
        "consumer_ns": used_ns / delivered if delivered else None,
        "consumer_cpu": used_ns / 1e9 / report["active_seconds"],
        "rss_kib": peak, "rss_own_kib": own, "processes": process.count,
    }


def measure(lab, path, work, seconds):
    """One round of one path; again if others left the generator next to nothing of its core, for
    then its own beginning is what was measured."""
    for _ in range(ATTEMPTS):
        figures = measure_once(lab, path, work, seconds)
        if work.rate or figures["core_cpu"] >= CORE_CPU_MIN:
            break
    return figures


def measure_once(lab, path, work, seconds):
    """Times are of the receiving core, per frame that it took: of the generator's fastest stretch, some
    thousand frames in a row that no neighbour on the host disturbed; else of all it sent."""
    begun = time.monotonic()
    process = path.start(lab, work)
    started = time.monotonic()
    if process:
        process.settle(0.05, 1.0)
    used = cpu_ns(process.group()) if process else 0
    others = machine_busy_ns()
    wall = time.monotonic()
    report = generate(lab, work, seconds)
    if process:
        process.settle()
        used = cpu_ns(process.group()) - used
        process.peak, process.count = process.memory(), len(process.group())
    others = machine_busy_ns() - others - used - report["core_ns"]
    wall = time.monotonic() - wall
    figures = {
        "ns": report.get("fastest_ns_per_packet") or report["core_ns"] / report["sent"],
        "sent": report["sent"], "refused": report["refused"], "matched": report["matched"],
        "sent_pps": report["sent"] / report["active_seconds"],
        "core_cpu": report["core_ns"] / 1e9 / report["active_seconds"],
        "others_cpu": max(0, others) / 1e9 / wall,
        "start_seconds": started - begun,
    }
    counts = path.stop(lab, process)
    if process and counts:
        figures.update(consumer_figures(process, used, counts, report))
    return figures


class Cells:
    """All rounds of all that was measured: one for each traffic and path."""

    def __init__(self):
        self.rounds, self.skipped = {}, {}

    def ordered(self, plan):
        """As planned, not as it came."""
        keys = [(work, path) for work, paths in plan for path in paths]
        return [(*key, self.rounds[key]) for key in keys if key in self.rounds]

    def add(self, work, path, turn, figures):
        self.rounds.setdefault((work, path), []).append(figures | {"turn": turn})

    def of_round(self, lab, work, paths, seconds, turn, log):
        """Nothing attached comes first and last, and counts as the one that was less disturbed."""
        others = [name for name in paths if name != "none" and (work.name, name) not in self.skipped]
        first = turn % max(1, len(others))
        taken = {}
        bare = [measure(lab, PATHS["none"], work, seconds)]
        for name in others[first:] + others[:first]:
            try:
                taken[name] = measure(lab, PATHS[name], work, seconds)
                log(".")
            except Unavailable as why:
                self.skipped[work.name, name] = str(why)
        bare.append(measure(lab, PATHS["none"], work, seconds))
        self.add(work.name, "none", turn, min(bare, key=lambda figures: figures["ns"]))
        for name, figures in taken.items():
            self.add(work.name, name, turn, figures)
