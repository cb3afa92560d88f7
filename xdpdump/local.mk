# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The capture command.
sbin_PROGRAMS += xdpdump/xdpdump
# What makes a line of a frame, without the rest: tests have it as well.
line_sources = \
	xdpdump/output/line.c xdpdump/output/line.h \
	xdpdump/output/line_icmp.c \
	xdpdump/output/line_ip.c \
	xdpdump/output/line_parts.c xdpdump/output/line_parts.h \
	xdpdump/output/line_transport.c \
	pcapng/part.h
# All but its beginning, so that tests can link parts of it.
noinst_LIBRARIES += xdpdump/libxdpdump.a
xdpdump_libxdpdump_a_SOURCES = \
	$(index_sources) \
	xdpdump/os/affinity.c xdpdump/os/affinity.h \
	xdpdump/files/command.c xdpdump/files/command.h \
	xdpdump/files/command_line.c xdpdump/files/command_line.h \
	xdpdump/files/lock.c xdpdump/files/lock.h \
	xdpdump/files/zstd_file.h \
	xdpdump/os/complain.c xdpdump/os/complain.h \
	xdpdump/os/child.c xdpdump/os/child.h \
	xdpdump/os/confine.c xdpdump/os/confine.h util/calls.h \
	xdpdump/doctor/doctor.c xdpdump/doctor/doctor.h \
	xdpdump/doctor/check.c xdpdump/doctor/check.h \
	xdpdump/doctor/check_capture.c \
	xdpdump/doctor/check_attaching.c xdpdump/doctor/check_running.c \
	xdpdump/doctor/check_device.c \
	xdpdump/doctor/check_hooks.c \
	xdpdump/doctor/check_libpcap.c \
	xdpdump/doctor/check_queues.c \
	xdpdump/doctor/check_system.c xdpdump/doctor/check_who.c \
	xdpdump/doctor/checks.c xdpdump/doctor/checks.def \
	xdpdump/doctor/measure.c xdpdump/doctor/measure.h \
	xdpdump/doctor/patient.c xdpdump/doctor/patient.h \
	xdpdump/doctor/print.c xdpdump/doctor/print.h \
	xdpdump/doctor/redact.c xdpdump/doctor/redact.h \
	xdpdump/doctor/rehearsal.c xdpdump/doctor/rehearsal.h \
	xdpdump/doctor/report.c xdpdump/doctor/report.h \
	xdpdump/source/expression.c xdpdump/source/expression.h \
	xdpdump/source/expression_ebpf.c xdpdump/source/expression_pull.c \
	xdpdump/source/expression_text.c \
	xdpdump/cli/extcap.c xdpdump/cli/extcap.h \
	xdpdump/feed/address.c xdpdump/feed/address.h \
	xdpdump/feed/audience.c xdpdump/feed/audience.h \
	xdpdump/feed/beginning.c xdpdump/feed/beginning.h \
	xdpdump/feed/export.c xdpdump/feed/export.h \
	xdpdump/feed/exporter.c xdpdump/feed/exporter.h \
	xdpdump/feed/exports.c xdpdump/feed/exports.h \
	xdpdump/feed/feed.c xdpdump/feed/feed.h \
	xdpdump/feed/feeds.c xdpdump/feed/feeds.h \
	xdpdump/feed/gaps.c xdpdump/feed/gaps.h \
	xdpdump/feed/listen.c xdpdump/feed/listen.h \
	xdpdump/feed/ring.c xdpdump/feed/ring.h \
	xdpdump/feed/serve.c xdpdump/feed/serve.h \
	xdpdump/feed/starter.c xdpdump/feed/starter.h \
	xdpdump/files/crew.c xdpdump/files/crew.h \
	xdpdump/files/files.c xdpdump/files/files.h \
	xdpdump/files/finisher.c xdpdump/files/finisher.h \
	xdpdump/session/figures.c xdpdump/session/figures.h xdpdump/session/figures.def \
	xdpdump/session/metrics.c xdpdump/session/metrics.h \
	xdpdump/session/watchers.c xdpdump/session/watchers.h \
	xdpdump/os/notify.c xdpdump/os/notify.h \
	xdpdump/os/interfaces.c xdpdump/os/interfaces.h \
	xdpdump/output/decode.c xdpdump/output/decode.h \
	$(line_sources) \
	xdpdump/output/time_text.c xdpdump/output/time_text.h \
	util/again.c util/again.h util/put_state.h util/unique.c util/unique.h \
	util/clock.c util/clock.h util/grace.c util/grace.h util/harmless.c util/harmless.h util/json.c util/json.h util/descriptors.c util/descriptors.h util/less.h util/line.c util/line.h util/memory_limit.h util/no_bpf.c util/no_bpf.h util/offloads.c util/offloads.h util/rtlink.c util/rtlink.h util/uapi.h \
	xdpdump/files/names.c xdpdump/files/names.h \
	xdpdump/os/limits.c xdpdump/os/limits.h \
	xdpdump/os/netns.c xdpdump/os/netns.h xdpdump/os/netns_list.c \
	xdpdump/os/places.c xdpdump/os/places.h \
	util/buffer.c util/buffer.h util/folder.c util/folder.h util/nearest.h util/shared.c util/shared.h util/table.c util/table.h \
	xdpdump/cli/option_output.c \
	xdpdump/cli/option_upstream.c \
	xdpdump/cli/option_values.c xdpdump/cli/option_values.h \
	xdpdump/cli/combine.c xdpdump/cli/combine.def \
	xdpdump/source/device.c xdpdump/source/device.h \
	xdpdump/habits.def \
	xdpdump/cli/help.c \
	xdpdump/plan/plan.h \
	xdpdump/cli/options.c xdpdump/cli/options.h xdpdump/options.def \
	xdpdump/source/patterns.c xdpdump/source/patterns.h \
	xdpdump/cli/row.c xdpdump/cli/row.h \
	xdpdump/cli/same_files.c xdpdump/cli/same_files.h \
	xdpdump/source/words.c xdpdump/source/words.h \
	xdpdump/output/output.h \
	xdpdump/output/output_beside.c \
	xdpdump/output/output_cooked.c xdpdump/output/output_cooked.h \
	xdpdump/output/output_file.c \
	xdpdump/output/output_pcap.c \
	xdpdump/output/output_secrets.c \
	xdpdump/files/indexer.c xdpdump/files/indexer.h \
	xdpdump/files/keylog.c xdpdump/files/keylog.h \
	xdpdump/output/drop_table.c xdpdump/output/drop_table.h \
	xdpdump/output/entries.c xdpdump/output/entries.h xdpdump/output/label.c xdpdump/output/label.h \
	xdpdump/output/output_summary.c \
	xdpdump/output/output_text.c \
	xdpdump/output/packet_text.c xdpdump/output/packet_text.h \
	pcapng/cooked.c pcapng/cooked.h \
	pcapng/format.h \
	pcapng/packet.c pcapng/packet.h \
	pcapng/packet_ends.c pcapng/packet_ends.h \
	pcapng/read.c pcapng/read.h \
	pcapng/savefile.c pcapng/savefile.h \
	pcapng/write.c pcapng/write.h \
	xdpdump/session/announce.c xdpdump/session/announce.h \
	xdpdump/session/supervisor.c xdpdump/session/supervisor.h \
	xdpdump/session/workers.c xdpdump/session/workers.h \
	xdpdump/session/labels.c xdpdump/session/labels.h \
	xdpdump/os/privileges.c xdpdump/os/privileges.h \
	xdpdump/os/programs.c xdpdump/os/programs.h \
	xdpdump/source/members.c xdpdump/source/members.h \
	xdpdump/session/reader.c xdpdump/session/reader.h \
	xdpdump/session/reader_blocks.c xdpdump/session/reader_blocks.h \
	xdpdump/session/reader_heed.c xdpdump/session/reader_heed.h \
	xdpdump/session/reader_file.c xdpdump/session/reader_file.h \
	pcapng/packet_options.c pcapng/packet_options.h \
	pcapng/replace.c pcapng/replace.h \
	xdpdump/session/report.c xdpdump/session/report.h xdpdump/session/report.def \
	xdpdump/session/report_json.c \
	xdpdump/files/rotation.c xdpdump/files/rotation.h \
	xdpdump/session/session.c xdpdump/session/session.h \
	xdpdump/os/signals.c xdpdump/os/signals.h \
	xdpdump/os/user.c xdpdump/os/user.h \
	xdpdump/files/sink.c xdpdump/files/sink.h \
	xdpdump/files/trial.c xdpdump/files/trial.h \
	xdpdump/source/source.c xdpdump/source/source.h \
	xdpdump/source/source_filter.c xdpdump/source/source_parse.c \
	xdpdump/source/source_parts.h xdpdump/source/source_words.c \
	xdpdump/source/sources.c xdpdump/source/sources.h \
	xdpdump/spaces/keeper.c xdpdump/spaces/keeper.h \
	xdpdump/spaces/links.c xdpdump/spaces/links.h xdpdump/spaces/news.h \
	xdpdump/spaces/outbox.c xdpdump/spaces/outbox.h \
	xdpdump/spaces/socket.c xdpdump/spaces/socket.h \
	xdpdump/spaces/spaces.c xdpdump/spaces/spaces.h \
	xdpdump/session/reader_members.c xdpdump/session/reader_members.h \
	xdpdump/cli/stamp_types.c xdpdump/cli/stamp_types.h \
	xdpdump/source/targets.c xdpdump/source/targets.h \
	xdpdump/session/trigger.c xdpdump/session/trigger.h \
	xdpdump/files/writer.c xdpdump/files/writer.h
