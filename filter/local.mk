# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Included by the top Makefile.am. The objects end up in a shared library, hence PIC.
noinst_LIBRARIES += libfilter.a
libfilter_a_SOURCES = \
	filter/bounds.c \
	filter/chain.c \
	filter/classic.c filter/classic.h \
	filter/code.c filter/code.h \
	filter/cooked.c \
	filter/dump.c \
	filter/filter.h \
	filter/form.c \
	filter/forward.c \
	filter/gen.h \
	filter/island.c filter/island.h \
	filter/load.c \
	filter/lower.c \
	filter/need.c \
	filter/node.c \
	filter/parts.c \
	filter/plan.c filter/plan.h \
	filter/run.c \
	filter/search.c \
	filter/shape.c \
	filter/simplify.c \
	filter/span.c \
	filter/splice.c filter/splice.h \
	filter/thread.c \
	filter/translate.c \
	filter/unroll.c \
	filter/validate.c
libfilter_a_CFLAGS = $(LIBRARY_CFLAGS)
