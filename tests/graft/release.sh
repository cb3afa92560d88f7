#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Real source packages: that of this release and, beyond the renaming of libpcap 1.10.5's
# internal functions, that of another one. Patch and graft agree on both, both compile.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source-path=SCRIPTDIR source=other.sh
. "$(dirname "$0")/other.sh"

[ -f "$build/libafxdpcapture.pc" ] || skip_all "nothing is built in $build"

try_source()
{
	source=$1
	release=$(cat "$source/VERSION")
	rm -rf "$scratch/grafted" "$scratch/patched"
	cp -R "$source" "$scratch/grafted"
	cp -R "$source" "$scratch/patched"
	chmod -R u+w "$scratch/grafted" "$scratch/patched"
	check "$release: the module goes in" "$graft/graft" "$scratch/grafted"
	"$graft/graft" --patch "$source" > "$scratch/patch"
	# What dpkg-source asks of a patch: no fuzz.
	check "$release: the patch applies" patch -s -p1 -F0 -d "$scratch/patched" -i "$scratch/patch"
	check "$release: patch and graft do the same" diff -r "$scratch/grafted" "$scratch/patched"
}

own=$(find_source 2> "$scratch/why") || own=
if [ -n "$own" ]; then
	try_source "$own"
else
	skip "this release's source: $(tail -n 1 "$scratch/why")"
fi

find_other
if [ -n "$other" ]; then
	try_source "$other"
	check "$release: builds" build_other
	nm -D --defined-only "$other_library/libpcap.so.0.8" | awk '{ print $3 }' | sort > "$scratch/exported"
	sed -n 's/^ *\([a-z0-9_]*\);.*/\1/p' "$other/libpcap-symbols.lds" | sort > "$scratch/listed"
	check "$release: nothing is exported but what the distribution lists" \
		test -z "$(comm -13 "$scratch/listed" "$scratch/exported")"
else
	skip "$other_suite's source: $(tail -n 1 "$scratch/why")"
fi
finish
