#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The module goes into a tree wholly or not at all, once, and the same by patch and by graft.
# Tried on a tree made of nothing but the anchors.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

make_tree()
{
	rm -rf "$1"
	mkdir "$1" "$1/doc"
	touch "$1/doc/README.linux"
	sed -n 's/^@@?* //p' "$graft/edits" | sort -u | while read -r name; do
		made=$1/$name
		mkdir -p "${made%/*}"
		awk -v file="$name" '
			BEGIN { print "first line" }
			/^@@[?]? / { mine = $2 == file; if (mine) print "line " NR " of something else"; next }
			mine && /^ / { print substr($0, 2) }
			END { print "last line" }' "$graft/edits" > "$made"
	done
	touch "$1/pcap-int.h" "$1/aclocal.m4"
}

run_graft()
{
	"$graft/graft" --module "$scratch/module" "$@"
}

mkdir "$scratch/module"
echo "the module, first edition" > "$scratch/module/pcap-afxdp.c"
for file in pcap-afxdp-plain.c pcap-afxdp-plain.h pcap-afxdp.h pcap-afxdp-int.h; do
	echo "of it: $file" > "$scratch/module/$file"
done
pristine=$scratch/pristine tree=$scratch/tree
make_tree "$pristine"
make_tree "$tree"
echo "an executable keeps its mode" >> "$pristine/Makefile.in"
chmod 755 "$pristine/Makefile.in"
cp -p "$pristine/Makefile.in" "$tree/Makefile.in"

refused_unchanged()
{
	what=$1 named=$2
	cp -Rp "$tree" "$scratch/before"
	if run_graft "$tree" > "$scratch/said" 2>&1; then
		bad "$what is refused"
	elif ! grep -q "$named" "$scratch/said" || ! grep -q "nothing was changed" "$scratch/said"; then
		bad "$what: the message names the file: $(cat "$scratch/said")"
	else
		ok "$what is refused, naming the file"
	fi
	check "$what changes nothing" diff -r "$scratch/before" "$tree"
	chmod u+w "$scratch/before"
	rm -rf "$scratch/before"
}

# anchors MARK: the lines of edits at which those of hunks so marked begin.
anchors()
{
	awk -v mark="$1" '/^@@/ { first = $1 == mark } /^ / && first { first = 0; print NR }' "$graft/edits"
}

# Every anchor that has to be there, one at a time, absent and doubled.
for at in $(anchors @@); do
	file=$(sed -n "1,${at}s/^@@?* //p" "$graft/edits" | tail -n 1)
	sed -n "${at}s/^ //p" "$graft/edits" > "$scratch/anchor"
	make_tree "$tree"
	grep -vxF -f "$scratch/anchor" "$pristine/$file" > "$tree/$file"
	refused_unchanged "$file without its anchor of line $at" "$file"
	make_tree "$tree"
	awk -v at="$at" '/^@@/ { on = 0 } NR == at { on = 1 } on && /^ / { print substr($0, 2) }' "$graft/edits" >> "$tree/$file"
	refused_unchanged "$file with its anchor of line $at twice" "$file"
done

# Without any of the others: those files stay as they were, and graft says so.
make_tree "$tree"
for at in $(anchors '@@?'); do
	file=$(sed -n "1,${at}s/^@@? //p" "$graft/edits" | tail -n 1)
	sed -n "${at}s/^ //p" "$graft/edits" > "$scratch/anchor"
	grep -vxF -f "$scratch/anchor" "$tree/$file" > "$scratch/less"
	cat "$scratch/less" > "$tree/$file"
done
rm "$tree/README.md"
cp -Rp "$tree" "$scratch/before"
run_graft "$tree" > "$scratch/said" 2>&1
check "places for readers may be missing, which is said" grep -q 'no place.* INSTALL.md' "$scratch/said"
check "such files stay as they were" same_text "$scratch/before/INSTALL.md" "$tree/INSTALL.md"
check "the module is there all the same" test -f "$tree/pcap-afxdp.c"
run_graft "$tree" > "$scratch/said" 2>&1
check "and is seen to be there" grep -q "nothing to do" "$scratch/said"
rm -rf "$scratch/before"

