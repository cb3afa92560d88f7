#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What every clang makes of the programs for the kernel, the verifier takes: each that is installed compiles
# them, captures open with what it made of the capture programs, and run a filter in the kernel; others load.
# COMPILERS_COMBINED=1, of make check-long: with every combination of slices, samples and cutoffs as well.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
debian_12='14 15 16 19'
objects=$scratch/objects
traced=''

# compilers: the numbers of those that are installed, and that configure takes.
compilers()
{
	echo "$PATH" | tr ':' '\n' | while read -r folder; do
		find "$folder/" -maxdepth 1 -name 'clang-[1-9][0-9]' 2> /dev/null
	done | sed 's/.*-//' | awk '$1 >= 14' | sort -u
}

# chosen: of the quick size the oldest and the newest.
chosen()
{
	if is_quick; then
		compilers | sed -n '1p; $p' | sort -u
	else
		compilers
	fi
}

# compile CLANG SOURCE OBJECT: as the Makefile does.
compile()
{
	flags=$(sed -n 's/^BPF_CFLAGS = //p' "$build/Makefile")
	# shellcheck disable=SC2086 # words
	"$1" $flags -I"$top" -I"$top/bpf" -c "$2" -o "$3"
}

# interface OBJECT: maps, programs, and where its variables are; all of a skeleton but the bytes.
interface()
{
	bpftool gen skeleton "$1" name capture_bpf 2> "$scratch/bpftool.err" | sed '/elf_bytes/,$d'
}

# opens PROGRAM [ARGUMENT...]: status 0, and nothing but its last line is said.
opens()
{
	start ip netns exec "$right" "$@"
	ended "$pid" 300
	state=$?
	[ "$state" -eq 0 ] || cat "$out" "$err"
	return "$state"
}

# loads CLANG: the library with its objects in place of the build's. Only where both have the same face the
# library's variables are those of the object.
loads()
{
	object=$objects/capture.bpf.o
	interface "$object" > "$scratch/face"
	if ! cmp -s "$scratch/face" "$scratch/own-face"; then
		bad "$1: lays out programs and variables otherwise than the build's: cannot be tried"
		return
	fi
	check "$1: all programs load, and with a filter" \
		opens "$build/tests/hooks/compiled" vb "$object" ${traced:+"$traced" foreign_xdp}
	[ "$COMPILERS_COMBINED" -eq 0 ] ||
		check "$1: slices, samples and cutoffs, in every combination" \
			opens "$build/tests/hooks/combined" vb all "$object"
}

# try CLANG
try()
{
	wrong=$failed
	rm -rf "$objects"
	mkdir "$objects"
	for source in "$top"/bpf/*.bpf.c "$top"/who/*.bpf.c "$top"/testprogs/*.bpf.c "$top"/tests/*/*.bpf.c; do
		compile "$1" "$source" "$objects/$(basename "$source" .c).o" > "$scratch/compiled" 2>&1 && continue
		bad "$1 compiles ${source#"$top"/}"
		show "$scratch/compiled"
	done
	[ "$failed" -eq "$wrong" ] || return
	ok "$1 compiles the programs for the kernel"
	# Of 320 bytes: clang 21, which Debian 12 lacks, uses up to 40 more.
	[ "$1" != clang-19 ] || between "$1: stack of programs at XDP and tc" 1 280 \
		"$("$top/tests/hooks/stack.py" "$objects/capture.bpf.o")"
	loads "$1"
	for object in who words; do
		check "$1: all programs of $object.bpf.c load" opens "$build/tests/hooks/loaded" "$objects/$object.bpf.o" ${traced:+all}
	done
}

# find_traced: a program to capture on, at its entry and exit, where the kernel allows that.
find_traced()
{
	start ip netns exec "$left" "$build/tests/hooks/foreign" xdp va
	wait_for 10 grep -q attached "$out" || skip_all "no XDP program can be attached"
	if in_left "$build/xdpdump/xdpdump" -i va -p all --rx-capture exit -a duration:0.1 -w "$scratch/exit" \
		2> "$scratch/said"; then
		traced=$(xdp_program "$left" va)
	elif grep -q 'the kernel refuses fentry and fexit, which' "$scratch/said"; then
		skip "the programs at entry and exit of others: $(tail -n 1 "$scratch/said")"
	else
		bad "the programs at entry and exit of others: $(tail -n 1 "$scratch/said")"
	fi
}

need_root
need bpftool python3
[ -f "$build/bpf/capture.bpf.o" ] || skip_all "needs the build directory"
[ -n "$(compilers)" ] || skip_all "needs clang, by a name with its version"
veth_pair
find_traced
interface "$build/bpf/capture.bpf.o" > "$scratch/own-face"
for version in $debian_12; do
	command -v "clang-$version" > /dev/null || skip "clang-$version is not installed"
done
for version in $(chosen); do
	try "clang-$version"
done
nothing_left "$right" vb
finish
