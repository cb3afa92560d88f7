#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --netns PATTERN where the process that looks for namespaces stands still before it has found all: the capture begins
# after half a minute, says so, and has those that are found later.
# shellcheck source=tests/xdpdump/spaces/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_xdpdump
need ping
interfaces=100 # which take longer to ask for than the process to stop

add one
seq 1 $((interfaces / 2)) | sed 's/.*/link add m& type veth peer name n&/' | ip -n "${prefix}one" -batch -

# stop_keeper: before it has told all; false: it was faster.
stop_keeper()
{
	start "$xdpdump" --netns "$prefix*" -i any -w "$scratch/f.pcapng" icmp
	capture=$pid said=$err
	until keeper=$(cat "/proc/$capture/task/$capture/children") && [ -n "$keeper" ]; do
		kill -0 "$capture" || return
	done
	keeper=${keeper%% *}
	kill -STOP "$keeper"
	wait_for 60 grep -q 'listening on' "$said"
	grep -q 'not all network namespaces were found' "$said"
}

for try in $(seq 20); do
	stop_keeper && break
	kill -CONT "$keeper"
	stop "$capture" INT
done
check "it begins, and says what is missing" grep -q \
	'^xdpdump: warning: not all network namespaces were found within [0-9]* s; others join later$' "$said"
kill -CONT "$keeper"
check "found later: told" told "network namespace ${prefix}one joins the capture"
ip netns exec "${prefix}one" ping -qc 1 -W 20 127.0.0.1 > /dev/null
check "it ends well" all_read "$capture"
equal "packets of it" 2 "$(count captured "$said")"
echo "# the try that came in time: $try"
finish
