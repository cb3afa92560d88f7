# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# libpcap with the module inside. Its source is never part of this package: it comes from
# --with-libpcap-source=, or else from the distribution's own mirror.

GRAFT_FILES = graft/graft graft/edits graft/insert.awk graft/build graft/known graft/pcap-afxdp-compat.h \
	graft/README.afxdp.md
GLUE_FILES = $(srcdir)/pcap-afxdp.c $(srcdir)/pcap-afxdp-any.c $(srcdir)/pcap-afxdp-debug.c $(srcdir)/pcap-afxdp-list.c \
	$(srcdir)/pcap-afxdp-load.c $(srcdir)/pcap-afxdp-plain.c $(srcdir)/pcap-afxdp-read.c $(srcdir)/pcap-afxdp.h $(srcdir)/pcap-afxdp-debug.h $(srcdir)/pcap-afxdp-plain.h $(srcdir)/pcap-afxdp-int.h
EXTRA_DIST += $(GRAFT_FILES) graft/fetch-source graft/sources.awk graft/sizes.awk graft/libpcap.clang-format

# Where a fetched source package is kept: PCAP_AFXDP_CACHE in the environment, or here.
# make LIBPCAP_FETCH='--suite trixie' asks for another one than the system's own.
LIBPCAP_FETCH =
FIND_LIBPCAP_SOURCE = libpcap_source='$(LIBPCAP_SOURCE)'; test -n "$$libpcap_source" || \
	libpcap_source=`$(SHELL) $(srcdir)/graft/fetch-source $(LIBPCAP_FETCH) "$${PCAP_AFXDP_CACHE:-.}/libpcap-source"` || \
	exit 1

all-local: libpcap-build/libpcap.so.0.8
# Beside the library of the build, libpcap finds that one; and where both are installed, too. A package, for
# which the system's folders do, says LIBPCAP_RUNPATH=.
LIBPCAP_RUNPATH = $$ORIGIN
# Where configure was to look for libraries, of another machine for one.
FIND_PACKAGES = $(if $(PKG_CONFIG_PATH),PKG_CONFIG_PATH='$(PKG_CONFIG_PATH)') \
	$(if $(PKG_CONFIG_LIBDIR),PKG_CONFIG_LIBDIR='$(PKG_CONFIG_LIBDIR)')
libpcap-build/libpcap.so.0.8: $(GLUE_FILES) libafxdpcapture.a $(library_soname) libafxdpcapture-uninstalled.pc \
		capture/afxdpcapture.h capture/afxdpcapture_sets.h bpf/record.h $(GRAFT_FILES)
	+$(AM_V_GEN)$(FIND_LIBPCAP_SOURCE); \
	NM='$(NM)' PKG_CONFIG='$(PKG_CONFIG)' $(FIND_PACKAGES) $(SHELL) $(srcdir)/graft/build $(LIBPCAP_HOST) \
		--source "$$libpcap_source" --output libpcap-build --pc-dir . \
		--afxdp '$(LIBPCAP_AFXDP)' --runpath '$(LIBPCAP_RUNPATH)' \
		CC='$(CC)' CFLAGS='$(HARDEN_CFLAGS) $(PREFIX_MAP) $(CFLAGS) $(SANITIZE_CFLAGS)' \
		CPPFLAGS='$(HARDEN_CPPFLAGS) $(CPPFLAGS)' \
		LDFLAGS='$(HARDEN_LDFLAGS) $(LDFLAGS) $(SANITIZE_CFLAGS)' MODULE_CFLAGS='$(WARN_CFLAGS)'

libpcap.patch: $(GLUE_FILES) $(GRAFT_FILES)
	$(AM_V_GEN)$(FIND_LIBPCAP_SOURCE); \
	$(SHELL) $(srcdir)/graft/graft --patch --without-plain "$$libpcap_source" > $@.tmp && mv $@.tmp $@ && \
	awk -f $(srcdir)/graft/sizes.awk $@
CLEANFILES += libpcap.patch libpcap.patch.tmp

install-exec-local: install-libpcap
clean-local: clean-libpcap
distclean-local: distclean-libpcap

# Of names that other libpcaps have, too, the one that programs ask for has to be free.
OPTIONAL_LIBPCAP = `cd libpcap-build && for link in libpcap.so*; do \
	test "$$link" = "\`readlink libpcap.so\`" || echo "optional=$(libpcapdir)/$$link"; done`

# Where libpcap goes: a package has a folder of its own for it.
libpcapdir = $(libdir)

# The file's own name is libpcap-afxdp.so.VERSION: only links have libpcap's. Needed is the SONAME; the other
# names are for dlopen(), the other SONAME by a library that has it, as ldconfig lists files by it.
.PHONY: install-libpcap clean-libpcap distclean-libpcap
install-libpcap: libpcap-build/libpcap.so.0.8
	$(MKDIR_P) '$(DESTDIR)$(libpcapdir)' '$(DESTDIR)$(pkgdatadir)'
	cp libpcap-build/libpcap-afxdp.so.* libpcap-build/libpcap-afxdp-alias.so '$(DESTDIR)$(libpcapdir)'
	cp -P libpcap-build/libpcap.so* '$(DESTDIR)$(libpcapdir)'
	cd '$(DESTDIR)$(libpcapdir)' && for link in libpcap.so.*; do \
		test $$link = "`readlink libpcap.so`" || ln -sf libpcap-afxdp-alias.so $$link; done
	cd '$(DESTDIR)$(libpcapdir)' && ln -sf "`readlink \`readlink libpcap.so\``" libpcap.so
	$(INSTALL_DATA) libpcap-build/source-version '$(DESTDIR)$(pkgdatadir)/libpcap-version'
clean-libpcap:
	rm -rf libpcap-build other-libpcap other-libpcap.lock
distclean-libpcap:
	rm -rf libpcap-source given-libpcap given-libmnl

GRAFT_TESTS = tests/graft/insert.sh tests/graft/fetch.sh tests/graft/library.sh tests/graft/release.sh tests/graft/newer.sh \
	tests/graft/patch.sh \
	tests/graft/install.sh
TESTS += $(GRAFT_TESTS)
EXTRA_DIST += $(GRAFT_TESTS) tests/graft/common.sh tests/graft/other.sh

# The patch on another release and by cmake as well. PATCH_TREES="DIR...": on these source trees, too.
.PHONY: check-patch
check-patch: libpcap-build/libpcap.so.0.8
	CHECK_SIZE=long $(SHELL) $(srcdir)/tests/run.sh $(SHELL) $(srcdir)/tests/graft/patch.sh
