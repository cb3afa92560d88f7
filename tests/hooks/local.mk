# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The hooks and both directions, as root, in namespaces; every frame compared with AF_PACKET's.

HOOK_TESTS = tests/hooks/devices.sh tests/hooks/directions.sh tests/hooks/tags.sh \
	tests/hooks/superframes.sh tests/hooks/foreign.sh tests/hooks/several.sh tests/hooks/upset.sh \
	tests/hooks/hash.sh tests/hooks/killed.sh tests/hooks/many.sh tests/hooks/reduce.sh \
	tests/hooks/combined.sh tests/hooks/compilers.sh tests/hooks/hidden_cpus.sh tests/hooks/nodes.sh tests/hooks/join.sh tests/hooks/lean.sh \
	tests/hooks/refused.sh tests/hooks/beside.sh tests/hooks/blind.sh tests/hooks/drivers.sh
hook_test_programs = tests/hooks/blind tests/hooks/combined tests/hooks/compiled tests/hooks/dispatcher tests/hooks/foreign tests/hooks/loaded \
	tests/hooks/many tests/hooks/tun
check_PROGRAMS += $(hook_test_programs)
opens = tests/hooks/opens.c tests/hooks/opens.h
opens_flags = $(AM_LDFLAGS) -Wl,--wrap=bpf_object__open_skeleton
tests_hooks_combined_SOURCES = tests/hooks/combined.c $(opens)
tests_hooks_combined_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS)
tests_hooks_combined_LDFLAGS = $(opens_flags)
tests_hooks_compiled_SOURCES = tests/hooks/compiled.c $(opens)
tests_hooks_compiled_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS)
tests_hooks_compiled_LDFLAGS = $(opens_flags)
tests_hooks_loaded_SOURCES = tests/hooks/loaded.c
tests_hooks_loaded_LDADD = $(LIBBPF_LIBS)
tests_hooks_dispatcher_SOURCES = tests/hooks/dispatcher.c
tests_hooks_dispatcher_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS)
tests_hooks_dispatcher_LDADD = $(LIBBPF_LIBS)
tests_hooks_foreign_SOURCES = tests/hooks/foreign.c
tests_hooks_foreign_CFLAGS = $(AM_CFLAGS) $(LIBBPF_CFLAGS)
tests_hooks_foreign_LDADD = $(LIBBPF_LIBS)
tests/hooks/foreign-foreign.$(OBJEXT): tests/hooks/foreign.skel.h
tests_hooks_blind_SOURCES = tests/hooks/blind.c
tests_hooks_blind_LDADD = $(PCAP_LIBS)
tests_hooks_many_SOURCES = tests/hooks/many.c
tests_hooks_many_LDADD = $(PCAP_LIBS)
tests_hooks_tun_SOURCES = tests/hooks/tun.c

TESTS += $(HOOK_TESTS)
EXTRA_DIST += tests/hooks/fake_driver.c tests/hooks/foreign.bpf.c tests/hooks/lib.sh tests/hooks/reduce.py tests/hooks/stack.py \
	$(HOOK_TESTS)
CLEANFILES += tests/hooks/fake_driver.so tests/hooks/foreign.bpf.o tests/hooks/foreign.skel.h
tests/hooks/compilers.log: xdpdump/xdpdump$(EXEEXT)
tests/hooks/drivers.log tests/hooks/refused.log: tests/hooks/fake_driver.so xdpdump/xdpdump$(EXEEXT)
tests/hooks/fake_driver.so: $(srcdir)/tests/hooks/fake_driver.c
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(CC) $(WARN_CFLAGS) $(INIT_CFLAGS) -D_GNU_SOURCE -O1 -fPIC -shared -o $@ $<
tests/hooks/beside.log tests/hooks/blind.log: xdpdump/xdpdump$(EXEEXT)
tests/hooks/foreign.log: xdpdump/xdpdump$(EXEEXT)
tests/hooks/reduce.log: xdpdump/xdpdump$(EXEEXT)
tests/hooks/hash.log: tests/pcap/stream$(EXEEXT) xdpdump/xdpdump$(EXEEXT)
$(HOOK_TESTS:.sh=.log): libpcap-build/libpcap.so.0.8 $(hook_test_programs:=$(EXEEXT))
