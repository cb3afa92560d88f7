# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What capturing costs, beside every other way to capture.
#
# make bench                 the whole table, in 5 minutes; BENCH=quick: in one
# make bench-compare REV=R   this tree against revision R, on this machine
# make bench-results         the same, and bench/RESULTS.md and its charts from it
# make bench-opening         how long a device takes to open and to close, under a minute
# make bench-rings           what is lost by the size of the rings, under three minutes
# make bench-cpus            what many CPUs cost, as lists that show more than there are, under five minutes
# make bench-wakes           how often who selects is woken, and what that costs, under five minutes
# bench/difference A B       what differs between two files of results (bench/results.json)
# make bench-profile         where the time goes, by perf, into bench/PROFILE.md

noinst_PROGRAMS += bench/action bench/reader bench/sendudp bench/progcost bench/openclose bench/wakes_reader
bench_reader_SOURCES = bench/reader.c bench/reader.h bench/reader_pcap.c bench/reader_ring.c \
	bench/reader_xsk.c testprogs/json.c testprogs/json.h testprogs/options.c testprogs/options.h
bench_reader_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS) $(LIBBPF_CFLAGS) $(LIBXDP_CFLAGS)
bench_reader_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS)

bench_wakes_reader_SOURCES = bench/wakes_reader.c testprogs/json.c testprogs/json.h
bench_wakes_reader_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
bench_wakes_reader_LDADD = $(PCAP_LIBS)

bench_action_SOURCES = bench/action.c
bench_action_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS)
bench_action_LDADD = $(LIBBPF_LIBS)

bench_openclose_SOURCES = bench/openclose.c bench/openclose.h bench/openclose_pcap.c bench/openclose_bare.c \
	testprogs/json.c testprogs/json.h testprogs/options.c testprogs/options.h
bench_openclose_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS) $(LIBBPF_CFLAGS)
bench_openclose_LDADD = $(LIBBPF_LIBS) $(PCAP_LIBS)

bench_sendudp_SOURCES = bench/sendudp.c testprogs/json.c testprogs/json.h testprogs/options.c \
	testprogs/options.h

bench_progcost_SOURCES = bench/progcost.c bench/progcost_filter.c bench/progcost_filter.h \
	testprogs/frame.c testprogs/frame.h testprogs/options.c testprogs/options.h
bench_progcost_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS) $(PCAP_CFLAGS) -pthread
bench_progcost_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS)

BENCH_FILES = bench/run bench/compare bench/difference bench/plot bench/profile bench/report bench/opening bench/rings bench/wakes bench/cpus bench/lab.py \
	bench/paths.py bench/measure.py bench/machine.py bench/model.py bench/extras.py bench/interval.py \
	bench/any_device.py bench/prealloc.py bench/scale.py bench/targets.py bench/table.py \
	bench/RESULTS.md bench/PROFILE.md bench/glance bench/glance.svg bench/added.svg bench/loss.svg
EXTRA_DIST += $(BENCH_FILES)
CLEANFILES += bench/results.json

# Makefile.am has it among the .PHONY.
# BENCH and REV may come from the environment, where an assignment here would win.
bench: all
	$(srcdir)/bench/run --build $(abs_builddir) --mode $(or $(BENCH),full) --json bench/results.json
bench-results: bench
	$(srcdir)/bench/report --json bench/results.json --output $(srcdir)/bench
	$(srcdir)/bench/glance $(srcdir)/bench/RESULTS.md > $(srcdir)/bench/glance.svg
bench-compare: all
	$(srcdir)/bench/compare --build $(abs_builddir) --mode $(or $(BENCH),full) $(or $(REV),HEAD)
bench-profile: all
	$(srcdir)/bench/profile --build $(abs_builddir) --all $(srcdir)/bench/PROFILE.md
bench-opening: all
	$(srcdir)/bench/opening --build $(abs_builddir)
bench-rings: all
	$(srcdir)/bench/rings --build $(abs_builddir)
bench-cpus: all
	$(srcdir)/bench/cpus --build $(abs_builddir)
bench-wakes: all
	$(srcdir)/bench/wakes --build $(abs_builddir)
.PHONY: bench-compare bench-results bench-profile bench-opening bench-rings bench-wakes bench-cpus
