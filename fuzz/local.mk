# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Any bytes for all that parses: needs clang with libFuzzer.
.PHONY: check-fuzz fuzz-headers
fuzz-headers: bpf/capture.skel.h bpf/words.skel.h
check-fuzz: fuzz-headers config.h
	@$(MKDIR_P) fuzz && echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' | \
		$(CLANG) -fsanitize=fuzzer -o fuzz/none -x c - || \
		{ echo 'skipped: $(CLANG) has no libFuzzer (on Debian: apt-get install libclang-rt-dev)'; exit 77; }
	BUILD='$(abs_builddir)' OUT='$(abs_builddir)/fuzz' CC='$(CLANG)' CXX='$(CLANG)' $(SHELL) $(srcdir)/fuzz/build.sh
	$(SHELL) $(srcdir)/fuzz/run '$(abs_builddir)/fuzz'
EXTRA_DIST += fuzz/README.md fuzz/build.sh fuzz/corpora fuzz/oss-fuzz fuzz/reaches fuzz/run fuzz/targets.mk fuzz/fuzz.h fuzz/dict/fuzz_device.dict \
	fuzz/dict/fuzz_extcap.dict fuzz/dict/fuzz_names.dict fuzz/dict/fuzz_options.dict fuzz/dict/fuzz_pcapng_read.dict fuzz/dict/fuzz_section.dict fuzz/dict/fuzz_sets.dict \
	fuzz/fuzz_device.c fuzz/fuzz_extcap.c fuzz/fuzz_find.c fuzz/fuzz_loader_client.c fuzz/fuzz_loader_server.c fuzz/fuzz_member.c fuzz/fuzz_names.c \
	fuzz/fuzz_options.c fuzz/fuzz_pcapng_read.c fuzz/fuzz_pcapng_write.c fuzz/fuzz_ring.c fuzz/fuzz_section.c fuzz/fuzz_sets.c fuzz/fuzz_words.c
.PHONY: clean-fuzz
clean-local: clean-fuzz
clean-fuzz:
	rm -rf fuzz/found fuzz/work fuzz/none fuzz/fuzz_*
