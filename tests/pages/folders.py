#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""folders.py TOP FILE...: a folder's README.md names each file of the folder but its part of the makefile and pictures: by its name
up to the first dot, by the end of it (`_run`), or by a beginning (`check_*`). Where the folder is one of tests, each test says itself what it is."""
import fnmatch
import os
import re
import sys

LEFT_OUT = (".mk", ".svg", ".png", ".md", ".skel.h")


def missing(top, folder, names):
    with open(os.path.join(top, folder, "README.md"), encoding="utf-8") as page:
        words = set(re.findall(r"[\w*-]+", page.read()))
    patterns = [word for word in words if word.endswith("*")] + [f"*{word}" for word in words if word.startswith("_")]
    for name in sorted(names):
        stem = name.split(".")[0]
        if stem not in words and not any(fnmatch.fnmatch(stem, pattern) for pattern in patterns):
            yield name


def main():
    top, paths = sys.argv[1], [os.path.normpath(path) for path in sys.argv[2:]]
    folders = {os.path.dirname(path) for path in paths if os.path.basename(path) == "README.md"} - {""}
    count = 0
    for folder in sorted(folders):
        if folder.split(os.sep)[0] == "tests":
            continue
        names = [os.path.basename(path) for path in paths
                 if os.path.dirname(path) == folder and not path.endswith(LEFT_OUT)]
        count += len(names)
        for name in missing(top, folder, names):
            print(f"{folder}/README.md does not name {name}")
    print(f"{count} files", file=sys.stderr)


main()
