# The engine: one archive, which goes into libpcap.so as well as into xdpdump.
noinst_LIBRARIES += libafxdpcapture.a
libafxdpcapture_a_CFLAGS = $(LIBRARY_CFLAGS) $(LIBBPF_CFLAGS) $(LIBMNL_CFLAGS)
libafxdpcapture_a_SOURCES = \
	capture/capture.c capture/capture.h \
	capture/caps.c capture/caps.h \
	capture/clock.c capture/clock.h \
	capture/cpus.c capture/cpus.h \
	capture/device.c \
	capture/facts.c capture/facts.h \
	capture/log.c capture/log.h \
	capture/merge.c capture/merge.h \
	capture/packet.c capture/packet.h \
	capture/program.c capture/program.h \
	capture/refine.c capture/refine.h \
	capture/ring.c capture/ring.h \
	capture/wait.c capture/wait.h
libafxdpcapture_a_LIBADD = $(libfilter_a_OBJECTS)
EXTRA_libafxdpcapture_a_DEPENDENCIES = $(libfilter_a_OBJECTS)
ENGINE_LIBS = libafxdpcapture.a $(LIBBPF_LIBS) $(LIBMNL_LIBS)

capture/libafxdpcapture_a-program.$(OBJEXT): bpf/capture.skel.h
