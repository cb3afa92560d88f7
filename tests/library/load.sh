#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# libpcap loads libafxdpcapture when the first xdp: device is created, not before, by its soname alone; what is
# wrong with it is one sentence, and other devices do not mind.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need ping tcpdump setpriv
[ -e "$library/libafxdpcapture.so.0" ] || skip_all "libpcap is linked with the library (--with-afxdp=link)"
client=$build/tests/library/client
cc=$(sed -n 's/^CC = //p' "$build/Makefile" 2> /dev/null)
cc=${cc:-cc}
veth_pair

# runs NAME STATUS LINES STEP...: the client in $right, with the libraries in $folder.
folder=$library
runs()
{
	this=$1 wanted=$2 lines=$3
	shift 3
	# shellcheck disable=SC2046 # one word per variable
	in_right env $(library_environment | sed "s|=$library\$|=$folder|") timeout 60 "$client" "$@" > "$scratch/said" 2>&1
	equal "$this: status" "$wanted" $?
	equal "$this" "$lines" "$(paste -s -d ';' "$scratch/said")"
}

runs "no xdp: device, no library" 0 'list: not loaded;create: not loaded;activate: not loaded' list create=vb activate
export PCAP_AFXDP_LIST=1
runs "nor to list xdp: devices" 0 'list: not loaded' list
unset PCAP_AFXDP_LIST
runs "an xdp: device" 0 'create: loaded;activate: loaded;create: loaded;activate: loaded' \
	create=xdp:vb activate create=vb activate
export PCAP_AFXDP=vb
runs "a plain name in PCAP_AFXDP" 0 'list: not loaded;create: loaded;activate: loaded' list create=vb activate
unset PCAP_AFXDP
runs "many threads at once" 0 'threads: loaded;activate: loaded' threads=xdp:vb activate
check "nothing is left" wait_for 5 no_xdp_program "$right" vb

# Reading takes pings.
start in_left ping -q -i 0.02 -w 120 10.99.0.2
runs "by seccomp no code after create" 0 'create: loaded;confine: loaded;activate: loaded;read: loaded' \
	create=xdp:vb,loader=off confine activate read=5
runs "which would be too late" 1 "confine: not loaded;create: failed: $(
	echo 'xdp: devices need a library that cannot be loaded: install libafxdpcapture0 (libafxdpcapture.so.0: failed to map segment from shared object)'
)" confine create=xdp:vb
runs "fork after create" 0 'create: loaded;fork: loaded;activate: loaded;read: loaded;fork: loaded;activate: loaded;read: loaded' \
	create=xdp:vb,loader=off fork activate read=5

# Not there, not a library, and of other versions.
mkdir "$scratch/lib"
copy_library "$scratch/lib"
folder=$scratch/lib theirs=$scratch/lib/libafxdpcapture.so.0
rm "$theirs"
ldconfig -p | grep -q 'libafxdpcapture\.so\.0' && skip_all "libafxdpcapture.so.0 is installed on this system: where it is missing cannot be seen"
missing='xdp: devices need a library that cannot be loaded: install libafxdpcapture0'
runs "missing: said in a sentence, others work" 1 \
	"create: failed: $missing (libafxdpcapture.so.0: cannot open shared object file: No such file or directory);create: not loaded;activate: not loaded;read: not loaded" \
	create=xdp:vb create=vb activate read=1
# shellcheck disable=SC2046 # one word per variable
in_right env $(library_environment | sed "s|=$library\$|=$folder|") PCAP_AFXDP=vb PCAP_AFXDP_DEBUG=1 \
	tcpdump -i vb -c 1 > "$scratch/said" 2>&1
equal "missing: a plain name is captured all the same" 0 $?
check "missing: and why not at the XDP layer is told" grep -q "^pcap-afxdp: vb: captured by AF_PACKET: $missing" "$scratch/said"
in_right env LD_LIBRARY_PATH="$folder" PCAP_AFXDP_LIST=1 "$client" list > "$scratch/said" 2>&1
equal "missing: listing works" 'list: not loaded' "$(cat "$scratch/said")"
echo "half an installation" > "$theirs"
runs "not a library" 1 "create: failed: $missing ($theirs: file too short)" create=xdp:vb

