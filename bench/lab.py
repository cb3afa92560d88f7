# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Where measurements are made: a veth pair between two namespaces of our own, and processes pinned
to their CPUs, with what they cost.

Frames come in at LAB.near (in namespace near) from LAB.far. The generator and with it the receive
path run on RECEIVE_CPU, whoever captures on CONSUMER_CPU.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

RECEIVE_CPU = 0
CONSUMER_CPU = 1
NEAR_MAC, FAR_MAC = "02:00:00:00:00:0b", "02:00:00:00:00:0a"
NEAR_IP, FAR_IP = "10.99.0.2", "10.99.0.1"
QUEUES_MAX = 8
READY_SECONDS = 10
STOP_SECONDS = 10


class Unavailable(Exception):
    """A program or a path that cannot be measured here; the text says why."""


def run(*command, check=True):
    done = subprocess.run(command, capture_output=True, text=True)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def read_text(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def children_of(pid):
    """The process and all below it; the loader process has left its parent: found by name."""
    found, queue = [], [pid]
    while queue:
        pid = queue.pop()
        found.append(pid)
        for task in _tasks(pid):
            queue += [int(p) for p in read_text(f"/proc/{pid}/task/{task}/children").split()]
    return found


def _tasks(pid):
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def cpu_ns(pids):
    """Time on CPU of all threads of these processes, by the scheduler's own count."""
    total = 0
    for pid in pids:
        for task in _tasks(pid):
            text = read_text(f"/proc/{pid}/task/{task}/schedstat")
            total += int(text.split()[0]) if text else 0
    return total


def softirq_thread(cpu):
    for pid in os.listdir("/proc"):
        if pid.isdigit() and read_text(f"/proc/{pid}/comm").strip() == f"ksoftirqd/{cpu}":
            return int(pid)
    return None


def machine_busy_ns():
    """Of all CPUs together, in ticks of the clock: coarse."""
    fields = [int(n) for n in read_text("/proc/stat").split("\n", 1)[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) * 1_000_000_000 // os.sysconf("SC_CLK_TCK")


def prepare(cpu):
    """In the child: its CPU; and SIGINT ends it, also where this was begun by nohup or in the
    background of a shell, which ignores it."""
    os.sched_setaffinity(0, {cpu})
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Process:
    """A program in a namespace, pinned to a CPU, its words kept in files."""

    def __init__(self, lab, argv, cpu, side="near", env=None, ready=None,
                 stdout_null=False, stdout=None):
        self.argv, self.lab = argv, lab
        self.out = tempfile.TemporaryFile("w+", dir=lab.scratch)
        self.err = tempfile.TemporaryFile("w+", dir=lab.scratch)
        self.started = time.monotonic()
        self.popen = subprocess.Popen(
            ["nsenter", f"--net=/run/netns/{lab.namespace(side)}", "--"] + argv,
            stdout=stdout or (subprocess.DEVNULL if stdout_null else self.out), stderr=self.err,
            stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})},
            preexec_fn=lambda: prepare(cpu))
        lab.processes.append(self)
        if ready:
            self.wait_for(ready)

    def text(self):
        words = []
        for file in (self.out, self.err):
            file.seek(0)
            words.append(file.read())
        return "\n".join(words)

    def words_of_stderr(self):
        self.err.seek(0)
        return self.err.read()

    def last_words(self):
        lines = [line.strip() for line in self.text().splitlines() if line.strip()]
        reasons = [line for line in lines if re.search(r"missing|cannot|not an? |No such", line)]
        return (reasons or lines or ["it said nothing"])[-1]

    def wait_for(self, pattern):
        end = time.monotonic() + READY_SECONDS
        while not re.search(pattern, self.text()):
            if self.popen.poll() is not None:
                raise Unavailable(self.last_words())
            if time.monotonic() > end:
                self.stop()
                raise Unavailable(f"not ready after {READY_SECONDS} s: {self.last_words()}")
            time.sleep(0.01)

    def group(self):
        return children_of(self.popen.pid) + self.lab.loaders()

    def settle(self, quiet=0.1, limit=3.0):
        """Until it has worked off what it has: little CPU time over a while."""
        end = time.monotonic() + limit
        before = cpu_ns(self.group())
        while time.monotonic() < end:
            time.sleep(quiet)
            now = cpu_ns(self.group())
            if now - before < quiet * 0.1 * 1e9:
                return
            before = now

    def memory(self):
        """Peak of the process, and what all of its processes hold beside mapped rings, in KiB."""
        status = read_text(f"/proc/{self.popen.pid}/status")
        peak = re.search(r"VmHWM:\s+(\d+)", status)
        own = 0
        for pid in self.group():
            name = ""
            for line in read_text(f"/proc/{pid}/smaps").splitlines():
                if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
                    name = line.split(None, 5)[-1]
                elif line.startswith("Pss:") and "bpf-map" not in name and "socket:" not in name:
                    own += int(line.split()[1])
        return int(peak.group(1)) if peak else 0, own

    def stop(self, how=signal.SIGINT):
        if self.popen.poll() is None:
            self.popen.send_signal(how)
            try:
                self.popen.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.popen.kill()
                self.popen.wait()
        if self in self.lab.processes:
            self.lab.processes.remove(self)
        return self.text()

    def json(self):
        self.out.seek(0)
        text = self.out.read().strip()
        if not text:
            raise RuntimeError(f"{' '.join(self.argv)}: {self.last_words()}")
        return json.loads(text.splitlines()[-1])


