# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""tun_ping.py NET...: makes tun0, tun1 ... for 10.NET.1/24, and is whoever is behind them. Each line of its input,
"DEVICE COUNT [PORT]", sends so many echo requests into that device, waits for their replies, and with PORT sends a
datagram there, where nobody listens. "done" answers each; "ready" comes first."""

import fcntl
import os
import select
import struct
import subprocess
import sys

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 1, 0x1000


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total >> 16) + (total & 0xFFFF)
    return ~(total + (total >> 16)) & 0xFFFF


def address(text):
    return bytes(int(part) for part in text.split("."))


def packet(protocol, source, destination, payload):
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 0, 0, 64, protocol, 0, source, destination)
    return head[:10] + struct.pack("!H", checksum(head)) + head[12:] + payload


def echo(source, destination, number):
    body = struct.pack("!BBHHH", 8, 0, 0, 7, number) + bytes(32)
    return packet(1, source, destination, body[:2] + struct.pack("!H", checksum(body)) + body[4:])


def open_tun(number, net):
    tun = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH22x", f"tun{number}".encode(), IFF_TUN | IFF_NO_PI))
    subprocess.run(["ip", "addr", "add", f"10.{net}.1/24", "dev", f"tun{number}"], check=True)
    subprocess.run(["ip", "link", "set", f"tun{number}", "up"], check=True)
    return tun, address(f"10.{net}.1"), address(f"10.{net}.2")


def is_answered(tun, seconds):
    while select.select([tun], [], [], seconds)[0]:
        got = os.read(tun, 2048)
        if got[9:10] == b"\1" and got[20:21] in (b"\0", b"\3"):
            return True
    return False


def send(device, count, port):
    tun, here, peer = device
    for number in range(count):
        os.write(tun, echo(peer, here, number))
        if not is_answered(tun, 10):
            sys.exit(f"no reply to request {number}")
    if port:
        os.write(tun, packet(17, peer, here, struct.pack("!HHHH", 4000, port, 8, 0)))
        if not is_answered(tun, 10):
            sys.exit("no answer to a datagram that nobody takes")


def main():
    devices = [open_tun(number, net) for number, net in enumerate(sys.argv[1:])]
    for tun, here, peer in devices:  # a link that has come up sends a little later
        os.write(tun, echo(peer, here, 0))
        while not is_answered(tun, 0.1):
            os.write(tun, echo(peer, here, 0))
    print("ready", flush=True)
    for line in sys.stdin:
        number, count, *port = (int(word) for word in line.split())
        send(devices[number], count, port[0] if port else 0)
        print("done", flush=True)


main()
