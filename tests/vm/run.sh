#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make check-vm: what was built, on other kernels, each in a virtual machine without acceleration.
# Downloads Debian's kernels, and what is missing to run them, into the build directory.
# VM_KERNELS: suites of Debian; VM_TESTS: below tests/; VM_MINUTES: for one machine.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/vm/fetch.sh
. "$(dirname "$0")/fetch.sh"
# shellcheck source=tests/vm/image.sh
. "$(dirname "$0")/image.sh"
suites=${VM_KERNELS:-bullseye-security bookworm-security trixie-security trixie-backports}
all_tests=${VM_TESTS:-vm/veth.sh vm/nic.sh vm/programs.sh hooks/combined.sh hooks/devices.sh hooks/tags.sh
	vm/join.sh vm/apparmor.sh}
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

# Two interfaces of the machine are joined to each other, and to nothing else. One thread for both CPUs:
# QEMU's threads run instructions that the other CPU has just replaced, and the kernel, which patches
# itself where packet sockets come and go, oopses by an int3 that is gone (multipath-tcp/mptcp_net-next#471).
start_machine()
{
	qemu=$(program qemu-system-x86_64)
	firmware=''
	[ ! -d "$programs/usr/share/qemu" ] || firmware="-L $programs/usr/share/qemu -L $programs/usr/share/seabios"
	log=$1
	set -- # arguments
	for near in 0 1; do
		set -- "$@" -netdev "dgram,id=n$near,local.type=unix,local.path=$scratch/nic$near,remote.type=unix,remote.path=$scratch/nic$((1 - near))" \
			-device "virtio-net-pci,netdev=n$near,mac=02:00:00:00:01:0$near,romfile="
	done
	# shellcheck disable=SC2086 # words
	start nice -n 10 env \
		LD_LIBRARY_PATH="$programs/usr/lib/x86_64-linux-gnu:$programs/lib/x86_64-linux-gnu" "$qemu" $firmware \
		-M q35 -accel tcg,thread=single -cpu max -smp 2 -m 2048 -nodefaults -no-user-config -display none \
		-serial "file:$log" -no-reboot -kernel "$(find "$kernel" -name 'vmlinuz*' -type f)" -initrd "$scratch/initrd" \
		-append "console=ttyS0 quiet panic=-1 oops=panic net.ifnames=0 apparmor=1 security=apparmor" "$@"
}

# judge LOG: counts what its tests counted, tells what failed and why others were skipped.
judge()
{
	log=$1
	tr -d '\r' < "$log" > "$scratch/log"
	grep -E '^(== |FAILED|skipped|    |[0-9]+ passed, )' "$scratch/log" | grep -v '^== end'
	for kind in passed failed skipped; do
		number=$(sed -n "s/^[0-9]* passed, .*/, &,/;s/.*, \\([0-9]*\\) $kind,.*/\\1/p" "$scratch/log" |
			awk '{ n += $1 } END { print n + 0 }')
		eval "$kind=\$(($kind + number))"
	done
	grep -q '^== end' "$scratch/log" || {
		bad "it did not come to its end: $log"
		tail -n 20 "$scratch/log"
	}
}

echo "Some 50 MB for each kernel that is not yet in $cache, from $mirror"
download "QEMU and AppArmor's parser" fetch_programs || finish
for suite in $suites; do
	download "the kernel of $suite" fetch_kernel "$suite" || continue
	tests=$all_tests
	case $(cat "$kernel/release") in
	5.*) tests=vm/veth.sh ;; # too old, which has to be said
	esac
	make_image || {
		bad "no image for $suite"
		continue
	}
	echo "Linux $(cat "$kernel/release"), of Debian $suite: all it says is in $logs/$suite.log"
	start_machine "$logs/$suite.log"
	ended "$pid" $((${VM_MINUTES:-30} * 60)) || bad "the machine ends: $(head -n 3 "$err")"
	judge "$logs/$suite.log"
done
finish
