#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --doctor: what it says of an interface is so, it attaches nothing, and its status is what a capture
# would meet with.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need ethtool
foreign=$build/tests/hooks/foreign
veth_pair numrxqueues 2 numtxqueues 2
[ -x "$foreign" ] || skip_all "needs tests/hooks/foreign"

# As in lib.sh. The way of ip into the namespace hides the files of cgroups.
enter="ip netns exec $right"
run_xdpdump()
{
	# shellcheck disable=SC2086 # words
	start $enter "$xdpdump" "$@"
	ended "$pid" 20
	state=$?
}

# doctor STATUS ARGUMENT...: of --doctor; text and JSON, and a capture for a moment, agree.
doctor()
{
	wanted=$1 what="--doctor $*"
	shift
	run_xdpdump --doctor "$@" --json
	cp "$out" "$scratch/json"
	check "$what --json: status" test "$state" -eq "$wanted"
	check "$what --json: one line" test "$(wc -l < "$scratch/json")" -eq 1
	run_xdpdump --doctor "$@"
	check "$what: status" test "$state" -eq "$wanted"
	check "$what: nothing on standard error" fails test -s "$err"
	cp "$out" "$scratch/said"
	check "$what: checks in JSON and in text" \
		test "$(grep -o '"verdict":' "$scratch/json" | wc -l)" -eq "$(grep -c '^[A-Za-z].\{15\}\(ok\|note\|bad\) ' "$scratch/said")"
	if command -v python3 > /dev/null; then
		check "$what: JSON is valid" python3 -m json.tool "$scratch/json" "$scratch/pretty"
	fi
	check "$what: the last line" grep -q "^Capture on .* $([ "$wanted" -eq 0 ] && echo works || echo does not work)\.$" "$scratch/said"
}

# found NAME VERDICT TEXT: of the last time; TEXT is a basic regular expression.
found()
{
	# The lines of a check are put into one.
	sed -n -e "/^$1  */,\$p" "$scratch/said" | awk 'NR > 1 && /^[^ ]/ { exit } { $1 = $1; printf "%s ", $0 }' > "$scratch/found"
	if grep -q "^$1 $2 .*$3" "$scratch/found"; then
		ok "$what: $(cut -c 1-100 "$scratch/found")"
	else
		bad "$what: wanted $1 $2 $3"
		show "$scratch/said"
	fi
}

# agrees INTERFACE [OPTION...]: a capture for a moment meets with what was said.
agrees()
{
	name=$1
	run_xdpdump -i "$@" -w "$scratch/f.pcapng" -a duration:0.2
	equal "a capture on $*: status" "$wanted" "$state"
}

nothing_attached()
{
	check "$what: nothing attached" no_xdp_program "$right" "$1"
	equal "$what: nothing at tc" 'ingress 0 egress 0' \
		"$(in_right "$foreign" list "$1" | sed 's/.*\(ingress .*\)/\1/' | xargs)"
}

healthy()
{
	sleep 1.1 # what the kernel tells of a new link it tells within a second
	start ip netns exec "$right" ip monitor link
	monitor=$pid changes=$out
	doctor 0 vb
	for asked in '-P' '--engine divert' '-j adapter' '--xdp-mode skb' '-Q inout --hook packet'; do
		# shellcheck disable=SC2086 # words
		run_xdpdump --doctor vb $asked udp
		equal "--doctor $asked: status" 0 "$state"
	done
	sleep 0.2
	stop "$monitor" TERM
	doctor 0 vb
	check "$what: the link was left alone" fails test -s "$changes"
	found link ok 'up, 10000 Mb/s'
	found driver ok 'veth 1.0'
	found capture note 'xdp, in the driver.*segmentation offload; --hook tc avoids that'
	found 'XDP hook' ok free
	found 'native XDP' ok 'yes: basic'
	found zero-copy ok 'has none'
	found MTU ok 1500
	found CPUs ok 'handled where they are sent'
	found kernel ok "$(uname -r)"
	found capabilities ok all
	found programs ok 'loaded'
	found memory ok "$(nproc --all) rings of .*, resident while it captures"
	agrees vb
	nothing_attached vb
}

