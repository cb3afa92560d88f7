# SPDX-License-Identifier: BSD-3-Clause
# Programs that tests and benchmarks use: a traffic generator and what checks a capture of it.

noinst_PROGRAMS += testprogs/trafgen testprogs/capcheck

testprogs_common = \
	testprogs/frame.c testprogs/frame.h \
	testprogs/json.c testprogs/json.h \
	testprogs/options.c testprogs/options.h

testprogs_trafgen_SOURCES = $(testprogs_common) \
	testprogs/devstats.c testprogs/devstats.h \
	testprogs/sender.h testprogs/sender_live.c testprogs/sender_socket.c \
	testprogs/trafgen.c testprogs/trafgen.h \
	testprogs/trafgen_options.c testprogs/trafgen_options.h \
	testprogs/trafgen_run.c testprogs/trafgen_run.h
testprogs_trafgen_CPPFLAGS = $(AM_CPPFLAGS) -I$(builddir)/testprogs
testprogs_trafgen_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS) -pthread
testprogs_trafgen_LDADD = $(LIBBPF_LIBS)

testprogs_tally = testprogs/tally.c testprogs/tally.h

testprogs_capcheck_SOURCES = $(testprogs_common) $(testprogs_tally) \
	testprogs/capcheck.c \
	testprogs/capfile.c testprogs/capfile.h \
	testprogs/compare.c testprogs/compare.h \
	testprogs/pcapng_account.c testprogs/pcapng_account.h
testprogs_capcheck_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
testprogs_capcheck_LDADD = $(PCAP_LIBS)

# Skeletons are no BUILT_SOURCES: the objects that include them say so, and nothing else waits.
testprogs/testprogs_trafgen-sender_live.$(OBJEXT): testprogs/trafgen.skel.h
testprogs/trafgen.bpf.o: $(srcdir)/testprogs/frame.h $(srcdir)/testprogs/trafgen.h

EXTRA_DIST += testprogs/trafgen.bpf.c
CLEANFILES += testprogs/trafgen.bpf.o testprogs/trafgen.skel.h
