#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# In a fresh Debian that has the library by its packages, and of our tree nothing else: Debian's libpcap with the
# patch, that loads the library or is linked with it. Short programs are linked by what pkg-config says, and capture.
# The packages, libpcap and the patch are in /mnt. Run by deb.sh.

# shellcheck source-path=SCRIPTDIR source=../chroot/fresh.sh
. "$(dirname "$0")/../chroot/fresh.sh"

has_packages()
{
	update && apt install autoconf binutils bison flex gcc iproute2 iputils-ping libc6-dev make patch pkgconf procps \
		xz-utils "$made"/libafxdpcapture*.deb "$made"/pcap-afxdp-loader*.deb
}

# Whatever a file here has from there fails.
hides_tree()
{
	cd /root && mount -t tmpfs tmpfs "$top" && [ ! -e "$top/configure.ac" ]
}

# Quiet, but for the end of what fails.
quietly()
{
	"$@" > "$scratch/log" 2>&1 && return
	tail -n 20 "$scratch/log"
	return 1
}

# builds_libpcap HOW: installed to /opt/HOW.
builds_libpcap()
{
	tree=$scratch/$1
	mkdir "$tree" && tar -xf "$made"/*.orig-libpcap.tar.xz -C "$tree" --strip-components=1 && cd "$tree" &&
		quietly patch -s -p1 -F0 -i "$made/libpcap.patch" && quietly autoreconf -fi &&
		quietly ./configure --prefix="/opt/$1" --with-afxdp="$1" && quietly make -j "$(nproc)" && quietly make install
}

# flags HOW PACKAGE
flags()
{
	PKG_CONFIG_PATH=/opt/$1/lib/pkgconfig pkg-config --cflags --libs "$2"
}

# links HOW PACKAGE: $scratch/PACKAGE.c to $scratch/HOW-PACKAGE.
links()
{
	# shellcheck disable=SC2046 # flags
	flags "$1" "$2" && gcc -Wall -Wextra -Werror -o "$scratch/$1-$2" "$scratch/$2.c" $(flags "$1" "$2")
}

# captures HOW PACKAGE
captures()
{
	check "$1, $2: a program links by what pkg-config says" links "$1" "$2"
	start in_left ping -q -i 0.1 10.99.0.2
	pings=$pid
	in_right env LD_LIBRARY_PATH="/opt/$1/lib" timeout 60 "$scratch/$1-$2" xdp:vb > "$scratch/said" 2>&1
	equal "$1, $2: it captures" '5 packets' "$(cat "$scratch/said")"
	stop "$pings" TERM > "$scratch/ended"
}

# needs_ours HOW: is that libpcap linked with the library?
needs_ours()
{
	objdump -p "/opt/$1"/lib/libpcap.so.*.*.* | grep 'NEEDED *libafxdpcapture\.so\.0'
}

cat > "$scratch/libpcap.c" <<'END'
#include <pcap/pcap.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	char err[PCAP_ERRBUF_SIZE] = "";
	struct pcap_pkthdr *h;
	const u_char *bytes;
	int n = 0, status = 0;
	pcap_t *p = pcap_open_live(argv[argc - 1], 100, 1, 100, err);

	while (p && n < 5 && (status = pcap_next_ex(p, &h, &bytes)) >= 0)
		n += status;
	return printf("%d packets%s\n", n, err) < 0;
}
END
cat > "$scratch/libafxdpcapture.c" <<'END'
#include <afxdpcapture.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	char err[AFXDP_ERROR_SIZE] = "";
	struct afxdp_options *o = afxdp_options_new();
	const struct epb_header *r;
	struct afxdp_capture *c;
	struct afxdp_run run;
	int n = 0;

	if (afxdp_options_device(o, argv[argc - 1], err, sizeof(err)) || afxdp_open(&c, o, err, sizeof(err)))
		return puts(err) < 0;
	while (n < 5 && afxdp_wait(afxdp_reader(c), -1) == 0)
		while (n < 5 && afxdp_run(afxdp_reader(c), &run)) {
			for (r = run.first; n < 5 && afxdp_run_has(&run, r); r = epb_next(r))
				n++;
			afxdp_run_done(afxdp_reader(c), &run, r);
		}
	afxdp_close(c);
	return printf("%d packets\n", n) < 0;
}
END

has_to "packages" has_packages
has_to "our tree is out of sight" hides_tree
veth_pair
for how in dlopen link; do
	has_to "$how: Debian's libpcap builds with the patch" builds_libpcap $how
	captures $how libpcap
	captures $how libafxdpcapture
done
check "dlopen: libpcap is not linked with the library" fails needs_ours dlopen
check "link: it is" needs_ours link
finish
