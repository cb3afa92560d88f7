#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a fresh Debian with tcpdump, tshark and xdp-tools: the packages in /mnt are installed, used by root and
# by members of groups, upgraded under a running capture, and purged, after which the system is as it was.
# Run by deb.sh.

# shellcheck source-path=SCRIPTDIR source=../chroot/fresh.sh
. "$(dirname "$0")/../chroot/fresh.sh"
conf=/etc/ld.so.conf.d/00-pcap-afxdp.conf
loader=/usr/libexec/pcap-afxdp/pcap-afxdp-loader
wants=/etc/systemd/system/multi-user.target.wants
packages='afxdpdump libafxdpcapture-dev libafxdpcapture0 pcap-afxdp pcap-afxdp-loader pcapng-kafka'
caps=cap_net_admin,cap_net_raw,cap_perfmon,cap_bpf=ep
requests='icmp[0] == 8'

# --- the system ---

# dumpcap is for the group wireshark, as Debian's users have it.
has_others()
{
	update || return
	echo 'wireshark-common wireshark-common/install-setuid boolean true' | debconf-set-selections
	apt install adduser apparmor ethtool iproute2 iputils-ping libcap2-bin procps tcpdump tshark xdp-tools || return
	# Else what -dev depends on would be upgraded later, and stay so.
	apt dist-upgrade || return
	libpcap=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 'libpcap0.8*' | sed -n '/-dev$/d; s/^ii *//p')
	others="$libpcap tcpdump wireshark-common xdp-tools"
}

# member will be of the group pcap-afxdp, shark is of wireshark, both of both.
add_users()
{
	for user in anybody member shark both; do
		useradd --create-home "$user" || return
	done
	usermod --append --groups wireshark shark && usermod --append --groups wireshark both
}

# Files and folders with their rights, contents; groups and packages. Without logs, caches, homes, the second
# copies that tools of Debian's keep, and a folder that dh_apparmor's scripts remove when it is empty, although
# it is the package apparmor's.
picture()
{
	find / -xdev \( -path /src -o -path /tmp -o -path /run -o -path /home -o -path /root -o -path /var/log -o \
		-path /var/cache -o -path /var/lib/apt -o -path /etc/apparmor.d/disable \) -prune -o \
		! -path '/etc/*-' ! -path '/var/lib/dpkg/*-old' ! -path '/var/lib/dpkg/status' \
		! -path '/var/lib/dpkg/triggers/*' ! -path '/var/lib/dpkg/lock*' \
		-printf '%M %u:%g %p %l\n' > "$scratch/paths"
	sort "$scratch/paths"
	sed -n 's/^-[^ ]* [^ ]* \(.*\) $/\1/p' "$scratch/paths" | sort | tr '\n' '\0' | xargs -0 sha256sum
	getcap -r /usr | sort
	getent group
	dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Version}\n'
	# shellcheck disable=SC2086 # a list
	dpkg -V $others
}

is_as_before()
{
	picture > "$scratch/after"
	diff "$scratch/before" "$scratch/after"
}

