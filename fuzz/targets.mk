# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The fuzz targets, by build.sh: top, BUILD, OUT, WORK, CC, CXX, CFLAGS and LIB_FUZZING_ENGINE are its.
folders = filter util pcapng index capture capture/* capture/*/* xdpdump/*
# What the two share.
command = $(patsubst $(top)/%,%,$(wildcard $(top)/util/command/*.c))
# Of pcapng-kafka what needs no librdkafka, by itself, as it has functions of the same names.
kafka = $(addprefix kafka/, label.c options.c processes.c record.c section.c shorten.c put/flow.c put/input.c put/losses.c put/recut.c \
	get/gap.c get/merge.c get/output.c get/streams.c) $(command)
# Of pcapng-find what reads, likewise.
find = $(addprefix find/, capture.c pages.c source.c unpack.c) $(command)
# Of who, what options of xdpdump are read by.
who = $(addprefix who/, choice.c container.c member.c proc.c process.c runtime.c)
helpers = tests/capture/fake_ring.c $(addprefix tests/filter/, support.c variants.c machine.c oracle.c programs.c frames.c)
programs = %/loader_main.c %/static_names.c %/zstd_file_none.c util/command/say.c util/command/signals.c
sources = $(filter-out $(programs), $(patsubst $(top)/%,%,$(wildcard $(folders:%=$(top)/%/*.c)))) pcap-afxdp-debug.c $(helpers) $(who)
targets = $(patsubst $(top)/%.c,%,$(wildcard $(top)/fuzz/fuzz_*.c)) tests/filter/fuzz_filter tests/xdpdump/output/fuzz_line
objects = $(sources:%.c=$(WORK)/%.o)

flags = -D_GNU_SOURCE -DHAVE_CONFIG_H -I$(BUILD) -I$(BUILD)/bpf -I$(top) -I$(top)/bpf -Wno-address-of-packed-member -Wno-gnu-variable-sized-type-not-at-end \
	-DLOADER_PATH='"/nowhere/loader"' -DLIBPCAP_VERSION_FILE='"/nowhere/version"' -DLOADER_CONF_FOLDER='"/nowhere"'
libs = -lpcap -lxdp -lbpf -lmnl -lseccomp -lzstd -lz -llz4 -lcmocka -lpthread

all: $(addprefix $(OUT)/, $(notdir $(targets)))
define program
$(OUT)/$(notdir $(1)): $(WORK)/$(1).o $(if $(findstring fuzz_section,$(1)),$(WORK)/kafka.a) $(if $(findstring fuzz_find,$(1)),$(WORK)/find.a) $(WORK)/all.a
	$$(CXX) $$(CFLAGS) $$(LIB_FUZZING_ENGINE) $$^ $$(libs) -o $$@
endef
$(foreach target, $(targets), $(eval $(call program,$(target))))
$(WORK)/all.a: $(objects)
	rm -f $@ && $(AR) cr $@ $^
$(WORK)/kafka.a: $(kafka:%.c=$(WORK)/%.o)
	rm -f $@ && $(AR) cr $@ $^
$(WORK)/find.a: $(find:%.c=$(WORK)/%.o)
	rm -f $@ && $(AR) cr $@ $^
$(WORK)/%.o: $(top)/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(flags) -MMD -MP -c $< -o $@
-include $(objects:.o=.d) $(kafka:%.c=$(WORK)/%.d) $(find:%.c=$(WORK)/%.d) $(targets:%=$(WORK)/%.d)
