# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""What pages say of the cost against others is what bench/RESULTS.md has: ratios.py TREE.

Each claim below is a sentence of a page, with the target of RESULTS.md that it speaks of. Words such as "a third" stand
for a number, which has to be as near to the measured one as TOLERANCE. Prints what is wrong; on standard error how many
claims it looked at.
"""
import re
import sys

TOLERANCE = 0.08
WORDS = {"a quarter": 1 / 4, "a third": 1 / 3, "two fifths": 2 / 5, "half": 1 / 2, "two thirds": 2 / 3}
# page, pattern with the ratio as its group, target
CLAIMS = [
    ("README.md", r"(\w+ \w+) of the cost per frame, of 64 bytes and of 1500;",
     "tap, 64 bytes, all: added, of tcpdump's on AF_PACKET"),
    ("README.md", r"(\w+ \w+) of the cost per frame, of 64 bytes and of 1500;",
     "tap, 1500 bytes, all, ring of its own size: added, of tcpdump -B 65536's"),
    ("README.md", r"xdp-tools' xdpdump \|[^|]*\| (\w+ \w+) of the cost at most;",
     "xdpdump, 64 bytes, all, into a preallocated file: added, of xdp-tools'"),
]


def measured(results, target):
    row = re.search(rf"^\| {re.escape(target)} \|[^|]*\| (\d+\.\d+) \(", results, re.M)
    return float(row[1]) if row else None


def wrong(tree, results, page, pattern, target):
    with open(f"{tree}/{page}", encoding="utf-8") as file:
        said = re.search(pattern, " ".join(file.read().split()))
    have = measured(results, target)
    if not said or have is None:
        return f"{page}: no such words: {pattern}" if not said else f"RESULTS.md: no ratio for {target}"
    number = WORDS.get(said[1]) or float(said[1])
    if abs(number - have) <= TOLERANCE:
        return None
    return f"{page}: {said[1]}, and RESULTS.md has {have} for {target}"


def main(tree):
    with open(f"{tree}/bench/RESULTS.md", encoding="utf-8") as file:
        results = file.read()
    for claim in CLAIMS:
        message = wrong(tree, results, *claim)
        if message:
            print(message)
    print(f"{len(CLAIMS)} claims", file=sys.stderr)


main(sys.argv[1])
