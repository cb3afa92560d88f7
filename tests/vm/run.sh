#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make check-vm: what was built, on other kernels, each in a virtual machine without acceleration.
# Downloads Debian's kernels, and what is missing to run them, into the build directory.
# VM_KERNELS: suites of Debian, and arm64: cross-built by debootstrap, with tests of its own.
# VM_FLAVOUR=amd64: kernels with all drivers, four times as large, which vm/links.sh has more kinds of links in.
# VM_TESTS: below tests/; VM_MINUTES: for one machine (30); both not for arm64. VM_NICS: cards, of virtio, virtio-zc, vmxnet3,
# virtio-plain, virtio-fixed and igb. The first has all tests, each other a machine for vm/divert.sh, or VM_CARD_TESTS,
# igb for vm/stamps.sh and vm/once.sh as well; virtio-plain has vm/blind.sh alone, virtio-fixed vm/fixed.sh;
# virtio-zc has several queues if root runs it;
# nodes and node-bare are machines with two nodes of memory, for vm/nodes.sh.
# VM_LIBXDP: a tree with another libxdp, and with what it needs, to run with. VM_CLANGS: compilers, for vm/objects.sh.
# VM_PTCPDUMP: that program, for vm/beside.sh.
# tests/vm/table.md of the build directory has what these, and those before, have said.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/vm/fetch.sh
. "$(dirname "$0")/fetch.sh"
# shellcheck source=tests/vm/image.sh
. "$(dirname "$0")/image.sh"
# shellcheck source=tests/vm/judge.sh
. "$(dirname "$0")/judge.sh"
# shellcheck source=tests/vm/nics.sh
. "$(dirname "$0")/nics.sh"
# shellcheck source=tests/vm/table.sh
. "$(dirname "$0")/table.sh"
suites=${VM_KERNELS:-bullseye-security bookworm-security trixie-security trixie-backports arm64}
all_tests=${VM_TESTS:-vm/veth.sh vm/nic.sh vm/abilities.sh vm/divert.sh vm/programs.sh vm/any.sh hooks/combined.sh
	hooks/devices.sh vm/links.sh vm/bonds.sh hooks/tags.sh vm/join.sh vm/apparmor.sh vm/who.sh}
nics=${VM_NICS:-virtio virtio-zc vmxnet3 virtio-plain virtio-fixed nodes node-bare igb}
cache=${PCAP_AFXDP_CACHE:-$build}/vm
logs=$build/tests/vm

[ "$(uname -m)" = x86_64 ] || skip_all "virtual machines: for x86_64 only"
need busybox apt-get dpkg xz objcopy tcpdump ip
need_library
need_testprog trafgen pcapread capcheck
mkdir -p "$cache" "$logs"

# download WHAT COMMAND...: which does nothing where it was done before.
download()
{
	what=$1
	shift
	"$@" > "$logs/download.log" 2>&1 && return
	bad "download of $what, into $cache"
	tail -n 5 "$logs/download.log"
	return 1
}

# start_machine LOG NIC TESTS [VARIABLE]: init finds the latter two in its environment. One thread for
# both CPUs: QEMU's threads run instructions that the other CPU has just replaced, and the kernel, which
# patches itself where packet sockets come and go, oopses by an int3 that is gone
# (multipath-tcp/mptcp_net-next#471).
start_machine()
{
	qemu=$(program qemu-system-x86_64)
	firmware=''
	[ ! -d "$programs/usr/share/qemu" ] || firmware="-L $programs/usr/share/qemu -L $programs/usr/share/seabios"
	# shellcheck disable=SC2086,SC2046 # words
	start nice -n 10 $(within_namespace "$2") env \
		LD_LIBRARY_PATH="$programs/usr/lib/x86_64-linux-gnu:$programs/lib/x86_64-linux-gnu" "$qemu" $firmware \
		-M q35 -accel tcg,thread=single -cpu max -smp 2 -m 2048 -nodefaults -no-user-config -display none \
		-serial "file:$1" -no-reboot -kernel "$(find "$kernel" -name 'vmlinuz*' -type f)" -initrd "$scratch/initrd" \
		-append "console=ttyS0 quiet no_timer_check panic=-1 oops=panic net.ifnames=0 apparmor=1 security=apparmor vm_tests=$3 ${4:-}" \
		$(nodes "$2") $(cards "$2")
}