# What is changed is seen.
changes()
{
	in_right ethtool -L vb rx 2 tx 2 > /dev/null 2>&1
	doctor 0 vb --hook tc
	found capture ok tc
	found queues ok '2 for reception'
	in_right ethtool -K vb gro on tso off > /dev/null 2>&1
	doctor 0 vb --hook tc
	found offloads note 'gro on.*tso off.*ethtool -K vb gro off lro off'
	if in_right sh -c 'echo 1 > /sys/class/net/vb/threaded' 2> /dev/null; then
		doctor 0 vb
		found CPUs ok 'by threads of the kernel'
		in_right sh -c 'echo 0 > /sys/class/net/vb/threaded'
	else
		skip "threads that handle frames: this kernel has none for veth"
	fi
	in_right ethtool -K vb gro off > /dev/null 2>&1
	doctor 0 vb --hook tc
	found offloads ok 'gro off'
	ip -n "$right" link set vb mtu 9000
	doctor 0 vb
	found MTU ok 9000
	agrees vb
	ip -n "$right" link set vb mtu 1500
	doctor 0 vb --hook packet
	found capture ok 'a packet socket'
	agrees vb --hook packet
	doctor 0 vb --ring 1M
	found memory ok 'rings of 1024 KiB'
}

down()
{
	ip -n "$right" link set vb down
	doctor 1 vb
	found link bad 'vb is down # ip link set vb up'
	found programs ok loaded
	agrees vb
	ip -n "$right" link set vb up
	ip -n "$left" link set va down
	doctor 0 vb
	found link note 'without a carrier'
	ip -n "$left" link set va up
}

other_devices()
{
	doctor 1 nosuch
	found interface bad 'nosuch: no such interface # xdpdump -D'
	agrees nosuch

	ip -n "$right" link add br0 type bridge
	ip -n "$right" link set br0 up
	doctor 0 br0
	found capture ok tc
	found 'native XDP' note 'the driver has none'
	agrees br0
	doctor 1 br0 --hook xdp
	found 'native XDP' bad 'none # xdpdump -i br0 --hook tc'
	agrees br0 --hook xdp

	ip -n "$right" tuntap add tap0 mode tap
	ip -n "$right" tuntap add tun0 mode tun
	ip -n "$right" link set tap0 up
	ip -n "$right" link set tun0 up
	doctor 0 tap0
	found driver ok 'tun 1.6'
	found capture ok 'xdp, in the driver'
	found link note 'without a carrier'
	agrees tap0
	doctor 0 tun0
	found capture ok tc
	agrees tun0
	doctor 1 tun0 --hook xdp
	found capture bad 'no Ethernet frames'
	agrees tun0 --hook xdp
	doctor 1 tun0 ether host 02:00:00:00:00:01 # which only the open capture can tell
	found filter bad '\(only on ethernet\|not supported on DLT_RAW\)' # before and since libpcap 1.11
	agrees tun0 ether host 02:00:00:00:00:01
	doctor 0 lo
	found capture ok tc
	agrees lo
}

# Of a filter something is said as well where the capture cannot be opened.
filters()
{
	doctor 1 vb --engine divert --queues 7 udp port 53
	found filter ok 'runs in the kernel, in [1-9][0-9]* instructions, unless the verifier refuses it'
	doctor 1 vb --engine divert --queues 7 ip protochain 17
	found filter note 'runs in user space, on every frame: .*backward'
	doctor 1 vb --engine divert --queues 7 udp prot 53
	found filter bad 'syntax error'
}

# stays HOOK: a program without a link is not in the way of tc, and nobody is told to remove it.
stays()
{
	start ip netns exec "$right" "$foreign" "$1" vb
	holder=$pid
	wait_for 10 grep -q attached "$out" || bad "no foreign program in $1"
	doctor 0 vb
	found 'XDP hook' note 'held by '
	check "$1: nobody is told to remove it" fails grep -q 'link detach\|xdp[a-z]* off' "$scratch/said"
	stop "$holder" INT
}

# A disk that is fuller than it may be.
fuller()
{
	doctor 1 vb -w "$scratch/limited" --disk-limit 1%
	found capture bad '--disk-limit is reached'
	equal "... and no file is left" '' "$(ls "$scratch/limited" 2> /dev/null)"
}

