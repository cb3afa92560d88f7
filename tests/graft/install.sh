#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What install puts there, uninstall takes away, and nobody else's libpcap is touched.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

[ -f "$build/libpcap-build/libpcap.so" ] || { echo "skipped: nothing is built in $build"; exit 77; }

staged()
{
	DESTDIR=$scratch/root sh "$graft/install" "$@"
}

libdir=$scratch/root/usr/lib
check "installs below DESTDIR" staged "$build/libpcap-build" /usr/lib
check "the library is found by its name" test -f "$libdir/libpcap.so.0.8"
check "two files, no more" test "$(find "$libdir" ! -type d | wc -l)" -eq 2
check "installs again over itself" staged "$build/libpcap-build" /usr/lib
touch "$libdir/libpcap-afxdp.so.1.0.0"
staged "$build/libpcap-build" /usr/lib > "$scratch/said"
check "an older one of ours goes" test ! -e "$libdir/libpcap-afxdp.so.1.0.0"
check "uninstalls" staged --uninstall /usr/lib
check "leaves nothing" test -z "$(find "$libdir" ! -type d)"
check "uninstalls what is not there" staged --uninstall /usr/lib

echo "somebody else's" > "$libdir/libpcap.so.1.10.9"
ln -s libpcap.so.1.10.9 "$libdir/libpcap.so.0.8"
cp -Rp "$libdir" "$scratch/before"
check "another libpcap in the directory is a reason to refuse" fails staged "$build/libpcap-build" /usr/lib
check "uninstall does not mind it" staged --uninstall /usr/lib
check "it was not touched" diff -r --no-dereference "$scratch/before" "$libdir"

# In a mount namespace of its own, with an /etc and a /usr/local to throw away.
cat > "$scratch/inside" <<EOI
set -e
PATH=\$PATH:/sbin:/usr/sbin
mount --make-rprivate /
mount -t tmpfs tmpfs "$scratch/over"
mkdir "$scratch/over/upper" "$scratch/over/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$scratch/over/upper,workdir=$scratch/over/work" /etc
mount -t tmpfs tmpfs /usr/local/lib
mount -t tmpfs tmpfs /var/cache/ldconfig
loaded() { ldconfig -p | awk '\$1 == "libpcap.so.0.8" { print \$NF; exit }'; }
ldconfig
before=\$(loaded)
sh "$graft/install" "$build/libpcap-build" /usr/local/lib
test "\$(loaded)" = /usr/local/lib/libpcap.so.0.8
sh "$graft/install" --uninstall /usr/local/lib
test "\$(loaded)" = "\$before"
test -z "\$(find /usr/local/lib ! -type d)"
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
