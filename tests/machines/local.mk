# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Not a part of make check: in fresh systems, that are downloaded. MACHINE=arm64, i386; SUITE=bookworm, trixie.
EXTRA_DIST += tests/machines/cross.sh tests/machines/compilers.sh tests/machines/build.sh \
	tests/machines/build_by.sh tests/machines/build_for.sh

.PHONY: check-cross check-compilers
check-cross:
	MACHINE='$(MACHINE)' SUITE='$(SUITE)' $(SHELL) $(srcdir)/tests/run.sh $(SHELL) $(srcdir)/tests/machines/cross.sh
check-compilers:
	SUITE='$(SUITE)' $(SHELL) $(srcdir)/tests/run.sh $(SHELL) $(srcdir)/tests/machines/compilers.sh
