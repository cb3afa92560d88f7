#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""any_churn.py LEFT RIGHT SAID N: interfaces come to namespace RIGHT and go, under traffic.

Runs in namespace LEFT, which has the other ends. Of each four interfaces one is called d<i>, the others c<i>.
Frames of type 0x88b5 say by what they were sent: a name, a number, and whether that was 200 ms after the
capture, whose words are in the file SAID, told that the interface joins. Prints each frame of that kind.
"""
import random
import socket
import subprocess
import sys
import time

ALIVE = 8  # at once
AFTER = 0.2
FRAMES = 10
ETHERTYPE = b"\x88\xb5"

left, right, said, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])


def ip(*words):
    subprocess.run(("ip",) + words, check=True)


class Interface:
    def __init__(self, number):
        self.name = ("d" if number % 4 == 3 else "c") + str(number)
        self.peer = "p" + self.name
        self.sent = 0
        self.told = 0.0
        self.sure = 0
        ip("-n", left, "link", "add", self.peer, "type", "veth", "peer", "name", self.name, "netns", right)
        ip("-n", right, "link", "set", self.name, "up")
        ip("-n", left, "link", "set", self.peer, "up")
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        self.socket.bind((self.peer, 0))

    def send(self, is_sure):
        kind = "sure" if is_sure else "early"
        text = f"{self.name}:{self.sent}:{kind};".encode()
        frame = b"\x02\x00\x00\x00\x00\x01" + b"\x02\x00\x00\x00\x00\x02" + ETHERTYPE + text
        try:
            self.socket.send(frame.ljust(60, b"."))
        except OSError:  # not yet up on the other side
            return
        self.sent += 1
        if is_sure:
            self.sure += 1
            if self.name.startswith("c"):
                print(text.decode().rstrip(";"))

    def is_done(self):
        return self.sure >= FRAMES

    def work(self, words, now):
        if not self.told and (self.name.startswith("d") or f" {self.name} joins the capture\n" in words):
            self.told = now
        self.send(bool(self.told) and now - self.told > AFTER)

    def remove(self):
        self.socket.close()
        ip("-n", left, "link", "del", self.peer)


def main():
    alive, made, end = [], 0, time.monotonic() + 60 + count
    random.seed(1)
    while (made < count or alive) and time.monotonic() < end:
        while made < count and len(alive) < ALIVE:
            alive.append(Interface(made))
            made += 1
        with open(said, encoding="utf-8") as f:
            words = f.read()
        for interface in alive:
            interface.work(words, time.monotonic())
        done = [i for i in alive if i.is_done()]
        if done and (made == count or random.random() < 0.5):
            gone = random.choice(done)
            gone.remove()
            alive.remove(gone)
        time.sleep(0.005)
    for interface in alive:
        print(f"{interface.name} was not told of", file=sys.stderr)
    return 1 if alive else 0


sys.exit(main())
