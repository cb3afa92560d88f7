#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""query.py PROGRAM DIR SEED COUNT [OPTION...]: random expressions and times on the files of make.py: what
PROGRAM finds are the packets (time, length, bytes) that tcpdump -r finds in each file, sorted by their time. Prints how
many queries were equal, and how many of those found something; each that was not, with its command."""
import random
import struct
import subprocess
import sys

HOSTS = ["10.0.%d.%d" % (i // 8, i % 8) for i in range(24)] + ["192.168.1.%d" % i for i in range(1, 9)] + ["10.9.9.9"]
HOSTS6 = ["2001:db8::%x" % i for i in range(1, 13)]
NETS = ["10.0.1.0/24", "10.0.0.0/16", "192.168.1.0/29", "2001:db8::/32", "10.0.2.1/32"]
PORTS = [22, 53, 80, 123, 443, 1024, 5060, 8080, 33000, 40001, 65535, 7]
START = 1_700_000_000_000_000_000


def primitive(r):
    way = r.choice(("", "", "", "src ", "dst ", "src or dst ", "src and dst "))
    port = r.choice(PORTS)
    return r.choice((
        lambda: way + "host " + r.choice(HOSTS), lambda: way + "host " + r.choice(HOSTS6), lambda: way + "net " + r.choice(NETS),
        lambda: r.choice(("ip ", "arp ", "rarp ")) + way + "host " + r.choice(HOSTS), lambda: "ip6 host " + r.choice(HOSTS6),
        lambda: way + "port %d" % port, lambda: way + "port %d" % port,
        lambda: r.choice(("tcp ", "udp ", "sctp ")) + way + "port %d" % port,
        lambda: way + "portrange %d-%d" % (port, port + r.choice((0, 1, 40, 500))),
        lambda: r.choice(("tcp", "udp", "icmp", "icmp6", "sctp", "ip", "ip6", "arp", "ip proto 47", "ip6 proto 58", "proto 50", "esp")),
        lambda: r.choice(("vlan", "vlan 100", "vlan 5", "vlan 4094", "mpls", "mpls 17", "pppoes")),
        lambda: r.choice(("less 64", "greater 200", "len > 100", "ip multicast", "ip6 multicast", "ether multicast")),
        lambda: "ether host 02:00:00:00:00:0%d" % r.randrange(9),
        lambda: r.choice(("tcp[13] & 2 != 0", "tcp[tcpflags] & tcp-syn != 0", "ip[6:2] & 0x1fff != 0", "udp[4:2] > 50",
                          "icmp[icmptype] = icmp-echo", "ip[8] = 64", "ether[12:2] = 0x800", "ip6[6] = 17")),
        lambda: "host %s and port %d" % (r.choice(HOSTS), port),
        lambda: "src host %s and dst host %s" % (r.choice(HOSTS), r.choice(HOSTS)),
        lambda: "tcp and host %s and host %s and port %d and port %d" % (r.choice(HOSTS), r.choice(HOSTS), port, r.choice(PORTS)),
        lambda: "port %d or %d" % (port, r.choice(PORTS)), lambda: "host %s or %s" % (r.choice(HOSTS), r.choice(HOSTS)),
        lambda: r.choice(HOSTS), lambda: unlike(r), lambda: unlike(r),
    ))()


def unlike(r):
    """What moves where the words behind it look, is a number for some bytes, or has a name."""
    host, other, port = r.choice(HOSTS), r.choice(HOSTS), r.choice(PORTS)
    return r.choice((
        "vlan 5 and host %s" % host, "vlan and vlan 100 and port %d" % port, "vlan and (host %s or host %s)" % (host, other),
        "host %s or vlan 5 and host %s" % (host, other), "not vlan and host %s" % host, "vlan or host %s" % host,
        "mpls and host %s" % host, "mpls 17 and port %d" % port, "pppoes and host %s" % host, "pppoes 7 and port %d" % port,
        "vlan 5 and mpls and host %s" % host, "vxlan 9 and host %s" % host,
        "ip protochain 6", "ip6 protochain 17 and port %d" % port, "ip protochain 17 or host %s" % host, "gateway %s" % host,
        "net 10.0.1.0 mask 255.255.255.0", "src net 10.0.1", "dst net 192.168 and port %d" % port, "net 10",
        "portrange %d-%d and host %s" % (port, port + 9, host), "port domain", "tcp port ssh or host %s" % host, "host localhost",
        "(ip[12:4] = 0x0a000001) and host %s" % host, "5 < ip[8] and port %d" % port, "(tcp[0:2] & 1) != 0 or host %s" % host,
        "ip[6:2] & 0x1fff = 0 and udp port %d" % port, "ether[0] & 1 = 0 and host %s" % host, "ip[2:2] - len < 0 and host %s" % host,
        "ether proto 0x0800 and host %s" % host, "ether src host 02:00:00:00:00:01 or port %d" % port, "ip broadcast", "stp", "iso",
        "src port %d and dst port %d" % (port, r.choice(PORTS)), "host %s and not port %d" % (host, port),
        "not (host %s or port %d)" % (host, port), "ip proto 6 and dst %s" % host, "tcp src or dst port %d" % port))


def inside(r):
    """What looks inside of a tunnel from there on, by memory that libpcap's program writes only where the tunnel is: so
    nothing else may come behind it."""
    host, port = r.choice(HOSTS), r.choice(PORTS)
    return r.choice(("geneve", "geneve 9 and host %s" % host, "geneve and port %d" % port,
                     "geneve and vlan and host %s" % host))


def expression(r, depth=2):
    if depth == 2 and r.random() < 0.03:
        return inside(r)
    kind = r.random()
    if depth == 0 or kind < 0.4:
        return primitive(r)
    if kind < 0.5:
        return r.choice(("not ", "! ")) + "(" + expression(r, depth - 1) + ")"
    one, other = expression(r, depth - 1), expression(r, depth - 1)
    if kind < 0.6:
        return "%s %s %s" % (one, r.choice(("and", "or", "&&", "||")), other)
    return "(%s) %s (%s)" % (one, r.choice(("and", "and", "or", "and not")), other)


def savefile(data):
    at = 24
    while at < len(data):
        seconds, ns, n, length = struct.unpack_from("<IIII", data, at)
        yield seconds * 10**9 + ns, length, data[at + 16:at + 16 + n]
        at += 16 + n


def pcapng(data):
    at, clocks = 0, []
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        body = data[at + 8:at + size - 4]
        at += size
        if kind == 1:
            resolution, option = 6, 8
            while option + 4 <= len(body):
                code, n = struct.unpack_from("<HH", body, option)
                if code == 9:
                    resolution = body[option + 4]
                option += 4 + (n + 3) // 4 * 4
            clocks.append(1 << (resolution & 127) if resolution & 128 else 10**resolution)
        elif kind == 6:
            i, high, low, n, length = struct.unpack_from("<IIIII", body)
            yield (high << 32 | low) * 10**9 // clocks[i], length, body[20:20 + n]


def wanted(files, text, since, until):
    """The packets, or None where tcpdump takes the expression for no file."""
    found, taken = [], False
    for number, own in enumerate(files):
        for part, path in enumerate(own):
            run = subprocess.run(["tcpdump", "--time-stamp-precision=nano", "-w", "-", "-r", path] + ([text] if text else []),
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            if run.returncode:
                continue
            taken = True
            found += [(t, number, part, n, *rest) for n, (t, *rest) in enumerate(savefile(run.stdout))
                      if t >= since and (until is None or t < until)]
    found.sort(key=lambda p: p[:4])
    return found if taken else None


def equal(want, got, links_differ):
    """Of packets of one file and one time, those of different links have lost their order in the oracle."""
    mine = [(p[0], *p[4:]) for p in want]
    return mine == got or (links_differ and sorted(mine) == sorted(got) and [p[0] for p in got] == sorted(p[0] for p in got))


def main():
    program, folder, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with open(folder + "/files", encoding="ascii") as f:
        lines = [line.rstrip("\n").split("\t") for line in f]
    same, hits, refused, bad = 0, 0, 0, 0
    for n in range(count):
        r = random.Random(seed * 1_000_003 + n)
        text = expression(r) if r.random() < 0.98 else ""
        since = START + r.randrange(0, 150 * 10**9) if r.random() < 0.4 else 0
        until = max(since, START) + r.randrange(1, 60 * 10**9) if r.random() < 0.4 else None
        files = r.sample(lines, r.randrange(1, 5))
        command = [program, "-q", *sys.argv[5:]]
        command += ["--since", "@%d.%09d" % (since // 10**9, since % 10**9)] if since else []
        command += ["--until", "@%d.%09d" % (until // 10**9, until % 10**9)] if until else []
        command += ([text] if text else []) + [path for path, _ in files]
        want = wanted([own.split() for _, own in files], text, since, until)
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        got = list(pcapng(run.stdout))
        if want is None and not got and (run.returncode or "--no-index" not in command):
            refused += 1
        elif want is not None and equal(want, got, any(" " in own for _, own in files)):
            same += 1
            hits += bool(got)
        else:
            bad += 1
            print("differs: %s\n    wanted %s, got %d; %s" % (" ".join("'%s'" % w if " " in w else w for w in command),
                  "an error" if want is None else len(want), len(got), run.stderr.decode().strip()))
    print("%d equal, %d of them with packets, %d refused, %d differ" % (same, hits, refused, bad))


main()
