#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make release: the tarball is whole, and the same when it is made again, later, by somebody with another umask; its bill
# of materials has all that is in it, and its signatures are right.

# shellcheck source-path=SCRIPTDIR source=../graft/common.sh
. "$(dirname "$0")/../graft/common.sh"
! is_quick || skip_all "not in the quick form"
[ -f "$build/Makefile" ] || skip_all "nothing is configured in $build"
need xz reuse
version=$(configured VERSION)
release=pcap-afxdp-$version
SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH

# make_release UMASK [VARIABLE=VALUE]
make_release()
{
	(umask "$1" && shift && make -s -C "$build" release "$@" > "$scratch/said" 2>&1) || { cat "$scratch/said"; return 1; }
}

make_key()
{
	minisign -G -W -f -p "$scratch/key.pub" -s "$scratch/key" > "$scratch/said" 2>&1 || { cat "$scratch/said"; return 1; }
}

check "makes a release" make_release 022
check "without a key it says what is left" grep -q "^not signed: .* minisign -S -m $release.tar.xz" "$scratch/said"
cp "$build/$release".* "$scratch/" || exit 1
check "the checksums are right" sh -c "cd '$scratch' && sha256sum -c $release.sha256 && b2sum -c $release.b2"
sed -n "/^$version/,/^0\.1\.0/{/^[0-9]/d;/./p}" "$top/CHANGES" > "$scratch/changes"
check "the notes are what CHANGES has on $version" same_text "$scratch/changes" "$scratch/$release.notes"
tar -tvf "$scratch/$release.tar.xz" > "$scratch/list"
for file in configure LICENSE LICENSES/GPL-2.0-only.txt AUTHORS packaging/install demo; do
	check "it has $file" grep -q " $release/$file\$" "$scratch/list"
done
# What git has, but for what is about git and its hosts.
if git -C "$top" rev-parse > /dev/null 2>&1; then
	git -C "$top" ls-files | grep -v '^\.\(ci\|git\|github\|mailmap\)' | sort > "$scratch/kept"
	sed "s|.* $release/||" "$scratch/list" | sort > "$scratch/released"
	comm -23 "$scratch/kept" "$scratch/released" > "$scratch/left_out"
	check "it has every file of the tree" same_text /dev/null "$scratch/left_out"
fi
check "all of it is of SOURCE_DATE_EPOCH and root's" fails grep -v ' 0/0 .* 2023-11-14 ' "$scratch/list"
key=''
if command -v minisign > /dev/null; then
	check "makes a key" make_key
	key=MINISIGN_KEY=$scratch/key
fi
check "makes it again${key:+, and signs it}" make_release 077 ${key:+"$key"}
check "it is the same" cmp "$scratch/$release.tar.xz" "$build/$release.tar.xz"
check "and its bill of materials" cmp "$scratch/$release.spdx" "$build/$release.spdx"

# The bill has each file, by its own checksum, and each library that configure asks for.
tar -xf "$scratch/$release.tar.xz" -C "$scratch"
(cd "$scratch/$release" && find . -type f ! -empty ! -path './.reuse/*' ! -path './LICENSES/*' ! -name LICENSE -exec sha1sum '{}' + | sort -k 2) > "$scratch/files"
awk '/^FileName: / { name = $2 } /^FileChecksum: SHA1: / { print $3 "  " name }' "$scratch/$release.spdx" | sort -k 2 |
	grep -v -e ' ./LICENSES/' -e ' ./LICENSE$' > "$scratch/billed"
check "the bill has each file and its checksum" same_text "$scratch/files" "$scratch/billed"
for library in libbpf libxdp libmnl libseccomp libpcap rdkafka xxhash; do
	check "the bill has $library" grep -q -x "PackageName: $library" "$scratch/$release.spdx"
done

signed()
{
	minisign -V -q -p "$scratch/key.pub" -m "$build/$release.tar.xz" && minisign -V -q -p "$scratch/key.pub" -m "$build/$release.spdx"
}

if [ -n "$key" ]; then
	check "the signatures are right" signed
	echo >> "$build/$release.spdx"
	check "and are not, of a bill that was changed" fails signed
else
	skip "signatures: needs minisign"
fi
finish
