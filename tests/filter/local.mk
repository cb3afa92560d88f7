# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Tests of filter/: cooked, interface, vectors and differ unprivileged, verify and pieces as root through the verifier.
FILTER_TESTS = tests/filter/cooked tests/filter/interface tests/filter/vectors tests/filter/differ tests/filter/verify \
	tests/filter/large tests/filter/pieces
check_PROGRAMS += $(FILTER_TESTS) tests/filter/cost
TESTS += $(FILTER_TESTS) tests/filter/mutants.sh

filter_test_support = \
	tests/filter/corpus.c \
	tests/filter/frames.c \
	tests/filter/machine.c tests/ebpf_ops.h \
	tests/filter/oracle.c \
	tests/filter/programs.c \
	tests/filter/support.c tests/filter/support.h \
	tests/filter/variants.c tests/filter/variants.h
filter_test_kernel = tests/filter/kernel.c tests/filter/kernel.h

tests_filter_cooked_SOURCES = tests/filter/cooked.c tests/random.h
tests_filter_cooked_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_interface_SOURCES = tests/filter/interface.c tests/filter/instructions.h \
	$(filter_test_support)
tests_filter_interface_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_vectors_SOURCES = tests/filter/vectors.c tests/filter/vectors.h tests/filter/ranges.c tests/filter/gaps.c \
	tests/filter/nets.c tests/filter/addresses.c tests/filter/turns.c \
	tests/filter/instructions.h $(filter_test_support)
tests_filter_vectors_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_differ_SOURCES = tests/filter/differ.c $(filter_test_support)
tests_filter_differ_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_verify_SOURCES = tests/filter/verify.c $(filter_test_support) $(filter_test_kernel)
tests_filter_verify_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_large_SOURCES = tests/filter/large.c tests/filter/instructions.h \
	$(filter_test_support) $(filter_test_kernel)
tests_filter_large_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_pieces_SOURCES = tests/filter/pieces.c $(filter_test_support) $(filter_test_kernel)
tests_filter_pieces_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_cost_SOURCES = tests/filter/cost.c $(filter_test_support) $(filter_test_kernel)
tests_filter_cost_LDADD = libfilter.a $(PCAP_LIBS)

EXTRA_DIST += tests/filter/fuzz_filter.c tests/filter/mutants.sh

# The long forms: ten million comparisons, a bug at a time.
.PHONY: check-long-filter cost-filter
check-long-filter: $(FILTER_TESTS)
	CHECK_SIZE=long $(SHELL) $(srcdir)/tests/run.sh tests/filter/verify
	CHECK_SIZE=long $(SHELL) $(srcdir)/tests/run.sh tests/filter/pieces
	CHECK_SIZE=long $(SHELL) $(srcdir)/tests/run.sh tests/filter/differ
	CHECK_SIZE=long $(SHELL) $(srcdir)/tests/filter/mutants.sh $(abs_srcdir)
cost-filter: tests/filter/cost
	tests/filter/cost
