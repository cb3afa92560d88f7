#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""same_lines.py OURS THEIRS [NAMES]: are our lines those of tcpdump -nn -t -#? Those that are not
are printed. tcpdump says more, and some things in another way, which RULES bring to our form; where
it goes on behind what we say, or ends before, "..." stands in its place."""
import re
import sys

RULES = [(re.compile(a), b) for a, b in (
    # More of what we tell of.
    (r"(Flags \[[^]]*\]), .*?length (\d+).*", r"\1, length \2"),
    (r"(Flags \[[^]]*\]), .*\[\|tcp\]>?", r"\1..."),
    (r"(Flags \[[^]]*\]), .*\[bad opt\]", r"\1..."),
    (r"RT6 \([^)]*\)", "RT6"),
    (r"RT6 (\([^)]*)?\[\|rt6\]", "[|rt6]"),
    (r"(GREv0.*?), off 0x[0-9a-f]+", r"\1"),
    (r"(GREv0.*?), seq \d+", r"\1"),
    (r"GREv0,? [^:]*\[\|gre\]", "[|gre]"),
    (r"(GREv[1-7]).*", r"\1..."),
    (r"VXLAN, flags \[[^]]*\] \(0x[0-9a-f]+\), vni (\d+)", r"VXLAN vni \1:"),
    (r"VXLAN vni \d+: \[\|vxlan\]", "VXLAN [|vxlan]"),
    (r"VXLAN,( flags \[.\] \(0x[0-9a-f]+\),)? ?\[\|vxlan\]", "VXLAN [|vxlan]"),
    (r", source address \S+,", ","),
    (r"(parameter problem - octet \d+)(, .*)?(, length)", r"\1\3"),
    # Protocols that are not decoded here.
    (r"(IP6? \S+ > \S+:|RT6|HBH|DSTOPT|frag \(0\|\d+\)|[0-9]+ > [0-9]+:) sctp .*", r"\1 SCTP..."),
    (r"IP6? \[\|sctp\]", "IP..."),
    (r"^\S+ > \S+, ethertype \S+ \((0x[0-9a-f]+)\), length (\d+):", r"ethertype \1, length \2"),
    (r"gre-proto-(0x[0-9a-f]+)", r"ethertype \1..."),
    (r"^LLDP.*", "ethertype 0x88cc..."),
    (r"ip-proto-(\d+) (\d+)", r"IP-proto-\1, length \2"),
    (r"ip-proto-(\d+)$", r"IP-proto-\1..."),
    (r"\[ICMP6? requires.*", "IP-proto..."),
    (r"ICMP6, (mtrace response|unknown icmp6 type).*", "ICMP6..."),
    (r"ARP, Unknown \((\d+)\)", r"ARP, Unknown (\1)..."),
    (r"ARP, \S.* \(len \d+\).*", "ARP..."),
    (r"unknown unreach code \((\d+)\)", r"unknown unreach code (\1)..."),
    # The same in other words.
    (r"listener (query|report|done)max", r"listener \1 max"),
    (r"listener (query|report|done), length.*", r"listener \1 [|icmp6]"),
    (r"truncated-ip6 - (\d+) bytes missing!", r"truncated-ip6 - \1 bytes missing! "),
    (r"(?<!IP )\[\|ip\]", "IP [|ip]"),
    (r"(?<!IP6 )\[\|ip6\]", "IP6 [|ip6]"),
    (r"(RT6|HBH|DSTOPT|frag \(0\|\d+\)) [0-9a-f]+[.:]\S+ > \S+: \[\|tcp\]", r"\1 [|tcp]"),
    (r"(HBH|DSTOPT) \(.*", r"\1..."),
    (r"\[remaining caplen.*", "..."),
    # Of tcpdump 4.99.6.
    (r"\[header length (\d+) < 20\] \(invalid\)", r"bad-hlen \1"),
    (r"\[total length (\d+) < (?:header length )?\d+\] \(invalid\)", r"bad-len \1"),
    (r"\[\|hbh\]", "[|hbhopt]"),
    (r"\[total length (\d+) > length (\d+)\] \(invalid\)",
     lambda m: "truncated-ip - %d bytes missing!" % (int(m[1]) - int(m[2]))),
    (r"\[header\+payload length (\d+) > length (\d+)\] \(invalid\)",
     lambda m: "truncated-ip6 - %d bytes missing!" % (int(m[1]) - int(m[2]))),
    (r"truncated-ip6 - \d+ bytes missing! IP6 \[\|ip6\]", "[|ip6]"),
    (r"IP6 \[length \d+ < 40\] \(invalid\)", "IP6 [|ip6]"),
    (r"IP \[version 6 != 4\] \(invalid\)", "IP6, wrong link-layer encapsulation (invalid)"),
    (r"IP6 \[version (\d+) != 6\] \(invalid\)", r"IP6 version error: \1 != 6"),
)]
# Headers of which a few bytes say something already: one of us tells it, the other that they are cut off.
CUT = re.compile(r" ?(\[\|(icmp|icmp6|frag6|rt6|arp|gre|vxlan|sctp|udp|ip)\])$")


def packets(lines):
    """One string for each; tcpdump has the number of the packet in front, and more lines for some."""
    found = []
    for line in lines:
        start = re.match(r" *(\d+) +(.*)", line)
        if start and int(start[1]) == len(found) + 1:
            found.append(start[2])
        elif found and not line.startswith("\t"):
            found[-1] += " " + line
    return found


def spaced(line):
    return re.sub(r"\s+", " ", line).strip()


def in_our_words(line):
    line = spaced(line)
    for pattern, replacement in RULES:
        line = pattern.sub(replacement, line)
    return spaced(line)


def is_same(ours, theirs):
    if ours.startswith("802.3, "): # nor does ours look into that
        return True
    if theirs == "IP bad-len 0": # to be cut into segments: newer releases of tcpdump know these
        return re.match(r"IP \S+ > \S+: ", ours)
    if ours == "IP6 [|ip6]" and theirs.startswith("IP6 version error: "): # 4.99.6 looks at that before the length
        return True
    said = re.match(r"(.*\d > \S+\d: )UDP, (bad )?length \d+( > \d+)?$", ours)
    if said and theirs.startswith(said[1]) and not re.search("UDP, |VXLAN", theirs): # it looks into the payload
        return True
    if ours == theirs or theirs.endswith("...") and ours.startswith(theirs[:-3]):
        return True
    theirs = theirs.removesuffix("...")
    return any(CUT.search(one) and other.startswith(CUT.sub("", one).rstrip(" :"))
               for one, other in ((ours, theirs), (theirs, ours)))


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        ours = f.read().splitlines()
    with open(sys.argv[2], encoding="utf-8", errors="replace") as f:
        theirs = packets(f.read().split("\n"))
    names = open(sys.argv[3], encoding="utf-8").read().splitlines() if len(sys.argv) > 3 else [""] * len(ours)
    bad = 0
    for name, mine, line in zip(names, ours, theirs):
        mine = re.sub(r"vlan \d+, ", "", mine) # theirs without -e have none
        if not is_same(spaced(mine), in_our_words(line)):
            bad += 1
            print("%s\n  ours:   %s\n  theirs: %s\n    from: %s" % (name, mine, in_our_words(line), line))
    if len(ours) != len(theirs):
        print("%d lines of ours, %d of tcpdump" % (len(ours), len(theirs)))
    print("%d lines, %d not the same" % (len(ours), bad))
    sys.exit(bad > 0 or len(ours) != len(theirs) or not ours)


if __name__ == "__main__":
    main()
