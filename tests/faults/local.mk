# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Rounds of faults, and every call that opens a capture failing once: make check-faults.

fault_programs = tests/faults/opener tests/faults/resident
EXTRA_PROGRAMS = $(fault_programs)
tests_faults_opener_SOURCES = tests/faults/opener.c tests/faults/failing.h tests/faults/hooked.c tests/faults/hooked.h \
	tests/capture/own_net.c tests/capture/own_net.h
tests_faults_opener_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS) $(PCAP_CFLAGS)
tests_faults_opener_LDADD = $(LIBBPF_LIBS) $(PCAP_LIBS)
tests_faults_resident_SOURCES = tests/faults/resident.c
tests_faults_resident_LDADD = $(PCAP_LIBS)
tests/faults/failing.so: $(srcdir)/tests/faults/failing.c $(srcdir)/tests/faults/failing.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(CC) $(WARN_CFLAGS) $(INIT_CFLAGS) -D_GNU_SOURCE -I$(srcdir) -O1 -fPIC -shared -o $@ $<

fault_scripts = tests/faults/calls.sh tests/faults/campaign.sh tests/faults/places.sh
.PHONY: check-faults
check-faults: all tests/hooks/foreign$(EXEEXT) tests/loader/client$(EXEEXT) tests/faults/failing.so $(fault_programs:=$(EXEEXT))
	$(SHELL) $(srcdir)/tests/faults/run.sh
EXTRA_DIST += tests/faults/README.md tests/faults/failing.c tests/faults/faults.sh tests/faults/inventory.sh \
	tests/faults/kinds.txt tests/faults/lib.sh tests/faults/run.sh tests/faults/scarce.sh $(fault_scripts)
CLEANFILES += $(fault_programs) tests/faults/failing.so tests/faults/calls.log tests/faults/campaign.log tests/faults/places.log
