# SPDX-License-Identifier: BSD-3-Clause
# The capture command.
sbin_PROGRAMS += xdpdump/xdpdump
xdpdump_xdpdump_SOURCES = \
	xdpdump/expression.c xdpdump/expression.h \
	xdpdump/expression_text.c xdpdump/expression_text.h \
	xdpdump/interfaces.c xdpdump/interfaces.h \
	xdpdump/main.c \
	xdpdump/options.c xdpdump/options.h \
	xdpdump/output.h \
	xdpdump/output_file.c \
	xdpdump/output_text.c \
	xdpdump/pcapng.c xdpdump/pcapng.h \
	xdpdump/report.c xdpdump/report.h \
	xdpdump/session.c xdpdump/session.h \
	xdpdump/signals.c xdpdump/signals.h \
	xdpdump/sink.c xdpdump/sink.h
xdpdump_xdpdump_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS) $(LIBBPF_CFLAGS)
xdpdump_xdpdump_LDADD = $(ENGINE_LIBS) $(PCAP_LIBS)
