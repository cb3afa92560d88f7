# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The tests of xdpdump, by the rooms of its sources.
XDPDUMP_TESTS = \
	tests/xdpdump/cli/completion.sh \
	tests/xdpdump/cli/examples.sh \
	tests/xdpdump/cli/extcap.sh \
	tests/xdpdump/cli/habits.sh \
	tests/xdpdump/cli/hostile.sh \
	tests/xdpdump/cli/input.sh \
	tests/xdpdump/cli/manual.sh \
	tests/xdpdump/cli/manuals.sh \
	tests/xdpdump/cli/stack.sh \
	tests/xdpdump/cli/told.sh \
	tests/xdpdump/cli/upstream.sh \
	tests/xdpdump/doctor/doctor.sh \
	tests/xdpdump/doctor/doctor_agrees.sh \
	tests/xdpdump/doctor/doctor_report.sh \
	tests/xdpdump/feed/decode.sh \
	tests/xdpdump/feed/export.sh \
	tests/xdpdump/feed/listen.sh \
	tests/xdpdump/files/commands.sh \
	tests/xdpdump/files/file.sh \
	tests/xdpdump/files/full.sh \
	tests/xdpdump/files/pipe.sh \
	tests/xdpdump/files/readers.sh \
	tests/xdpdump/files/rotate.sh \
	tests/xdpdump/files/rotate_load.sh \
	tests/xdpdump/files/rotate_time.sh \
	tests/xdpdump/files/tls_keylog.sh \
	tests/xdpdump/files/wiretap.sh \
	tests/xdpdump/files/zstd.sh \
	tests/xdpdump/output/json.sh \
	tests/xdpdump/output/who.sh \
	tests/xdpdump/output/lines.sh \
	tests/xdpdump/output/print.sh \
	tests/xdpdump/output/text.sh \
	tests/xdpdump/session/cpus.sh \
	tests/xdpdump/session/drops.sh \
	tests/xdpdump/session/hook.sh \
	tests/xdpdump/session/interface.sh \
	tests/xdpdump/session/interface_gone.sh \
	tests/xdpdump/session/kill.sh \
	tests/xdpdump/session/load.sh \
	tests/xdpdump/session/netns.sh \
	tests/xdpdump/session/per_queue.sh \
	tests/xdpdump/session/pre_trigger.sh \
	tests/xdpdump/session/privileges.sh \
	tests/xdpdump/session/protochain.sh \
	tests/xdpdump/session/several.sh \
	tests/xdpdump/session/direction.sh tests/xdpdump/session/sides.sh tests/xdpdump/session/supervisors.sh \
	tests/xdpdump/session/snaplen.sh \
	tests/xdpdump/session/stamps.sh \
	tests/xdpdump/session/together.sh \
	tests/xdpdump/session/trigger.sh \
	tests/xdpdump/session/watchers.sh \
	tests/xdpdump/spaces/any.sh \
	tests/xdpdump/spaces/burst.sh \
	tests/xdpdump/spaces/churn.sh \
	tests/xdpdump/spaces/late.sh \
	tests/xdpdump/spaces/space_drops.sh \
	tests/xdpdump/spaces/spaces.sh \
	tests/xdpdump/spaces/stalled.sh \
	tests/xdpdump/spaces/unread.sh
xdpdump_unit_tests = \
	tests/xdpdump/cli/refused_test \
	tests/xdpdump/doctor/doctor_test \
	tests/xdpdump/feed/feed_test \
	tests/xdpdump/feed/serve_test \
	tests/xdpdump/files/files_test \
	tests/xdpdump/files/rotation_test \
	tests/xdpdump/os/netns_list_test \
	tests/xdpdump/output/failing_test \
	tests/xdpdump/output/label_test \
	tests/xdpdump/output/time_text_test \
	tests/xdpdump/session/session_test \
	tests/xdpdump/source/members_test \
	tests/xdpdump/spaces/outbox_test
