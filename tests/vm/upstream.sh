#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The tests of xdp-tools' own xdpdump on ours: in a virtual machine, where VM_TESTS asks for it, and on the
# machine itself as far as its kernel allows. They are of Debian's package xdp-tests, and nothing of them is in
# this tree; make check-vm fetches a newer one. docs/xdp-tools.md says how each case ends, and why.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need bash unshare tcpdump ping tshark capinfos xdp-loader mktemp
installed=/usr/libexec/xdp-tools
[ -x "$installed/test_runner.sh" ] || skip_all "needs the package xdp-tests"

# Cases that fail because they ask for what ours does otherwise on purpose, with what that is.
differs()
{
	case $1 in
	test_help) echo "compares --help word by word; ours has more options" ;;
	test_none_xdp) echo "ours captures at XDP where upstream falls back to libpcap, and says that" ;;
	test_promiscuous_selfload) echo "the same" ;;
	test_pname_parse) echo "compares error messages, and wants some names refused that ours understands" ;;
	*) return 1 ;;
	esac
}

# What their runner asks for and the tests of xdpdump don't use: without them it ends in a clean-up that
# takes /proc for its own. And the kernel's log stays as it is.
stand_ins=$scratch/stand-ins
mkdir "$stand_ins"
for name in nc nft socat; do
	command -v $name > /dev/null || ln -s /bin/true "$stand_ins/$name"
done
cat > "$stand_ins/dmesg" << 'END'
#!/bin/sh
[ "$1" = -C ] || exec /usr/bin/env PATH="${PATH#*:}" dmesg "$@"
END
# Lines that they read are those of xdp-tools, also where nothing else asks for them.
cat > "$stand_ins/xdpdump" << END
#!/bin/sh
exec "$xdpdump" --format xdp-tools "\$@"
END
chmod 755 "$stand_ins/dmesg" "$stand_ins/xdpdump"

# Their waits of whole seconds are for a machine that is not emulated.
waits=$scratch/waits
mkdir "$waits"
[ ! -e /modules/order ] || {
	# shellcheck disable=SC2016 # for that shell
	printf '#!/bin/sh\nexec /usr/bin/busybox sleep $(($1 * 2))\n' > "$waits/sleep"
	chmod 755 "$waits/sleep"
}

# In namespaces of this test, and on one CPU: packets are numbered by CPU here, theirs are not. The runner
# lifts a limit that kernels do not use since 5.11, which not every root may: it is told that there is none.
# shellcheck disable=SC2016 # for the inner shell
theirs()
{
	unshare -n -m sh -c 'mount --make-rprivate / && mount -t sysfs sysfs /sys && mount -t bpf bpf /sys/fs/bpf &&
		mount -t tmpfs none /run/netns && ip link set lo up &&
		exec env PATH="$1:$PATH" "BASH_FUNC_ulimit%%=() { echo unlimited; }" taskset 1 \
		bash "$0/test_runner.sh" "$0"/tests/xdpdump/test-xdpdump.sh' "$1" "$waits"
}

PATH=$stand_ins:$build/xdpdump:$PATH
need nc nft socat taskset ethtool ip sed tc timeout setsid
DID_UNSHARE=1 TEST_PROG_DIR=$installed
export PATH DID_UNSHARE TEST_PROG_DIR
folder=${THEIR_TESTS:-/their-tests}
[ -x "$folder/test_runner.sh" ] || folder=$installed
version=$(cat "$folder/version" 2> /dev/null || dpkg-query -W -f '${Version}' xdp-tests)
echo "xdp-tests $version, on Linux $(uname -r)"
start theirs "$folder"
ended "$pid" 800
cat "$out" "$err" > "$scratch/theirs.log"
[ "$(grep -c '^ *\[test_' "$scratch/theirs.log")" -gt 10 ] || {
	bad "their runner"
	show "$scratch/theirs.log"
	finish
}
sed -n 's/^ *\[\(test_[a-z_]*\)\] *\([A-Z]*\)$/\1 \2/p' "$scratch/theirs.log" > "$scratch/cases"
while read -r case result; do
	case $result in
	PASS) ok "$version: $case" ;;
	SKIPPED) skip "$version: $case: by itself, for what this kernel has not" ;;
	*)
		if reason=$(differs "$case"); then
			skip "$version: $case fails: $reason"
		else
			bad "$version: $case"
			sed -n "/\\[$case\\]/,/exited with/p" "$scratch/theirs.log" |
				grep -v 'packet size .* id [0-9]*[1-9]$' | sed 's/^/    /'
		fi
		;;
	esac
done < "$scratch/cases"
[ -z "${THEIR_LOGS:-}" ] || cp "$scratch/theirs.log" "$THEIR_LOGS/theirs-$version.log"
finish
