# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Tests end with a line "N passed, N failed, N skipped"; exit 77 is a skip, with its reason printed.
# Each in one of three sizes, of which tests/sizes.sh tells; make check has the middle one.

TEST_EXTENSIONS = .sh
# With make's jobs tests run side by side, but for these: they measure a time, a rate or what a processor
# does, or need a rate that they do not have where another test takes the processor from them.
ALONE_TESTS = \
	tests/capture/doorbell_test \
	tests/capture/wait_test \
	tests/loader/swap.sh \
	tests/pcap/rate.sh \
	tests/pcap/stamps.sh \
	tests/xdpdump/session/load.sh \
	tests/xdpdump/files/rotate_load.sh
# These measure, too, but wait for most of their time: they run beside each other, when all others of the
# build but those have ended.
WAITING_TESTS = \
	tests/hooks/killed.sh \
	tests/loader/busy.sh \
	tests/pcap/queues.sh \
	tests/xdpdump/files/pipe.sh \
	tests/xdpdump/files/rotate_time.sh
# These make interfaces and namespaces by the hundred, and wait for their news. In stalled.sh one has to get the number of
# one that is gone, before another test's does.
LOCKING_TESTS = \
	tests/xdpdump/spaces/any.sh \
	tests/xdpdump/spaces/burst.sh \
	tests/xdpdump/spaces/churn.sh \
	tests/xdpdump/spaces/spaces.sh \
	tests/xdpdump/spaces/stalled.sh
# These have no interface and need no time to be theirs: they may run beside those, and leave the processors to all
# others.
COMPUTE_TESTS = tests/style.sh tests/house.sh tests/helpers.sh tests/bench.sh tests/capture/models.sh tests/packaging/reproducible.sh tests/packaging/release.sh \
	tests/packaging/install.sh tests/packaging/hardened.sh tests/graft/fetch.sh tests/graft/insert.sh tests/graft/install.sh \
	tests/graft/release.sh tests/graft/library.sh tests/library/abi.sh $(FILTER_TESTS) tests/filter/mutants.sh
AM_TESTS_ENVIRONMENT = ALONE_TESTS='$(ALONE_TESTS)' LOCKING_TESTS='$(LOCKING_TESTS)' COMPUTE_TESTS='$(COMPUTE_TESTS)'; \
	export ALONE_TESTS LOCKING_TESTS COMPUTE_TESTS;
LOG_COMPILER = $(SHELL) $(srcdir)/tests/run.sh
SH_LOG_COMPILER = $(SHELL) $(srcdir)/tests/run.sh $(SHELL)
EXTRA_DIST += tests/run.sh tests/sizes.sh tests/describe.sh tests/tsan.supp tests/valgrind.supp tests/random.h tests/ranges.h
CLEANFILES += tests/interfaces tests/running tests/times

# make begins those that wait when all before them have ended, and then, one by one, those that have to be alone.
logs_of = $(patsubst %,%.log,$(basename $1))
behind = $(if $(filter $(TEST_SUITE_LOG),$(MAKECMDGOALS)),$(filter-out $1,$(TEST_LOGS)))
$(call logs_of,$(WAITING_TESTS)): | $(call behind,$(call logs_of,$(WAITING_TESTS) $(ALONE_TESTS)))
$(call logs_of,$(ALONE_TESTS)): | $(call behind,$(call logs_of,$(ALONE_TESTS)))

