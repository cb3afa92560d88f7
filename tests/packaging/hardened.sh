#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What make install puts on the system: each program and library is hardened, no file has a path of the build,
# and programs for the kernel have BTF and no DWARF.

# shellcheck source-path=SCRIPTDIR source=../graft/common.sh
. "$(dirname "$0")/../graft/common.sh"
[ -f "$build/libpcap-build/source-version" ] || skip_all "nothing is built in $build"
case $(configured CPPFLAGS)$(configured CFLAGS)$(configured LDFLAGS) in
*-O0* | *no-pie* | *no-stack-protector*) skip_all "the flags of this build take hardening back" ;;
esac
[ -z "$(configured SANITIZE_CFLAGS)" ] || skip_all "nobody installs a build with sanitizers, which names its files"
case $(configured prefix)/ in
"$build"/* | "$top"/*) skip_all "the prefix is a folder of the build, as in make distcheck" ;;
esac
root=$scratch/root

has()
{
	readelf -W "$1" "$file" 2> /dev/null | grep -q -e "$2"
}

# What it calls of the C library; a build with sanitizers has no such variants of functions.
is_hardened()
{
	has -l GNU_RELRO || { echo "no RELRO"; return 1; }
	has -d 'NOW' || { echo "symbols are bound late"; return 1; }
	has -h 'Type: *DYN' || { echo "not position-independent"; return 1; }
	case $file in *-alias.so) return ;; esac # it has no code
	has -d '(NEEDED)' || return 0 # static: what it calls has no dynamic symbols
	has --dyn-syms __stack_chk_fail || { echo "no stack protector"; return 1; }
	[ -z "$(configured HARDEN_CPPFLAGS)" ] || has --dyn-syms '__[a-z]*_chk@' || { echo "no _FORTIFY_SOURCE"; return 1; }
}

# At the place where it is built, or the source.
no_path_in()
{
	fails grep -a -l -e "$build" -e "$top" "$1"
}

check "installs" make -s -C "$build" install DESTDIR="$root"
programs=0
for file in $(find "$root" -type f | sort); do
	check "no build path: ${file#"$root"}" no_path_in "$file"
	[ "$(head -c 4 "$file" | tr -d '\0')" = "$(printf '\177ELF')" ] || continue
	programs=$((programs + 1))
	check "hardened: ${file#"$root"}" is_hardened
done
check "programs and libraries: $programs" test "$programs" -ge 4
for file in "$build"/bpf/*.bpf.o; do
	check "BTF: ${file##*/}" has -S '\.BTF '
	check "no DWARF: ${file##*/}" fails has -S '\.debug_'
done
finish
