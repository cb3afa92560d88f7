# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""An event loop by asyncio: see ../../README.md for what such a driver does and prints."""
import asyncio
import sys
import time

from pcap_by_ctypes import Handle

TICK, TAIL, LIMIT = 0.01, 1, 30


async def main(device, to_ms, how, frames):
    handle = Handle(device, int(to_ms), how == "nonblock")
    wakes = vain = late = 0

    def on_readable():
        nonlocal wakes, vain
        wakes += 1
        vain += handle.read() == 0

    print("ready", flush=True)
    asyncio.get_running_loop().add_reader(handle.fileno(), on_readable)
    last = begun = time.monotonic()
    complete = None
    while (not complete or last - complete < TAIL) and last - begun < LIMIT:
        await asyncio.sleep(TICK)
        now = time.monotonic()
        late = max(late, now - last - TICK)
        last = now
        if handle.counted >= int(frames):
            complete = complete or now
    print(f"counted {handle.counted} wakes {wakes} vain {vain} late {late * 1000:.0f}")
    asyncio.get_running_loop().remove_reader(handle.fileno())
    handle.close()


asyncio.run(main(*sys.argv[1:]))
