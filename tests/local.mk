# SPDX-License-Identifier: BSD-3-Clause
# Tests end with a line "N passed, N failed, N skipped"; exit 77 is a skip, with its reason printed.
# make check runs each within seconds; make check-long the same tests at full size.

TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)

PCAP_TESTS = tests/pcap/smoke.sh
TESTS += $(PCAP_TESTS)
EXTRA_DIST += tests/lib.sh $(PCAP_TESTS)
# They capture with the library of the build.
tests/pcap/smoke.log: libpcap-build/libpcap.so.0.8
