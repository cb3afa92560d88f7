# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""System calls by which sockets change hands and for which Python has no function."""
import ctypes
import mmap
import os
import platform
import socket
import struct

CLONE3, PIDFD_OPEN, PIDFD_GETFD, CLOSE_RANGE = 435, 434, 438, 436
RING_SETUP, RING_ENTER, RING_REGISTER = 425, 426, 427
ACCEPT, CLOSE, SEND, RECEIVE = 13, 19, 26, 27  # what a ring is asked for
FIXED_FILE = 1
POLLED = 2
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
libc.mmap.restype = ctypes.c_void_p


def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def fork_as(pid):
    """The child has this number, which must be free."""
    wanted = ctypes.c_int(pid)
    arguments = struct.pack("<11Q", 0, 0, 0, 0, 17, 0, 0, 0, ctypes.addressof(wanted), 1, 0)
    at = ctypes.create_string_buffer(arguments, len(arguments))
    return call(CLONE3, ctypes.addressof(at), len(arguments))


def take(pid, fd):
    """A descriptor of another process."""
    process = call(PIDFD_OPEN, pid, 0)
    got = call(PIDFD_GETFD, process, fd, 0)
    os.close(process)
    return socket.socket(fileno=got)


def close_range(first, last):
    call(CLOSE_RANGE, first, last, 0)


class Ring:
    """One request at a time."""

    def __init__(self, flags=0, files=0):
        params = ctypes.create_string_buffer(struct.pack("<4I", 0, 0, flags, 0), 120)
        self.polled = flags & POLLED
        self.fd = call(RING_SETUP, 4, ctypes.addressof(params))
        offsets = struct.unpack_from("<20I", params.raw, 40)
        self.tail, self.mask, self.array = offsets[1], offsets[2], offsets[6]
        self.done_head, self.done_mask, self.done = offsets[10], offsets[12], offsets[15]
        self.map = mmap.mmap(self.fd, max(self.done + 8 * 16, self.array + 4 * 4), mmap.MAP_SHARED, offset=0)
        self.requests = mmap.mmap(self.fd, 4 * 64, mmap.MAP_SHARED, offset=0x10000000)
        if files:
            table = ctypes.create_string_buffer(struct.pack("<IIQQQ", files, 1, 0, 0, 0), 32)
            call(RING_REGISTER, self.fd, 13, ctypes.addressof(table), 32)

    def at(self, offset):
        return struct.unpack_from("<I", self.map, offset)[0]

    def ask(self, what, fd, address=0, size=0, second=0, flags=0, file=0):
        """Its result."""
        tail, head = self.at(self.tail), self.at(self.done_head)
        slot = tail & self.at(self.mask)
        struct.pack_into("<BBHiQQIIQHHiQQ", self.requests, slot * 64, what, flags, 0, fd, second, address, size, 0, 0, 0, 0,
                         file, 0, 0)
        struct.pack_into("<I", self.map, self.array + 4 * slot, slot)
        struct.pack_into("<I", self.map, self.tail, tail + 1)
        call(RING_ENTER, self.fd, 0 if self.polled else 1, 1, 3 if self.polled else 1, 0, 0)
        result = struct.unpack_from("<Qi", self.map, self.done + 16 * (head & self.at(self.done_mask)))[1]
        struct.pack_into("<I", self.map, self.done_head, head + 1)
        if result < 0:
            raise OSError(-result, os.strerror(-result))
        return result

    def close(self):
        self.map.close()
        self.requests.close()
        os.close(self.fd)


class Small:
    """Memory below 4 GiB, and calls of programs of 32 bits in it."""
    CODE = bytes.fromhex("5355" "4889fd" "8b4500" "8b5d04" "8b4d08" "8b550c" "8b7510" "8b7d14" "cd80" "4898" "5d5bc3")

    def __init__(self):
        if platform.machine() != "x86_64":
            raise OSError("not of this machine")
        self.base = libc.mmap(None, ctypes.c_size_t(8192), 7, 0x62, -1, ctypes.c_long(0))  # private, anonymous, 32 bits
        if self.base >= 1 << 32:
            raise OSError("no memory below 4 GiB")
        ctypes.memmove(self.base, self.CODE, len(self.CODE))
        self.run = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(self.base)
        self.words = self.base + 256
        self.data = self.base + 4096
        if self.call(20) != os.getpid():
            raise OSError("the kernel has no calls of 32 bits")

    def call(self, number, *arguments):
        words = (number,) + arguments + (0,) * (5 - len(arguments))
        ctypes.memmove(self.words, struct.pack("<6I", *words), 24)
        result = self.run(self.words)
        if result < 0:
            raise OSError(-result, os.strerror(-result))
        return result

    def receive(self, fd):
        """A socket that comes in a message: recvmsg()."""
        byte, part, control, message = self.data, self.data + 16, self.data + 64, self.data + 128
        ctypes.memmove(part, struct.pack("<II", byte, 1), 8)
        ctypes.memmove(message, struct.pack("<7I", 0, 0, part, 1, control, 16, 0), 28)
        self.call(372, fd, message, 0)
        return socket.socket(fileno=struct.unpack("<I", ctypes.string_at(control + 12, 4))[0])
