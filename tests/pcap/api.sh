#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pcap API, by programs that use it: each in a namespace of its own, on the library of the build.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library

for program in read_test handle_test; do
	# shellcheck disable=SC2046 # one word per variable
	env $(library_environment) "$build/tests/pcap/$program" > "$scratch/said" 2>&1
	status=$?
	grep -v -e RUN -e '=====' "$scratch/said"
	counts=$(tail -n 1 "$scratch/said" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, [0-9]* skipped$/\1 \2/p')
	if [ -n "$counts" ]; then
		passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
	else
		bad "$program ended with status $status"
	fi
done
finish