installs()
{
	apt install "$1"/*.deb
}

# --- what is chosen ---

library_of_tcpdump()
{
	ldd "$(command -v tcpdump)" | awk '$1 == "libpcap.so.0.8" { print $3 }'
}

is_on()
{
	case $(library_of_tcpdump) in */pcap-afxdp/*) ;; *) return 1 ;; esac
	pcap-afxdp-libpcap status
}

is_off()
{
	case $(library_of_tcpdump) in */pcap-afxdp/*) return 1 ;; esac
	[ ! -e "$conf" ]
}

# --- captures ---

# captures NAME USER COMMAND...: which ends by itself after five echo requests. They come until it has.
captures()
{
	name=$1 user=$2
	shift 2
	start ip netns exec "$left" ping -q -i 0.1 10.99.0.2
	pings=$pid
	start ip netns exec "$right" setpriv --reuid="$user" --regid="$user" --init-groups --reset-env "$@"
	ended "$pid" 60 > "$scratch/ended"
	equal "$name: status" 0 $?
	equal "$name: echo requests" 5 "$(grep -c -i 'echo.*request' "$out")"
	[ "$(grep -c -i 'echo.*request' "$out")" -eq 5 ] || show "$err"
	stop "$pings" TERM > "$scratch/ended"
}

# refused NAME USER COMMAND...: it could not be opened.
refused()
{
	name=$1 user=$2
	shift 2
	check "$name" fails timeout 60 ip netns exec "$right" setpriv --reuid="$user" --regid="$user" --init-groups \
		--reset-env "$@"
}

five_pings()
{
	in_left ping -q -i 0.1 -c 5 10.99.0.2
}

loader_is()
{
	equal "the loader: owner, group, mode" "$1" "$(stat -c '%U:%G %a' "$loader")"
	equal "the loader: capabilities" "$loader $caps" "$(getcap "$loader")"
}

# --- AppArmor: whether the parser takes the rules. That they suffice needs a kernel with AppArmor. ---

parsed()
{
	apparmor_parser -Q -K "$@"
}

# With the line that README.Debian has an administrator add to tcpdump's profile.
with_apparmor()
{
	local=/etc/apparmor.d/local/usr.bin.tcpdump profile=/etc/apparmor.d/usr.bin.tcpdump
	check "AppArmor: the parser takes the loader's profile" parsed /etc/apparmor.d/pcap-afxdp-loader
	parsed -p "$profile" > "$scratch/rules"
	check "AppArmor: by itself tcpdump's does not start the loader" fails grep -q pcap-afxdp-loader "$scratch/rules"
	cp -p "$local" "$scratch/local"
	sed -n 's/^ *\(include if exists .*\)/\1/p' /usr/share/doc/pcap-afxdp/README.Debian >> "$local"
	check "AppArmor: the parser takes tcpdump's with our line" parsed "$profile"
	parsed -p "$profile" > "$scratch/rules"
	check "AppArmor: which then starts the loader" grep -q "^ *$loader px -> pcap-afxdp-loader," "$scratch/rules"
	cp -p "$scratch/local" "$local"
}

# --- the steps ---

has_extcap_line()
{
	zcat /usr/share/man/man8/afxdpdump.8.gz |
		grep -F 'tshark -i afxdpdump:eth0 -o extcap.afxdpdump_eth0.hook:tc'
}

first_use()
{
	check "installing chooses nothing" is_off
	refused "until then Debian's libpcap has no xdp: devices" root tcpdump -c 1 -i xdp:vb
	loader_is 'root:pcap-afxdp 750'
	equal "xdpdump is that of xdp-tools" xdp-tools "$(dpkg -S "$(command -v xdpdump)" | cut -d : -f 1)"
	check "ours has that name in a folder of its own" /usr/lib/pcap-afxdp/bin/xdpdump --version
	captures "afxdpdump" root afxdpdump -i vb -c 5 "$requests"
	in_right tshark -D > "$scratch/listed" 2> "$scratch/error"
	check "the link for Wireshark 4.6" test -x /usr/libexec/wireshark/extcap/afxdpdump
	check "tshark lists what Wireshark's extcap link offers" grep -q ' afxdpdump:vb ' "$scratch/listed"
	check "by no name that is xdp-tools'" fails grep -q ' xdpdump:' "$scratch/listed"
	captures "tshark by the extcap link" root tshark -i afxdpdump:vb -f "$requests" -c 5
	check "the manual has that name" has_extcap_line
	check "the packages' own test" debian/tests/capture
	with_apparmor
}

# depends PACKAGE LIBRARY
depends()
{
	dpkg-query -W -f '${Depends} ${Recommends}\n' "$1" | grep -q -w "$2"
}

spool_has_five()
{
	[ "$(tshark -r "$scratch/spool/pcapng-kafka-00000000000000000000.pcapng" 2> /dev/null | grep -c request)" -eq 5 ]
}

# Without a broker: what two packages do together is in the spool.
into_kafka()
{
	check "afxdpdump does without librdkafka" fails depends afxdpdump librdkafka1
	check "pcapng-kafka has it" depends pcapng-kafka librdkafka1
	check "its manual and completion" test -e /usr/share/man/man1/pcapng-kafka.1.gz -a \
		-e /usr/share/bash-completion/completions/pcapng-kafka
	chmod 711 "$scratch" && install -d -o nobody -m 700 "$scratch/spool"
	start ip netns exec "$right" afxdpdump -i vb --to kafka://127.0.0.1:1/packets --spool "$scratch/spool:1M" "$requests"
	check "afxdpdump --to begins" wait_for 20 grep -q '^listening on' "$err"
	five_pings > "$scratch/ping"
	check "pcapng-kafka has what it captured" wait_for 20 spool_has_five
	kill -TERM "$pid"
	wait_for 20 grep -q 'a second signal ends at once' "$err"
	stop "$pid" TERM > "$scratch/ended"
}

chooses()
{
	refused "on needs root" anybody "$(command -v pcap-afxdp-libpcap)" on
	check "on" pcap-afxdp-libpcap on
	check "programs load ours" is_on
	captures "tcpdump" root tcpdump -nn -c 5 -i xdp:vb "$requests"
	check "off" pcap-afxdp-libpcap off
	check "programs load Debian's" is_off
	check "on again" pcap-afxdp-libpcap on
	check "and again" pcap-afxdp-libpcap on
	check "programs load ours again" is_on
}

by_groups()
{
	for user in member both; do
		usermod --append --groups pcap-afxdp "$user"
	done
	refused "without the group there is no capture" anybody tcpdump -c 1 -i xdp:vb
	captures "tcpdump by a member" member tcpdump -nn -c 5 -i xdp:vb "$requests"
	captures "afxdpdump by a member" member afxdpdump -i vb -c 5 "$requests"
	captures "tshark by a member" both tshark -i xdp:vb -f "$requests" -c 5
}

# As README.Debian has it.
by_another_group()
{
	check "the administrator names another group" dpkg-statoverride --update --add root wireshark 0750 "$loader"
	check "which the package takes up" dpkg-reconfigure pcap-afxdp-loader
	loader_is 'root:wireshark 750'
	captures "tshark by a member of wireshark" shark tshark -i xdp:vb -f "$requests" -c 5
	refused "the first group captures no more" member tcpdump -c 1 -i xdp:vb
}

# The same packages, as the next version.
# next_version DEB: the same again, in $scratch/second.
next_version()
{
	dpkg-deb -R "$1" "$scratch/unpacked" || return
	version=$(dpkg-deb -f "$1" Version)
	sed -i "s/^Version: .*/&+second/; s/(= $version)/(= $version+second)/g" "$scratch/unpacked/DEBIAN/control"
	dpkg-deb -Zgzip -z1 -b "$scratch/unpacked" "$scratch/second" || return
	rm -r "$scratch/unpacked"
}