# In the order that wastes no job: those that take longest begin first, and those that compute in between. At the end of those with interfaces there are short ones, and then, in between those that lock, what
# computes for no longer than these take.
FIRST_TESTS = tests/kafka/faults.sh tests/pcap/leak.sh tests/style.sh tests/kafka/to.sh tests/divert/receive.sh tests/capture/models.sh \
	tests/packaging/reproducible.sh tests/packaging/empty_root.sh tests/kafka/spool.sh tests/pcap/api.sh \
	tests/xdpdump/cli/examples.sh tests/xdpdump/session/pre_trigger.sh tests/xdpdump/files/commands.sh tests/divert/watchdog.sh \
	tests/loader/large.sh tests/hooks/directions.sh tests/graft/patch.sh tests/sets/sets.sh tests/xdpdump/session/drops.sh \
	tests/xdpdump/files/rotate.sh tests/packaging/install.sh tests/xdpdump/session/per_queue.sh tests/xdpdump/doctor/doctor_agrees.sh \
	tests/pcap/syscalls.sh tests/loader/exact.sh tests/packaging/release.sh tests/pcap/own_frames.sh tests/xdpdump/doctor/doctor.sh \
	tests/loader/start.sh tests/graft/install.sh tests/hooks/compilers.sh tests/hooks/combined.sh tests/hooks/reduce.sh \
	tests/graft/fetch.sh tests/divert/forward.sh tests/xdpdump/spaces/late.sh tests/pcap/plain.sh tests/graft/release.sh \
	tests/apps/group.sh tests/xdpdump/session/interface_gone.sh tests/xdpdump/session/privileges.sh tests/hooks/upset.sh
LAST_TESTS = tests/xdpdump/spaces/spaces.sh tests/filter/mutants.sh tests/filter/verify tests/xdpdump/spaces/churn.sh tests/filter/differ \
	tests/xdpdump/spaces/any.sh tests/filter/large tests/filter/vectors tests/xdpdump/spaces/stalled.sh
in_order = $(filter $1,$(FIRST_TESTS)) $(filter-out $(FIRST_TESTS) $(LAST_TESTS),$1) $(filter $1,$(LAST_TESTS))
all_tests = $(filter-out $(ONCE_TESTS) $(SURICATA_TESTS) $(if $(filter quick,$(CHECK_SIZE)),$(FULL_TESTS)),$(TESTS:$(EXEEXT)=))
# Not of the quick size: all states of the models, further builds, and a broker.
FULL_TESTS = tests/capture/models.sh tests/packaging/reproducible.sh tests/packaging/release.sh tests/packaging/empty_root.sh \
	tests/packaging/container.sh tests/library/abi.sh tests/library/static.sh $(KAFKA_TESTS)
# Suricata: make check-suricata.
SURICATA_TESTS = tests/find/alert.sh
# What looks at the sources or at what is installed, counts instructions, or has a program that does not run on this
# library: ./check runs it in the build without sanitizers.
if SANITIZERS
ONCE_TESTS = tests/style.sh tests/house.sh tests/pages.sh tests/cost/cost.sh tests/capture/models.sh $(INSTALL_TESTS) tests/graft/fetch.sh \
	tests/graft/insert.sh $(KAFKA_TESTS) tests/graft/install.sh tests/graft/patch.sh tests/graft/release.sh tests/library/abi.sh tests/library/static.sh \
	tests/apps/group.sh tests/apps/wireshark.sh tests/filter/mutants.sh tests/hooks/drivers.sh tests/pcap/stamps.sh tests/pcap/syscalls.sh \
	tests/xdpdump/cli/stack.sh tests/xdpdump/session/stamps.sh
# Nor what compiles the kernel's programs, which have no sanitizers, or measures what these change: time, a rate, how
# much memory or a processor is used. Their code is run there by other tests.
ONCE_TESTS += tests/hooks/compilers.sh tests/pcap/leak.sh tests/pcap/rate.sh tests/loader/busy.sh tests/capture/doorbell_test \
	tests/xdpdump/files/rotate_time.sh
endif
# What each of them asserts, by the comment that it begins with.
.PHONY: describe-tests
describe-tests:
	@$(SHELL) $(srcdir)/tests/describe.sh
.PHONY: list-tests list-left-out list-part list-threads list-long
# Of ./check; make check runs all.
list-tests:
	@echo $(call in_order,$(all_tests))
# Of no size.
list-left-out:
	@echo $(filter-out $(all_tests) $(ONCE_TESTS),$(TESTS:$(EXEEXT)=))
