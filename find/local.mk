# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Packets out of many files: a program by itself.
find_pcapng_find_SOURCES = \
	$(index_sources) $(condition_sources) \
	find/ahead.c find/ahead.h \
	find/capture.c find/capture.h \
	find/lookup.c find/lookup.h \
	find/main.c \
	find/maker.c find/maker.h \
	find/options.c find/options.h find/options.def \
	find/output.c find/output.h \
	find/pages.c find/pages.h \
	find/places.c find/places.h \
	find/progress.c find/progress.h \
	find/search.c find/search.h \
	find/section.c find/section.h \
	find/sorter.c find/sorter.h \
	find/source.c find/source.h \
	find/unpack.c find/unpack.h \
	pcapng/convert.c pcapng/convert.h \
	pcapng/cooked.c pcapng/cooked.h \
	pcapng/format.h \
	pcapng/packet.c pcapng/packet.h \
	pcapng/read.c pcapng/read.h \
	pcapng/savefile.c pcapng/savefile.h \
	pcapng/turn.c pcapng/turn.h \
	pcapng/write.c pcapng/write.h \
	util/again.c util/again.h \
	util/buffer.c util/buffer.h \
	util/clock.c util/clock.h \
	util/folder.c util/folder.h \
	util/harmless.c util/harmless.h util/memory_limit.h \
	util/command/moment.c util/command/moment.h \
	util/command/rows.c util/command/rows.h util/command/say.c util/command/say.h \
	util/nearest.h util/shared.c util/shared.h \
	util/command/signals.c util/command/signals.h \
	util/table.c util/table.h
find_pcapng_find_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS) $(FIND_ZLIB_CFLAGS) $(ZSTD_CFLAGS) $(FIND_LZ4_CFLAGS)
find_pcapng_find_LDADD = $(PCAP_LIBS) $(FIND_ZLIB_LIBS) $(ZSTD_LIBS) $(FIND_LZ4_LIBS)
bin_PROGRAMS += find/pcapng-find
dist_man_MANS += man/pcapng-find.1
# bash-completion finds it by the name of the command.
pcapng_find_name = `echo pcapng-find | $(SED) '$(transform)'`
EXTRA_DIST += find/pcapng-find.bash-completion
.PHONY: install-find-completion
install-data-local: install-find-completion
install-find-completion:
	test -z '$(completionsdir)' || { $(MKDIR_P) '$(DESTDIR)$(completionsdir)' && \
		$(SED) "s/^complete .*/complete -F _pcapng_find $(pcapng_find_name)/" \
			'$(srcdir)/find/pcapng-find.bash-completion' > "$(DESTDIR)$(completionsdir)/$(pcapng_find_name)"; }
