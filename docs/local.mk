# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What people read: the pages of docs/, and the text that each folder opens with.
DOCS = \
	docs/README.md \
	docs/contract.md \
	docs/counters.md \
	docs/decisions/0001-a-record-is-a-pcapng-block.md \
	docs/decisions/0002-rings-in-chunks.md \
	docs/decisions/0003-plain-stores-on-x86.md \
	docs/decisions/0004-a-kernel-timer-wakes-the-reader.md \
	docs/decisions/0005-read-while-it-is-in-the-cache.md \
	docs/decisions/0006-order-by-a-window-of-50-us.md \
	docs/decisions/0007-links-and-nothing-pinned.md \
	docs/decisions/0008-plain-names-go-to-tc.md \
	docs/decisions/0009-the-filter-is-spliced-in.md \
	docs/decisions/0010-filters-have-generations.md \
	docs/decisions/0011-far-jumps-go-by-islands.md \
	docs/decisions/0012-too-much-never-too-little.md \
	docs/decisions/0013-bounds-in-asm.md \
	docs/decisions/0014-a-loader-process.md \
	docs/decisions/0015-divert-writes-in-front-of-the-frame.md \
	docs/decisions/0016-nothing-is-kept-on-suspicion.md \
	docs/decisions/0017-the-clock-is-read-for-each-frame.md \
	docs/decisions/0018-features-are-constants-before-load.md \
	docs/decisions/0019-two-interface-blocks.md \
	docs/decisions/0020-activate-returns-0.md \
	docs/decisions/0021-own-frames-by-cookie.md \
	docs/decisions/0022-one-line-per-option.md \
	docs/decisions/0023-vlan-tags-are-put-back.md \
	docs/decisions/0024-files-past-the-page-cache.md \
	docs/decisions/0025-a-reader-for-each-ring.md \
	docs/decisions/0026-libpcap-by-graft.md \
	docs/decisions/0027-two-header-worlds.md \
	docs/decisions/0028-promiscuity-by-membership.md \
	docs/decisions/0029-a-list-asks-once.md \
	docs/decisions/0030-a-face-that-does-not-move.md \
	docs/decisions/0031-libpcap-loads-the-library.md \
	docs/decisions/0032-divert-without-zero-copy-is-the-ring.md \
	docs/decisions/0033-the-host-has-its-frames-when-nobody-reads.md \
	docs/decisions/0034-before-the-trigger-nobody-reads.md \
	docs/decisions/0035-any-is-one-packet-socket.md \
	docs/decisions/0036-a-section-says-what-it-is.md \
	docs/decisions/0037-drops-are-ethernet-frames.md \
	docs/decisions/0038-others-never-hold-a-capture-up.md \
	docs/decisions/0039-patterns-are-one-source.md \
	docs/decisions/0040-a-keeper-enters-namespaces.md \
	docs/decisions/0041-addresses-are-searched-word-by-word.md \
	docs/decisions/0042-one-link-in-a-file.md \
	docs/decisions/0043-sources-begin-at-one-moment.md \
	docs/decisions/0044-late-cpus-share-a-ring.md \
	docs/decisions/0045-an-index-is-pairs-of-key-and-granule.md \
	docs/decisions/0046-rings-have-their-size-from-the-start.md \
	docs/decisions/0047-silent-rings-are-left-alone.md \
	docs/decisions/0048-an-index-is-asked-for.md \
	docs/decisions/0049-rings-lie-on-the-node-of-their-cpu.md \
	docs/decisions/0050-looks-hold-no-files.md \
	docs/divert.md \
	docs/figures.md \
	docs/fleet.md \
	docs/machines.md \
	docs/filters.md \
	docs/glossary.md \
	docs/drivers.md \
	docs/hardware.md \
	docs/hooks.md \
	docs/index-format.md \
	docs/install.md \
	docs/kernels.md \
	docs/lookback.md \
	docs/options.md \
	docs/screen.md \
	docs/sets.md \
	docs/stability.md \
	docs/threat-model.md \
	docs/time.md \
	docs/troubleshooting.md \
	docs/upstream.md \
	docs/wireshark-process.png \
	docs/wireshark-xdp.png \
	docs/who.md \
	docs/xdp-tools.md
FOLDER_TEXTS = \
	bench/README.md \
	bpf/README.md \
	capture/README.md \
	capture/attach/README.md \
	capture/attach/facts/README.md \
	capture/attach/program/README.md \
	capture/attach/refusal/README.md \
	capture/attach/trace/README.md \
	capture/divert/README.md capture/sets/README.md \
	capture/loader/README.md \
	capture/options/README.md \
	capture/read/README.md \
	capture/ring/README.md \
	filter/README.md \
	find/README.md \
	graft/README.md \
	index/README.md \
	kafka/README.md \
	kafka/get/README.md \
	kafka/put/README.md \
	man/README.md \
	packaging/README.md \
	pcapng/README.md \
	testprogs/README.md \
	tests/README.md \
	tests/abi/README.md \
	util/README.md util/command/README.md \
	who/README.md \
	xdpdump/README.md \
	xdpdump/cli/README.md \
	xdpdump/doctor/README.md \
	xdpdump/feed/README.md \
	xdpdump/files/README.md \
	xdpdump/os/README.md \
	xdpdump/output/README.md \
	xdpdump/plan/README.md \
	xdpdump/session/README.md \
	xdpdump/source/README.md \
	xdpdump/spaces/README.md \
	testprogs/checking/README.md \
	testprogs/generator/README.md \
	testprogs/reading/README.md \
	tests/machines/README.md
EXTRA_DIST += $(DOCS) $(FOLDER_TEXTS) docs/screen.py docs/screen.sh

# What a terminal shows, recorded anew; as root.
.PHONY: screen
screen: xdpdump/xdpdump$(EXEEXT)
	$(SHELL) $(srcdir)/docs/screen.sh > $(srcdir)/docs/screen.md.new
	mv $(srcdir)/docs/screen.md.new $(srcdir)/docs/screen.md
