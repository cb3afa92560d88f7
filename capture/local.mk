# SPDX-License-Identifier: BSD-3-Clause
# The engine, for xdpdump and for tests.
noinst_LIBRARIES += libengine.a
libengine_a_CPPFLAGS = $(AM_CPPFLAGS) -DLOADER_PATH='"$(pkglibexecdir)/pcap-afxdp-loader"'
libengine_a_CFLAGS = $(LIBRARY_CFLAGS) $(LIBXDP_CFLAGS) $(LIBBPF_CFLAGS) $(LIBMNL_CFLAGS)
libengine_a_SOURCES = \
	capture/capture.c capture/capture.h capture/capture_private.h \
	capture/caps.c capture/caps.h \
	capture/clock.c capture/clock.h \
	capture/cpus.c capture/cpus.h \
	capture/device.c \
	capture/divert.c capture/divert.h \
	capture/facts.c capture/facts.h \
	capture/filter_state.c capture/filter_state.h \
	capture/hook.c capture/hook.h \
	capture/image.c capture/image.h \
	capture/inject.c capture/inject.h \
	capture/loader.c capture/loader.h \
	capture/loader_protocol.c capture/loader_protocol.h \
	capture/log.c capture/log.h \
	capture/merge.c capture/merge.h \
	capture/nic_time.c capture/nic_time.h \
	capture/own_program.c capture/own_program.h \
	capture/packet.c capture/packet.h \
	capture/part.c \
	capture/passed.c capture/passed.h \
	capture/program.c capture/program.h \
	capture/refine.c capture/refine.h \
	capture/ring.c capture/ring.h \
	capture/tap.c capture/tap.h \
	capture/trace.c capture/trace.h \
	capture/wait.c capture/wait.h \
	capture/xsk.c capture/xsk.h \
	capture/xsk_passed.c capture/xsk_passed.h \
	capture/xsk_record.c \
	capture/xsk_tx.c capture/xsk_tx.h
libengine_a_LIBADD = $(libfilter_a_OBJECTS)
EXTRA_libengine_a_DEPENDENCIES = $(libfilter_a_OBJECTS)
ENGINE_LIBS = libengine.a $(LIBXDP_LIBS) $(LIBBPF_LIBS) $(LIBMNL_LIBS)

capture/libengine_a-program.$(OBJEXT) capture/libengine_a-hook.$(OBJEXT) \
	capture/libengine_a-trace.$(OBJEXT): bpf/capture.skel.h

# The same for libpcap: one object, in which only what capture.h declares is visible, so that no name
# of ours meets one of libpcap's or of a program that links it statically.
libafxdpcapture.a: libengine.a
	$(AM_V_GEN)rm -f $@ && \
	$(CC) -r -nostdlib -o libafxdpcapture.o -Wl,--whole-archive libengine.a -Wl,--no-whole-archive && \
	$(OBJCOPY) --localize-hidden libafxdpcapture.o && \
	$(AR) $(ARFLAGS) $@ libafxdpcapture.o
CLEANFILES += libafxdpcapture.a libafxdpcapture.o

# The process that keeps the privilege to load filters.
pkglibexec_PROGRAMS += pcap-afxdp-loader
pcap_afxdp_loader_CPPFLAGS = $(AM_CPPFLAGS) $(LIBSECCOMP_CFLAGS) $(LIBXDP_CFLAGS)
pcap_afxdp_loader_SOURCES = capture/loader_main.c capture/join.c capture/join.h
pcap_afxdp_loader_LDADD = $(ENGINE_LIBS) $(LIBSECCOMP_LIBS)
capture/pcap_afxdp_loader-join.$(OBJEXT): bpf/capture.skel.h
