# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Two ports of a network card that a cable joins: make check-card CARDS='eth1 eth2'. docs/hardware.md
TESTS += tests/card/card.sh
EXTRA_DIST += tests/card/card.sh tests/card/cards.sh tests/card/run.sh
tests/card/card.log: libpcap-build/libpcap.so.0.8 tests/hooks/foreign$(EXEEXT) tests/pcap/stream$(EXEEXT) \
	testprogs/trafgen$(EXEEXT) testprogs/pcapread$(EXEEXT) testprogs/capcheck$(EXEEXT) xdpdump/xdpdump$(EXEEXT)
.PHONY: check-card
check-card: all $(check_PROGRAMS) libpcap-build/libpcap.so.0.8
	CARDS='$(CARDS)' $(SHELL) $(srcdir)/tests/card/run.sh
