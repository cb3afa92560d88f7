# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# What the tests of graft/ and of installing share, on top of ../lib.sh.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
graft=$top/graft
cc=$(sed -n 's/^CC = //p' Makefile 2> /dev/null)
cc=${cc:-cc}

same_text()
{
	diff -u "$1" "$2"
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

# with_library COMMAND...: here, and not in a namespace.
# shellcheck disable=SC2046 # one word per variable
with_library()
{
	env $(library_environment) "$@"
}
