# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of lib.sh, which comes first
# What was built for arm64, on Debian's kernel for it, in a virtual machine: all of it is of Debian 12. Read by
# machines/build_for.sh, in the fresh system where it was built. It shows that the programs work there, and that the
# kernel's verifier and compiler for arm64 accept ours. It shows nothing of the order of stores: QEMU on x86_64 keeps
# them in the order of x86_64.

# shellcheck source-path=SCRIPTDIR source=image.sh
. "$(dirname "$0")/../vm/image.sh"
# shellcheck source-path=SCRIPTDIR source=judge.sh
. "$(dirname "$0")/../vm/judge.sh"
arm64_tests="demo.sh vm/veth.sh vm/abilities.sh pcap/smoke.sh hooks/killed.sh filter/differ filter/verify"
arm64_minutes=30
OBJCOPY=aarch64-linux-gnu-objcopy
# Programs of the tests, and libraries of ours.
arm64_packages='bpftool busybox-static coreutils dash dnsmasq-base ethtool grep iproute2 iputils-ping libc-bin libcmocka0
	libdbus-1-3 libmnl0 libseccomp2 libxdp1 libzstd1 mawk procps sed tcpdump tshark util-linux linux-image-cloud-arm64'

# arm64_apt COMMAND...: an apt to which nothing is installed, of a machine of that kind.
arm64_apt()
{
	apt-get -q -o Dir::State="$scratch/apt" -o Dir::State::status=/dev/null -o Dir::Cache="$scratch/apt" \
		-o APT::Sandbox::User= -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Acquire::Retries=3 "$@"
}

# What is unpacked works where nothing is set up.
# shellcheck disable=SC2086 # lists
unpack_arm64()
{
	mkdir -p "$scratch/apt/lists/partial" "$scratch/apt/archives/partial" "$image" &&
		arm64_apt update && arm64_apt -y -d --no-install-recommends install $arm64_packages || return 1
	for package in "$scratch"/apt/archives/*.deb; do
		dpkg -x "$package" "$image" || return 1
	done
	rm -rf "$scratch/apt"
	kernel=$scratch/kernel
	mkdir "$kernel"
	mv "$image"/boot/vmlinuz* "$kernel/vmlinuz"
	mv "$image/lib/modules" "$kernel/modules"
	rm -rf "${image:?}/boot" "$image/usr/share/doc" "$image/usr/share/locale"
}

# shellcheck disable=SC2086 # a list
make_arm64_image()
{
	image=$scratch/image
	more_built=$(for test in $arm64_tests; do
		[ "${test%.sh}" != "$test" ] || echo "tests/$test"
	done)
	unpack_arm64 || return 1
	mkdir -p "$image/proc" "$image/sys" "$image/dev" "$image/run" "$image/tmp" "$image/root" "$image/modules" \
		"$image/var" "$image/etc"
	ln -s ../run "$image/var/run"
	for applet in $(busybox --list); do
		[ -e "$image/usr/bin/$applet" ] || [ -e "$image/bin/$applet" ] || [ -e "$image/sbin/$applet" ] ||
			[ -e "$image/usr/sbin/$applet" ] || ln -s /bin/busybox "$image/usr/bin/$applet"
	done
	make -s -C "$build" tests/vm/verdicts.bpf.o tests/hooks/fake_driver.so || return 1
	put_build || return 1
	put_users
	put_module $modules
	pack
}

# boot_arm64 LOG
boot_arm64()
{
	start qemu-system-aarch64 -M virt -cpu neoverse-n1 -accel tcg -smp 2 -m 2048 -nodefaults -no-user-config \
		-display none -serial "file:$1" -no-reboot -kernel "$kernel/vmlinuz" -initrd "$scratch/initrd" \
		-append "console=ttyAMA0 quiet panic=-1 oops=panic net.ifnames=0 CHECK_SIZE=$CHECK_SIZE vm_tests=$(echo "$arm64_tests" | tr -s ' \n\t' ,)"
}

run_arm64_machine()
{
	log=$scratch/arm64.log
	make_arm64_image > "$scratch/made" 2>&1 || {
		bad "$what: no image for the virtual machine"
		tail -n 5 "$scratch/made"
		return
	}
	echo "$what: Linux $(ls "$kernel/modules"), QEMU's neoverse-n1, at most $arm64_minutes minutes"
	boot_arm64 "$log"
	ended "$pid" $((arm64_minutes * 60)) || bad "$what: the machine ends within $arm64_minutes minutes: $(head -n 3 "$err")"
	judge "$log" "$arm64_tests"
}
