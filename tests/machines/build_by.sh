#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a fresh Debian: its gcc and its clang build user space, libpcap too, and what they built captures. Run by
# compilers.sh.

# shellcheck source-path=SCRIPTDIR source=../chroot/fresh.sh
. "$(dirname "$0")/../chroot/fresh.sh"
build=$top/build
# shellcheck source-path=SCRIPTDIR source=build.sh
. "$(dirname "$0")/build.sh"
tests='tests/capture/device_test tests/capture/merge_test tests/capture/xsk_test tests/pcapng/blocks_test
	tests/filter/vectors tests/filter/differ tests/pcap/smoke.sh tests/pcap/sizes.sh tests/divert/send.sh
	tests/xdpdump/output/time_text_test tests/xdpdump/session/sides.sh'
CHECK_SIZE=quick
export CHECK_SIZE

# clang-19 is a compiler of both.
# shellcheck disable=SC2046 # a list
has_tools()
{
	update && apt install $(listed build) $(listed demo) clang-19 ethtool jq libcmocka-dev xz-utils && autoreconf -fi
}

# by COMPILER
by()
{
	what="$PRETTY_NAME, $1 $("$1" -dumpfullversion 2> /dev/null || "$1" -dumpversion)"
	check "$what: configures" configures CC="$1"
	before=$failed
	check "$what: builds without a warning" builds
	[ "$failed" -ne "$before" ] || passes "$tests"
}

# shellcheck source=/dev/null
. /etc/os-release
has_to "$PRETTY_NAME: packages" has_tools
for compiler in gcc clang clang-19; do
	[ "$compiler" != clang-19 ] || ! clang --version | grep -q 'version 19' || continue # clang is that one
	by "$compiler"
done
finish
