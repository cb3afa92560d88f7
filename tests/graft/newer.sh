#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# A libpcap that is newer than all that the module was tried with: configure and graft/build say so before they try, and
# where it fails, that is the reason which is given; of a release that is known, nobody says so. A clang without the
# target BPF stops configure, with clang's own word. A tree is named by the option, not by the environment.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source-path=SCRIPTDIR source=../../graft/known
. "$graft/known"

[ -f "$build/libafxdpcapture.pc" ] || skip_all "nothing is built in $build"
own=$(find_source 2> "$scratch/why") || skip_all "no source of libpcap: $(tail -n 1 "$scratch/why")"
tree=$scratch/tree next=${known%.*}.$((${known##*.} + 1))
reason="libpcap $next.0 is newer than $known, the newest that this was tried with: where it fails, take one of $known, or a newer pcap-afxdp"

new_tree()
{
	rm -rf "$tree"
	cp -R "$own" "$tree" && chmod -R u+w "$tree" && echo "$1" > "$tree/VERSION"
}

# said_once NAME LINE: it is the whole line, and is said once.
said_once()
{
	check "$1" test "$(grep -c -x -e "$2" "$scratch/said")" -eq 1
	[ "$(grep -c 'is newer than' "$scratch/said")" -eq 1 ] || sed 's/^/    /' "$scratch/said"
}

# configures ARGUMENT...: in a folder of its own, until it fails or ends.
configures()
{
	rm -rf "$scratch/configured"
	mkdir "$scratch/configured"
	(cd "$scratch/configured" && "$top/configure" --without-kafka "$@") > "$scratch/said" 2>&1
}

builds()
{
	rm -rf "$scratch/built"
	builds_again
}

builds_again()
{
	sh "$graft/build" --source "$tree" --output "$scratch/built" --pc-dir "$build" CC="$cc" CFLAGS=-O0 > "$scratch/said" 2>&1
}

new_tree "$next.0"
check "graft takes $next.0 while it fits" "$graft/graft" --patch "$tree"
check "... and says nothing of it" fails grep -q 'is newer than' "$scratch/output"

# As a release that has moved one of the places.
grep -v '^#include "pcap-rdmasniff.h"' "$tree/pcap.c" > "$scratch/moved.c"
cp "$scratch/moved.c" "$tree/pcap.c"
check "build fails where there is no place for the module" fails builds
said_once "... and says why, in one line" "graft/build: graft: .*/pcap.c: the anchor .*; nothing was changed; $reason"
new_tree "$known.9"
cp "$scratch/moved.c" "$tree/pcap.c"
check "so it does with $known.9" fails builds
check "... where that is no reason" fails grep -q 'is newer than' "$scratch/said"

# As one whose handles have another name for what the module uses.
if is_quick; then
	skip "part of the full size: configures libpcap"
else
	new_tree "$next.0"
	find "$tree" -name '*.[ch]' -exec sed -i 's/\bopt\.immediate\b/opt.at_once/; s/\bint[[:blank:]]*immediate;/int at_once;/' {} +
	check "build fails where the module does not compile" fails builds
	check "... by what the compiler says" grep -q 'error: .*immediate' "$scratch/said"
	check "... and it was said before" grep -q -x "graft/build: note: $reason" "$scratch/said"
	check "... and is the end" sh -c 'tail -n 1 "$1" | grep -q -e "; $2\$"' sh "$scratch/said" "$reason"
	# Of a tarball files are as old as in it.
	echo "$known.8" > "$tree/VERSION" && touch -d 2001-01-01 "$tree/VERSION"
	check "another libpcap in the same place, whose files are older, is another one" fails builds_again
	check "... which is configured" grep -q -x "graft/build: configuring libpcap $known.8" "$scratch/said"
fi

clang=$(configured CLANG)
cat > "$scratch/other-clang" <<-END
	#!/bin/sh
	# clang without the target: nobody has built this one, whose name it knows.
	for word; do
		shift
		case \$word in
		bpf) word=tce ;;
		-mcpu=*) continue ;;
		esac
		set -- "\$@" "\$word"
	done
	exec ${clang:-clang} "\$@"
END
chmod +x "$scratch/other-clang"
check "configure fails for a clang without BPF" fails configures CLANG="$scratch/other-clang"
check "... and says why" grep -q -e "^configure: error: $scratch/other-clang makes no programs for BPF (unable to create target: .*): name one " "$scratch/said"
check "a program that is no clang stops it, too" fails configures CLANG="$cc" --with-libpcap-source="$tree"
check "... by name" grep -q -e 'makes no programs for BPF (.*target.*): name one' "$scratch/said"

# What is wrong behind that stops it soon.
new_tree "$next.0"
check "configure takes $next.0" fails configures --with-libpcap-source="$tree" --with-afxdp=neither
said_once "... and says that it is newer" "configure: WARNING: $reason"
export LIBPCAP_SOURCE="$tree"
check "a tree that the environment alone names comes as far" fails configures --with-afxdp=neither
check "... and is not taken" fails grep -q 'is newer than' "$scratch/said"
unset LIBPCAP_SOURCE
new_tree "$known.0"
check "and $known" fails configures --with-libpcap-source="$tree" --with-afxdp=neither
check "... of which it says nothing" fails grep -q 'is newer than' "$scratch/said"
check "both come as far as what is wrong" grep -q -e '--with-afxdp takes' "$scratch/said"
finish