# Of the sanitizers' build, for ./check: what parses, and what hands memory from one to another.
part_tests = $(FILTER_TESTS) $(CAPTURE_TESTS) tests/pcapng/blocks_test tests/util/harmless_test tests/loader/protocol \
	tests/xdpdump/output/failing_test tests/pcap/smoke.sh tests/pcap/badinput.sh tests/xdpdump/cli/input.sh
list-part:
	@echo $(part_tests)
# What these need, and no more: two thirds of a whole build.
.PHONY: part
part: $(filter-out %.sh,$(part_tests)) xdpdump/xdpdump pcap-afxdp-loader libafxdpcapture.so libpcap-build/libpcap.so.0.8 \
	testprogs/trafgen testprogs/capcheck
# Of the build with TSan: what has threads. corrupt_test is not: its threads write where others read, on purpose.
list-threads:
	@echo tests/xdpdump/session/per_queue.sh tests/xdpdump/session/watchers.sh tests/xdpdump/files/commands.sh tests/xdpdump/files/rotate.sh \
		tests/xdpdump/session/trigger.sh tests/pcap/api.sh tests/pcap/breakloop.sh tests/capture/merge_test \
		tests/capture/watch_test tests/divert/send_test tests/capture/wait_test
# Error paths that no test of the quick size runs; fails where there are more than these.
COVERAGE_MOST = 0
.PHONY: check-coverage
check-coverage:
	$(SHELL) $(srcdir)/tests/coverage/run.sh '$(abs_srcdir)' coverage $(COVERAGE_MOST)
EXTRA_DIST += tests/coverage/argued.txt tests/coverage/error_paths.py tests/coverage/run.sh
clean-local: clean-coverage
.PHONY: clean-coverage
clean-coverage:
	rm -rf coverage
# Each script with what it reads.
.PHONY: check-style
check-style:
	CHECK_SIZE=long $(SHELL) $(srcdir)/tests/style.sh
# For ./check --long; each is a target of its own.
LONG_CHECKS = check-style check-long-capture check-long-filter check-fuzz check-patch check-window check-clients-long check-vm \
	check-suricata check-chroot check-packages check-cross check-compilers check-faults \
	check-kafka-faults
list-long:
	@echo $(LONG_CHECKS)

include tests/cost/local.mk
include tests/sets/local.mk
include tests/filter/local.mk
include tests/hooks/local.mk
include tests/divert/local.mk
include tests/faults/local.mk
include tests/xdpdump/local.mk
include tests/who/local.mk
include tests/kafka/local.mk
include tests/find/local.mk
include tests/apps/local.mk
include tests/clients/local.mk
include tests/loader/local.mk
include tests/library/local.mk
include tests/card/local.mk
include tests/messages/local.mk
include tests/vm/local.mk
include tests/chroot/local.mk
include tests/machines/local.mk
include tests/clients/suricata.mk

# The library, unprivileged: on rings in ordinary memory.
CAPTURE_TESTS = tests/capture/corrupt_test tests/capture/counts_test tests/capture/cpus_test tests/capture/device_test tests/capture/facts_test \
	tests/capture/links_test \
	tests/capture/merge_test tests/capture/nic_time_test tests/capture/pages_test tests/capture/proof_test tests/capture/wait_test \
	tests/capture/watch_test tests/capture/xsk_test
