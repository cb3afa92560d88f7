#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""links.py TOP: what is wrong with the links of all pages, a line each: a file or a heading that is not there, a
manual or a section of one that is not there, a source file that is not there, a page of docs/ that the index does not
have."""
import os
import re
import sys

sys.dont_write_bytecode = True
from pages import markdown, prose, relative  # noqa: E402

LINK = re.compile(r"!?\[[^]\[]*\]\(([^)\s]+)\)")
MANUAL = re.compile(r"\b(xdpdump|pcap-afxdp|libafxdpcapture|pcapng-kafka|pcapng-find|pcap-afxdp-libpcap)\((\d)\)(?:, ([A-Z][\w ]+))?")
SOURCE = re.compile(r"`([\w./-]+/[\w.-]+\.(?:c|h|sh|def|py|pml|map))`")
OTHERS = ("linux/", "pcap/bpf.h")  # headers that are not ours


def anchors(path):
    """As the sites make them: of each heading, in lower case, blanks as hyphens, a number behind one that is twice."""
    seen = {}
    for line in prose(path):
        heading = re.match(r"#+ +(.*?) *$", line)
        if not heading:
            continue
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.group(1)).lower()
        text = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        seen[text] = seen.get(text, -1) + 1
        yield f"{text}-{seen[text]}" if seen[text] else text


def wrong_link(top, page, target):
    if re.match(r"(https?|mailto):", target):
        return None  # not ours to ask
    name, _, anchor = target.partition("#")
    path = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
    if not os.path.exists(path) or not path.startswith(top):
        return f"{target}: there is no {relative(top, path)}"
    if anchor and path.endswith(".md") and anchor not in anchors(path):
        return f"{target}: {relative(top, path)} has no such heading"
    return None


def wrong_manual(top, name, section, heading):
    path = os.path.join(top, "man", f"{name}.{section}")
    if not os.path.exists(path):
        return f"{name}({section}): there is no such manual"
    lines = open(path, encoding="utf-8").read().splitlines()
    headings = tuple(line[4:] for line in lines if line.startswith((".Sh ", ".Ss ")))
    if heading and not heading.startswith(headings):
        return f"{name}({section}), {heading}: it has no such section"
    return None


def sources(top):
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if not name.startswith((".", "build", "libpcap-"))]
        yield from (os.path.join(folder, name) for name in names)


def wrong_source(page, name, there):
    if name.startswith(OTHERS) or os.path.exists(os.path.join(os.path.dirname(page), name)):
        return None
    return None if any(path.endswith("/" + name) for path in there) else f"there is no {name}"


def main():
    top = os.path.realpath(sys.argv[1])
    there = list(sources(top))
    wrong, links = [], 0
    for page in markdown(top):
        text = "\n".join(prose(page))
        for target in LINK.findall(text):
            links += 1
            wrong.append((page, wrong_link(top, page, target)))
        for manual in MANUAL.findall(" ".join(text.split())):
            wrong.append((page, wrong_manual(top, *manual)))
        for name in SOURCE.findall(text):
            wrong.append((page, wrong_source(page, name, there)))
    index = open(os.path.join(top, "docs/README.md"), encoding="utf-8").read()
    for name in sorted(os.listdir(os.path.join(top, "docs"))):
        if name.endswith(".md") and name != "README.md" and f"]({name})" not in index:
            wrong.append((os.path.join(top, "docs/README.md"), f"{name} is not in the index"))
    for page, what in wrong:
        if what:
            print(f"{relative(top, page)}: {what}")
    print(f"{links} links", file=sys.stderr)


main()
