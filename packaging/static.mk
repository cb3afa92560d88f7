# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --enable-static-xdpdump: the archives that it is not linked with as the system has them.
EXTRA_DIST += packaging/static-library packaging/Containerfile .dockerignore
STATIC_LIBRARY = $(SHELL) $(srcdir)/packaging/static-library
STATIC_FLAGS = CC='$(CC)' CFLAGS='$(HARDEN_CPPFLAGS) $(CPPFLAGS) $(HARDEN_CFLAGS) $(PREFIX_MAP) $(CFLAGS)' LDFLAGS='$(LDFLAGS)'

# For expressions alone: the system's, if it has an archive, asks for D-Bus and others. It captures nothing.
static/libpcap.a: $(srcdir)/packaging/static-library
	$(AM_V_GEN)$(FIND_LIBPCAP_SOURCE); \
	$(STATIC_LIBRARY) "$$libpcap_source" libpcap.a $@ $(LIBPCAP_HOST) --with-pcap=null --disable-usb \
		--disable-bluetooth --disable-dbus --disable-rdma --disable-netmap --without-libnl --without-dpdk \
		--without-dag --without-snf $(STATIC_FLAGS)

# Debian 12 has none.
static/libmnl.a: $(srcdir)/packaging/static-library
	$(AM_V_GEN)libmnl_source='$(LIBMNL_SOURCE)'; test -n "$$libmnl_source" || \
	libmnl_source=`$(SHELL) $(srcdir)/graft/fetch-source --package libmnl "$${PCAP_AFXDP_CACHE:-.}/libmnl-source"` || \
	exit 1; \
	$(STATIC_LIBRARY) "$$libmnl_source" libmnl.a $@ $(LIBPCAP_HOST) $(STATIC_FLAGS)

.PHONY: clean-static distclean-static
clean-local: clean-static
distclean-local: distclean-static
clean-static:
	rm -rf static static-xdpdump static-xdpdump.lock
distclean-static:
	rm -rf libmnl-source libmnl-archive