second_version()
{
	mkdir "$scratch/second"
	for deb in "$made"/*.deb; do
		next_version "$deb" || return
	done
}

# An update of Debian's libpcap, which does not reach our copy.
next_libpcap()
{
	mkdir "$scratch/libpcap" && cd "$scratch/libpcap" && apt-get -q download "$libpcap" &&
		next_version "$scratch"/libpcap/*.deb && mv "$scratch/second/${libpcap}"_*.deb "$scratch/libpcap/next"
}

doctor_on_libpcap()
{
	ip netns exec "$right" afxdpdump --doctor --json -i vb 2> /dev/null | tr '{' '\n' | grep '"libpcap"'
}

# A copy of a source from before the system's release lacks what came until then.
libpcap_is_judged()
{
	case $(doctor_on_libpcap) in
	*' of '*PRE-GIT*) doctor_on_libpcap | grep -q 'is not in it' ;;
	*) doctor_on_libpcap | grep -q '"ok"' ;;
	esac
}

told_of_updates()
{
	check "--doctor: libpcap is as new as the system's, or older as a source from before its release" libpcap_is_judged
	has_to "there is a next libpcap" next_libpcap
	check "it is installed" dpkg -i "$scratch/libpcap/next"
	check "--doctor: the system's libpcap is newer" test -n "$(doctor_on_libpcap | grep 'is not in it')"
	check "the one before is installed again" dpkg -i "$scratch"/libpcap/*.deb
	check "which is as it was" libpcap_is_judged
}

upgrades()
{
	has_to "there is a next version" second_version
	start ip netns exec "$right" tcpdump -nn -l -i xdp:vb "$requests"
	wait_for 20 grep -q 'listening on' "$err"
	five_pings > "$scratch/ping"
	check "an upgrade under a capture" installs "$scratch/second"
	five_pings > "$scratch/ping"
	settle "$pid"
	stop "$pid"
	equal "the capture went on: echo requests" 10 "$(grep -c 'echo request' "$out")"
	equal "the next version is there" 6 "$(dpkg-query -W | grep -c '+second$')"
	loader_is 'root:wireshark 750'
	check "the choice stays" is_on
	check "Debian's libpcap is installed again" apt install --reinstall "$libpcap"
	check "the choice stays" is_on
	captures "tcpdump after that" root tcpdump -nn -c 5 -i xdp:vb "$requests"
	told_of_updates
	check "the administrator's group goes" dpkg-statoverride --remove "$loader"
	check "and the package's comes back" dpkg-reconfigure pcap-afxdp-loader
	loader_is 'root:pcap-afxdp 750'
}

# As systemctl enable does for an instance.
enables()
{
	for unit in afxdpdump afxdpdump-to; do
		ln -s "/usr/lib/systemd/system/$unit@.service" "$wants/$unit@eth0.service" && [ -e "$wants/$unit@eth0.service" ] ||
			return
	done
}

# shellcheck disable=SC2086 # a list
goes()
{
	check "removed" apt remove $packages
	check "programs load Debian's" is_off
	check "tcpdump of Debian's captures" debian_captures
	check "installed again" installs "$scratch/second"
	check "nothing is chosen" is_off
	check "chosen" pcap-afxdp-libpcap on
	check "a capture goes on from start to start" enables
	# Not what other packages only suggest.
	check "purged" apt purge --autoremove -o APT::AutoRemove::SuggestsImportant=false $packages
	check "tcpdump of Debian's captures" debian_captures
	# Of the administrator's override the list is left, empty.
	[ -s /var/lib/dpkg/statoverride ] || rm -f /var/lib/dpkg/statoverride
	check "the system is as it was before" is_as_before
}

debian_captures()
{
	captures "tcpdump" root tcpdump -nn -c 5 -i vb "$requests" > "$scratch/debian" 2>&1
	! grep FAILED "$scratch/debian"
}

has_to "tcpdump, tshark, xdp-tools can be installed" has_others
has_to "users" add_users
ldconfig
mkdir -p "$wants"
picture > "$scratch/before"
has_to "the packages are installed" installs "$made"
veth_pair
first_use
into_kafka
chooses
by_groups
by_another_group
upgrades
goes
finish
