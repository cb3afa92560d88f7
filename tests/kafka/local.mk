# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# pcapng-kafka with a real broker, which Maven fetches once.
KAFKA_TESTS = tests/kafka/put.sh tests/kafka/get.sh tests/kafka/spool.sh tests/kafka/refused.sh tests/kafka/recut.sh tests/kafka/to.sh tests/kafka/rings.sh \
	tests/kafka/bad.sh tests/kafka/index.sh tests/kafka/fleet.sh tests/kafka/loss.sh tests/kafka/secure.sh tests/kafka/signals.sh tests/kafka/faults.sh
TESTS += $(KAFKA_TESTS)
EXTRA_DIST += tests/kafka/lib.sh $(KAFKA_TESTS) tests/kafka/broker.sh tests/kafka/ends.py tests/kafka/old_index.py tests/kafka/packets.py tests/kafka/pom.xml
kafka_programs = tests/kafka/gap_test tests/kafka/get_test tests/kafka/output_test tests/kafka/processes_test \
	tests/kafka/record_test tests/kafka/recut_test tests/kafka/section_test tests/kafka/spool_test
check_PROGRAMS += $(kafka_programs)
TESTS += $(kafka_programs)
tests_kafka_section_test_SOURCES = tests/kafka/section_test.c
tests_kafka_section_test_LDADD = kafka/libsection.a $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_gap_test_SOURCES = tests/kafka/gap_test.c tests/kafka/raw_blocks.h
tests_kafka_gap_test_LDADD = kafka/libsection.a $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_get_test_SOURCES = tests/kafka/get_test.c tests/kafka/get_streams.h tests/kafka/raw_blocks.h
tests_kafka_get_test_LDADD = kafka/libsection.a $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_output_test_SOURCES = tests/kafka/output_test.c tests/kafka/get_streams.h tests/kafka/raw_blocks.h
tests_kafka_output_test_LDADD = kafka/libsection.a $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_output_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=reallocarray
tests_kafka_processes_test_SOURCES = tests/kafka/processes_test.c tests/kafka/raw_blocks.h
tests_kafka_processes_test_LDADD = kafka/libsection.a $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_record_test_SOURCES = tests/kafka/record_test.c
tests_kafka_record_test_LDADD = kafka/libsection.a $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_recut_test_SOURCES = tests/kafka/recut_test.c tests/kafka/get_streams.h tests/kafka/raw_blocks.h
tests_kafka_recut_test_LDADD = kafka/libsection.a $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_spool_test_SOURCES = tests/kafka/spool_test.c
tests_kafka_spool_test_LDADD = kafka/libsection.a $(CMOCKA_LIBS) $(PCAP_LIBS) -lpthread
# With what tests of the sender share.
sender_bench = tests/kafka/sender_bench.c tests/kafka/sender_bench.h $(own_net)
tests_kafka_sender_recut_test_SOURCES = tests/kafka/sender_recut_test.c $(sender_bench)
tests_kafka_sender_recut_test_CFLAGS = $(AM_CFLAGS) $(RDKAFKA_CFLAGS)
tests_kafka_sender_recut_test_LDADD = kafka/libkafka.a kafka/libsection.a $(RDKAFKA_LIBS) $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_sender_recut_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_monotonic
tests_kafka_sender_test_SOURCES = tests/kafka/sender_test.c $(sender_bench)
tests_kafka_sender_test_CFLAGS = $(AM_CFLAGS) $(RDKAFKA_CFLAGS)
tests_kafka_sender_test_LDADD = kafka/libkafka.a kafka/libsection.a $(RDKAFKA_LIBS) $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_sender_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_monotonic
tests_kafka_settings_test_SOURCES = tests/kafka/settings_test.c
tests_kafka_settings_test_CFLAGS = $(AM_CFLAGS) $(RDKAFKA_CFLAGS)
tests_kafka_settings_test_LDADD = kafka/libkafka.a kafka/libsection.a $(RDKAFKA_LIBS) $(CMOCKA_LIBS) $(PCAP_LIBS)
# What many hosts would put.
tests_kafka_fleet_SOURCES = tests/kafka/fleet.c
tests_kafka_fleet_CFLAGS = $(AM_CFLAGS) $(RDKAFKA_CFLAGS)
tests_kafka_fleet_LDADD = kafka/libkafka.a kafka/libsection.a $(RDKAFKA_LIBS) $(PCAP_LIBS)
if KAFKA
kafka_programs += tests/kafka/sender_recut_test tests/kafka/sender_test tests/kafka/settings_test
check_PROGRAMS += tests/kafka/fleet
$(KAFKA_TESTS:.sh=.log): kafka/pcapng-kafka$(EXEEXT)
tests/kafka/signals.log: find/pcapng-find$(EXEEXT) tests/kafka/fleet$(EXEEXT)
tests/kafka/to.log tests/kafka/loss.log tests/kafka/rings.log tests/kafka/faults.log: xdpdump/xdpdump$(EXEEXT) testprogs/trafgen$(EXEEXT) testprogs/capcheck$(EXEEXT)
endif

.PHONY: check-kafka
check-kafka: all
	$(MAKE) check TESTS='$(kafka_programs) $(KAFKA_TESTS)'
# A hundred faults. KAFKA_FAULTS=20 for fewer.
.PHONY: check-kafka-faults
check-kafka-faults: all testprogs/trafgen$(EXEEXT) testprogs/capcheck$(EXEEXT)
	CHECK_SIZE=long $(SHELL) $(srcdir)/tests/run.sh $(SHELL) $(srcdir)/tests/kafka/faults.sh

# What putting packets into Kafka costs, and the rate that xdpdump --to keeps up with: four minutes.
EXTRA_DIST += tests/kafka/bench.sh tests/kafka/delay.py
.PHONY: bench-fleet
bench-fleet: all testprogs/trafgen$(EXEEXT)
	$(srcdir)/tests/kafka/bench.sh
