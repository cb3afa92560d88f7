#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Built in another folder, from the same source by another name, everything that is installed is the same.

# shellcheck source-path=SCRIPTDIR source=../graft/common.sh
. "$(dirname "$0")/../graft/common.sh"
! is_quick || skip_all "not in the quick form"
[ -f "$build/libpcap-build/source-version" ] || skip_all "nothing is built in $build"
case $(configured SANITIZE_CFLAGS) in
?*) skip_all "a build with sanitizers is not for anybody else" ;;
esac
other=$scratch/a/folder/of/another/depth
mkdir -p "$other"
ln -s "$top" "$scratch/source"

# configure_with SOURCE: with the options of this build, and libpcap's source as it found it.
configure_with()
{
	libpcap=$1
	eval "set -- $("$build/config.status" --config)"
	cd "$other" && "$scratch/source/configure" -q "$@" --srcdir="$scratch/source" --with-libpcap-source="$libpcap"
}

# Only what is installed.
build_there()
{
	make -s -C "$other" -j2 noinst_PROGRAMS=pcap-afxdp-loader install DESTDIR="$scratch/there"
}

check "installs what is built here" make -s -C "$build" install DESTDIR="$scratch/here"
check "configures elsewhere" configure_with "$(find_source)"
check "builds and installs there" build_there
(cd "$scratch/here" && find . -type f | sort) > "$scratch/files"
while read -r file; do
	check "the same: $file" cmp "$scratch/here/$file" "$scratch/there/$file"
done < "$scratch/files"
check "no other file" diff -r --no-dereference -q "$scratch/here" "$scratch/there"
finish
