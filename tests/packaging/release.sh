#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make release: the tarball is whole, and the same when it is made again, later, by somebody with another umask.

# shellcheck source-path=SCRIPTDIR source=../graft/common.sh
. "$(dirname "$0")/../graft/common.sh"
[ "${CHECK_SIZE:-full}" != quick ] || { echo "skipped: not in the quick form"; exit 77; }
[ -f "$build/Makefile" ] || { echo "skipped: nothing is configured in $build"; exit 77; }
command -v xz > /dev/null || { echo "skipped: needs xz"; exit 77; }
version=$(configured VERSION)
release=pcap-afxdp-$version
SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH

# make_release UMASK
make_release()
{
	(umask "$1" && make -s -C "$build" release > "$scratch/said" 2>&1) || { cat "$scratch/said"; return 1; }
}

check "makes a release" make_release 022
cp "$build/$release".* "$scratch/" || exit 1
check "the checksums are right" sh -c "cd '$scratch' && sha256sum -c $release.sha256 && b2sum -c $release.b2"
sed -n "/^$version/,/^0\.1\.0/{/^[0-9]/d;/./p}" "$top/CHANGES" > "$scratch/changes"
check "the notes are what CHANGES has on $version" same "$scratch/changes" "$scratch/$release.notes"
tar -tvf "$scratch/$release.tar.xz" > "$scratch/list"
for file in configure LICENSE LICENSES/GPL-2.0-only.txt AUTHORS packaging/install demo; do
	check "it has $file" grep -q " $release/$file\$" "$scratch/list"
done
# What git has, but for what is about git and its hosts.
if git -C "$top" rev-parse > /dev/null 2>&1; then
	git -C "$top" ls-files | grep -v '^\.\(ci\|git\|github\|mailmap\)' | sort > "$scratch/kept"
	sed "s|.* $release/||" "$scratch/list" | sort > "$scratch/released"
	comm -23 "$scratch/kept" "$scratch/released" > "$scratch/left_out"
	check "it has every file of the tree" same /dev/null "$scratch/left_out"
fi
check "all of it is of SOURCE_DATE_EPOCH and root's" fails grep -v ' 0/0 .* 2023-11-14 ' "$scratch/list"
check "makes it again" make_release 077
check "it is the same" cmp "$scratch/$release.tar.xz" "$build/$release.tar.xz"
finish