TESTS += $(XDPDUMP_TESTS) $(xdpdump_unit_tests)
# Without sanitizers: what the libraries leave at their end is not for us to judge.
if WIRETAP
wiretap_program = tests/xdpdump/files/wiretap
endif
check_PROGRAMS += $(xdpdump_unit_tests) $(wiretap_program) \
	tests/xdpdump/doctor/refuse \
	tests/xdpdump/output/lines
EXTRA_DIST += tests/xdpdump/lib.sh $(XDPDUMP_TESTS) \
	tests/xdpdump/cli/examples.py tests/xdpdump/cli/web.py \
	tests/xdpdump/cli/hostile.py \
	tests/xdpdump/cli/manual.py \
	tests/xdpdump/feed/slow_reader.py \
	tests/xdpdump/feed/rules.yaml tests/xdpdump/feed/stand_in.py \
	tests/xdpdump/files/tun_ping.py \
	tests/xdpdump/output/frames.py \
	tests/xdpdump/output/fuzz_line.c \
	tests/xdpdump/output/same_lines.py \
	tests/xdpdump/session/drops.py \
	tests/xdpdump/session/pre_trigger.py \
	tests/xdpdump/session/protochain.py \
	tests/xdpdump/session/stories.txt \
	tests/xdpdump/session/together.py \
	tests/xdpdump/spaces/lib.sh \
	tests/xdpdump/spaces/any_churn.py \
	tests/xdpdump/spaces/churn.py \
	tests/xdpdump/spaces/crowd.py

tests_xdpdump_doctor_refuse_SOURCES = tests/xdpdump/doctor/refuse.c
tests_xdpdump_doctor_refuse_CFLAGS = $(WARN_CFLAGS) $(LIBSECCOMP_CFLAGS)
tests_xdpdump_doctor_refuse_LDFLAGS =
tests_xdpdump_doctor_refuse_LDADD = $(LIBSECCOMP_LIBS)
tests_xdpdump_feed_feed_test_SOURCES = tests/xdpdump/feed/feed_test.c util/buffer.c xdpdump/feed/beginning.c xdpdump/feed/feed.c xdpdump/feed/gaps.c \
	xdpdump/os/complain.c pcapng/packet.c pcapng/read.c pcapng/write.c util/clock.c \
	util/harmless.c
tests_xdpdump_feed_feed_test_LDADD = $(CMOCKA_LIBS)
tests_xdpdump_feed_serve_test_SOURCES = tests/xdpdump/feed/serve_test.c util/buffer.c xdpdump/feed/beginning.c xdpdump/feed/serve.c xdpdump/feed/audience.c \
	xdpdump/feed/gaps.c xdpdump/feed/ring.c xdpdump/os/complain.c xdpdump/os/confine.c \
	pcapng/packet.c pcapng/read.c pcapng/savefile.c pcapng/write.c util/clock.c \
	util/harmless.c
tests_xdpdump_feed_serve_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=confine_serving
tests_xdpdump_feed_serve_test_CFLAGS = $(AM_CFLAGS) $(LIBSECCOMP_CFLAGS)
tests_xdpdump_feed_serve_test_LDADD = $(CMOCKA_LIBS) $(LIBSECCOMP_LIBS)
tests_xdpdump_files_files_test_SOURCES = tests/xdpdump/files/files_test.c
tests_xdpdump_files_files_test_CFLAGS = $(tests_xdpdump_output_failing_test_CFLAGS)
tests_xdpdump_files_files_test_LDADD = $(tests_xdpdump_output_failing_test_LDADD)
tests_xdpdump_files_files_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=finish_new -Wl,--wrap=malloc
tests_xdpdump_files_rotation_test_SOURCES = tests/xdpdump/files/rotation_test.c xdpdump/files/rotation.c util/clock.c
tests_xdpdump_files_rotation_test_LDADD = $(CMOCKA_LIBS)
tests_xdpdump_files_wiretap_SOURCES = tests/xdpdump/files/wiretap.c
tests_xdpdump_files_wiretap_CFLAGS = $(WARN_CFLAGS) $(WIRETAP_CFLAGS)
tests_xdpdump_files_wiretap_LDFLAGS =
tests_xdpdump_files_wiretap_LDADD = $(WIRETAP_LIBS)
tests_xdpdump_output_failing_test_SOURCES = tests/xdpdump/output/failing_test.c
tests_xdpdump_output_failing_test_CFLAGS = $(xdpdump_libxdpdump_a_CFLAGS)
tests_xdpdump_output_failing_test_LDADD = xdpdump/libxdpdump.a libwho.a libafxdpcapture.a libfilter.a $(xdpdump_libs) -lpthread \
	$(CMOCKA_LIBS)
