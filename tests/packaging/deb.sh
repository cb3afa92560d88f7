#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The Debian packages, in fresh systems: one builds them (build_debs.sh), another has them installed, used,
# upgraded and purged (use_debs.sh). `make check-packages SUITE=bookworm`. The long form has both suites, and in
# a third system libpcap with our patch, by the packages of the library alone (patched.sh).
#
# What is downloaded stays in CHROOT_CACHE for the next time.

# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=../chroot/outside.sh
. "$(dirname "$0")/../chroot/outside.sh"

# give_libpcap FOLDER: what is /mnt/libpcap there, for build_debs.sh.
give_libpcap()
{
	[ -n "${LIBPCAP_SOURCE:-}" ] || return
	[ -f "$LIBPCAP_SOURCE/pcap-int.h" ] || {
		bad "LIBPCAP_SOURCE=$LIBPCAP_SOURCE: give a folder of libpcap's source, unpacked"
		finish
	}
	mkdir -p "$1/libpcap" && cp -R "$LIBPCAP_SOURCE/." "$1/libpcap" || exit 1
}

suites=bookworm
[ "$CHECK_SIZE" != long ] || suites='bookworm trixie'
for suite in ${SUITE:-$suites}; do
	give_libpcap "$scratch/$suite"
	in_fresh "$suite" packaging/build_debs.sh && in_fresh "$suite" packaging/use_debs.sh
	[ "$CHECK_SIZE" != long ] || [ ! -e "$scratch/$suite/libpcap.patch" ] || in_fresh "$suite" packaging/patched.sh
done
finish
