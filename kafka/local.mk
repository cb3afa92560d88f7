# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Captures into Kafka and out of it again: a program by itself, where librdkafka is.
# What makes sections of a stream and files of sections, and their index, without librdkafka: tests have it as well.
EXTRA_LIBRARIES += kafka/libsection.a kafka/libkafka.a
CLEANFILES += kafka/libsection.a kafka/libkafka.a
kafka_libsection_a_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS)
kafka_libsection_a_SOURCES = \
	$(index_sources) $(condition_sources) index/filter.c index/filter.h \
	kafka/keys.c kafka/keys.h \
	kafka/label.c kafka/label.h \
	kafka/options.c kafka/options.h kafka/options.def \
	kafka/processes.c kafka/processes.h \
	kafka/record.c kafka/record.h \
	kafka/section.c kafka/section.h \
	kafka/shorten.c kafka/shorten.h \
	kafka/get/gap.c kafka/get/gap.h \
	kafka/get/links.c kafka/get/links.h \
	kafka/get/merge.c kafka/get/merge.h \
	kafka/get/output.c kafka/get/output.h \
	kafka/get/streams.c kafka/get/streams.h \
	kafka/put/claim.c kafka/put/claim.h \
	kafka/put/input.c kafka/put/input.h \
	kafka/put/losses.c kafka/put/losses.h \
	kafka/put/recut.c kafka/put/recut.h \
	kafka/put/spool.c kafka/put/spool.h \
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
	util/command/moment.c util/command/moment.h \
	util/command/rows.c util/command/rows.h \
	util/command/say.c util/command/say.h \
	util/command/signals.c util/command/signals.h \
	util/folder.c util/folder.h \
	util/harmless.c util/harmless.h util/memory_limit.h \
	util/nearest.h \
	util/shared.c util/shared.h \
	util/table.c util/table.h \
	kafka/varint.h
# What speaks to brokers.
kafka_libkafka_a_CFLAGS = $(AM_CFLAGS) $(RDKAFKA_CFLAGS) $(PCAP_CFLAGS)
kafka_libkafka_a_SOURCES = \
	kafka/client.c kafka/client.h \
	kafka/commands.h \
	kafka/get/catalog.c kafka/get/catalog.h \
	kafka/get/fetch.c kafka/get/fetch.h \
	kafka/get/get.c \
	kafka/get/ls.c \
	kafka/get/plan.c kafka/get/plan.h \
	kafka/get/told.c kafka/get/told.h \
	kafka/get/topic.c kafka/get/topic.h \
	kafka/put/flow.c kafka/put/flow.h \
	kafka/put/indexer.c kafka/put/indexer.h \
	kafka/put/kept.c kafka/put/kept.h \
	kafka/put/letter.c kafka/put/letter.h \
	kafka/put/limit.c kafka/put/limit.h \
	kafka/put/produce.c kafka/put/produce.h \
	kafka/put/put.c \
	kafka/put/sender.c kafka/put/sender.h \
	kafka/put/settings.c kafka/put/settings.h \
	kafka/put/state.c kafka/put/state.h \
	kafka/put/topic_settings.c kafka/put/topic_settings.h \
	kafka/put/trouble.c kafka/put/trouble.h \
	kafka/put/window.c kafka/put/window.h \
	pcapng/packet_ends.c pcapng/packet_ends.h pcapng/part.h \
	util/json.c util/json.h \
	util/put_state.h \
	util/unique.c util/unique.h
kafka_pcapng_kafka_SOURCES = kafka/main.c
kafka_pcapng_kafka_CFLAGS = $(kafka_libkafka_a_CFLAGS)
kafka_pcapng_kafka_LDADD = kafka/libkafka.a kafka/libsection.a $(RDKAFKA_LIBS) $(PCAP_LIBS)
if KAFKA
bin_PROGRAMS += kafka/pcapng-kafka
endif

if KAFKA
dist_man_MANS += man/pcapng-kafka.1
pcapng_kafka_name = `echo pcapng-kafka | $(SED) '$(transform)'`
else
EXTRA_DIST += man/pcapng-kafka.1
endif
# bash-completion finds it by the name of the command.
EXTRA_DIST += kafka/pcapng-kafka.bash-completion
.PHONY: install-kafka-completion
install-data-local: install-kafka-completion
install-kafka-completion:
	test -z '$(completionsdir)' || test -z "$(pcapng_kafka_name)" || { \
		$(MKDIR_P) '$(DESTDIR)$(completionsdir)' && \
		$(SED) "s/^complete .*/complete -F _pcapng_kafka $(pcapng_kafka_name)/" \
			'$(srcdir)/kafka/pcapng-kafka.bash-completion' > "$(DESTDIR)$(completionsdir)/$(pcapng_kafka_name)"; }
