# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The demo, which fails unless all it shows was seen, and the rules of the house.
TESTS += tests/style.sh tests/house.sh tests/helpers.sh tests/bench.sh tests/pages.sh tests/demo.sh
EXTRA_DIST += tests/packages tests/prepare.sh tests/style.sh tests/house.sh tests/helpers.sh tests/bench.sh tests/pages.sh tests/pages/pages.py tests/pages/links.py tests/pages/folders.py \
	tests/pages/sentences.py tests/pages/tables.py tests/pages/commands.py tests/pages/promises.py tests/pages/promises.txt tests/pages/ratios.py tests/pages/not-run.txt tests/demo.sh tests/demo/show.sh tests/demo/traffic.sh
CLEANFILES += demo.pcapng
