#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# libpcap with the patch that its maintainers could take: without the module nothing is different, with it a
# device xdp: captures, by configure as by cmake; and libpcap's own tests pass as often. In the long form on
# another release, too. PATCH_TREES="DIR..." adds source trees, such as a clone of libpcap's main branch.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source-path=SCRIPTDIR source=other.sh
. "$(dirname "$0")/other.sh"

[ -f "$build/libafxdpcapture.pc" ] || skip_all "nothing is built in $build"
[ -z "$(configured SANITIZE_CFLAGS)" ] || skip_all "of a library with sanitizers"
PKG_CONFIG_PATH=$build
export PKG_CONFIG_PATH
unset MAKEFLAGS MFLAGS MAKELEVEL

# quietly COMMAND...: its output is kept for a failure.
quietly()
{
	"$@" > "$scratch/log" 2>&1 && return
	tail -n 20 "$scratch/log"
	return 1
}

# said_size: of the table in docs/upstream.md, as sizes.awk has it.
said_size()
{
	awk -F '|' '/^\| \| files \| lines \|$/ { on = 1 } on && !/^\|/ { exit } on { gsub(",", "", $4); files += $3; lines += $4 }
		END { print lines, "lines in", files, "files" }' "$top/docs/upstream.md"
}

# In a copy of the patched tree, installed to $2.
by_configure()
{
	(cd "$scratch/tree" && quietly ./configure --prefix="$2" --with-afxdp="$1" --disable-rdma --without-libnl --enable-remote \
		CC="$cc" CFLAGS=-O1 && quietly make -j2 && quietly make -j2 testprogs && quietly make install)
}

by_cmake()
{
	quietly env CC="$cc" cmake -S "$scratch/tree" -B "$scratch/cmake" -DCMAKE_INSTALL_PREFIX="$2" -DWITH_AFXDP="$1" \
		-DCMAKE_INSTALL_LIBDIR=lib -DDISABLE_RDMA=ON -DBUILD_WITH_LIBNL=OFF &&
		quietly cmake --build "$scratch/cmake" -j2 && quietly cmake --build "$scratch/cmake" -j2 --target testprogs &&
		quietly cmake --install "$scratch/cmake"
}

# libpcap's own tests, where the release has any: what they counted, without the times. A second, which is all that
# a test has otherwise, is short on a busy machine.
own_tests()
{
	grep -q '^check:' "$scratch/tree/Makefile.in" || return
	(cd "$1" && TEST_TIMEOUT=60 TESTRUN_JOBS=$(nproc) make check) > "$scratch/check" 2>&1
	sed -n 's/^ *\([0-9]* tests \)/\1/p' "$scratch/check"
}

# built HOW BUILD: "configure" or "cmake", with the module as HOW says.
built()
{
	installed=$scratch/$2-$1 way="$release by $2, $1"
	copy_tree
	check "$way: builds" by_"$2" "$1" "$installed"
	library=$(find "$installed" -name 'libpcap.so.*' -type f)
	check "$way: installs one library" test -f "$library"
	[ -f "$library" ] || return
	nm -D --defined-only "$library" | awk '{ print $NF }' | sort > "$scratch/$1.symbols"
	objdump -p "$library" | sed -n 's/^ *NEEDED *//p' | sort > "$scratch/$1.needed"
	if [ "$2" = configure ]; then own_tests "$scratch/tree"; else own_tests "$scratch/cmake"; fi > "$scratch/$1.tests"
	compare "$1"
	try_device "$1"
	if [ "$2" = configure ]; then
		try_remote "$1"
	fi
}

copy_tree()
{
	rm -rf "$scratch/tree" "$scratch/cmake" "$installed"
	cp -Rp "$scratch/patched" "$scratch/tree"
}

# With what was built without the module, which comes first.
compare()
{
	if [ "$1" = no ]; then
		check "$way: nothing of the module" fails grep -q 'xdp:' "$library"
		return
	fi
	check "$way: nothing more is exported" same_text "$scratch/no.symbols" "$scratch/$1.symbols"
	if [ "$1" = dlopen ]; then
		check "$way: no other library is needed" same_text "$scratch/no.needed" "$scratch/$1.needed"
	fi
	if [ -s "$scratch/no.tests" ]; then
		check "$way: libpcap's own tests count the same" same_text "$scratch/no.tests" "$scratch/$1.tests"
		sed 's/^/    /' "$scratch/$1.tests"
	fi
}

cat > "$scratch/first.c" <<'EOC'
#include <pcap/pcap.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	char errbuf[PCAP_ERRBUF_SIZE] = "";
	struct pcap_pkthdr *h;
	const unsigned char *bytes;
	int n = 0;
	pcap_t *p = pcap_open_live(argv[argc - 1], 100, 1, 100, errbuf);

	if (!p)
		return puts(errbuf), 1;
	for (int tries = 0; tries < 100 && n == 0; tries++)
		n = pcap_next_ex(p, &h, &bytes);
	printf("%d packet\n", n);
	pcap_close(p);
	return 0;
}
EOC

