# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make check-card needs two ports of a network card and a cable: docs/hardware.md. veth.sh tries it on a veth pair.
TESTS += tests/card/veth.sh
EXTRA_DIST += tests/card/card.sh tests/card/veth.sh
tests/card/veth.log: libpcap-build/libpcap.so.0.8 tests/hooks/foreign$(EXEEXT) tests/pcap/stream$(EXEEXT) \
	testprogs/trafgen$(EXEEXT) testprogs/pcapread$(EXEEXT) testprogs/capcheck$(EXEEXT) xdpdump/xdpdump$(EXEEXT)

.PHONY: check-card
check-card: all $(check_PROGRAMS) libpcap-build/libpcap.so.0.8
	CARD='$(CARD)' PEER='$(PEER)' $(SHELL) $(srcdir)/tests/card/card.sh
