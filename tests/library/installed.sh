#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The library as it was installed: a stranger's program, that of the manual, is compiled by pkg-config, with
# the shared and with the static library, from C and from C++, and captures pings.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need make pkg-config nm objdump ping
[ -f "$build/Makefile" ] || skip_all "needs the build, for make install"
cc=$(sed -n 's/^CC = //p' "$build/Makefile")
sanitize=$(sed -n 's/^SANITIZE_CFLAGS = *//p' "$build/Makefile")
root=$scratch/root

check "make install" make -s -C "$build" install DESTDIR="$root"
pc=$(find "$root" -name libafxdpcapture.pc)
libdir=$(dirname "$(dirname "$pc")")
check "libafxdpcapture.pc names no folder of the build" fails grep -e "$build" -e "$top" -e "$root" "$pc"
library=$libdir/libafxdpcapture.so.0
equal "the soname" libafxdpcapture.so.0 "$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')"
equal "it brings no path to look in" '' "$(objdump -p "$library" | awk '$1 ~ /^R(UN)?PATH$/ { print $2 }')"
check "libafxdpcapture.so is there for the linker" test -e "$libdir/libafxdpcapture.so"

# What the header declares and what is exported are one list.
include=$(dirname "$(find "$root" -name afxdpcapture.h)")
echo '#include "afxdpcapture.h"' | $cc -I"$include" -E -P - | tr '\n' ' ' | tr ';{}' '\n\n\n' | grep -v -e 'static inline' -e '^ *return ' |
	sed -n 's/^[A-Za-z0-9_ ]*[ *]\(afxdp_[a-z_]*\)(.*/\1/p' | sort -u > "$scratch/declared"
nm -D --defined-only "$library" | sed -n 's/.* [A-Z] \([^@]*\).*/\1/p' | grep -v '^AFXDPCAPTURE_' | sort > "$scratch/exported"
check "the shared library exports what the header declares" diff "$scratch/declared" "$scratch/exported"
equal "each has the version of the release that brought it" "$(sed -n 's/^\(AFXDPCAPTURE_[0-9.]*\) {/\1/p' "$top/capture/libafxdpcapture.map" | xargs)" \
	"$(nm -D --defined-only "$library" | awk '$2 != "A" { print $3 ~ /@/ ? $3 : "@none" }' | sed 's/.*@//' | sort -u | xargs)"
nm -g --defined-only "$libdir/libafxdpcapture.a" | sed -n 's/.* [A-Z] //p' | sort > "$scratch/visible"
if [ -z "$sanitize" ]; then
	check "and so does the static one" diff "$scratch/declared" "$scratch/visible"
fi
between "functions" 40 200 "$(wc -l < "$scratch/declared")"

# of_pc OPTION...: what pkg-config says of the library, in the place where it now is.
of_pc()
{
	PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config "$@" libafxdpcapture
}

# block HOW: the lines of the manual's examples that are displayed so.
block()
{
	awk -v begin=".Bd $1" '$0 == begin { on = 1; next } /^\.Ed/ { on = 0 } on' "$top/man/libafxdpcapture.3" | sed 's/\\e/\\/g'
}

block -literal > "$scratch/icmp.c"
{
	printf '#include <string.h>\n#include "afxdpcapture.h"\n'
	echo 'void give(struct afxdp_options *o, struct afxdp_capture *c); void give(struct afxdp_options *o, struct afxdp_capture *c) {'
	echo 'char err[256];'
	block '-literal -compact'
	echo '}'
} > "$scratch/lists.c"
mkdir "$scratch/static"
cp "$libdir/libafxdpcapture.a" "$scratch/static"
# shellcheck disable=SC2046,SC2086 # words
{
	check "with the shared library" $cc $sanitize -Wall -Wextra -Werror -o "$scratch/shared_icmp" "$scratch/icmp.c" \
		$(of_pc --cflags --libs)
	check "with the static one" $cc $sanitize -Wall -Wextra -Werror -o "$scratch/static_icmp" "$scratch/icmp.c" \
		-L"$scratch/static" $(of_pc --cflags --libs --static)
	check "lists that a program gives" $cc -Wall -Wextra -Werror -fsyntax-only "$scratch/lists.c" $(of_pc --cflags)
	check "as strict C99" $cc -std=c99 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$scratch/icmp.c" $(of_pc --cflags)
	if command -v c++ > "$scratch/which"; then
		check "from C++" c++ $sanitize -x c++ -Wall -Wextra -Wpedantic -Werror -o "$scratch/cxx_icmp" "$scratch/icmp.c" \
			-x none $(of_pc --cflags --libs)
	else
		skip "from C++: no c++"
	fi
}
check "the static one is in the program" sh -c "! objdump -p '$scratch/static_icmp' | grep -q 'NEEDED *libafxdpcapture'"

equal "with another prefix" -I/moved/include/afxdpcapture \
	"$(of_pc --define-variable=prefix=/moved --cflags | sed "s|$root||; s/ .*//")"

veth_pair
# captures NAME PROGRAM [VARIABLE=VALUE]...: prints ten pings and replies, as it is asked, then ends. It does not say
# when it listens on both sides: pings are sent until it has ended.
captures()
{
	this=$1 program=$2
	shift 2
	start in_right env ASAN_OPTIONS=detect_leaks=1 "$@" "$program" vb 10
	capture=$pid printed=$out said=$err
	start in_left ping -q -i 0.02 10.99.0.2
	pings=$pid
	check "$this: ends well" ended "$capture" 20
	stop "$pings" TERM
	received=$(grep -c ' received, 98 bytes$' "$printed") sent=$(grep -c ' sent, 98 bytes$' "$printed")
	between "$this: requests" 2 8 "$received"
	equal "$this: requests and replies" 10 $((received + sent))
	equal "$this: says" '0 lost' "$(cat "$said")"
	check "$this: leaves nothing" no_xdp_program "$right" vb
}

captures "shared" "$scratch/shared_icmp" LD_LIBRARY_PATH="$libdir"
captures "static" "$scratch/static_icmp"
in_right env LD_LIBRARY_PATH="$libdir" "$scratch/shared_icmp" nosuch0 1 > "$scratch/said" 2>&1
equal "what is wrong is said: status" 1 $?
equal "... in one sentence" 1 "$(grep -c '^nosuch0: .' "$scratch/said")"

check "make uninstall" make -s -C "$build" uninstall DESTDIR="$root"
equal "and nothing of the library is left" '' "$(find "$root" -name '*afxdpcapture*' -type f; find "$root" -name 'libafxdp*' -type l; find "$root" -name record.h)"
finish