make_tree "$tree"
rm "$tree/CMakeLists.txt"
refused_unchanged "a tree without CMakeLists.txt" CMakeLists.txt

make_tree "$tree"
cp -p "$pristine/Makefile.in" "$tree/Makefile.in"
check "a pristine tree takes the module" run_graft "$tree"
check "no working files stay behind" fails ls -d "$tree"/.graft.*
check "the module is there" same_text "$scratch/module/pcap-afxdp.c" "$tree/pcap-afxdp.c"
check "modes are kept" test -x "$tree/Makefile.in"
cp -Rp "$tree" "$scratch/once"
run_graft "$tree" > "$scratch/said" 2>&1
check "the second run says so" grep -q "nothing to do" "$scratch/said"
check "the second run changes nothing" diff -r "$scratch/once" "$tree"
echo "second edition" > "$scratch/module/pcap-afxdp.c"
check "a newer module goes in" run_graft "$tree"
check "and is there" same_text "$scratch/module/pcap-afxdp.c" "$tree/pcap-afxdp.c"
check "only it was changed" diff -r -x pcap-afxdp.c "$scratch/once" "$tree"
cp "$pristine/pcap.c" "$tree/pcap.c"
refused_unchanged "a tree with the module in half of the files" "$tree"

rm -rf "$tree"
cp -Rp "$pristine" "$tree"
run_graft --patch "$tree" > "$scratch/patch"
check "printing the patch changes nothing" diff -r "$pristine" "$tree"
(cd "$tree" && patch -s -p1 < "$scratch/patch")
cp -Rp "$pristine" "$scratch/grafted"
run_graft "$scratch/grafted" > "$scratch/said"
check "patch and graft do the same" diff -r "$scratch/grafted" "$tree"
check "a patched tree counts as grafted" run_graft "$tree"
check "no patch for a grafted tree" fails run_graft --patch "$tree"
(cd "$tree" && patch -s -R -p1 < "$scratch/patch")
check "the patch can be taken back" diff -r "$pristine" "$tree"

# Of releases that lack names, and of the main branch.
check "an older release gets the names it lacks" grep -q '^+++ b/pcap-afxdp-compat.h' "$scratch/patch"
echo '#define BPF_SPECIAL_BASIC_HANDLING 2' > "$tree/pcap-int.h"
run_graft --patch --without-plain "$tree" > "$scratch/patch" 2> "$scratch/said"
check "one that has them gets nothing of that" fails grep -q pcap-afxdp-compat "$scratch/patch"
check "without the plain names nothing of them is left" fails grep -q '^+.*plain' "$scratch/patch"
: > "$tree/pcap-int.h"

# 1.10.0 and 1.10.1 lack some that later releases have.
check "configure.ac gets no macro that libpcap has of its own" fails grep '^+.*AC_LBL_' "$graft/edits"

# A rename that fails in the middle: the earlier ones are taken back.
mkdir "$scratch/bin"
cat > "$scratch/bin/mv" <<-END
	#!/bin/sh
	for target; do :; done
	case \$target in $tree/CMakeLists.txt) exit 1 ;; esac
	exec $(command -v mv) "\$@"
END
chmod +x "$scratch/bin/mv"
cp -Rp "$tree" "$scratch/before"
check "a failing rename is an error" fails env PATH="$scratch/bin:$PATH" "$graft/graft" --module "$scratch/module" "$tree"
check "a failing rename leaves the tree as it was" diff -r "$scratch/before" "$tree"
rm -rf "$scratch/before"

if [ "$(id -u)" -eq 0 ]; then
	skip "a tree one may not write to: root may"
else
	chmod a-w "$tree"
	refused_unchanged "a tree one may not write to" "$tree"
	chmod u+w "$tree"
fi
check "what is no libpcap tree is refused" fails run_graft "$scratch/module"
finish
