# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""ends.py WHEN SIGNALS COMMAND...: how many ms after a signal a command ends, and its status.

Its standard output is a pipe that nobody reads. It gets SIGTERM so many times, more than a second apart, WHEN it waits
("waits"), the pipe is full ("full"), a file without a name has so many bytes ("spill:BYTES"), or a file is there, with
1 MB ("file:PATH") or without ("sign:PATH"). With "says" in place of a number of signals: how many ms after one it says
something on standard error, which goes to ours.
"""
import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios
import time

when, says, command = sys.argv[1], sys.argv[2] == "says", sys.argv[3:]
signals = 1 if says else int(sys.argv[2])
kind, _, path = when.partition(":")


def times(pid):
    """What each thread of it has run; None: it is gone."""
    try:
        all_times = {}
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/stat", encoding="latin-1") as f:
                fields = f.read().rpartition(")")[2].split()
            all_times[int(task)] = (fields[0], fields[11], fields[12])
        return all_times
    except OSError:
        return None


def nameless():
    """Bytes of its largest file without a name."""
    most = 0
    try:
        for fd in os.listdir(f"/proc/{child.pid}/fd"):
            name = f"/proc/{child.pid}/fd/{fd}"
            if os.readlink(name).endswith(" (deleted)"):
                most = max(most, os.stat(name).st_size)
    except OSError:
        pass
    return most


def has_come():
    if kind == "spill":
        return nameless() >= int(path)
    if kind == "full":
        return struct.unpack("i", fcntl.ioctl(unread, termios.FIONREAD, b"\0" * 4))[0] >= 32768
    least = 1 << 20 if kind == "file" else 0
    return os.path.exists(path) and os.path.getsize(path) >= least


def wait_for_sleep(pid):
    """Its first thread has not run for half a second."""
    before, since = None, time.monotonic()
    while time.monotonic() - since < 0.5 and child.poll() is None:
        time.sleep(0.02)
        now = (times(pid) or {}).get(pid)
        if now != before or now is None or now[0] != "S":
            before, since = now, time.monotonic()


if kind == "file" and os.path.exists(path):
    os.unlink(path)
unread, output = os.pipe()
child = subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE if says else None)
while kind != "waits" and not has_come() and child.poll() is None:
    time.sleep(0.002)
if kind not in ("file", "spill"):
    wait_for_sleep(child.pid)
for n in range(signals):
    if n:
        time.sleep(1.1)
    if child.poll() is not None:
        print("0 ended before")
        sys.exit()
    sent = time.monotonic()
    child.send_signal(signal.SIGTERM)
said = child.stderr.readline() if says else b""
took = time.monotonic() - sent
sys.stderr.buffer.write(said + (child.stderr.read() if says else b""))
try:
    status = child.wait(60)
    print(f"{(took if says else time.monotonic() - sent) * 1000:.0f} {status}")
except subprocess.TimeoutExpired:
    child.kill()
    print("60000 killed")
