#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Compares docs/troubleshooting.md with the sources. An entry is a row of a table: texts in `code' that programs print, then
the cause and the cure. Each such text is in the sources, and what is said of it has words that it does not have itself. Each
refusal for which the kernel, or another program, gives the reason has an entry, unless it says itself what to do."""
import re
import sys

from list import messages


CODE = re.compile(r"(`{1,2}) ?(.+?) ?\1(?!`)")
REFUSAL = re.compile(r"(?:\bcannot\b|\brefuses\b)[^:]*: \.\.\.(?:;.*)?$")
ADVICE = re.compile(r"; (?:end|give|install|leave|mount|name|open|raise|remove|run|set|use|is /proc mounted)\b")
NEW_WORDS = 3


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


def words(text):
    return set(re.findall(r"[\w-]+", text.lower()))


def faults(page, sources):
    there = set()
    for texts, why in entries(page):
        there.update(texts)
        if len(words(why) - words(" ".join(texts))) < NEW_WORDS:
            yield f"without a cause and a cure that it does not give itself: {texts[0]}"
    for text in sorted(there - set(sources)):
        yield f"in no source: {text}"
    for text in sorted(set(sources) - there):
        if REFUSAL.search(text) and not ADVICE.search(text):
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
