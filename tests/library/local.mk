# SPDX-License-Identifier: BSD-3-Clause
# The library as it is installed, and as libpcap loads it.
LIBRARY_TESTS = tests/library/installed.sh
TESTS += $(LIBRARY_TESTS)
EXTRA_DIST += $(LIBRARY_TESTS)
