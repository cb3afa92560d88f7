# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Programs nobody here wrote, on the library of the build, as root, in namespaces.

APP_TESTS = tests/apps/testprogs.sh tests/apps/wireshark.sh tests/apps/programs.sh tests/apps/privileges.sh \
	tests/apps/apparmor.sh tests/apps/apparmor_opens.sh tests/apps/group.sh
check_PROGRAMS += tests/apps/send_first
tests_apps_send_first_SOURCES = tests/apps/send_first.c
tests_apps_send_first_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
tests_apps_send_first_LDADD = $(PCAP_LIBS)
TESTS += $(APP_TESTS)
EXTRA_DIST += tests/apps/lib.sh tests/apps/installed.sh tests/apps/use_pcap.py tests/apps/apparmor_opens.py tests/apps/gopacket/go.mod tests/apps/gopacket/go.sum \
	tests/apps/gopacket/main.go $(APP_TESTS)
# Not among the tests of make check: it takes a display server and Wireshark with its window.
EXTRA_DIST += tests/apps/window.sh
.PHONY: check-window
check-window: all tests/hooks/foreign$(EXEEXT)
	$(SHELL) $(srcdir)/tests/apps/window.sh || test $$? -eq 77
$(APP_TESTS:.sh=.log): libpcap-build/libpcap.so.0.8 tests/hooks/foreign$(EXEEXT) tests/apps/send_first$(EXEEXT)
tests/apps/apparmor_opens.log: testprogs/own_xdp.bpf.o tests/xdpdump/doctor/refuse$(EXEEXT)
