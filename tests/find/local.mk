# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
FIND_TESTS = tests/find/find.sh tests/find/index.sh tests/find/ring.sh tests/find/harm.sh tests/find/alert.sh
TESTS += $(FIND_TESTS)
EXTRA_DIST += $(FIND_TESTS) tests/find/lib.sh tests/find/make.py tests/find/query.py tests/find/harm.py
$(FIND_TESTS:.sh=.log): find/pcapng-find$(EXEEXT)
tests/find/ring.log: xdpdump/xdpdump$(EXEEXT) testprogs/trafgen$(EXEEXT)
check_PROGRAMS += tests/find/index_test tests/find/reading_test tests/find/sorter_test
TESTS += tests/find/index_test tests/find/reading_test tests/find/sorter_test
tests_find_index_test_SOURCES = tests/find/index_test.c index/build.c index/build.h index/condition.c index/condition.h index/filter.c index/filter.h index/format.c index/format.h \
	index/keys.c index/keys.h util/folder.c util/folder.h util/shared.c util/shared.h
tests_find_index_test_LDADD = $(CMOCKA_LIBS)
tests_find_sorter_test_SOURCES = tests/find/sorter_test.c find/pages.c find/pages.h find/sorter.c find/sorter.h util/buffer.c util/buffer.h
tests_find_sorter_test_LDADD = $(CMOCKA_LIBS)
tests_find_reading_test_SOURCES = tests/find/reading_test.c find/capture.c find/pages.c find/source.c find/unpack.c kafka/put/input.c \
	pcapng/packet.c pcapng/read.c pcapng/savefile.c pcapng/turn.c pcapng/write.c util/again.c util/buffer.c util/clock.c util/harmless.c util/command/signals.c
tests_find_reading_test_CFLAGS = $(find_pcapng_find_CFLAGS)
tests_find_reading_test_LDADD = $(CMOCKA_LIBS) $(find_pcapng_find_LDADD)
