#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""manual.py options PAGE: the groups and options of a manual page, a line each, as manual.sh makes them of --help all.
manual.py messages PAGE SOURCE...: what of the messages under DIAGNOSTICS is in none of the sources."""
import re
import sys


def section(page, title):
    """The lines of a section."""
    inside = False
    for line in open(page, encoding="utf-8"):
        if line.startswith(".Sh "):
            inside = line.strip() == ".Sh " + title
        elif inside:
            yield line.rstrip("\n")


def options(page):
    """GROUP, or the letter and the long name of each option; words of an item that are no options end it."""
    for line in section(page, "OPTIONS"):
        if line.startswith(".Ss "):
            print(line[4:])
        elif line.startswith(".It Fl "):
            names = re.match(r"\.It Fl (\S+(?: , \S+)*)", line)[1].split(" , ")
            print(" ".join("-" + name for name in names))


def literals(sources):
    """All strings of the sources, those that stand side by side as one, with a newline for each conversion."""
    for source in sources:
        text = re.sub(r'"\s*\n?\s*"', "", open(source, encoding="utf-8").read())
        for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text):
            yield re.sub(r"%[-+ #0-9.*]*[a-zA-Z]*", "\n", literal)


# Of libpcap.
OTHERS = ("can't parse filter expression",)


def messages(page, sources):
    """A word in capitals stands for what differs."""
    known = "\n".join(literals(sources))
    for line in section(page, "DIAGNOSTICS"):
        if not line.startswith('.It Li "'):
            continue
        for piece in re.split(r"\b(?:IFACE|PROGRAM|FILE|PATTERN|LIST)\b|CAP_[A-Z_, ]*", line[8:-1]):
            if piece.strip() and piece.strip() not in known and piece.strip() not in OTHERS:
                print(piece.strip())


if sys.argv[1] == "options":
    options(sys.argv[2])
else:
    messages(sys.argv[2], sys.argv[3:])
