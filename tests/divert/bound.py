#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""bound.py INTERFACE QUEUE: an AF_XDP socket there, and no XDP program: of a program that has just begun, or forgot to
end. Says "bound", and waits for its input to end. Numbers are those of linux/if_xdp.h."""
import ctypes
import mmap
import socket
import struct
import sys

AF_XDP, SOL_XDP, XDP_RX_RING, XDP_UMEM_REG, XDP_UMEM_FILL_RING, XDP_UMEM_COMPLETION_RING = 44, 283, 2, 4, 5, 6
FRAMES, FRAME_SIZE = 64, 2048

libc = ctypes.CDLL(None, use_errno=True)
memory = mmap.mmap(-1, FRAMES * FRAME_SIZE)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
xsk = socket.socket(AF_XDP, socket.SOCK_RAW)
xsk.setsockopt(SOL_XDP, XDP_UMEM_REG, struct.pack("=QQIIII", address, len(memory), FRAME_SIZE, 0, 0, 0))
for ring in XDP_UMEM_FILL_RING, XDP_UMEM_COMPLETION_RING, XDP_RX_RING:
    xsk.setsockopt(SOL_XDP, ring, struct.pack("=I", FRAMES))
place = struct.pack("=HHIII", AF_XDP, 0, socket.if_nametoindex(sys.argv[1]), int(sys.argv[2]), 0)
if libc.bind(xsk.fileno(), place, len(place)):
    sys.exit("bind: errno %d" % ctypes.get_errno())
print("bound", flush=True)
sys.stdin.read()
