# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of who reads it
# The two network cards of a virtual machine, joined to each other and to nothing else.

# Zero-copy AF_XDP, from about Linux 6.16 on, needs the DMA API. Several queues need taps: four, of which
# a program that virtio_net attaches on fewer adds some.
zero_copy_card=virtio-net-pci,iommu_platform=on,disable-legacy=on,romfile=

# Takes an XDP program, and never runs it where the host has segmentation offload (vnet_hdr).
plain_card=virtio-net-pci,mrg_rxbuf=off,romfile=

# Refuses an XDP program, because it cannot ask the host to leave offloads (vnet_hdr).
fixed_card=virtio-net-pci,ctrl_guest_offloads=off,romfile=

# with_taps NIC: is it one that we give several queues?
with_taps()
{
	case $1 in
	virtio-zc | virtio-plain | virtio-fixed) ;;
	*) return 1 ;;
	esac
	[ "$(id -u)" -eq 0 ] && [ -c /dev/net/tun ]
}

# within_namespace NIC: before the command, where the taps are in a namespace of their own.
within_namespace()
{
	with_taps "$1" || return 0
	echo ip netns exec "$taps"
}

# tap_pair: two taps, bridged.
tap_pair()
{
	new_namespace taps
	taps=$namespace
	ip -n "$taps" link add joint type bridge || return 1
	for near in 0 1; do
		ip -n "$taps" tuntap add dev tap$near mode tap multi_queue vnet_hdr
		ip -n "$taps" link set tap$near master joint up
	done
	ip -n "$taps" link set joint up
}

# nodes NIC: QEMU's arguments for a machine whose CPUs are of two nodes of memory, one of which has none in node-bare.
nodes()
{
	case $1 in
	nodes)
		echo -object memory-backend-ram,id=m0,size=1024M -object memory-backend-ram,id=m1,size=1024M
		echo -numa node,nodeid=0,cpus=0,memdev=m0 -numa node,nodeid=1,cpus=1,memdev=m1
		;;
	node-bare)
		echo -object memory-backend-ram,id=m0,size=2048M
		echo -numa node,nodeid=0,cpus=0,memdev=m0 -numa node,nodeid=1,cpus=1
		;;
	esac
}

# cards NIC: QEMU's arguments.
cards()
{
	case $1 in
	virtio | nodes | node-bare) card=virtio-net-pci,romfile= ;;
	virtio-zc) card=$zero_copy_card ;;
	virtio-plain) card=$plain_card ;;
	virtio-fixed) card=$fixed_card ;;
	*) card=$1,romfile= ;;
	esac
	for near in 0 1; do
		bus='' mac=02:00:00:00:00:0a
		[ "$near" = 0 ] || mac=02:74:67:00:00:02 # the one that trafgen sends to
		[ "$1" != igb ] || { # is on PCI Express
			bus=,bus=port$near
			echo "-device pcie-root-port,id=port$near,chassis=$((near + 1))"
		}
		if with_taps "$1"; then
			echo "-netdev tap,id=n$near,ifname=tap$near,script=no,downscript=no,vhost=off,queues=4"
			echo "-device $card,mq=on,vectors=10,netdev=n$near,mac=$mac"
		else
			echo "-netdev dgram,id=n$near,local.type=unix,local.path=$scratch/nic$near,remote.type=unix,remote.path=$scratch/nic$((1 - near))"
			echo "-device $card$bus,netdev=n$near,mac=$mac"
		fi
	done
}
