# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Not a part of make check: installs packages. With CLIENTS=all it asks the registries of languages, too.
client_tests = tests/clients/drivers.sh tests/clients/programs.sh tests/clients/plain.sh tests/clients/bridge.sh
CLIENT_DRIVERS = tests/clients/drivers/use_libpcap.c tests/clients/drivers/use_pcaprub.rb \
	tests/clients/drivers/use_pypcap.py tests/clients/drivers/use_pcapy.py tests/clients/drivers/use_cap.js \
	tests/clients/drivers/rust/Cargo.toml tests/clients/drivers/rust/src/main.rs \
	tests/clients/drivers/java/pom.xml tests/clients/drivers/java/UsePcap4j.java tests/clients/drivers/bridge.py
EXTRA_DIST += tests/clients/README.md tests/clients/lib.sh tests/clients/get.sh tests/clients/run.sh \
	tests/clients/datagrams.py $(client_tests) $(CLIENT_DRIVERS)

.PHONY: check-clients check-clients-long
check-clients: all tests/hooks/foreign$(EXEEXT)
	$(SHELL) $(srcdir)/tests/clients/run.sh
check-clients-long: all tests/hooks/foreign$(EXEEXT)
	CLIENTS=all $(SHELL) $(srcdir)/tests/clients/run.sh

CLEANFILES += tests/clients/drivers.log tests/clients/programs.log tests/clients/plain.log tests/clients/bridge.log
.PHONY: distclean-clients
distclean-local: distclean-clients
distclean-clients:
	rm -rf clients
