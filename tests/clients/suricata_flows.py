# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""suricata_flows.py send FIFO | receive: two TCP connections for tests/clients/suricata.sh.

The sender is told by the fifo, a word a line. more: another 2 MB on the first connection. both: a
packet on the first one, and when the other end has it, one on the second: both have the word that a
rule looks for."""

import fcntl
import socket
import struct
import sys
import termios
import time

SENDER = "10.99.0.1"
PORTS = 8001, 8002
MEGABYTES = 2
WORD = b"a probe of a flow\n"


def send_all(connection, data):
    """Until the other end has all of it."""
    connection.sendall(data)
    while struct.unpack("i", fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4)))[0]:
        time.sleep(0.001)


def send(fifo):
    listeners = [socket.create_server((SENDER, port)) for port in PORTS]
    print("listening", flush=True)
    first, second = [listener.accept()[0] for listener in listeners]
    for connection in first, second:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    send_all(second, bytes(MEGABYTES << 20))
    with open(fifo, encoding="ascii") as told:
        for line in told:
            if line.strip() == "more":
                send_all(first, bytes(MEGABYTES << 20))
            else:
                send_all(first, WORD)
                send_all(second, WORD)


def receive():
    connections = [socket.create_connection((SENDER, port)) for port in PORTS]
    for connection in connections:
        connection.setblocking(False)
    while connections:
        for connection in connections[:]:
            try:
                if not connection.recv(1 << 20):
                    connections.remove(connection)
            except BlockingIOError:
                time.sleep(0.001)


if sys.argv[1] == "send":
    send(sys.argv[2])
else:
    receive()
