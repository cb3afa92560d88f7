# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Frames that a host drops, each for a reason of its own, and what makes it drop them.

frame KIND [N]	send one from va, or N of them
listen PORT [small|none]	a UDP socket that nobody reads, with the least buffer, or a filter that takes nothing
tcp PORT	a TCP socket that listens
talk PORT	connect there, wait for a line, send
refuse HOOK	a base chain of netfilter that drops all
pass	that is taken away
compare FILE FILE	where the first (JSON of xdpdump) has a reason for a place, the second (perf script) has it too
bytes KIND FILE	the only packet there, in tshark's jsonraw, is such a frame with the tag 7, if it is large its beginning
first COMMAND...	CPU time of it and its children until its first line on standard error, in ms: the least of three
terminal COMMAND...	with a terminal for standard output, of 24 lines, which goes to ours as it comes
screen FILE	what such a terminal shows then
functions FILE N	N packets of a pcapng file have the function that their comment names in option 32777, too
arrived FILE	each received frame that was dropped was captured before, with the same bytes
"""

import collections
import fcntl
import json
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import sys
import termios
import time

OURS, HOST = "10.99.0.1", "10.99.0.2"
OUR_MAC, HOST_MAC = bytes.fromhex("02000000000a"), bytes.fromhex("027467000002")


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def pseudo(src, dst, protocol, data):
    return socket.inet_aton(src) + socket.inet_aton(dst) + struct.pack("!BBH", 0, protocol, len(data))


def ip(protocol, data, src=OURS, dst=HOST, ttl=64, first=0x45, more=0, fragment=0, wrong=0, ident=None):
    ident = time.monotonic_ns() // 1000 & 0xFFFF if ident is None else ident
    head = struct.pack("!BBHHHBBH4s4s", first, 0, 20 + len(data) + more, ident, fragment, ttl, protocol, 0,
                       socket.inet_aton(src), socket.inet_aton(dst))
    return head[:10] + struct.pack("!H", checksum(head) ^ wrong) + head[12:] + data


def udp(port, data=b"drop", src=OURS, dst=HOST, wrong=0, **more):
    head = struct.pack("!HHHH", 4000, port, 8 + len(data), 0)
    total = checksum(pseudo(src, dst, 17, head + data) + head + data) ^ wrong
    return ip(17, head[:6] + struct.pack("!H", total) + data, src, dst, **more)


def tcp(port, flags, wrong=0):
    head = struct.pack("!HHIIBBHHH", 4000, port, 1, 0, 5 << 4, flags, 1000, 0, 0)
    total = checksum(pseudo(OURS, HOST, 6, head) + head) ^ wrong
    return ip(6, head[:16] + struct.pack("!H", total) + head[18:])


def ethernet(data, to=HOST_MAC, kind=0x0800):
    return to + OUR_MAC + struct.pack("!H", kind) + data


def tagged(frame):
    return frame[:12] + struct.pack("!HH", 0x8100, 7) + frame[12:]


FIN, SYN = 1, 2
FRAMES = {
    "udp": lambda: ethernet(udp(9)),
    "open": lambda: ethernet(udp(2000)),
    "small": lambda: ethernet(udp(2001, b"x" * 1000)),
    "filtered": lambda: ethernet(udp(2002)),
    "udp_csum": lambda: ethernet(udp(2000, wrong=0x55)),
    "tcp_csum": lambda: ethernet(tcp(2003, SYN, wrong=0x55)),
    "tcp_flags": lambda: ethernet(tcp(2003, SYN | FIN)),
    "icmp_csum": lambda: ethernet(ip(1, struct.pack("!BBHHH", 8, 0, 1, 1, 1))),
    "noproto": lambda: ethernet(ip(253, b"nobody knows this")),
    "unhandled": lambda: ethernet(b"nobody knows this either", kind=0x88B5),
    "otherhost": lambda: ethernet(udp(2000), to=bytes.fromhex("020000000099")),
    "multicast": lambda: ethernet(udp(2000), to=b"\xff" * 6),
    "inhdr": lambda: ethernet(udp(2000, first=0x55)),
    "ip_csum": lambda: ethernet(udp(2000, wrong=0)[:10] + b"\x12\x34" + udp(2000)[12:]),
    "too_small": lambda: ethernet(udp(2000, more=100)),
    "ttl": lambda: ethernet(udp(9, dst="10.98.0.9", ttl=1)),
    "rpfilter": lambda: ethernet(udp(2000, src="10.55.0.1")),
    "source": lambda: ethernet(udp(2000, src="224.0.0.5")),
    "localnet": lambda: ethernet(udp(2000, src="127.0.0.1")),
    "elsewhere": lambda: ethernet(udp(9, dst="10.97.0.9")),
    "ipv6": lambda: ethernet(b"\x60" + b"\0" * 3 + struct.pack("!HBB", 0, 59, 64) + b"\xfd" + b"\0" * 31, kind=0x86DD),
    "tagged": lambda: ethernet(udp(2000, bytes(range(100)), ident=5)),
    "tagged_large": lambda: ethernet(udp(2000, bytes(i * 7 % 251 for i in range(7000)), ident=5)),
    "xdp": lambda: ethernet(udp(7)),
    "fragment": lambda: ethernet(ip(17, b"f" * 64, fragment=0x2000 | 16, ident=77)),
}


def send(kind, n=1):
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    s.bind(("va", 0))
    for _ in range(int(n)):
        s.send(FRAMES[kind]())


def listen(port, how=""):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    if how == "small":
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    if how == "none":  # a program of one instruction: return 0
        import ctypes

        program = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
        s.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HL", 1, ctypes.addressof(program)))
    s.bind(("0.0.0.0", int(port)))
    print("ready", flush=True)
    time.sleep(600)


def serve(port):
    s = socket.create_server(("0.0.0.0", int(port)))
    print("ready", flush=True)
    s.accept()
    time.sleep(600)


def talk(port):
    s = socket.create_connection((OURS, int(port)))
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        s.send(b"where to?")
    except OSError:
        pass
    print("sent", flush=True)
    time.sleep(2)


def attribute(kind, value):
    return struct.pack("HH", 4 + len(value), kind) + value + b"\0" * (-len(value) % 4)


REQUEST, ACK, CREATE, NFTABLES, INET = 1, 4, 0x400, 10 << 8, 1


def message(kind, flags, number, body, family=0, resource=0):
    body = struct.pack("!BBH", family, 0, resource) + body
    return struct.pack("IHHII", 16 + len(body), kind, flags | REQUEST, number, 0) + body


def netfilter(messages):
    """By netlink, as nft does."""
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12)
    s.send(message(16, 0, 1, b"", 0, 10) + messages + message(17, 0, 9, b"", 0, 10))
    answers = s.recv(65536)
    while len(answers) >= 20:
        length, kind, _, _, _, error = struct.unpack("IHHIIi", answers[:20])
        if kind == 2 and error:
            sys.exit(f"netfilter: error {error}")
        answers = answers[length:]


def refuse(hook):
    """A table, and a base chain with the policy to drop."""
    at = attribute(4 | 0x8000, attribute(1, struct.pack("!I", int(hook))) + attribute(2, struct.pack("!i", 0)))
    chain = attribute(1, b"drops\0") + attribute(3, b"all\0") + at
    chain += attribute(5, struct.pack("!I", 0)) + attribute(7, b"filter\0")
    netfilter(message(NFTABLES | 0, CREATE | ACK, 2, attribute(1, b"drops\0"), INET) +
              message(NFTABLES | 3, CREATE | ACK, 3, chain, INET))


def passed():
    netfilter(message(NFTABLES | 2, ACK, 2, attribute(1, b"drops\0"), INET))


def lines_of(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def compare(ours, theirs):
    def count(pairs):
        return collections.Counter(pairs)

    mine = count((p["drop_place"], p["drop_reason"]) for p in lines_of(ours) if "drop_reason" in p)
    with open(theirs, encoding="utf-8") as lines:
        kernel = count(re.findall(r"location=(\S+?\+0x[0-9a-f]+)\S* reason: (\w+)", lines.read()))
    places = {place for place, _ in kernel}  # perf may lose a drop, and with it the place
    wrong = [pair for pair in mine if not kernel[pair] and pair[0] in places]
    for pair in mine:
        if not kernel[pair]:
            print(f"{mine[pair]} of {pair}, of which the kernel tells none")
    print(f"{len(mine)} pairs of a place and a reason, {sum(mine.values())} drops")
    sys.exit(1 if wrong or len(mine.keys() & kernel.keys()) < 20 else 0)


def cpu_ms(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
        processes = [str(pid), *children.read().split()]
    total = 0
    for process in processes:
        with open(f"/proc/{process}/schedstat", encoding="ascii") as spent:
            total += int(spent.read().split()[0])
    return total // 1000000


def first(*command):
    """Not by the clock, which runs also while other processes have the CPU."""
    least = None
    for _ in range(3):
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            line = process.stderr.readline()
            spent = cpu_ms(process.pid)
            process.send_signal(signal.SIGINT)
            process.stderr.read()
        if b"listening on" not in line:
            sys.exit(f"its first line is {line}")
        least = spent if least is None else min(least, spent)
    print(least)


def terminal(*command):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, env={**os.environ, "TERM": "xterm"}):
        os.close(theirs)
        try:
            while True:
                os.write(1, os.read(ours, 65536))
        except OSError:  # it has been closed
            pass


def screen(path):
    lines, at = [""], 0
    with open(path, encoding="ascii", newline="") as shown:
        for what in re.findall(r"\x1b\[[?0-9]*[a-zA-Z]|\r|\n|[^\x1b\r\n]+", shown.read()):
            if what == "\n":
                at += 1
                lines += [""] if at == len(lines) else []
            elif what[:2] == "\x1b[" and what[-1] == "A":
                at -= int(what[2:-1])
            elif what == "\x1b[J":
                del lines[at + 1:]
                lines[at] = ""
            elif what[0] not in "\r\x1b":
                lines[at] = what  # each is written whole, behind a \r
    print("\n".join(lines))


def arrived(path):
    """Frames may lose their tail on the way, where it is longer than their headers say."""
    seen, missing, found = set(), 0, 0
    for p in lines_of(path):
        if p["place"] != "drop":
            seen.add(p["bytes"])
        elif p["direction"] == "in" and not p["drop_place"].startswith("do_xdp_generic"):
            if any(b.startswith(p["bytes"]) for b in seen):
                found += 1
            else:
                missing += 1
                print("dropped, but never came:", p)
    print(f"{found} frames came and were dropped")
    sys.exit(1 if missing or not found else 0)


def same_bytes(kind, path):
    with open(path, encoding="utf-8") as packets:
        (packet,) = json.load(packets)
    got, wanted = bytes.fromhex(packet["_source"]["layers"]["frame_raw"][0]), tagged(FRAMES[kind]())
    if kind.endswith("large") and len(got) >= 18:
        wanted = wanted[:len(got)]
    if got != wanted:
        sys.exit(f"{len(got)} bytes, {len(wanted)} were sent; they differ from "
                 f"{next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), 'no place')} on")


def functions(path, wanted):
    """Apple's option has the function that the comment names, in so many packets."""
    with open(path, "rb") as f:
        data = f.read()
    at = same = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        o = at + 28 + (struct.unpack_from("<I", data, at + 20)[0] + 3 & ~3) if kind == 6 else at + length
        found = {}
        while o < at + length - 8:
            code, n = struct.unpack_from("<HH", data, o)
            found[code] = data[o + 4:o + 4 + n]
            o += 4 + (n + 3 & ~3)
        if any(code in APPLES for code in found):  # Wireshark 4.6 would refuse the file
            sys.exit(f"codes of Apple's: {found}")
        same += 32777 in found and b" in " + found[32777] + b"+0x" in found[1]
        at += length
    sys.exit(same != int(wanted))


APPLES = set(range(32769, 32779)) - {32777}
COMMANDS = {"functions": functions,
            "frame": send, "listen": listen, "tcp": serve, "talk": talk, "refuse": refuse, "pass": passed, "compare": compare,
            "arrived": arrived, "first": first, "terminal": terminal, "screen": screen, "bytes": same_bytes}
COMMANDS[sys.argv[1]](*sys.argv[2:])
