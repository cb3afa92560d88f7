# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""libpcap by ctypes, as much of it as a loop needs."""
import ctypes

lib = ctypes.CDLL("libpcap.so.0.8")
lib.pcap_open_live.restype = ctypes.c_void_p
lib.pcap_geterr.restype = ctypes.c_char_p
lib.pcap_geterr.argtypes = lib.pcap_get_selectable_fd.argtypes = lib.pcap_close.argtypes = [ctypes.c_void_p]
lib.pcap_setnonblock.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p]
HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
lib.pcap_dispatch.argtypes = [ctypes.c_void_p, ctypes.c_int, HANDLER, ctypes.c_void_p]


class Handle:
    """A capture; each read adds to counted."""

    def __init__(self, device, to_ms, nonblock):
        error = ctypes.create_string_buffer(256)
        self.counted = 0
        self.handle = lib.pcap_open_live(device.encode(), 65535, 1, to_ms, error)
        if not self.handle or lib.pcap_setnonblock(self.handle, nonblock, error):
            raise SystemExit(error.value.decode())
        self.callback = HANDLER(self._count)

    def _count(self, *_):
        self.counted += 1

    def fileno(self):
        return lib.pcap_get_selectable_fd(self.handle)

    def read(self):
        got = lib.pcap_dispatch(self.handle, -1, self.callback, None)
        if got < 0:
            raise SystemExit(lib.pcap_geterr(self.handle).decode())
        return got

    def close(self):
        lib.pcap_close(self.handle)
