# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Services that are rarer, or of other protocols, and packets that are none of ours."""
import ctypes
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

import calls
import services
from services import NAME, ROUNDS, Here, Visit, accept, child, handed, listener, talk
from truth import Held, connection, listening, now, number_of, perhaps

GROUP = "239.1.2.3"
ROUTED = "10.96.0.5"  # no interface has it: oracle.sh has a route


class NotHere(Exception):
    """This machine has it not."""


class Peers:
    """left: the other end of the link; inner: behind this host, or None."""
    left = inner = None


def inner():
    if not Peers.inner:
        raise NotHere("no namespace behind this one")
    return Peers.inner


def becomes_another(p):
    """exec() of who holds the connection."""
    v = Visit(p)
    talk(v.c, 1)
    before = now()

    def work():
        for to in (0, 1):
            os.dup2(v.c.fileno(), to)
        os.execvp("cat", ["cat"])
    pid = child(work)
    v.mine.end(v.c.close)
    p.wait()
    flow = v.mine.flow
    perhaps(flow, before, pid, NAME).end(lambda: None)
    perhaps(flow, before, pid, "cat").end(lambda: os.waitpid(pid, 0))
    v.listens.end(v.s.close)


def activated(p):
    """The listener is made by one and given to another program, as systemd does; both keep it."""
    begin = now()
    s, l = listener()
    flow = ["listener", s.getsockname()[1], 0]

    def work():
        os.set_inheritable(s.fileno(), True)
        os.execvp(sys.executable, [sys.executable, sys.argv[0], "activated", str(s.fileno()), sys.argv[2]])
    pid = child(work)
    for _ in range(2):
        p.begin("tcp", s.getsockname()[1])
        p.wait()

    def end():
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
    Held(flow, begin, pid, listener=l.listener).end(end)
    l.end(s.close)


def serve_activated(fd):
    s = socket.socket(fileno=fd)
    while True:
        c, h = accept(s)
        talk(c, ROUNDS)
        h.end(c.close)


def ends_before(p):
    """It ends with bytes unread: resets are sent after it."""
    begin = now()
    ready, told = os.pipe()
    wait, go = os.pipe()

    def work():
        c = socket.create_connection((p.address, p.port))
        c.sendall(b"x")
        c.recv(64)
        c.sendall(b"x" * 64)
        os.write(told, f"{c.getsockname()[1]:5}".encode())
        os.read(wait, 1)
    pid = child(work)
    h = Held(["tcp", int(os.read(ready, 5)), p.port], begin, pid)

    def end():
        os.write(go, b"x")
        os.waitpid(pid, 0)
    h.end(end)
    for fd in (ready, told, wait, go):
        os.close(fd)


def number_again(p):
    """Two processes of one number, one after the other."""
    pid = child(lambda: None)
    os.waitpid(pid, 0)
    for name in ("first", "second"):
        try:
            if calls.fork_as(pid) == 0:
                calls.libc.prctl(15, name.encode(), 0, 0, 0)
                begin = now()
                c = socket.create_connection((p.address, p.port))
                h = connection(c, begin, name=name)
                for _ in range(ROUNDS):
                    c.sendall(b"x")
                    c.recv(64)
                h.end(c.close)
                os._exit(0)
        except OSError as e:
            raise NotHere(e) from e
        os.waitpid(pid, 0)


def ring_of(**how):
    try:
        return calls.Ring(**how)
    except OSError as e:
        raise NotHere(f"io_uring: {e}") from e


def by_ring(p, **how):
    """io_uring accepts and closes."""
    r = ring_of(**how)
    s, l = listener()
    p.begin("tcp", s.getsockname()[1])
    begin = now()
    c = socket.socket(fileno=r.ask(calls.ACCEPT, s.fileno()))
    h = connection(c, begin, name=NAME)
    talk(c, ROUNDS)
    fd = c.detach()
    h.end(lambda: r.ask(calls.CLOSE, fd))
    p.wait()
    l.end(s.close)
    r.close()


def ring_polled(p):
    by_ring(p, flags=calls.POLLED)


def ring_direct(p):
    """No descriptor holds it: the ring does."""
    r = ring_of(files=4)
    s, l = listener()
    port = s.getsockname()[1]
    address, size, data = (ctypes.create_string_buffer(n) for n in (16, 4, 64))
    size.raw = struct.pack("<I", 16)
    at = ctypes.addressof(data)
    p.begin("tcp", port)
    begin = now()
    r.ask(calls.ACCEPT, s.fileno(), ctypes.addressof(address), second=ctypes.addressof(size), file=2)
    h = Held(["tcp", port, struct.unpack_from(">H", address.raw, 2)[0]], begin)
    n = 1
    while n:
        n = r.ask(calls.RECEIVE, 1, at, 64, flags=calls.FIXED_FILE)
        r.ask(calls.SEND, 1, at, n, flags=calls.FIXED_FILE)
    h.end(lambda: r.ask(calls.CLOSE, 0, file=2))
    p.wait()
    l.end(s.close)
    r.close()