# other_version C: a library with that in it, in the place of ours.
other_version()
{
	printf '%s\n' "$1" > "$scratch/other.c"
	rm -f "$theirs"
	$cc -shared -fPIC -Wl,-soname,libafxdpcapture.so.0 -o "$theirs" "$scratch/other.c"
}

unfit='does not fit this libpcap: install a libafxdpcapture0 of the release that this libpcap was built for'
other_version 'int something;'
runs "a library without the table" 1 "create: failed: libafxdpcapture.so.0 (version unknown) $unfit" create=xdp:vb
other_version 'const char *afxdp_version(void) { return "9.8.7"; } void *afxdp_api(unsigned v, unsigned long s) { (void)v; (void)s; return 0; }'
runs "a library of another version" 1 \
	"create: failed: libafxdpcapture.so.0 (version 9.8.7) $unfit;create: loaded;activate: loaded;read: loaded" \
	create=xdp:vb create=vb activate read=1
other_version 'const char *afxdp_version(void) { return "0.1.9"; } void *afxdp_api(unsigned v, unsigned long s) { static void *table[42]; return v == 1 && s <= sizeof(table) ? table : 0; }'
runs "an older library, whose table ends before the last function that libpcap calls" 1 "create: failed: libafxdpcapture.so.0 (version 0.1.9) $unfit" create=xdp:vb

# What libpcap asks for is what it calls: with the table cut there its files compile, and with one function less they do not.
other_version '#include <stdio.h>
	const char *afxdp_version(void) { return "0"; }
	void *afxdp_api(unsigned v, unsigned long s) { (void)v; printf("asks for %lu\n", s / sizeof(void *)); return 0; }'
# shellcheck disable=SC2046 # one word per variable
in_right env $(library_environment | sed "s|=$library\$|=$folder|") "$client" create=xdp:vb > "$scratch/said" 2>&1
asked=$(sed -n 's/^asks for //p' "$scratch/said")
between "functions that libpcap asks for" 20 200 "$asked"
tree=$build/libpcap-build/tree
mkdir "$scratch/cut"
cp "$top/capture/afxdpcapture_sets.h" "$top/bpf/record.h" "$scratch/cut"

# calls_at_most NUMBER: of the functions of the table; the file that asks for them is not asked.
calls_at_most()
{
	awk -v most="$1" '/^struct afxdp_api/ { on = 1 } /^};/ { on = 0 } !on || !/;$/ || ++n <= most' \
		"$top/capture/afxdpcapture.h" > "$scratch/cut/afxdpcapture.h"
	for file in "$tree"/pcap-afxdp*.c; do
		[ "$file" = "$tree/pcap-afxdp-load.c" ] ||
			$cc -w -fsyntax-only -D_GNU_SOURCE -DPCAP_AFXDP_DLOPEN -include "$tree/config.h" -I"$scratch/cut" \
				-include "$scratch/cut/afxdpcapture.h" -I"$tree" "$file" || return
	done
}
check "libpcap asks for all functions that it calls" calls_at_most "$asked"
calls_at_most $((asked - 1)) > "$scratch/cut/said" 2>&1
check "and for no others" grep -q "no member named" "$scratch/cut/said"

# A libpcap of a later release, by whose header the table is longer, has what it calls from this library.
mkdir "$scratch/later"
cp "$top/capture/afxdpcapture_sets.h" "$top/bpf/record.h" "$scratch/later"
sed '/^struct afxdp_api/,/^};/s/^};/\tint (*later)(void);\n};/' "$top/capture/afxdpcapture.h" > "$scratch/later/afxdpcapture.h"
cat > "$scratch/later/main.c" <<-'END'
	#include <stdio.h>
	#include "pcap-int.h"
	#include "pcap-afxdp-int.h"
	#include "afxdpcapture.h"
	int main(void)
	{
		char errbuf[PCAP_ERRBUF_SIZE];
		const struct afxdp_api *api = pcap_load_afxdp(errbuf);

		return puts(api ? api->version() : errbuf) < 0;
	}
