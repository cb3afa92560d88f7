# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# All parts of the library, for what is built with it and for tests that look inside.
noinst_LIBRARIES += libcapture.a
libcapture_a_CPPFLAGS = $(AM_CPPFLAGS) -DLOADER_PATH='"$(pkglibexecdir)/pcap-afxdp-loader"'
libcapture_a_CFLAGS = $(LIBRARY_CFLAGS) $(LIBXDP_CFLAGS) $(LIBBPF_CFLAGS) $(LIBMNL_CFLAGS)
libcapture_a_SOURCES = \
	capture/api.c capture/capture.c capture/files.c capture/flows.c capture/gate.c capture/afxdpcapture.h capture/capture_private.h capture/stats.c capture/look.c \
	capture/attach/facts/bond.c capture/attach/facts/bond.h \
	capture/attach/facts/caps.c capture/attach/facts/caps.h \
	util/clock.c util/clock.h \
	capture/attach/facts/cpus.c capture/attach/facts/cpus.h \
	capture/options/device.c capture/options/names.c \
	capture/options/option.c capture/options/option.h \
	capture/options/options.c capture/options/options.h capture/options/options.def \
	capture/attach/default_route.c capture/attach/default_route.h \
	capture/divert/divert.c capture/divert/divert.h \
	capture/attach/trace/drop_names.c capture/attach/trace/drop_names.h \
	capture/attach/trace/drops.c capture/attach/trace/drops.h \
	capture/attach/facts/facts.c capture/attach/facts/facts.h \
	capture/read/filter_state.c capture/read/filter_state.h \
	capture/attach/refusal/agree.c capture/attach/refusal/agree.h \
	capture/attach/carrier.c capture/attach/carrier.h capture/attach/hold_signals.h \
	capture/attach/hook.c capture/attach/hook.h \
	capture/attach/facts/links.c capture/attach/facts/links.h \
	capture/attach/facts/memory.c capture/attach/facts/memory.h \
	capture/attach/facts/tags.c capture/attach/facts/tags.h \
	capture/attach/refusal/conditions.c capture/attach/refusal/conditions.h \
	capture/attach/refusal/words.c capture/attach/refusal/words.h \
	capture/attach/facts/neighbors.c capture/attach/facts/neighbors.h \
	capture/attach/refusal/refusal.c capture/attach/refusal/refusal.h \
	capture/attach/refusal/trial.c capture/attach/refusal/trial.h \
	capture/attach/program/image.c capture/attach/program/image.h \
	capture/attach/program/first.c capture/attach/program/first.h \
	capture/attach/program/limit.c capture/attach/program/limit.h \
	capture/attach/trace/kernel_types.c capture/attach/trace/kernel_types.h \
	capture/attach/trace/symbols.c capture/attach/trace/symbols.h \
	capture/attach/trace/type_file.c capture/attach/trace/type_file.h \
	capture/attach/program/rings.c capture/attach/program/rings.h \
	capture/attach/program/settle.c capture/attach/program/settle.h \
	capture/attach/program/timers.c capture/attach/program/timers.h \
	capture/divert/inject.c capture/divert/inject.h \
	capture/loader/loader.c capture/loader/loader.h \
	capture/loader/loader_protocol.c capture/loader/loader_protocol.h \
	util/grace.c util/grace.h util/harmless.c util/harmless.h util/log.c util/log.h util/rtlink.c util/rtlink.h util/descriptors.c util/descriptors.h util/less.h util/line.c util/line.h util/memory_limit.h util/no_bpf.c util/no_bpf.h util/offloads.c util/offloads.h util/uapi.h util/standard.c util/standard.h \
	pcap-afxdp-debug.c pcap-afxdp-debug.h \
	capture/read/cook.c capture/read/history.c capture/read/merge.c capture/read/merge.h capture/read/news.c \
	capture/attach/facts/nic_time.c capture/attach/facts/nic_time.h \
	capture/attach/program/own_program.c capture/attach/program/own_program.h \
	capture/attach/addresses.c capture/attach/addresses.h \
	capture/attach/packet.c capture/attach/packet.h \
	capture/divert/borrowed.c capture/divert/borrowed.h \
	capture/attach/program/program.c capture/attach/program/program.h \
	capture/read/reader.c capture/read/reader.h \
	capture/read/refine.c capture/read/refine.h capture/read/socket_of.c \
	capture/ring/ring.c capture/ring/walk.c capture/ring/ring.h \
	capture/attach/attachment.c capture/attach/attachment.h \
	capture/attach/trace/trace.c capture/attach/trace/trace.h \
	capture/attach/facts/dropped.c capture/attach/facts/dropped.h \
	capture/attach/proof.c capture/attach/proof.h \
	capture/attach/watch.c capture/attach/watch.h \
	capture/read/wait.c capture/read/wait.h \
	capture/sets/entries.c capture/sets/entries.h capture/sets/file.c capture/sets/flow_file.c capture/sets/flow_file.h \
	capture/sets/flow_text.c capture/sets/flow_text.h capture/sets/flows.c capture/sets/flows.h capture/sets/lists.c capture/sets/lists.h capture/sets/ports.c capture/sets/sets.c capture/sets/sets.h \
	capture/sets/table.c capture/sets/table.h capture/sets/text.c capture/sets/text.h \
	capture/ring/xsk.c capture/ring/xsk.h \
	capture/ring/xsk_borrowed.c capture/ring/xsk_borrowed.h \
	capture/ring/xsk_record.c \
	capture/divert/xsk_tx.c capture/divert/xsk_tx.h
