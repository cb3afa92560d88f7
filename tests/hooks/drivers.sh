#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Simulated drivers, that of their sources refuse (tests/hooks/fake_driver.c): auto captures at tc, and says the reason
# and what to type where a row of ours has it; who does that has native XDP. What is expected is written by hand.
# shellcheck disable=SC2317 # functions are called by their names
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need_library
need tcpdump ping
need_testprog trafgen
! is_sanitized || skip_all "the library with sanitizers has to be loaded first"
veth_pair
PCAP_AFXDP_OPTIONS=ring=1M,veth=xdp
export PCAP_AFXDP_OPTIONS

# with DRIVER STATE...: a capture on such a card; VARIABLE=VALUE, and MTU=N of vb itself.
with()
{
	driver=$1 mtu=1500
	shift
	for state; do
		[ "${state%%=*}" != MTU ] || mtu=${state#*=}
	done
	ip -n "$right" link set vb mtu "$mtu"
	start ip netns exec "$right" env LD_PRELOAD="$build/tests/hooks/fake_driver.so" FAKE_DRIVER="$driver" "$@" \
		"$xdpdump" -Q in -i vb -a duration:0.1 -w "$scratch/r.pcapng"
	ended "$pid" 20 || show "$err"
}

# examined DRIVER STATE...: what --doctor says there, in one line; vb has its MTU already.
examined()
{
	driver=$1
	shift
	start ip netns exec "$right" env LD_PRELOAD="$build/tests/hooks/fake_driver.so" FAKE_DRIVER="$driver" "$@" \
		"$xdpdump" --doctor -i vb
	ended "$pid" 20
	tr -s '\n ' '  ' < "$out" > "$scratch/doctor"
}

# Driver and state | what the kernel calls it | what we say of it | the state that this asks for | where its source says so
while IFS='|' read -r card words advice better source; do
	# shellcheck disable=SC2086 # words
	with $card
	check "$card: at tc ($source)" grep -q '^listening on vb: received frames at tc' "$err"
	if [ "$advice" ]; then
		check "... $advice" grep -q "capturing at tc: vb takes no native XDP program: .*$words.*; $advice\$" "$err"
	else
		check "... $words, and no guess" grep -q "capturing at tc: vb takes no native XDP program: [^;]*$words\$" "$err"
	fi
	check "... held by nobody" fails grep -q 'held by' "$err"
	[ "$advice" ] || [ "${card%% *}" = ixgbe ] || continue
	# shellcheck disable=SC2086 # words
	examined $card
	begins='yes: .* refuses a program (source of Linux 6.12, not tried)'
	case $card in # these hide what they could do: xdp_features is 0 as long as that is so
	mlx5_core* | 'ena FAKE_QUEUES=8:8 '* | 'nicvf FAKE_APART=8:8' | 'mvpp2 MTU='*) begins='none as it is now' ;;
	esac
	if [ "$advice" ]; then
		check "... --doctor says so before" grep -q "native XDP note $begins: $advice " "$scratch/doctor"
	else
		check "... --doctor does not know" grep -q 'native XDP ok yes: [a-z, -]* [^(]* ' "$scratch/doctor"
	fi
	[ "$better" ] || continue
	# shellcheck disable=SC2086 # words
	with ${card%% *} $better
	check "${card%% *} $better: native XDP" grep -q '^listening on vb: received frames at XDP (native)' "$err"
