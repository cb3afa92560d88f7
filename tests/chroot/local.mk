# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Not a part of make check: downloads a Debian, and what the command installs in it.
EXTRA_DIST += tests/chroot/run.sh tests/chroot/fresh.sh tests/chroot/outside.sh

.PHONY: check-chroot
check-chroot:
	$(SHELL) $(srcdir)/tests/chroot/run.sh $(or $(SUITE),trixie) $(or $(COMMAND),./demo)
