#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Prints each sentence of the pages that has more words than are read at once."""
import re
import sys

MOST = 30


def sentences(page):
    """Of paragraphs, items, headings and cells of tables; blocks of commands are none."""
    page = re.sub(r"```.*?```", "", page, flags=re.S)
    for part in re.split(r"\n\s*\n|\n(?=- |\||#|\d+\. )", page):
        if part.startswith("    "):
            continue
        for cell in part.split("|") if part.startswith("|") else [part]:
            cell = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell.replace("\n", " "))
            yield from re.split(r"(?<=[.:;?!])\s+", cell)


def main():
    found = False
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as page:
            for sentence in sentences(page.read()):
                if len(sentence.split()) > MOST:
                    found = True
                    print(f"{path}: {len(sentence.split())} words: {sentence.strip()}")
    sys.exit(found)


if __name__ == "__main__":
    main()
