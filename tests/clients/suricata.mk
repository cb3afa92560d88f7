# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Suricata, which Debian has from 13 on: in a chroot of it, made here, which takes some minutes. SUITE=forky, with the
# libpcap that CHROOT_SHARE=DIR has.
EXTRA_DIST += tests/clients/suricata.sh tests/clients/suricata_chroot.sh tests/clients/suricata_mix.py tests/clients/suricata_replay.py \
	tests/clients/suricata_alerts.py tests/clients/suricata_flows.py tests/clients/suricata.rules

.PHONY: check-suricata
check-suricata:
	$(SHELL) $(srcdir)/tests/chroot/run.sh $(or $(SUITE),trixie) sh tests/clients/suricata_chroot.sh
