# SPDX-License-Identifier: BSD-3-Clause
# Tests end with a line "N passed, N failed, N skipped"; exit 77 is a skip, with its reason printed.
# make check runs each within seconds; make check-long the same tests at full size.

TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)

include tests/filter/local.mk
include tests/hooks/local.mk
include tests/divert/local.mk
include tests/xdpdump/local.mk
include tests/apps/local.mk
include tests/loader/local.mk
include tests/vm/local.mk

# The engine, unprivileged: on rings in ordinary memory.
ENGINE_TESTS = tests/capture/cpus_test tests/capture/device_test tests/capture/facts_test \
	tests/capture/merge_test tests/capture/nic_time_test tests/capture/wait_test \
	tests/capture/xsk_test
check_PROGRAMS += $(ENGINE_TESTS)
TESTS += $(ENGINE_TESTS)
ENGINE_TEST_LIBS = $(ENGINE_LIBS) $(PCAP_LIBS) $(CMOCKA_LIBS)
fake_ring = tests/capture/fake_ring.c tests/capture/fake_ring.h
tests_capture_cpus_test_SOURCES = tests/capture/cpus_test.c
tests_capture_cpus_test_LDADD = $(ENGINE_TEST_LIBS)
tests_capture_cpus_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=fopen
tests_capture_device_test_SOURCES = tests/capture/device_test.c
tests_capture_device_test_LDADD = $(ENGINE_TEST_LIBS)
tests_capture_facts_test_SOURCES = tests/capture/facts_test.c
tests_capture_facts_test_LDADD = $(ENGINE_TEST_LIBS)
tests_capture_facts_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=mnl_cb_run
tests_capture_merge_test_SOURCES = tests/capture/merge_test.c $(fake_ring)
tests_capture_merge_test_LDADD = $(ENGINE_TEST_LIBS) -lpthread
tests_capture_merge_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_wall
tests_capture_nic_time_test_SOURCES = tests/capture/nic_time_test.c
tests_capture_nic_time_test_LDADD = $(ENGINE_TEST_LIBS)
tests_capture_nic_time_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ioctl,--wrap=clock_monotonic
tests_capture_wait_test_SOURCES = tests/capture/wait_test.c $(fake_ring)
tests_capture_wait_test_LDADD = $(ENGINE_TEST_LIBS) -lpthread
tests_capture_wait_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ring_buffer__new \
	-Wl,--wrap=ring_buffer__free -Wl,--wrap=ring_buffer__consume
tests_capture_xsk_test_SOURCES = tests/capture/xsk_test.c
tests_capture_xsk_test_LDADD = $(ENGINE_TEST_LIBS)
CMOCKA_LIBS = -lcmocka

# The engine on veth, as root, in a namespace that ends with the program.
check_PROGRAMS += tests/capture/clock_test tests/capture/doorbell_test
TESTS += tests/capture/clock_test tests/capture/doorbell_test
own_net = tests/capture/own_net.c tests/capture/own_net.h
tests_capture_clock_test_SOURCES = tests/capture/clock_test.c $(own_net)
tests_capture_clock_test_LDADD = $(ENGINE_LIBS) $(PCAP_LIBS)
tests_capture_clock_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_gettime \
	-Wl,--wrap=libbpf_probe_bpf_helper
tests_capture_doorbell_test_SOURCES = tests/capture/doorbell_test.c $(own_net)
tests_capture_doorbell_test_LDADD = $(ENGINE_LIBS) $(PCAP_LIBS) -lpthread

# The system's programs on the library of the build, as root, in namespaces.
PCAP_TESTS = \
	tests/pcap/smoke.sh \
	tests/pcap/api.sh \
	tests/pcap/badinput.sh \
	tests/pcap/compare.sh \
	tests/pcap/fullring.sh \
	tests/pcap/gone.sh \
	tests/pcap/kill.sh \
	tests/pcap/leak.sh \
	tests/pcap/list.sh \
	tests/pcap/queues.sh \
	tests/pcap/rate.sh \
	tests/pcap/sizes.sh \
	tests/pcap/stamps.sh \
	tests/pcap/traffic.sh \
	tests/pcap/vlan.sh
TESTS += $(PCAP_TESTS)
EXTRA_DIST += tests/lib.sh $(PCAP_TESTS)

pcap_test_programs = tests/pcap/handle_test tests/pcap/read_test tests/pcap/stream
check_PROGRAMS += $(pcap_test_programs)
live = tests/pcap/live.c tests/pcap/live.h $(own_net)
LIVE_LIBS = $(PCAP_LIBS) $(CMOCKA_LIBS) -lpthread
tests_pcap_stream_SOURCES = tests/pcap/stream.c
tests_pcap_handle_test_SOURCES = tests/pcap/handle_test.c $(live)
tests_pcap_handle_test_LDADD = $(LIVE_LIBS)
tests_pcap_read_test_SOURCES = tests/pcap/read_test.c $(live)
tests_pcap_read_test_LDADD = $(LIVE_LIBS)
$(PCAP_TESTS:.sh=.log): libpcap-build/libpcap.so.0.8 $(pcap_test_programs)
tests/pcap/stamps.log: tests/pcap/fake_clock.so
tests/pcap/fake_clock.so: $(srcdir)/tests/pcap/fake_clock.c
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(CC) $(WARN_CFLAGS) -D_GNU_SOURCE -O1 -fPIC -shared -o $@ $<
EXTRA_DIST += tests/pcap/fake_clock.c
CLEANFILES += tests/pcap/fake_clock.so

# The same at full size.
.PHONY: check-long check-long-capture
check-long: check check-long-capture check-long-filter
check-long-capture: tests/capture/doorbell_test tests/hooks/foreign xdpdump/xdpdump libpcap-build/libpcap.so.0.8 $(noinst_PROGRAMS) \
		$(pcap_test_programs)
	DOORBELL_ROUNDS=10000000 tests/capture/doorbell_test
	RATE_FRAMES=10000000 $(SHELL) $(srcdir)/tests/pcap/rate.sh
	QUEUES_FRAMES=5000000 $(SHELL) $(srcdir)/tests/pcap/queues.sh
	FULLRING_FRAMES=10000000 $(SHELL) $(srcdir)/tests/pcap/fullring.sh
	TRAFFIC_BYTES=2000000000 $(SHELL) $(srcdir)/tests/pcap/traffic.sh
	LEAK_OPENS=5000 LEAK_VALGRIND_OPENS=1000 $(SHELL) $(srcdir)/tests/pcap/leak.sh
	ROTATE_SECONDS=3600 $(SHELL) $(srcdir)/tests/xdpdump/rotate_time.sh
	KILLED_SECONDS=60 $(SHELL) $(srcdir)/tests/hooks/killed.sh
	DIVERT_FRAMES=50000000 $(SHELL) $(srcdir)/tests/divert/account.sh
