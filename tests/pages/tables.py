#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Prints each line of the pages' tables that has other cells than the head of its table, and each item of a list that
begins behind the end of another."""
import re
import sys

BAR = re.compile(r"(?<!\\)\|")
RULE = re.compile(r"\|[-:| ]+\|$")
JOINED = re.compile(r"[.:;)`] +(?:- [A-Z*`\[]|\d\. [A-Z])")


def wrong(lines):
    """Number of a line, and what is wrong with it."""
    cells = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            cells = 0
        elif cells or number < len(lines) and RULE.match(lines[number]):
            cells = cells or len(BAR.findall(line))
            if len(BAR.findall(line)) != cells or not line.startswith("|"):
                yield number, "not a row of its table"
        elif line.startswith("|"):
            yield number, "a row without a table"
        elif not line.startswith("    ") and JOINED.search(line):
            yield number, "an item within a line"


def main():
    found = False
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as page:
            for number, what in wrong(page.read().splitlines()):
                found = True
                print(f"{path}:{number}: {what}")
    sys.exit(found)


if __name__ == "__main__":
    main()