# prepare SUITE NIC: kernel, QEMU and image for it.
prepare()
{
	case $2 in
	igb)
		download "a newer QEMU" fetch_newer_qemu || return 1
		download "the kernel of $1 with all drivers" fetch_kernel "$1" amd64 || return 1
		;;
	*)
		download "QEMU and AppArmor's parser" fetch_programs || return 1
		# shellcheck disable=SC2086 # none, or one
		download "the kernel of $1" fetch_kernel "$1" ${VM_FLAVOUR:-} || return 1
		;;
	esac
	case " $all_tests " in
	*' vm/upstream.sh '*) download "xdp-tools' tests" fetch_their_tests ;;
	esac
	[ "$image_for" = "$kernel" ] || make_image || {
		bad "no image for $1"
		return 1
	}
	image_for=$kernel
	! with_taps "$2" || [ -n "$taps" ] || tap_pair || bad "no taps"
}

# with_stamps TESTS: igb stamps frames of PTP, and has zero-copy.
with_stamps()
{
	for more in vm/stamps.sh vm/once.sh; do
		case " $1 " in
		*" $more "*) ;;
		*) set -- "$1 $more" ;;
		esac
	done
	echo "$1"
}

# run_machine SUITE NIC TESTS [VARIABLE]
run_machine()
{
	log=$logs/$1-$2.log
	echo "Linux $(cat "$kernel/release"), of Debian $1, $2: all it says is in $log"
	rm -f "$scratch"/nic?
	start_machine "$log" "$2" "$(echo "$3" | tr -s ' \n\t' ,)" "${4:-}"
	ended "$pid" $((${VM_MINUTES:-30} * 60)) || bad "the machine ends: $(head -n 3 "$err")"
	judge "$log" "$3"
	machine_is "$1-$2" "$(cat "$kernel/release")" "$2"
}

# By make check-cross, in a fresh Debian.
run_arm64()
{
	echo "arm64, cross-built: all it says is in $logs/arm64.log"
	before="$passed $failed $skipped"
	MACHINE=arm64 sh "$top/tests/machines/cross.sh" > "$logs/arm64.log" 2>&1
	sed '$d' "$logs/arm64.log" | grep -E '^(FAILED|skipped|able: |arm64|    |== |[0-9]+ passed, )'
	counts=$(tail -n 1 "$logs/arm64.log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
	# shellcheck disable=SC2086 # three numbers
	[ -z "$counts" ] || set_counts $counts
	[ "$before" != "$passed $failed $skipped" ] || bad "arm64: it did not come to its end: $logs/arm64.log"
	machine_is arm64 "$(sed -n 's/^arm64: Linux \([^ ,]*\).*/\1/p' "$logs/arm64.log" | head -n 1)" none
}

taps='' image_for=''
echo "Some 50 MB for each kernel that is not yet in $cache, from $mirror"
for suite in $suites; do
	[ "$suite" != arm64 ] || {
		run_arm64
		continue
	}
	tests=$all_tests variable=''
	for nic in $nics; do
		prepare "$suite" "$nic" || continue
		case $(cat "$kernel/release") in
		5.*) # too old, which has to be said
			run_machine "$suite" "$nic" vm/veth.sh
			break
			;;
		esac
		[ "$nic" != igb ] || tests=$(with_stamps "$tests")
		case $nic in
		virtio-plain) tests=vm/blind.sh ;;
		virtio-fixed) tests=vm/fixed.sh ;;
		nodes | node-bare) tests=vm/nodes.sh ;;
		esac
		run_machine "$suite" "$nic" "$tests" "$variable"
		tests=${VM_CARD_TESTS:-vm/divert.sh} variable=pairs=cards
	done
done
write_table > "$logs/table.md"
cat "$logs/table.md"
finish
