#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# gcc and clang of Debian 12 and 13 build all of user space without a warning, and what they built works; each
# Debian in a fresh system. `make check-compilers SUITE=trixie` does one of them.

# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=../chroot/outside.sh
. "$(dirname "$0")/../chroot/outside.sh"
for suite in ${SUITE:-bookworm trixie}; do
	in_fresh "$suite" machines/build_by.sh
done
finish
