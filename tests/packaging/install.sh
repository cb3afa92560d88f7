#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make install overwrites nothing of others, and lists what it puts on the system; make uninstall removes that,
# and nothing else. In a root of its own, below DESTDIR, with prefix=/usr, where xdp-tools has an xdpdump.

# shellcheck source-path=SCRIPTDIR source=../graft/common.sh
. "$(dirname "$0")/../graft/common.sh"
[ -f "$build/libpcap-build/source-version" ] || skip_all "nothing is built in $build"
root=$scratch/root
extcap=/usr/lib/wireshark/extcap
manifest=$root/usr/share/pcap-afxdp/manifest

# by_make TARGET [VARIABLE=VALUE]...
by_make()
{
	make -s -C "$build" DESTDIR="$root" prefix=/usr libdir=/usr/lib extcapdir=$extcap apparmordir=/etc/apparmor.d "$@" \
		> "$scratch/said" 2>&1
}

# As by root of a system on which new files are root's alone.
by_careful()
{
	(umask 077 && by_make install)
}

said()
{
	grep -q -e "$1" "$scratch/said" || { cat "$scratch/said"; return 1; }
}

# Everything below the root, with its contents.
picture()
{
	(cd "$root" && find . -printf '%y %p %l\n' | sort && find . -type f -exec sha256sum {} + | sort)
}

is_as_before()
{
	picture > "$scratch/after"
	diff -u "$scratch/before" "$scratch/after"
}

# A new root, with what others have there.
others()
{
	rm -rf "$root"
	mkdir -p "$root/usr/sbin" "$root/usr/share/man/man8" "$root$extcap"
	echo "of xdp-tools" > "$root/usr/sbin/xdpdump"
	echo "of xdp-tools" > "$root/usr/share/man/man8/xdpdump.8.gz"
	picture > "$scratch/before"
}

refuses()
{
	others
	check "another xdpdump is a reason to refuse" fails by_make install
	check "the refusal names it, and what to do" \
		said "/usr/sbin/xdpdump is there already, and not ours.*--program-prefix; nothing was changed"
	check "nothing was changed" is_as_before
	rm "$root/usr/sbin/xdpdump"
	check "its page is a reason, too" fails by_make install
	check "the refusal names it" said 'man8/xdpdump.8 is there already'
}

# Every file and link is in the manifest, and as it says.
is_complete()
{
	(cd "$root" && find . ! -type d ! -path './usr/share/pcap-afxdp/manifest' | sed 's/^\.//' | sort) > "$scratch/there"
	sed -n 's/^[fl] [^ ]* //p' "$manifest" | sort > "$scratch/listed"
	diff -u "$scratch/there" "$scratch/listed" || return
	sed -n "s,^f \([^ ]*\) ,\1  $root,p" "$manifest" | sha256sum --quiet -c
}

renamed='program_transform_name=s/xdpdump/afxdpdump/'
goes_beside()
{
	others
	check "by another name it installs beside it" by_make install "$renamed"
	check "the command, its page, its completion" test -x "$root/usr/sbin/afxdpdump" -a \
		-f "$root/usr/share/man/man8/afxdpdump.8" -a -f "$root/usr/share/bash-completion/completions/afxdpdump"
	check "systemd's unit, which starts it" grep -q '^ExecStart=/usr/sbin/afxdpdump -i %i' \
		"$root/usr/lib/systemd/system/afxdpdump@.service"
	check "Wireshark's link leads to it" test "$(readlink "$root$extcap/afxdpdump")" = /usr/sbin/afxdpdump
	check "the device's page keeps its name" test -f "$root/usr/share/man/man7/pcap-afxdp.7"
	check "the loader is where programs look for it" test -x "$root/usr/libexec/pcap-afxdp/pcap-afxdp-loader"
	check "no file of an administrator's" test ! -e "$root/etc/apparmor.d/local"
	check "uninstalls" by_make uninstall "$renamed"
	check "what others have is as it was, and nothing else is there" is_as_before
}

# Somebody's own files, in place of ours and beside them.
leaves_changes()
{
	rm -rf "$root"
	check "installs into an empty root, with a umask of 077" by_careful
	check "everybody can read what is there" \
		test -z "$(find "$root" ! -type l ! -name pcap-afxdp-loader ! -perm -444)"
	check "the manifest lists everything" is_complete
	cp "$root/usr/share/pcap-afxdp/manifest" "$scratch/manifest"
	check "installs again" by_make install
	check "the manifest is the same" same_text "$scratch/manifest" "$manifest"
	echo mine > "$root/usr/sbin/xdpdump"
	check "a file that somebody replaced is not overwritten" fails by_make install
	echo mine > "$root/usr/share/pcap-afxdp/notes"
	ln -sf elsewhere "$root/usr/lib/libpcap.so"
	check "uninstalls" by_make uninstall
	check "what somebody replaced stays, and that is said" said '/usr/sbin/xdpdump was changed since it was installed: it stays'
	check "a link as well" said '/usr/lib/libpcap.so was changed since'
	equal_list "nothing else is left" './usr/lib/libpcap.so ./usr/sbin/xdpdump ./usr/share/pcap-afxdp/notes'
	check "no empty folder is left" test -z "$(find "$root" -type d -empty)"
	check "uninstalls what is not there" by_make uninstall
	check "and says so" said 'nothing is installed here'
}

# equal_list NAME FILES: those that are in the root.
equal_list()
{
	check "$1" test "$(cd "$root" && find . ! -type d | sort | xargs)" = "$2"
}

# What an older version had and this one has not.
upgrades()
{
	rm -rf "$root"
	by_make install || bad "does not install"
	echo old > "$root/usr/lib/libpcap-afxdp.so.1.0.0"
	echo "f $(echo old | sha256sum | cut -d ' ' -f 1) /usr/lib/libpcap-afxdp.so.1.0.0" >> "$manifest"
	check "installs over an older version" by_make install
	check "what that had and this has not is gone" test ! -e "$root/usr/lib/libpcap-afxdp.so.1.0.0"
	check "the manifest lists everything" is_complete
}

# Killed before the command is renamed into its place.
half()
{
	rm -rf "$root"
	mkdir -p "$root" "$scratch/bin"
	cat > "$scratch/bin/mv" <<-END
	#!/bin/sh
	case "\$*" in */xdpdump) kill -KILL \$PPID; exit 1 ;; esac
	exec $(command -v mv) "\$@"
	END
	chmod +x "$scratch/bin/mv"
	usual=$PATH
	PATH=$scratch/bin:$PATH
	check "$1: an installation is killed half way" fails by_make install
	PATH=$usual
	check "$1: something is there, and something is not" \
		test -e "$root/usr/libexec/pcap-afxdp/pcap-afxdp-loader" -a ! -e "$root/usr/sbin/xdpdump"
}

half_way()
{
	half "repeated"
	check "it can be repeated" by_make install
	check "the manifest lists everything" is_complete
	half "uninstalled"
	check "it can be uninstalled" by_make uninstall
	check "nothing is left" test ! -e "$root/usr"
}

optional()
{
	rm -rf "$root"
	mkdir -p "$root$extcap"
	echo theirs > "$root$extcap/xdpdump"
	picture > "$scratch/before"
	check "another extcap program of the name is no reason to refuse" by_make install
	check "it stays, and that is said" said "extcap/xdpdump is somebody else's, and stays"
	check "uninstalls" by_make uninstall
	check "it is as it was" is_as_before
}

refuses
goes_beside
leaves_changes
upgrades
half_way
optional
finish
