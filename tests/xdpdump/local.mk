# SPDX-License-Identifier: BSD-3-Clause
XDPDUMP_TESTS = \
	tests/xdpdump/completion.sh \
	tests/xdpdump/doctor.sh \
	tests/xdpdump/extcap.sh \
	tests/xdpdump/file.sh \
	tests/xdpdump/full.sh \
	tests/xdpdump/hook.sh \
	tests/xdpdump/input.sh \
	tests/xdpdump/interface.sh \
	tests/xdpdump/kill.sh \
	tests/xdpdump/load.sh \
	tests/xdpdump/netns.sh \
	tests/xdpdump/pipe.sh \
	tests/xdpdump/privileges.sh \
	tests/xdpdump/rotate.sh \
	tests/xdpdump/rotate_load.sh \
	tests/xdpdump/several.sh \
	tests/xdpdump/snaplen.sh \
	tests/xdpdump/text.sh \
	tests/xdpdump/trigger.sh \
	tests/xdpdump/upstream.sh \
	tests/xdpdump/zstd.sh
TESTS += $(XDPDUMP_TESTS)
EXTRA_DIST += tests/xdpdump/README tests/xdpdump/lib.sh $(XDPDUMP_TESTS)
$(XDPDUMP_TESTS:.sh=.log): xdpdump/xdpdump$(EXEEXT) testprogs/trafgen$(EXEEXT) \
	testprogs/capcheck$(EXEEXT)
tests/xdpdump/doctor.log tests/xdpdump/upstream.log: tests/hooks/foreign$(EXEEXT)
tests/xdpdump/doctor.log tests/xdpdump/extcap.log: pcap-afxdp-loader$(EXEEXT)
