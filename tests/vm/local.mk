# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Not a part of make check: downloads kernels, and takes some minutes for each. VM_KERNELS=arm64: cross-built, on a
# kernel for that.
VM_FILES = tests/vm/run.sh tests/vm/fetch.sh tests/vm/image.sh tests/vm/init tests/vm/veth.sh tests/vm/nic.sh \
	tests/vm/apparmor.sh tests/vm/programs.sh tests/vm/join.sh tests/vm/nics.sh tests/vm/cards.sh tests/vm/divert.sh tests/vm/upstream.sh \
	tests/vm/judge.sh tests/vm/arm64.sh tests/vm/abilities.sh tests/vm/any.sh tests/vm/links.sh tests/vm/stamps.sh tests/vm/table.sh \
	tests/vm/blind.sh tests/vm/socket.sh tests/vm/bonds.sh tests/vm/fixed.sh tests/vm/once.sh tests/vm/who.sh tests/vm/nodes.sh tests/vm/objects.sh tests/vm/beside.sh
EXTRA_DIST += $(VM_FILES) tests/vm/verdicts.bpf.c
CLEANFILES += tests/vm/verdicts.bpf.o
check_PROGRAMS += tests/vm/raw tests/vm/ppp
tests_vm_raw_SOURCES = tests/vm/raw.c
tests_vm_ppp_SOURCES = tests/vm/ppp.c

.PHONY: check-vm
check-vm: all $(check_PROGRAMS) tests/vm/verdicts.bpf.o tests/hooks/fake_driver.so libpcap-build/libpcap.so.0.8
	$(SHELL) $(srcdir)/tests/vm/run.sh
