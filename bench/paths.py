# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""The ways to capture that are compared: how each is started, and where it says what it got."""
import json
import os
import re
import shutil

from lab import Unavailable, run


class Path:
    """Nothing attached. The others say what they do before and after the traffic."""

    def __init__(self, name, label):
        self.name, self.label = name, label

    def start(self, lab, work):
        return None

    def stop(self, lab, process):
        """Frames delivered, and those lost by cause, as the program tells; None: it captures
        nothing. What the interface dropped never came to the capture and is none of its loss."""
        return None


class Action(Path):
    """An XDP program that only returns a verdict."""

    def __init__(self, name, label, verdict):
        super().__init__(name, label)
        self.verdict = verdict

    def start(self, lab, work):
        return lab.start([os.path.join(lab.build, "bench/action"), "near", self.verdict],
                         ready="action: ready")

    def stop(self, lab, process):
        process.stop()


INTERFACE = "interface"


def told(text, pattern):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else 0


class Program(Path):
    """A capture program. device: with "near" for the interface; ours: on our libpcap."""

    ready = "listening on|reader: ready"
    filters = True
    stdout_null = False

    def __init__(self, name, label, device="near", extra=()):
        super().__init__(name, label)
        self.device, self.extra = device, list(extra)

    def start(self, lab, work):
        if work.filter and not self.filters:
            raise Unavailable("takes no filter expression")
        argv = self.argv(lab, work) + self.extra
        if not shutil.which(argv[0]):
            raise Unavailable(f"{argv[0]} is not installed")
        env = lab.library if self.device.startswith("xdp:") else {}
        return lab.start(argv + self.tail(work), env=env, ready=self.ready,
                         stdout_null=self.stdout_null)

    def tail(self, work):
        return work.filter.split() if work.filter else []

    def stop(self, lab, process):
        text = process.stop()
        lab.wait_until_bare()
        return self.counts(text)

    def counts(self, text):
        """As tcpdump and the xdpdump of xdp-tools put it."""
        captured = re.search(r"(\d+) packets? captured", text)
        if not captured:
            raise RuntimeError(f"{self.name}: no counts in: {text}")
        return int(captured.group(1)), {
            cause: told(text, rf"(\d+) packets? dropped by {cause}")
            for cause in ("kernel", "perf ring", INTERFACE)}


class Tcpdump(Program):
    stdout_null = True  # -w FILE would give the file, and be it /dev/null, to the user of -Z

    def __init__(self, name, label, device="near", user="root", **options):
        super().__init__(name, label, device, **options)
        self.user = user

    def argv(self, lab, work):
        snaplen = ["-s", str(work.snaplen)] if work.snaplen else []
        return ["tcpdump", "-i", self.device, "-nn", "-Z", self.user, "-w", "-"] + snaplen


class Dumpcap(Program):
    ready = "File: "

    def argv(self, lab, work):
        snaplen = ["-s", str(work.snaplen)] if work.snaplen else []
        return ["dumpcap", "-i", self.device, "-q", "-w", lab.null()] + snaplen

    def tail(self, work):
        return ["-f", work.filter] if work.filter else []

    def counts(self, text):
        found = re.search(r"received/dropped on interface .*: (\d+)/\d+ \(pcap:(\d+)/dumpcap:(\d+)"
                          r"/flushed:(\d+)/ps_ifdrop:(\d+)", text)
        if not found:
            raise RuntimeError(f"{self.name}: no counts in: {text}")
        received, kernel, queue, flushed, interface = map(int, found.groups())
        return received, {"kernel": kernel, "dumpcap's queue": queue, "flushed": flushed,
                          INTERFACE: interface}


class Reader(Program):
    """bench/reader, by one of its interfaces."""

    def argv(self, lab, work):
        snaplen = ["-s", str(work.snaplen)] if work.snaplen else []
        return [os.path.join(lab.build, "bench/reader"), "-i", self.device] + snaplen

    def tail(self, work):
        return ["-f", work.filter] if work.filter else []

    def counts(self, text):
        frames = re.search(r'"frames":(\d+)', text)
        if not frames:
            raise RuntimeError(f"{self.name}: no counts in: {text}")
        return int(frames.group(1)), {"kernel": told(text, r'"lost":(\d+)'),
                                      INTERFACE: told(text, r'"dropped_interface":(\d+)')}


# The counters of our xdpdump that are losses, and how the table calls them.
XDPDUMP_LOSSES = {
    "dropped_ring_full": "ring full", "dropped_copy": "not copied", "dropped_reentry": "reentry",
    "dropped_no_ring": "no ring", "dropped_socket": "no buffer", "passed_no_socket": "no socket",
    "passed_watchdog": "watchdog", "dropped_redirect": "not redirected", "not_kept": "not written",
    "dropped_interface": INTERFACE,
}


