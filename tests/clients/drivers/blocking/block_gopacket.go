// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors

// gopacket without a time-out, until it gives nothing: DEVICE FRAMES. See ../../README.md for what such
// a driver does and prints.
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/google/gopacket/pcap"
)

func main() {
	frames, _ := strconv.Atoi(os.Args[2])
	handle, err := pcap.OpenLive(os.Args[1], 65535, true, pcap.BlockForever)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ready")
	counted := 0
	for counted < frames {
		if _, _, err := handle.ReadPacketData(); err != nil {
			break
		}
		if counted++; counted%8 == 0 {
			time.Sleep(5 * time.Millisecond)
		}
	}
	fmt.Println("counted", counted)
	handle.Close()
}
