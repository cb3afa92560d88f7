#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The order of the house: which folder may see which, no header that comes round to itself, and no two
# files that call each other, be it by way of others.
. "$(dirname "$0")/lib.sh"
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1

# Each folder, and what it may include besides itself: folders, or single files. A folder above is in no
# line of one below it. Who uses the library sees its face alone. Rooms of xdpdump see what is below all
# of it, and the rooms that are named.
directions()
{
	cat <<-END
	bpf
	util pcap-afxdp-debug.h
	capture/options bpf capture/afxdpcapture.h
	filter bpf
	capture/ring bpf util capture/afxdpcapture.h capture/options
	capture/attach bpf util filter capture/afxdpcapture.h capture/options capture/ring
	capture/divert bpf util capture/afxdpcapture.h capture/options capture/ring capture/attach
	capture/loader bpf util filter capture/afxdpcapture.h capture/options capture/sets capture/ring capture/attach
	capture/read bpf util filter capture/afxdpcapture.h capture/options capture/ring capture/attach capture/divert capture/loader
	capture/sets bpf util capture/afxdpcapture.h capture/options
	capture bpf util capture/sets capture/options capture/ring capture/attach capture/divert capture/loader capture/read
	pcapng bpf util capture/afxdpcapture.h
	who bpf util
	pcap-afxdp capture/afxdpcapture.h
	index util pcapng
	kafka util pcapng index
	find util pcapng index
	END
	while read -r room below; do
		printf '%s bpf util filter pcapng who index capture/afxdpcapture.h capture/options/options.def' "$room"
		for one in $below; do
			printf ' xdpdump/%s' "$one"
		done
		echo
	done <<-END
	xdpdump/os
	xdpdump/plan
	xdpdump/files os plan
	xdpdump/spaces os plan
	xdpdump/source os plan spaces options.def
	xdpdump/output os plan files spaces source
	xdpdump/feed os plan files
	xdpdump/session os plan files spaces source output feed
	xdpdump/cli os plan files source output options.def habits.def
	xdpdump/doctor os plan source session cli
	xdpdump os plan source session cli doctor
	END
}

sources()
{
	(cd "$top" && ls pcap-afxdp*.[ch] && find bpf util filter capture pcapng who xdpdump kafka index find -name '*.[chd]' -o -name '*.def') | sort
}

# "FILE INCLUDED" for each #include of a file of ours: in the same folder, or by its path from the top;
# libpcap's module names the library's face alone.
includes()
{
	sources > "$scratch/sources"
	(cd "$top" && xargs grep -H '^#include "' < "$scratch/sources") |
		sed 's/^\([^:]*\):#include "\([^"]*\)".*/\1 \2/' |
		awk -v list="$scratch/sources" '
		BEGIN {
			while ((getline file < list) > 0)
				known[file]
		}
		{
			from = $1
			folder = from
			sub("/[^/]*$", "", folder)
			if (folder "/" $2 in known)
				to = folder "/" $2
			else if ($2 in known)
				to = $2
			else if ("capture/" $2 in known)
				to = "capture/" $2
			else
				to = ""
			if (to != "")
				print from, to
		}'
}

against_directions()
{
	directions > "$scratch/directions"
	awk -v table="$scratch/directions" '
	BEGIN {
		while ((getline line < table) > 0) {
			n = split(line, word, " ")
			home[word[1]]
			for (i = 2; i <= n; i++)
				may[word[1], word[i]]
		}
	}
	function folder_of(file)
	{
		if (file ~ /^pcap-afxdp/)
			return "pcap-afxdp"
		do
			sub("/[^/]*$", "", file)
		while (!(file in home) && file ~ "/")
		return file
	}
	{
		from = folder_of($1)
		to = folder_of($2)
		if (from != to && !((from, to) in may) && !((from, $2) in may))
			print $1 " includes " $2 ": " from " may not see " to
	}' "$scratch/includes"
}

# tsort names who is in a loop.
loops()
{
	tsort "$1" 2>&1 > /dev/null | sed 's/^tsort: //'
}

# calls PATTERN: "OBJECT CALLED" by the symbols of the objects of these names.
calls()
{
	(cd "$build" && find util filter capture pcapng who xdpdump kafka index find -name '*.o' |
		grep "/\($1\)-" | xargs -r nm -A) |
		awk '
		{ file = $1; sub(":.*", "", file); sub("/[a-z_]*-", "/", file) }
		$(NF - 1) == "U" { wants[file " " $NF]; next }
		$(NF - 1) ~ /^[TDBR]$/ { home[$NF] = file }
		END {
			for (want in wants) {
				split(want, word, " ")
				if (word[2] in home && home[word[2]] != word[1])
					print word[1], home[word[2]]
			}
		}' | sort
}

