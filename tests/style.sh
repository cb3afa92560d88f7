#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The house rules a program can see, over every source file of the tree.
. "$(dirname "$0")/lib.sh"
longest=700
# A function that is called without arguments where it takes some.
untrue=SC2120
# Of files that scripts read: set or used by the others.
elsewhere=SC2034,SC2154
# To read for each script what it reads takes 200 s of a processor: make check-style does.
followed=SC1091
format=14

cd "$top" || exit 1

# files PATTERN...: of ours; not what a build leaves behind.
files()
{
	for pattern; do
		find . -name '.?*' -prune -o -name 'build*' -type d -prune -o -name autom4te.cache -prune -o \
			-name 'libpcap-*' -type d -prune -o -name 'pcap-afxdp-[0-9]*' -prune -o \
			-type f -name "$pattern" ! -name '*.skel.h' ! -name 'config.h*' -print
	done
}

# Whatever begins with a line for sh or bash.
scripts()
{
	[ -e "$scratch/scripts" ] || {
		files '*'
		[ ! -f .ci/run ] || echo ./.ci/run
	} | grep -v -e '^./config' -e '^./libtool' |
		xargs awk 'FNR == 1 && /^#!\/bin\/(ba)?sh/ { print FILENAME } { nextfile }' > "$scratch/scripts"
	cat "$scratch/scripts"
}

sources()
{
	[ -e "$scratch/sources" ] || {
		files '*.c' '*.h' '*.sh' '*.awk' '*.py' local.mk Makefile.am configure.ac
		scripts | grep -v '\.sh$'
	} > "$scratch/sources"
	cat "$scratch/sources"
}

# side_by_side COMMAND...: on the files whose names are read, some at a time, on every processor.
side_by_side()
{
	xargs -P "$(nproc)" -n 10 "$@"
}

one_by_one()
{
	xargs -P "$(nproc)" -n 1 "$@"
}

formatted_as_agreed()
{
	tool=$(command -v clang-format-$format || command -v clang-format) ||
		{ skip "the format of C: needs clang-format $format"; return; }
	"$tool" --version | grep -q "version $format\." ||
		{ skip "the format of C: needs clang-format $format, this is $("$tool" --version)"; return; }
	files '*.c' '*.h' | grep -v '/pcap-afxdp[^/]*$' > "$scratch/c"
	check "C files are formatted as .clang-format says" side_by_side "$tool" --dry-run -Werror < "$scratch/c"
	files 'pcap-afxdp*.[ch]' > "$scratch/c"
	check "those that go into libpcap are formatted as its own" \
		side_by_side "$tool" --style=file:graft/libpcap.clang-format --dry-run -Werror < "$scratch/c"
}

scripts_are_sound()
{
	command -v shellcheck > /dev/null || { skip "shell scripts: needs shellcheck"; return; }
	scripts > "$scratch/sh"
	if [ "$CHECK_SIZE" != long ]; then
		files '*.sh' | sort -u - "$scratch/sh" > "$scratch/each"
		check "shellcheck has no complaint about a file by itself" \
			side_by_side shellcheck -S warning -e "$untrue,$elsewhere,$followed" < "$scratch/each"
		return
	fi
	check "shellcheck has no complaint" side_by_side shellcheck -S warning -x -P SCRIPTDIR -e "$untrue" < "$scratch/sh"
	files '*.sh' | grep -v -x -F -f "$scratch/sh" > "$scratch/read"
	check "nor about what scripts read" side_by_side shellcheck -S warning -x -P SCRIPTDIR -e "$untrue,$elsewhere" < "$scratch/read"
}

without_licence()
{
	sources | while read -r file; do
		[ -s "$file" ] || echo "$file"
	done
	sources | xargs awk '
	FNR == 1 { if (name) print name; name = FILENAME }
	FNR == 1 && /^#!/ { next }
	/SPDX-License''-Identifier: / { name = "" }
	{ nextfile }
	END { if (name) print name }'
}

too_long()
{
	sources | xargs wc -l | awk -v most="$longest" '$2 != "total" && $1 > most { print $2 ": " $1 " lines" }'
}

# The words are put together here, so that this file has none of them.
left_undone()
{
	sources | xargs grep -nwE "TO""DO|FIX""ME|X""XX|HA""CK"
}

# $? behind $(...) in the same command: in bash the status of the latter, so that the former cannot fail.
status_of_another()
{
	{ scripts && files '*.sh'; } | sort -u | xargs grep -nE '\$\([^()][^)]*\).*\$\?' | grep -v ':[0-9]*:[[:space:]]*#'
}

nothing_from()
{
	name=$1
	shift
	"$@" > "$scratch/found" 2>&1
	check "$name" same_as_nothing "$scratch/found"
}

