# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
XDPDUMP_TESTS = \
	tests/xdpdump/any.sh tests/xdpdump/churn.sh tests/xdpdump/spaces.sh \
	tests/xdpdump/commands.sh \
	tests/xdpdump/completion.sh \
	tests/xdpdump/decode.sh tests/xdpdump/drops.sh \
	tests/xdpdump/doctor.sh tests/xdpdump/doctor_agrees.sh tests/xdpdump/doctor_report.sh \
	tests/xdpdump/examples.sh \
	tests/xdpdump/export.sh \
	tests/xdpdump/extcap.sh \
	tests/xdpdump/file.sh \
	tests/xdpdump/full.sh \
	tests/xdpdump/habits.sh \
	tests/xdpdump/hook.sh \
	tests/xdpdump/input.sh \
	tests/xdpdump/interface.sh tests/xdpdump/interface_gone.sh \
	tests/xdpdump/json.sh \
	tests/xdpdump/kill.sh \
	tests/xdpdump/lines.sh \
	tests/xdpdump/listen.sh \
	tests/xdpdump/load.sh \
	tests/xdpdump/manuals.sh \
	tests/xdpdump/netns.sh \
	tests/xdpdump/per_queue.sh \
	tests/xdpdump/pipe.sh \
	tests/xdpdump/print.sh \
	tests/xdpdump/protochain.sh \
	tests/xdpdump/privileges.sh \
	tests/xdpdump/rotate.sh \
	tests/xdpdump/rotate_load.sh \
	tests/xdpdump/rotate_time.sh \
	tests/xdpdump/several.sh tests/xdpdump/cpus.sh tests/xdpdump/sides.sh \
	tests/xdpdump/snaplen.sh \
	tests/xdpdump/stamps.sh \
	tests/xdpdump/text.sh \
	tests/xdpdump/tls_keylog.sh \
	tests/xdpdump/told.sh \
	tests/xdpdump/pre_trigger.sh \
	tests/xdpdump/trigger.sh \
	tests/xdpdump/upstream.sh \
	tests/xdpdump/watchers.sh \
	tests/xdpdump/wiretap.sh \
	tests/xdpdump/zstd.sh
TESTS += $(XDPDUMP_TESTS)
tests/xdpdump/stamps.log: tests/pcap/fake_clock.so pcap-afxdp-loader$(EXEEXT)
# Without sanitizers: what the libraries leave at their end is not for us to judge.
if WIRETAP
wiretap_program = tests/xdpdump/wiretap
endif
check_PROGRAMS += $(wiretap_program)
tests_xdpdump_wiretap_SOURCES = tests/xdpdump/wiretap.c
tests_xdpdump_wiretap_CFLAGS = $(WARN_CFLAGS) $(WIRETAP_CFLAGS)
tests_xdpdump_wiretap_LDFLAGS =
tests_xdpdump_wiretap_LDADD = $(WIRETAP_LIBS)
check_PROGRAMS += tests/xdpdump/lines tests/xdpdump/time_text_test
TESTS += tests/xdpdump/time_text_test
check_PROGRAMS += tests/xdpdump/feed_test
TESTS += tests/xdpdump/feed_test
tests_xdpdump_feed_test_SOURCES = tests/xdpdump/feed_test.c xdpdump/feed/feed.c xdpdump/feed/gaps.c xdpdump/os/complain.c \
	pcapng/packet.c pcapng/read.c pcapng/write.c util/clock.c
tests_xdpdump_feed_test_LDADD = $(CMOCKA_LIBS)
check_PROGRAMS += tests/xdpdump/serve_test
TESTS += tests/xdpdump/serve_test
tests_xdpdump_serve_test_SOURCES = tests/xdpdump/serve_test.c xdpdump/feed/serve.c xdpdump/feed/audience.c \
	xdpdump/feed/gaps.c xdpdump/feed/pcap_stream.c xdpdump/feed/ring.c xdpdump/os/confine.c \
	pcapng/packet.c pcapng/read.c pcapng/savefile.c pcapng/write.c util/clock.c
tests_xdpdump_serve_test_CFLAGS = $(AM_CFLAGS) $(LIBSECCOMP_CFLAGS)
tests_xdpdump_serve_test_LDADD = $(CMOCKA_LIBS) $(LIBSECCOMP_LIBS)
check_PROGRAMS += tests/xdpdump/members_test
TESTS += tests/xdpdump/members_test
tests_xdpdump_members_test_SOURCES = tests/xdpdump/members_test.c xdpdump/session/members.c
tests_xdpdump_members_test_LDADD = $(CMOCKA_LIBS)
tests_xdpdump_time_text_test_SOURCES = tests/xdpdump/time_text_test.c xdpdump/output/time_text.c
tests_xdpdump_time_text_test_LDADD = $(CMOCKA_LIBS)
tests_xdpdump_lines_SOURCES = tests/xdpdump/lines.c $(line_sources)
tests_xdpdump_lines_LDADD = $(PCAP_LIBS)
tests/xdpdump/sides.log: tests/pcap/stream$(EXEEXT)
tests/xdpdump/wiretap.log: tests/pcap/stream$(EXEEXT) $(wiretap_program:=$(EXEEXT))
EXTRA_DIST += tests/xdpdump/fuzz_line.c
tests/xdpdump/lines.log: tests/xdpdump/lines$(EXEEXT)
EXTRA_DIST += tests/xdpdump/lib.sh $(XDPDUMP_TESTS) tests/xdpdump/any_churn.py tests/xdpdump/churn.py tests/xdpdump/crowd.py tests/xdpdump/examples.py tests/xdpdump/frames.py \
	tests/xdpdump/drops.py tests/xdpdump/pre_trigger.py tests/xdpdump/protochain.py tests/xdpdump/same_lines.py tests/xdpdump/slow_reader.py \
	tests/xdpdump/stand_in.py
$(XDPDUMP_TESTS:.sh=.log): xdpdump/xdpdump$(EXEEXT) testprogs/trafgen$(EXEEXT) \
	testprogs/capcheck$(EXEEXT)
tests/xdpdump/drops.log: testprogs/vlanpush$(EXEEXT)
tests/xdpdump/examples.log: pcap-afxdp-loader$(EXEEXT) libpcap-build/libpcap.so.0.8 testprogs/vlanpush$(EXEEXT)
tests/xdpdump/doctor.log tests/xdpdump/doctor_agrees.log tests/xdpdump/examples.log tests/xdpdump/upstream.log: tests/hooks/foreign$(EXEEXT)
check_PROGRAMS += tests/xdpdump/refuse
tests_xdpdump_refuse_SOURCES = tests/xdpdump/refuse.c
tests_xdpdump_refuse_CFLAGS = $(WARN_CFLAGS) $(LIBSECCOMP_CFLAGS)
tests_xdpdump_refuse_LDFLAGS =
tests_xdpdump_refuse_LDADD = $(LIBSECCOMP_LIBS)
tests/xdpdump/doctor_agrees.log tests/xdpdump/doctor_report.log: tests/xdpdump/refuse$(EXEEXT)
tests/xdpdump/doctor.log tests/xdpdump/doctor_agrees.log tests/xdpdump/doctor_report.log tests/xdpdump/extcap.log tests/xdpdump/interface_gone.log: pcap-afxdp-loader$(EXEEXT)
