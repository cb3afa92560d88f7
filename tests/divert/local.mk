# SPDX-License-Identifier: BSD-3-Clause
# engine=divert, as root, in namespaces.
DIVERT_TESTS = tests/divert/receive.sh tests/divert/account.sh tests/divert/upset.sh \
	tests/divert/own.sh
TESTS += $(DIVERT_TESTS)
EXTRA_DIST += tests/divert/lib.sh $(DIVERT_TESTS)
$(DIVERT_TESTS:.sh=.log): libpcap-build/libpcap.so.0.8 xdpdump/xdpdump$(EXEEXT)
