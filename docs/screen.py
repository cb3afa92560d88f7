#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""screen.py COMMAND...: runs a shell on a terminal, types what the lines of standard input say, and prints what is
then on the screen. Lines are
    type TEXT    and Enter
    wait REGEX   until it is on the screen below what was typed last
    run COMMAND  elsewhere, as for traffic, to its end
    ctrl-c
    show TITLE   the screen
    clear        begin an empty one
"""
import os
import pty
import re
import select
import subprocess
import sys
import time

PATIENCE = 30  # seconds
PROMPT = "# "


class Screen:
    """As much of a terminal as xdpdump and a shell use: lines that are written over. Colours are left out."""

    def __init__(self):
        self.clear()

    def clear(self):
        """Below the prompt."""
        self.lines, self.column, self.typed = [PROMPT], len(PROMPT), 0

    def put(self, text):
        line = self.lines[-1].ljust(self.column)
        self.lines[-1] = line[:self.column] + text + line[self.column + len(text):]
        self.column += len(text)

    def feed(self, data):
        for part in re.findall(r"\x1b\[[?0-9;]*[A-Za-z]|\r|\n|\b|[^\x1b\r\n\b]+", data):
            if part == "\r":
                self.column = 0
            elif part == "\n":
                self.lines.append("")
                self.column = 0
            elif part == "\b":
                self.column -= 1
            elif part.endswith("K") and part.startswith("\x1b"):
                self.lines[-1] = self.lines[-1][:self.column]
            elif not part.startswith("\x1b"):
                self.put(part)

    def text(self, first=0):
        return "\n".join(line.rstrip() for line in self.lines[first:])


def hear(terminal, screen, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.05)[0]:
            screen.feed(os.read(terminal, 65536).decode(errors="replace"))


def wait_for(terminal, screen, pattern):
    until = time.monotonic() + PATIENCE
    while not re.search(pattern, screen.text(screen.typed), re.M):
        if time.monotonic() > until:
            sys.exit("screen.py: %s does not come:\n%s" % (pattern, screen.text()))
        hear(terminal, screen, 0.1)


def obey(terminal, screen, word, rest):
    if word == "type":
        screen.typed = len(screen.lines)
        os.write(terminal, rest.encode() + b"\n")
    elif word == "wait":
        wait_for(terminal, screen, rest)
    elif word == "run":
        child = subprocess.Popen(rest, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        while child.poll() is None:
            hear(terminal, screen, 0.1)
    elif word == "ctrl-c":
        os.write(terminal, b"\x03")
    elif word == "show":
        print("%s\n\n%s\n" % (rest, re.sub("^(?=.)", "    ", screen.text().strip("\n"), flags=re.M)))
    elif word == "clear":
        screen.clear()
    else:
        sys.exit("screen.py: %s?" % word)


def main():
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(sys.argv[1], sys.argv[1:])
    screen = Screen()
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        obey(terminal, screen, word, rest)
    os.close(terminal)
    os.waitpid(child, 0)


main()