done <<-END
	mlx5_core FAKE_LRO=1|Invalid argument|LRO is on: ethtool -K vb lro off|FAKE_LRO=0|mlx5/core/en_main.c mlx5e_xdp_allowed
	hv_netvsc FAKE_LRO=1|Operation not supported|LRO is on: ethtool -K vb lro off|FAKE_LRO=0|hyperv/netvsc_bpf.c netvsc_xdp_set
	ixgbe FAKE_LRO=1|Invalid argument|LRO is on: ethtool -K vb lro off|FAKE_LRO=0|ixgbe/ixgbe_main.c ixgbe_xdp_setup
	ixgbe FAKE_VFS=4|Invalid argument|||ixgbe/ixgbe_main.c ixgbe_xdp_setup
	ixgbe FAKE_CPUS=130|Cannot allocate memory|||ixgbe/ixgbe_main.c ixgbe_xdp_setup
	ixgbevf MTU=9001|Invalid argument|||ixgbevf/ixgbevf_main.c ixgbevf_xdp_setup
	ice FAKE_CPUS=64 FAKE_SPARE=8|Cannot allocate memory|||ice/ice_main.c ice_xdp_setup_prog
	igc MTU=9001|Operation not supported|the MTU is 9001, and with XDP at most 1500: ip link set vb mtu 1500|MTU=1500|igc/igc_xdp.c igc_xdp_set_prog
	st_gmac MTU=9001|Operation not supported|the MTU is 9001, and with XDP at most 1500: ip link set vb mtu 1500|MTU=1500|stmmac/stmmac_xdp.c stmmac_xdp_set_prog
	bnxt_en FAKE_APART=4:8|Operation not supported|its queues receive or send, and XDP needs them combined: ethtool -L vb rx 0 tx 0 combined 4|FAKE_QUEUES=4:8|bnxt/bnxt_xdp.c bnxt_xdp_set
	ena FAKE_QUEUES=8:8 MTU=9001|Invalid argument|it uses 8 of 8 queues, and XDP needs as many again: ethtool -L vb combined 4||ena/ena_xdp.c ena_xdp_set
	ena FAKE_QUEUES=4:8 MTU=9001|Invalid argument|the MTU is 9001, and with XDP at most 3498: ip link set vb mtu 3498|FAKE_QUEUES=4:8 MTU=3498|ena/ena_xdp.h ENA_XDP_MAX_MTU
	gve FAKE_LRO=1|Operation not supported|LRO is on: ethtool -K vb lro off||gve/gve_main.c verify_xdp_configuration
	gve FAKE_APART=4:4|Invalid argument|it uses 4 of 4 queues, and XDP needs as many again: ethtool -L vb rx 2 tx 2||gve/gve_main.c verify_xdp_configuration
	gve FAKE_APART=2:4 MTU=9001|Operation not supported|the MTU is 9001, and with XDP at most 2032: ip link set vb mtu 2032|FAKE_APART=2:4 MTU=2032|gve/gve_main.c verify_xdp_configuration
	gve FAKE_APART=1:1|Invalid argument|it has one queue, and XDP needs another||gve/gve_main.c verify_xdp_configuration
	nicvf FAKE_APART=8:8|Cannot allocate memory|it uses too many of its 8 queues, and XDP needs some: ethtool -L vb rx 4 tx 4|FAKE_APART=4:8|thunder/nicvf_main.c nicvf_xdp_setup
	nicvf FAKE_APART=4:8 MTU=9001|Operation not supported|the MTU is 9001, and with XDP at most 1508: ip link set vb mtu 1508|FAKE_APART=4:8 MTU=1508|thunder/nicvf_main.c nicvf_xdp_setup
	fsl_dpaa2_eth MTU=9001|Invalid argument|||dpaa2/dpaa2-eth.c dpaa2_eth_setup_xdp
	fsl_enetc FAKE_CPUS=16 FAKE_SPARE=2|Device or resource busy|||enetc/enetc.c enetc_setup_xdp_prog
	mvpp2 FAKE_CPUS=16 FAKE_SPARE=8|Operation not supported|||mvpp2/mvpp2_main.c mvpp2_xdp_setup
	mvpp2 MTU=9001|Operation not supported|its CPUs share buffers, as with a large MTU on any of its ports: ip link set vb mtu 1500|MTU=1500|mvpp2/mvpp2_main.c mvpp2_change_mtu
	ionic FAKE_SPLIT=1|Operation not supported|||ionic/ionic_lif.c ionic_xdp_config
	virtio_net FAKE_FIXED=1|Operation not supported|||virtio_net.c virtnet_xdp_set
	vif MTU=9001|Invalid argument|||xen-netfront.c xennet_xdp_set
END

# iavf_main.c has no ndo_bpf: a card without XDP is told from one that hides it.
with iavf
check "iavf: at tc" grep -q '^listening on vb: received frames at tc' "$err"
check "... the note says why" grep -q 'capturing at tc: iavf, the driver of vb, has no native XDP$' "$err"
examined iavf
check "... --doctor says so before" grep -q 'native XDP note the driver has none ' "$scratch/doctor"

