# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""xdpdump into a preallocated file: what it loses of a million large frames a second, and what it adds to
the receive path flat out, beside the xdpdump of xdp-tools with a program of its own (--load-xdp-program).

The files are in memory: what is measured is the capture and not a disk. Ours writes by its standard output
(-w - 1<>FILE); theirs by -w FILE, which begins the file anew, since it has every packet of its standard output
synced to the disk.
"""
import os
import shutil

from lab import Unavailable
from measure import Work, measure
from paths import PATHS, Xdpdump, XdpToolsXdpdump
from targets import lost_share

DIRECTORY = "/dev/shm"
ROOM = 1 << 30
LARGE = Work("large", "", "1500", rate=1_000_000)
SMALL = Work("small", "", "64")
LARGE_SECONDS, SMALL_SECONDS = 0.5, 0.35


def allocate(path):
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.posix_fallocate(descriptor, 0, ROOM)
    finally:
        os.close(descriptor)


class OursIntoFile(Xdpdump):
    def __init__(self, file):
        super().__init__("ours", "")
        self.file = file

    def start(self, lab, work):
        allocate(self.file)
        argv = [os.path.join(lab.build, "xdpdump/xdpdump"), "-i", self.device, "--json", "-w", "-"]
        with open(self.file, "r+b", buffering=0) as file:
            return lab.start(argv, ready=self.ready, stdout=file)

    def stop(self, lab, process):
        counts = super().stop(lab, process)
        os.unlink(self.file)
        return counts


class TheirsIntoFile(XdpToolsXdpdump):
    def __init__(self, file):
        super().__init__("theirs", "")
        self.file = file

    def argv(self, lab, work):
        argv = super().argv(lab, work)
        return argv[:argv.index("-w")] + ["-w", self.file]

    def stop(self, lab, process):
        counts = super().stop(lab, process)
        os.unlink(self.file)
        return counts


def prealloc(lab):
    file = os.path.join(DIRECTORY, lab.name + ".prealloc")
    if shutil.disk_usage(DIRECTORY).free < 2 * ROOM:
        raise Unavailable(f"{DIRECTORY} has less than {2 * ROOM >> 30} GiB free")
    try:
        large = measure(lab, OursIntoFile(file), LARGE, LARGE_SECONDS)
        bare = measure(lab, PATHS["none"], SMALL, SMALL_SECONDS)
        ours = measure(lab, OursIntoFile(file), SMALL, SMALL_SECONDS)
        theirs = measure(lab, TheirsIntoFile(file), SMALL, SMALL_SECONDS)
        after = measure(lab, PATHS["none"], SMALL, SMALL_SECONDS)
    finally:
        if os.path.exists(file):
            os.unlink(file)
    return {
        "1500 bytes paced: offered, Mpps": large["sent_pps"] / 1e6,
        "1500 bytes paced: lost, %": 100 * lost_share(large),
        "64 bytes: nothing attached, ns": min(bare["ns"], after["ns"]),
        "64 bytes: by ours, ns": ours["ns"],
        "64 bytes: lost by ours, %": 100 * lost_share(ours),
        "64 bytes: by xdp-tools', ns": theirs["ns"],
        "64 bytes: lost by xdp-tools', %": 100 * lost_share(theirs),
    }
