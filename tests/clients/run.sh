#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# run.sh: the tests with clients, from the build directory, and the table of what each client did. Of
# Debian's packages those that are missing are installed first where that can be; what languages'
# registries have is kept in the cache. CLIENTS=all: the long form. CLIENT_TESTS chooses tests.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
PCAP_AFXDP_CACHE=${PCAP_AFXDP_CACHE:-$(pwd)}
# shellcheck source=tests/prepare.sh
. "$here/../prepare.sh"
# prepare.sh is for scripts in the top folder.
top=$(cd "$here/../.." && pwd) || exit 1
logs=$(pwd)
CLIENTS=${CLIENTS:-quick}
some="drivers programs plain bridge"
[ "$CLIENTS" = quick ] || some="$some loops blocking services manifest"
CLIENT_TESTS=${CLIENT_TESTS:-$some}
CLIENTS_TABLE=$(mktemp) || exit 1
export CLIENTS CLIENTS_TABLE
passed=0 failed=0 skipped=0
trap 'rm -f "$CLIENTS_TABLE"' EXIT
trap 'exit 130' HUP INT TERM

# Where they cannot be installed, the tests say what they leave out for it.
fetch_clients()
{
	[ "$(id -u)" -eq 0 ] && command -v apt-get > /dev/null || return
	if [ "$CLIENTS" = all ]; then
		(fetch_packages clients clients-all)
	else
		(fetch_packages clients)
	fi
}

# run_test NAME: with its log in tests/clients/, and its counts added.
run_test()
{
	heading "$1"
	log=tests/clients/$1.log
	sh "$here/$1.sh" 2>&1 | tee "$log"
	# shellcheck disable=SC2046 # three words
	set -- $(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$log" | tail -n 1)
	if [ $# -ne 3 ]; then
		echo "FAILED: it did not come to its end"
		set -- 0 1 0
	fi
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

fetch_clients
mkdir -p tests/clients
for name in $CLIENT_TESTS; do
	run_test "$name"
done
heading "Clients"
printf '%-26s %-22s %-8s %-10s %-9s %s\n' client version opened counted stopped injected
cat "$CLIENTS_TABLE"
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
