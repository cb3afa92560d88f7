# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Which process holds a socket.
noinst_LIBRARIES += libwho.a
libwho_a_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS)
libwho_a_SOURCES = \
	who/choice.c who/choice.h \
	who/container.c who/container.h \
	who/decide.c who/decide.h \
	who/event.h \
	who/looker.c who/looker.h \
	who/member.c who/member.h \
	who/others.c who/others.h \
	who/proc.c who/proc.h \
	who/process.c who/process.h \
	who/programs.c who/programs.h \
	who/runtime.c who/runtime.h \
	who/table.c who/table.h \
	who/trial.c who/trial.h \
	who/who.c who/who.h \
	pcap-afxdp-debug.c pcap-afxdp-debug.h \
	util/clock.c util/clock.h util/descriptors.c util/descriptors.h util/log.c util/log.h util/line.c util/line.h util/memory_limit.h util/no_bpf.c util/no_bpf.h
BUILT_SOURCES += who/who.skel.h
CLEANFILES += who/who.bpf.o who/who.skel.h
EXTRA_DIST += who/who.bpf.c
who/who.bpf.o: $(srcdir)/who/who.bpf.c $(srcdir)/who/event.h
who/who.skel.h: SKELETON = who_bpf
who/libwho_a-programs.$(OBJEXT): who/who.skel.h
