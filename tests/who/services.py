# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Services of TCP whose sockets change hands by what all programs do, and who talks to them."""
import array
import contextlib
import os
import select
import signal
import socket
import subprocess
import threading
import time

from truth import Held, connection, listening, now

ROUNDS = int(os.environ.get("ROUNDS", "5"))
NAME = "python3"  # what the kernel calls us


class Here:
    """Where services listen."""
    address = None


class Peer:
    """In another namespace: does what it is told, one thing at a time."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.address = self.process.stdout.readline().strip()

    def begin(self, what, port, address=None):
        self.process.stdin.write(f"{what} {address or Here.address} {port}\n")
        self.process.stdin.flush()

    def wait(self):
        """What came of it."""
        return self.process.stdout.readline().strip()

    def end(self):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()


def answer(c):
    with c, contextlib.suppress(ConnectionError):
        data = c.recv(64)
        while data:
            c.sendall(data)
            data = c.recv(64)


def echo(s):
    while True:
        threading.Thread(target=answer, args=[s.accept()[0]], daemon=True).start()


def send_many(what, address, port):
    kind = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(kind, socket.SOCK_STREAM if what in ("tcp", "slow") else socket.SOCK_DGRAM) as c:
        c.settimeout(20)
        if what == "group":
            c.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(Here.address))
        c.connect((address, int(port)))
        if what == "slow":
            time.sleep(0.3)
        for _ in range(ROUNDS):
            c.sendall(b"ping")
            if what != "group" and not c.recv(64):
                break
            time.sleep(0.004)
        return c.getsockname()[1]


def peer(address):
    """Talks ROUNDS times; also an echo for who comes, until it ends."""
    Here.address = address
    s = socket.create_server((address, 0), backlog=64)
    threading.Thread(target=echo, args=[s], daemon=True).start()
    print(s.getsockname()[1], flush=True)
    print(address, flush=True)
    kept = []
    try:
        while True:
            words = input().split()
            if words[0] == "listen":
                kept.append(socket.create_server((address, int(words[2]))))
                print(flush=True)
                continue
            try:
                print(send_many(*words), flush=True)
            except OSError as e:
                print(e, flush=True)
    except EOFError:
        pass


def bound(port=0, reuse=False):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT if reuse else socket.SO_REUSEADDR, 1)
    s.bind((Here.address, port))
    return s


def listener():
    begin = now()
    s = bound()
    s.listen(16)
    return s, listening(s, begin)


def accept(s):
    begin = now()
    c, _ = s.accept()
    return c, connection(c, begin, name=NAME, listener=s)


def talk(c, rounds, pause=0):
    for _ in range(rounds):
        time.sleep(pause)
        c.sendall(c.recv(64))


def child(work):
    pid = os.fork()
    if pid == 0:
        work()
        os._exit(0)
    return pid


class Visit:
    """A connection that the peer makes, and its listener."""

    def __init__(self, p):
        self.peer = p
        self.s, self.listens = listener()
        p.begin("tcp", self.s.getsockname()[1])
        self.c, self.mine = accept(self.s)

    def close(self):
        self.peer.wait()
        self.listens.end(self.s.close)


def plain(p):
    v = Visit(p)
    talk(v.c, ROUNDS)
    v.mine.end(v.c.close)
    v.close()


def forked(p):
    """The child serves; its parent closes."""
    v = Visit(p)
    talk(v.c, 2)
    before = now()

    def work():
        h, l = connection(v.c, before, name=NAME), listening(v.s, before)
        talk(v.c, ROUNDS - 2)
        h.end(v.c.close)
        l.end(v.s.close)
    pid = child(work)
    v.mine.end(v.c.close)
    os.waitpid(pid, 0)
    v.close()


def child_closes(p):
    """It inherits the socket and closes it at once; its parent goes on."""
    v = Visit(p)
    talk(v.c, 1)
    before = now()

    def work():
        h, l = connection(v.c, before), listening(v.s, before)
        h.end(v.c.close)
        l.end(v.s.close)
    pid = child(work)
    talk(v.c, ROUNDS - 1)
    os.waitpid(pid, 0)
    v.mine.end(v.c.close)
    v.close()


def shared(p):
    """Both keep it."""
    v = Visit(p)
    before = now()
    ready, go = os.pipe()

    def work():
        h, l = connection(v.c, before), listening(v.s, before)
        l.end(v.s.close)
        os.read(ready, 1)
        h.end(v.c.close)
    pid = child(work)
    talk(v.c, 5, 0.15)  # looks come between
    talk(v.c, ROUNDS - 5)
    os.write(go, b"x")
    os.waitpid(pid, 0)
    v.mine.end(v.c.close)
    os.close(ready)
    os.close(go)
    v.close()


def work_for(first, reuse, go, late=0):
    s, begin = first, now()
    if reuse:
        s = bound(first.getsockname()[1], True)
        s.listen(16)
        first.close()
    l = listening(s, begin)
    signal.signal(signal.SIGTERM, lambda *_: l.end(s.close) or os._exit(0))
    os.write(go, b"x")
    while True:
        select.select([s], [], [])
        time.sleep(late)
        c, h = accept(s)
        talk(c, ROUNDS)
        h.end(c.close)


def workers(p, reuse=False, late=0):
    """Two of them accept: by one listener, or by one each."""
    begin = now()
    first = bound(0, reuse)
    port = first.getsockname()[1]
    if not reuse:
        first.listen(16)
        l = listening(first, begin)
    pids, (ready, go) = [], os.pipe()
    for _ in range(2):
        pids.append(child(lambda: work_for(first, reuse, go, late)))
        os.read(ready, 1)
    if reuse:
        first.close()
    for _ in range(3):
        p.begin("tcp", port)
        p.wait()
    time.sleep(0.05)
    for pid in pids:
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
    os.close(ready)
    os.close(go)
    if not reuse:
        l.end(first.close)


def reuse_port(p):
    workers(p, True)


def late_reuse_port(p):
    """Bytes wait at the listener of one of them."""
    workers(p, True, 0.05)


def late(p, begins=None, ends=None):
    """A connection waits, with bytes. begins, ends: before and after it comes, on the listener and who holds it."""
    s, l = listener()
    pid = begins and begins(s)
    p.begin("tcp", s.getsockname()[1])
    time.sleep(0.05)
    if ends:
        pid = ends(s)
        l.end(s.close)
    if pid:
        os.waitpid(pid, 0)
    else:
        c, h = accept(s)
        talk(c, ROUNDS)
        h.end(c.close)
    p.wait()
    if not ends:
        l.end(s.close)


def accept_late(s):
    """By a child, from now on a holder, too."""
    before = now()
    ready, told = os.pipe()

    def work():
        theirs = listening(s, before)
        os.write(told, b"x")
        select.select([s], [], [])
        time.sleep(0.1)
        c, h = accept(s)
        talk(c, ROUNDS)
        h.end(c.close)
        theirs.end(s.close)
    pid = child(work)
    os.read(ready, 1)
    os.close(ready)
    os.close(told)
    return pid


def late_worker(p):
    """Two hold its listener: who did not make it accepts."""
    late(p, begins=accept_late)


def late_child(p):
    """Who accepts is not there yet when it comes."""
    late(p, ends=accept_late)


def give(to, s):
    to.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [s.fileno()]))])


def get(from_):
    _, control, _, _ = from_.recvmsg(1, socket.CMSG_SPACE(4))
    return socket.socket(fileno=array.array("i", control[0][2])[0])


def handed(p, by=get):
    """By SCM_RIGHTS, to one who did not have it."""
    ours, theirs = socket.socketpair()
    ready, told = os.pipe()

    def work():
        before = now()
        while not select.select([theirs], [], [], 0.002)[0]:
            before = now()
        got = by(theirs)
        h = connection(got, before)
        os.write(told, b"x")
        talk(got, ROUNDS - 2)
        h.end(got.close)
    pid = child(work)
    v = Visit(p)
    time.sleep(0.05)
    talk(v.c, 2)
    give(ours, v.c)
    os.read(ready, 1)
    v.mine.end(v.c.close)
    os.waitpid(pid, 0)
    v.close()
    for one in (ours, theirs):
        one.close()
    os.close(ready)
    os.close(told)


def over(p):
    """Closed by another descriptor that takes its number."""
    v = Visit(p)
    talk(v.c, ROUNDS)
    null = os.open("/dev/null", os.O_RDONLY)
    v.mine.end(lambda: os.dup2(null, v.c.fileno()))
    v.c.close()
    os.close(null)
    v.close()


def killed(p):
    """It holds the socket to its end, and the kernel closes it."""
    begin = now()
    s, l = listener()
    port = s.getsockname()[1]
    ready, told = os.pipe()

    def work():
        c, _ = s.accept()
        talk(c, ROUNDS)
        os.write(told, f"{c.getpeername()[1]:5}".encode())
        time.sleep(20)
    pid = child(work)
    theirs = listening(s, begin, pid)
    l.end(s.close)
    p.begin("tcp", port)
    peer_port = int(os.read(ready, 5))
    p.wait()
    h = Held(["tcp", port, peer_port], begin, pid)

    def end():
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        theirs.end(lambda: None)
    h.end(end)
    os.close(ready)
    os.close(told)


def short(p):
    """Clients that end at once."""
    for _ in range(ROUNDS * 2):
        def work():
            begin = now()
            with socket.create_connection((p.address, p.port)) as c:
                h = connection(c, begin, name=NAME)
                c.sendall(b"x")
                c.recv(64)
                h.end(c.close)
        os.waitpid(child(work), 0)


KINDS = (plain, forked, child_closes, shared, workers, reuse_port, late, late_worker, late_child, late_reuse_port, handed, over,
         killed, short)
