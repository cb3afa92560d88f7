#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a fresh Debian: configure --host builds all for another machine, with that machine's libraries and tools, and
# what was built runs. build_for.sh arm64|i386, run by cross.sh.

# shellcheck source-path=SCRIPTDIR source=../chroot/fresh.sh
. "$(dirname "$0")/../chroot/fresh.sh"
build=$top/build
# shellcheck source-path=SCRIPTDIR source=build.sh
. "$(dirname "$0")/build.sh"
# shellcheck source-path=SCRIPTDIR source=../vm/arm64.sh
. "$(dirname "$0")/../vm/arm64.sh"
what=$1 stage=$scratch/stage
CHECK_SIZE=quick
export CHECK_SIZE
case $what in
arm64) host=aarch64-linux-gnu multiarch=$host machine=AArch64 runs='qemu-user qemu-system-arm busybox-static tcpdump:arm64' ;;
i386)
	host=i686-linux-gnu multiarch=i386-linux-gnu machine='Intel 80386'
	runs='tcpdump:i386 ethtool iproute2 iputils-ping jq procps python3 tshark'
	;;
*) has_to "a machine: arm64, i386" false ;;
esac

# --- building ---

# Of what a build needs: tools for this machine, libraries for that one. A library of both has to be of the same
# version, which mirrors have for a release, but not at any time for its security archive.
# shellcheck disable=SC2046,SC2086 # lists
has_tools()
{
	sed -i '/-security/d' /etc/apt/sources.list
	dpkg --add-architecture "$what" && update &&
		apt install $(listed build | grep -v -e '^z*lib' -e '^gcc$') xz-utils "gcc-$host" \
			$({ listed build; echo libcmocka-dev; } | sed -n "/^z*lib/s/\$/:$what/p") $runs &&
		autoreconf -fi
}

# Tools of this machine, by their plain names, leave a line in a log. config.guess asks its compiler what it is.
watch_tools()
{
	mkdir "$scratch/bin"
	for tool in ar as ld nm objcopy objdump pkg-config ranlib strip; do
		printf '#!/bin/sh\necho "%s $*" >> "%s"\nexec /usr/bin/%s "$@"\n' "$tool" "$scratch/plain" "$tool" \
			> "$scratch/bin/$tool"
	done
	chmod 755 "$scratch/bin"/*
	PATH=$scratch/bin:$PATH
}

configures_for()
{
	configures --host="$host" PKG_CONFIG=/usr/bin/pkg-config \
		PKG_CONFIG_LIBDIR="/usr/lib/$multiarch/pkgconfig:/usr/share/pkgconfig"
}

# machines FOLDER: those that programs and libraries in it are for.
machines()
{
	find "$1" -type f \( -perm -100 -o -name '*.so.*' -o -name '*.a' \) -exec readelf -h {} + 2> /dev/null |
		sed -n 's/^ *Machine: *//p' | sort -u
}

installs()
{
	make -s -C "$build" install DESTDIR="$stage" prefix=/usr
}

watch_tools
has_to "$what: packages" has_tools
has_to "$what: configures" configures_for
has_to "$what: builds without a warning" builds
check "$what: by no tool of this machine" fails cat "$scratch/plain"
check "$what: installs" installs
equal "$what: what was built is for" "$machine" "$(machines "$build")"
equal "$what: what is installed is for" "$machine" "$(machines "$stage")"

# --- running ---

# answers NAME PATTERN COMMAND...
answers()
{
	name=$1 pattern=$2
	shift 2
	"$@" > "$scratch/said" 2>&1
	equal "$what: $name: status" 0 $?
	check "$what: $name" grep -q -e "$pattern" "$scratch/said"
}

# By an emulator of the processor, which has no bpf(2); then by one of a machine, with a kernel for it.
run_arm64()
{
	emulated=qemu-aarch64
	xdpdump=$build/xdpdump/xdpdump
	answers "xdpdump --version" '^xdpdump ' $emulated "$xdpdump" --version
	answers "xdpdump --help all" --hook $emulated "$xdpdump" --help all
	answers "xdpdump -D" 'lo' $emulated "$xdpdump" -D
	answers "tcpdump on our libpcap" '^libpcap version' \
		$emulated -E LD_LIBRARY_PATH="$build/libpcap-build" "$(command -v tcpdump)" --version
	passes "tests/capture/cpus_test tests/capture/device_test tests/capture/merge_test tests/capture/xsk_test
		tests/pcapng/blocks_test tests/filter/interface tests/filter/vectors tests/filter/differ
		tests/xdpdump/output/time_text_test" LOG_COMPILER=$emulated
	run_arm64_machine
}

# A file beyond 2 GiB, and the reading of it.
writes_large_file()
{
	veth_pair
	offloads_off
	start ip netns exec "$right" "$build/xdpdump/xdpdump" -i vb -w "$scratch/large.pcapng"
	dump=$pid said=$err
	wait_for 20 grep -q 'listening on' "$said"
	in_left "$build/testprogs/trafgen" -i va -n 1500000 -s 1514 -r 100000 > "$scratch/sent"
	all_read "$dump"
	equal "$what: a file beyond 2 GiB: status" 0 $?
	between "$what: its size, in MiB" 2049 3000 $(($(stat -c %s "$scratch/large.pcapng") >> 20))
	read_again=$(LD_LIBRARY_PATH=$build/libpcap-build tcpdump -nnr "$scratch/large.pcapng" 2> "$scratch/error" | wc -l)
	equal "$what: packets read from it, and lost" 1500000 $((read_again + $(tcpdump_count dropped "$said")))
	rm -f "$scratch/large.pcapng"
}

# Memory of sockets and rings is mapped, filters are swapped in, files are written, all by 32-bit programs on a
# kernel of 64 bits.
run_i386()
{
	passes "tests/capture/cpus_test tests/capture/device_test tests/capture/facts_test tests/capture/merge_test
		tests/capture/wait_test tests/capture/xsk_test tests/capture/clock_test tests/capture/doorbell_test
		tests/pcapng/blocks_test tests/xdpdump/output/time_text_test
		tests/filter/interface tests/filter/vectors tests/filter/differ tests/filter/verify
		tests/pcap/smoke.sh tests/pcap/api.sh tests/pcap/compare.sh tests/pcap/sizes.sh tests/pcap/fullring.sh
		tests/pcap/vlan.sh tests/pcap/own_frames.sh tests/pcap/queues.sh
		tests/loader/protocol tests/loader/levels.sh tests/loader/open.sh tests/loader/exact.sh
		tests/divert/receive.sh tests/divert/send.sh tests/divert/send_test tests/divert/own.sh
		tests/divert/unprivileged.sh
		tests/xdpdump/output/text.sh tests/xdpdump/files/rotate.sh tests/xdpdump/session/sides.sh tests/xdpdump/session/per_queue.sh"
	writes_large_file
}

"run_$what"
finish
