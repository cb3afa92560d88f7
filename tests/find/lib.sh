# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# What the tests of pcapng-find share, on top of ../lib.sh: it is run, and what it finds and says.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
find=$build/find/pcapng-find
err=$scratch/said

said()
{
	grep -q -e "$1" "$err" || { show "$err"; return 1; }
}

# run STATUS OPTION...: to $scratch/found, in a minute at most.
run()
{
	status=$1
	shift
	timeout 60 "$find" "$@" > "$scratch/found" 2> "$err"
	[ $? -eq "$status" ] || { echo "another status than $status: pcapng-find $*"; show "$err"; return 1; }
}

count_is()
{
	[ "$(sed -n 's/ packets.*//p' "$scratch/found")" = "$1" ] || { show "$scratch/found"; return 1; }
}
