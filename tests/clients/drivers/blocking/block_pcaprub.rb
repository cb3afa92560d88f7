# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Ruby's pcaprub, until it gives nothing: see ../../README.md for what such a driver does and prints.
require 'pcaprub'

device, frames = ARGV
handle = PCAPRUB::Pcap.open_live(device, 65535, true, 2000)
puts 'ready'
$stdout.flush
counted = 0
handle.each do
  counted += 1
  break if counted == frames.to_i
  sleep 0.005 if counted % 8 == 0
end
puts "counted #{counted}"