def xdpdump_counts(text):
    """Of the last object that it told."""
    lines = [line for line in text.splitlines() if line.startswith("{")]
    if not lines:
        raise RuntimeError(f"xdpdump: no counts in: {text}")
    said = json.loads(lines[-1])
    return said["captured"], {cause: said[name] for name, cause in XDPDUMP_LOSSES.items()}


class Xdpdump(Program):
    """Ours."""

    def argv(self, lab, work):
        snaplen = ["-s", str(work.snaplen)] if work.snaplen else []
        return [os.path.join(lab.build, "xdpdump/xdpdump"), "-i", self.device, "-w", lab.null(),
                "--hook", "xdp", "-Q", "inout", "--json"] + snaplen

    def counts(self, text):
        return xdpdump_counts(text)


class XdpToolsXdpdump(Program):
    filters = False

    def argv(self, lab, work):
        # Not whatever comes first in the search path: ours has the same name.
        theirs = [line for line in run("dpkg", "-L", "xdp-tools", check=False).splitlines()
                  if line.endswith("/xdpdump")]
        if not theirs:
            raise Unavailable("xdp-tools is not installed")
        snaplen = ["-s", str(work.snaplen)] if work.snaplen else []
        return [theirs[0], "-i", self.device, "--load-xdp-program", "-w", lab.null()] + snaplen


class NetsniffNg(Program):
    ready = "Running"
    filters = False

    def argv(self, lab, work):
        # By this name it knows that it need not write.
        return ["netsniff-ng", "--in", self.device, "--out", "/dev/null", "--silent"]

    def counts(self, text):
        passed = re.search(r"(\d+)\s+packets passed filter", text)
        if not passed:
            raise RuntimeError(f"{self.name}: no counts in: {text}")
        return int(passed.group(1)), {"kernel": told(text, r"(\d+)\s+packets failed filter")}


PATHS = {path.name: path for path in [
    Path("none", "nothing attached"),
    Action("xdp_pass", "XDP_PASS alone", "pass"),
    Action("xdp_drop", "XDP_DROP (floor)", "drop"),
    Tcpdump("tcpdump", "tcpdump on AF_PACKET"),
    Tcpdump("tcpdump-B", "tcpdump on AF_PACKET, -B 65536", extra=["-B", "65536"]),
    Tcpdump("tap", "tcpdump on xdp:", "xdp:near,hook=xdp"),
    Tcpdump("tap-4M", "tcpdump on xdp:, 4 MiB ring", "xdp:near,hook=xdp,ring=4M"),
    Tcpdump("tap-tc", "tcpdump on xdp:, hook=tc", "xdp:near,hook=tc"),
    Tcpdump("tap-lowprec", "tcpdump on xdp:, -j host_lowprec", "xdp:near,hook=xdp",
            extra=["-j", "host_lowprec"]),
    Tcpdump("tap-drop", "tcpdump on xdp:, after=drop", "xdp:near,after=drop"),
    Tcpdump("divert", "tcpdump on xdp:, engine=divert", "xdp:near,engine=divert"),
    Tcpdump("divert-sockets", "tcpdump on xdp:, engine=divert by AF_XDP sockets in copy mode",
            "xdp:near,engine=divert,zero-copy=off"),
    Tcpdump("tap-Z", "tcpdump on xdp:, privileges dropped", "xdp:near,hook=xdp", user="nobody"),
    Dumpcap("dumpcap", "dumpcap on AF_PACKET"),
    Dumpcap("dumpcap-xdp", "dumpcap on xdp:", "xdp:near,hook=xdp"),
    Reader("dispatch-divert-lowprec",
           "bare pcap_dispatch reader on xdp:, engine=divert, -j host_lowprec",
           "xdp:near,engine=divert", extra=["--lowprec"]),
    Reader("xsk", "bare AF_XDP reader, no filter, the clock read", extra=["--via", "xsk"]),
    Reader("xsk-lowprec", "bare AF_XDP reader, no filter, no clock",
           extra=["--via", "xsk", "--lowprec"]),
    Reader("dispatch", "bare pcap_dispatch reader on AF_PACKET, 64 MiB",
           extra=["-B", str(64 << 20)]),
    Reader("dispatch-xdp", "bare pcap_dispatch reader on xdp:", "xdp:near,hook=xdp"),
    Reader("dispatch-divert", "bare pcap_dispatch reader on xdp:, engine=divert",
           "xdp:near,engine=divert"),
    Reader("dispatch-sockets", "bare pcap_dispatch reader on xdp:, engine=divert,zero-copy=off",
           "xdp:near,engine=divert,zero-copy=off"),
    Xdpdump("xdpdump", "our xdpdump"),
    Xdpdump("xdpdump-divert", "our xdpdump, --engine divert",
            extra=["-Q", "in", "--engine", "divert"]),
    Xdpdump("pre-trigger", "our xdpdump, --pre-trigger 64M, before the trigger",
            extra=["-Q", "in", "--pre-trigger", "64M"]),
    XdpToolsXdpdump("xdp-tools", "xdpdump of xdp-tools"),
    NetsniffNg("netsniff-ng", "netsniff-ng"),
]}
