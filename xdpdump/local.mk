# SPDX-License-Identifier: BSD-3-Clause
# The capture command.
sbin_PROGRAMS += xdpdump/xdpdump
xdpdump_xdpdump_SOURCES = \
	xdpdump/affinity.c xdpdump/affinity.h \
	xdpdump/command.c xdpdump/command.h \
	xdpdump/zstd_file.h \
	xdpdump/confine.c xdpdump/confine.h \
	xdpdump/default_route.c xdpdump/default_route.h \
	xdpdump/doctor.c xdpdump/doctor.h \
	xdpdump/doctor_checks.h \
	xdpdump/doctor_device.c \
	xdpdump/doctor_hooks.c \
	xdpdump/doctor_queues.c \
	xdpdump/doctor_system.c \
	xdpdump/expression.c xdpdump/expression.h \
	xdpdump/expression_ebpf.c \
	xdpdump/expression_text.c xdpdump/expression_text.h \
	xdpdump/extcap.c xdpdump/extcap.h \
	xdpdump/extcap_config.c xdpdump/extcap_config.h \
	xdpdump/files.c xdpdump/files.h \
	xdpdump/findings.c xdpdump/findings.h \
	xdpdump/finisher.c xdpdump/finisher.h \
	xdpdump/history.c xdpdump/history.h \
	xdpdump/interfaces.c xdpdump/interfaces.h \
	xdpdump/json.c xdpdump/json.h \
	xdpdump/main.c \
	xdpdump/names.c xdpdump/names.h \
	xdpdump/netns.c xdpdump/netns.h \
	xdpdump/option_output.c xdpdump/option_output.h \
	xdpdump/option_upstream.c xdpdump/option_upstream.h \
	xdpdump/option_values.c xdpdump/option_values.h \
	xdpdump/options.c xdpdump/options.h \
	xdpdump/output.h \
	xdpdump/output_file.c \
	xdpdump/output_pcap.c \
	xdpdump/output_text.c \
	xdpdump/packet_text.c xdpdump/packet_text.h \
	xdpdump/pcapng.c xdpdump/pcapng.h \
	xdpdump/per_queue.c xdpdump/per_queue.h \
	xdpdump/privileges.c xdpdump/privileges.h \
	xdpdump/programs.c xdpdump/programs.h \
	xdpdump/reader.c xdpdump/reader.h \
	xdpdump/reader_file.c xdpdump/reader_file.h \
	xdpdump/record_options.c xdpdump/record_options.h \
	xdpdump/report.c xdpdump/report.h \
	xdpdump/rotation.c xdpdump/rotation.h \
	xdpdump/seek_table.c xdpdump/seek_table.h \
	xdpdump/session.c xdpdump/session.h \
	xdpdump/signals.c xdpdump/signals.h \
	xdpdump/sink.c xdpdump/sink.h \
	xdpdump/source.c xdpdump/source.h \
	xdpdump/sources.c xdpdump/sources.h \
	xdpdump/stamp_types.c xdpdump/stamp_types.h \
	xdpdump/targets.c xdpdump/targets.h \
	xdpdump/trigger.c xdpdump/trigger.h \
	xdpdump/writer.c xdpdump/writer.h
if ZSTD
xdpdump_xdpdump_SOURCES += xdpdump/zstd_file.c
else
xdpdump_xdpdump_SOURCES += xdpdump/zstd_file_none.c
endif
xdpdump_xdpdump_CFLAGS = $(AM_CFLAGS) $(PCAP_CFLAGS) $(LIBXDP_CFLAGS) $(LIBBPF_CFLAGS) $(ZSTD_CFLAGS) \
	$(LIBSECCOMP_CFLAGS)
xdpdump_xdpdump_LDADD = $(ENGINE_LIBS) $(PCAP_LIBS) $(ZSTD_LIBS) $(LIBSECCOMP_LIBS) -lpthread

# A link in Wireshark's extcap folder, unless somebody else has that name there. Without the right to
# write to the folder the rest is installed all the same.
EXTCAP_LINK = $(DESTDIR)$(extcapdir)/xdpdump
EXTCAP_TARGET = $(sbindir)/xdpdump
.PHONY: install-extcap uninstall-extcap
install-exec-hook: install-extcap
uninstall-hook: uninstall-extcap
install-extcap:
	@test -n '$(extcapdir)' || exit 0; \
	if { test -e '$(EXTCAP_LINK)' || test -L '$(EXTCAP_LINK)'; } && \
		test "`readlink '$(EXTCAP_LINK)'`" != '$(EXTCAP_TARGET)'; then \
		echo "$(EXTCAP_LINK) is not ours: Wireshark will not list xdpdump"; \
	elif $(MKDIR_P) '$(DESTDIR)$(extcapdir)' && ln -sfn '$(EXTCAP_TARGET)' '$(EXTCAP_LINK)'; then \
		echo "$(EXTCAP_LINK) -> $(EXTCAP_TARGET)"; \
	else \
		echo "Wireshark will not list xdpdump: configure --with-extcapdir=DIR names another folder"; \
	fi
uninstall-extcap:
	@test -n '$(extcapdir)' || exit 0; \
	if test "`readlink '$(EXTCAP_LINK)'`" = '$(EXTCAP_TARGET)'; then rm -f '$(EXTCAP_LINK)'; fi

# bash-completion finds it by the name of the command.
EXTRA_DIST += xdpdump/xdpdump.bash-completion
.PHONY: install-completion uninstall-completion
install-data-hook: install-completion
uninstall-hook: uninstall-completion
install-completion:
	@test -n '$(completionsdir)' || exit 0; \
	$(MKDIR_P) '$(DESTDIR)$(completionsdir)' && \
	$(INSTALL_DATA) '$(srcdir)/xdpdump/xdpdump.bash-completion' '$(DESTDIR)$(completionsdir)/xdpdump'
uninstall-completion:
	@test -n '$(completionsdir)' || exit 0; \
	rm -f '$(DESTDIR)$(completionsdir)/xdpdump'