tests_xdpdump_cli_refused_test_SOURCES = tests/xdpdump/cli/refused_test.c
tests_xdpdump_cli_refused_test_CFLAGS = $(tests_xdpdump_output_failing_test_CFLAGS)
tests_xdpdump_cli_refused_test_LDADD = $(tests_xdpdump_output_failing_test_LDADD)
tests_xdpdump_doctor_doctor_test_SOURCES = tests/xdpdump/doctor/doctor_test.c
tests_xdpdump_doctor_doctor_test_CFLAGS = $(tests_xdpdump_output_failing_test_CFLAGS)
tests_xdpdump_doctor_doctor_test_LDADD = $(tests_xdpdump_output_failing_test_LDADD)
tests_xdpdump_doctor_doctor_test_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=bpf_prog_get_fd_by_id -Wl,--wrap=bpf_enable_stats -Wl,--wrap=bpf_obj_get_info_by_fd \
	-Wl,--wrap=clock_sleep -Wl,--wrap=measure_interface -Wl,--wrap=patient_ethtool -Wl,--wrap=opendir \
	-Wl,--wrap=line_of
tests_xdpdump_output_lines_SOURCES = tests/xdpdump/output/lines.c $(line_sources)
tests_xdpdump_output_lines_LDADD = $(PCAP_LIBS)
tests_xdpdump_output_label_test_SOURCES = tests/xdpdump/output/label_test.c
tests_xdpdump_output_label_test_CFLAGS = $(tests_xdpdump_output_failing_test_CFLAGS)
tests_xdpdump_output_label_test_LDADD = $(tests_xdpdump_output_failing_test_LDADD)
tests_xdpdump_output_label_test_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=netns_list_name -Wl,--wrap=open_memstream \
	-Wl,--wrap=fclose
tests_xdpdump_output_time_text_test_SOURCES = tests/xdpdump/output/time_text_test.c xdpdump/output/time_text.c
tests_xdpdump_output_time_text_test_LDADD = $(CMOCKA_LIBS)
tests_xdpdump_session_session_test_SOURCES = tests/xdpdump/session/session_test.c \
	tests/xdpdump/session/fake_capture.c tests/xdpdump/session/fake_capture.h tests/xdpdump/session/fake_spaces.c
