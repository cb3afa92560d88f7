# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# engine=divert, sending by AF_XDP, and what takes frames from the host; as root, in namespaces.
DIVERT_TESTS = tests/divert/receive.sh tests/divert/account.sh tests/divert/upset.sh tests/divert/own.sh \
	tests/divert/send.sh tests/divert/forward.sh tests/divert/unprivileged.sh tests/divert/watchdog.sh \
	tests/divert/default_route.sh
TESTS += $(DIVERT_TESTS) tests/divert/send_test
EXTRA_DIST += tests/divert/bound.py tests/divert/lib.sh $(DIVERT_TESTS)
$(DIVERT_TESTS:.sh=.log): libpcap-build/libpcap.so.0.8 xdpdump/xdpdump$(EXEEXT) testprogs/own_xdp.bpf.o

check_PROGRAMS += tests/divert/send_test
tests_divert_send_test_SOURCES = tests/divert/send_test.c $(own_net)
tests_divert_send_test_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS) -lpthread
tests_divert_send_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=sendto,--wrap=poll
