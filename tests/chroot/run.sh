#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make check-chroot: a command in a fresh, minimal Debian, on a clean clone of what is committed here.
#
#   run.sh [SUITE [COMMAND...]]        trixie, ./demo
#
# The minimal system and the packages of each suite are kept for the next time, in CHROOT_CACHE; the system
# that the command changes is a copy, and is removed. It has the folder CHROOT_SHARE, if that is set, as
# /mnt. Mounts, processes and names of network namespaces are of namespaces that end with this script, however
# it ends.

set -u
LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL PATH
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
suite=${1:-trixie}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- ./demo
cache=${CHROOT_CACHE:-${PCAP_AFXDP_CACHE:-$(pwd)}/chroot}
base=$cache/$suite-base
packages=$cache/$suite-packages
root=''

fail()
{
	echo "check-chroot: $*" >&2
	exit 1
}

skip_all()
{
	echo "skipped: $*"
	exit 77
}

# Sources of the host's apt: "URI SUITE" a line.
host_sources()
{
	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2> /dev/null | sort -u
}

# mirror DIRECTORY: where the host has debian or debian-security from.
mirror()
{
	host_sources | awk -v name="/$1/?$" '$1 ~ name { print $1; exit }'
}

# The minimal system, whole or not at all.
make_base()
{
	[ ! -d "$base" ] || return 0
	from=$(mirror debian)
	[ -n "$from" ] || fail "apt has no source whose address ends in /debian"
	mkdir -p "$cache" || exit 1
	rm -rf --one-file-system "$base.part"
	echo "debootstrap $suite, into $base"
	# A release that is younger than this host's debootstrap is made as sid is.
	script=/usr/share/debootstrap/scripts/$suite
	[ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
	if ! debootstrap --variant=minbase "$suite" "$base.part" "$from" "$script" > "$cache/$suite.log" 2>&1; then
		tail -n 5 "$cache/$suite.log" >&2
		fail "debootstrap failed: all of it is in $cache/$suite.log"
	fi
	mv "$base.part" "$base" || exit 1
}

# The host's mirrors, and the way it reaches them and others: package ca-certificates takes what lies there.
configure_apt()
{
	signed='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
	security=$(mirror debian-security)
	{
		echo "deb $signed $(mirror debian) $suite main"
		[ -z "$security" ] || echo "deb $signed $security $suite-security main"
	} > "$root/etc/apt/sources.list"
	mkdir -p "$root/usr/local/share/ca-certificates"
	find /usr/local/share/ca-certificates -name '*.crt' -exec cp {} "$root/usr/local/share/ca-certificates" \; 2> /dev/null
	apt-config dump Acquire > "$root/etc/apt/apt.conf.d/90host"
	case $suite in # a mirror may hold the list of a release that is not out beyond its date
	forky | sid) echo 'Acquire::Check-Valid-Until "false";' > "$root/etc/apt/apt.conf.d/91testing" ;;
	esac
	for file in resolv.conf hosts; do
		[ ! -e "/etc/$file" ] || cp -L --remove-destination "/etc/$file" "$root/etc/$file" || exit 1
	done
}

# In a release there is no clone to make: what was unpacked then, but for what was built in it.
copy_tree()
{
	mkdir -p "$root/src" || exit 1
	if [ -e "$top/.git" ]; then
		git clone -q --depth 1 "file://$top" "$root/src/pcap-afxdp" || fail "cannot clone $top"
		git -C "$top" diff --quiet HEAD || echo "what is not committed in $top is left out"
	else
		tar -C "$top" --one-file-system --exclude='./build*' --transform='s,^\.,pcap-afxdp,' -cf - . |
			tar -C "$root/src" -xf - || fail "cannot copy $top"
	fi
}

# In namespaces of its own, mounts and processes: what the new system needs of the host's kernel.
mount_all()
{
	set -e
	mount --bind "$root" "$root" # a root that is a mount point: ip netns exec makes it private
	mount -t proc proc "$root/proc"
	mount -t sysfs sysfs "$root/sys"
	mount -t bpf bpf "$root/sys/fs/bpf"
	mount --bind /dev "$root/dev"
	mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
	mount -t tmpfs tmpfs "$root/dev/shm"
	mkdir -p "$root/run/netns" "$packages"
	mount -t tmpfs tmpfs "$root/run/netns"
	mount --bind "$packages" "$root/var/cache/apt/archives"
	[ -z "${CHROOT_SHARE:-}" ] || mount --bind "$CHROOT_SHARE" "$root/mnt"
	set +e
}

# The second run of this script, by the first.
if [ -n "${CHECK_CHROOT_ROOT:-}" ]; then
	root=$CHECK_CHROOT_ROOT
	mount_all
	# shellcheck disable=SC2016 # for the shell inside
	chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		sh -c 'cd /src/pcap-afxdp && "$@"' sh "$@" < /dev/null
	exit
fi

# Mounts are of a namespace that has ended: there is nothing here but files.
remove()
{
	status=$?
	trap - EXIT HUP INT TERM
	[ -z "$inside" ] || {
		kill -KILL "$inside"
		wait "$inside"
	} 2> /dev/null
	[ -z "$root" ] || rm -rf --one-file-system "$root"
	exit "$status"
}

inside=''
[ "$(id -u)" -eq 0 ] || skip_all "needs root"
for program in apt-get debootstrap setpriv unshare; do
	command -v "$program" > /dev/null || skip_all "needs $program"
done
make_base
trap remove EXIT
trap 'exit 130' HUP INT TERM
root=$(mktemp -d "$cache/$suite-run.XXXXXX") && chmod 755 "$root" || exit 1
cp -a --reflink=auto "$base/." "$root" || fail "cannot copy $base"
configure_apt
copy_tree
echo "$suite: $*"
CHECK_CHROOT_ROOT=$root CHROOT_CACHE=$cache setpriv --pdeathsig KILL \
	unshare --mount --pid --fork --kill-child --propagation private \
	sh "$0" "$suite" "$@" &
inside=$!
wait "$inside"
status=$?
inside=''
exit "$status"
