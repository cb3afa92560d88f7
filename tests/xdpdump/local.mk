# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
XDPDUMP_TESTS = \
	tests/xdpdump/commands.sh \
	tests/xdpdump/completion.sh \
	tests/xdpdump/decode.sh \
	tests/xdpdump/doctor.sh tests/xdpdump/doctor_agrees.sh tests/xdpdump/doctor_report.sh \
	tests/xdpdump/examples.sh \
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
	tests/xdpdump/load.sh \
	tests/xdpdump/manuals.sh \
	tests/xdpdump/netns.sh \
	tests/xdpdump/per_queue.sh \
	tests/xdpdump/pipe.sh \
	tests/xdpdump/print.sh \
	tests/xdpdump/privileges.sh \
	tests/xdpdump/rotate.sh \
	tests/xdpdump/rotate_load.sh \
	tests/xdpdump/rotate_time.sh \
	tests/xdpdump/several.sh tests/xdpdump/cpus.sh tests/xdpdump/sides.sh \
	tests/xdpdump/snaplen.sh \
	tests/xdpdump/stamps.sh \
	tests/xdpdump/text.sh \
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
tests_xdpdump_time_text_test_SOURCES = tests/xdpdump/time_text_test.c xdpdump/output/time_text.c
tests_xdpdump_time_text_test_LDADD = $(CMOCKA_LIBS)
tests_xdpdump_lines_SOURCES = tests/xdpdump/lines.c $(line_sources)
tests_xdpdump_lines_LDADD = $(PCAP_LIBS)
tests/xdpdump/sides.log: tests/pcap/stream$(EXEEXT)
tests/xdpdump/wiretap.log: tests/pcap/stream$(EXEEXT) $(wiretap_program:=$(EXEEXT))
# By lines.sh for some seconds, where there is a libFuzzer; longer by hand.
tests/xdpdump/fuzz_line: tests/xdpdump/fuzz_line.c $(line_sources)
	$(CLANG) -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		$(AM_CPPFLAGS) $(filter %.c,$^) -o $@
EXTRA_DIST += tests/xdpdump/fuzz_line.c
CLEANFILES += tests/xdpdump/fuzz_line
tests/xdpdump/lines.log: tests/xdpdump/lines$(EXEEXT)
EXTRA_DIST += tests/xdpdump/lib.sh $(XDPDUMP_TESTS) tests/xdpdump/examples.py tests/xdpdump/frames.py \
	tests/xdpdump/pre_trigger.py tests/xdpdump/same_lines.py
$(XDPDUMP_TESTS:.sh=.log): xdpdump/xdpdump$(EXEEXT) testprogs/trafgen$(EXEEXT) \
	testprogs/capcheck$(EXEEXT)
tests/xdpdump/examples.log: pcap-afxdp-loader$(EXEEXT) libpcap-build/libpcap.so.0.8 testprogs/vlanpush$(EXEEXT)
tests/xdpdump/doctor.log tests/xdpdump/doctor_agrees.log tests/xdpdump/examples.log tests/xdpdump/upstream.log: tests/hooks/foreign$(EXEEXT)
check_PROGRAMS += tests/xdpdump/refuse
tests_xdpdump_refuse_SOURCES = tests/xdpdump/refuse.c
tests_xdpdump_refuse_CFLAGS = $(WARN_CFLAGS) $(LIBSECCOMP_CFLAGS)
tests_xdpdump_refuse_LDFLAGS =
tests_xdpdump_refuse_LDADD = $(LIBSECCOMP_LIBS)
tests/xdpdump/doctor_agrees.log tests/xdpdump/doctor_report.log: tests/xdpdump/refuse$(EXEEXT)
tests/xdpdump/doctor.log tests/xdpdump/doctor_agrees.log tests/xdpdump/doctor_report.log tests/xdpdump/extcap.log tests/xdpdump/interface_gone.log: pcap-afxdp-loader$(EXEEXT)