check_PROGRAMS += $(CAPTURE_TESTS)
TESTS += $(CAPTURE_TESTS)
CAPTURE_TEST_LIBS = $(CAPTURE_LIBS) $(PCAP_LIBS) $(CMOCKA_LIBS)
fake_ring = tests/capture/fake_ring.c tests/capture/fake_ring.h
tests_capture_corrupt_test_SOURCES = tests/capture/corrupt_test.c $(fake_ring)
tests_capture_corrupt_test_LDADD = $(CAPTURE_TEST_LIBS) -lpthread
tests_capture_counts_test_SOURCES = tests/capture/counts_test.c tests/capture/own_net.c tests/capture/own_net.h
tests_capture_counts_test_LDADD = $(CAPTURE_TEST_LIBS) -lpthread
tests_capture_cpus_test_SOURCES = tests/capture/cpus_test.c
tests_capture_cpus_test_LDADD = $(CAPTURE_TEST_LIBS)
tests_capture_cpus_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=fopen,--wrap=fopen64
tests_capture_device_test_SOURCES = tests/capture/device_test.c
tests_capture_device_test_LDADD = $(CAPTURE_TEST_LIBS)
tests_capture_facts_test_SOURCES = tests/capture/facts_test.c
tests_capture_facts_test_LDADD = $(CAPTURE_TEST_LIBS)
tests_capture_facts_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=mnl_cb_run,--wrap=ioctl
tests_capture_links_test_SOURCES = tests/capture/links_test.c
tests_capture_links_test_LDADD = $(CAPTURE_TEST_LIBS)
tests_capture_links_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_monotonic
tests_capture_merge_test_SOURCES = tests/capture/merge_test.c $(fake_ring)
tests_capture_merge_test_LDADD = $(CAPTURE_TEST_LIBS) -lpthread
tests_capture_merge_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_wall,--wrap=clock_monotonic
tests_capture_proof_test_SOURCES = tests/capture/proof_test.c tests/capture/fake_ring.c tests/capture/fake_ring.h
tests_capture_proof_test_LDADD = $(CAPTURE_TEST_LIBS)
tests_capture_nic_time_test_SOURCES = tests/capture/nic_time_test.c
tests_capture_nic_time_test_LDADD = $(CAPTURE_TEST_LIBS)
tests_capture_nic_time_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ioctl,--wrap=clock_monotonic
tests_capture_pages_test_SOURCES = tests/capture/pages_test.c
tests_capture_pages_test_LDADD = $(CAPTURE_TEST_LIBS)
tests_capture_pages_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=sysconf,--wrap=mmap,--wrap=mmap64
tests_capture_wait_test_SOURCES = tests/capture/wait_test.c $(fake_ring)
tests_capture_wait_test_LDADD = $(CAPTURE_TEST_LIBS) -lpthread
tests_capture_wait_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=ring_buffer__new -Wl,--wrap=ring_buffer__epoll_fd \
	-Wl,--wrap=ring_buffer__free -Wl,--wrap=ring_buffer__consume
tests_capture_watch_test_SOURCES = tests/capture/watch_test.c
tests_capture_watch_test_LDADD = $(CAPTURE_TEST_LIBS) -lpthread
tests_capture_watch_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=facts_refresh
tests_capture_xsk_test_SOURCES = tests/capture/xsk_test.c
tests_capture_xsk_test_LDADD = $(CAPTURE_TEST_LIBS)

# What the code relies on, as models for Spin. They stand beside it.
TESTS += tests/capture/models.sh
EXTRA_DIST += tests/capture/models.sh capture/ring/stores.pml capture/ring/chunks.pml \
	capture/ring/shared.pml capture/ring/doorbell.pml capture/read/adopt.pml
CMOCKA_LIBS = -lcmocka

check_PROGRAMS += tests/pcapng/blocks_test tests/pcapng/turn_test
TESTS += tests/pcapng/blocks_test tests/pcapng/turn_test
tests_pcapng_blocks_test_SOURCES = tests/pcapng/blocks_test.c pcapng/cooked.c pcapng/packet.c pcapng/read.c pcapng/write.c \
	util/harmless.c
tests_pcapng_blocks_test_LDADD = $(CMOCKA_LIBS)
tests_pcapng_turn_test_SOURCES = tests/pcapng/turn_test.c pcapng/savefile.c pcapng/turn.c util/buffer.c
tests_pcapng_turn_test_LDADD = $(CMOCKA_LIBS) $(PCAP_LIBS)
check_PROGRAMS += tests/util/harmless_test
TESTS += tests/util/harmless_test
tests_util_harmless_test_SOURCES = tests/util/harmless_test.c util/harmless.c util/json.c
tests_util_harmless_test_LDADD = $(CMOCKA_LIBS)

