// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors

// gopacket counts the ICMP echo requests and replies of a device: gopacket DEVICE PACKETS
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcap"
)

func open(device string) *pcap.Handle {
	inactive, err := pcap.NewInactiveHandle(device)
	if err != nil {
		log.Fatal(err)
	}
	defer inactive.CleanUp()
	inactive.SetSnapLen(65535)
	inactive.SetPromisc(true)
	inactive.SetTimeout(100 * time.Millisecond)
	handle, err := inactive.Activate()
	if err != nil {
		log.Fatal(err)
	}
	if err := handle.SetBPFFilter("icmp"); err != nil {
		log.Fatal(err)
	}
	return handle
}

func main() {
	handle := open(os.Args[1])
	defer handle.Close()
	left, _ := strconv.Atoi(os.Args[2])
	count := map[uint8]int{}
	fmt.Println("ready")
	for packet := range gopacket.NewPacketSource(handle, handle.LinkType()).Packets() {
		icmp, ok := packet.Layer(layers.LayerTypeICMPv4).(*layers.ICMPv4)
		if ok {
			count[icmp.TypeCode.Type()]++
		}
		if left--; left == 0 {
			break
		}
	}
	fmt.Println(count[layers.ICMPv4TypeEchoRequest], "requests,",
		count[layers.ICMPv4TypeEchoReply], "replies")
}
