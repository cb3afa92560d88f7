#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a fresh Debian: what debian/control names is enough to build the packages, and lintian has no complaint.
# The packages are then in /mnt. In the long form they are built a second time, the same byte for byte, and RPMs as
# well, of the same files. Run by deb.sh.

# shellcheck source-path=SCRIPTDIR source=../chroot/fresh.sh
. "$(dirname "$0")/../chroot/fresh.sh"
output=build/deb
DEB_BUILD_OPTIONS="parallel=$(nproc) nocheck noautodbgsym"
export DEB_BUILD_OPTIONS

has_build_dependencies()
{
	update && apt build-dep . && apt install lintian
}

# Before make deb there is no more than a makefile.
configures()
{
	given=''
	[ ! -d "$made/libpcap" ] || given=--with-libpcap-source=$made/libpcap
	autoreconf -fi && mkdir -p build && (cd build && ../configure $given)
}

builds()
{
	make -C build deb DEB_OPTIONS=-F
}

# Errors and warnings; what is overridden is explained in debian/*.lintian-overrides. A tag that another release's lintian
# does not know any more is none.
has_no_complaint()
{
	lintian --allow-root --profile debian --fail-on error,warning --suppress-tags alien-tag --tag-display-limit 0 "$output"/*.changes
}

names()
{
	for deb in "$output"/*.deb; do
		deb=${deb##*/}
		echo "${deb%%_*}"
	done | sort | tr '\n' ' '
}

# --- once more ---

# By the source package alone, in another folder and another time zone.
builds_again()
{
	again=$scratch/another/folder
	mkdir -p "$again" && dpkg-source -x "$output"/*.dsc "$again/source" &&
		(cd "$again/source" && TZ=UTC+9 dpkg-buildpackage -us -uc -b)
}

same_again()
{
	for deb in "$output"/*.deb; do
		cmp "$deb" "$again/${deb##*/}" || return
	done
}

# For patched.sh.
hands_patch_on()
{
	make -C build libpcap.patch && cp build/libpcap.patch "$output"/*.orig-libpcap.tar.xz "$made"
}

# --- RPMs ---

rpms=$build/build/rpm

builds_rpms()
{
	apt install rpm rpmlint || return
	mkdir -p "$rpms/SOURCES"
	for tarball in "$output"/*.orig.tar.gz; do
		name=${tarball##*/} && name=${name%.orig.tar.gz}
		cp "$tarball" "$rpms/SOURCES/pcap-afxdp-${name#*_}.tar.gz" || return
	done
	cp "$output"/*.orig-libpcap.tar.xz "$rpms/SOURCES/libpcap.tar.xz" || return
	rpmbuild -bb --nodeps --define "_topdir $rpms" --define 'debug_package %{nil}' packaging/pcap-afxdp.spec
}

# Older ones do not ask for all that newer ones do.
rpmlint_has_no_error()
{
	rpmlint -r packaging/pcap-afxdp.rpmlintrc packaging/pcap-afxdp.spec > "$scratch/rpmlint"
	grep '^ *[0-9]* packages and 1 spec' "$scratch/rpmlint" &&
		! sed '/unused-rpmlintrc-filter/d' "$scratch/rpmlint" | grep -e ' E: ' -e ' W: '
}

# "PACKAGE PATH" a line, but for what each system keeps on its own: documents, licences, folders.
files_of_debs()
{
	for deb in "$output"/*.deb; do
		dpkg-deb -c "$deb" | sed -n "/^d/d; s|^.* \./\([^ ]*\).*|$(dpkg-deb -f "$deb" Package) /\1|p"
	done | sed "s| /usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/| LIBDIR/|; s/-dev /-devel /"
}

files_of_rpms()
{
	for rpm in "$rpms"/RPMS/*/*.rpm; do
		rpm -qp --qf '[%{=NAME} %{FILEMODES:perms} %{FILENAMES}\n]' "$rpm"
	done | sed "/^[^ ]* d/d; s|^\([^ ]*\) [^ ]* |\1 |; s| $(rpm --eval %_libdir)/| LIBDIR/|"
}

without_documents()
{
	sed 's/\.gz$//' | grep -v -e ' /usr/share/\(doc\|licenses\|lintian\)/' -e '/\.build-id/' | sort
}

same_files()
{
	files_of_debs | without_documents > "$scratch/debs"
	files_of_rpms | without_documents > "$scratch/rpms"
	[ -s "$scratch/debs" ] && diff "$scratch/debs" "$scratch/rpms"
}

has_to "what debian/control names can be installed" has_build_dependencies
has_to "configures" configures
has_to "make deb" builds
equal "the packages" "afxdpdump libafxdpcapture-dev libafxdpcapture0 pcap-afxdp pcap-afxdp-loader pcapng-kafka " "$(names)"
cp "$output"/*.deb "$made" || exit 1
check "lintian has no complaint" has_no_complaint
if [ "$CHECK_SIZE" = long ]; then
	has_to "the source package builds elsewhere" builds_again
	check "its packages are the same, byte for byte" same_again
	check "the patch for libpcap" hands_patch_on
	has_to "rpmbuild" builds_rpms
	check "rpmlint has no complaint" rpmlint_has_no_error
	check "the RPMs have the files of the Debian packages" same_files
fi
finish
