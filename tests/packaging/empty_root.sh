#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The static xdpdump captures in a root that has no other file, by -Z UID:GID, and says what it lacks where /sys or
# /proc is not mounted; the system's tshark and capinfos read what it wrote.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/packaging/static.sh
. "$(dirname "$0")/static.sh"
need_root
is_quick && skip_all "part of the full size: builds a static xdpdump"
is_sanitized && skip_all "in the plain build alone: there are no static sanitizers"
need ping tshark capinfos readelf
root=$scratch/root
user=12345 group=54321

# in_root MOUNTED COMMAND...: in $right; MOUNTED are those of the host's folders that are there.
# shellcheck disable=SC2016 # for the inner shell
in_root()
{
	mounted=$1
	shift
	start ip netns exec "$right" env -i PATH="$PATH" sh -c 'root=$1 mounted=$2
		shift 2
		for folder in $mounted; do
			mkdir -p "$root/$folder" && mount --rbind "/$folder" "$root/$folder" || exit 99
		done
		exec chroot "$root" "$@"' sh "$root" "$mounted" "$@"
}

# ends NAME STATUS WORDS MOUNTED OPTION...: xdpdump ends by itself, with these words.
ends()
{
	case=$1 status=$2 words=$3 mounted=$4
	shift 4
	in_root "$mounted" /xdpdump "$@"
	ended "$pid" 20
	equal "$case: status" "$status" $?
	check "$case: what it says" grep -q -e "$words" "$out" "$err"
}

# captures NAME MOUNTED OPTION...: of ten pings each.
captures()
{
	case=$1 mounted=$2
	shift 2
	rm -rf "$root/out"
	mkdir -m 700 "$root/out"
	chown $user:$group "$root/out"
	in_root "$mounted" /xdpdump -i vb -Q in -c 10 "$@" icmp
	capture=$pid said=$err
	wait_for 20 grep -q 'listening on' "$said" || {
		bad "$case: it starts"
		show "$said"
		return
	}
	check "$case: pings are answered" in_left ping -q -c 10 -i 0.02 -W 20 10.99.0.2
	check "$case: it ends by itself" ended "$capture" 20
	check "$case: without a loader the filter is in the kernel" fails grep 'user space' "$said"
}

# has_requests NAME: the file of the last capture, for tshark and capinfos.
has_requests()
{
	equal "$1: sequence numbers for tshark" '1 2 3 4 5 6 7 8 9 10' \
		"$(tshark -n -r "$root/out/f" -Y 'icmp.type == 8' -T fields -e icmp.seq 2> "$scratch/tshark" | xargs)"
	equal "$1: packets for capinfos" 10 "$(capinfos -M -c "$root/out/f" | sed -n 's/.* packets: *//p')"
	equal "$1: owner" $user:$group "$(stat -c %u:%g "$root/out/f")"
}

# For the C library, which would look for a module of the first name, and nowhere else.
write_lists()
{
	mkdir "$root/etc"
	printf '%s: nosuch\n' passwd group initgroups services hosts > "$root/etc/nsswitch.conf"
	echo "grabber:x:$user:$group::/:/none" > "$root/etc/passwd"
	echo "web 80/tcp" > "$root/etc/services"
	echo "fd00::1 somewhere" > "$root/etc/hosts"
}

has_static
xdpdump=$static/xdpdump/xdpdump
check "no interpreter" fails sh -c "readelf -W -l '$xdpdump' | grep INTERP"
check "no library" fails sh -c "readelf -W -d '$xdpdump' | grep NEEDED"
mkdir "$root"
cp "$xdpdump" "$root/xdpdump"
veth_pair

captures "file" "sys proc" -Z $user:$group -w /out/f
has_requests "file"
captures "lines" "sys proc"
equal "lines" 10 "$(grep -c 'ICMP echo request' "$out")"
captures "no /proc" "sys" -Z $user:$group -C 1 -w /out/f
has_requests "no /proc"

cpus=/sys/devices/system/cpu/online
ends "no /sys" 1 "^xdpdump: cannot read .*, $cpus: No such file or directory; is /sys mounted?" "proc" -i vb
mkdir -p "$root/run/netns"
: > "$root/run/netns/other"
ends "no /proc, --netns" 1 '^xdpdump: cannot leave .*/ns/net: No such file or directory; is /proc mounted?' \
	"sys" --netns other -i vb
ends "no tshark" 1 '^xdpdump: --decode tshark: there is no program' "sys proc" -i vb --decode=tshark
ends "no user" 1 '^xdpdump: -Z grabber: no such user in /etc/passwd, .* UID:GID$' "sys proc" -i vb -Z grabber
ends "no port" 1 "unknown port 'web'" "" -d tcp port web
ends "a byte" 0 'ldb ' "" -d 'icmp[0] == 8 and ether[icmp[1]] == 1'
ends "an address" 0 '#0xfd000000' "" -d host fd00::1
ends "doctor" 0 '^Capture on vb works' "sys proc" --doctor vb

write_lists
captures "a user of /etc/passwd" "sys proc" -Z grabber -w /out/f
has_requests "a user of /etc/passwd"
ends "a port of /etc/services" 0 '#0x50 ' "" -d tcp port web
ends "a host of /etc/hosts" 0 '#0xfd000000' "" -d host somewhere
finish
