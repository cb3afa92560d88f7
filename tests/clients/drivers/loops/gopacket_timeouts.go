// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors

// gopacket with a time-out: DEVICE TO_MS FRAMES. See ../../README.md for what such a driver does and
// prints; vain are the times that it was told that the time was up, and early those before it was.
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/google/gopacket/pcap"
)

const (
	tail  = time.Second
	limit = 30 * time.Second
)

func main() {
	ms, _ := strconv.Atoi(os.Args[2])
	frames, _ := strconv.Atoi(os.Args[3])
	timeout := time.Duration(ms) * time.Millisecond
	handle, err := pcap.OpenLive(os.Args[1], 65535, true, timeout)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ready")
	begun := time.Now()
	counted, wakes, vain, early := 0, 0, 0, 0
	var complete time.Time
	for time.Since(begun) < limit && (complete.IsZero() || time.Since(complete) < tail) {
		asked := time.Now()
		_, _, err := handle.ZeroCopyReadPacketData()
		wakes++
		switch err {
		case nil:
			counted++
		case pcap.NextErrorTimeoutExpired:
			vain++
			if time.Since(asked) < timeout {
				early++
			}
		default:
			log.Fatal(err)
		}
		if counted >= frames && complete.IsZero() {
			complete = time.Now()
		}
	}
	fmt.Printf("counted %d wakes %d vain %d early %d\n", counted, wakes, vain, early)
	handle.Close()
}
