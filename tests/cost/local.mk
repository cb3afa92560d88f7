# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What a packet takes, counted: `make cost-limits' prints the figures as tests/cost/limits has them.
TESTS += tests/cost/cost.sh
cost_test_programs = tests/cost/program tests/cost/merge
check_PROGRAMS += $(cost_test_programs)
tests_cost_program_SOURCES = tests/cost/program.c tests/cost/interpret.c tests/cost/interpret.h tests/ebpf_ops.h \
	bench/progcost_filter.c bench/progcost_filter.h testprogs/frame.c testprogs/frame.h $(own_net)
tests_cost_program_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS) $(PCAP_CFLAGS)
tests_cost_program_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS)
tests_cost_program_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=bpf_prog_load
tests_cost_merge_SOURCES = tests/cost/merge.c $(fake_ring)
tests_cost_merge_LDADD = $(CAPTURE_TEST_LIBS)
cost_programs = $(cost_test_programs:=$(EXEEXT)) bench/reader$(EXEEXT) testprogs/trafgen$(EXEEXT) \
	xdpdump/xdpdump$(EXEEXT) libpcap-build/libpcap.so.0.8
tests/cost/cost.log: $(cost_programs)
EXTRA_DIST += tests/cost/cost.sh tests/cost/limits

.PHONY: cost-limits
cost-limits: $(cost_programs)
	COST_PRINT=1 $(SHELL) $(srcdir)/tests/cost/cost.sh
