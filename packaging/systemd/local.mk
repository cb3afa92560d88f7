# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Services for each interface, by the name of the command: one writes files, one sends to Kafka.
EXTRA_DIST += packaging/systemd/xdpdump@.service.in packaging/systemd/xdpdump-to@.service.in
.PHONY: install-unit
install-data-local: install-unit
install-unit:
	test -z '$(systemdsystemunitdir)' || { $(MKDIR_P) '$(DESTDIR)$(systemdsystemunitdir)' && \
		name=$(xdpdump_name) && for unit in @ -to@; do \
			$(SED) -e "s,@name""@,$$name,g" -e 's,@sbindir''@,$(sbindir),g' -e 's,@bindir''@,$(bindir),g' \
				-e 's,@sysconfdir''@,$(sysconfdir),g' "$(srcdir)/packaging/systemd/xdpdump$$unit.service.in" \
				> "$(DESTDIR)$(systemdsystemunitdir)/$$name$$unit.service" || exit; \
		done; }
