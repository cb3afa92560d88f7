# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Perl's Net::Pcap, until it gives nothing: see ../../README.md for what such a driver does and prints.
use strict;
use warnings;
use Net::Pcap;

my ($device, $frames) = @ARGV;
my ($error, %header);
my $handle = Net::Pcap::open_live($device, 65535, 1, 2000, \$error) or die "$error\n";
my $counted = 0;
$| = 1;
print "ready\n";
while ($counted < $frames && defined Net::Pcap::next($handle, \%header)) {
    select undef, undef, undef, 0.005 if ++$counted % 8 == 0;
}
print "counted $counted\n";
