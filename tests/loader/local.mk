# SPDX-License-Identifier: BSD-3-Clause
# The exchange of filters on a live capture, and the process that keeps the privilege for it.

# Applications on the libpcap of the build, found without the environment: one with capabilities of
# its own is not told by the environment where to find libraries.
loader_test_pcap = -L$(builddir)/libpcap-build -lpcap -Wl,-rpath,$(abs_builddir)/libpcap-build
LOADER_PROGRAMS = tests/loader/client
check_PROGRAMS += $(LOADER_PROGRAMS)

tests_loader_client_SOURCES = tests/loader/client.c tests/loader/programs.c tests/loader/programs.h \
	testprogs/frame.c testprogs/frame.h
tests_loader_client_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/testprogs -I$(srcdir)/tests/loader
tests_loader_client_LDADD = $(loader_test_pcap)
tests_loader_client_DEPENDENCIES = libpcap-build/libpcap.so.0.8
