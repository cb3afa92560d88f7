# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154,SC2120 # variables of lib.sh, which comes first; set -- in a function
# The static xdpdump, built once for the tests that use it.

# Not every mirror has libmnl's source. Debian 13 has the archive in a package.
other_libmnl()
{
	other=$(sh "$top/graft/fetch-source" --binary --package libmnl-dev --suite trixie \
		"${PCAP_AFXDP_CACHE:-$build}/libmnl-archive") || return
	echo "note: libmnl.a is that of Debian 13"
	mkdir -p "$static/static" && find "$other" -name libmnl.a -exec cp {} "$static/static" \;
}

# build_static: in a folder of the build's own, that stays. One that is static already is taken from there.
build_static()
{
	static=$build
	grep -q '^#define STATIC_XDPDUMP' "$build/config.h" && return
	static=$build/static-xdpdump
	if [ -z "$(find "$static/config.status" -newer "$build/config.status" 2> /dev/null)" ]; then
		mkdir -p "$static"
		eval "set -- $("$build/config.status" --config)"
		(cd "$static" && "$top/configure" -q "$@" --srcdir="$top" --enable-static-xdpdump) || return
	fi
	# What has to be fetched comes first: without it the rest is of no use.
	if grep -q -F 'S["STATIC_LIBMNL_TRUE"]=""' "$static/config.status"; then
		make -s -C "$static" static/libmnl.a || other_libmnl || return
	fi
	make -s -C "$static" -j2 xdpdump/xdpdump
}

# has_static: $static/xdpdump/xdpdump, or the end of the test.
has_static()
{
	exec 8> "$build/static-xdpdump.lock"
	flock 8
	build_static > "$scratch/built" 2>&1 || {
		if grep -q '^fetch-source: \(apt-get .* libmnl.* failed\|no mirror\)' "$scratch/built"; then
			skip_all "$(grep '^fetch-source: ' "$scratch/built" | tail -n 1); configure --with-libmnl-source=DIR needs no mirror"
		fi
		bad "builds"
		tail -n 20 "$scratch/built"
		finish
	}
	exec 8>&-
	grep '^note: ' "$scratch/built"
}