# What others refuse, these take: i40e frames of several buffers (i40e_main.c i40e_xdp_setup), atlantic LRO beside them
# (aq_nic.c aq_xdp_setup), qede and sfc what is usual (qede_filter.c qede_xdp, sfc/efx.c efx_xdp_setup_prog).
for card in 'i40e MTU=9001' 'atlantic FAKE_LRO=1' qede sfc; do
	# shellcheck disable=SC2086 # words
	with $card
	check "$card: native XDP" grep -q '^listening on vb: received frames at XDP (native)' "$err"
	check "... without a note" fails grep -q 'takes no native XDP' "$err"
done

# One attach: the driver is asked once for a program, and the card is reset once, whoever captures. A filter that is known
# is in before; one that comes later, as by pcap_setfilter(), runs in user space where each exchange is a reset. The
# loader is counted as well.
loader=$scratch/loader process=$build/pcap-afxdp-loader without=

# asked DRIVER OPERATIONS COMMAND...: how often, as programs attached, exchanged, and resets, until it has a packet.
asked()
{
	driver=$1 operations=$2 what="$1, $(basename "$3")" simulated=$build/tests/hooks/fake_driver.so
	shift 2
	head -c 12 /dev/zero > "$scratch/counts"
	rm -f "$scratch/one.pcap"
	# Its environment is empty.
	cat > "$loader" <<-END
		#!/bin/sh
		export LD_PRELOAD=$simulated FAKE_DRIVER=$driver FAKE_COUNTS=$scratch/counts FAKE_QUEUES=4:8
		exec $process "\$@"
	END
	chmod 755 "$loader"
	# shellcheck disable=SC2046,SC2086 # one word per variable
	start ip netns exec "$right" env $(library_environment) LD_PRELOAD="$simulated" FAKE_DRIVER="$driver" \
		FAKE_COUNTS="$scratch/counts" FAKE_QUEUES=4:8 PCAP_AFXDP_LOADER="$loader" $without "$@" -w "$scratch/one.pcap"
	capture=$pid said=$err
	wait_for 20 grep -q -e 'listening on' -e '^File:' "$said" || show "$said"
	wait_for 20 one_came || bad "$what: no packet"
	stop "$capture" INT
	equal "$what: programs attached, exchanged, and resets" "$operations" \
		"$(od -A n -t u4 "$scratch/counts" | tr -s ' ' | sed 's/^ //')"
	equal "$what: what else came" 0 "$(packets "$scratch/one.pcap" not icmp)"
}

# UDP comes before, which nobody wants.
one_came()
{
	in_left "$build/testprogs/trafgen" -i va -n 5 > /dev/null
	in_left ping -qc 1 -W 1 10.99.0.2 > /dev/null
	[ "$(tcpdump -nnr "$scratch/one.pcap" icmp 2> /dev/null | wc -l)" -ge 1 ]
}
# one_attach HOW: with the filter in it, and one that the kernel does not take is said.
one_attach()
{
	asked bnxt_en "1 0 1" "$xdpdump" -i vb icmp
	check "bnxt_en, $1: the kernel filters" fails grep -q 'the filter ran' "$said"
	asked bnxt_en "1 0 1" "$xdpdump" -i vb icmp or ip6 protochain 58
	check "bnxt_en, $1, a filter that jumps backward: that is why" \
		grep -q 'the filter ran in user space: instruction [0-9]*: backward jump' "$said"
	asked i40e "1 0 1" "$xdpdump" -i vb icmp
	asked ice "1 0 1" "$xdpdump" -i vb icmp
	asked igc "1 0 1" "$xdpdump" -i vb icmp
}

one_attach xdpdump
asked bnxt_en "1 0 1" tcpdump -i xdp:vb -U -nn -Z root icmp
asked i40e "1 1 1" tcpdump -i xdp:vb -U -nn -Z root icmp
asked ice "1 1 1" tcpdump -i xdp:vb -U -nn -Z root icmp
# It says that it has zero-copy, and its queues have none: that is known before it is reset.
FAKE_ZERO_COPY=1
export FAKE_ZERO_COPY
asked ice "1 0 1" "$xdpdump" -i vb --engine divert icmp
check "ice, sockets that are refused: the rings have it" \
	grep -q 'diverted to the rings, because not every queue of vb can have a zero-copy socket: ' "$said"
