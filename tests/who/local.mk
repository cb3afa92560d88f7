# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
WHO_TESTS = tests/who/cgroup_test tests/who/choice_test tests/who/closes_test tests/who/contained_test tests/who/holders_test tests/who/others_test tests/who/runtime_test tests/who/stuck_test tests/who/table_test
check_PROGRAMS += $(WHO_TESTS) tests/who/storm
TESTS += $(WHO_TESTS) tests/who/choose.sh tests/who/drops.sh tests/who/oracle.sh tests/who/storm.sh
EXTRA_DIST += tests/who/choose.sh tests/who/choose.py tests/who/drops.sh tests/who/drops.py tests/who/storm.sh tests/who/oracle.sh tests/who/oracle.py tests/who/calls.py tests/who/kinds.py tests/who/services.py tests/who/streams.py \
	tests/who/truth.py
tests/who/choose.log tests/who/drops.log tests/who/storm.log: xdpdump/xdpdump$(EXEEXT) libpcap-build/libpcap.so.0.8
tests_who_cgroup_test_SOURCES = tests/who/cgroup_test.c
tests_who_cgroup_test_LDADD = libwho.a $(CMOCKA_LIBS)
tests_who_choice_test_SOURCES = tests/who/choice_test.c
tests_who_choice_test_LDADD = libwho.a $(CMOCKA_LIBS)
tests_who_closes_test_SOURCES = tests/who/closes_test.c tests/capture/own_net.c tests/capture/own_net.h
tests_who_closes_test_LDADD = libwho.a $(LIBBPF_LIBS) $(CMOCKA_LIBS) -lpthread
tests_who_contained_test_SOURCES = tests/who/contained_test.c tests/who/looking.h tests/who/workers.h
tests_who_contained_test_LDADD = libwho.a $(LIBBPF_LIBS) $(CMOCKA_LIBS)
tests_who_holders_test_SOURCES = tests/who/holders_test.c tests/who/looking.h tests/who/workers.h
tests_who_holders_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_offset
tests_who_holders_test_LDADD = libwho.a $(LIBBPF_LIBS) $(CMOCKA_LIBS)
tests_who_others_test_SOURCES = tests/who/others_test.c tests/who/looking.h
tests_who_others_test_LDADD = libwho.a $(LIBBPF_LIBS) $(CMOCKA_LIBS)
tests_who_runtime_test_SOURCES = tests/who/runtime_test.c
tests_who_runtime_test_LDADD = libwho.a $(CMOCKA_LIBS)
tests_who_stuck_test_SOURCES = tests/who/stuck_test.c tests/who/looking.h tests/who/workers.h
tests_who_stuck_test_LDADD = libwho.a $(LIBBPF_LIBS) $(CMOCKA_LIBS) -lpthread
tests_who_storm_SOURCES = tests/who/storm.c
tests_who_storm_LDADD = libwho.a
tests_who_table_test_SOURCES = tests/who/table_test.c
tests_who_table_test_LDADD = libwho.a $(CMOCKA_LIBS)
