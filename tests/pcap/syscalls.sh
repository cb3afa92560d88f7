#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The system calls of opening, reading and the rest are those that the manual lists, for programs with
# a seccomp filter of their own; docs/contract.md says of each call of a reading thread why it does not wait; and
# reading does without epoll_pwait2 where it is denied.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need strace ping nsenter
is_sanitized && skip_all "the runtime of the sanitizers has calls of its own"
[ "$(uname -m)" = x86_64 ] || skip_all "the manual has the names of x86_64"
manual=$top/man/pcap-afxdp.7
# Of which the list is; another one has calls of its own.
libc='glibc 2.36' exact=true
[ "$(getconf GNU_LIBC_VERSION)" = "$libc" ] || {
	exact=false
	skip "the list is of the C library of Debian 12, $libc, and this is $(getconf GNU_LIBC_VERSION)"
}
veth_pair
start in_left ping -q -i 0.02 -w 120 10.99.0.2
ping=$pid
# Notices of changes for the reader to see.
cat > "$scratch/change" <<-END
	i=0
	while [ \$i -lt 600 ]; do
		ip -n $right link set vb alias change\$i
		i=\$((i + 1))
		sleep 0.1
	done
END
start sh "$scratch/change"

# listed: what the manual has, as "function call", one a line.
listed()
{
	awk '/^\.Ss System calls/ { on = 1 } on && /^\.Ed/ { exit } on && /^\.Bd/ { on = 2; next }
		on == 2 {
			first = 1
			if (/^every one/) { name = "any"; first = 3 }
			else if (/^[a-z]/) { name = $1; sub("^pcap_", "", name); first = 2 }
			for (i = first; i <= NF; i++) print name, $i
		}' "$manual" | sort -u
}

