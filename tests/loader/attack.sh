#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# A user who may run the loader can capture, and nothing else: by its protocol, by what it hands out,
# by libpcap. The host's traffic goes on. Stopped, killed or orphaned, it leaves nothing behind.
. "$(dirname "$0")/common.sh"
need_root
need_library
need setcap setpriv ping
capable=$scratch/pcap-afxdp-loader
cp "$build/pcap-afxdp-loader" "$capable"
chmod 755 "$capable"
setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$capable" 2> "$scratch/said" ||
	skip_all "cannot set file capabilities in $scratch"
cp "$build/tests/loader/attack" "$build/tests/loader/client" "$scratch"
mkdir "$scratch/lib"
copy_library "$scratch/lib"
chmod 755 "$scratch/lib"
library=$scratch/lib
PCAP_AFXDP_LOADER=$capable
nobody='setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all'
veth_pair

# judged FILE: what attack found, line by line.
judged()
{
	while read -r line; do
		case $line in
		ok:*) ok "${line#ok: }" ;;
		FAILED:*) bad "${line#FAILED: }" ;;
		esac
	done < "$1"
}

# attack WORD...: as nobody, in the background.
attack()
{
	# shellcheck disable=SC2086 # words
	start ip netns exec "$right" $nobody "$scratch/attack" "$capable" "$@"
	attacker=$pid words=$out
}

nothing_is_left()
{
	no_xdp_program "$right" vb && ! is_promiscuous "$right" vb && no_loader &&
		! in_right bpftool net show dev vb 2> /dev/null | grep -q tc_ &&
		! in_right grep -q '^[0-9a-f]* *[0-9]* *3 *0003' /proc/net/packet
}

clear_of()
{
	check "$1: nothing is left" wait_for 5 nothing_is_left
}

# opened STEP...: by libpcap as nobody; up to the file $scratch/set.
opened()
{
	rm -f "$scratch/set" "$scratch/go"
	# shellcheck disable=SC2086 # words
	start_capture $nobody "$scratch/client" "$@"
	client=$pid told=$out
	wait_for 20 test -e "$scratch/set"
}

attack asks vb
ended "$attacker" 300
judged "$words"
clear_of "asked"

for hook in xdp tc packet; do
	attack holds vb $hook
	wait_for 20 grep -q ready "$words" || bad "$hook: does not get so far"
	judged "$words"
	check "$hook: promiscuous, by the loader" is_promiscuous "$right" vb
	in_left ping -qc 300 -i 0.004 -W 5 10.99.0.2 > "$scratch/ping"
	equal "$hook: the host answers while rings are scribbled over" 300 \
		"$(sed -n 's/.* \([0-9]*\) received.*/\1/p' "$scratch/ping")"
	# The application has ended, and nobody can run the loader: the kernel wakes it.
	stop "$attacker" KILL
	clear_of "$hook, killed"
done

# By libpcap; the first with the loader stopped.
for hook in auto tc packet; do
	opened promiscuous "open=xdp:vb,hook=$hook" filter=icmp "touch=$scratch/set" "wait=$scratch/go" sleep=30000 ||
		bad "$hook: a member does not open"
	kill -STOP "$(loaders)"
	stop "$client" KILL
	clear_of "$hook: the loader is stopped, the application killed"
done

# What it keeps goes with it, and the capture says so.
for hook in auto packet; do
	opened promiscuous "open=xdp:vb,hook=$hook" "touch=$scratch/set" read=8000 close
	kill -KILL "$(loaders)"
	ended "$client" 20
	check "$hook: the loader is killed: the capture ends, and says so" grep -q \
		'^dispatch: The loader process has ended, and with it what it kept' "$told"
	clear_of "$hook, the loader is killed"
done
cp "$build/xdpdump/xdpdump" "$scratch"
# shellcheck disable=SC2086 # words
start_capture $nobody "$scratch/xdpdump" -i vb -P
xdpdump=$pid told=$err
wait_for 20 grep -q 'listening on' "$told" || bad "xdpdump as nobody does not start"
kill -KILL "$(loaders)"
ended "$xdpdump" 20
equal "xdpdump: the loader is killed: status" 1 $?
check "xdpdump: and it says so" grep -q \
	'^xdpdump: the loader process has ended, and with it what it kept for the capture of vb$' "$told"
clear_of "xdpdump, the loader is killed"
opened open=xdp:vb "touch=$scratch/set" "wait=$scratch/go" read=1500 report=all close
kill -KILL "$(loaders)"
touch "$scratch/go"
in_left ping -qc 5 -i 0.01 -W 5 10.99.0.2 > "$scratch/ping"
ended "$client" 20
check "nothing is kept: the capture goes on" grep -q '^all: frames=1[0-9]* ' "$told"

# says NAME WORDS STEP...: to a user it is an error.
says()
{
	name=$1 words=$2
	shift 2
	# shellcheck disable=SC2086 # words
	with_library $nobody "$scratch/client" "$@" > "$scratch/said" 2>&1
	check "$name" grep -q "$words" "$scratch/said"
	grep -q "$words" "$scratch/said" || show "$scratch/said"
}