# The library on veth, as root, in a namespace that ends with the program.
check_PROGRAMS += tests/capture/clock_test tests/capture/doorbell_test tests/capture/socket_test
TESTS += tests/capture/clock_test tests/capture/doorbell_test tests/capture/socket_test
own_net = tests/capture/own_net.c tests/capture/own_net.h
tests_capture_clock_test_SOURCES = tests/capture/clock_test.c $(own_net)
tests_capture_clock_test_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS)
tests_capture_clock_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=clock_gettime \
	-Wl,--wrap=libbpf_probe_bpf_helper
tests_capture_doorbell_test_SOURCES = tests/capture/doorbell_test.c $(own_net)
tests_capture_socket_test_SOURCES = tests/capture/socket_test.c $(own_net)
tests_capture_socket_test_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS)
tests_capture_doorbell_test_LDADD = $(CAPTURE_LIBS) $(PCAP_LIBS) -lpthread

# The system's programs on the library of the build, as root, in namespaces.
PCAP_TESTS = \
	tests/pcap/smoke.sh \
	tests/pcap/any.sh \
	tests/pcap/api.sh \
	tests/pcap/badinput.sh \
	tests/pcap/breakloop.sh \
	tests/pcap/compare.sh \
	tests/pcap/corrupted.sh \
	tests/pcap/debug.sh \
	tests/pcap/fullring.sh \
	tests/pcap/gone.sh \
	tests/pcap/kill.sh \
	tests/pcap/leak.sh \
	tests/pcap/limited.sh \
	tests/pcap/list.sh \
	tests/pcap/memory.sh \
	tests/pcap/own_frames.sh \
	tests/pcap/plain.sh \
	tests/pcap/queues.sh \
	tests/pcap/rate.sh \
	tests/pcap/short.sh \
	tests/pcap/sizes.sh \
	tests/pcap/stamps.sh \
	tests/pcap/syscalls.sh \
	tests/pcap/traffic.sh \
	tests/pcap/vlan.sh
TESTS += $(PCAP_TESTS)
EXTRA_DIST += tests/lib.sh $(PCAP_TESTS)

pcap_test_programs = \
	tests/pcap/any_test \
	tests/pcap/blocking_test \
	tests/pcap/breakloop \
	tests/pcap/handle_test \
	tests/pcap/listed \
	tests/pcap/own_frames \
	tests/pcap/phases \
	tests/pcap/plain_test \
	tests/pcap/read_test \
	tests/pcap/readable_test \
	tests/pcap/replaced_test \
	tests/pcap/status_test \
	tests/pcap/stream \
	tests/pcap/successor_test \
	tests/pcap/tagged_test
