#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Compares docs/troubleshooting.md with the sources: a text of theirs is the first column of a table, in `code', or a
line of a block of text."""
import re
import sys

from list import messages


def texts(page):
    """What the page says that programs print, behind the symptoms."""
    begun = block = False
    for line in page:
        begun |= line.startswith("## Opening")
        if line.startswith("```"):
            block = not block
            continue
        row = re.match(r"\| (`{1,2}) ?(.*?) ?\1 \| ", line)
        if begun and (row or block):
            text = row.group(2).replace("\\|", "|") if row else line
            yield text.replace("…", "...").strip()


def main():
    top, path = sys.argv[1:3]
    with open(path, encoding="utf-8") as page:
        there = set(texts(page))
    sources = {text: f"{name}:{line}" for name, line, text in messages(top)}
    for text in sorted(set(sources) - there):
        print(f"not on the page: {text} ({sources[text]})")
    for text in sorted(there - set(sources)):
        print(f"in no source: {text}")
    sys.exit(there != set(sources))


if __name__ == "__main__":
    main()