# Somebody else's programs.
taken()
{
	start ip netns exec "$right" "$foreign" xdp vb
	holder=$pid
	wait_for 10 grep -q attached "$out" || bad "no foreign program in xdp"
	id=$(xdp_program "$right" vb)
	doctor 0 vb
	found 'XDP hook' note "held by .*(id $id)"
	check "... and nobody is told to remove it" fails grep -q 'link detach\|xdp[a-z]* off' "$scratch/said"
	found capture note "tc; .*held by .*(id $id)"
	agrees vb
	doctor 1 vb --hook xdp
	found 'XDP hook' bad "held by .*(id $id).*--hook tc"
	agrees vb --hook xdp
	equal "the other program is still there" "$id" "$(xdp_program "$right" vb)"
	stop "$holder" INT

	# A link in another network namespace, to an interface of the same number, is not to be detached.
	number=$(in_right cat /sys/class/net/vb/ifindex)
	new_namespace c
	ip -n "$namespace" link add vb index "$number" type veth peer name peer index 999 && ip -n "$namespace" link set vb up
	start ip netns exec "$namespace" "$foreign" xdp vb
	elsewhere=$pid
	wait_for 10 grep -q attached "$out" || bad "no foreign program in another namespace"
	stays netlink
	stays generic
	stop "$elsewhere" INT

	start ip netns exec "$right" "$foreign" ingress vb
	holder=$pid
	wait_for 10 grep -q attached "$out" || bad "no foreign program in ingress"
	doctor 0 vb
	found 'tc hooks' ok 'received: .*(id [0-9]*); sent: nobody'
	stop "$holder" INT
	doctor 0 vb
	found 'tc hooks' ok 'received: nobody; sent: nobody'
}

# As somebody who can read the program, and a loader without and with capabilities.
no_privilege()
{
	# A path longer than most.
	deep=$scratch/$(printf '%0150d' 0)
	mkdir -p "$deep"
	cp "$as" "$deep/xdpdump"
	cp "$build/pcap-afxdp-loader" "$scratch/loader"
	cat > "$scratch/unprivileged" <<-END
	#!/bin/sh
	PCAP_AFXDP_LOADER=$scratch/\${LOADER:-nosuch} exec setpriv --reuid 65534 --regid 65534 --clear-groups "$deep/xdpdump" "\$@"
	END
	chmod +x "$scratch/unprivileged"
	mkdir -p "$scratch/out"
	chmod 777 "$scratch/out"
	xdpdump=$scratch/unprivileged

	doctor 1 vb
	found capabilities bad "CAP_BPF.*CAP_NET_ADMIN.*missing # setcap cap_bpf.* $deep/xdpdump"
	found programs note 'not tried'
	found loader note 'nosuch: No such file'
	found 'native XDP' ok 'yes: basic'
	found 'tc hooks' note 'not known: only privileged users see the programs'
	LOADER=loader
	export LOADER
	doctor 1 vb
	found loader note 'has no capabilities.*setcap'
	# Root needs none, and is told what it is for others.
	loader=${PCAP_AFXDP_LOADER-}
	xdpdump=$as PCAP_AFXDP_LOADER=$scratch/loader
	export PCAP_AFXDP_LOADER
	doctor 0 vb
	found loader ok 'has no capabilities'
	xdpdump=$scratch/unprivileged PCAP_AFXDP_LOADER=$loader
	if ! command -v setcap > /dev/null ||
		! setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$scratch/loader" 2> /dev/null; then
		skip "a loader with capabilities: needs setcap, and a file system that has them"
	else
		doctor 0 vb
		found loader ok 'opens captures'
		found capabilities note 'the loader opens'
		run_xdpdump -i vb -w "$scratch/out/f.pcapng" -a duration:0.2
		equal "so it is" 0 "$state"
		doctor 1 vb --loader off
		found loader ok 'not wanted'
		run_xdpdump -i vb --loader off -w "$scratch/out/f.pcapng" -a duration:0.2
		equal "so it is" 1 "$state"
	fi
	unset LOADER
	xdpdump=$as
}

remove_group()
{
	before=$?
	[ ! -d "$group" ] || rmdir "$group"
	return "$before"
}