libcapture_a_LIBADD = $(libfilter_a_OBJECTS)
EXTRA_libcapture_a_DEPENDENCIES = $(libfilter_a_OBJECTS)
CAPTURE_LIBS = libcapture.a $(LIBXDP_LIBS) $(LIBBPF_LIBS) $(LIBMNL_LIBS)

capture/attach/libcapture_a-hook.$(OBJEXT) capture/attach/program/libcapture_a-program.$(OBJEXT) \
	capture/attach/program/libcapture_a-rings.$(OBJEXT) capture/attach/program/libcapture_a-timers.$(OBJEXT) \
	capture/attach/refusal/libcapture_a-trial.$(OBJEXT) \
	capture/attach/trace/libcapture_a-drops.$(OBJEXT) capture/attach/trace/libcapture_a-trace.$(OBJEXT): bpf/capture.skel.h
capture/attach/refusal/libcapture_a-words.$(OBJEXT): bpf/words.skel.h

# The library for everybody: one object for static linking, in which only what afxdpcapture.h declares is visible,
# so that no name of ours meets one of a program's. Groups are resolved: what gcc puts into them on i386 would be
# hidden as well, and lost beside another object's.
libafxdpcapture.a: libcapture.a
	$(AM_V_GEN)rm -f $@ && \
	$(CC) -r -nostdlib -o libafxdpcapture.o -Wl,--force-group-allocation -Wl,--whole-archive libcapture.a -Wl,--no-whole-archive && \
	$(OBJCOPY) --localize-hidden libafxdpcapture.o && \
	$(AR) $(ARFLAGS) $@ libafxdpcapture.o

# And a shared one. No libtool: its objects are position-independent already, the platform is Linux alone, and
# what libtool would do is these lines, without wrapper scripts that tests would have to see through.
library_soname = libafxdpcapture.so.0
library_file = libafxdpcapture.so.$(PACKAGE_VERSION)
library_map = $(srcdir)/capture/libafxdpcapture.map
library_clients = $(LIBXDP_LIBS) $(LIBBPF_LIBS) $(LIBMNL_LIBS) -pthread
# The sanitizers' runtime comes with the program.
if SANITIZERS
library_checks =
else
library_checks = -Wl,-z,defs
endif
$(library_file): libcapture.a $(library_map)
	$(AM_V_CCLD)$(CC) $(AM_CFLAGS) $(CFLAGS) -shared -Wl,-soname,$(library_soname) -Wl,-Bsymbolic-functions \
		-Wl,--version-script,$(library_map) $(library_checks) $(AM_LDFLAGS) $(LDFLAGS) -o $@ \
		-Wl,--whole-archive libcapture.a -Wl,--no-whole-archive $(library_clients)
$(library_soname): $(library_file)
	$(AM_V_GEN)ln -sf $(library_file) $@
libafxdpcapture.so: $(library_file)
	$(AM_V_GEN)ln -sf $(library_file) $@
all-local: libafxdpcapture.a $(library_soname) libafxdpcapture.so
CLEANFILES += libafxdpcapture.a libafxdpcapture.o libafxdpcapture.so libafxdpcapture.so.*
EXTRA_DIST += capture/libafxdpcapture.map

# In a folder of their own, as record.h is a common name.
libraryincludedir = $(includedir)/afxdpcapture
libraryinclude_HEADERS = capture/afxdpcapture.h capture/afxdpcapture_sets.h bpf/record.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = libafxdpcapture.pc

.PHONY: install-library
install-exec-local: install-library
install-library: libafxdpcapture.a $(library_file)
	@$(MKDIR_P) '$(DESTDIR)$(libdir)'
	$(INSTALL_DATA) libafxdpcapture.a $(library_file) '$(DESTDIR)$(libdir)'
	ln -sf $(library_file) '$(DESTDIR)$(libdir)/$(library_soname)'
	ln -sf $(library_file) '$(DESTDIR)$(libdir)/libafxdpcapture.so'

# The process that keeps the privilege to load filters. Its name stays, whatever --program-prefix says.
# packaging/install gives it to its group.
noinst_PROGRAMS += pcap-afxdp-loader
EXTRA_DIST += capture/install-loader
.PHONY: install-loader
install-exec-local: install-loader
install-loader: pcap-afxdp-loader$(EXEEXT)
	$(MKDIR_P) '$(DESTDIR)$(pkglibexecdir)' && \
	$(INSTALL_PROGRAM) $< '$(DESTDIR)$(pkglibexecdir)'
pcap_afxdp_loader_CPPFLAGS = $(AM_CPPFLAGS) $(LIBSECCOMP_CFLAGS) $(LIBXDP_CFLAGS) \
	-DLOADER_CONF_FOLDER='"$(sysconfdir)/pcap-afxdp"'
pcap_afxdp_loader_SOURCES = capture/loader/loader_main.c capture/loader/policy.c capture/loader/policy.h \
	capture/loader/apart.c capture/loader/apart.h \
	capture/loader/beside.c capture/loader/beside.h \
	capture/loader/change.c capture/loader/change.h \
	capture/loader/confine.c capture/loader/confine.h util/calls.h \
	capture/loader/reloader.c capture/loader/reloader.h \
	capture/attach/program/join.c capture/attach/program/join.h
pcap_afxdp_loader_LDADD = $(CAPTURE_LIBS) $(LIBSECCOMP_LIBS)
capture/attach/program/pcap_afxdp_loader-join.$(OBJEXT): bpf/capture.skel.h
