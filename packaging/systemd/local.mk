# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# A service for each interface, by the name of the command.
EXTRA_DIST += packaging/systemd/xdpdump@.service.in
.PHONY: install-unit
install-data-local: install-unit
install-unit:
	test -z '$(systemdsystemunitdir)' || { $(MKDIR_P) '$(DESTDIR)$(systemdsystemunitdir)' && \
		name=$(xdpdump_name) && $(SED) -e "s,@name""@,$$name,g" -e 's,@sbindir''@,$(sbindir),g' \
			-e 's,@sysconfdir''@,$(sysconfdir),g' '$(srcdir)/packaging/systemd/xdpdump@.service.in' \
			> "$(DESTDIR)$(systemdsystemunitdir)/$$name@.service"; }
