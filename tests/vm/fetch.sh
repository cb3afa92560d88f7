# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2016,SC2154 # words for apt; variables of who reads it
# Debian's kernels, and QEMU and AppArmor's parser where they are not installed: downloaded once into
# $cache and unpacked there. Nothing is installed, and apt's own lists stay as they are.
# As apt is set up here; VM_MIRROR=http://... is another.
mirror=${VM_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2> /dev/null |
	sed -n 's,/debian/*$,,p' | head -n 1)}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# suite_apt SUITE COMMAND...: an apt that knows this suite alone. Packages are checked as always.
suite_apt()
{
	dir=$cache/apt/$1 tool=$2
	shift 2
	"$tool" -q -o Dir::Etc::SourceList="$dir/sources.list" -o Dir::Etc::SourceParts=- \
		-o Dir::State="$dir" -o Dir::State::status=/dev/null -o Dir::Cache="$dir" \
		-o APT::Sandbox::User= "$@"
}

# Kernels are in the security archive and in backports, whose lists are short.
suite_source()
{
	case $1 in
	*-security) echo "deb [signed-by=$keyring target=Packages] $mirror/debian-security $1 main" ;;
	*) echo "deb [signed-by=$keyring target=Packages] $mirror/debian $1 main" ;;
	esac
}

depends()
{
	suite_apt "$1" apt-cache depends "$2" | sed -n "s/.*Depends: \\($3[^ ]*\\).*/\\1/p"
}

# kernel_packages SUITE FLAVOUR: of its newest kernel. Of late image, program and modules are packages of
# their own.
kernel_packages()
{
	image=$(depends "$1" "linux-image-$2" 'linux-image-[0-9]' | head -n 1)
	[ -z "$image" ] || echo "$image" "$(depends "$1" "$image" linux-binary-)" \
		"$(depends "$1" "$image" linux-modules-)"
}

# fetch_kernel SUITE [FLAVOUR]: what boots, into $cache/kernel/SUITE. The cloud flavour is a third of the
# size of amd64, and lacks drivers of real cards.
# shellcheck disable=SC2046 # a list of packages
fetch_kernel()
{
	flavour=${2:-cloud-amd64}
	kernel=$cache/kernel/$1${2:+-$2} dir=$cache/apt/$1
	[ ! -e "$kernel/done" ] || return 0
	rm -rf "$kernel" "$dir"
	mkdir -p "$kernel/debs" "$dir/lists/partial" "$dir/archives/partial" || return 1
	suite_source "$1" > "$dir/sources.list"
	suite_apt "$1" apt-get update || return 1
	(cd "$kernel/debs" && suite_apt "$1" apt-get download $(kernel_packages "$1" "$flavour")) || return 1
	for package in "$kernel"/debs/*.deb; do
		dpkg -x "$package" "$kernel" || return 1
	done
	rm -rf "$kernel/debs"
	find "$kernel" -path '*/lib/modules/[0-9]*' -prune -exec basename {} \; > "$kernel/release"
	touch "$kernel/done"
}

# fetch_programs: QEMU and the parser, with what they need beyond what the system has.
fetch_programs()
{
	programs=$cache/programs
	[ ! -e "$programs/done" ] || return 0
	rm -rf "$programs"
	mkdir -p "$programs/debs/partial" || return 1
	apt-get -q -y -d --no-install-recommends -o Debug::NoLocking=1 -o Dir::Cache::archives="$programs/debs" \
		-o APT::Sandbox::User= install qemu-system-x86 apparmor || return 1
	for package in "$programs"/debs/*.deb; do
		[ ! -e "$package" ] || dpkg -x "$package" "$programs" || return 1
	done
	rm -rf "$programs/debs"
	touch "$programs/done"
}

# fetch_newer_qemu: from backports, as a QEMU that knows igb, 8 or later.
fetch_newer_qemu()
{
	programs=$cache/backports dir=$cache/apt/qemu
	codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	[ ! -e "$programs/done" ] || return 0
	rm -rf "$programs" "$dir"
	mkdir -p "$programs" "$dir/lists/partial" "$dir/archives/partial" || return 1
	for from in "$codename" "$codename-backports"; do
		suite_source "$from"
	done > "$dir/sources.list"
	suite_apt qemu apt-get update || return 1
	suite_apt qemu apt-get -y -d --no-install-recommends -o Debug::NoLocking=1 \
		-o Dir::State::status=/var/lib/dpkg/status -t "$codename-backports" install qemu-system-x86 || return 1
	for package in "$dir"/archives/*.deb; do
		dpkg -x "$package" "$programs" || return 1
	done
	rm -rf "$dir"
	touch "$programs/done"
}

# fetch_their_tests: of a newer xdp-tools than Debian 12's, scripts alone. Their programs need newer libraries.
fetch_their_tests()
{
	folder=$cache/their-tests dir=$cache/apt/their-tests
	[ ! -e "$folder/done" ] || return 0
	rm -rf "$folder" "$dir"
	mkdir -p "$folder/tests/xdpdump" "$dir/lists/partial" "$dir/archives/partial" || return 1
	suite_source trixie > "$dir/sources.list"
	suite_apt their-tests apt-get update || return 1
	(cd "$dir" && suite_apt their-tests apt-get download xdp-tests && dpkg -x xdp-tests_*.deb unpacked) || return 1
	for file in test_runner.sh test_config.sh setup-netns-env.sh tests/xdpdump/test-xdpdump.sh; do
		cp "$dir/unpacked/usr/libexec/xdp-tools/$file" "$folder/$file" || return 1
	done
	dpkg-deb -f "$dir"/xdp-tests_*.deb Version > "$folder/version"
	rm -rf "$dir"
	touch "$folder/done"
}

# program NAME: where it is, unpacked or installed.
program()
{
	for place in "$programs/usr/bin" "$programs/sbin" "$programs/usr/sbin"; do
		[ ! -x "$place/$1" ] || {
			echo "$place/$1"
			return
		}
	done
	command -v "$1"
}
