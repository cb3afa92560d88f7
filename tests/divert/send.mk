# SPDX-License-Identifier: BSD-3-Clause
# Sending and forwarding with engine=divert, as root, in namespaces.
check_PROGRAMS += tests/divert/send_test
SEND_TESTS = tests/divert/send.sh tests/divert/forward.sh tests/divert/unprivileged.sh
TESTS += tests/divert/send_test $(SEND_TESTS)
EXTRA_DIST += $(SEND_TESTS)
tests_divert_send_test_SOURCES = tests/divert/send_test.c $(own_net)
tests_divert_send_test_LDADD = $(ENGINE_LIBS) $(PCAP_LIBS) -lpthread
tests_divert_send_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=sendto,--wrap=poll
$(SEND_TESTS:.sh=.log): libpcap-build/libpcap.so.0.8 testprogs/rxdrop$(EXEEXT) testprogs/txpush$(EXEEXT) \
	testprogs/l2fwd$(EXEEXT) testprogs/pcapread$(EXEEXT) testprogs/trafgen$(EXEEXT) testprogs/xdplaunch$(EXEEXT)