same_as_nothing()
{
	[ ! -s "$1" ] || { cat "$1"; return 1; }
}

# compile_alone OPTION...: each header whose name is read.
compile_alone()
{
	set -- -fsyntax-only -Wall -Wextra -Werror -D_GNU_SOURCE -I. -Ibpf -I"$build" "$@"
	# shellcheck disable=SC2086 # words
	one_by_one $cc "$@" -x c /dev/null -include
}

# What bpf/ shares with user space takes the kernel's types from whoever includes it, as vmlinux.h has
# them too; a module's header in libpcap takes those of pcap-int.h. A .bpf.h is for the kernel's compiler.
headers_stand_alone()
{
	cc=$(sed -n 's/^CC = //p' "$build/Makefile" 2> /dev/null)
	cc=${cc:-cc}
	command -v "${cc%% *}" > /dev/null || { skip "headers by themselves: needs a compiler"; return; }
	files '*.h' | grep -v -e '/pcap-afxdp[^/]*$' -e '\.bpf\.h$' > "$scratch/h"
	{
		grep -v '^./bpf/' "$scratch/h" | compile_alone
		grep '^./bpf/' "$scratch/h" | compile_alone -include linux/types.h
	} > "$scratch/headers" 2>&1
	check "each header compiles alone" same_as_nothing "$scratch/headers"
}

kernel_headers_stand_alone()
{
	clang=$(sed -n 's/^CLANG = //p' "$build/Makefile" 2> /dev/null)
	flags=$(sed -n 's/^BPF_CFLAGS = //p' "$build/Makefile" 2> /dev/null)
	command -v "$clang" > /dev/null || { skip "the kernel's headers by themselves: needs a build"; return; }
	# shellcheck disable=SC2086 # words
	files '*.bpf.h' | one_by_one "$clang" $flags -fsyntax-only -Wno-unused-function -Ibpf -x c /dev/null -include \
		> "$scratch/headers" 2>&1
	check "each .bpf.h compiles alone" same_as_nothing "$scratch/headers"
}

# A test begins with what it asserts: `make describe-tests' lists that.
not_described()
{
	sh tests/describe.sh | awk 'NF < 7'
}

manuals_are_clean()
{
	files '*.[1-8]' > "$scratch/manuals"
	[ -s "$scratch/manuals" ] || return 0
	command -v mandoc > /dev/null || { skip "manual pages: needs mandoc"; return; }
	# Left out: pages of others, which need not be installed here; and our heading EXAMPLES, which comes first.
	xargs mandoc -T lint -W style < "$scratch/manuals" 2> /dev/null |
		grep -v -e 'referenced manual not found' -e 'Sh EXAMPLES' > "$scratch/mandoc"
	check "mandoc has no complaint" same_as_nothing "$scratch/mandoc"
}

# Of prose, comments and messages. Left out: options' values and names, a macro of mdoc, what Rust calls a library, a line of
# /proc; and what programs write.
spelled_right()
{
	command -v codespell > /dev/null || { skip "spelling: needs codespell"; return; }
	{
		files '*.md' '*.[1-8]' '*.def' CHANGES
		sources
	} | grep -v -e RESULTS.md -e PROFILE.md |
		xargs codespell --quiet-level 3 --ignore-words-list inout,nd,crate,inh,unsecure > "$scratch/spelling" 2>&1
	check "codespell has no complaint" same_as_nothing "$scratch/spelling"
}

# Each file says whose it is and under which licence, by itself or in .reuse/dep5.
licences_are_clear()
{
	command -v reuse > /dev/null || { skip "copyright of each file: needs reuse"; return; }
	{ [ -e .git ] && command -v git > /dev/null; } || { skip "copyright of each file: needs the repository, and git"; return; }
	check "reuse has no complaint" reuse lint
}

left_out()
{
	[ -f "$build/Makefile" ] || { skip "tests of no size: needs a build"; return; }
	equal "tests that ./check --full leaves out: Suricata's" tests/find/alert.sh \
		"$(CHECK_SIZE=full make -s -C "$build" list-left-out | tail -n 1)"
}

formatted_as_agreed
left_out
licences_are_clear
scripts_are_sound
nothing_from "the licence is on the first line" without_licence
nothing_from "no file is longer than $longest lines" too_long
nothing_from "nothing is left undone" left_undone
nothing_from "no \$? is that of a command within the same words" status_of_another
nothing_from "each test says what it asserts" not_described
check "and there are many" test "$(sh tests/describe.sh | wc -l)" -gt 200
headers_stand_alone
kernel_headers_stand_alone
manuals_are_clean
spelled_right
finish
