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
tests_kafka_section_test_SOURCES = tests/kafka/section_test.c $(section_sources)
tests_kafka_section_test_LDADD = $(CMOCKA_LIBS)
tests_kafka_gap_test_SOURCES = tests/kafka/gap_test.c tests/kafka/raw_blocks.h $(section_sources) $(get_sources)
tests_kafka_gap_test_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
tests_kafka_gap_test_LDADD = $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_get_test_SOURCES = tests/kafka/get_test.c tests/kafka/get_streams.h tests/kafka/raw_blocks.h $(section_sources) $(get_sources)
tests_kafka_get_test_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
tests_kafka_get_test_LDADD = $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_output_test_SOURCES = tests/kafka/output_test.c tests/kafka/get_streams.h tests/kafka/raw_blocks.h $(section_sources) $(get_sources)
tests_kafka_output_test_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
tests_kafka_output_test_LDADD = $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_processes_test_SOURCES = tests/kafka/processes_test.c tests/kafka/raw_blocks.h $(section_sources) $(get_sources)
tests_kafka_processes_test_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
tests_kafka_processes_test_LDADD = $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_record_test_SOURCES = tests/kafka/record_test.c $(section_sources) $(keys_sources)
tests_kafka_record_test_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
tests_kafka_record_test_LDADD = $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_recut_test_SOURCES = tests/kafka/recut_test.c tests/kafka/get_streams.h tests/kafka/raw_blocks.h \
	kafka/put/recut.c kafka/put/recut.h $(section_sources) $(get_sources)
tests_kafka_recut_test_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
tests_kafka_recut_test_LDADD = $(CMOCKA_LIBS) $(PCAP_LIBS)
tests_kafka_spool_test_SOURCES = tests/kafka/spool_test.c $(section_sources) kafka/put/claim.c kafka/put/claim.h \
	kafka/put/spool.c kafka/put/spool.h util/clock.c util/clock.h \
	util/command/say.c util/command/say.h
tests_kafka_spool_test_LDADD = $(CMOCKA_LIBS)
# What sends sections, with what its tests share.
sender_sources = tests/kafka/sender_bench.c tests/kafka/sender_bench.h $(own_net) $(section_sources) $(keys_sources) kafka/client.c kafka/client.h \
	util/command/say.c util/command/say.h util/command/signals.c util/command/signals.h util/again.c util/again.h kafka/put/indexer.c kafka/put/indexer.h kafka/put/topic_settings.c kafka/put/topic_settings.h \
	kafka/put/kept.c kafka/put/kept.h kafka/put/letter.c kafka/put/letter.h \
	kafka/put/limit.c kafka/put/limit.h kafka/put/produce.c kafka/put/produce.h kafka/put/recut.c kafka/put/recut.h \
	kafka/put/sender.c kafka/put/sender.h kafka/put/trouble.c kafka/put/trouble.h \
	kafka/put/window.c kafka/put/window.h util/table.c util/table.h \
	kafka/put/spool.c kafka/put/spool.h kafka/put/state.c kafka/put/state.h util/clock.c util/clock.h \
	util/put_state.h
tests_kafka_sender_recut_test_SOURCES = tests/kafka/sender_recut_test.c $(sender_sources)
tests_kafka_sender_recut_test_CFLAGS = $(AM_CFLAGS) $(RDKAFKA_CFLAGS)
tests_kafka_sender_recut_test_LDADD = $(RDKAFKA_LIBS) $(CMOCKA_LIBS)
tests_kafka_sender_test_SOURCES = tests/kafka/sender_test.c $(sender_sources)
tests_kafka_sender_test_CFLAGS = $(AM_CFLAGS) $(RDKAFKA_CFLAGS)
tests_kafka_sender_test_LDADD = $(RDKAFKA_LIBS) $(CMOCKA_LIBS)
# What many hosts would put.
tests_kafka_fleet_SOURCES = tests/kafka/fleet.c $(section_sources) $(keys_sources) kafka/client.c kafka/client.h \
	util/command/say.c util/command/say.h util/command/signals.c util/command/signals.h util/again.c util/again.h \
	kafka/put/indexer.c kafka/put/indexer.h kafka/put/topic_settings.c kafka/put/topic_settings.h \
	kafka/put/produce.c kafka/put/produce.h util/clock.c util/clock.h util/put_state.h
tests_kafka_fleet_CFLAGS = $(AM_CFLAGS) $(RDKAFKA_CFLAGS)
tests_kafka_fleet_LDADD = $(RDKAFKA_LIBS)
if KAFKA
kafka_programs += tests/kafka/sender_recut_test tests/kafka/sender_test
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