def taken(p):
    """By pidfd_getfd(), for longer than there is no look: docs/who.md tells of shorter."""
    wait, go = os.pipe()
    ready, told = os.pipe()
    parent = os.getpid()

    def work():
        fd = int(os.read(wait, 5))
        before = now()
        got = calls.take(parent, fd)
        h = connection(got, before)
        os.write(told, b"x")
        talk(got, 3, 0.1)
        talk(got, ROUNDS - 5)
        h.end(got.close)
    pid = child(work)
    v = Visit(p)
    talk(v.c, 1)
    os.write(go, f"{v.c.fileno():5}".encode())
    os.read(ready, 1)
    talk(v.c, 1, 0.1)
    v.mine.end(v.c.close)
    os.waitpid(pid, 0)
    v.close()
    for fd in (wait, go, ready, told):
        os.close(fd)


def closed_in_a_row(p):
    """By close_range(), as programs do before they start others."""
    v = Visit(p)
    talk(v.c, ROUNDS)
    fd = v.c.detach()
    v.mine.end(lambda: calls.close_range(fd, fd))
    v.close()


def small():
    try:
        return calls.Small()
    except OSError as e:
        raise NotHere(f"calls of 32 bits: {e}") from e


def small_receives(p):
    handed(p, lambda from_: small().receive(from_.fileno()))


def small_accepts(p):
    one = small()
    s, l = listener()
    p.begin("tcp", s.getsockname()[1])
    begin = now()
    c = socket.socket(fileno=one.call(364, s.fileno(), 0, 0, 0))
    h = connection(c, begin)
    talk(c, ROUNDS)
    h.end(lambda: one.call(6, c.detach()))
    p.wait()
    l.end(s.close)


def echo_request(sequence):
    head = struct.pack(">BBHHH", 8, 0, 0, 49, sequence)
    total = sum(struct.unpack(">4H", head))
    return head[:2] + struct.pack(">H", ~total & 0xffff) + head[4:]


def ping(p, kind=socket.SOCK_RAW):
    begin = now()
    s = socket.socket(socket.AF_INET, kind, socket.IPPROTO_ICMP)
    h = Held(["icmp", 0, 0], begin)
    for i in range(ROUNDS):
        s.sendto(echo_request(i), (p.address, 0))
        s.recv(256)
    h.end(s.close)


def ping_plainly(p):
    with open("/proc/sys/net/ipv4/ping_group_range", "w", encoding="ascii") as f:
        f.write("0 0")
    ping(p, socket.SOCK_DGRAM)


def datagrams(p, connects=False, family=socket.AF_INET):
    begin = now()
    s = socket.socket(family, socket.SOCK_DGRAM)
    s.bind((Here.address if family == socket.AF_INET else "::", 0))
    p.begin("udp", s.getsockname()[1])
    data, who = s.recvfrom(64)
    h = connection(s, begin, who)
    if connects:
        s.connect(who)
    s.sendto(data, who)
    for _ in range(ROUNDS - 1):
        data, who = s.recvfrom(64)
        s.sendto(data, who)
    p.wait()
    h.end(s.close)


def datagrams_connected(p):
    datagrams(p, True)


def datagrams_mapped(p):
    datagrams(p, True, socket.AF_INET6)


def mapped(p):
    """A socket of IPv6 that IPv4 comes to."""
    begin = now()
    s = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
    l = listening(s, begin)
    p.begin("tcp", s.getsockname()[1])
    c, h = accept(s)
    talk(c, ROUNDS)
    h.end(c.close)
    p.wait()
    l.end(s.close)


def group_member(port):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(("", port))
    s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + socket.inet_aton(Here.address))
    return s


def many_receive(p):
    """Multicast."""
    wait, go = os.pipe()
    ready, told = os.pipe()
    begin = now()
    first = group_member(0)

    def work():
        second = group_member(first.getsockname()[1])
        first.close()
        os.write(told, b"x")
        os.read(wait, 1)
        second.close()
    pid = child(work)
    os.read(ready, 1)
    sure = now()
    p.begin("group", first.getsockname()[1], GROUP)
    flow = ["udp", first.getsockname()[1], int(p.wait())]
    both = Held(flow, begin), Held(flow, begin, pid)
    both[0].sure = both[1].sure = sure
    os.write(go, b"x")
    both[1].end(lambda: os.waitpid(pid, 0))
    both[0].end(first.close)
    for fd in (wait, go, ready, told):
        os.close(fd)


def both_ends(_):
    """Over loopback."""
    outside, Here.address = Here.address, "127.0.0.1"
    s, l = listener()

    def work():
        begin = now()
        c = socket.create_connection(s.getsockname())
        h, mine = connection(c, begin), listening(s, begin)
        for _ in range(ROUNDS):
            c.sendall(b"x")
            c.recv(64)
            time.sleep(0.004)
        h.end(c.close)
        mine.end(s.close)
    begin = now()
    pid = child(work)
    inherited = listening(s, begin, pid)
    c, h = accept(s)
    talk(c, ROUNDS)
    os.waitpid(pid, 0)
    inherited.end(lambda: None)
    h.end(c.close)
    l.end(s.close)
    Here.address = outside


