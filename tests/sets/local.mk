# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Sets of addresses beside the expression, as root, in namespaces.
SETS_TESTS = tests/sets/flows.sh tests/sets/sets.sh
TESTS += $(SETS_TESTS)
check_PROGRAMS += tests/sets/flows tests/sets/oracle
tests_sets_flows_SOURCES = tests/sets/flows.c $(own_net)
tests_sets_flows_LDADD = $(CAPTURE_LIBS)
tests/sets/flows.log: tests/sets/flows$(EXEEXT) xdpdump/xdpdump$(EXEEXT) libpcap-build/libpcap.so.0.8
tests_sets_oracle_SOURCES = tests/sets/oracle.c tests/sets/chance.c tests/sets/chance.h \
	tests/sets/verified.h tests/sets/wanted.c tests/sets/wanted.h $(own_net)
tests_sets_oracle_LDADD = $(CAPTURE_LIBS)
tests/sets/sets.log: tests/sets/oracle$(EXEEXT) xdpdump/xdpdump$(EXEEXT) libpcap-build/libpcap.so.0.8
EXTRA_DIST += tests/sets/lib.sh $(SETS_TESTS)