class Lab:
    def __init__(self, build):
        self.build = build
        self.name = f"bench{os.getpid()}"
        self.processes = []
        self.sinks = []
        self.scratch = tempfile.mkdtemp(prefix="pcap-afxdp-bench.")
        self.library = {
            "LD_LIBRARY_PATH": os.path.join(build, "libpcap-build"),
            "PCAP_AFXDP_LOADER": os.path.join(build, "pcap-afxdp-loader"),
        }
        self.softirq = {cpu: softirq_thread(cpu) for cpu in (RECEIVE_CPU, CONSUMER_CPU)}

    def namespace(self, side):
        return self.name + side

    def ip(self, side, *words):
        return run("ip", "-n", self.namespace(side), *words)

    def inside(self, side, *command, check=True):
        return run("nsenter", f"--net=/run/netns/{self.namespace(side)}", *command, check=check)

    def open(self):
        os.sched_setaffinity(0, {CONSUMER_CPU})
        near, far = self.namespace("near"), self.namespace("far")
        run("ip", "netns", "add", near)
        run("ip", "netns", "add", far)
        room = ["numtxqueues", str(QUEUES_MAX), "numrxqueues", str(QUEUES_MAX)]
        run("ip", "link", "add", "far", "netns", far, *room, "type", "veth",
            "peer", "name", "near", "netns", near, *room)
        self.queues(1)
        for side, mac, address in (("far", FAR_MAC, FAR_IP), ("near", NEAR_MAC, NEAR_IP)):
            self.inside(side, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1", check=False)
            self.ip(side, "address", "add", address + "/24", "dev", side)
            self.ip(side, "link", "set", side, "address", mac, "up")
            self.ip(side, "link", "set", "lo", "up")
        self.ip("near", "neighbour", "replace", FAR_IP, "lladdr", FAR_MAC, "dev", "near")
        self.ip("far", "neighbour", "replace", NEAR_IP, "lladdr", NEAR_MAC, "dev", "far")
        # Without a program the near end polls only with this; it stays on for all paths alike.
        self.offload("gro", True)
        for side in ("near", "far"):
            self.start_sink(side)

    def queues(self, count):
        """As many at either end: a frame comes in by the queue of the CPU that sent it, modulo."""
        for side in ("near", "far"):
            self.inside(side, "ethtool", "-L", side, "rx", str(count), "tx", str(count))

    def start_sink(self, side):
        """Somebody has to want the frames, or each would be answered by ICMP: sockets that are
        full at once and never read."""
        code = ("import socket,time\n"
                "for port in (9, 4242):\n"
                " s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
                " s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)\n"
                " s.bind(('', port)); globals()['s%d' % port] = s\n"
                "print('ready', flush=True)\n"
                "time.sleep(1e6)\n")
        self.sinks.append(Process(self, ["/usr/bin/env", "python3", "-c", code], CONSUMER_CPU, side,
                                  ready="ready"))

    def offload(self, name, on):
        self.inside("near", "ethtool", "-K", "near", name, "on" if on else "off")

    def loaders(self):
        """Loader processes in our namespaces: they belong to no process of ours any more."""
        here = os.stat(f"/run/netns/{self.namespace('near')}").st_ino
        found = []
        for pid in os.listdir("/proc"):
            if not pid.isdigit() or "pcap-afxdp-load" not in read_text(f"/proc/{pid}/comm"):
                continue
            try:
                if os.stat(f"/proc/{pid}/ns/net").st_ino == here:
                    found.append(int(pid))
            except OSError:
                pass
        return found

    def null(self):
        """Not /dev/null itself: dumpcap removes its output when it cannot begin."""
        link = os.path.join(self.scratch, "null")
        if not os.path.islink(link):
            os.symlink("/dev/null", link)
        return link

    def wait_until_bare(self):
        """A capture's last process may end a moment after it: what follows has to be without."""
        end = time.monotonic() + 2
        while self.loaders() and time.monotonic() < end:
            time.sleep(0.005)

    def start(self, argv, **options):
        return Process(self, argv, options.pop("cpu", CONSUMER_CPU), **options)

    def end_captures(self):
        """Those of a measurement that has failed, and its senders: the next has the machine for itself."""
        for process in [p for p in self.processes if p not in self.sinks]:
            process.stop(signal.SIGKILL)

    def close(self):
        self.end_captures()
        for process in self.sinks:
            process.stop(signal.SIGKILL)
        for side in ("near", "far"):
            run("ip", "netns", "delete", self.namespace(side), check=False)
        shutil.rmtree(self.scratch, ignore_errors=True)
