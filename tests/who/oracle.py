#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""Services whose sockets change hands, and what is true of them.

    oracle.py peer ADDRESS                   in another namespace: does what it reads
    oracle.py serve TRUTH ADDRESS LOOPS LEFT INNER
                                             runs each kind of service; LEFT, INNER: commands that start a peer;
                                             without INNER, those of services.py alone
    oracle.py join PORT                      a stream of --listen, to standard output
    oracle.py processes FILE                 how many blocks of processes there are
    oracle.py names PACKETS FILE             in Wireshark's column the file has what the objects say
    oracle.py check TRUTH PACKETS CLASSES    packets: of xdpdump --json; classes: how many there are to be at least"""
import sys

sys.dont_write_bytecode = True  # before modules of this folder are read
import kinds  # pylint: disable=wrong-import-position
import services  # pylint: disable=wrong-import-position
import streams  # pylint: disable=wrong-import-position
import truth  # pylint: disable=wrong-import-position


def serve(path, address, loops, left, inner):
    truth.Place.path, services.Here.address = path, address
    kinds.Peers.left = services.Peer(left.split())
    kinds.Peers.inner = services.Peer(inner.split()) if inner else None
    all_kinds = services.KINDS + (kinds.KINDS if inner else ())
    for _ in range(int(loops)):
        for service in all_kinds:
            truth.Place.kind = service.__name__
            try:
                service(kinds.Peers.left)
            except kinds.NotHere as e:
                print(f"skipped: {service.__name__}: {e}")
    kinds.Peers.left.end()
    if inner:
        kinds.Peers.inner.end()
    return 0


if sys.argv[1] == "activated":
    truth.Place.path, truth.Place.kind = sys.argv[3], "activated"
    kinds.serve_activated(int(sys.argv[2]))
elif sys.argv[1] == "peer":
    services.peer(sys.argv[2])
elif sys.argv[1] == "join":
    streams.join(int(sys.argv[2]))
elif sys.argv[1] == "names":
    sys.exit(streams.names(sys.argv[2], sys.argv[3]))
elif sys.argv[1] == "processes":
    print(streams.processes(sys.argv[2]))
elif sys.argv[1] == "serve":
    sys.exit(serve(*sys.argv[2:]))
else:
    sys.exit(truth.check(sys.argv[2], sys.argv[3], sys.argv[4:]))
