#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Services whose sockets change hands, and what is true of them.

    who.py peer                         in the other namespace: does what it reads
    who.py serve TRUTH ADDRESS PEER...  runs each service; PEER starts the former
    who.py check TRUTH PACKETS CLASSES  packets: of xdpdump --json; classes: how many there are to be at least

Of each process that held a socket TRUTH has the flow, and four times: when it began to get it, surely had it, began
to give it up, surely had it no more. A label is wrong if it names who cannot have held the socket then, or leaves
out who surely did."""
import array
import collections
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

ROUNDS = 5


def now():
    return time.time_ns()


class Held:
    """A socket that this process has; begin: when it may have got it."""

    def __init__(self, kind, sock, begin, peer=None, pid=None):
        self.flow = [kind, sock.getsockname()[1], (peer or sock.getpeername())[1]]
        self.pid = pid or os.getpid()
        self.begin = begin
        self.sure = now()

    def end(self, release):
        until = now()
        release()
        with open(TRUTH, "a", encoding="ascii") as out:
            out.write(json.dumps({"flow": self.flow, "pid": self.pid, "times": [self.begin, self.sure, until, now()]}) + "\n")


def bound(port=0):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    s.bind((ADDRESS, port))
    return s


def listener():
    s = bound()
    s.listen(16)
    return s


class Peer:
    def __init__(self, command):
        self.process = subprocess.Popen(command + ["peer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.address = self.process.stdout.readline().strip()

    def begin(self, what, port):
        self.process.stdin.write(f"{what} {ADDRESS} {port}\n")
        self.process.stdin.flush()

    def wait(self):
        self.process.stdout.readline()


def echo(s):
    while True:
        c, _ = s.accept()
        c.sendall(c.recv(64) or b"x")
        c.close()


def peer():
    """Talks ROUNDS times; also an echo for who comes, until it ends."""
    s = socket.socket()
    s.bind((sys.argv[2], 0))
    s.listen(64)
    threading.Thread(target=echo, args=[s], daemon=True).start()
    print(s.getsockname()[1], flush=True)
    print(sys.argv[2], flush=True)
    for line in sys.stdin:
        what, address, port = line.split()
        if what == "tcp":
            c = socket.create_connection((address, int(port)))
        else:
            c = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            c.connect((address, int(port)))
        for _ in range(ROUNDS):
            c.sendall(b"ping")
            c.recv(64)
            time.sleep(0.004)
        c.close()
        print("done", flush=True)


def talk(c, rounds, pause=0):
    for _ in range(rounds):
        time.sleep(pause)
        c.sendall(c.recv(64))


def accept(s):
    begin = now()
    c, _ = s.accept()
    return c, begin


def plain(p):
    s = listener()
    p.begin("tcp", s.getsockname()[1])
    c, begin = accept(s)
    h = Held("tcp", c, begin)
    talk(c, ROUNDS)
    h.end(c.close)
    p.wait()
    s.close()


def child(work):
    pid = os.fork()
    if pid == 0:
        work()
        os._exit(0)
    return pid


def forked(p):
    """The child serves; its parent closes."""
    s = listener()
    p.begin("tcp", s.getsockname()[1])
    c, begin = accept(s)
    mine = Held("tcp", c, begin)
    talk(c, 1)
    before = now()

    def work():
        h = Held("tcp", c, before)
        talk(c, ROUNDS - 2)
        h.end(c.close)
    talk(c, 1)
    pid = child(work)
    mine.end(c.close)
    os.waitpid(pid, 0)
    p.wait()
    s.close()


def shared(p):
    """Both keep it."""
    s = listener()
    p.begin("tcp", s.getsockname()[1])
    c, begin = accept(s)
    mine = Held("tcp", c, begin)
    before = now()
    ready, go = os.pipe()

    def work():
        h = Held("tcp", c, before)
        os.read(ready, 1)
        h.end(c.close)
    pid = child(work)
    talk(c, ROUNDS, 0.15)  # looks come between
    os.write(go, b"x")
    os.waitpid(pid, 0)
    mine.end(c.close)
    os.close(ready)
    os.close(go)
    p.wait()
    s.close()


def workers(p, reuse):
    """Two of them accept: by one listener, or by one each."""
    first = bound() if reuse else listener()
    port = first.getsockname()[1]
    pids = []
    for _ in range(2):
        def work():
            s = first
            if reuse:
                s = bound(port)
                s.listen(16)
                first.close()
            os.write(go, b"x")
            while True:
                c, begin = accept(s)
                h = Held("tcp", c, begin)
                talk(c, ROUNDS)
                h.end(c.close)
        ready, go = os.pipe()
        pids.append(child(work))
        os.read(ready, 1)
        os.close(ready)
        os.close(go)
    if reuse:
        first.close()
    for _ in range(3):
        p.begin("tcp", port)
        p.wait()
    time.sleep(0.05)
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    if not reuse:
        first.close()


def handed(p):
    """By SCM_RIGHTS."""
    s = listener()
    ours, theirs = socket.socketpair()
    p.begin("tcp", s.getsockname()[1])
    c, begin = accept(s)
    mine = Held("tcp", c, begin)
    c_fd = c.fileno()

    def work():
        os.close(c_fd)
        s.close()
        before = now()
        _, control, _, _ = theirs.recvmsg(1, socket.CMSG_SPACE(4))
        got = socket.socket(fileno=array.array("i", control[0][2])[0])
        h = Held("tcp", got, before)
        os.write(told, b"x")
        talk(got, ROUNDS - 2)
        h.end(got.close)
    ready, told = os.pipe()
    pid = child(work)
    time.sleep(0.05)
    talk(c, 2)
    ours.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [c.fileno()]))])
    os.read(ready, 1)
    mine.end(c.close)
    os.waitpid(pid, 0)
    p.wait()
    for one in (s, ours, theirs):
        one.close()
    os.close(ready)
    os.close(told)


def over(p):
    """Closed by another descriptor that takes its number."""
    s = listener()
    p.begin("tcp", s.getsockname()[1])
    c, begin = accept(s)
    h = Held("tcp", c, begin)
    talk(c, ROUNDS)
    null = os.open("/dev/null", os.O_RDONLY)
    h.end(lambda: os.dup2(null, c.fileno()))
    c.close()
    os.close(null)
    p.wait()
    s.close()


def killed(p):
    """It holds the socket to its end, and the kernel closes it."""
    s = listener()
    port = s.getsockname()[1]
    ready, told = os.pipe()

    def work():
        c, _ = s.accept()
        talk(c, ROUNDS)
        os.write(told, f"{c.getpeername()[1]:5}".encode())
        time.sleep(20)
    begin = now()
    pid = child(work)
    s.close()
    p.begin("tcp", port)
    peer_port = int(os.read(ready, 5))
    p.wait()
    h = Held.__new__(Held)
    h.flow, h.pid, h.begin, h.sure = ["tcp", port, peer_port], pid, begin, now()

    def end():
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    h.end(end)
    os.close(ready)
    os.close(told)


def datagrams(p):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    begin = now()
    s.bind((ADDRESS, 0))
    p.begin("udp", s.getsockname()[1])
    h = None
    for _ in range(ROUNDS):
        data, who = s.recvfrom(64)
        h = h or Held("udp", s, begin, who)
        s.sendto(data, who)
    p.wait()
    h.end(s.close)


def short(p):
    """Clients that end at once."""
    for _ in range(20):
        def work():
            begin = now()
            c = socket.create_connection((p.address, p.port))
            h = Held("tcp", c, begin)
            c.sendall(b"x")
            c.recv(64)
            h.end(c.close)
        os.waitpid(child(work), 0)


def serve():
    p = Peer(sys.argv[4:])
    for service in (plain, forked, shared, handed, over, killed, datagrams, short):
        service(p)
    workers(p, False)
    workers(p, True)
    p.process.stdin.close()
    p.process.kill()
    p.process.wait()


def flow_of(packet):
    if "src_port" not in packet or packet.get("protocol") not in ("tcp", "udp"):
        return None
    ends = (packet["src_port"], packet["dst_port"])
    return (packet["protocol"],) + (ends if packet["direction"] == "out" else ends[::-1])


def is_wrong(packet, truth):
    time_is = packet["seconds"] * 10**9 + packet["nanoseconds"]
    sure = {h["pid"] for h in truth if h["times"][1] <= time_is <= h["times"][2]}
    maybe = {h["pid"] for h in truth if h["times"][0] <= time_is <= h["times"][3]}
    label = packet["who"]
    named = {one["pid"] for one in label.get("processes", [])}
    kind = label["class"]
    if kind in ("exact", "shared"):
        # Before accept() a connection is said to be its listener's, if that is one process alone.
        if not maybe and kind == "exact" and time_is < min(h["times"][0] for h in truth):
            maybe = {h["pid"] for h in truth}
        return not sure <= named or not named <= maybe or (len(named) > 1) != (kind == "shared")
    if kind == "closed":
        return bool(sure) or not named <= {h["pid"] for h in truth}
    return kind not in ("unknown", "listener")


def check():
    truth = collections.defaultdict(list)
    with open(sys.argv[2], encoding="ascii") as lines:
        for line in lines:
            h = json.loads(line)
            truth[tuple(h["flow"])].append(h)
    classes = collections.Counter()
    wrong = 0
    with open(sys.argv[3], encoding="utf-8") as lines:
        for line in lines:
            packet = json.loads(line)
            flow = flow_of(packet)
            if flow not in truth:
                continue
            classes[packet["who"]["class"]] += 1
            if is_wrong(packet, truth[flow]):
                wrong += 1
                print("wrong:", line.strip(), truth[flow])
    print(len(truth), "flows:", dict(classes), wrong, "wrong")
    for least in sys.argv[4:]:
        name, n = least.split("=")
        if classes[name] < int(n):
            print(f"{name}: wanted at least {n}, got {classes[name]}")
            wrong += 1
    return wrong != 0


if sys.argv[1] == "peer":
    peer()
elif sys.argv[1] == "serve":
    TRUTH, ADDRESS = sys.argv[2:4]
    serve()
else:
    sys.exit(check())
