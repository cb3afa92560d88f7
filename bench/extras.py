# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""What is measured once per round, beside the table: reading alone, an idle capture, a slow stream,
opening, writing to a file, and one TCP connection."""
import os
import signal
import time

from any_device import any_device
from lab import NEAR_IP, NEAR_MAC, RECEIVE_CPU, Process, Unavailable, cpu_ns, run
from measure import WORKS, Work, hosts, measure, ports
from paths import PATHS
from prealloc import prealloc
from scale import scale
from targets import lost_share

DRAIN_FRAMES = 250_000
IDLE_SECONDS = 1.0
SLOW_PPS, SLOW_TIMEOUT_MS = 10_000, 100
FILE_PPS, FILE_SECONDS = 200_000, 0.7
BURST_SECONDS = 0.0035  # so long takes 1 MiB of records, when xdpdump looks again
STREAM_PORT, STREAM_SECONDS = 5001, 0.6


def traffic(lab, *words):
    argv = [os.path.join(lab.build, "testprogs/trafgen"), "-i", "far", "--cpu", str(RECEIVE_CPU),
            "--dst-mac", NEAR_MAC, "--dst", NEAR_IP, *map(str, words)]
    return Process(lab, argv, RECEIVE_CPU, "far")


def reader(lab, device, *words):
    env = lab.library if device.startswith("xdp:") else {}
    return lab.start([os.path.join(lab.build, "bench/reader"), "-i", device, *map(str, words)],
                     env=env, ready="reader: ready")


def drain(lab):
    """ns per frame to empty a filled ring, by reader."""
    ways = {"xdp: by the library": ("xdp:near,hook=xdp", "--via", "ring"),
            "xdp: by pcap_dispatch": ("xdp:near,hook=xdp",),
            "xdp: by select and a packet": ("xdp:near,hook=xdp", "--each"),
            "AF_PACKET by select and a packet": ("near", "-B", 64 << 20, "--each"),
            "AF_PACKET by pcap_dispatch": ("near", "-B", 64 << 20)}
    figures = {}
    for label, words in ways.items():
        process = reader(lab, *words, "--fill")
        traffic(lab, "-n", DRAIN_FRAMES).popen.wait()
        time.sleep(0.15)
        process.popen.send_signal(signal.SIGUSR1)
        process.settle()
        process.stop()
        figures[label] = process.json()["drain_ns_per_frame"]
    lab.wait_until_bare()
    return figures


READERS = {"xdp": "xdp:near,hook=xdp", "AF_PACKET": "near"}


def idle_reader(lab, device):
    """In immediate mode, without traffic, then a frame now and then."""
    process = reader(lab, device, "--immediate", "--latency")
    process.settle(0.1, 1.0)
    time.sleep(0.2)
    used = cpu_ns(process.group())
    time.sleep(IDLE_SECONDS)
    used = cpu_ns(process.group()) - used
    traffic(lab, "-r", 20, "-d", 1).popen.wait()
    process.stop()
    report = process.json()
    return {"cpu": used / 1e9 / IDLE_SECONDS, "late, median, ms": report.get("late_median_ms"),
            "late, worst, ms": report.get("late_max_ms")}


def slow_reader(lab, device):
    """10 000 frames a second, read with a timeout of 100 ms."""
    process = reader(lab, device, "--latency", "--timeout", SLOW_TIMEOUT_MS)
    process.settle(0.05, 1.0)
    used, begun = cpu_ns(process.group()), time.monotonic()
    traffic(lab, "-r", SLOW_PPS, "--even", "-d", 1).popen.wait()
    used, took = cpu_ns(process.group()) - used, time.monotonic() - begun
    process.settle()
    process.stop()
    report = process.json()
    return {"cpu": used / 1e9 / took, "late, median, ms": report["late_median_ms"],
            "beyond the timeout, worst, ms": report["late_max_ms"] - SLOW_TIMEOUT_MS, "lost": report["lost"]}


def by_reader(measured):
    def both(lab):
        figures = {}
        for name, device in READERS.items():
            figures |= {f"{name}: {key}": value for key, value in measured(lab, device).items()}
            lab.wait_until_bare()
        return figures
    return both


def opening(lab):
    """From pcap_create() to the first frame, with traffic there already."""
    stream = traffic(lab, "-r", SLOW_PPS, "--even", "-d", 1)
    figures = {}
    time.sleep(0.1)
    for name, device in (("xdp_ms", "xdp:near,hook=xdp"), ("packet_ms", "near")):
        process = reader(lab, device, "--immediate", "--first")
        process.popen.wait(10)
        process.stop()
        figures[name] = process.json()["open_to_first_ms"]
    stream.stop()
    lab.wait_until_bare()
    return figures


OPENED = {"xdp:": ["-i", "xdp:near,hook=xdp", "-f", "tcp port 80 and host 10.99.0.1"],
          "descriptors alone": ["-i", "near", "--bare"]}


def openclose(lab):
    """ms that each step takes in a fresh process, and what the kernel takes for the descriptors alone."""
    program, figures = os.path.join(lab.build, "bench/openclose"), {}
    if not os.path.exists(program):
        raise Unavailable("bench/openclose is not built")
    for name, words in OPENED.items():
        process = lab.start([program, *words], env=lab.library)
        process.popen.wait(10)
        process.stop()
        figures |= {f"{name} {step}": process.json()[f"{step}_ms"]
                    for step in ("activate", "setfilter", "close")}
        lab.wait_until_bare()
    return figures


def write_same(path, size, burst=1 << 20, pause=0):
    """CPU time of writing as many bytes from memory, ns, asleep for so many seconds between bursts."""
    chunk = memoryview(bytearray(os.urandom(burst)))
    begun = time.process_time_ns()
    with open(path, "wb", buffering=0) as file:
        while size > 0:
            size -= file.write(chunk[:min(size, len(chunk))])
            if pause:
                time.sleep(pause)
    used = time.process_time_ns() - begun
    os.unlink(path)
    return used


def writing(lab):
    """CPU time of xdpdump -w into memory, and of write(2) of the same bytes: ns per KiB."""
    path = os.path.join("/dev/shm", lab.name + ".pcapng")
    figures = {}
    for name, argv, env in (
            ("xdpdump", [os.path.join(lab.build, "xdpdump/xdpdump"), "-i", "near"], {}),
            ("tcpdump", ["tcpdump", "-i", "near", "-B", "65536", "-Z", "root"], {})):
        try:
            process = lab.start(argv + ["-w", path], env=env, ready="listening on")
            process.settle(0.05, 1.0)
            used = cpu_ns(process.group())
            traffic(lab, "-s", 1500, "-r", FILE_PPS, "--even", "-d", FILE_SECONDS).popen.wait()
            process.settle()
            used = cpu_ns(process.group()) - used
            process.stop()
            size = os.stat(path).st_size
            os.unlink(path)
            figures[name] = used / size * 1024
            if name == "xdpdump":
                burst = int(size / FILE_SECONDS * BURST_SECONDS)
                figures["write(2)"] = write_same(path, size) / size * 1024
                figures["write(2) of what comes in 3.5 ms, and sleep"] = write_same(
                    path, size, burst, BURST_SECONDS) / size * 1024
        finally:
            if os.path.exists(path):
                os.unlink(path)
    lab.wait_until_bare()
    return figures


RECEIVE = """
import socket, sys, time
s = socket.create_server(('', int(sys.argv[1])))
print('ready', flush=True)
c, n, end, buffer = s.accept()[0], 0, None, bytearray(1 << 20)
begun = time.monotonic()
while True:
    got = c.recv_into(buffer)
    if not got:
        break
    n += got
