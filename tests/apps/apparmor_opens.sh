#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# AppArmor's rules allow whatever the loader, and a program that captures, really open: by strace, with each option that
# opens something of its own, as root and without privilege. It needs no AppArmor; vm/apparmor.sh has it enforced.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need strace tcpdump ping python3 setcap
is_sanitized && skip_all "the runtime of the sanitizers opens files of its own"
strace -Y -o /dev/null true 2> /dev/null || skip_all "needs strace 5.14, which tells the command of each call"
rules=$build/packaging/apparmor
own=$build/testprogs/own_xdp.bpf.o refuse=$build/tests/xdpdump/doctor/refuse
for program in "$own" "$refuse"; do
	[ -e "$program" ] || skip_all "needs $program"
done
veth_pair
chmod 755 "$scratch"
echo 10.99.0.1 > "$scratch/hosts"
: > "$scratch/flows"
start in_left ping -q -i 0.05 -w 300 10.99.0.2
ping=$pid
mkdir "$scratch/capable"
capable=$scratch/capable/pcap-afxdp-loader
cp "$build/pcap-afxdp-loader" "$capable"
setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$capable" || skip_all "cannot set file capabilities"
copy_library "$scratch/capable"
: > "$scratch/calls"

# What tcpdump is run by, and how many packets it gets.
under='' wanted=4
# traced DEVICE [OPTION...]: some packets by tcpdump, and what is opened for them. Options are strace's.
traced()
{
	device=$1
	shift
	# shellcheck disable=SC2086 # words
	with_library env "PCAP_AFXDP_LOADER=$loader" "LD_LIBRARY_PATH=${folder:-$library}" timeout 60 \
		strace -f -Y -y -e trace=open,openat,socket,execve -o "$scratch/one" "$@" \
		$under "$(command -v tcpdump)" -nn -c 4 -i "$device" ip > "$scratch/out" 2> "$scratch/err"
	equal "$device $*: packets" "$wanted" "$(grep -c ' IP ' "$scratch/out")"
	cat "$scratch/one" >> "$scratch/calls"
}

# allowed COMMAND[,COMMAND] RULES: nothing else was opened. What is below the folders of this test an administrator allows.
allowed()
{
	/usr/bin/python3 "$top/tests/apps/apparmor_opens.py" "$rules/$2" "$1" "$scratch/ordinary" "$scratch/calls" > "$scratch/denied"
	looked=$(sed -n '$s/ looked at$//p' "$scratch/denied")
	check "$1: $looked files and sockets" [ "${looked:-0}" -ge 10 ]
	equal "$1: not allowed" '' "$(sed '$d' "$scratch/denied" | grep -v -e "^$scratch/" -e "^$build/" -e "^$top/" | xargs)"
}

loader=$build/pcap-afxdp-loader
traced vb
cp "$scratch/one" "$scratch/ordinary"
: > "$scratch/calls"
for options in '' ,hook=xdp,vlan=off ,hook=tc ,hook=packet ,xdp-mode=skb ",hosts=$scratch/hosts" ",not-flows=$scratch/flows" \
	,engine=divert ,engine=divert,zero-copy=off,queues=0 ",engine=divert,xdp-obj=$own"; do
	traced "xdp:vb$options"
done
traced xdp:any
loader=$capable folder=$scratch/capable
for options in '' ,hook=xdp,vlan=off ,hook=tc ,hook=packet; do
	traced "xdp:vb$options" -u nobody
done
loader=$build/pcap-afxdp-loader folder='' under="$refuse all 1" wanted=0
traced xdp:vb
allowed tcpdump,refuse pcap-afxdp
allowed pcap-afxdp-loader pcap-afxdp-loader
stop "$ping"
finish
