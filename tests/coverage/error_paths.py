#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""error_paths.py LCOV ARGUED TOP MOST: lines that no test has run and that handle an error, by file and function, but
for those that the file ARGUED gives a reason for. The last line is how many lines and error paths were run. Fails where
more than MOST are left, or where a reason stands for nothing, unless it says that chance decides."""
import fnmatch
import os
import re
import sys

ERROR = re.compile(r"return -|return e\b|\be = -|= -E[A-Z]|-errno|\bgoto |\bcomplain\(|\brefuse\(|\bexplain\(|"
                   r"snprintf\(err|snprintf\(errbuf|_warn\(|pcapint_fmt|PCAP_ERROR|\babort\(|_exit\(1|EXIT_FAILURE|"
                   r"\bbad\w*\(|\bfail\w*\(|return (?:false|NULL|1);")
FUNCTION = re.compile(r"^(?!\s|#|/|})(?:[\w *]|__attribute__\(\(.*?\)\))*?\*?(\w+)\(")


def name_of(path, top):
    """A file as from the top: the build may be in another folder, or in one of the source's."""
    parts = os.path.normpath(path).split("/")
    names = ("/".join(parts[i:]) for i in range(len(parts)))
    return next((name for name in names if name and os.path.isfile("%s/%s" % (top, name))), path)


def lines_of(lcov, top):
    """Of each file: line -> how often it was run."""
    files, counts = {}, None
    for line in open(lcov):
        if line.startswith("SF:"):
            counts = files.setdefault(name_of(line[3:].strip(), top), {})
        elif line.startswith("DA:"):
            number, count = line[3:].split(",")[:2]
            counts[int(number)] = max(counts.get(int(number), 0), int(count))
    return files


def argued_for(path):
    """file, function, text, reason, a line each, by tabs; the first three are patterns as of a shell. "the same": as
    the one before."""
    argued = [line.rstrip("\n").split("\t") for line in open(path) if line.strip() and not line.startswith("#")]
    for before, one in zip(argued, argued[1:]):
        if one[3].startswith("the same"):
            one[3] += " " + before[3]
    return argued


def reason_for(argued, *line):
    """The first that fits, by its number."""
    return next((i for i, reason in enumerate(argued) if all(map(fnmatch.fnmatchcase, line, reason))), None)


def ours(name):
    return re.match(r"(capture|filter|util|pcapng|xdpdump)/|pcap-afxdp", name)


def error_lines(source, counts):
    """Function, number, text and count of each line that handles an error."""
    function = "?"
    for number, text in enumerate(source, 1):
        found = FUNCTION.match(text)
        if found and not text.rstrip().endswith(";"):
            function = found.group(1)
        if number in counts and ERROR.search(text.split("/*")[0]):
            yield function, number, text.strip(), counts[number]


def main():
    lcov, argued, top, most = sys.argv[1], argued_for(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    used, run, lines, errors, missed, without = set(), 0, 0, 0, 0, 0
    for name, counts in sorted(lines_of(lcov, top).items()):
        if not ours(name):
            continue
        lines += len(counts)
        run += sum(1 for count in counts.values() if count)
        for function, number, text, count in error_lines(open("%s/%s" % (top, name)), counts):
            errors += 1
            if count:
                continue
            missed += 1
            reason = reason_for(argued, name, function, text)
            used.add(reason)
            if reason is None:
                without += 1
                print("%s:%d: %s(): %s" % (name, number, function, text))
    unused = [reason for i, reason in enumerate(argued) if i not in used and "chance decides" not in reason[3]]
    for reason in unused:
        print("%s: nothing is left to argue for" % " ".join(reason[:3]))
    print("%d of %d lines run; of %d lines of error paths %d not, of these %d argued for" %
          (run, lines, errors, missed, missed - without))
    return 1 if without > most or unused else 0


sys.exit(main())