print(n * 8 / (time.monotonic() - begun) / 1e9, flush=True)
"""
SEND = """
import socket, sys, time
s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
end, data = time.monotonic() + float(sys.argv[3]), bytes(1 << 20)
while time.monotonic() < end:
    s.sendall(data)
"""


def stream(lab):
    """Gbit/s of one TCP connection that comes in, while it is captured."""
    figures = {}
    for name in ("none", "xdp_pass", "tcpdump", "tap", "tap-tc"):
        capture = PATHS[name].start(lab, WORKS["1500"])
        receiver = lab.start(["/usr/bin/env", "python3", "-c", RECEIVE, str(STREAM_PORT)],
                             ready="ready")
        sender = Process(lab, ["/usr/bin/env", "python3", "-c", SEND, NEAR_IP, str(STREAM_PORT),
                               str(STREAM_SECONDS)], RECEIVE_CPU, "far")
        sender.popen.wait(10)
        receiver.popen.wait(10)
        sender.stop()
        figures[name] = float(receiver.stop().split()[1])
        PATHS[name].stop(lab, capture)
    return figures


# How the capture program is run alone, and the sizes.
PROGRAM_RUNS = {
    "": ["-s", "64,512,1500"],
    ", hook=tc": ["-s", "64,1500", "-i", "hook=tc"],
    ", 4 MiB ring": ["-s", "1500", "-i", "ring=4M"],
    ", none taken": ["-s", "64", "-f", "tcp port 4242"],
    ", 1 host": ["-s", "64", "-f", hosts(1)],
    ", 100 hosts": ["-s", "64", "-f", hosts(100)],
    ", after=drop": ["-s", "64", "-i", "after=drop"],
    ", after=drop, watchdog=off": ["-s", "64", "-i", "after=drop,watchdog=off"],
    ", 1 port": ["-s", "64", "-f", ports(1)],
    ", 100 ports": ["-s", "64", "-f", ports(100)],
}


def program(lab):
    """ns of the capture program alone: the fastest of its batches, which nothing interrupted."""
    figures = {}
    for label, words in PROGRAM_RUNS.items():
        # What this build has no option for is left out.
        said = run(os.path.join(lab.build, "bench/progcost"), "-c", "-n", "100", *words, check=False)
        for size, lowest, _ in (line.split(",") for line in said.split()):
            figures[f"{size} bytes{label}"] = int(lowest)
    return figures


SWEEP_PATHS = ("tcpdump", "tcpdump-B", "dumpcap", "tap", "dumpcap-xdp", "xdpdump", "xdp-tools")
SWEEP_KPPS = (300, 600, 1000, 1500, 2000, None)  # None: flat out
SWEEP_SECONDS = 0.25


def sweep(lab):
    """Loss against offered rate, 1500 bytes: by path, pairs of frames a second and the share lost."""
    figures = {}
    for name in SWEEP_PATHS:
        works = [Work("sweep", "", "1500", rate=kpps and kpps * 1000) for kpps in SWEEP_KPPS]
        try:
            taken = [measure(lab, PATHS[name], work, SWEEP_SECONDS) for work in works]
        except Unavailable:
            continue
        figures[name] = [(one["sent_pps"], lost_share(one)) for one in taken]
    return figures


EXTRAS = {"program": program, "drain": drain, "idle": by_reader(idle_reader), "slow": by_reader(slow_reader), "opening": opening,
          "openclose": openclose,
          "writing": writing, "prealloc": prealloc, "scale": scale, "stream": stream,
          "any": any_device, "sweep": sweep}
EXTRAS_OF = {"quick": ["program"], "full": list(EXTRAS)}
