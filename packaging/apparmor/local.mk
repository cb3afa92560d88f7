# SPDX-License-Identifier: BSD-3-Clause
# AppArmor: rules for programs that capture, and the loader's profile.
apparmor_files = packaging/apparmor/pcap-afxdp packaging/apparmor/pcap-afxdp-loader
noinst_DATA = $(apparmor_files)
CLEANFILES += $(apparmor_files)
EXTRA_DIST += $(apparmor_files:=.in) packaging/apparmor/install

packaging/apparmor/pcap-afxdp: $(srcdir)/packaging/apparmor/pcap-afxdp.in
packaging/apparmor/pcap-afxdp-loader: $(srcdir)/packaging/apparmor/pcap-afxdp-loader.in
$(apparmor_files): Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(SED) -e 's,@libdir''@,$(libdir),g' -e 's,@loader''@,$(pkglibexecdir)/pcap-afxdp-loader,g' \
		$(srcdir)/$@.in > $@.tmp && mv $@.tmp $@

install-data-hook:
	DESTDIR='$(DESTDIR)' $(SHELL) $(srcdir)/packaging/apparmor/install . '$(libdir)'
uninstall-hook:
	DESTDIR='$(DESTDIR)' $(SHELL) $(srcdir)/packaging/apparmor/install --uninstall '$(libdir)'
