# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make install: the rules of all folders install into a folder of the build; packaging/install puts that on
# the system, if nothing there is somebody else's, and lists it for make uninstall.
include packaging/apparmor/local.mk
include packaging/release.mk

EXTRA_DIST += packaging/pre-commit packaging/manifest packaging/install packaging/uninstall
manifest = $(pkgdatadir)/manifest
# What others have is left to them, and the rest is installed all the same.
OPTIONAL = optional="$(EXTCAP_LINK)" $(OPTIONAL_LIBPCAP)

install: all
	@stage=`mktemp -d '$(abs_builddir)/staged.XXXXXX'` || exit 1; trap 'rm -rf "$$stage"' EXIT; \
	$(MAKE) $(AM_MAKEFLAGS) -s install-am DESTDIR="$$stage" > /dev/null && \
	DESTDIR='$(DESTDIR)' $(SHELL) $(srcdir)/packaging/install stage="$$stage" manifest='$(manifest)' \
		libdir='$(libdir)' apparmor='$(apparmordir)' loader='$(pkglibexecdir)/pcap-afxdp-loader' \
		group='$(capture_group)' $(OPTIONAL)
uninstall:
	@DESTDIR='$(DESTDIR)' $(SHELL) $(srcdir)/packaging/uninstall manifest='$(manifest)' apparmor='$(apparmordir)'

INSTALL_TESTS = tests/packaging/install.sh tests/packaging/hardened.sh tests/packaging/reproducible.sh \
	tests/packaging/release.sh
TESTS += $(INSTALL_TESTS)
EXTRA_DIST += $(INSTALL_TESTS)
