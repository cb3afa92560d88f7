#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# make install puts libpcap where programs find it, make uninstall takes it away, and nobody else's libpcap is
# touched.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

[ -f "$build/libpcap-build/libpcap.so" ] || skip_all "nothing is built in $build"

# staged TARGET: as by make TARGET, of libpcap's folder.
staged()
{
	make -s -C "$build" "$1" DESTDIR="$scratch/root" prefix=/usr libdir=/usr/lib extcapdir= completionsdir= apparmordir=
}

# The names libpcap has, and its file.
libpcaps()
{
	find "$libdir" -name 'libpcap*' | wc -l
}

libdir=$scratch/root/usr/lib
check "installs below DESTDIR" staged install
check "the library is found by its name" test -f "$libdir/libpcap.so.0.8"
# loads NAME: dlopen() by that name gets ours. Without the environment of a library with sanitizers.
loads()
{
	LD_LIBRARY_PATH=$libdir python3 - "$1" "$libdir/libpcap-afxdp.so." <<-END
		import ctypes, sys
		ctypes.CDLL(sys.argv[1])
		sys.exit(sys.argv[2] not in open("/proc/self/maps").read())
	END
}

if ! command -v python3 > /dev/null; then
	skip "dlopen: no python3"
elif grep -q __asan_init "$libdir/libpcap.so.0.8"; then
	skip "dlopen: of a library with sanitizers"
else
	for link in libpcap.so.0.8 libpcap.so libpcap.so.1; do
		check "dlopen finds it as $link" loads $link
	done
	echo 'const char *pcap_lib_version(void); int main(void) { return !pcap_lib_version(); }' > "$scratch/linked.c"
	check "-lpcap takes it" $cc -o "$scratch/linked" "$scratch/linked.c" -L "$libdir" -lpcap
	check "what is linked with it runs with the distribution's" env -u LD_LIBRARY_PATH "$scratch/linked"
	check "... as it asks for that name" sh -c "objdump -p '$scratch/linked' | grep -q 'NEEDED *$(readlink "$build/libpcap-build/libpcap.so")\$'"
fi
check "two files and three links, no more" test "$(libpcaps)" -eq 5
check "installs again over itself" staged install
check "uninstalls" staged uninstall
check "leaves nothing" test ! -e "$scratch/root/usr"
check "uninstalls what is not there" staged uninstall

mkdir -p "$libdir"
echo "somebody else's" > "$libdir/libpcap.so.1.10.9"
ln -s libpcap.so.1.10.9 "$libdir/libpcap.so.0.8"
cp -Rp "$libdir" "$scratch/before"
check "another libpcap in the directory is a reason to refuse" fails staged install
check "uninstall does not mind it" staged uninstall
check "it was not touched" diff -r --no-dereference "$scratch/before" "$libdir"

# As upstream installs: its SONAME is another, so both have room.
rm "$libdir/libpcap.so.0.8"
ln -s libpcap.so.1.10.9 "$libdir/libpcap.so.1"
ln -s libpcap.so.1 "$libdir/libpcap.so"
rm -rf "$scratch/before"
cp -Rp "$libdir" "$scratch/before"
staged install > "$scratch/said"
check "beside upstream's: installs" test -f "$libdir/libpcap.so.0.8"
for link in libpcap.so libpcap.so.1; do
	check "beside upstream's: $link stays, and that is said" grep -q "/$link is somebody else's, and stays" "$scratch/said"
done
check "beside upstream's: nothing else of its SONAME" test ! -e "$libdir/libpcap-afxdp-alias.so"
check "beside upstream's: uninstalls" staged uninstall
check "beside upstream's: it was not touched" diff -r --no-dereference "$scratch/before" "$libdir"

# In a mount namespace of its own, with an /etc and a /usr/local to throw away.
cat > "$scratch/inside" <<EOI
set -e
PATH=\$PATH:/sbin:/usr/sbin
mount --make-rprivate /
# ldconfig removes links of the system that lead nowhere.
mount --bind /usr /usr
mount -o remount,bind,ro /usr
mount -t tmpfs tmpfs "$scratch/over"
mkdir "$scratch/over/upper" "$scratch/over/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$scratch/over/upper,workdir=$scratch/over/work" /etc
mount -t tmpfs tmpfs /usr/local
mkdir /usr/local/lib
mount -t tmpfs tmpfs /var/cache/ldconfig
options="prefix=/usr/local libdir=/usr/local/lib extcapdir= completionsdir= apparmordir=/etc/apparmor.d"
loaded() { ldconfig -p | awk -v name="\$1" '\$1 == name { print \$NF; exit }'; }
ldconfig
before=\$(loaded libpcap.so.0.8)
make -s -C "$build" install \$options > /usr/local/said
grep -q '^programs now load /usr/local/lib/libpcap\.so\.' /usr/local/said
rm /usr/local/said
for name in libpcap.so.0.8 libpcap.so libpcap.so.1; do
	test "\$(loaded \$name)" = /usr/local/lib/\$name
done
make -s -C "$build" uninstall \$options
test "\$(loaded libpcap.so.0.8)" = "\$before"
test -z "\$(find /usr/local ! -type d)"

# Where the linker does not look.
options="prefix=/usr/local/away libdir=/usr/local/away/lib extcapdir= completionsdir= apparmordir=/etc/apparmor.d"
make -s -C "$build" install \$options > /usr/local/said
grep -q "^note: programs still load \${before:-no libpcap}.*before /usr/local/away/lib" /usr/local/said
make -s -C "$build" uninstall \$options
EOI
mkdir "$scratch/over"
if [ "$(id -u)" -ne 0 ]; then
	skip "the loader prefers /usr/local/lib: needs root, for mounts"
elif [ ! -f /etc/ld.so.conf.d/libc.conf ] || [ "$(uname -m)" != x86_64 ]; then
	skip "the loader prefers /usr/local/lib: here it may not"
elif ! unshare -m mount -t tmpfs tmpfs "$scratch/over" 2> /dev/null; then
	skip "the loader prefers /usr/local/lib: no mounts allowed here"
else
	check "the loader prefers /usr/local/lib, and what was before returns" unshare -m sh "$scratch/inside"
fi
finish
