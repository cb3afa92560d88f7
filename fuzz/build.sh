#!/bin/sh -eu
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Builds the fuzz targets into $OUT, as OSS-Fuzz calls it: with $CC, $CFLAGS and $LIB_FUZZING_ENGINE. BUILD is a
# build directory that was configured; without it one is made, in $WORK.
set -eu # also where a shell is told to read this
top=$(cd "$(dirname "$0")/.." && pwd)
# Nothing is inlined: what a target reaches is told by function.
: "${CC:=clang}" "${CFLAGS=-g -O1 -fno-inline -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined}"
: "${LIB_FUZZING_ENGINE=-fsanitize=fuzzer}" "${OUT:=$PWD/out}" "${WORK:=$OUT/work}"
mkdir -p "$OUT" "$WORK"
if [ -z "${BUILD-}" ]; then
	BUILD=$WORK/build
	mkdir -p "$BUILD"
	[ -x "$top/configure" ] || (cd "$top" && autoreconf -fi)
	[ -e "$BUILD/config.h" ] || (cd "$BUILD" && env -u CFLAGS CC=gcc "$top/configure")
	make -C "$BUILD" fuzz-headers
fi
# Of make it is called by, neither jobs nor variables.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
make -s -j"$(nproc)" -f "$top/fuzz/targets.mk" top="$top" BUILD="$BUILD" OUT="$OUT" WORK="$WORK" \
	CC="$CC" CXX="${CXX:-$CC}" AR="${AR:-ar}" CFLAGS="$CFLAGS" LIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
cp "$top"/fuzz/dict/*.dict "$OUT"
"$top/fuzz/corpora" "$OUT"
