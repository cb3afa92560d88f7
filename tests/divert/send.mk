# SPDX-License-Identifier: BSD-3-Clause
# Sending with engine=divert, as root, in namespaces.
check_PROGRAMS += tests/divert/send_test
TESTS += tests/divert/send_test
tests_divert_send_test_SOURCES = tests/divert/send_test.c $(own_net)
tests_divert_send_test_LDADD = $(ENGINE_LIBS) $(PCAP_LIBS)
tests_divert_send_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=sendto,--wrap=poll
