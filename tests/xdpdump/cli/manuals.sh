#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Every option in the manuals of tcpdump, dumpcap and xdp-tools' xdpdump is in docs/options.md or in habits.def, the page
# has none that is not there, and what it says of ours is so.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_xdpdump
need mandoc
page=$top/docs/options.md
habits=$top/xdpdump/habits.def
# Those of another release: MANUALS=DIR/usr/share/man.
manuals=${MANUALS:-/usr/share/man}

# An option stands at the beginning of a line, indented as the text of a section is, or, in xdp-tools' page, as
# the title of a part: in_manual TITLE, of the section.
in_manual()
{
	awk -v title="$1" '
	/^[^ ]/ { inside = $0 ~ title }
	inside' | grep -E '^ {3,8}-' |
		sed -E -e 's/^ *//' -e 's/  .*//' -e 's/[|,] ?/ /g' | tr ' ' '\n' |
		sed -n -E 's/^(-[A-Za-z#]+|--[a-z-]+)([=>].*)?$/\1/p' | sort -u
}

# in_table TITLE: "OPTION WORD" for each option of that table, with the word in the second column.
# in_table TITLE newer: those alone that a newer release has, without the word.
in_table()
{
	awk -F '|' -v title="## $1" -v newer="${2:-}" '
	/^## / { inside = $0 == title }
	inside && $2 ~ /`/ && (!newer || $4 ~ /^ in [0-9]/) {
		gsub(/[`,]/, "", $2)
		gsub(/^ +| +$/, "", $3)
		n = split($2, option, " ")
		for (i = 1; i <= n; i++)
			print newer ? option[i] : option[i] " " $3
	}' "$page" | sort -u
}

# Ours: "-l --long" and so on, a word a line.
"$xdpdump" --help all | sed -n -E 's/^ {2}(-.), (--[a-z-]+).*/\1\n\2/p; s/^ {6}(--[a-z-]+).*/\1/p' > "$scratch/ours"

# of_habits KIND: the options of these entries.
of_habits()
{
	sed -n -E -e "s/^$1\\('(.)'.*/-\\1/p" "$habits"
	sed -n -E -e "s/^$1\\((0|'.'), \"([^\"]*)\".*/--\\2/p" "$habits"
}
of_habits ACCEPTED > "$scratch/accepted"
of_habits SAME > "$scratch/same"
of_habits ANSWERED > "$scratch/answered"

# agrees OPTION WORD: is it in the program as the table says? -dd is the letter d.
agrees()
{
	case $1 in
	--*) option=$1 ;;
	*) option=$(printf %.2s "$1") ;;
	esac
	case $2 in
	same) cat "$scratch/ours" "$scratch/same" ;;
	other) cat "$scratch/ours" "$scratch/accepted" ;;
	esac | grep -qxF -e "$option"
}

# compare NAME SECTION PAGE TABLE
compare()
{
	file=$(find "$manuals"/man[18] -name "$3" 2> /dev/null | head -n 1)
	if [ -z "$file" ] || ! gzip -cdf "$file" > "$scratch/page"; then
		skip "$1: no manual ($3)"
		return
	fi
	mandoc -man -T ascii -O width=300 "$scratch/page" | sed 's/.\x08//g' | in_manual "$2" > "$scratch/theirs"
	in_table "$4" | cut -d ' ' -f 1 > "$scratch/here"
	sort -u "$scratch/here" "$scratch/accepted" "$scratch/answered" > "$scratch/somewhere"
	check "$1: its manual has options" test "$(wc -l < "$scratch/theirs")" -ge 15
	comm -23 "$scratch/theirs" "$scratch/somewhere" > "$scratch/missing"
	equal "$1: options that neither the table nor habits.def has" '' "$(tr '\n' ' ' < "$scratch/missing")"
	in_table "$4" newer > "$scratch/newer"
	comm -13 "$scratch/theirs" "$scratch/here" | grep -v -x -F -f "$scratch/newer" > "$scratch/unknown"
	equal "$1: options that the manual lacks" '' "$(tr '\n' ' ' < "$scratch/unknown")"
}
compare tcpdump '^OPTIONS' 'tcpdump.[18].gz' tcpdump
compare dumpcap 'OPTIONS' 'dumpcap.1.gz' dumpcap
compare "xdp-tools' xdpdump" '[Oo]ptions explained' 'xdpdump.8.gz' 'xdpdump of xdp-tools'

for table in tcpdump dumpcap 'xdpdump of xdp-tools'; do
	in_table "$table" | while read -r option word; do
		agrees "$option" "$word" || echo "$option: $word"
	done > "$scratch/wrong"
	equal "$table: what is said of ours, and is not so" '' "$(tr '\n' ' ' < "$scratch/wrong")"
done

# What the third column names of ours.
awk -F '|' '/^\| `-/ { print $4 }' "$page" | grep -o '`-[^`]*`' | tr -d '`' | sed 's/[ =].*//' | sort -u |
	while read -r option; do
		agrees "$option" same || printf '%s\n' "$option"
	done > "$scratch/wrong"
equal "options that are named and are not there" '' "$(tr '\n' ' ' < "$scratch/wrong")"

# What has no effect stands in xdpdump(8), and in --help all.
for option in $(cat "$scratch/accepted"); do
	grep -qE -e "^\.Fl (.* )?${option#-}( |\$)" "$top/man/xdpdump.8" || printf '%s\n' "$option"
done > "$scratch/wrong"
equal "options without effect that xdpdump(8) does not name" '' "$(tr '\n' ' ' < "$scratch/wrong")"
"$xdpdump" --help all | sed -n '/^Of tcpdump and dumpcap/,$p' > "$scratch/help"
for option in $(sed -n -E "s/^ACCEPTED\\('(.)'.*/-\\1/p; s/^ACCEPTED\\(0, \"([^\"]*)\".*/--\\1/p" "$habits"); do
	grep -qE -e "( |^)$option(,|\$)" "$scratch/help" || printf '%s\n' "$option"
done > "$scratch/wrong"
equal "options without effect that --help all does not name" '' "$(tr '\n' ' ' < "$scratch/wrong")"
finish
