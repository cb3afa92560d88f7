# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of the files it is read beside
# libpcap of another release of Debian than this system's, whose internal functions have other names: read by
# the tests that need it. It is built once for all of them, in the build directory.

# find_other: its source in $other, which is empty where that cannot be had; $scratch/why says why.
find_other()
{
	other_suite=trixie
	[ "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" != trixie ] || other_suite=bookworm
	other=$(sh "$top/graft/fetch-source" --suite $other_suite \
		"${PCAP_AFXDP_CACHE:-$build}/libpcap-source" 2> "$scratch/why") || other=
	other_library=$build/other-libpcap
}

# build_other: unless a test did since libpcap itself was built. One that runs meanwhile waits.
build_other()
{
	(
		flock 8
		[ -z "$(find -L "$other_library/libpcap.so.0.8" -newer "$build/libpcap-build/libpcap.so.0.8" \
			2> "$scratch/why")" ] || exit 0
		compiler=$(sed -n 's/^CC = //p' "$build/Makefile")
		sanitize=$(sed -n 's/^SANITIZE_CFLAGS = *//p' "$build/Makefile")
		MAKEFLAGS=-j$(nproc) sh "$top/graft/build" --source "$other" --output "$other_library" --pc-dir "$build" \
			CC="${compiler:-cc}" CFLAGS="-O1 $sanitize" LDFLAGS="$sanitize" 8>&-
	) 8>> "$build/other-libpcap.lock"
}
