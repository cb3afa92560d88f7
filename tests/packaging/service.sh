#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The units of systemd, by systemd itself: ready, status, a new file, a filter, the watchdog, an interface that goes
# and comes, the end; as a user without a capability. The one for Kafka, without a broker: its settings, its spool.
# systemd is process 1 of namespaces of its own, on a copy of this system that is thrown away.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
xdpdump=$build/xdpdump/xdpdump
[ -x "$xdpdump" ] || skip_all "xdpdump was not built: make xdpdump/xdpdump"
need unshare nsenter systemctl systemd-analyze ping tcpdump zstd nc pgrep
for systemd in /usr/lib/systemd/systemd /lib/systemd/systemd; do
	[ ! -x "$systemd" ] || break
done
[ -x "$systemd" ] || skip_all "needs systemd"
! grep -q __asan_init "$xdpdump" || skip_all "the unit keeps sanitizers from their memory"

make -s -C "$build" install-unit DESTDIR="$scratch/staged" prefix=/usr sbindir=/usr/sbin sysconfdir=/etc \
	systemdsystemunitdir=/units > "$scratch/said" 2>&1 || { bad "make install-unit"; show "$scratch/said"; finish; }
units=$scratch/staged/units
service=$(basename "$(find "$units" -name '*[!o]@.service')" @.service)

# analyzes NAME
analyzes()
{
	analyzed=$scratch/$1@eth0.service
	sed "s,^ExecStart=/[^ ]*,ExecStart=$xdpdump," "$units/$1@.service" > "$analyzed"
	check "$1@: systemd-analyze verify has no complaint" sh -c \
		'systemd-analyze verify --man=no "$1" > "$2" 2>&1 && ! grep -q -F "$1" "$2"' sh "$analyzed" "$scratch/verified"
	# Its scale: 10 is a service that may do everything, 5 a medium one.
	exposed=$(systemd-analyze security --offline=true "$analyzed" 2> /dev/null |
		sed -n 's/.*exposure level .*: \([0-9]*\)\.[0-9]* .*/\1/p')
	[ -z "$exposed" ] || between "$1@: exposure, by systemd-analyze security" 0 2 "$exposed"
}

analyzes "$service"
analyzes "$service-to"

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
	cp "$units"/*.service root/etc/systemd/system
	[ ! -x "$build/kafka/pcapng-kafka" ] || cp "$build/kafka/pcapng-kafka" root/usr/bin
	cat > "root/etc/systemd/system/$service@.service.d/test.conf" <<-OVER
		[Service]
		WatchdogSec=5
		RestartSec=1
	OVER
	mkdir -p "root/etc/systemd/system/$service-to@.service.d"
	printf '[Service]\nStandardError=append:/run/said\n' > "root/etc/systemd/system/$service-to@.service.d/test.conf"
	printf '[Unit]\nDefaultDependencies=no\n' > root/etc/systemd/system/test.target
	mkdir -p root/etc/default
	echo 'OPTIONS=--zstd --index -C 1M -W 4 --disk-limit 99% icmp' > "root/etc/default/$service@e0"
	for name in "$service" "$service-to"; do
		mkdir "root/etc/systemd/system/\$name@landlock.service.d"
		cat > "root/etc/systemd/system/\$name@landlock.service.d/test.conf" <<-OVER
			[Service]
			Type=oneshot
			Restart=no
			ExecStart=
			ExecStart=perl -e 'exit(syscall(444, 0, 0, 1) < 1)'
		OVER
	done
	: > "root/etc/default/$service-to@landlock"
	printf 'TO=kafka://127.0.0.1/packets\nOPTIONS=icmp\n' > "root/etc/default/$service-to@e0"
	mkdir "root/etc/$service"
	echo client.id=of-the-credential > "root/etc/$service/kafka.conf"
	chmod 600 "root/etc/$service/kafka.conf"
	mount --make-rshared root # systemd mounts a service's credentials in a namespace, and they come here by this
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

# shown PROPERTY [UNIT]: of the service.
shown()
{
	inside systemctl show -p "$1" --value "${2:-$service@e0}"
}

# shows PROPERTY PATTERN
shows()
{
	shown "$1" | grep -q -e "$2"
}

# has_no_capability NAME PROCESS
has_no_capability()
{
	equal "$1 has no capability" "0000000000000000 0000000000000000" \
		"$(inside sed -n 's/^Cap\(Prm\|Eff\):\t//p' "/proc/$2/status" | xargs)"
	check "and is not root" fails inside test "$(inside stat -c %u "/proc/$2")" = 0
}

spool_has_three()
{
	inside cat "/var/lib/$service-to/e0/pcapng-kafka-00000000000000000000.pcapng" > "$scratch/spooled" &&
		[ "$(packets "$scratch/spooled" icmp)" -eq 3 ]
}

# The first signal ends the capture, and a later one the wait for a broker.
signals_end()
{
	inside kill -TERM "$sender"
	! inside test -d "/proc/$sender"
}

is_inactive()
{
	[ "$(shown ActiveState "$service-to@e0")" = inactive ]
}

# Who listens there is no broker: he sees the first request, which has client.id in it.
into_kafka()
{
	[ -x "$build/kafka/pcapng-kafka" ] || { skip "pcapng-kafka was not built"; return; }
	check "without TO= the unit for Kafka does not start" fails inside timeout 60 systemctl start "$service-to@e1"
	equal "because of what it asserts" no "$(shown AssertResult "$service-to@e1")"
	start inside nc -l -k 127.0.0.1 9092
	requests=$out
	check "with it, it starts" inside timeout 60 systemctl start "$service-to@e0"
	sender=$(shown MainPID "$service-to@e0")
	[ "${sender:-0}" -gt 1 ] || { inside cat /run/said; return; }
	has_no_capability "pcapng-kafka" "$(inside pgrep -x pcapng-kafka)"
	inside ping -qc 3 -i 0.1 -W 1 10.1.0.2 > /dev/null
	check "it has the settings that root alone can read" wait_for 20 grep -q -a of-the-credential "$requests"
	check "what it captures is in the spool" wait_for 20 spool_has_three
	equal "others cannot read the spool" 700 "$(inside stat -L -c %a "/var/lib/$service-to/e0")"
	inside systemctl stop --no-block "$service-to@e0"
	check "it ends" wait_for 20 signals_end
	check "well, because nothing is lost" wait_for 20 is_inactive
}

# lets_landlock UNIT: as xdpdump confines itself where the kernel tells its version of Landlock, and else does without.
lets_landlock()
{
	check "$1@: Landlock is for who runs in it" inside timeout 60 systemctl start "$1@landlock"
}

if perl -e 'exit(syscall(444, 0, 0, 1) < 1)' 2> /dev/null; then
	lets_landlock "$service"
	[ ! -x "$build/kafka/pcapng-kafka" ] || lets_landlock "$service-to"
else
	skip "no Landlock here, or no perl"
fi

folder=/var/lib/$service/e0
inside timeout 60 systemctl start "$service@e0" > "$scratch/said" 2>&1
equal "systemctl start" 0 $?
show "$scratch/said"
process=$(shown MainPID)
[ "${process:-0}" -gt 1 ] || {
	inside systemctl status --no-pager -l "$service@e0"
	finish
}
has_no_capability "its user" "$process"
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
check "and has an index" wait_for 20 inside test -s "$folder/e0.pcapng0.idx"
check "its status" wait_for 20 shows StatusText '^3 packets captured, '
equal "others cannot read the folder" 750 "$(inside stat -L -c %a "$folder")"
into_kafka

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
