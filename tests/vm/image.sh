# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of who reads it
# The file system a virtual machine starts with: this system's programs and libraries, what was built,
# the tests, and some modules of its kernel.

# Of the kernel's networking, what the tests make interfaces of.
modules='veth 8021q bonding ipvlan macvlan bridge tun ifb vxlan dummy virtio_pci virtio_net sch_ingress cls_bpf
	sch_clsact cls_u32 act_mirred xsk_diag vmxnet3 igb'
# For vm/links.sh, which loads them by itself: they put interfaces into every network namespace.
late_modules='vrf team team_mode_roundrobin macvtap geneve ip_gre ip6_gre ipip sit ip6_tunnel ip_vti ip6_vti esp4 esp6 xfrm_user
	xfrm_interface crypto_null authenc macsec gcm ctr ghash_generic nlmon wireguard hsr vcan ppp_async'
# busybox has the rest.
system_programs='sh env awk grep sed timeout tcpdump ip tc ping ethtool bpftool ldconfig xdp-loader ss wg'

# put FILE...: at the same place, with the libraries it needs.
put()
{
	for file; do
		[ ! -e "$image$file" ] || continue
		mkdir -p "$image$(dirname "$file")"
		cp -L "$file" "$image$file" || return 1
		ldd "$file" 2> /dev/null | sed -n 's,[^/]*\(/[^ ]*\) (0x.*,\1,p'
	done | sort -u | while read -r needed; do
		[ -e "$image$needed" ] || {
			mkdir -p "$image$(dirname "$needed")"
			cp -L "$needed" "$image$needed"
		}
	done
}

# needed_by MODULE: other modules.
needed_by()
{
	# Not to /dev/stdout: LLVM's makes a file of it.
	"${OBJCOPY:-objcopy}" -O binary --only-section=.modinfo "$image/modules/$1.ko" "$scratch/modinfo"
	tr '\0,' '\n\n' < "$scratch/modinfo" | sed -n '/^depends=/,/=/{s/^depends=//;/=/d;/./p;}'
}

# put_module NAME...: in the order of loading. What is not there is built in, or nobody has it.
# shellcheck disable=SC2046 # names
put_module()
{
	while [ $# -gt 0 ]; do
		file=$(find "$kernel" -name "$(echo "$1" | sed 's/[-_]/[-_]/g').ko*" | head -n 1)
		[ -z "$file" ] || [ -e "$image/modules/$1.ko" ] || {
			case $file in
			*.xz) xz -dc "$file" ;;
			*) cat "$file" ;;
			esac > "$image/modules/$1.ko"
			put_module $(needed_by "$1")
			echo "$1" >> "$image/modules/${order:-order}"
		}
		shift
	done
}

# What the build has.
put_build()
{
	mkdir -p "$image/build" "$image/src"
	cp -R "$top/tests" "$image/src/" || return 1
	for file in pcap-afxdp-loader libpcap-build/libpcap.so.0.8 libpcap-build/libafxdpcapture.so.0 xdpdump/xdpdump testprogs/trafgen testprogs/vlanpush \
		testprogs/capcheck testprogs/l2fwd testprogs/pcapread tests/hooks/combined tests/hooks/compiled tests/hooks/foreign \
		tests/hooks/tun tests/capture/socket_test tests/pcap/any_test tests/pcap/own_frames tests/pcap/stream tests/vm/raw tests/vm/ppp tests/who/closes_test tests/who/contained_test tests/who/holders_test tests/who/storm tests/hooks/fake_driver.so \
		tests/vm/verdicts.bpf.o ${more_built:-}; do
		put "$build/$file" || return 1
		mkdir -p "$image/build/$(dirname "$file")"
		mv "$image$build/$file" "$image/build/$file"
	done
	[ -z "${VM_PTCPDUMP:-}" ] || install -m 755 "$VM_PTCPDUMP" "$image/build/ptcpdump" || return 1
	make -s -C "$build" tests/hooks/foreign.bpf.o > "$scratch/install" 2>&1 &&
		cp "$build/tests/hooks/foreign.bpf.o" "$image/build/tests/hooks/"
}

# For vm/apparmor.sh: rules of AppArmor, and what `make install` puts on a system.
put_installed()
{
	mkdir -p "$image/installed/etc"
	for file in /etc/apparmor /etc/apparmor.d /usr/share/apparmor-features; do
		mkdir -p "$image$(dirname $file)"
		for from in "$programs$file" "$file"; do
			[ ! -d "$from" ] || cp -R "$from" "$image$(dirname $file)"
		done
	done
	mkdir -p "$image/installed/etc/apparmor.d"
	make -s -C "$build" install DESTDIR="$image/installed" > "$scratch/install" 2>&1
}

# Who the tests become.
put_users()
{
	echo 'root:x:0:0::/root:/bin/sh
tcpdump:x:102:102::/:/bin/sh
nobody:x:65534:65534::/:/bin/sh' > "$image/etc/passwd"
	echo 'root:x:0:
tcpdump:x:102:
nogroup:x:65534:' > "$image/etc/group"
}

# pack: $scratch/initrd, of $image.
pack()
{
	install -m 755 "$top/tests/vm/init" "$image/init" || return 1
	(cd "$image" && find . | busybox cpio -o -H newc -R 0:0 2> /dev/null | gzip -1) > "$scratch/initrd"
}

# For vm/join.sh, where there is libxdp: its dispatcher, and xdpdump of xdp-tools under another name.
put_libxdp()
{
	[ -z "${VM_LIBXDP:-}" ] || return 0
	for file in /usr/lib/*/bpf/xdp-dispatcher.o /usr/lib/*/bpf/xdpdump_bpf.o; do
		[ ! -e "$file" ] || put "$file"
	done
	[ ! -x /usr/sbin/xdpdump ] || {
		put /usr/sbin/xdpdump
		mv "$image/usr/sbin/xdpdump" "$image/usr/sbin/xdpdump-theirs"
	}
}

