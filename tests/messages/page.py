#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Compares docs/troubleshooting.md with the sources. An entry is a row of a table: texts in `code' that programs print, the
cause, and the cure. Each such text is in the sources; and each refusal for which the kernel, or another program, gives the
reason has an entry, as such a text cannot say what to do."""
import re
import sys

from list import messages


CODE = re.compile(r"(`{1,2}) ?(.+?) ?\1(?!`)")
REFUSAL = re.compile(r"(?:\bcannot\b|\brefuses\b)[^:]*: \.\.\.(?:;.*)?$")


def entries(page):
    """Of each row behind the symptoms: the texts, and what is said of them."""
    begun = False
    for line in page:
        begun |= line.startswith("## Opening")
        cells = re.split(r"(?<!\\) \| ", line.strip().removeprefix("| ").removesuffix(" |"))
        if not begun or not line.startswith("| `") or len(cells) < 2:
            continue
        texts = [code.group(2).replace("\\|", "|").replace("…", "...").strip() for code in CODE.finditer(cells[0])]
        yield texts, " | ".join(cells[1:]).strip()


def faults(page, sources):
    there = set()
    for texts, why in entries(page):
        there.update(texts)
        if len(why) < 10:
            yield f"without a cause and a cure: {texts[0]}"
    for text in sorted(there - set(sources)):
        yield f"in no source: {text}"
    for text in sorted(set(sources) - there):
        if REFUSAL.search(text):
            yield f"not on the page: {text} ({sources[text]})"


def main():
    top, path = sys.argv[1:3]
    sources = {text: f"{name}:{line}" for name, line, text in messages(top)}
    with open(path, encoding="utf-8") as page:
        found = list(faults(page, sources))
    print("\n".join(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
