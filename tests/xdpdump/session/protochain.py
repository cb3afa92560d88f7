# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Frames with chains of headers. Usage: protochain.py INTERFACE KIND HEADERS..."""
import socket
import struct
import sys

LINK = bytes.fromhex("02ab000000020" "2ab00000001")
UDP, TCP, DESTINATION, AUTHENTICATION = 17, 6, 60, 51


def ipv6(headers, last):
    """So many destination options, and behind them the protocol."""
    chain = [DESTINATION] * headers + [last]
    packet = b"".join(struct.pack("!BB6x", after, 0) for after in chain[1:])
    packet += bytes(20)
    head = struct.pack("!IHBB", 6 << 28, len(packet), chain[0], 64)
    return LINK + b"\x86\xdd" + head + bytes(15) + b"\1" + bytes(15) + b"\2" + packet


def for_ever():
    """libpcap takes the length of an authentication header for the place of the next: this one's own."""
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 60, 0, 0, 64, AUTHENTICATION, 0, b"\n\0\0\1", b"\n\0\0\2")
    return LINK + b"\x08\0" + head + struct.pack("!BB38x", AUTHENTICATION, 3)


def main():
    interface, kind = sys.argv[1:3]
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as wire:
        wire.bind((interface, 0))
        for headers in sys.argv[3:]:
            if kind == "for-ever":
                wire.send(for_ever())
            else:
                wire.send(ipv6(int(headers), UDP if kind == "udp" else TCP))


main()
