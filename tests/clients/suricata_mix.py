# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""suricata_mix.py FILE ROUNDS: a capture file for tests/clients/suricata.sh, the same at each run.

Each round has its own ports and addresses: Suricata takes none for a retransmission of another's.
Half of it is what no rule looks for."""

import sys

from scapy.all import (
    DNS, DNSQR, ICMP, IP, TCP, UDP, Dot1Q, Ether, ICMPv6EchoRequest, IPv6, Raw, fragment, wrpcap)

# Of neither end of the replay: no host answers, or takes part.
CLIENT, SERVER = "02:00:00:00:01:01", "02:00:00:00:01:02"


def there(packet):
    return Ether(src=CLIENT, dst=SERVER) / packet


def back(packet):
    return Ether(src=SERVER, dst=CLIENT) / packet


class Talk:
    """One TCP connection, as its two ends would have sent it."""

    def __init__(self, client, server, port):
        self.ends = client, server
        self.ports = port, 80
        self.next = [1000, 500000]
        self.frames = []
        self.say(0, "S")
        self.say(1, "SA")
        self.say(0, "A")

    def say(self, side, flags, data=b""):
        other = 1 - side
        tcp = TCP(sport=self.ports[side], dport=self.ports[other], flags=flags, seq=self.next[side],
                  ack=self.next[other] if "A" in flags else 0, window=65535)
        packet = IP(src=self.ends[side], dst=self.ends[other]) / tcp
        if data:
            packet = packet / Raw(data)
        self.frames.append((back if side else there)(packet))
        self.next[side] += len(data) + ("S" in flags) + ("F" in flags)

    def close(self):
        self.say(0, "FA")
        self.say(1, "FA")
        self.say(0, "A")
        return self.frames


def web(client, server, port, host, body):
    talk = Talk(client, server, port)
    talk.say(0, "PA", b"GET /page HTTP/1.1\r\nHost: " + host + b"\r\nUser-Agent: mix\r\n\r\n")
    talk.say(1, "A")
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % sum(map(len, body))
    for part in [head] + body:
        talk.say(1, "PA", part)
        talk.say(0, "A")
    return talk.close()


def names(client, server, port, name):
    ask = DNS(id=port, rd=1, qd=DNSQR(qname=name))
    answer = DNS(id=port, qr=1, rd=1, ra=1, rcode=3, qd=DNSQR(qname=name))
    return [there(IP(src=client, dst=server) / UDP(sport=port, dport=53) / ask),
            back(IP(src=server, dst=client) / UDP(sport=53, dport=port) / answer)]


def one_round(number):
    client = "10.99.%d.%d" % (1 + number // 200, 10 + number % 200)
    server, port = "10.99.0.2", 20000 + 10 * number
    ip = IP(src=client, dst=server, id=1 + number)
    echo = ICMP(id=1 + number, seq=1)
    yield there(ip / echo / Raw(b"p" * 56))
    yield back(IP(src=server, dst=client, id=1 + number) / ICMP(type=0, id=1 + number, seq=1) / Raw(b"p" * 56))
    yield there(IPv6(src="2001:db8::1:%x" % (1 + number), dst="2001:db8::2") / ICMPv6EchoRequest(id=1 + number))
    yield there(ip / TCP(sport=port, dport=4444, flags="S", seq=1))
    yield there(ip / TCP(sport=port, dport=4445, flags="S", seq=1))
    yield there(ip / UDP(sport=port, dport=7010) / Raw(b"hay and a needle in it"))
    yield there(ip / UDP(sport=port + 1, dport=7010) / Raw(b"hay and nothing in it"))
    yield from map(there, fragment(ip / UDP(sport=port, dport=7777) / Raw(b"x" * 795 + b"front-and-back" + b"y" * 300), 800))
    yield there(Dot1Q(vlan=43) / ip / UDP(sport=port + 2, dport=7011) / Raw(b"tagged, and nothing in it"))
    yield from names(client, server, port + 3, "wanted.example.org")
    yield from names(client, server, port + 4, "other.example.org")
    yield from web(client, server, port + 5, b"host.example.org", [b"z" * 1400, b"begun here, ", b"ended there" + b"z" * 700])
    yield from web(client, server, port + 6, b"unknown.example.org", [b"z" * 1400])
    # Whoever has this one has them all.
    yield there(Dot1Q(vlan=42) / ip / UDP(sport=port + 2, dport=7011) / Raw(b"tagged, and a thread in it"))


def main(path, rounds):
    wrpcap(path, [frame for number in range(rounds) for frame in one_round(number)])


main(sys.argv[1], int(sys.argv[2]))
