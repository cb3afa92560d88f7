#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The loader inherits what its user chose: limits, descriptors, timers, signals. Whatever these are, a capture opens
# or says why not, and nothing is left behind.
. "$(dirname "$0")/common.sh"
need_root
need_library
need setcap setpriv prlimit
need_testprog trafgen
capable=$scratch/pcap-afxdp-loader
cp "$build/pcap-afxdp-loader" "$capable"
chmod 755 "$capable"
setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$capable" 2> "$scratch/said" ||
	skip_all "cannot set file capabilities in $scratch"
cp "$build/tests/loader/client" "$scratch"
mkdir "$scratch/lib"
copy_library "$scratch/lib"
chmod 755 "$scratch/lib"
library=$scratch/lib
PCAP_AFXDP_LOADER=$capable
nobody='setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all'
veth_pair
opened=0 refused=0 left_over=0

nothing_is_left()
{
	no_xdp_program "$right" vb && ! is_promiscuous "$right" vb && no_loader
}

# cannot_start COMMAND...: the limit already ends a client that has nothing to do, and by the same.
cannot_start()
{
	# shellcheck disable=SC2086 # words
	with_library $nobody timeout -k 5 60 "$@" "$scratch/client" > "$scratch/control" 2>&1
	[ $? -eq "$status" ]
}

# refused_well COMMAND...: with words, or before our code ran. A signal in the midst of it is a crash.
refused_well()
{
	if [ "$status" -gt 126 ]; then
		case $name:$status in # by the limit itself: XCPU and KILL, XFSZ. KILL by timeout is a client that hangs.
		*\ cpu=*:152 | *\ rttime=*:152 | *\ cpu=*:137 | *\ rttime=*:137 | *\ fsize=*:153) return ;;
		esac
		cannot_start "$@"
		return
	fi
	grep -q '^activate -[0-9]* ..*\|error while loading\|cannot be loaded' "$scratch/said"
}

# under NAME COMMAND...: opens a capture by that command.
under()
{
	name=$1
	shift
	# shellcheck disable=SC2086 # words
	with_library $nobody timeout -k 5 60 "$@" "$scratch/client" promiscuous open=xdp:vb "filter=udp dst port 7777" \
		close > "$scratch/said" 2>&1
	status=$?
	if grep -q '^activate 0 ' "$scratch/said"; then
		opened=$((opened + 1))
	else
		refused=$((refused + 1))
		[ "$status" != 124 ] || bad "$name: it did not end"
		refused_well "$@" || {
			bad "$name: refused without a word, status $status"
			show "$scratch/said"
		}
	fi
	wait_for 5 nothing_is_left || {
		left_over=$((left_over + 1))
		bad "$name: something is left"
	}
}

for n in $(seq 4 48); do
	under "$n descriptors" prlimit "--nofile=$n"
done
# Sanitizers need terabytes of addresses, and end at what is less.
is_sanitized || for m in 4 8 16 24 32 48 64 96 128 192 256 512; do
	under "$m MiB of addresses" prlimit "--as=$((m << 20))"
	under "$m MiB of data" prlimit "--data=$((m << 20))"
done
for limit in fsize=0 cpu=0 cpu=1 nproc=1 stack=65536 stack=131072 sigpending=0 memlock=0 core=0 rttime=1 msgqueue=0; do
	under "limit $limit" prlimit "--$limit"
done
check "under limits: some open, $opened" [ "$opened" -gt 20 ]
check "under limits: some are refused, $refused" [ "$refused" -gt 5 ]
equal "under limits: rounds that left something" 0 "$left_over"
with_library setpriv --reuid 54321 --regid 54321 --clear-groups --inh-caps -all prlimit --nproc=2 "$scratch/client" \
	open=xdp:vb > "$scratch/said" 2>&1
check "room for one process, not for the loader: why" grep -q \
	'^activate -8 .*cannot start .*: Resource temporarily unavailable' "$scratch/said"

# The loader has room for its own, and this process not for what it is sent.
opened=0 said_so=0
for n in $(seq 1 35); do
	# shellcheck disable=SC2086 # words
	with_library $nobody prlimit --nofile=40 "$scratch/client" "files=$n" open=xdp:vb close > "$scratch/said" 2>&1
	if grep -q '^activate 0 ' "$scratch/said"; then
		opened=$((opened + 1))
	elif grep -q '^activate -1 .*Too many open files' "$scratch/said"; then
		said_so=$((said_so + 1))
	else
		bad "$n of 40 descriptors are in use: another reason is given"
		show "$scratch/said"
	fi
	wait_for 5 nothing_is_left || bad "$n of 40 descriptors are in use: something is left"
done
check "descriptors in use: some open, $opened" [ "$opened" -gt 5 ]
check "descriptors in use: some are refused for that, $said_so" [ "$said_so" -gt 5 ]

# What the library prints (PCAP_AFXDP_DEBUG=1) must not go to a descriptor of ours.
opened=0 refused=0
for closed in '0<&-' '2>&-' '0<&- 2>&-'; do
	under "closed: $closed" sh -c "exec \"\$@\" $closed" sh
	check "closed: $closed: the loader does not end" fails grep -q 'loader process has ended' "$scratch/said"
done
under "signals blocked" env --block-signal
under "signals ignored" env --ignore-signal
equal "descriptors closed, signals blocked or ignored: opened" 5 "$opened"
equal "descriptors closed, signals blocked or ignored: refused" 0 "$refused"
finish
