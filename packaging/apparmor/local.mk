# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# AppArmor: rules for programs that capture, and the loader's profile.
apparmor_files = packaging/apparmor/pcap-afxdp packaging/apparmor/pcap-afxdp-loader
noinst_DATA = $(apparmor_files)
CLEANFILES += $(apparmor_files)
EXTRA_DIST += $(apparmor_files:=.in)

packaging/apparmor/pcap-afxdp: $(srcdir)/packaging/apparmor/pcap-afxdp.in
packaging/apparmor/pcap-afxdp-loader: $(srcdir)/packaging/apparmor/pcap-afxdp-loader.in
$(apparmor_files): Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(SED) -e 's,@libdir''@,$(libdir),g' -e 's,@loader''@,$(pkglibexecdir)/pcap-afxdp-loader,g' \
		-e 's,@sysconfdir''@,$(sysconfdir),g' $(srcdir)/$@.in > $@.tmp && mv $@.tmp $@

# Profiles of AppArmor are where it looks for them: there is no place below a prefix.
install-data-local: install-apparmor
.PHONY: install-apparmor
install-apparmor: $(apparmor_files)
	test -z '$(apparmordir)' || { \
		$(MKDIR_P) '$(DESTDIR)$(apparmordir)/abstractions' && \
		$(INSTALL_DATA) packaging/apparmor/pcap-afxdp '$(DESTDIR)$(apparmordir)/abstractions' && \
		$(INSTALL_DATA) packaging/apparmor/pcap-afxdp-loader '$(DESTDIR)$(apparmordir)'; }
