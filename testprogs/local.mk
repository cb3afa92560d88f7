# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Programs that tests and benchmarks use: a traffic generator, and what checks a capture of it.

noinst_PROGRAMS += \
	testprogs/trafgen testprogs/capcheck testprogs/pcapread testprogs/vlanpush \
	testprogs/rxdrop testprogs/txpush testprogs/l2fwd testprogs/xdplaunch

testprogs_common = \
	testprogs/json.c testprogs/json.h \
	testprogs/options.c testprogs/options.h
EXTRA_DIST += testprogs/no_error.h
testprogs_frame = testprogs/frame.c testprogs/frame.h
testprogs_tally = $(testprogs_frame) testprogs/tally.c testprogs/tally.h

testprogs_trafgen_SOURCES = $(testprogs_common) $(testprogs_frame) \
	testprogs/generator/devstats.c testprogs/generator/devstats.h \
	testprogs/generator/sender.h testprogs/generator/sender_live.c testprogs/generator/sender_socket.c \
	testprogs/generator/trafgen.c testprogs/generator/trafgen.h \
	testprogs/generator/trafgen_options.c testprogs/generator/trafgen_options.h \
	testprogs/generator/trafgen_run.c testprogs/generator/trafgen_run.h
testprogs_trafgen_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS) -pthread
testprogs_trafgen_LDADD = $(LIBBPF_LIBS)

testprogs_capcheck_SOURCES = $(testprogs_common) $(testprogs_tally) \
	testprogs/checking/capcheck.c \
	testprogs/checking/capfile.c testprogs/checking/capfile.h \
	testprogs/checking/compare.c testprogs/checking/compare.h \
	testprogs/checking/pcapng_account.c testprogs/checking/pcapng_account.h \
	pcapng/read.c pcapng/read.h pcapng/format.h
testprogs_capcheck_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
testprogs_capcheck_LDADD = $(PCAP_LIBS)

# Linked with the system's libpcap; tests put another one before it by LD_LIBRARY_PATH.
testprogs_pcapread_SOURCES = $(testprogs_common) $(testprogs_tally) \
	testprogs/reading/pcapread.c testprogs/reading/pcapread.h \
	testprogs/reading/pcapread_end.c testprogs/reading/pcapread_held.c testprogs/reading/pcapread_loop.c \
	testprogs/reading/pcapread_open.c
testprogs_pcapread_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS) -pthread
testprogs_pcapread_LDADD = $(PCAP_LIBS)

# What AF_XDP systems are judged by, on the pcap API alone.
testprogs_rate = $(testprogs_common) testprogs/rate.c testprogs/rate.h
testprogs_rxdrop_SOURCES = $(testprogs_rate) testprogs/rxdrop.c
testprogs_rxdrop_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
testprogs_rxdrop_LDADD = $(PCAP_LIBS)
testprogs_txpush_SOURCES = $(testprogs_rate) $(testprogs_frame) testprogs/txpush.c
testprogs_txpush_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
testprogs_txpush_LDADD = $(PCAP_LIBS)
testprogs_l2fwd_SOURCES = $(testprogs_rate) testprogs/l2fwd.c
testprogs_l2fwd_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
testprogs_l2fwd_LDADD = $(PCAP_LIBS)

testprogs_xdplaunch_SOURCES = $(testprogs_common) \
	testprogs/xdplaunch.c testprogs/xdplaunch.h testprogs/xdplaunch_open.c
testprogs_xdplaunch_CFLAGS = $(AM_CFLAGS) $(LIBXDP_CFLAGS) $(LIBBPF_CFLAGS)
testprogs_xdplaunch_LDADD = $(CAPTURE_LIBS)

testprogs_vlanpush_SOURCES = $(testprogs_common) \
	testprogs/vlanpush.c testprogs/vlanpush.h
testprogs_vlanpush_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS)
testprogs_vlanpush_LDADD = $(LIBBPF_LIBS)

BUILT_SOURCES += testprogs/generator/trafgen.skel.h testprogs/vlanpush.skel.h
testprogs/generator/trafgen-sender_live.$(OBJEXT): testprogs/generator/trafgen.skel.h
testprogs/vlanpush-vlanpush.$(OBJEXT): testprogs/vlanpush.skel.h
testprogs/generator/trafgen.bpf.o: $(srcdir)/testprogs/frame.h $(srcdir)/testprogs/generator/trafgen.h
testprogs/vlanpush.bpf.o: $(srcdir)/testprogs/vlanpush.h

# An example, and for tests/divert/own.sh.
noinst_DATA += testprogs/own_xdp.bpf.o testprogs/own_bare.bpf.o testprogs/own_pins.bpf.o \
	testprogs/own_room.bpf.o
testprogs/own_pins.bpf.o testprogs/own_room.bpf.o: $(srcdir)/testprogs/own_xdp.bpf.c
EXTRA_DIST += testprogs/own_xdp.bpf.c testprogs/own_bare.bpf.c testprogs/own_pins.bpf.c testprogs/own_room.bpf.c testprogs/generator/trafgen.bpf.c testprogs/vlanpush.bpf.c
CLEANFILES += testprogs/own_xdp.bpf.o testprogs/own_bare.bpf.o testprogs/own_pins.bpf.o testprogs/own_room.bpf.o \
	testprogs/generator/trafgen.bpf.o testprogs/generator/trafgen.skel.h \
	testprogs/vlanpush.bpf.o testprogs/vlanpush.skel.h
