#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# xdpdump(8) has the groups and options of --help all, in the same order, each on its own; the messages under
# DIAGNOSTICS are those of the sources; examples come first; groff has no complaint about any page.
# shellcheck disable=SC2046 # names without blanks
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_xdpdump
need python3
page=$top/man/xdpdump.8
reader=$top/tests/xdpdump/cli/manual.py

# Groups are the lines that are not indented, from the first one on.
"$xdpdump" --help all | sed -n '/^What to capture/,$p' | sed -nE \
	-e '/^[^ ]/p' -e 's/^  (-.), (--[a-z-]+).*/\1 \2/p' -e 's/^      (--[a-z-]+).*/\1/p' > "$scratch/help"
python3 "$reader" options "$page" | grep -v '^Of tcpdump and dumpcap, refused$' > "$scratch/manual"
check "--help all has groups and options" test "$(wc -l < "$scratch/help")" -ge 70
equal "the manual has groups and options as --help all has them" '' "$(diff "$scratch/help" "$scratch/manual")"

find "$top/xdpdump" "$top/capture" -name '*.[ch]' -o -name '*.def' > "$scratch/sources"
for each in xdpdump.8 pcap-afxdp.7; do
	equal "$each: each message under DIAGNOSTICS is one of the sources" '' \
		"$(python3 "$reader" messages "$top/man/$each" $(cat "$scratch/sources"))"
	check "$each: there are messages" test "$(grep -c '^\.It Li "' "$top/man/$each")" -ge 5
	equal "$each: examples come behind the synopsis" '.Sh EXAMPLES\&' \
		"$(grep '^\.Sh' "$top/man/$each" | sed -n '/^\.Sh SYNOPSIS/{n;p;}')"
done

if command -v groff > /dev/null; then
	for each in "$top"/man/*.[1-8]; do
		equal "${each##*/}: groff has no complaint" '' "$(groff -man -mdoc -ww -z "$each" 2>&1)"
	done
else
	skip "complaints of groff: needs groff"
fi
finish
