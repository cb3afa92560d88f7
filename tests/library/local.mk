# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The library as it is installed, and as libpcap loads it.
LIBRARY_TESTS = tests/library/installed.sh tests/library/load.sh tests/library/static.sh tests/library/abi.sh
TESTS += $(LIBRARY_TESTS)
EXTRA_DIST += $(LIBRARY_TESTS) tests/abi/growing tests/abi/libafxdpcapture-0.abixml

# At a release: what later ones are compared with.
.PHONY: abi-baseline
abi-baseline:
	CHECK_SIZE=full $(SHELL) $(srcdir)/tests/library/abi.sh --write
check_PROGRAMS += tests/library/client
tests_library_client_SOURCES = tests/library/client.c
tests_library_client_LDADD = $(PCAP_LIBS) -lpthread
$(LIBRARY_TESTS:.sh=.log): libpcap-build/libpcap.so.0.8 tests/library/client$(EXEEXT)
