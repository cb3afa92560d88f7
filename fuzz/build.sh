#!/bin/sh -eu
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Builds the fuzz targets into $OUT, as OSS-Fuzz calls it: with $CC, $CFLAGS and $LIB_FUZZING_ENGINE. BUILD is a
# build directory that was configured; without it one is made, in $WORK.
top=$(cd "$(dirname "$0")/.." && pwd)
: "${CC:=clang}" "${CFLAGS=-g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined}"
: "${LIB_FUZZING_ENGINE=-fsanitize=fuzzer}" "${OUT:=$PWD/out}" "${WORK:=$OUT/work}"
mkdir -p "$OUT" "$WORK"
if [ -z "${BUILD-}" ]; then
	BUILD=$WORK/build
	mkdir -p "$BUILD"
	[ -x "$top/configure" ] || (cd "$top" && autoreconf -fi)
	[ -e "$BUILD/config.h" ] || (cd "$BUILD" && env -u CFLAGS CC=gcc "$top/configure")
	make -C "$BUILD" bpf/capture.skel.h
fi

flags="$CFLAGS -D_GNU_SOURCE -DHAVE_CONFIG_H -I$BUILD -I$BUILD/bpf -I$top -I$top/bpf -Wno-address-of-packed-member"
libs="-lpcap -lxdp -lbpf -lmnl -lseccomp -lzstd -lcmocka -lpthread"

# compile FILE: prints the object's name.
compile()
{
	object=$WORK/$(echo "$1" | tr / _).o
	# shellcheck disable=SC2086 # words
	$CC $flags '-DLOADER_PATH="/nowhere/loader"' '-DLIBPCAP_VERSION_FILE="/nowhere/version"' \
		-c "$top/$1" -o "$object"
	echo "$object"
}

objects=
for file in $(cd "$top" && ls filter/*.c util/*.c pcapng/*.c capture/*.c capture/*/*.c xdpdump/*/*.c \
	tests/capture/fake_ring.c tests/filter/support.c tests/filter/variants.c tests/filter/machine.c \
	tests/filter/oracle.c tests/filter/programs.c tests/filter/frames.c); do
	case $file in
	*/loader_main.c | */static_names.c | */zstd_file_none.c) continue ;;
	esac
	objects="$objects $(compile "$file")"
done
rm -f "$WORK/all.a"
# shellcheck disable=SC2086 # words
${AR:-ar} cr "$WORK/all.a" $objects

for file in $(cd "$top" && ls fuzz/fuzz_*.c tests/filter/fuzz_filter.c tests/xdpdump/fuzz_line.c); do
	name=$(basename "$file" .c)
	# shellcheck disable=SC2086 # words
	${CXX:-$CC} $CFLAGS $LIB_FUZZING_ENGINE "$(compile "$file")" "$WORK/all.a" $libs -o "$OUT/$name"
	[ ! -e "$top/fuzz/dict/$name.dict" ] || cp "$top/fuzz/dict/$name.dict" "$OUT/$name.dict"
done
"$top/fuzz/corpora" "$OUT"
