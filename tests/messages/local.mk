# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What our programs print, and docs/troubleshooting.md; docs/drivers.md, its marks and what --doctor knows. The list, to be read: python3 tests/messages/list.py
TESTS += tests/messages/messages.sh tests/messages/drivers.sh
EXTRA_DIST += tests/messages/list.py tests/messages/messages.sh tests/messages/page.py tests/messages/drivers.sh \
	tests/messages/drivers.py
