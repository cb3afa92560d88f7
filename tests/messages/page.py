#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Compares docs/troubleshooting.md with the sources: a text of theirs is the first column of a table, or an entry of a
list, in `code'."""
import re
import sys

from list import messages


def texts(page):
    """What the page says that programs print, behind the symptoms."""
    begun = False
    for line in page:
        begun |= line.startswith("## Opening")
        row = re.match(r"\| (`{1,2}) ?(.*?) ?\1 \| ", line)
        entry = re.match(r"- `(.*)`$", line)
        if begun and (row or entry):
            text = row.group(2).replace("\\|", "|") if row else entry.group(1)
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