# What the device does, for a program that pkg-config links with what was installed.
try_device()
{
	folder=$(dirname "$library")
	# shellcheck disable=SC2046 # flags
	check "$way: a program links with it" $cc -o "$scratch/first" "$scratch/first.c" \
		$(PKG_CONFIG_PATH=$folder/pkgconfig:$build pkg-config --cflags --libs libpcap)
	if [ "$(id -u)" -ne 0 ]; then
		skip "$way: a capture: needs root"
		return
	fi
	unshare -n sh -c '
		ip link add va type veth peer name vb && ip link set va up && ip link set vb up || exit 1
		ip address add 10.99.0.1/24 dev va
		ip neighbour add 10.99.0.2 lladdr 02:00:00:00:00:02 dev va
		ping -q -i 0.1 -w 60 10.99.0.2 > /dev/null 2>&1 &
		LD_LIBRARY_PATH=$1 "$2" xdp:vb
		kill $!' sh "$folder:$build" "$scratch/first" > "$scratch/said" 2>&1
	if [ "$1" = no ]; then
		check "$way: xdp:vb is no device" grep -q 'No such device' "$scratch/said"
	else
		check "$way: xdp:vb captures" grep -q '^1 packet' "$scratch/said"
	fi
	sed 's/^/    /' "$scratch/said"
}

cat > "$scratch/remote.py" <<'EOP'
import socket, struct, sys, time
for tries in range(200):
    try:
        server = socket.create_connection(("127.0.0.1", 2002), 20)
        break
    except ConnectionRefusedError: # it does not listen yet
        time.sleep(0.05)
def ask(kind, body):
    server.sendall(struct.pack("!BBHI", 0, kind, 0, len(body)) + body)
    _, kind, _, size = struct.unpack("!BBHI", server.recv(8, socket.MSG_WAITALL))
    answer = server.recv(size, socket.MSG_WAITALL) if size else b""
    return answer.decode() if kind == 1 else "opened" if kind == 0x83 else "answer %#x" % kind
ask(8, bytes(8)) # nobody in particular
for device in sys.argv[1:]:
    answer = ask(3, device.encode())
    print(device + ":", answer)
    if answer != "opened": # nor is it opened for a client that does not mind
        everything = struct.pack("!HHIHBBi", 1, 0, 1, 6, 0, 0, 65535)
        answer = ask(4, struct.pack("!IIHH", 1500, 1000, 4, 0) + everything)
        print("started" if answer.startswith("answer 0x") else "not started", answer)
EOP

# What rpcapd answers to who asks by network: it opens interfaces for them, but no xdp: device. When it ends it
# kills its process group.
try_remote()
{
	if [ "$1" = no ] || [ "$(id -u)" -ne 0 ]; then
		return
	fi
	unshare -n sh -c '
		ip link set lo up && ip link add va type veth peer name vb && ip link set va up && ip link set vb up || exit 1
		LD_LIBRARY_PATH=$1 setsid "$2" -4 -n -b 127.0.0.1 -p 2002 > "$4" 2>&1 &
		timeout 60 python3 "$3" vb xdp:vb xdp:vb,after=drop
		kill $!' sh "$folder:$build" "$installed/sbin/rpcapd" "$scratch/remote.py" "$scratch/rpcapd" > "$scratch/said" 2>&1
	refused='xdp: devices are not for remote capture'
	check "$way: rpcapd opens an interface, and refuses xdp: devices" \
		test "$(sed "s/\($refused\).*/\1/; s/^\(not started\) .*/\1/" "$scratch/said" | paste -s -d ';')" = \
			"vb: opened;xdp:vb: $refused;not started;xdp:vb,after=drop: $refused;not started"
	sed 's/^/    /' "$scratch/said"
}

# Complaints of mandoc about the manual pages that the patch changes; it makes none.
complaints()
{
	(cd "$1" && mandoc -T lint -W warning pcap.3pcap.in pcap_create.3pcap) | wc -l
}

try_tree()
{
	source=$1
	release=$(cat "$source/VERSION")
	rm -rf "$scratch/patched"
	cp -Rp "$source" "$scratch/patched"
	chmod -R u+w "$scratch/patched"
	"$graft/graft" --patch --without-plain "$source" > "$scratch/patch" 2> "$scratch/said"
	check "$release: the patch applies" patch -s -p1 -F0 -d "$scratch/patched" -i "$scratch/patch"
	check "$release: no line ends with a space" fails grep -q '^+.*[ 	]$' "$scratch/patch"
	check "$release: our files have the text of the licence" \
		test -z "$(grep -L 'Redistribution and use in source and binary forms' "$scratch/patched"/pcap-afxdp*)"
	if [ "$release" = 1.10.3 ]; then
		check "$release: the patch is as long as docs/upstream.md says" \
			test "$(awk -f "$graft/sizes.awk" "$scratch/patch" | tail -n 1 | xargs)" = "$(said_size)"
	fi
	if command -v mandoc > /dev/null; then
		check "$release: mandoc has no complaint about our lines" \
			test "$(complaints "$scratch/patched")" -eq "$(complaints "$source")"
	else
		skip "$release: manual pages: needs mandoc"
	fi
	[ "$PATCH_CONFIGURE$PATCH_CMAKE" != nonenone ] || return
	check "$release: autoreconf" sh -c "cd '$scratch/patched' && autoreconf -f -i"
	for how in $PATCH_CONFIGURE; do
		[ "$how" = none ] || built "$how" configure
	done
	for how in $PATCH_CMAKE; do
		[ "$how" = none ] || built "$how" cmake
	done
}

own=$(find_source 2> "$scratch/why") || own=
if [ -n "$own" ]; then
	try_tree "$own"
else
	skip "this release's source: $(tail -n 1 "$scratch/why")"
fi
if [ "$PATCH_OTHER" = yes ]; then
	find_other
	if [ -n "$other" ]; then
		try_tree "$other"
	else
		skip "$other_suite's source: $(tail -n 1 "$scratch/why")"
	fi
fi
for tree in ${PATCH_TREES-}; do
	try_tree "$tree"
done
finish
