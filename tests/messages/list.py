#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Lists the texts that our programs print: each string literal of the C sources that reads like words, whatever function
prints it, so that none is overlooked. A line each: file, line, text; conversions of printf are '...'."""
import glob
import os
import re
import sys

FOLDERS = ("capture", "filter", "find", "graft", "index", "kafka", "pcapng", "util", "who", "xdpdump")
# What is not said to users as a sentence: rows of tables, help, words of protocols and formats.
ELSEWHERE = {
    "xdpdump/cli/help.c": "--help",
    "xdpdump/cli/extcap.c": "the language that Wireshark's extcap speaks, labels of its window",
    "xdpdump/session/metrics.c": "the exposition format of Prometheus",
    "kafka/options.c": "--help",
    "find/options.c": "--help",
    "xdpdump/output/drop_table.c": "the table of --drops=summary",
    "xdpdump/output/line.c": "lines of packets", "xdpdump/output/line_icmp.c": "lines of packets",
    "xdpdump/output/line_ip.c": "lines of packets", "xdpdump/output/line_transport.c": "lines of packets",
    "xdpdump/output/packet_text.c": "lines of packets",
}
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)
CONVERSION = re.compile(r'%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:hh|h|ll|l|z|j|t)?[diouxXcspm]')
MACRO = re.compile(r'\s*(?:PRI[diouxX]\w+|[A-Z][A-Z_0-9]+)\s*')


def literals(text):
    """Each run of string literals that the compiler joins, with the line where it begins."""
    parts, begin, last = [], 0, 0
    for m in TOKEN.finditer(text):
        if m.group()[0] != '"':
            continue
        if text.rfind("_Static_assert(", 0, m.start()) > text.rfind(";", 0, m.start()):
            last = m.end()
            continue
        between = text[last:m.start()]
        if parts and (not between.strip() or MACRO.fullmatch(between)):
            parts.append("%s" if between.strip() and "PRI" not in between else "d" if "PRI" in between else "")
            parts.append(m.group()[1:-1])
        else:
            if parts:
                yield begin, "".join(parts)
            parts, begin = [m.group()[1:-1]], text.count("\n", 0, m.start()) + 1
        last = m.end()
    if parts:
        yield begin, "".join(parts)


def plain(text):
    text = CONVERSION.sub("...", text).replace("%%", "%").replace('\\"', '"').replace("\\n", " ").replace("\\t", " ")
    return re.sub(r"(?:\.\.\.){2,}", "...", re.sub(r"\s+", " ", text)).strip()


def is_sentence(text):
    """Two words of letters, in the order of a text, and no code."""
    words = [word for word in text.split() if re.fullmatch(r"[(\"']?[A-Za-z][a-z]+[a-z',.;:)\"]*", word)]
    return len(words) >= 3


def messages(top):
    for folder in FOLDERS + ("pcap-afxdp*.c",):
        pattern = folder if "*" in folder else f"{folder}/**/*.c"
        paths = glob.glob(os.path.join(top, pattern), recursive=True)
        if folder == "xdpdump":
            paths += (os.path.join(top, "xdpdump", name) for name in ("cli/combine.def", "session/report.def"))
        for path in sorted(paths):
            name = os.path.relpath(path, top)
            if name in ELSEWHERE:
                continue
            with open(path, encoding="utf-8") as file:
                for line, text in literals(file.read()):
                    if is_sentence(plain(text)):
                        yield name, line, plain(text)


def main():
    top = sys.argv[1] if len(sys.argv) > 1 else "."
    for name, line, text in messages(top):
        print(f"{name}:{line}\t{text}")


if __name__ == "__main__":
    main()
