# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make install: the rules of all folders install into a folder of the build; packaging/install puts that on
# the system, if nothing there is somebody else's, and lists it for make uninstall.
include packaging/apparmor/local.mk
include packaging/systemd/local.mk
include packaging/release.mk
include packaging/static.mk

EXTRA_DIST += packaging/pre-commit packaging/sbom packaging/extcap-folder packaging/manifest packaging/install packaging/uninstall packaging/kubernetes/daemonset.yaml packaging/kubernetes/fleet.yaml \
	packaging/prometheus/xdpdump.rules.yaml
manifest = $(pkgdatadir)/manifest
# What others have is left to them, and the rest is installed all the same.
OPTIONAL = optional="$(EXTCAP_LINK)" $(OPTIONAL_LIBPCAP)

# With a umask of 077 nobody but root could load the libraries.
install: all
	@umask 022; stage=`mktemp -d '$(abs_builddir)/staged.XXXXXX'` || exit 1; trap 'rm -rf "$$stage"' EXIT; \
	$(MAKE) $(AM_MAKEFLAGS) -s install-am DESTDIR="$$stage" > /dev/null && \
	DESTDIR='$(DESTDIR)' $(SHELL) $(srcdir)/packaging/install stage="$$stage" manifest='$(manifest)' \
		libdir='$(libpcapdir)' apparmor='$(apparmordir)' loader='$(pkglibexecdir)/pcap-afxdp-loader' \
		group='$(capture_group)' $(OPTIONAL)
uninstall:
	@DESTDIR='$(DESTDIR)' $(SHELL) $(srcdir)/packaging/uninstall manifest='$(manifest)' apparmor='$(apparmordir)'

INSTALL_TESTS = tests/packaging/install.sh tests/packaging/hardened.sh tests/packaging/reproducible.sh \
	tests/packaging/release.sh tests/packaging/service.sh tests/packaging/empty_root.sh tests/packaging/container.sh \
	tests/packaging/extcap_folder.sh tests/packaging/libpcap.sh
tests/packaging/service.log: xdpdump/xdpdump$(EXEEXT)
TESTS += $(INSTALL_TESTS)
EXTRA_DIST += $(INSTALL_TESTS) tests/packaging/static.sh

# What a package has, below DESTDIR: no list of files, a folder of its own for libpcap, and the program that
# chooses it. The manual speaks of the command by the name that it has there, and of xdp-tools' by its own.
package_libpcapdir = $(libdir)/pcap-afxdp
choosedir = $(exec_prefix)/sbin
own_namedir = $(exec_prefix)/lib/pcap-afxdp/bin
.PHONY: install-package
install-package: all
	$(MAKE) $(AM_MAKEFLAGS) install-am libpcapdir='$(package_libpcapdir)'
	$(MKDIR_P) '$(DESTDIR)$(own_namedir)' '$(DESTDIR)$(choosedir)' '$(DESTDIR)$(man8dir)'
	name=$(xdpdump_name); $(SED) -i -e "/^\.Dt/s/XDPDUMP/`echo $$name | tr a-z A-Z`/" \
		-e "/of xdp-tools/!{/^\.Cm xdpdump/!s/\<xdpdump\(-to\)\?\([ @/:_]\|\$$\)/$$name\1\2/g}" -e 's,/usr/local/sbin,$(sbindir),' "$(DESTDIR)$(man8dir)/$$name.8"
	$(SED) -e 's,@private@,$(package_libpcapdir),' -e "s,@soname@,`readlink libpcap-build/libpcap.so`," \
		$(srcdir)/packaging/pcap-afxdp-libpcap > '$(DESTDIR)$(choosedir)/pcap-afxdp-libpcap'
	chmod 755 '$(DESTDIR)$(choosedir)/pcap-afxdp-libpcap'
	$(INSTALL_DATA) $(srcdir)/man/pcap-afxdp-libpcap.8 '$(DESTDIR)$(man8dir)'
	ln -sfn "$(sbindir)/$(xdpdump_name)" '$(DESTDIR)$(own_namedir)/xdpdump'

# Debian packages, in deb/ of the build; DEB_OPTIONS are dpkg-buildpackage's.
.PHONY: deb
deb:
	LIBPCAP_SOURCE='$(LIBPCAP_SOURCE)' $(SHELL) $(srcdir)/packaging/deb . deb $(DEB_OPTIONS)
EXTRA_DIST += packaging/deb packaging/pcap-afxdp.spec packaging/pcap-afxdp.rpmlintrc packaging/pcap-afxdp-libpcap \
	man/pcap-afxdp-libpcap.8
EXTRA_DIST += debian/afxdpdump.docs debian/afxdpdump.install debian/afxdpdump.links debian/afxdpdump.postrm debian/afxdpdump.prerm \
	debian/changelog debian/control \
	debian/copyright debian/libafxdpcapture-dev.install debian/libafxdpcapture0.install \
	debian/libafxdpcapture0.symbols debian/pcap-afxdp-loader.install debian/pcap-afxdp-loader.postinst \
	debian/pcap-afxdp-loader.postrm debian/pcap-afxdp.README.Debian debian/pcap-afxdp.install \
	debian/pcap-afxdp.lintian-overrides debian/pcap-afxdp.postinst debian/pcap-afxdp.prerm debian/pcapng-kafka.install \
	debian/pcapng-kafka.prerm debian/rules \
	debian/source/format debian/source/lintian-overrides debian/tests/capture debian/tests/control

# Not a part of make check: in fresh systems, that are downloaded. SUITE=bookworm, trixie; the long form: both.
# Of libpcap as configure was given it, where it was.
DEB_TESTS = tests/packaging/deb.sh
EXTRA_DIST += $(DEB_TESTS) tests/packaging/build_debs.sh tests/packaging/use_debs.sh \
	tests/packaging/patched.sh
.PHONY: check-packages
check-packages:
	SUITE='$(SUITE)' LIBPCAP_SOURCE='$(LIBPCAP_SOURCE)' $(SHELL) $(srcdir)/tests/run.sh $(SHELL) \
		$(srcdir)/tests/packaging/deb.sh