# In a cgroup of its own, version 1 or 2, that the rings do not fit into.
limited()
{
	group=/sys/fs/cgroup/memory/afxdp-$$ file=memory.limit_in_bytes used=memory.usage_in_bytes
	[ -d /sys/fs/cgroup/memory ] || group=/sys/fs/cgroup/afxdp-$$ file=memory.max used=memory.current
	at_exit remove_group
	if ! mkdir "$group" 2> /dev/null || [ ! -e "$group/$file" ] || ! echo 48M > "$group/$file"; then
		skip "a limit of memory: cannot make a cgroup with one here"
		return
	fi
	# The kernel frees what the one before had after that has ended.
	cat > "$scratch/limited" <<-END
	#!/bin/sh
	for _ in \$(seq 100); do
		[ "\$(cat $group/$used)" -gt 1048576 ] || break
		sleep 0.1
	done
	echo \$\$ > $group/cgroup.procs
	exec $as "\$@"
	END
	chmod +x "$scratch/limited"
	xdpdump=$scratch/limited
	enter="nsenter --net=/run/netns/$right"
	limits='48 12'
	if is_sanitized; then
		limits=96
		skip "a limit of 12 MiB: a program with sanitizers is larger"
	fi
	for limit in $limits; do
		# Refused as long as it has more, which goes with delay.
		check "a limit of $limit MiB" wait_for 10 sh -c "echo ${limit}M > '$group/$file'"
		doctor 1 vb --ring 64M
		found memory bad "leaves .* of $limit MiB.*--ring-total [0-9]*K"
		advice=$(sed -n 's/.*--ring-total \([0-9]*K\).*/\1/p' "$scratch/found")
		found programs bad 'no memory for'
		agrees vb --ring 64M
		doctor 0 vb --ring-total "$advice"
		found memory ok "of $limit MiB"
		agrees vb --ring-total "$advice"
	done
	xdpdump=$as
	enter="ip netns exec $right"
	remove_group
}

# A group with a high limit of which little is left, above one with a low limit of which all is.
nested()
{
	groups=$scratch/groups
	inner=$(sed -n 's,^[0-9]*:memory:\(/.\),\1,p' /proc/self/cgroup)
	root=/memory limit=memory.limit_in_bytes used=memory.usage_in_bytes
	[ -n "$inner" ] || {
		inner=$(sed -n 's,^0::\(/.\),\1,p' /proc/self/cgroup)
		root='' limit=memory.max used=memory.current
	}
	[ -n "$inner" ] || {
		skip "groups within groups: this process is in none"
		return
	}
	mkdir -p "$groups$root$inner"
	echo 1073741824 > "$groups$root$inner/$limit"
	echo 0 > "$groups$root$inner/$used"
	echo 10737418240 > "$groups$root/$limit"
	echo 10726932480 > "$groups$root/$used"
	cat > "$scratch/nested" <<-END
	#!/bin/sh
	exec unshare -m sh -c 'mount --bind "$groups" /sys/fs/cgroup && exec "$as" "\$@"' sh "\$@"
	END
	chmod +x "$scratch/nested"
	xdpdump=$scratch/nested
	enter="nsenter --net=/run/netns/$right"
	doctor 0 vb --ring 64M
	found memory note 'the cgroup leaves 10 of 1024 MiB'
	xdpdump=$as
	enter="ip netns exec $right"
}

# A warning is about one of two interfaces, and the name of the other is a part of its name.
similar()
{
	ip -n "$right" link add vb1 type veth peer name vp1
	ip -n "$right" link set vb1 up
	ip -n "$right" link set vp1 up
	run_xdpdump --doctor -i vb,hook=tc -i vb1,veth=xdp
	cp "$out" "$scratch/said"
	what="--doctor of vb and vb1"
	equal "$what: status" 0 "$state"
	found capture ok 'tc'
	check "$what: the warning is the other one's" grep -q 'XDP on vb1 may drop' "$scratch/said"
	ip -n "$right" link del vb1
}

as=$xdpdump
healthy
changes
down
other_devices
filters
taken
fuller
limited
nested
similar
if command -v setpriv > /dev/null; then
	no_privilege
else
	skip "no setpriv, to run it without privilege"
fi
run_xdpdump --doctor vb,nosuch=1
equal "a bad option of the name: status" 1 "$state"
check "a bad option of the name: which" grep -q 'nosuch: not an option' "$err"
run_xdpdump --doctor
check "without a value" grep -q -e '--doctor needs a value' "$err"
nothing_attached vb
finish
