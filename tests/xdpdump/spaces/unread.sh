#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --netns PATTERN while packets lie unread in the rings: what came and went meanwhile, also with the number of another or
# by another name, has its frames and its drops, and so has what is read when the capture has ended.
# shellcheck source=tests/xdpdump/spaces/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_xdpdump
need python3 tshark ping mkfifo
kernel_since 6 1 || skip_all "needs a kernel that names its reasons"
file=$scratch/f.pcapng

begin()
{
	start "$xdpdump" --netns "${prefix}a*" -i any "$@"
	started_capturing "$@"
	capture=$pid said=$err
}

is_gone()
{
	fails ip -n "${prefix}b" link show outside
}

# --- Another namespace has the number of one that went, and goes as well.
add a1
add b
ip -n "${prefix}b" link add outside type veth peer name inside netns "${prefix}a1"
number=$(number "${prefix}a1")
begin --drops -w "$file" dst host "$host" and udp dst port "$port"
kill -STOP "$capture"
drop a1 3
ip netns del "${prefix}a1"
check "nothing keeps it" wait_for 10 is_gone
if add_with "$number" a2; then
	check "another is captured" wait_for 10 is_captured a2
	drop a2 4
	ip netns del "${prefix}a2"
	wanted=' 4 a2/lo 4 a2/lo:drops'
else
	skip "another with its number: the kernel gave that to somebody else"
	wanted=''
fi
kill -CONT "$capture"
check "one that went: told" told "network namespace ${prefix}a1 leaves the capture"
[ -z "$wanted" ] || check "another: told" told "network namespace ${prefix}a2 leaves the capture"
check "of one number: it ends well" all_read "$capture"
equal "of one number: packets by name" "3 a1/lo 3 a1/lo:drops$wanted" "$(by_name)"

# --- An interface gets another name. The process that finds them has heard of that when it has found one more.
add a3
ip -n "${prefix}a3" link add v1 type veth peer name v1 netns "${prefix}b"
ip -n "${prefix}b" link set v1 up
ip -n "${prefix}a3" address add 192.0.2.1/24 dev v1

# send_by NAME N: so many packets by that interface, which nobody answers.
send_by()
{
	ip -n "${prefix}a3" link set "$1" up
	ip -n "${prefix}a3" neighbor add 192.0.2.2 lladdr 02:00:00:00:00:02 dev "$1"
	ip netns exec "${prefix}a3" ping -qc "$2" -i 0.2 -W 0.2 192.0.2.2 > /dev/null
}

begin -w "$file" icmp
kill -STOP "$capture"
send_by v1 2
ip -n "${prefix}a3" link set v1 down
ip -n "${prefix}a3" link set v1 name w1
add a4
check "one more is found" wait_for 10 is_captured a4
send_by w1 3
kill -CONT "$capture"
check "another name: told" told "${prefix}a3/w1 joins the capture"
check "another name: it ends well" all_read "$capture"
equal "another name: packets by name" "2 a3/v1 3 a3/w1" "$(by_name)"

# --- Who reads the file stands still until the capture has ended.
mkfifo "$scratch/pipe"
# shellcheck disable=SC2016 # for the inner shell
sh -c 'exec < "$1"; until [ -e "$2" ]; do sleep 0.1; done; cat > "$3"' sh "$scratch/pipe" "$scratch/go" "$file" &
reader=$!
begin -w "$scratch/pipe" icmp
ip netns exec "${prefix}a4" ping -qc 40 -s 3000 -i 0.002 127.0.0.1 > /dev/null # more than the pipe holds
add a5
check "one that comes then is captured" wait_for 10 is_captured a5
ip netns exec "${prefix}a5" ping -qc 1 -W 20 127.0.0.1 > /dev/null
kill -INT "$capture"
check "it has ended before that is read" wait_for 20 grep -q 'the capture has ended, but nobody reads' "$said"
touch "$scratch/go"
check "what is read then: it ends well" ended "$capture" 20
wait "$reader"
equal "what is read then: packets by name" "80 a4/lo 2 a5/lo" "$(by_name)"
finish
