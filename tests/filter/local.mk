# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Tests of filter/: interface, vectors and differ unprivileged, verify as root through the verifier.
FILTER_TESTS = tests/filter/interface tests/filter/vectors tests/filter/differ tests/filter/verify \
	tests/filter/large
check_PROGRAMS += $(FILTER_TESTS) tests/filter/cost
TESTS += $(FILTER_TESTS)

filter_test_support = \
	tests/filter/corpus.c \
	tests/filter/frames.c \
	tests/filter/machine.c tests/ebpf_ops.h \
	tests/filter/oracle.c \
	tests/filter/programs.c \
	tests/filter/support.c tests/filter/support.h \
	tests/filter/variants.c tests/filter/variants.h
filter_test_kernel = tests/filter/kernel.c tests/filter/kernel.h

tests_filter_interface_SOURCES = tests/filter/interface.c tests/filter/instructions.h \
	$(filter_test_support)
tests_filter_interface_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_vectors_SOURCES = tests/filter/vectors.c tests/filter/vectors.h tests/filter/ranges.c tests/filter/gaps.c \
	tests/filter/instructions.h $(filter_test_support)
tests_filter_vectors_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_differ_SOURCES = tests/filter/differ.c $(filter_test_support)
tests_filter_differ_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_verify_SOURCES = tests/filter/verify.c $(filter_test_support) $(filter_test_kernel)
tests_filter_verify_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_large_SOURCES = tests/filter/large.c tests/filter/instructions.h \
	$(filter_test_support) $(filter_test_kernel)
tests_filter_large_LDADD = libfilter.a $(PCAP_LIBS)
tests_filter_cost_SOURCES = tests/filter/cost.c $(filter_test_support) $(filter_test_kernel)
tests_filter_cost_LDADD = libfilter.a $(PCAP_LIBS)

EXTRA_DIST += tests/filter/fuzz_filter.c tests/filter/mutants.sh

# The long forms: ten million comparisons, a bug at a time, ten minutes of libFuzzer.
.PHONY: check-long-filter cost-filter
check-long-filter: $(FILTER_TESTS) tests/filter/fuzz_filter
	CHECK_SIZE=long $(SHELL) $(srcdir)/tests/run.sh tests/filter/verify
	CHECK_SIZE=long $(SHELL) $(srcdir)/tests/run.sh tests/filter/differ
	$(SHELL) $(srcdir)/tests/filter/mutants.sh $(abs_srcdir)
	tests/filter/fuzz_filter -max_total_time=600 -max_len=900 -print_final_stats=1
cost-filter: tests/filter/cost
	tests/filter/cost

fuzz_filter_sources = $(srcdir)/tests/filter/fuzz_filter.c \
	$(addprefix $(srcdir)/,$(filter %.c,$(filter_test_support) $(libfilter_a_SOURCES)))
tests/filter/fuzz_filter: $(fuzz_filter_sources)
	$(CLANG) -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		$(AM_CPPFLAGS) $(fuzz_filter_sources) $(PCAP_LIBS) -o $@
CLEANFILES += tests/filter/fuzz_filter