if ZSTD
xdpdump_libxdpdump_a_SOURCES += xdpdump/files/zstd_file.c
else
xdpdump_libxdpdump_a_SOURCES += xdpdump/files/zstd_file_none.c
endif
xdpdump_xdpdump_SOURCES = xdpdump/main.c
if STATIC_XDPDUMP
xdpdump_xdpdump_SOURCES += xdpdump/os/static_names.c
if STATIC_LIBMNL
static_libmnl = static/libmnl.a
else
static_libmnl = $(LIBMNL_LIBS)
endif
xdpdump_libs = static/libpcap.a $(STATIC_LIBS) $(static_libmnl)
else
xdpdump_libs = $(LIBXDP_LIBS) $(LIBBPF_LIBS) $(LIBMNL_LIBS) $(PCAP_LIBS) $(ZSTD_LIBS) $(LIBSECCOMP_LIBS)
endif
xdpdump_xdpdump_LDFLAGS = $(AM_LDFLAGS) $(STATIC_LDFLAGS)
xdpdump_libxdpdump_a_CPPFLAGS = $(AM_CPPFLAGS) -DLIBPCAP_VERSION_FILE='"$(pkgdatadir)/libpcap-version"'
xdpdump_libxdpdump_a_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS) $(LIBXDP_CFLAGS) $(LIBBPF_CFLAGS) $(ZSTD_CFLAGS) \
	$(LIBSECCOMP_CFLAGS)