# Calls back, each with its reason: this list only shrinks.
known()
{
	cat <<-END
	xdpdump/session/reader.o xdpdump/session/supervisor.o
	xdpdump/session/reader_heed.o xdpdump/session/supervisor.o
	END
	# A reader of all rings has the supervisor's thread: it sleeps by it, and while a pipe is full it lets it hear signals.
}

# whole_options: files of rooms below the session that see the whole command line, and not their part of it.
whole_options()
{
	(cd "$top/xdpdump" && grep -lw 'struct options' os/* files/* spaces/* source/* output/* feed/*)
}

# unpaired: each order of memory without a word, near it, about what it pairs with.
unpaired()
{
	sources | grep -v '^filter\|^pcapng\|^kafka\|^index\|^find' | sed "s|^|$top/|" | xargs awk '
		FNR == 1 { near = 0 }
		/[Pp]airs? with|[Aa]tomic, by itself/ { near = FNR }
		/__ATOMIC_(ACQ|RELEASE|SEQ)|memory_order_(acq|release|seq)|__sync_lock_test_and_set/ && (!near || FNR - near > 16) {
			print FILENAME ":" FNR ": " $0
		}'
}

# objectless: objects that rules of makefiles name, and no file is compiled to, since it moved.
objectless()
{
	(cd "$top" && cat Makefile.am ./*/local.mk) | grep -o '[a-z_/]*-[a-z_0-9]*\.$(OBJEXT)' | sort -u |
		sed 's|/[^/]*-\([a-z_0-9]*\)\..*|/\1.c|' | while read -r file; do
			[ -f "$top/$file" ] || echo "$file"
		done
}

# outdated: reasons of tests/coverage/argued.txt for lines that are gone, by file, function and text.
outdated()
{
	tab=$(printf '\t')
	grep -v '^#' "$top/tests/coverage/argued.txt" | while IFS=$tab read -r file function text reason; do
		grep -q "^[a-z].*\b$(echo "$function" | sed 's/\*/.*/g')(" "$top/$file" || echo "$file: no $function()"
		case $text in
		*'*'*) ;;
		*) grep -qF -- "$text" "$top/$file" || echo "$file, $function(): no line \"$text\", $reason" ;;
		esac
	done
}

# unreachable: functions that fuzz/reaches names, and no file has.
unreachable()
{
	(cd "$top" && find . -name '*.[ch]' -not -path './build*' -exec cat {} +) |
		grep '^[a-z].*(' > "$scratch/functions"
	grep -v '^#' "$top/fuzz/reaches" | while read -r target names; do
		for name in $names; do
			grep -q "\b$name(" "$scratch/functions" || echo "$target: no $name()"
		done
	done
}

nothing_in()
{
	[ ! -s "$1" ] || { cat "$1"; return 1; }
}

objectless > "$scratch/objectless"
check "rules of makefiles name objects of files that are there" nothing_in "$scratch/objectless"
outdated > "$scratch/outdated"
check "reasons why no test runs a line are of lines that are there" nothing_in "$scratch/outdated"
unreachable > "$scratch/unreachable"
check "functions that the fuzzers have to reach are there" nothing_in "$scratch/unreachable"
unpaired > "$scratch/unpaired"
check "who orders memory says what it pairs with" nothing_in "$scratch/unpaired"
includes > "$scratch/includes"
against_directions > "$scratch/against"
grep -r -l --include='*.c' -w assert_in_range "$top/tests" | xargs grep -L 'ranges.h"' > "$scratch/rangeless"
check "tests that ask for a range have tests/ranges.h, for cmocka 2" nothing_in "$scratch/rangeless"
check "no file includes one that its folder may not see" nothing_in "$scratch/against"
loops "$scratch/includes" > "$scratch/circles"
whole_options > "$scratch/whole"
check "rooms of xdpdump below the session get their part of the options" nothing_in "$scratch/whole"
check "no header comes round to itself" nothing_in "$scratch/circles"
if command -v nm > /dev/null && ls "$build"/capture/*.o > /dev/null 2>&1; then
	# Those of the library and xdpdump, then those of pcapng-kafka and of pcapng-find, which have functions of the same names.
	{
		calls 'libcapture_a\|libfilter_a\|libwho_a\|libxdpdump_a\|xdpdump'
		calls '.*lib\(kafka\|section\)_a\|.*pcapng_kafka'
		calls '.*pcapng_find'
	} > "$scratch/calls"
	known > "$scratch/known"
	grep -vxFf "$scratch/known" "$scratch/calls" > "$scratch/others"
	loops "$scratch/others" > "$scratch/cycles"
	check "no two files call each other" nothing_in "$scratch/cycles"
	grep -xFf "$scratch/calls" -v "$scratch/known" > "$scratch/gone"
	check "and those that are known to do so still do" nothing_in "$scratch/gone"
else
	skip "no two files call each other: needs nm, and what a build has made"
fi
finish