check_PROGRAMS += $(pcap_test_programs)
live = tests/pcap/live.c tests/pcap/live.h $(own_net)
LIVE_LIBS = $(PCAP_LIBS) $(CMOCKA_LIBS) -lpthread
tests_pcap_any_test_SOURCES = tests/pcap/any_test.c $(own_net)
tests_pcap_any_test_LDADD = $(PCAP_LIBS)
tests_pcap_phases_SOURCES = tests/pcap/phases.c
tests_pcap_phases_LDADD = $(PCAP_LIBS)
tests_pcap_stream_SOURCES = tests/pcap/stream.c
tests_pcap_blocking_test_SOURCES = tests/pcap/blocking_test.c tests/random.h $(live)
tests_pcap_blocking_test_LDADD = $(LIVE_LIBS)
tests_pcap_breakloop_SOURCES = tests/pcap/breakloop.c $(live)
tests_pcap_breakloop_LDADD = $(LIVE_LIBS)
tests_pcap_listed_SOURCES = tests/pcap/listed.c
tests_pcap_listed_LDADD = $(PCAP_LIBS)
tests_pcap_handle_test_SOURCES = tests/pcap/handle_test.c $(live)
tests_pcap_handle_test_LDADD = $(LIVE_LIBS)
tests_pcap_own_frames_SOURCES = tests/pcap/own_frames.c
tests_pcap_own_frames_LDADD = $(PCAP_LIBS)
tests_pcap_readable_test_SOURCES = tests/pcap/readable_test.c $(live)
tests_pcap_readable_test_LDADD = $(LIVE_LIBS)
tests_pcap_replaced_test_SOURCES = tests/pcap/replaced_test.c $(live)
tests_pcap_replaced_test_LDADD = $(LIVE_LIBS)
tests_pcap_successor_test_SOURCES = tests/pcap/successor_test.c tests/pcap/link_of.c tests/pcap/link_of.h $(live)
tests_pcap_successor_test_LDADD = $(LIVE_LIBS) $(LIBBPF_LIBS)
tests_pcap_read_test_SOURCES = tests/pcap/read_test.c $(live)
tests_pcap_read_test_LDADD = $(LIVE_LIBS)
tests_pcap_status_test_SOURCES = tests/pcap/status_test.c $(live)
tests_pcap_status_test_LDADD = $(LIVE_LIBS)
tests_pcap_plain_test_SOURCES = tests/pcap/plain_test.c $(live)
tests_pcap_plain_test_LDADD = $(LIVE_LIBS)
tests_pcap_tagged_test_SOURCES = tests/pcap/tagged_test.c tests/pcap/tagger.c tests/pcap/tagger.h $(live)
tests_pcap_tagged_test_LDADD = $(LIVE_LIBS) $(LIBBPF_LIBS)
$(PCAP_TESTS:.sh=.log): libpcap-build/libpcap.so.0.8 $(pcap_test_programs)
tests/pcap/stamps.log: tests/pcap/fake_clock.so
tests/pcap/own_frames.log: tests/hooks/tun$(EXEEXT)
tests/hooks/lean.log: tests/hooks/realtime.so
tests/hooks/realtime.so: $(srcdir)/tests/hooks/realtime.c
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(CC) $(WARN_CFLAGS) $(INIT_CFLAGS) -D_GNU_SOURCE -O1 -fPIC -shared -o $@ $<
tests/pcap/fake_clock.so: $(srcdir)/tests/pcap/fake_clock.c
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(CC) $(WARN_CFLAGS) $(INIT_CFLAGS) -D_GNU_SOURCE -O1 -fPIC -shared -o $@ $<
tests/pcap/corrupted.log: tests/pcap/scribbler.so
tests/pcap/scribbler.so: $(srcdir)/tests/pcap/scribbler.c $(srcdir)/tests/random.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(CC) $(WARN_CFLAGS) $(INIT_CFLAGS) -D_GNU_SOURCE -I$(srcdir) -O1 -fPIC -shared -pthread -o $@ $<
EXTRA_DIST += tests/hooks/realtime.c tests/pcap/fake_clock.c tests/pcap/scribbler.c
CLEANFILES += tests/hooks/realtime.so tests/pcap/fake_clock.so tests/pcap/scribbler.so

# In the long form, the tests that have one.
LONG_TESTS = tests/pcap/rate.sh tests/pcap/queues.sh tests/pcap/fullring.sh tests/pcap/traffic.sh \
	tests/pcap/leak.sh tests/pcap/api.sh tests/xdpdump/files/rotate_time.sh tests/hooks/killed.sh tests/hooks/compilers.sh \
	tests/divert/account.sh tests/divert/watchdog.sh
.PHONY: check-long check-long-capture
check-long: check check-long-capture check-long-filter check-patch check-window
check-long-capture: tests/capture/doorbell_test $(hook_test_programs:=$(EXEEXT)) xdpdump/xdpdump$(EXEEXT) \
		libpcap-build/libpcap.so.0.8 $(noinst_PROGRAMS) $(pcap_test_programs)
	CHECK_SIZE=long $(SHELL) $(srcdir)/tests/run.sh tests/capture/doorbell_test
	set -e; for test in $(LONG_TESTS); do \
		CHECK_SIZE=long $(SHELL) $(srcdir)/tests/run.sh $(SHELL) $(srcdir)/$$test || test $$? -eq 77; \
	done
