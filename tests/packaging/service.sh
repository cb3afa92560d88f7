#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The unit of systemd, by systemd itself: ready, status, a new file, a filter, the watchdog, an interface that goes
# and comes, the end; as a user without a capability. systemd is process 1 of namespaces of its own, on a copy of this
# system that is thrown away.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
xdpdump=$build/xdpdump/xdpdump
[ -x "$xdpdump" ] || skip_all "xdpdump was not built: make xdpdump/xdpdump"
need unshare nsenter systemctl systemd-analyze ping tcpdump zstd
for systemd in /usr/lib/systemd/systemd /lib/systemd/systemd; do
	[ ! -x "$systemd" ] || break
done
[ -x "$systemd" ] || skip_all "needs systemd"
! nm -D "$xdpdump" 2> /dev/null | grep -q __asan_init || skip_all "the unit keeps sanitizers from their memory"

make -s -C "$build" install-unit DESTDIR="$scratch/staged" prefix=/usr sbindir=/usr/sbin sysconfdir=/etc \
	systemdsystemunitdir=/units > "$scratch/said" 2>&1 || { bad "make install-unit"; show "$scratch/said"; finish; }
unit=$(echo "$scratch"/staged/units/*.service)
service=$(basename "$unit" @.service)

sed "s,^ExecStart=/[^ ]*,ExecStart=$xdpdump," "$unit" > "$scratch/$service@eth0.service"
check "systemd-analyze verify has no complaint" sh -c \
	'systemd-analyze verify --man=no "$1" > "$2" 2>&1 && ! grep -q -F "$1" "$2"' sh "$scratch/$service@eth0.service" "$scratch/verified"
# Its scale: 10 is a service that may do everything, 5 a medium one.
exposed=$(systemd-analyze security --offline=true "$scratch/$service@eth0.service" 2> /dev/null |
	sed -n 's/.*exposure level .*: \([0-9]*\)\.[0-9]* .*/\1/p')
[ -z "$exposed" ] || between "exposure, by systemd-analyze security" 0 2 "$exposed"

# The system that is thrown away. Not the host's /dev, where systemd makes links.
cat > "$scratch/begin" <<-END
	#!/bin/sh
	set -e
	mount -t tmpfs tmpfs "$scratch/system"
	cd "$scratch/system"
	mkdir upper work root
	mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
	mount -t proc proc root/proc
	mount -t sysfs sysfs root/sys
	mount -t cgroup2 cgroup2 root/sys/fs/cgroup
	for folder in run tmp dev; do
		mount -t tmpfs tmpfs root/\$folder
	done
	for device in null zero full random urandom tty; do
		: > root/dev/\$device
		mount --bind /dev/\$device root/dev/\$device
	done
	mkdir root/dev/pts root/dev/shm root/dev/mqueue root/dev/hugepages
	mount -t devpts -o newinstance,ptmxmode=666 devpts root/dev/pts
	ln -s pts/ptmx root/dev/ptmx
	mount -t tmpfs tmpfs root/dev/shm
	cp "$xdpdump" "root/usr/sbin/$service"
	mkdir -p "root/etc/systemd/system/$service@.service.d"
	cp "$unit" root/etc/systemd/system
	cat > "root/etc/systemd/system/$service@.service.d/test.conf" <<-OVER
		[Service]
		WatchdogSec=5
		RestartSec=1
	OVER
	printf '[Unit]\nDefaultDependencies=no\n' > root/etc/systemd/system/test.target
	mkdir -p root/etc/default
	echo 'OPTIONS=--zstd -C 1M -W 4 --disk-limit 99% icmp' > "root/etc/default/$service@e0"
	ip link set lo up
	ip link add e0 type veth peer name e1
	ip link set e0 up
	ip link set e1 up
	container=other exec chroot root $systemd --system --unit=test.target --log-target=null --show-status=no
END
mkdir "$scratch/system"
start unshare -f -p -m -n -i -u -C --propagation private --kill-child sh "$scratch/begin"
outside=$pid

# inside COMMAND...: where that systemd is process 1.
inside()
{
	init=$(cat "/proc/$outside/task/$outside/children" 2> /dev/null)
	[ -n "$init" ] && nsenter -t "${init%% *}" -p -m -n -i -u -C -r -w "$@"
}

runs()
{
	inside systemctl is-system-running 2> /dev/null | grep -q -e running -e degraded
}
wait_for 20 runs || {
	show "$err"
	skip_all "systemd does not run in namespaces here"
}

# shown PROPERTY: of the service.
shown()
{
	inside systemctl show -p "$1" --value "$service@e0"
}

# shows PROPERTY PATTERN
shows()
{
	shown "$1" | grep -q -e "$2"
}

folder=/var/lib/$service/e0
inside timeout 60 systemctl start "$service@e0" > "$scratch/said" 2>&1
equal "systemctl start" 0 $?
show "$scratch/said"
process=$(shown MainPID)
[ "${process:-0}" -gt 1 ] || {
	inside systemctl status --no-pager -l "$service@e0"
	finish
}
equal "its user has no capability" "0000000000000000 0000000000000000" \
	"$(inside sed -n 's/^Cap\(Prm\|Eff\):\t//p' "/proc/$process/status" | xargs)"
check "and is not root" fails inside test "$(inside stat -c %u "/proc/$process")" = 0
inside ip addr add 10.1.0.1/24 dev e1
inside ip neigh add 10.1.0.2 lladdr "$(inside cat /sys/class/net/e0/address)" dev e1
inside ping -qc 3 -i 0.1 -W 1 10.1.0.2 > /dev/null
inside systemctl reload "$service@e0"
first_is_whole()
{
	inside cat "$folder/e0.pcapng0" 2> /dev/null | zstd -dc 2> /dev/null > "$scratch/first" &&
		[ "$(packets "$scratch/first")" -eq 3 ]
}
check "reload begins a new file, and the first is whole" wait_for 20 first_is_whole
check "its status" wait_for 20 shows StatusText '^3 packets captured, '
equal "others cannot read the folder" 750 "$(inside stat -L -c %a "$folder")"

inside kill -STOP "$process"
check "one that does not go on is started again" wait_for 30 shows NRestarts '^[1-9]'
check "and runs" wait_for 20 shows SubState '^running$'
inside ip link del e0
check "an interface that goes" wait_for 20 shows SubState '^auto-restart$'
inside ip link add e0 type veth peer name e1
inside ip link set e0 up
inside ip link set e1 up
check "and comes" wait_for 30 shows SubState '^running$'
inside systemctl stop "$service@e0"
equal "systemctl stop" "success inactive" "$(shown Result) $(shown ActiveState)"
equal "of the host's /dev nothing was changed" "" "$(find /dev -maxdepth 1 -newer "$scratch/begin" \( -name log -o -name mqueue \))"
finish
