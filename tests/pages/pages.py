# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""The pages of the tree, what is prose in them and what a reader is to type."""
import os
import re

LEFT_OUT = re.compile(r"^(\.|build|libpcap-|pcap-afxdp-\d|autom4te|node_modules)")


def relative(top, path):
    return os.path.relpath(path, top)


def markdown(top):
    """Ours; not what a build leaves behind."""
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(f for f in folders if not LEFT_OUT.match(f))
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def manuals(top):
    folder = os.path.join(top, "man")
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if re.search(r"\.[1-8]$", name)]


def split(path):
    """(is it typed or shown, line): what is indented by four blanks behind an empty line, or fenced."""
    fenced = block = False
    before = ""
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("```"):
            fenced = not fenced
            continue
        if line.startswith("    ") and not fenced:
            block = block or before == ""
        elif line:
            block = False
        yield fenced or (block and line != ""), line if fenced else line[4:] if block else line
        before = line


def prose(path):
    return [line for is_block, line in split(path) if not is_block]


def of_markdown(path):
    return [("", line) for is_block, line in split(path) if is_block]


def of_manual(path):
    """(section, line) of .Dl and of literal displays."""
    section, literal = "", False
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith(".Sh "):
            section = line[4:]
        elif line.startswith((".Bd -literal", ".Ed")):
            literal = line.startswith(".Bd")
        elif line.startswith(".Dl ") or literal:
            yield section, (line[4:] if line.startswith(".Dl ") else line).replace("\\e", "\\").replace("\\&", "")


def lines(top, page):
    """(where, line), with lines that go on joined."""
    found = of_manual(page) if not page.endswith(".md") else of_markdown(page)
    where, begun = "", ""
    for section, line in found:
        where = (relative(top, page) + " " + section).strip()
        if line.endswith("\\"):
            begun += line[:-1] + " "
            continue
        yield where, begun + line
        begun = ""
