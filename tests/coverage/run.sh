#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# run.sh SOURCE DIR MOST: builds in DIR with clang's coverage, runs the tests in their short form and then
# tests/faults/places.sh, in which each call fails once, and prints the error paths that none of them runs and
# tests/coverage/argued.txt has no reason for; fails if these are more than MOST lines.
# COVERAGE_TESTS chooses other tests, COVERAGE_JOBS how many run side by side.
# Counters lie in files that each process maps at its start, so that what is confined or killed is counted as well.
# Their name is compiled in, as the loader has no environment.
set -eu
source=$1 dir=$2 most=$3
mkdir -p "$dir/profiles"
chmod 777 "$dir/profiles"
# Of make it is called by, neither jobs nor variables.
unset MAKEFLAGS MFLAGS MAKELEVEL
top=$(cd "$source" && pwd)
cd "$dir"
generate=-fprofile-instr-generate=$PWD/profiles/%m%c.profraw
# objcopy would hide where the counters are from the objects of the archive; without it some names are there twice.
[ -e Makefile ] || "$top/configure" CC='clang -mllvm -runtime-counter-relocation' OBJCOPY=: --disable-hardening \
	LDFLAGS="$generate -Wl,-z,muldefs" CFLAGS="-g -O0 $generate -fcoverage-mapping" > configure.log 2>&1
make -s -j"$(nproc)" all tests/loader/client tests/faults/failing.so > make.log 2>&1
rm -f profiles/*
# Files that each user may count in: a test may run these as another user.
(
	umask 0
	xdpdump/xdpdump --version || true
	./pcap-afxdp-loader < /dev/null || true
	LD_LIBRARY_PATH=libpcap-build tests/loader/client open=xdp:none || true
) > /dev/null 2>&1
CHECK_SIZE=quick make -s -k -j"${COVERAGE_JOBS:-$(($(nproc) * 2))}" check \
	TESTS="${COVERAGE_TESTS:-$(make -s list-tests)}" > check.log 2>&1 || true
grep '^FAIL' check.log || true # what was run is counted all the same
# Their quick forms leave out situations, and what takes a minute.
full='tests/xdpdump/doctor/doctor_agrees.sh tests/xdpdump/feed/export.sh tests/xdpdump/files/commands.sh'
CHECK_SIZE=full make -s -k -j"${COVERAGE_JOBS:-$(nproc)}" check TESTS="$full" > full.log 2>&1 || true
grep '^FAIL' full.log || true
FAULTS_PLACES=all sh "$top/tests/faults/places.sh" > places.log 2>&1 || true
grep '^FAILED' places.log || true
llvm-profdata merge -o all.profdata profiles/*.profraw
set --
for program in xdpdump/xdpdump pcap-afxdp-loader kafka/pcapng-kafka find/pcapng-find libafxdpcapture.so.0 libpcap-build/libpcap.so.0.8 \
	tests/*/*_test tests/*/*/*_test tests/filter/differ tests/filter/interface tests/filter/vectors; do
	[ ! -x "$program" ] || set -- "$@" -object "$program"
done
shift
llvm-cov export -format=lcov -instr-profile=all.profdata "$@" > all.lcov 2> export.log
python3 "$top/tests/coverage/error_paths.py" all.lcov "$top/tests/coverage/argued.txt" "$top" "$most"