xdpdump_xdpdump_CFLAGS = $(xdpdump_libxdpdump_a_CFLAGS)
# The library as everybody else has it: what its face does not show does not link. The static one: the command is
# then one file, which works alone, in a build tree and beside a library of any other version, and package
# and library come from one source, so a fix reaches both.
xdpdump_xdpdump_LDADD = xdpdump/libxdpdump.a libwho.a libafxdpcapture.a libfilter.a $(xdpdump_libs) -lpthread

# The command's name, as --program-prefix and its like have it.
xdpdump_name = `echo xdpdump | $(SED) '$(transform)'`

# A link in Wireshark's extcap folder.
EXTCAP_LINK = $(extcapdir)/$(xdpdump_name)
.PHONY: install-extcap
install-exec-local: install-extcap
install-extcap:
	test -z '$(extcapdir)' || { $(MKDIR_P) "$(DESTDIR)$(extcapdir)" && \
		ln -sfn "$(sbindir)/$(xdpdump_name)" "$(DESTDIR)$(EXTCAP_LINK)"; }

# For programs that read xdpdump --json.
schema_sources = $(srcdir)/xdpdump/session/schema $(srcdir)/xdpdump/session/figures.def \
	$(srcdir)/xdpdump/session/schema.json.in
nodist_pkgdata_DATA = xdpdump/xdpdump.schema.json
EXTRA_DIST += xdpdump/session/schema xdpdump/session/schema.json.in
CLEANFILES += xdpdump/xdpdump.schema.json
xdpdump/xdpdump.schema.json: $(schema_sources)
	$(AM_V_GEN)$(MKDIR_P) xdpdump && $(SHELL) $(schema_sources) > $@.new && mv $@.new $@

# bash-completion finds it by the name of the command.
EXTRA_DIST += xdpdump/cli/xdpdump.bash-completion
.PHONY: install-completion
install-data-local: install-completion
install-completion:
	test -z '$(completionsdir)' || { $(MKDIR_P) '$(DESTDIR)$(completionsdir)' && \
		$(SED) "s/^complete .*/complete -F _xdpdump $(xdpdump_name)/" \
			'$(srcdir)/xdpdump/cli/xdpdump.bash-completion' > "$(DESTDIR)$(completionsdir)/$(xdpdump_name)"; }
