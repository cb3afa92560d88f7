# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The exchange of filters on a live capture, and the process that keeps the privilege for it.

# Applications on the libpcap of the build, found without the environment: one with capabilities of
# its own is not told by the environment where to find libraries.
loader_pcap = -L$(builddir)/libpcap-build -lpcap
# DT_RPATH, not DT_RUNPATH: AddressSanitizer's dlopen() is the caller then, and libpcap's own way to
# libafxdpcapture is not asked.
loader_ldflags = $(AM_LDFLAGS) -Wl,--disable-new-dtags,-rpath,$(abs_builddir)/libpcap-build
loader_swap = tests/loader/swap.c tests/loader/swap.h testprogs/frame.c testprogs/frame.h \
	testprogs/json.c testprogs/json.h
loader_net = tests/capture/own_net.c tests/capture/own_net.h

check_PROGRAMS += tests/loader/answers tests/loader/apart tests/loader/attack tests/loader/client tests/loader/invisible \
	tests/loader/protocol tests/loader/swap_library tests/loader/swap_pcap

tests_loader_client_SOURCES = tests/loader/client.c tests/loader/programs.c tests/loader/programs.h \
	testprogs/frame.c testprogs/frame.h
tests_loader_client_LDFLAGS = $(loader_ldflags)
tests_loader_client_LDADD = $(loader_pcap)
tests_loader_client_DEPENDENCIES = libpcap-build/libpcap.so.0.8
tests_loader_invisible_SOURCES = tests/loader/invisible.c tests/loader/process.c \
	tests/loader/process.h $(loader_net)
tests_loader_invisible_LDFLAGS = $(loader_ldflags)
tests_loader_invisible_LDADD = $(loader_pcap) -lpthread
tests_loader_invisible_DEPENDENCIES = libpcap-build/libpcap.so.0.8 pcap-afxdp-loader
loader_result = tests/loader/result.c tests/loader/result.h tests/loader/programs.c tests/loader/programs.h $(loader_net)
tests_loader_answers_SOURCES = tests/loader/answers.c $(loader_result)
tests_loader_answers_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS) -lpthread
tests_loader_answers_DEPENDENCIES = libcapture.a
tests_loader_protocol_SOURCES = tests/loader/protocol.c $(loader_result)
tests_loader_protocol_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS) -lpthread
tests_loader_protocol_DEPENDENCIES = libcapture.a pcap-afxdp-loader
tests_loader_apart_SOURCES = tests/loader/apart.c $(loader_result) capture/loader/confine.c capture/loader/confine.h util/calls.h
tests_loader_apart_CPPFLAGS = $(AM_CPPFLAGS) $(LIBSECCOMP_CFLAGS)
tests_loader_apart_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS) $(LIBSECCOMP_LIBS) -lpthread
tests_loader_apart_DEPENDENCIES = libcapture.a pcap-afxdp-loader
tests_loader_attack_SOURCES = tests/loader/attack.c
tests_loader_attack_LDADD = $(CAPTURE_LIBS)
tests_loader_attack_DEPENDENCIES = libcapture.a
tests_loader_swap_library_SOURCES = $(loader_swap) tests/loader/swap_library.c
tests_loader_swap_library_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS) -lpthread
tests_loader_swap_pcap_SOURCES = $(loader_swap) tests/loader/swap_pcap.c
tests_loader_swap_pcap_LDFLAGS = $(loader_ldflags)
tests_loader_swap_pcap_LDADD = $(loader_pcap) -lpthread
tests_loader_swap_pcap_DEPENDENCIES = libpcap-build/libpcap.so.0.8

loader_scripts = tests/loader/attack.sh tests/loader/busy.sh tests/loader/exact.sh tests/loader/large.sh \
	tests/loader/levels.sh tests/loader/limits.sh tests/loader/open.sh tests/loader/start.sh tests/loader/swap.sh
loader_tests = tests/loader/answers tests/loader/apart tests/loader/invisible tests/loader/protocol $(loader_scripts)
TESTS += $(loader_tests)
EXTRA_DIST += tests/loader/common.sh $(loader_scripts)
$(loader_scripts:.sh=.log): libpcap-build/libpcap.so.0.8 pcap-afxdp-loader testprogs/trafgen
