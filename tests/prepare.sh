# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# What ./demo and ./check have in common: read by them. Everything from a bare system to a build.

set -u
goal='' # of make, in build()
LC_ALL=C
DEBIAN_FRONTEND=noninteractive
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL DEBIAN_FRONTEND PATH
umask 022
top=$(cd "$(dirname "$0")" && pwd) || exit 1
logs=$top/build
# libpcap's source package is fetched once, whatever is built.
PCAP_AFXDP_CACHE=${PCAP_AFXDP_CACHE:-$top/build}
export PCAP_AFXDP_CACHE
oldest_kernel=6.1

heading()
{
	printf '\n== %s\n' "$*"
}

fail()
{
	echo "$(basename "$0"): $*" >&2
	exit 1
}

need_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		mkdir -p "$logs" || exit 1
		return
	fi
	echo "./$(basename "$0") has to be run as root: it installs the packages that are missing," >&2
	echo "makes network namespaces, and loads XDP programs into interfaces in them." >&2
	echo "Type: sudo ./$(basename "$0")" >&2
	exit 1
}

# --- packages ---

# present SEEN: by one line's third column.
present()
{
	case $1 in
	pc:*) command -v pkg-config > /dev/null && pkg-config --exists "${1#pc:}" ;;
	/*) [ -e "$1" ] ;;
	*)
		for program in $(echo "$1" | tr ',' ' '); do
			command -v "$program" > /dev/null && return
		done
		return 1
		;;
	esac
}

# missing_packages SET...
missing_packages()
{
	for set; do
		grep "^${set}[[:space:]]" "$top/tests/packages"
	done | while read -r _ package seen; do
		present "$seen" || printf '%s ' "$package"
	done
}

# try COMMAND...: three times; mirrors and the lock on the package database come and go.
try()
{
	for pause in 5 15 0; do
		"$@" > "$logs/apt.log" 2>&1 && return
		[ "$pause" -eq 0 ] || echo "   failed: trying again in $pause s"
		sleep "$pause"
	done
	tail -n 15 "$logs/apt.log" >&2
	fail "failed: $* (all of it is in $logs/apt.log)"
}

# one_of NAMES: of names with commas between them the first that apt has, as releases of a compiler differ.
one_of()
{
	for package in $(echo "$1" | tr ',' ' '); do
		apt-cache policy "$package" 2> /dev/null | grep -q 'Candidate: [^(]' && break
	done
	echo "$package"
}

# shellcheck disable=SC2086 # a list of packages
install_packages()
{
	echo "   apt-get update"
	try apt-get -q -o DPkg::Lock::Timeout=300 update
	missing=$(for names in $missing; do one_of "$names"; done)
	set -- apt-get -q --no-install-recommends -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 install
	"$@" --assume-no $missing 2> /dev/null < /dev/null | sed -n 's/^\(Need to get .*\)/   \1/p; s/^\([0-9]* upgraded.*\)/   \1/p'
	echo "   apt-get install --no-install-recommends"
	try "$@" --assume-yes $missing
}

# fetch_packages SET...
fetch_packages()
{
	heading "Packages"
	missing=$(missing_packages "$@")
	if [ -z "$missing" ]; then
		echo "   nothing is missing"
		return
	fi
	if ! command -v apt-get > /dev/null; then
		echo "By the names Debian gives them, these packages are missing: $missing" >&2
		fail "there is no apt-get here to install them: please install them, and start again"
	fi
	echo "   These will be installed, and what they depend on:"
	echo "$missing" | fold -s -w 70 | sed 's/^/     /'
	install_packages
	missing=$(missing_packages "$@")
	[ -z "$missing" ] || fail "apt-get installed everything, and these are still missing: $missing"
}

# --- the kernel ---

kernel_is_new_enough()
{
	[ "$(printf '%s\n' "$oldest_kernel" "$(uname -r)" | sort -V | head -n 1)" = "$oldest_kernel" ]
}

check_kernel()
{
	heading "Kernel"
	[ "$(uname -s)" = Linux ] || fail "XDP is a part of Linux: $(uname -s) has none"
	kernel_is_new_enough ||
		fail "this kernel is $(uname -r): capture at the XDP layer needs $oldest_kernel or newer (Debian 12 has 6.1)"
	[ -r /sys/kernel/btf/vmlinux ] ||
		fail "no /sys/kernel/btf/vmlinux: the kernel needs CONFIG_DEBUG_INFO_BTF, and /sys has to be mounted"
	unshare -n true 2> /dev/null ||
		fail "network namespaces are not permitted here: in a container, give it CAP_SYS_ADMIN (docker run --privileged)"
	unshare -n ip link add va type veth peer name vb 2> /dev/null ||
		fail "cannot make a veth pair: the kernel needs CONFIG_VETH (modprobe veth), and this user CAP_NET_ADMIN"
	echo "   $(uname -r): BTF, network namespaces and veth are there"
	without_mount_point
}

# In a chroot whose root is no mount point `ip -n` and `ip netns exec` cannot make that private, to mount
# the namespace's /sys, and refuse. This does it for /sys alone, and what follows finds this ip first.
without_mount_point()
{
	mountpoint -q / && return
	ip=$(command -v ip)
	mkdir -p "$logs/bin" || exit 1
	cat > "$logs/bin/ip" <<-END
	#!/bin/sh
	case "\$1 \$2" in
	"netns exec")
		net=/run/netns/\$3
		shift 3
		exec nsenter --net="\$net" unshare -m --propagation unchanged sh -c \\
			'mount --make-private /sys && mount -t sysfs sysfs /sys; exec "\$@"' sh "\$@"
		;;
	"-n "*) net=/run/netns/\$2; shift 2; exec nsenter --net="\$net" $ip "\$@" ;;
	*) exec $ip "\$@" ;;
	esac
	END
	chmod +x "$logs/bin/ip"
	PATH=$logs/bin:$PATH
	echo "   (a chroot whose root is no mount point: nsenter takes the place of ip netns exec)"
}

# --- building ---

# run LOG COMMAND...: quietly; the end of the log if it fails.
run()
{
	log=$1
	shift
	"$@" >> "$log" 2>&1 && return
	grep -n -E -A5 '(error|undefined reference)' "$log" | tail -n 40 >&2
	tail -n 20 "$log" >&2
	echo "$(basename "$0"): failed: $* (all of it is in $log)" >&2
	return 1
}

# build DIR [CONFIGURE-OPTION]...: configure once with these options, and make all, or $goal, which keeps configure up to
# date too.
# A clone has no configure; an unpacked release has one.
build()
{
	dir=$top/$1
	heading "Build in $1/${2:+ ($2${3:+ $3})}"
	shift
	begun=$(date +%s)
	mkdir -p "$dir" || return 1
	: > "$dir/build.log"
	if [ ! -x "$top/configure" ]; then
		(cd "$top" && run "$dir/build.log" autoreconf -f -i) || return 1
	fi
	if [ ! -f "$dir/Makefile" ] || [ "$(cat "$dir/options" 2> /dev/null)" != "$*" ]; then
		(cd "$dir" && run "$dir/build.log" "$top/configure" "$@") || return 1
		echo "$*" > "$dir/options"
		# Where config.h is older than its stamp, each make looks at it again, and begins the tests that depend on it
		# after all others, whatever their order is.
		touch -r "$dir/stamp-h1" "$dir/config.h"
	fi
	run "$dir/build.log" make -C "$dir" -j"$(nproc)" "${goal:-all}" || return 1
	echo "   done in $(($(date +%s) - begun)) s"
}
