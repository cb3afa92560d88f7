#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# join=on where there is nothing to join, or it cannot be had: refused with the reason, and nothing is
# changed in the hook. vm/join.sh has the rest, on kernels that let programs into a dispatcher.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need tcpdump unshare nsenter
object=$(find /usr/lib -name xdp-dispatcher.o 2> /dev/null | head -n 1)
veth_pair
# A bpffs of this test's own, in a mount namespace that ends with it.
mkfifo "$scratch/hold"
start unshare -m --propagation private sh -c 'mount -t bpf bpf /sys/fs/bpf && echo mounted && exec cat "$1"' sh "$scratch/hold"
mounts=$pid
wait_for 10 grep -q mounted "$out" || skip_all "no bpffs: $(head -n 1 "$err")"

# With its root and folder too: a mount namespace's own root is not that of a chroot.
in_net()
{
	nsenter -t "$mounts" -m -r -w --net="/run/netns/$right" "$@"
}

# refused OPTIONS WORDS [COMMAND]: no capture there, and the error has the words.
refused()
{
	# shellcheck disable=SC2046 # one word per variable
	${3:-in_net} env $(library_environment) timeout 20 tcpdump -Z root -c 1 -i "xdp:vb,$1" > "$scratch/said" 2>&1
	equal "$1 is refused" 1 $?
	check "$1: says $2" grep -q -e "$2" "$scratch/said"
	grep -q -e "$2" "$scratch/said" || show "$scratch/said"
}

as_nobody()
{
	in_net setpriv --reuid 65534 --clear-groups "$@"
}

# holds COMMAND...: somebody in the hook.
holds()
{
	start nsenter -t "$mounts" -m -r -w --net="/run/netns/$right" "$@"
	holder=$pid
	wait_for 10 grep -q attached "$out" && return
	bad "$*: $(head -n 1 "$err")"
	return 1
}

refused join=on 'nothing is in the XDP hook.*leave join=on out'
refused join=on,hook=tc 'leave it out, or hook=tc'
refused join=on,hook=packet 'leave it out, or hook=packet'
refused join=on,loader=off 'leave loader=off out'
refused join=on 'CAP_BPF.*missing' as_nobody
refused join=maybe 'valid are off, on'
for how in xdp netlink; do
	holds "$foreign" $how vb || continue
	theirs=$(xdp_program "$right" vb)
	refused join=on 'held by foreign_xdp.*no dispatcher of libxdp.*leave join=on out'
	refused join=on 'mount -t bpf bpf /sys/fs/bpf' in_right
	equal "$how: theirs is untouched" "$theirs" "$(xdp_program "$right" vb)"
	stop "$holder" INT
done
if [ -n "$object" ]; then
	own=2
	for version in 9 next; do
		[ $version != next ] || version=$((own + 1))
		holds "$build/tests/hooks/dispatcher" vb $version "$object" || continue
		theirs=$(xdp_program "$right" vb)
		refused join=on "of a version that our libxdp does not know: leave join=on out to .*version $version"
		own=$(sed -n 's/.*higher than supported \([0-9]*\).*/\1/p' "$scratch/said")
		equal "a newer dispatcher is untouched" "$theirs" "$(xdp_program "$right" vb)"
		stop "$holder" INT
	done
	# What its table says is elsewhere: the bpffs of another container, or one that was emptied.
	for table in "1 $object" "$own $object 3" "$own $object 200"; do
		# shellcheck disable=SC2086 # words
		holds "$build/tests/hooks/dispatcher" vb $table || continue
		theirs=$(xdp_program "$right" vb)
		refused join=on 'the dispatcher xdp_dispatcher (id [0-9]*) has no programs in the /sys/fs/bpf that is mounted here: mount '
		equal "a dispatcher from elsewhere is untouched" "$theirs" "$(xdp_program "$right" vb)"
		stop "$holder" INT
	done
	# libxdp 1.6 has version 3, and leaves older ones as they are.
	[ "$own" -eq 2 ] || ! holds "$build/tests/hooks/dispatcher" vb 2 "$object" || {
		refused join=on 'of an older libxdp than ours, which does not change it: leave '
		stop "$holder" INT
	}
	holds "$build/tests/hooks/dispatcher" vb "$own" "$object" && {
		theirs=$(xdp_program "$right" vb)
		refused join=on 'the kernel refuses freplace, by which a program joins the dispatcher (.*): leave '
		in_net "$build/xdpdump/xdpdump" --doctor --join on -i vb > "$scratch/said" 2>&1
		equal "--doctor --join on: something is wrong" 1 $?
		check "--doctor --join on: says that it refuses freplace, once" \
			[ "$(tr -s ' \n' ' ' < "$scratch/said" | grep -o 'the kernel refuses freplace, by which a program joins the dispatcher' | wc -l)" -eq 1 ]
		[ "$failed" -eq 0 ] || show "$scratch/said"
		equal "a dispatcher that we may not join is untouched" "$theirs" "$(xdp_program "$right" vb)"
		stop "$holder" INT
	}
else
	skip "no xdp-dispatcher.o of libxdp"
fi
nothing_left "$right" vb
stop "$mounts" KILL
finish
