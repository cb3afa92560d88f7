# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""What others get of a capture."""
import json
import os
import socket
import struct
import subprocess
import sys

COLUMN = "frame.darwin.process_info.pname"
MARKS = {"listener": " (listener)", "closed": " (closed)"}


def join(port):
    with socket.create_connection(("127.0.0.1", port)) as s:
        data = s.recv(65536)
        while data:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            data = s.recv(65536)


def processes(name):
    """How many blocks of them there are."""
    with open(name, "rb") as f:
        data = f.read()
    at = n = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        n += kind == 0x80000001
        at += length
    return n


def is_named(who, name):
    """Does Wireshark's column say what the label says?"""
    processes = who.get("processes", [])
    if len(processes) == 1:
        return name == processes[0].get("command", "?") + MARKS.get(who["class"], "")
    return all(str(one["pid"]) in name for one in processes) and bool(processes) == bool(name)


def names(packets, capture):
    """Each packet of a file has in Wireshark's column what its object says. 77: this tshark has no such column."""
    tshark = os.environ.get("TSHARK", "tshark").split()
    with open(capture, "rb") as f:
        said = subprocess.run([*tshark, "-r", "-", "-T", "fields", "-e", COLUMN], stdin=f, capture_output=True, text=True,
                              check=False)
    if "Some fields aren't valid" in said.stderr:
        return 77
    with open(packets, encoding="utf-8") as lines:
        labels = [json.loads(line)["who"] for line in lines]
    shown = said.stdout.split("\n")[:-1]
    wrong = [(who, name) for who, name in zip(labels, shown) if not is_named(who, name)]
    print(f"{len(labels)} packets, {len(shown)} in the file, {sum(map(bool, shown))} with a name, {len(wrong)} wrong", *wrong[:5],
          said.stderr, sep="\n")
    return len(labels) != len(shown) or bool(wrong)