# observed FILE: what strace saw between the marks of phases.
observed()
{
	awk '/^write\(-1, "phase / { split($0, word, /[ "]/); phase = word[4]; next }
		phase != "" && match($0, /^[a-z0-9_]+\(/) { print phase, substr($0, 1, RLENGTH - 1) }' "$1" | sort -u
}

# Who starts what: in $right, with the /sys of $right; or with that of another network namespace, as setns() leaves it.
enter=with_library
elsewhere()
{
	# shellcheck disable=SC2046 # words
	nsenter --net="/run/netns/$right" env $(library_environment) "$@"
}

# seen DEVICE USER [OPTION...]: of one run, which is added to all.
seen()
{
	run="$1${2:+ as $2}"
	device=$1 user=$2
	shift 2
	$enter timeout 60 strace -o "$scratch/calls" "$@" "$build/tests/pcap/phases" "$device" "$user" \
		> "$scratch/said" 2>&1
	state=$?
	equal "$run: runs" 0 $state
	[ $state -eq 0 ] || show "$scratch/said"
	observed "$scratch/calls" > "$scratch/seen"
	cat "$scratch/seen" >> "$scratch/all"
}

# within: what was seen is listed, for its function or for every one.
within()
{
	$exact || return 0
	sed -n 's/^any //p' "$scratch/listed" > "$scratch/any"
	grep -v -x -F -f "$scratch/listed" "$scratch/seen" | grep -v -w -F -f "$scratch/any" > "$scratch/more"
	equal "$run: calls that the manual lacks" '' "$(tr '\n' ';' < "$scratch/more")"
}

listed > "$scratch/listed"
check "the manual has a list" grep -q -x 'loop epoll_pwait2' "$scratch/listed"
for device in xdp:vb xdp:vb,hook=tc xdp:vb,hook=packet xdp:vb,engine=divert xdp:vb,engine=divert,zero-copy=off; do
	for user in '' nobody; do
		seen "$device" "$user"
		within
	done
done
! $exact || equal "calls of the manual that no run has" '' \
	"$(grep -v '^any ' "$scratch/listed" | grep -v -x -F -f "$scratch/all" | tr '\n' ';')"
seen xdp:vb '' -e trace=all -e inject=epoll_pwait2:error=EPERM
check "where epoll_pwait2 is denied, by epoll_wait" grep -q -x 'loop epoll_wait' "$scratch/seen"
# asking: how often a reading call asked the kernel for a link, which takes RTNL.
asking()
{
	awk '/^write\(-1, "phase / { split($0, word, /[ "]/); phase = word[4]; next }
		phase ~ /^(loop|stats|dispatch|next_ex)$/ && /^(bpf|sendto|recvmsg)\(/ { print phase, $1 }' "$scratch/calls" \
		> "$scratch/asking"
	grep -c ' bpf(' "$scratch/asking"
}

# asked FUNCTION: how often it asked the kernel for the interface, which takes RTNL as well.
asked()
{
	awk -v wanted="$1" '/^write\(-1, "phase / { split($0, word, /[ "]/); phase = word[4]; next }
		phase == wanted && /^(sendto|recvmsg)\(/ { n++ } END { print n + 0 }' "$scratch/calls"
}

# Also where the /sys that is mounted tells of other interfaces.
printf '%s\n' 'activate fsopen' 'activate fsconfig' 'activate fsmount' >> "$scratch/listed"
enter=elsewhere
seen xdp:vb nobody
within
equal "$run, another's /sys: pcap_stats asks for the interface" 0 "$(asked stats)"
check "$run, another's /sys: it counts by files" grep -q -x 'stats pread64' "$scratch/seen"
enter=with_library

# Frames of one side alone: of the other nobody can say by its frames that the program is attached. No loader looks.
stop "$ping"
in_right sysctl -q -w net.ipv6.conf.vb.disable_ipv6=1
ip -n "$left" neigh replace 10.99.0.77 dev va lladdr "$(in_right cat /sys/class/net/vb/address)"
start in_left ping -q -i 0.02 -w 120 10.99.0.77
# As the manual says below the list.
printf '%s\n' 'setfilter bpf' 'setfilter close' 'setfilter rt_sigprocmask' 'loop pread64' >> "$scratch/listed"
# silent DEVICE: one that is read while none of ours is sent.
silent()
{
	seen "$1" ''
	within
	equal "$run, $enter, sent frames silent: calls that wait for others' interfaces" 0 "$(asking)"
}

for device in xdp:vb,loader=off xdp:vb,hook=tc,loader=off xdp:vb,hook=packet,loader=off; do
	silent "$device"
done
enter=elsewhere
silent xdp:vb,loader=off
enter=with_library
# One frame is sent while it reads, and then none: the last one may have missed the program.
cat > "$scratch/one" <<-END
	until grep -q '^write(-1, "phase loop' "$scratch/calls"; do sleep 0.05; done
	ip netns exec $left ping -qc 1 -W 1 10.99.0.2
END
: > "$scratch/calls"
start sh "$scratch/one"
one=$pid
seen xdp:vb,hook=tc,loader=off ''
ended "$one" 10
equal "$run, one frame sent: both links asked for, once" 2 "$(asking)"
# unexplained: calls of reading and of pcap_stats() that no row of the page has. restart_syscall goes on with a sleep.
unexplained()
{
	awk -F '|' '/^## /{ on = /System calls while reading/ } on { print $2 }' "$top/docs/contract.md" > "$scratch/rows"
	sed -n 's/^\(loop\|stats\) //p' "$scratch/all" | sort -u | grep -v '^restart_syscall$\|^rt_sigreturn$' |
		while read -r call; do grep -q -w "$call" "$scratch/rows" || echo "$call"; done
}
equal "calls of a reading thread without a reason in docs/contract.md" '' "$(unexplained | tr '\n' ';')"
# Before the first mark there is nothing but the start of the program and pcap_create().
equal "pcap_create asks netlink about the interface" 1 \
	"$(sed '/^write(-1, "phase /q' "$scratch/calls" | grep -c 'NETLINK_ROUTE')"
finish