def never_accepted(p):
    """Its listener is closed before: nobody had it."""
    s, l = listener()
    p.begin("tcp", s.getsockname()[1])
    time.sleep(0.05)
    l.end(s.close)
    p.wait()


def same_port(p):
    """In another network namespace there is a listener of the same port."""
    s, l = listener()
    inner().begin("listen", s.getsockname()[1])
    inner().wait()
    p.begin("tcp", s.getsockname()[1])
    c, h = accept(s)
    talk(c, ROUNDS)
    h.end(c.close)
    p.wait()
    l.end(s.close)


def routed_here(p):
    """An address that is this host's by a route alone."""
    begin = now()
    s = socket.create_server(("", 0))
    l = listening(s, begin)
    p.begin("tcp", s.getsockname()[1], ROUTED)
    c, h = accept(s)
    talk(c, ROUNDS)
    h.end(c.close)
    p.wait()
    l.end(s.close)


def through(p):
    """This host is a router of both."""
    p.begin("tcp", inner().port, inner().address)
    p.wait()
    inner().begin("tcp", p.port, p.address)
    inner().wait()


def translate(how, *rule):
    if not shutil.which("iptables"):
        raise NotHere("iptables")
    if subprocess.call(["iptables", "-t", "nat", how, *rule], stderr=subprocess.DEVNULL):
        raise NotHere("NAT")


def translated(p):
    """What goes to a port of ours is for another, though there is a listener; and what comes from it is in our name."""
    with services.bound() as s:
        s.listen(1)
        port = str(s.getsockname()[1])
        to = f"{inner().address}:{inner().port}"
        translate("-A", "PREROUTING", "-p", "tcp", "--dport", port, "-j", "DNAT", "--to", to)
        translate("-A", "POSTROUTING", "-d", p.address, "-j", "MASQUERADE")
        p.begin("tcp", port)
        p.wait()
        inner().begin("tcp", p.port, p.address)
        inner().wait()
        translate("-F")
        translate("-X")


def let_move(on):
    try:
        with open("/proc/sys/net/ipv4/tcp_migrate_req", "w", encoding="ascii") as setting:
            setting.write(on)
    except OSError as e:
        raise NotHere(f"tcp_migrate_req: {e}") from e


def gets_all(s):
    """Of listeners with its port, as their first: by a filter that says 0."""
    code = ctypes.create_string_buffer(struct.pack("<HBBI", 6, 0, 0, 0), 8)
    s.setsockopt(socket.SOL_SOCKET, 51, struct.pack("<HxxxxxxQ", 1, ctypes.addressof(code)))  # SO_ATTACH_REUSEPORT_CBPF


def accept_moved(orders, answer, late):
    """By a listener of its own, at which nothing comes before the other one has ended."""
    port = int(os.read(orders, 8))
    s = services.bound(port, True)
    s.listen(16)
    os.write(answer, b"x")
    before, after = map(int, os.read(orders, 64).split())
    h = Held(["listener", port, 0], before, listener=number_of(s))
    h.sure = after
    time.sleep(late)
    begin = now()
    c, _ = s.accept()
    mine = connection(c, begin, name=NAME)
    talk(c, ROUNDS)
    mine.end(c.close)
    h.end(s.close)


def moves(p, late=0.4, wait=0):
    """It waits at a listener that ends, and from then on at another process's of that port. Bytes come after 0.3 s."""
    let_move("1")
    (orders, tell), (told, answer) = os.pipe(), os.pipe()
    pid = child(lambda: accept_moved(orders, answer, late))
    s, begin = services.bound(0, True), now()
    if wait:  # for bytes: what ends the handshake is not enough
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, wait)
    s.listen(16)
    gets_all(s)
    l = listening(s, begin)
    os.write(tell, str(s.getsockname()[1]).encode())
    os.read(told, 1)
    p.begin("slow", s.getsockname()[1])
    time.sleep(0.1)
    before = now()
    l.end(lambda: s.shutdown(socket.SHUT_RDWR))
    os.write(tell, f"{before} {now()}".encode())
    p.wait()
    os.waitpid(pid, 0)
    s.close()
    for end in (orders, tell, told, answer):
        os.close(end)
    let_move("0")


def moves_early(p):
    """... before the handshake has ended."""
    moves(p, 0, 10)


def tunnel(_):
    """What is wrapped is still of who sent it."""
    begin = now()
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    h = Held(["tunnel", 0, 0], begin)
    try:
        for _ in range(ROUNDS):
            s.sendto(b"x", ("10.97.0.1", 9))
            time.sleep(0.004)
    except OSError as e:
        raise NotHere(f"a tunnel: {e}") from e
    h.end(s.close)


KINDS = (becomes_another, activated, ends_before, number_again, by_ring, ring_polled, ring_direct, taken, closed_in_a_row,
         small_receives, small_accepts, ping, ping_plainly, datagrams, datagrams_connected, datagrams_mapped, mapped,
         many_receive, both_ends, never_accepted, same_port, routed_here, through, translated, moves, moves_early, tunnel)
