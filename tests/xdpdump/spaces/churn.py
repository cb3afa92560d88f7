#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""churn.py PREFIX SAID SECONDS N METRICS LEAST: network namespaces PREFIX<i> come and go at random, up to N at once.

Runs in a namespace of its own. Each PREFIX<i> has one end of a veth pair, c<i>; the other one, p<i>, is here, and
goes when the namespace is destroyed: only then nothing holds it. Frames of type 0x88b5 are sent into all of them,
and say whether that was 200 ms after the capture, whose words are in the file SAID, told that c<i> joins. Prints
each frame of that kind, and goes on until there are LEAST of them; on standard error what went wrong, and at the end some figures. What METRICS, a file of
--metrics, counts has to grow meanwhile, also as a whole.
"""
import os
import random
import socket
import subprocess
import sys
import time

AFTER = 0.2  # also before an interface goes: the kernel forgets with it what still waits to be received
GONE_WITHIN = 40.0  # then it is looked at whether the kernel, or the machine, is only slow
HANGS = 300.0  # what waits for longer does not end
EVERY = 0.05
ETHERTYPE = b"\x88\xb5"

prefix, said, seconds, most, metrics, least = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), sys.argv[5], int(sys.argv[6])


def ip(*words):
    subprocess.run(("ip",) + words, check=True)


class Words:
    """What the capture has told so far: names of those that joined."""

    def __init__(self):
        self.file = open(said, encoding="utf-8", errors="replace")
        self.rest = ""
        self.joined = {}

    def read(self):
        lines = (self.rest + self.file.read()).split("\n")
        now = time.monotonic()  # by then it had been told
        self.rest = lines.pop()
        for line in lines:
            words = line.split()
            if words[-3:] == ["joins", "the", "capture"] and "/" in words[1]:
                self.joined.setdefault(words[1], now)


class Figures:
    """Counters by name and labels: the last value of each, and the changes that were seen."""

    def __init__(self):
        self.last, self.growths, self.decreases, self.written = {}, 0, 0, 0

    def look(self):
        try:
            file = open(metrics, encoding="utf-8")
        except FileNotFoundError:  # before the first are written
            return
        with file:
            written = os.fstat(file.fileno()).st_mtime_ns
            if written == self.written:
                return
            self.written = written
            now = dict(line.rsplit(" ", 1) for line in file if not line.startswith("#"))
        for key, value in now.items():
            if "_total{" not in key:
                continue
            before, value = self.last.get(key, 0), int(value)
            if value < before:
                self.decreases += 1
                print(f"{key} went from {before} to {value}", file=sys.stderr)
            self.growths += value > before
            self.last[key] = value


class Space:
    def __init__(self, number):
        self.name, self.peer = f"{prefix}{number}", f"p{number}"
        self.inside = f"{self.name}/c{number}"
        self.number, self.sent, self.sure, self.due = number, 0, 0, 0.0
        self.life = random.uniform(0.5, 4.0)  # after it was told of
        self.told = None
        ip("netns", "add", self.name)
        ip("link", "add", self.peer, "type", "veth", "peer", "name", f"c{number}", "netns", self.name)
        ip("-n", self.name, "link", "set", f"c{number}", "up")
        ip("link", "set", self.peer, "up")
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        self.socket.bind((self.peer, 0))

    def work(self, joined, now):
        if self.told is None:
            self.told = joined.get(self.inside)
        if now < self.due or self.told is not None and now - self.told > self.life:
            return
        self.due = now + EVERY
        is_sure = self.told is not None and now - self.told > AFTER
        text = f"{self.inside}:{self.sent}:{'sure' if is_sure else 'early'}"
        frame = b"\x02\0\0\0\0\x01\x02\0\0\0\0\x02" + ETHERTYPE + text.encode() + b";"
        try:
            self.socket.send(frame.ljust(60, b"."))
        except OSError:  # not yet up on the other side
            return
        self.sent += 1
        if is_sure:
            self.sure += 1
            print(text)

    def is_done(self, now):
        return self.told is not None and now - self.told > self.life + AFTER

    def remove(self):
        self.socket.close()
        ip("netns", "del", self.name)

    def is_there(self):
        return has_interface(self.peer)


def has_interface(name):
    try:
        return socket.if_nametoindex(name) > 0
    except OSError:
        return False


def is_held(space):
    """The kernel takes namespaces apart in their order: is it still there when a later one, that nobody holds, is gone?"""
    later, since = f"later{os.getpid()}", time.monotonic()
    ip("netns", "add", later)
    ip("link", "add", "later", "type", "veth", "peer", "name", "d0", "netns", later)
    ip("netns", "del", later)
    while has_interface("later") and time.monotonic() - since < HANGS:
        time.sleep(0.05)
    return space.is_there()


def main():
    random.seed(os.environ.get("CHURN_SEED", "1"))
    words, figures, alive, leaving = Words(), Figures(), [], []
    made, sure, wrong, slowest = 0, 0, 0, 0.0
    begin = time.monotonic()
    end, last = begin + seconds, begin + seconds + HANGS
    while time.monotonic() < last:
        now = time.monotonic()
        is_over = now >= end and sure >= least
        if is_over and not alive and not leaving:
            break
        words.read()
        figures.look()
        for space in alive:
            before = space.sure
            space.work(words.joined, time.monotonic())
            sure += space.sure - before
        if not is_over and len(alive) < most and random.random() < 0.7:
            alive.append(Space(made))
            made += 1
        done = [s for s in alive if s.is_done(now)]
        if done and (is_over or len(alive) >= most or random.random() < 0.3):
            gone = random.choice(done)
            alive.remove(gone)
            gone.remove()
            leaving.append((gone, time.monotonic()))
        for space, since in list(leaving):
            if not space.is_there():
                slowest = max(slowest, time.monotonic() - since)
                leaving.remove((space, since))
            elif time.monotonic() - since > GONE_WITHIN and is_held(space):
                print(f"{space.name} is held by something", file=sys.stderr)
                leaving.remove((space, since))
                wrong = 1
        time.sleep(0.002)
    for space in alive:
        print(f"{space.inside} was not told of", file=sys.stderr)
        wrong = 1
    print(f"{made} namespaces, gone after {slowest:.1f} s at most; metrics grew {figures.growths} times", file=sys.stderr)
    return wrong or figures.decreases > 0 or figures.growths == 0


sys.exit(main())
