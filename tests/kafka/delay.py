#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# delay.py FROM TO MS: passes connections of port FROM of 127.0.0.1 on to port TO, so that a round trip takes MS longer.
import collections
import contextlib
import socket
import sys
import threading
import time

MOST = 64 << 20  # bytes under way of one direction


class Way:
    """One direction of a connection: what is read goes out half a round trip later, in order."""

    def __init__(self, source, target, seconds):
        self.source, self.target, self.seconds = source, target, seconds
        self.under_way, self.size = collections.deque(), 0
        self.changed = threading.Condition()
        for run in (self.read, self.write):
            threading.Thread(target=run, daemon=True).start()

    def read(self):
        piece = b"x"
        while piece:
            try:
                piece = self.source.recv(1 << 20)
            except OSError:
                piece = b""
            with self.changed:
                self.changed.wait_for(lambda: self.size < MOST)
                self.under_way.append((time.monotonic() + self.seconds, piece))
                self.size += len(piece)
                self.changed.notify_all()

    def write(self):
        piece = b"x"
        while piece:
            with self.changed:
                self.changed.wait_for(lambda: self.under_way)
                due, piece = self.under_way.popleft()
                self.size -= len(piece)
                self.changed.notify_all()
            time.sleep(max(0, due - time.monotonic()))
            try:
                if piece:
                    self.target.sendall(piece)
                else:
                    self.target.shutdown(socket.SHUT_WR)
            except OSError:
                with contextlib.suppress(OSError):  # the reader of this direction ends with its source
                    self.source.shutdown(socket.SHUT_RDWR)
                return


def main():
    here, there, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) / 2000
    with socket.create_server(("127.0.0.1", here), backlog=64) as door:
        while True:
            near, _ = door.accept()
            far = socket.create_connection(("127.0.0.1", there))
            for one in (near, far):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Way(near, far, seconds)
            Way(far, near, seconds)


main()
