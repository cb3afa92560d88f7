# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# What the tests of graft/ share: read by them, run from the build directory.

set -u
LC_ALL=C
export LC_ALL
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
graft=$top/graft
build=$(pwd)
cc=$(sed -n 's/^CC = //p' Makefile 2> /dev/null)
cc=${cc:-cc}
passed=0 failed=0 skipped=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM

ok()
{
	passed=$((passed + 1))
	echo "ok: $1"
}

bad()
{
	failed=$((failed + 1))
	echo "FAILED: $1"
}

skip()
{
	skipped=$((skipped + 1))
	echo "skipped: $1"
}

# check NAME COMMAND...: passes when the command succeeds.
check()
{
	check_name=$1
	shift
	if "$@" > "$scratch/output" 2>&1; then
		ok "$check_name"
	else
		bad "$check_name: $*"
		sed -e 's/^/    /' -e 20q "$scratch/output"
	fi
}

same()
{
	diff -u "$1" "$2"
}

# fails COMMAND...: it says no. One that is not there or crashes has said nothing, nor has grep without the file.
fails()
{
	"$@"
	case $1:$? in
	grep:1) ;;
	grep:* | *:0 | *:126 | *:127 | *:132 | *:134 | *:135 | *:136 | *:139) return 1 ;;
	esac
}

finish()
{
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ] || exit 1
	[ "$passed" -gt 0 ] || exit 77
	exit 0
}

# A variable of the makefile in the build directory.
configured()
{
	sed -n "s/^$1 = *//p" "$build/Makefile" 2> /dev/null | head -n 1
}

# The pristine tree the library was built from, as the makefile finds it.
find_source()
{
	given=$(configured LIBPCAP_SOURCE)
	if [ -n "$given" ]; then
		echo "$given"
	else
		sh "$graft/fetch-source" "${PCAP_AFXDP_CACHE:-$build}/libpcap-source"
	fi
}

# tcpdump, or another program, with the library of the build.
with_library()
{
	preload=
	if grep -q __asan_init "$build/libpcap-build/libpcap.so.0.8"; then
		preload="$($cc -print-file-name=libasan.so) $($cc -print-file-name=libubsan.so)"
	fi
	LD_LIBRARY_PATH=$build/libpcap-build LD_PRELOAD=$preload ASAN_OPTIONS=detect_leaks=0 "$@"
}