unset FAKE_ZERO_COPY
if command -v dumpcap > /dev/null; then
	asked bnxt_en "1 0 1" dumpcap -q -i xdp:vb -f icmp
else
	skip "dumpcap: not installed"
fi

# Where the loader opens, the filter goes there with the options. Root without capabilities does not get them back by exec,
# and what a file of root's has of its own does not keep the preloaded driver out.
cp "$process" "$scratch/capable"
if setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$scratch/capable" 2> /dev/null; then
	process=$scratch/capable without='setpriv --securebits +noroot'
	one_attach "opened by the loader"
	process=$build/pcap-afxdp-loader without=
else
	skip "no privilege: cannot set file capabilities in $scratch"
fi

# The link is awaited, and how long it was down is told.
with bnxt_en FAKE_QUEUES=4:8 FAKE_DOWN=1200
check "a link that was down for 1.2 s: told" \
	grep -q 'the link of vb was down for 1\.[2-9] s, because its driver resets it for an XDP program' "$err"
with bnxt_en FAKE_QUEUES=4:8
check "a link that stays up: nothing is said" fails grep -q 'the link of vb' "$err"

# Without privilege it is the loader that waits, and the application that says so.
shared=$scratch/shared
mkdir "$shared"
chmod 755 "$scratch"
chmod 777 "$shared"
cp "$build/pcap-afxdp-loader" "$shared/capable"
if setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$shared/capable" 2> /dev/null; then
	cat > "$shared/loader" <<-END
		#!/bin/sh
		sleep 1.2 # a card that goes down late is seen, too
		touch $shared/down
		for turn in \$(seq 200); do
			grep -q 'the link of vb is down' $shared/said && break
			sleep 0.05
		done
		rm -f $shared/down
		exec $shared/capable "\$@"
	END
	chmod 755 "$shared/loader"
	touch "$shared/said"
	chmod 666 "$shared/said"
	start ip netns exec "$right" env LD_PRELOAD="$build/tests/hooks/fake_driver.so" FAKE_DRIVER=bnxt_en FAKE_QUEUES=4:8 \
		FAKE_LINK="$shared/down" PCAP_AFXDP_LOADER="$shared/loader" setpriv --reuid=65534 --regid=65534 --clear-groups \
		sh -c 'exec "$@" 2> "$0"' "$shared/said" "$xdpdump" -i vb -a duration:0.1 -w "$shared/r.pcapng"
	ended "$pid" 30
	check "no privilege, a link that is down: said while the loader waits" grep -q \
		'the link of vb is down, because its driver resets it for an XDP program: waiting for it' "$shared/said"
	check "... and it captures at XDP" grep -q '^listening on vb: received.* at XDP (native)' "$shared/said"
	show "$shared/said"
else
	skip "no privilege: cannot set file capabilities in $scratch"
fi

# One signal ends all waits for links.
start ip netns exec "$right" env LD_PRELOAD="$build/tests/hooks/fake_driver.so" FAKE_DRIVER=bnxt_en FAKE_QUEUES=4:8 \
	FAKE_DOWN=8000 "$xdpdump" -i vb -i lo -w "$scratch/none.pcapng"
switches()
{
	sed -n 's/^voluntary_ctxt_switches:\t//p' "/proc/$pid/status"
}
# It sleeps again and again, once the program is there.
awaits()
{
	[ "$(xdp_program "$right" vb)" ] || return 1
	before=$(switches)
	sleep 0.2
	[ "$(switches)" -ge $((before + 3)) ]
}
check "a link that is down: awaited" wait_for 20 awaits
check "... said while it waits" wait_for 20 grep -q \
	'the link of vb is down, because its driver resets it for an XDP program: waiting for it, ten seconds at most' "$err"
kill -INT "$pid"
said=$err
ended "$pid" 5
equal "a signal while a link is awaited: status" 1 $?
check "a signal while a link is awaited: said" grep -q 'a signal ended the capture before all interfaces were open' "$said"