END
$cc -DPCAP_AFXDP_DLOPEN -include "$build/libpcap-build/tree/config.h" -I"$scratch/later" -I"$build/libpcap-build/tree" -I"$top" -o "$scratch/later/main" \
	"$scratch/later/main.c" "$top/pcap-afxdp-load.c" -ldl > "$scratch/said" 2>&1 || show "$scratch/said"
check "the header of a later release has a longer table" grep -q later "$scratch/later/afxdpcapture.h"
# shellcheck disable=SC2046 # one word per variable
equal "a libpcap of a later release takes this library" "$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' "$build/config.h")" \
	"$(env $(library_environment) "$scratch/later/main" 2>&1)"

# A library that somebody slips in tells of itself, at once.
other_version '#include <unistd.h>
__attribute__((constructor)) static void here(void) { if (write(1, "slipped in\n", 11) < 0) _exit(9); }'
runs "LD_LIBRARY_PATH, without privilege" 1 "slipped in;create: failed: libafxdpcapture.so.0 (version unknown) $unfit" create=xdp:vb

# A program with capabilities: its libraries as after an install.
mkdir "$scratch/system" "$scratch/bin"
copy_library "$scratch/system"
cp "$client" "$scratch/bin/client"
chmod 755 "$scratch/bin" "$scratch/bin/client"
library_cache "$scratch/ld.so.cache" "$scratch/system"
secure()
{
	in_right unshare -m sh -c "mount --bind $scratch/ld.so.cache /etc/ld.so.cache && cd $scratch/lib && shift &&
		exec setpriv --reuid 65534 --regid 65534 --clear-groups \
			env LD_LIBRARY_PATH=$scratch/lib:. LD_PRELOAD=$theirs $scratch/bin/client \"\$@\"" sh "$@" > "$scratch/said" 2>&1
}

if is_sanitized; then
	skip "file capabilities: the library with sanitizers has to be loaded first"
elif ! setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$scratch/bin/client" 2> "$scratch/text" ||
	! unshare -m mount --bind "$scratch/ld.so.cache" /etc/ld.so.cache 2> "$scratch/text"; then
	skip "file capabilities: $(head -n 1 "$scratch/text")"
else
	secure - create=xdp:vb,loader=off activate read=3
	equal "with capabilities: status" 0 $?
	equal "with capabilities: the system's library, whatever the environment says" \
		'create: loaded;activate: loaded;read: loaded' "$(paste -s -d ';' "$scratch/said")"
	rm "$scratch/system/libafxdpcapture.so.0"
	library_cache "$scratch/ld.so.cache" "$scratch/system"
	secure - create=xdp:vb,loader=off
	check "with capabilities: where the system has none, there is none" \
		grep -q "^create: failed: $missing (libafxdpcapture.so.0: cannot open" "$scratch/said"
	check "... and nothing was slipped in" fails grep -q 'slipped in' "$scratch/said"
fi

# For those who make packages.
if command -v objcopy > "$scratch/which" && command -v python3 > "$scratch/which"; then
	objcopy -O binary --only-section=.note.dlopen "$library/libpcap.so.0.8" "$scratch/note"
	equal "the note of what is loaded" 'FDO 0x407c0c0a libafxdpcapture.so.0 suggested' "$(python3 - "$scratch/note" <<-'END'
		import json, struct, sys
		note = open(sys.argv[1], "rb").read()
		owner, size, kind = struct.unpack("=III", note[:12])
		(entry,) = json.loads(note[16:16 + size].rstrip(b"\0"))
		print(note[12:12 + owner - 1].decode(), hex(kind), *entry["soname"], entry["priority"])
	END
	)"
else
	skip "the note of what is loaded: needs objcopy and python3"
fi
finish
