#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Who talks, for choose.sh.

    choose.py echo ADDRESS                 prints its port, and echoes what comes
    choose.py talk ADDRESS PORT COUNT      sends and gets so many, and prints its pid and port
    choose.py stay ADDRESS PORT COUNT      the same, and does not end
    choose.py give ADDRESS PORT COUNT SOCKET   the same, and gives the connection to who takes it
    choose.py take SOCKET COUNT            takes it, and goes on"""
import array
import os
import signal
import socket
import sys
import threading
import time


def echo_one(c):
    while data := c.recv(64):
        c.sendall(data)
    c.close()


def echo(address):
    s = socket.socket()
    s.bind((address, 0))
    s.listen(64)
    print(s.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=echo_one, args=[s.accept()[0]], daemon=True).start()


def talk(c, count):
    for _ in range(count):
        c.sendall(b"ping")
        c.recv(64)
        time.sleep(0.002)


def connect(address, port, count):
    c = socket.create_connection((address, int(port)))
    print(os.getpid(), c.getsockname()[1], flush=True)
    talk(c, int(count))
    return c


def give(address, port, count, name):
    c = connect(address, port, count)
    u = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    u.connect(name)
    u.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [c.fileno()]))])
    c.close()
    u.recv(1)


def take(name, count):
    u = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    u.bind(name)
    u.listen(1)
    print("ready", flush=True)
    u, _ = u.accept()
    _, control, _, _ = u.recvmsg(1, socket.CMSG_SPACE(4))
    c = socket.socket(fileno=array.array("i", control[0][2])[0])
    print(os.getpid(), c.getsockname()[1], flush=True)
    talk(c, int(count))
    c.close()


what, *words = sys.argv[1:]
if what == "echo":
    echo(*words)
elif what == "talk":
    connect(*words).close()
elif what == "stay":
    kept = connect(*words)
    signal.pause()
elif what == "give":
    give(*words)
else:
    take(*words)
