# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Ruby's pcaprub: see ../README.md for what a driver does and prints.
require 'pcaprub'

device, wanted, frame = ARGV
handle = PCAPRUB::Pcap.create(device)
handle.setsnaplen(65535)
handle.setpromisc(true)
handle.settimeout(100)
handle.activate
handle.setfilter(wanted)
3.times { handle.inject([frame].pack('H*')) }
puts 'injected 3', 'ready'
$stdout.flush
counted = 0
begin
  handle.each { counted += 1 }
rescue Interrupt
  puts "counted #{counted}"
end
