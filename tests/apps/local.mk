# SPDX-License-Identifier: BSD-3-Clause
# Programs nobody here wrote, on the library of the build, as root, in namespaces.

APP_TESTS = tests/apps/testprogs.sh
TESTS += $(APP_TESTS)
EXTRA_DIST += tests/apps/lib.sh $(APP_TESTS)
$(APP_TESTS:.sh=.log): libpcap-build/libpcap.so.0.8 tests/hooks/foreign$(EXEEXT)
