# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Writing to a new file against writing into a preallocated one, in memory and on the disk.

xdpdump -w FILE begins a file anew and cuts what was there. Into a file that is there it writes by
its standard output (-w - 1<>FILE), by the page cache. What the kernel's own threads do for a file
later is in no process's time, and not seen here.
"""
import os
import time

from lab import cpu_ns, run
from paths import xdpdump_counts

PPS, SECONDS = 200_000, 0.4
ROOM = 160 << 20  # for more than these frames


def allocate(path, room=ROOM):
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.posix_fallocate(descriptor, 0, room)
    finally:
        os.close(descriptor)


def capture_to(lab, path, preallocated, traffic):
    """CPU ns per frame, and the bytes that were written for each."""
    argv = [os.path.join(lab.build, "xdpdump/xdpdump"), "-i", "near", "--json", "-w"]
    if preallocated:
        allocate(path)
    with open(path if preallocated else os.devnull, "r+b", buffering=0) as file:
        process = lab.start(argv + ["-" if preallocated else path], ready="listening on",
                            stdout=file)
        process.settle(0.05, 1.0)
        used = cpu_ns(process.group())
        traffic(lab, "-s", 1500, "-r", PPS, "-d", SECONDS).popen.wait()
        process.settle()
        used = cpu_ns(process.group()) - used
        process.stop()
        written = file.tell() if preallocated else os.stat(path).st_size
    os.unlink(path)
    frames, _ = xdpdump_counts(process.words_of_stderr())
    return used / frames, written / frames


def write_same(path, size, burst=1 << 20, pause=0, mode="wb"):
    """CPU time of writing as many bytes from memory, asleep for so many seconds between bursts."""
    chunk = memoryview(bytearray(os.urandom(burst)))
    begun = time.process_time_ns()
    with open(path, mode, buffering=0) as file:
        while size > 0:
            size -= file.write(chunk[:min(size, len(chunk))])
            if pause:
                time.sleep(pause)
    used = time.process_time_ns() - begun
    os.unlink(path)
    return used


def write_to(path, preallocated, size):
    """CPU ns per 1500-byte frame of write(2) alone, of as many bytes."""
    if preallocated:
        allocate(path)
    total = ROOM * 3 // 4
    return write_same(path, total, mode="r+b" if preallocated else "wb") * size / total


def files(lab, traffic):
    """CPU ns per frame by file system, kind of file and writer."""
    figures = {}
    for directory in dict.fromkeys(["/dev/shm", lab.scratch]):
        kind = run("df", "--output=fstype", directory).split()[-1]
        path = os.path.join(directory, lab.name + ".files")
        try:
            for preallocated in (False, True):
                label = f"{kind}, " + ("preallocated" if preallocated else "new file")
                figures[f"{label}: xdpdump"], size = capture_to(lab, path, preallocated, traffic)
                figures[f"{label}: write(2)"] = write_to(path, preallocated, size)
        finally:
            if os.path.exists(path):
                os.unlink(path)
    lab.wait_until_bare()
    return figures
