#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The library of the build is a drop-in for the distribution's: same symbols, same name,
# and unmodified programs behave with it as before.

# Functions are called through check.
# shellcheck disable=SC2317
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

ours=$build/libpcap-build/libpcap.so.0.8
[ -f "$ours" ] || skip_all "$ours is not built"
theirs=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk '$1 ~ /^libpcap\.so\.(0\.8|1)$/ && $NF ~ "^(/usr)?/lib" { print $NF; exit }')

exported()
{
	nm -D --defined-only "$1" | awk '{ print $2, $3 }' | sort
}

soname()
{
	objdump -p "$1" | awk '$1 == "SONAME" { print $2 }'
}

# "1.10.3 (with TPACKET_V3)" as the program sees it.
version_seen()
{
	"$@" tcpdump --version 2>&1 | sed -n 's/^libpcap version //p'
}

# Interfaces, without their numbers. Without the devices this build had no headers for.
devices_seen()
{
	without='^$'
	grep -q '^#define PCAP_SUPPORT_BT' "$build/libpcap-build/tree/config.h" || without='^bluetooth'
	grep -q '^#define PCAP_SUPPORT_DBUS' "$build/libpcap-build/tree/config.h" || without="$without|^dbus-"
	"$@" tcpdump -D | sed 's/^[0-9]*\.//' | grep -vE "$without"
}

# Others may make and remove interfaces meanwhile: three tries.
same_devices()
{
	for _ in 1 2 3; do
		devices_seen env > "$scratch/theirs.devices"
		devices_seen with_library > "$scratch/ours.devices"
		same_text "$scratch/theirs.devices" "$scratch/ours.devices" && return 0
	done
	return 1
}

network_of()
{
	with_library "$scratch/lookupnet" "$1"
}

# The kernel's names have 15 bytes at most: what begins with one is not it.
check_long_name()
{
	if [ "$(id -u)" -ne 0 ]; then
		skip "a name that is too long: needs root"
		return
	fi
	# shellcheck disable=SC2016 # for the inner shell
	with_library unshare -n sh -c 'ip link add abcdefghijklmno type veth &&
		ip address add 127.9.0.1/8 dev abcdefghijklmno &&
		lookupnet=$1 && shift
		for device; do "$lookupnet" "$device"; done' \
		sh "$scratch/lookupnet" xdp:abcdefghijklmno xdp:abcdefghijklmnop > "$scratch/networks" 2>&1
	check "xdp:abcdefghijklmno has that of the interface" test "$(head -n 1 "$scratch/networks")" = 0000007f/000000ff
	check "one letter more has none" test "$(grep -c /000000ff "$scratch/networks")" -eq 1
}

needed()
{
	objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }' | sort
}

# Bytes of code and data.
bytes()
{
	size "$1" | awk 'NR == 2 { print $1 + $2 }'
}

# What the module costs those who never use it: of the same source, built by the distribution.
is_small()
{
	if grep -q __asan_init "$ours" || [ "$(configured LIBPCAP_AFXDP)" != dlopen ]; then
		skip "what it adds to libpcap: not with sanitizers or --with-afxdp=link"
		return
	fi
	needed "$ours" > "$scratch/ours.needed"
	needed "$theirs" > "$scratch/theirs.needed"
	check "it needs no other library" test -z "$(comm -23 "$scratch/ours.needed" "$scratch/theirs.needed")"
	grown=$(($(bytes "$ours") - $(bytes "$theirs")))
	check "it is larger by 30 KB at most: $grown bytes" test "$grown" -le 30720
}

exported "$ours" > "$scratch/ours.symbols"
if [ -n "$theirs" ]; then
	exported "$theirs" > "$scratch/theirs.symbols"
	check "nothing the distribution exports is missing" test -z "$(comm -23 "$scratch/theirs.symbols" "$scratch/ours.symbols")"
	check "the SONAME is the distribution's" test "$(soname "$ours")" = "$(soname "$theirs")"
	case $(readlink -f "$theirs") in
	*.so."$(cat "$build/libpcap-build/tree/VERSION")")
		check "nothing else is exported" same_text "$scratch/theirs.symbols" "$scratch/ours.symbols"
		is_small
		;;
	*)
		skip "nothing else is exported: the distribution's library is of another release" ;;
	esac
else
	skip "comparison with the distribution's libpcap: none is installed"
fi
check "no symbol of the module is exported" fails grep -iE 'afxdp|capture_|xdp' "$scratch/ours.symbols"
check "the module is in it" grep -q 'xdp:' "$ours"
check "libpcap.so.1 is there as well" test -f "$build/libpcap-build/libpcap.so.1"
check "libpcap.so is there for the linker" test -f "$build/libpcap-build/libpcap.so"

if command -v tcpdump > /dev/null && [ -n "$theirs" ]; then
	check "tcpdump loads it" test -n "$(with_library env LD_TRACE_LOADED_OBJECTS=1 tcpdump | grep "$build/libpcap-build/")"
	check "tcpdump starts" test -n "$(version_seen with_library)"
	check "tcpdump -D lists what it listed" same_devices
else
	skip "tcpdump is not installed"
fi

# What "ip broadcast" is compiled with: of the interface.
cat > "$scratch/lookupnet.c" <<'EOC'
#include <pcap.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	char errbuf[PCAP_ERRBUF_SIZE];
	bpf_u_int32 net, mask;

	(void)argc;
	if (pcap_lookupnet(argv[1], &net, &mask, errbuf) != 0)
		return puts(errbuf), 1;
	return printf("%08x/%08x\n", net, mask) < 0;
}
EOC
if $cc -I"$build/libpcap-build/tree" -o "$scratch/lookupnet" "$scratch/lookupnet.c" \
	-L"$build/libpcap-build" -Wl,--allow-shlib-undefined -lpcap 2> "$scratch/cc.log"; then
	check "lo has a network" test "$(network_of lo)" = 0000007f/000000ff
	for device in xdp:lo xdp:lo,engine=tap,ring=1M; do
		check "$device has that of lo" test "$(network_of $device)" = 0000007f/000000ff
	done
	for device in xdp:nosuch0 xdp: xdp:,ring=1M xdp:abcdefghijklmnopqrstuvwxyz xdpdump; do
		check "$device has none" fails network_of $device
	done
	check "an interface that is not there is said not to be" fails network_of nosuch0
	check_long_name
else
	bad "a program links against it"
	cat "$scratch/cc.log"
fi
finish