# Words that nobody reads do not keep signals out: what standard error has no room for is not said.
mkfifo "$scratch/full"
exec 3<> "$scratch/full"
dd if=/dev/zero of=/dev/fd/3 bs=4096 oflag=nonblock 2> /dev/null
start ip netns exec "$right" env LD_PRELOAD="$build/tests/hooks/fake_driver.so" FAKE_DRIVER=bnxt_en FAKE_QUEUES=4:8 \
	FAKE_DOWN=8000 sh -c 'exec "$@" 2> "$0"' "$scratch/full" "$xdpdump" -i vb -w "$scratch/none.pcapng"
check "a link that is down, words that nobody reads: awaited" wait_for 20 awaits
sleep 1.2 # by then it would have been said
kill -INT "$pid"
# No signal is pending, or it has ended.
is_taken()
{
	! grep -q '^ShdPnd:.*[1-9a-f]' "/proc/$pid/status"
}
check "... and a signal is taken" wait_for 4 is_taken
cat <&3 > /dev/null &
reader=$!
ended "$pid" 10
kill "$reader"
exec 3>&-

# Tags that it takes off frames: where no program is told them, a note says how to keep them, by what its driver can.
# A tap, as a veth takes tags off whatever it says.
ip -n "$right" tuntap add tp mode tap
ip -n "$right" link set tp up
while IFS='|' read -r driver tags ways; do
	start ip netns exec "$right" env LD_PRELOAD="$build/tests/hooks/fake_driver.so" FAKE_DRIVER="$driver" FAKE_TAGS="$tags" \
		"$xdpdump" -Q in -i tp --hook xdp -a duration:0.1 -w "$scratch/r.pcapng"
	ended "$pid" 20
	if [ "$ways" ]; then
		check "$driver, tags $tags: $ways" grep -q "tp takes VLAN tags off before XDP sees the frames: .* (to keep them: $ways)" "$err"
	else
		check "$driver, tags $tags: no note" fails grep -q 'VLAN tags' "$err"
		check "... it captures" grep -q '^listening on tp: received frames at XDP (native)' "$err"
	fi
done <<-END
	ixgbe|1:0|--hook tc, or ethtool -K tp rxvlan off
	ice|2:0|--hook tc, or ethtool -K tp rx-vlan-stag-hw-parse off
	mlx4_en|3:0|--hook tc, or ethtool -K tp rxvlan off rx-vlan-stag-hw-parse off
	hv_netvsc|1:1|--hook tc
	virtio_net|0:0|
END

# A tap has no rx-sg: what is said of large frames does not depend on another condition, and is said once.
ip -n "$right" link set tp mtu 9000
while read -r card says; do
	start ip netns exec "$right" env LD_PRELOAD="$build/tests/hooks/fake_driver.so" FAKE_DRIVER="${card%,*}" \
		FAKE_LRO="${card#*,}" "$xdpdump" --doctor -i tp --hook xdp
	ended "$pid" 20
	check "--doctor: $card, MTU: $says" sh -c "tr -s '\n ' '  ' < '$out' | grep -q 'MTU $says'"
done <<-END
	ixgbe,1 note 9000, and the driver has no rx-sg
	ixgbe,0 note 9000, and the driver has no rx-sg
	igc,0 ok 9000
END

# What an attach does to the interface is said before it happens; on a card that has it, and where it is attached at XDP.
# told DRIVER WORDS [OPTION...]: --doctor says so.
told()
{
	driver=$1 words=$2
	shift 2
	start ip netns exec "$right" env LD_PRELOAD="$build/tests/hooks/fake_driver.so" FAKE_DRIVER="$driver" \
		"$xdpdump" --doctor -i vb "$@"
	ended "$pid" 20
	tr -s '\n ' '  ' < "$out" | grep -q "attaching note when the capture begins and ends, $words"
}
ip -n "$right" link set vb mtu 1500
check "--doctor: igb and its clock" told igb 'it closes and opens, and its clock is set to system time'
check "--doctor: dpaa2 and its addresses" told fsl_dpaa2_eth 'it closes and opens: its IPv6 addresses and routes go'
check "--doctor: at tc nothing happens" fails told igb '' --hook tc
check "--doctor: other drivers do nothing" fails told sfc ''
examined ena
check "--doctor: what ena drops is not counted" grep -q 'counters ok what the device drops is in rx_dropped' "$scratch/doctor"
finish