# put_newer_libxdp: of VM_LIBXDP, the tree of a newer Debian: libxdp, its dispatcher and xdp-loader, with the libraries
# that they need. All else runs with these libraries too. Before the system's, which then are not put.
put_newer_libxdp()
{
	[ "${VM_LIBXDP:-}" ] || return 0
	mkdir -p "$image/usr/lib/x86_64-linux-gnu/bpf"
	cp "$VM_LIBXDP"/usr/lib/x86_64-linux-gnu/bpf/xdp*.o "$image/usr/lib/x86_64-linux-gnu/bpf/" &&
		cp "$VM_LIBXDP/usr/sbin/xdp-loader" "$image/usr/sbin/" &&
		cp "$VM_LIBXDP/usr/sbin/xdpdump" "$image/usr/sbin/xdpdump-theirs" || return 1
	for library in $(for program in xdp-loader xdpdump; do
		chroot "$VM_LIBXDP" /lib64/ld-linux-x86-64.so.2 --list "/usr/sbin/$program"
	done | sed -n 's,[^/]*\(/[^ ]*\) (0x.*,\1,p' | sort -u) \
		/usr/lib/x86_64-linux-gnu/libxdp.so.1 /usr/lib/x86_64-linux-gnu/libm.so.6 /usr/lib/x86_64-linux-gnu/libresolv.so.2 \
		/usr/lib/x86_64-linux-gnu/libpthread.so.0 /usr/lib/x86_64-linux-gnu/librt.so.1 /usr/lib/x86_64-linux-gnu/libdl.so.2; do
		cp -L "$VM_LIBXDP$library" "$image$library" || return 1
	done
}

# put_objects: for vm/objects.sh, what each compiler of VM_CLANGS makes of the capture programs.
# shellcheck disable=SC2086,SC2046 # words
put_objects()
{
	[ "${VM_CLANGS:-}" ] || return 0
	mkdir -p "$image/build/objects"
	cp "$build/bpf/capture.bpf.o" "$image/build/objects/own" || return 1
	for compiler in $VM_CLANGS; do
		"$compiler" $(sed -n 's/^BPF_CFLAGS = //p' "$build/Makefile") -I"$top" -I"$top/bpf" -c "$top/bpf/capture.bpf.c" \
			-o "$image/build/objects/$(basename "$compiler")" 2> "$scratch/compiled" || {
			bad "$compiler compiles the capture programs"
			show "$scratch/compiled"
		}
	done
}

# For vm/upstream.sh: the tests of xdp-tools (package xdp-tests), a newer release of them, and what they run.
# Wireshark's library is 100 MB, so only where they are asked for.
# shellcheck disable=SC2046 # names
put_their_tests()
{
	case " $all_tests " in
	*' vm/upstream.sh '*) ;;
	*) return 0 ;;
	esac
	[ -x /usr/libexec/xdp-tools/test_runner.sh ] || return 0
	put $(for name in bash ping6 tshark capinfos mktemp sysctl setsid sort uname unshare dmesg mount true; do
		command -v $name | grep ^/ || echo /bin/$name
	done) || return 1
	mkdir -p "$image/usr/libexec"
	cp -R /usr/libexec/xdp-tools "$image/usr/libexec/"
	put /usr/libexec/xdp-tools/test-tool
	dpkg-query -W -f '${Version}' xdp-tests > "$image/usr/libexec/xdp-tools/version"
	[ ! -e "$cache/their-tests/done" ] || cp -R "$cache/their-tests" "$image/"
}

# make_image: $image, of which $scratch/initrd is made.
# shellcheck disable=SC2086,SC2046 # lists
make_image()
{
	image=$scratch/image
	rm -rf "$image"
	mkdir -p "$image/usr/bin" "$image/usr/sbin" "$image/usr/lib" "$image/usr/lib64" "$image/etc" "$image/proc" \
		"$image/sys" "$image/dev" "$image/run" "$image/tmp" "$image/root" "$image/modules" "$image/var" || return 1
	for link in bin sbin lib lib64; do
		ln -s usr/$link "$image/$link"
	done
	ln -s ../run "$image/var/run"
	put_newer_libxdp || return 1
	# glibc opens libgcc_s by itself, to end threads.
	put $(for name in $system_programs; do command -v $name; done) /bin/busybox \
		"$(ldconfig -p | sed -n 's,.*libgcc_s.so.1 (.*x86-64) => ,,p' | head -n 1)" || return 1
	put_their_tests || return 1
	for applet in $(busybox --list); do
		[ -e "$image/usr/bin/$applet" ] || [ -e "$image/usr/sbin/$applet" ] ||
			ln -s busybox "$image/usr/bin/$applet"
	done
	[ -z "$(program apparmor_parser)" ] || {
		cp "$(program apparmor_parser)" "$image/usr/sbin/apparmor_parser"
		put $(ldd "$(program apparmor_parser)" | sed -n 's,[^/]*\(/[^ ]*\) (0x.*,\1,p')
	}
	put_libxdp
	# And Wireshark's library, where it was built with that.
	[ ! -x "$build/tests/xdpdump/files/wiretap" ] || {
		put "$build/tests/xdpdump/files/wiretap" || return 1
		mkdir -p "$image/build/tests/xdpdump/files"
		mv "$image$build/tests/xdpdump/files/wiretap" "$image/build/tests/xdpdump/files/wiretap"
	}
	put_build && put_objects && put_installed || return 1
	put_users
	put_module $modules
	touch "$image/modules/later"
	order=later put_module $late_modules
	pack
}