for options in engine=divert after=drop after=drop,rest=drop engine=divert,rest=drop,watchdog=off; do
	says "$options: refused" 'activate -8 .*for users the loader process only captures' "open=xdp:vb,$options"
done
says "join=on: refused" 'activate -[0-9]* .*only captures.*join=on' open=xdp:vb,join=on
clear_of "refused"

# loader.conf, in a mount namespace.
conf=$(sed -n 's/^sysconfdir = //p' "$build/Makefile" | sed "s,\${prefix},$(sed -n 's/^prefix = //p' "$build/Makefile"),")

# under TEXT NAME WORDS STEP...: with that in the file.
under()
{
	text=$1 name=$2 words=$3
	shift 3
	# shellcheck disable=SC2046,SC2086,SC2016 # words; the inner shell's
	in_right sh -c 'mount -t tmpfs -o mode=755 none "$1" && mkdir "$1/pcap-afxdp" &&
		printf "%b" "$2" > "$1/pcap-afxdp/loader.conf" && chmod "$3" "$1/pcap-afxdp/loader.conf" && shift 3 &&
		exec "$@"' sh "$conf" "$text" "${mode:-644}" env $(library_environment) $nobody \
		"$scratch/client" "$@" > "$scratch/said" 2>&1
	check "$name" grep -q "$words" "$scratch/said"
	grep -q "$words" "$scratch/said" || show "$scratch/said"
}

if [ -d "$conf" ]; then
	ip -n "$right" link property add dev vb altname other 2> "$scratch/output"
	under 'interfaces va,v[b]\n' "an interface that is listed" '^activate 0 ' open=xdp:vb
	under '# none\n\nhook any\n' "no interface is listed: all" '^activate 0 ' open=xdp:vb
	under 'interfaces eth*\n' "one that is not" 'activate -8 .*loader.conf lets users capture on eth. alone' open=xdp:vb
	under 'interfaces other\n' "one by another name" 'activate -8 .*alone' open=xdp:other
	under 'hook tc\n' "tc alone: auto" '^activate 0 ' open=xdp:vb
	under 'hook tc\n' "tc alone: xdp" 'activate -8 .*at tc alone' open=xdp:vb,hook=xdp
	for text in 'hook xdp\n' 'interfaces\n' 'interfaces a b\n' 'all\n' "hook tc$(printf '%2000d' 0)\n"; do
		under "$text" "what is not understood allows nothing" 'activate -8 .*loader.conf, line 1: give' open=xdp:vb
	done
	mode=600
	under 'interfaces vb\n' "nor what cannot be read" 'activate -8 .*cannot read .*loader.conf: Permission denied' open=xdp:vb
	for link in pcap-afxdp/loader.conf pcap-afxdp; do
		# shellcheck disable=SC2046,SC2086,SC2016 # words; the inner shell's
		in_right sh -c 'mount -t tmpfs -o mode=755 none "$1" && mkdir -p "$(dirname "$1/$2")" &&
			ln -s elsewhere "$1/$2" && shift 2 && exec "$@"' sh "$conf" "$link" \
			env $(library_environment) $nobody "$scratch/client" open=xdp:vb > "$scratch/said" 2>&1
		check "nor a link to what is missing: $link" grep -q \
			'activate -8 .*cannot read .*loader.conf: No such file or directory' "$scratch/said"
	done
else
	skip "loader.conf: $conf is not there"
fi

# set-user-ID in place of capabilities.
cp "$build/pcap-afxdp-loader" "$scratch/setuid"
chmod 4755 "$scratch/setuid"
PCAP_AFXDP_LOADER=$scratch/setuid
says "a loader that is set-user-ID opens nothing" 'activate -8 .*set-user-ID' open=xdp:vb

# Root's own is as it was.
PCAP_AFXDP_LOADER=$build/pcap-afxdp-loader
start_client keep=0 promiscuous open=xdp:vb,after=drop sleep=1
ended "$pid" 20
check "root without capabilities: after=drop" grep -q '^activate 0 ' "$out"

# In a user namespace of one's own nobody gains anything.
PCAP_AFXDP_LOADER=$capable
# shellcheck disable=SC2046,SC2086 # words
if in_right $nobody unshare -Ur true 2> "$scratch/output"; then
	with_library $nobody unshare -Ur "$scratch/client" open=xdp:vb,after=drop > "$scratch/said" 2>&1
	check "root of a user namespace: nothing" grep -q 'activate -[0-9]*' "$scratch/said"
	with_library $nobody unshare -Urn "$scratch/client" open=xdp:lo > "$scratch/said" 2>&1
	check "with a network namespace: nothing" grep -q 'activate -[0-9]*' "$scratch/said"
else
	skip "user namespaces: $(head -n 1 "$scratch/output")"
fi
clear_of "at the end"
finish
