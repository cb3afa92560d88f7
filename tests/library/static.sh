#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# A static libpcap.a: with --with-afxdp=link it brings the installed library along, by libpcap.pc, into a program
# that has no shared libpcap; with dlopen it loads it as the shared one does.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need ping make pkg-config objdump flex bison
is_quick && skip_all "part of the full size: builds libpcap.a"
is_sanitized && skip_all "in the plain build alone"
[ -e "$library/libafxdpcapture.so.0" ] || skip_all "libpcap is configured --with-afxdp=link"
cc=$(sed -n 's/^CC = //p' "$build/Makefile")
client=$top/tests/library/client.c
root=$scratch/root
make -s -C "$build" install DESTDIR="$root" > "$scratch/install" 2>&1 || { bad "make install"; show "$scratch/install"; finish; }
libdir=$(dirname "$(dirname "$(find "$root" -name libafxdpcapture.pc)")")
PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH
tree=$scratch/tree
cp -R "$build/libpcap-build/tree" "$tree"
veth_pair
start in_left ping -q -i 0.02 -w 300 10.99.0.2

# build COMMAND...: in the tree.
build()
{
	(cd "$tree" && "$@") > "$scratch/built" 2>&1 && return
	bad "$*"
	tail -n 20 "$scratch/built"
	return 1
}

# program NAME FLAG...: with the archive of the tree.
program()
{
	this=$1
	shift
	cp "$tree/libpcap.a" "$scratch/static"
	check "$this: a program links" $cc -I"$tree" -o "$scratch/$this" "$client" -L"$scratch/static" "$@" -lpthread
}

# reads NAME LINES [VARIABLE=VALUE]: from xdp:vb.
reads()
{
	this=$1 wanted=$2 program=$scratch/$1
	shift 2
	in_right env "$@" "$program" create=xdp:vb activate read=5 > "$scratch/said" 2>&1
	equal "$this: status" 0 $?
	equal "$this" "$wanted" "$(paste -s -d ';' "$scratch/said")"
	check "$this: no shared libpcap" sh -c "! objdump -p '$program' | grep 'NEEDED *libpcap'"
}

mkdir "$scratch/static"
cp "$libdir/libafxdpcapture.a" "$scratch/static"
# As it is configured, for dlopen; then again, of which only two objects change.
if build make -s -j2 libpcap.a CFLAGS=-O0; then
	# shellcheck disable=SC2046 # words
	program dlopen -lpcap $(grep -q '^#define PCAP_SUPPORT_DBUS' "$tree/config.h" && echo -ldbus-1)
	reads dlopen 'create: loaded;activate: loaded;read: loaded' LD_LIBRARY_PATH="$libdir"
fi
rm -f "$tree/pcap.o" "$tree/pcap-afxdp-load.o" "$tree/libpcap.a" "$tree/libpcap.pc"
if build ./configure -q --prefix=/usr --with-afxdp=link --disable-dbus --disable-bluetooth --disable-rdma \
	--without-libnl --without-dpdk --without-dag --without-snf && build make -s libpcap.a libpcap.pc CFLAGS=-O0; then
	PKG_CONFIG_PATH=$PKG_CONFIG_PATH:$tree
	check "link: libpcap.pc knows of the library" grep -q '^Requires.private:.*libafxdpcapture' "$tree/libpcap.pc"
	# shellcheck disable=SC2046 # words
	program link $(pkg-config --static --libs libpcap)
	reads link 'create: not loaded;activate: not loaded;read: not loaded'
	check "link: no shared library of ours" sh -c "! objdump -p '$scratch/link' | grep 'NEEDED *libafxdp'"
fi
finish
