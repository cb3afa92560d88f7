# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
FIND_TESTS = tests/find/find.sh tests/find/index.sh tests/find/ring.sh tests/find/harm.sh
TESTS += $(FIND_TESTS)
EXTRA_DIST += $(FIND_TESTS) tests/find/make.py tests/find/query.py tests/find/harm.py
$(FIND_TESTS:.sh=.log): find/pcapng-find$(EXEEXT)
tests/find/ring.log: xdpdump/xdpdump$(EXEEXT) testprogs/trafgen$(EXEEXT)
