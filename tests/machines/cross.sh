#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Builds for other machines, with Debian's cross compilers and libraries in a fresh Debian 12, and runs what was
# built: all of it for i386, as the kernel runs both, and for arm64 what an emulator of a processor can run.
# `make check-cross MACHINE=i386` does one of them.

# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=../chroot/outside.sh
. "$(dirname "$0")/../chroot/outside.sh"
for machine in ${MACHINE:-arm64 i386}; do
	in_fresh "${SUITE:-bookworm}" machines/build_for.sh "$machine"
done
finish
