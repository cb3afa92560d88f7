# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Not a part of make check: installs packages. With CLIENTS=all it asks the registries of languages, too.
client_tests = tests/clients/drivers.sh tests/clients/programs.sh tests/clients/plain.sh tests/clients/bridge.sh \
	tests/clients/loops.sh tests/clients/blocking.sh tests/clients/services.sh \
	tests/clients/manifest.sh
loops = tests/clients/drivers/loops
LOOP_DRIVERS = $(loops)/loop.h $(loops)/loop_libevent.c $(loops)/loop_libuv.c $(loops)/loop_asyncio.py \
	$(loops)/pcap_by_ctypes.py $(loops)/gopacket_timeouts.go $(loops)/scapy_two.py \
	$(loops)/tokio/Cargo.toml $(loops)/tokio/src/main.rs
blocking = tests/clients/drivers/blocking
BLOCKING_DRIVERS = $(blocking)/block_libpcap.c $(blocking)/block_pcaprub.rb $(blocking)/block_net_pcap.pl \
	$(blocking)/block_gopacket.go $(blocking)/rust/Cargo.toml $(blocking)/rust/src/main.rs
CLIENT_DRIVERS = tests/clients/drivers/use_libpcap.c tests/clients/drivers/use_pcaprub.rb \
	tests/clients/drivers/use_pypcap.py tests/clients/drivers/use_pcapy.py tests/clients/drivers/use_cap.js \
	tests/clients/drivers/rust/Cargo.toml tests/clients/drivers/rust/src/main.rs \
	tests/clients/drivers/java/pom.xml tests/clients/drivers/java/UsePcap4j.java tests/clients/drivers/bridge.py \
	tests/clients/drivers/manifest/go.mod tests/clients/drivers/manifest/main.go \
	$(LOOP_DRIVERS) $(BLOCKING_DRIVERS)
EXTRA_DIST += tests/clients/README.md tests/clients/lib.sh tests/clients/get.sh tests/clients/run.sh \
	tests/clients/datagrams.py $(client_tests) $(CLIENT_DRIVERS)

.PHONY: check-clients check-clients-long
check-clients: all tests/hooks/foreign$(EXEEXT)
	$(SHELL) $(srcdir)/tests/clients/run.sh
check-clients-long: all tests/hooks/foreign$(EXEEXT)
	CLIENTS=all $(SHELL) $(srcdir)/tests/clients/run.sh

CLEANFILES += $(client_tests:.sh=.log)
.PHONY: distclean-clients
distclean-local: distclean-clients
distclean-clients:
	rm -rf clients
