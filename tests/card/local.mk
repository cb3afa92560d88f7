# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Two ports of a network card that a cable joins: make check-card CARDS='eth1 eth2'. docs/hardware.md
EXTRA_DIST += tests/card/cards.sh tests/card/run.sh
.PHONY: check-card
check-card: all $(check_PROGRAMS) libpcap-build/libpcap.so.0.8
	CARDS='$(CARDS)' $(SHELL) $(srcdir)/tests/card/run.sh
