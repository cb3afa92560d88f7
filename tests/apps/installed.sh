# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# shellcheck disable=SC2034 # for the tests
# What the tests share that install the build, on top of lib.sh: a copy of the whole system to write to,
# in memory and seen by nobody else, with a group `wireshark', dumpcap set up for it as Debian does,
# `member' in it and `other', who is not.

# shellcheck source=tests/apps/lib.sh
. "$(dirname "$0")/lib.sh"
caps=cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep

# need_copy: of the system, in the network namespace $right. inside and member run commands in it.
need_copy()
{
	need unshare nsenter chroot setpriv setcap getcap groupadd useradd make
	[ -f "$build/Makefile" ] || skip_all "needs the build, for make install"
	mkdir "$scratch/over"
	at_exit end_copy
	# shellcheck disable=SC2016 # for the shell in the namespace
	start ip netns exec "$right" unshare -m sh -c '
		mount --make-rprivate / && mount -t tmpfs -o mode=755 tmpfs "$1" &&
		mkdir "$1/upper" "$1/work" "$1/root" && touch "$1/upper/.copy" &&
		mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root" || exit 1
		for there in /proc /sys /dev /run $2; do
			mount --rbind "$there" "$1/root$there" || exit 1
		done
		exec chroot "$1/root" sleep 3600' sh "$scratch/over" "$(of_another_mount "$top" "$build")"
	holder=$pid mounting=$err
	wait_for 10 inside test -e /.copy || skip_all "cannot mount a copy of the system: $(head -n 1 "$mounting")"
	set_up_group || skip_all "cannot make users in a copy of the system: $(tail -n 1 "$scratch/users")"
}

# What was started in there is not a child of this shell.
end_copy()
{
	before=$?
	for process in $(ip netns pids "$right" 2> /dev/null); do
		kill -KILL "$process" 2> /dev/null
	done
	return "$before"
}

# of_another_mount DIR...: those that are not on the root file system, and so not in a copy of it.
of_another_mount()
{
	for folder; do
		[ "$(stat -c %m "$folder")" = / ] || echo "$folder"
	done | xargs
}

inside()
{
	nsenter -t "$holder" -m -n -r -w env -i \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C HOME=/tmp "$@"
}

# as_user NAME COMMAND...
as_user()
{
	who=$1
	shift
	inside setpriv --reuid "$who" --regid "$who" --init-groups env HOME="/home/$who" "$@"
}

set_up_group()
{
	dumpcap=$(command -v dumpcap)
	{
		inside getent group wireshark > "$scratch/group" || inside groupadd --system wireshark
		inside useradd -m -G wireshark member && inside useradd -m other &&
			inside chgrp wireshark "$dumpcap" && inside chmod 750 "$dumpcap" &&
			inside setcap cap_net_raw,cap_net_admin+eip "$dumpcap"
	} > "$scratch/users" 2>&1
}

# install_for GROUP: as configured --with-capture-group=GROUP; "" without, "-" --without.
install_for()
{
	inside make -C "$build" install "capture_group=$1" > "$scratch/install" 2>&1
}

# Where it will be installed.
loader=$(strings "$build/libafxdpcapture.so.0" 2> /dev/null | grep '/pcap-afxdp-loader$')

# loader_is OWNER MODE CAPABILITIES: what is installed.
loader_is()
{
	[ "$(inside stat -c '%U:%G %a' "$loader") $(inside getcap "$loader" | sed 's/.* //')" = "$1 $2 $3" ]
}
