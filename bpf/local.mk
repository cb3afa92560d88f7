# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
record_layout = bpf/record.h bpf/layout.h bpf/marker.h bpf/frame.bpf.h bpf/filter.bpf.h bpf/count.bpf.h \
	bpf/ring.bpf.h bpf/write.bpf.h bpf/reduce.bpf.h bpf/divert.bpf.h bpf/capture.bpf.h bpf/tags.bpf.h bpf/buff.bpf.h bpf/copy.bpf.h bpf/cooked.bpf.h bpf/skb.bpf.h bpf/drops.bpf.h bpf/socket.bpf.h \
	bpf/flows.h bpf/flows.bpf.h bpf/search.bpf.h bpf/sets.h bpf/sets.bpf.h bpf/table.bpf.h bpf/timer.bpf.h bpf/trace.bpf.h bpf/verifier.bpf.h bpf/watch.bpf.h
noinst_HEADERS += $(record_layout)
BUILT_SOURCES += bpf/capture.skel.h bpf/words.skel.h
CLEANFILES += bpf/capture.bpf.o bpf/capture.skel.h bpf/words.bpf.o bpf/words.skel.h
EXTRA_DIST += bpf/capture.bpf.c bpf/words.bpf.c
bpf/capture.bpf.o: $(srcdir)/bpf/capture.bpf.c $(record_layout)
bpf/capture.skel.h: SKELETON = capture_bpf
bpf/words.skel.h: SKELETON = words_bpf
