# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of lib.sh, which comes first
# Building in a fresh system, and running the tests of what was built.

# listed SET: the packages that tests/packages names for it.
listed()
{
	awk -v set="$1" '$1 == set { print $2 }' "$top/tests/packages"
}

# configures OPTION...: anew, in $build.
configures()
{
	rm -rf "$build"
	mkdir "$build" && (cd "$build" && ../configure --enable-werror "$@")
}

# Programs and what tests need, too: warnings are errors. Said is what failed, all of it.
builds()
{
	make -C "$build" -k -j "$(nproc)" > "$scratch/made" 2>&1 &&
		make -C "$build" -k -j "$(nproc)" check TESTS= >> "$scratch/made" 2>&1 && return
	grep -E -A 4 ' (error|warning): |undefined|\*\*\*|graft/build: (no|failed)' "$scratch/made"
	return 1
}

# result NAME: of a test that make check has run, as one of ours.
result()
{
	log=$build/${1%.sh}
	case $(sed -n 's/^:test-result: //p' "$log.trs" 2> /dev/null | tail -n 1) in
	PASS) ok "$what: $1: $(grep -i ' passed' "$log.log" | tail -n 1)" ;;
	SKIP) skip "$what: $1: $(sed -n 's/^skipped: *//p' "$log.log" | head -n 1)" ;;
	*)
		bad "$what: $1"
		grep -v '^ok: ' "$log.log" | tail -n 40 | sed 's/^/    /'
		;;
	esac
}

# of_failed TEST...: those that make check saw fail.
of_failed()
{
	for test; do
		! grep -q '^:test-result: FAIL' "$build/${test%.sh}.trs" || echo "$test"
	done
}

# passes TESTS [VARIABLE=VALUE]...: by make check, each for itself. As by ./check, what fails on a machine that is
# busy has a second try.
passes()
{
	tests=$1
	shift
	make -s -C "$build" -k check TESTS="$tests" "$@" > "$scratch/checked" 2>&1
	# shellcheck disable=SC2086 # a list
	again=$(of_failed $tests)
	[ -z "$again" ] || make -s -C "$build" -k check TESTS="$again" "$@" > "$scratch/checked" 2>&1
	for test in $tests; do
		result "$test"
	done
}
