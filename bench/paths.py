# SPDX-License-Identifier: BSD-3-Clause
"""The ways to capture that are compared: how each is started, and where it says what it got."""
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
        """(delivered, lost) as the program tells; None: it captures nothing."""
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
        """As tcpdump and both xdpdumps put it."""
        captured = re.search(r"(\d+) packets? captured", text)
        lost = re.search(r"(\d+) packets? dropped by (kernel|perf ring)", text)
        if not captured:
            raise RuntimeError(f"{self.name}: no counts in: {text}")
        return int(captured.group(1)), int(lost.group(1)) if lost else 0


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
        found = re.search(r"received/dropped on interface .*: (\d+)/(\d+)", text)
        if not found:
            raise RuntimeError(f"{self.name}: no counts in: {text}")
        return int(found.group(1)), int(found.group(2))


class Reader(Program):
    """bench/reader, by one of its interfaces."""

    def argv(self, lab, work):
        snaplen = ["-s", str(work.snaplen)] if work.snaplen else []
        return [os.path.join(lab.build, "bench/reader"), "-i", self.device] + snaplen

    def tail(self, work):
        return ["-f", work.filter] if work.filter else []

    def counts(self, text):
        frames = re.search(r'"frames":(\d+)', text)
        lost = re.search(r'"lost":(\d+)', text)
        if not frames:
            raise RuntimeError(f"{self.name}: no counts in: {text}")
        return int(frames.group(1)), int(lost.group(1))


class Xdpdump(Program):
    """Ours."""

    def argv(self, lab, work):
        snaplen = ["-s", str(work.snaplen)] if work.snaplen else []
        direction = ["-Q", "inout"]
        return ([os.path.join(lab.build, "xdpdump/xdpdump"), "-i", self.device, "-w", lab.null()]
                + direction + snaplen)


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
        lost = re.search(r"(\d+)\s+packets failed filter", text)
        if not passed:
            raise RuntimeError(f"{self.name}: no counts in: {text}")
        return int(passed.group(1)), int(lost.group(1))


PATHS = {path.name: path for path in [
    Path("none", "nothing attached"),
    Action("xdp_pass", "XDP_PASS alone", "pass"),
    Action("xdp_drop", "XDP_DROP (floor)", "drop"),
    Tcpdump("tcpdump", "tcpdump on AF_PACKET"),
    Tcpdump("tcpdump-B", "tcpdump on AF_PACKET, -B 65536", extra=["-B", "65536"]),
    Tcpdump("tap", "tcpdump on xdp: (64 MiB ring)", "xdp:near"),
    Tcpdump("tap-4M", "tcpdump on xdp:, 4 MiB ring", "xdp:near,ring=4M"),
    Tcpdump("tap-shared", "tcpdump on xdp:, vlan=off", "xdp:near,vlan=off"),
    Tcpdump("tap-tc", "tcpdump on xdp:, hook=tc", "xdp:near,hook=tc"),
    Tcpdump("tap-drop", "tcpdump on xdp:, after=drop", "xdp:near,after=drop"),
    Tcpdump("divert", "tcpdump on xdp:, engine=divert", "xdp:near,engine=divert"),
    Tcpdump("tcpdump-Z", "tcpdump on AF_PACKET, privileges dropped", user="nobody"),
    Tcpdump("tap-Z", "tcpdump on xdp:, privileges dropped", "xdp:near", user="nobody"),
    Dumpcap("dumpcap", "dumpcap on AF_PACKET"),
    Dumpcap("dumpcap-xdp", "dumpcap on xdp:", "xdp:near"),
    Reader("tpacket", "bare TPACKET_V3 reader, 64 MiB", extra=["--via", "tpacket"]),
    Reader("dispatch", "bare pcap_dispatch reader on AF_PACKET, 64 MiB",
           extra=["-B", str(64 << 20)]),
    Reader("dispatch-xdp", "bare pcap_dispatch reader on xdp:", "xdp:near"),
    Reader("dispatch-divert", "bare pcap_dispatch reader on xdp:, engine=divert",
           "xdp:near,engine=divert"),
    Xdpdump("xdpdump", "our xdpdump"),
    XdpToolsXdpdump("xdp-tools", "xdpdump of xdp-tools"),
    NetsniffNg("netsniff-ng", "netsniff-ng"),
]}