tests_xdpdump_session_session_test_CFLAGS = $(tests_xdpdump_output_failing_test_CFLAGS)
tests_xdpdump_session_session_test_LDADD = $(xdpdump_xdpdump_LDADD)
tests_xdpdump_session_session_test_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=afxdp_open -Wl,--wrap=afxdp_close -Wl,--wrap=afxdp_stop -Wl,--wrap=afxdp_reader \
	-Wl,--wrap=afxdp_rings -Wl,--wrap=afxdp_reader_open -Wl,--wrap=afxdp_reader_close \
	-Wl,--wrap=afxdp_reader_cpu -Wl,--wrap=afxdp_begin -Wl,--wrap=afxdp_gate_open -Wl,--wrap=afxdp_gate_close \
	-Wl,--wrap=afxdp_run -Wl,--wrap=afxdp_run_done -Wl,--wrap=afxdp_refine -Wl,--wrap=afxdp_refuse \
	-Wl,--wrap=afxdp_has_nic_time -Wl,--wrap=afxdp_has_link_header -Wl,--wrap=afxdp_hooks \
	-Wl,--wrap=afxdp_warning -Wl,--wrap=afxdp_diverted_to -Wl,--wrap=afxdp_set_filter \
	-Wl,--wrap=afxdp_filter_level -Wl,--wrap=afxdp_filter_text -Wl,--wrap=afxdp_wait -Wl,--wrap=afxdp_poll \
	-Wl,--wrap=afxdp_attend -Wl,--wrap=afxdp_rest -Wl,--wrap=afxdp_fd -Wl,--wrap=afxdp_wake \
	-Wl,--wrap=afxdp_reader_stats -Wl,--wrap=afxdp_reader_is_empty -Wl,--wrap=afxdp_came_by \
	-Wl,--wrap=afxdp_next_member -Wl,--wrap=afxdp_keep_newest -Wl,--wrap=afxdp_pulled -Wl,--wrap=afxdp_kept \
	-Wl,--wrap=afxdp_socket_program -Wl,--wrap=spaces_prepare -Wl,--wrap=spaces_share -Wl,--wrap=spaces_begin \
	-Wl,--wrap=spaces_fd -Wl,--wrap=spaces_next -Wl,--wrap=spaces_all_heard -Wl,--wrap=spaces_count \
	-Wl,--wrap=spaces_ended -Wl,--wrap=spaces_wait -Wl,--wrap=spaces_await -Wl,--wrap=spaces_find \
	-Wl,--wrap=spaces_stop -Wl,--wrap=spaces_close \
	-Wl,--wrap=afxdp_take_over -Wl,--wrap=afxdp_look -Wl,--wrap=interface_get -Wl,--wrap=interface_programs \
	-Wl,--wrap=interface_program -Wl,--wrap=privileges_drop -Wl,--wrap=clock_wall -Wl,--wrap=statvfs \
	-Wl,--wrap=statvfs64
tests_xdpdump_os_netns_list_test_SOURCES = tests/xdpdump/os/netns_list_test.c util/buffer.c
tests_xdpdump_os_netns_list_test_LDADD = $(CMOCKA_LIBS)
tests_xdpdump_source_members_test_SOURCES = tests/xdpdump/source/members_test.c xdpdump/source/members.c
tests_xdpdump_source_members_test_LDADD = $(CMOCKA_LIBS)
tests_xdpdump_spaces_outbox_test_SOURCES = tests/xdpdump/spaces/outbox_test.c xdpdump/spaces/outbox.c
tests_xdpdump_spaces_outbox_test_LDADD = $(CMOCKA_LIBS)

$(XDPDUMP_TESTS:.sh=.log): xdpdump/xdpdump$(EXEEXT) testprogs/trafgen$(EXEEXT) testprogs/capcheck$(EXEEXT)
tests/xdpdump/cli/examples.log: libpcap-build/libpcap.so.0.8 testprogs/vlanpush$(EXEEXT)
tests/xdpdump/files/wiretap.log: $(wiretap_program:=$(EXEEXT))
tests/xdpdump/output/lines.log: tests/xdpdump/output/lines$(EXEEXT)
tests/xdpdump/session/drops.log: testprogs/vlanpush$(EXEEXT)
tests/xdpdump/session/stamps.log: tests/pcap/fake_clock.so
tests/xdpdump/files/wiretap.log tests/xdpdump/session/sides.log: tests/pcap/stream$(EXEEXT)
tests/xdpdump/cli/examples.log tests/xdpdump/cli/upstream.log tests/xdpdump/session/direction.log \
		tests/xdpdump/doctor/doctor.log tests/xdpdump/doctor/doctor_agrees.log: tests/hooks/foreign$(EXEEXT)
tests/xdpdump/doctor/doctor_agrees.log tests/xdpdump/doctor/doctor_report.log: tests/xdpdump/doctor/refuse$(EXEEXT)
tests/xdpdump/cli/examples.log tests/xdpdump/cli/extcap.log \
		tests/xdpdump/doctor/doctor.log tests/xdpdump/doctor/doctor_agrees.log tests/xdpdump/doctor/doctor_report.log \
		tests/xdpdump/session/interface_gone.log tests/xdpdump/session/stamps.log: pcap-afxdp-loader$(EXEEXT)
