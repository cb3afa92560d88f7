# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""What a frame costs on the device `any', and what memory it takes, with few interfaces and with many."""
import subprocess

from measure import Work, measure
from paths import PATHS, Tcpdump

SECONDS = 0.25
PAIRS = 100  # of veth, beside the one that frames come by
WORK = Work("any", "", "64")
OURS, THEIRS = Tcpdump("any-xdp", "", "xdp:any"), Tcpdump("any", "", "any")


def batch(lab, lines):
    subprocess.run(["ip", "-n", lab.namespace("near"), "-batch", "-"], input="\n".join(lines), text=True,
                   check=True, capture_output=True)


def taken(lab, count):
    figures = {}
    for name, path in ("nothing attached", PATHS["none"]), ("xdp:any", OURS), ("any", THEIRS):
        one = measure(lab, path, WORK, SECONDS)
        figures[f"{count}: {name}, ns"] = one["ns"]
        if path == OURS:
            figures[f"{count}: lost, %"] = 100 * one["lost"] / one["sent"]
            figures[f"{count}: memory, MiB"] = one["rss_kib"] / 1024
    return figures


def any_device(lab):
    """By number of interfaces: ns per frame without a capture and with each, and MiB of ours."""
    figures = taken(lab, "one interface")
    try:
        batch(lab, [f"link add a{i} up type veth peer name b{i}" for i in range(PAIRS)] +
              [f"link set b{i} up" for i in range(PAIRS)])
        return figures | taken(lab, f"{1 + 2 * PAIRS} interfaces")
    finally:
        batch(lab, [f"link del a{i}" for i in range(PAIRS)])
