#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# describe.sh [FILE...]: what each test asserts, by the comment it begins with; of all tests without arguments.
cd "$(dirname "$0")/.." || exit 1

# Scripts that are run, and programs.
tests()
{
	find tests -name '*.sh' -exec awk 'FNR == 1 && /^#!/ { print FILENAME }' {} +
	find tests -name '*.c' -exec grep -l '^int main(' {} +
}

[ $# -gt 0 ] || {
	# shellcheck disable=SC2046 # names are ours
	set -- $(tests | sort)
}
awk '
function end()
{
	if (file)
		print file ":" (text ? text : " no comment")
	text = ""
}
FNR == 1 {
	end()
	file = FILENAME
	begun = over = 0
	comment = file ~ /\.c$/ ? "^(//|/[*]| [*])" : "^#"
}
over || /SPDX-|^#!|^# shellcheck / { next }
$0 ~ comment {
	begun = 1
	over = /\*\/$/
	gsub(/^(# ?|\/\/|\/\*+ ?| \*\/?)|\*\/$/, "")
	gsub(/^ +| +$/, "")
	if ($0 != "")
		text = text " " $0
	next
}
{ over = begun || $0 != "" }
END { end() }' "$@"
