# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""What a frame costs by the number of receive queues, with and without a capture on all of them.

The receive queue of a veth is the sending CPU modulo the queues: however many are configured, two
CPUs load two of them at most, and in turn, as there is one sender. What more loaded queues cost on
more CPUs is not seen here.
"""
from lab import CONSUMER_CPU, RECEIVE_CPU
from measure import Work, measure
from paths import PATHS

SECONDS = 0.25
ONE, TWO = [RECEIVE_CPU], [RECEIVE_CPU, CONSUMER_CPU]
LOADS = [(1, ONE), (8, ONE), (1, TWO), (8, TWO)]


def label(queues, cpus):
    return f"{queues} from {len(cpus)} CPU" + ("s" if len(cpus) > 1 else "")


def scale(lab):
    """By number of queues and sending CPUs: ns per frame, without and with the capture, and the
    share that was lost."""
    figures = {}
    try:
        for queues, cpus in LOADS:
            lab.queues(queues)
            work = Work("scale", "", "64", cpus=cpus, flows=16)
            bare = measure(lab, PATHS["none"], work, SECONDS)
            tap = measure(lab, PATHS["tap"], work, SECONDS)
            figures[label(queues, cpus)] = {
                "bare": bare["ns"], "tap": tap["ns"],
                "lost": tap["lost"] / (tap["lost"] + tap["delivered"])}
    finally:
        lab.queues(1)
    return figures
