# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of who reads it
# What the machines have said last, as tables of Markdown: none of it is written by hand. $logs has a NAME.log of each
# machine that was run from this build directory, in this run or before, and in NAME.kernel its kernel, card and day.

# tests_of NAME: a row for each test.
tests_of()
{
	tr -d '\r' < "$logs/$1.log" | awk -v machine="$(cat "$logs/$1.kernel")" '
		function unended() {
			if (test != "" && test != "end")
				print machine " | " test " | did not end | | |"
		}
		/^== [^ ]+$/ { unended(); test = $2 } # the demo has headings
		/^[0-9]+ s$/ { seconds = $1 }
		/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ && test != "" && test != "end" {
			print machine " | " test " | " $1 " | " $3 " | " $5 " | " seconds
			test = seconds = ""
		}
		END { unended() }'
}

# said WORD NAME...: the rows that tests print.
said()
{
	word=$1
	shift
	for name; do
		tr -d '\r' < "$logs/$name.log" | sed -n "s/^$word: //p"
	done
}

# rows HEADING: which tells the columns, where there is any row.
rows()
{
	awk -v heading="$1" '
		NR == 1 {
			printf "\n| %s |\n|", heading
			for (n = split(heading, unused, "|"); n; n--)
				printf "---|"
			print ""
		}
		{ print "| " $0 " |" }'
}

# by_kernel: rows of "kernel | what | result", a column for each kernel. The last result counts.
by_kernel()
{
	awk -F ' [|] ' '
		!($1 in number) { number[$1] = ++kernels; kernel[kernels] = $1 }
		!($2 in row) { row[$2] = ++rows; what[rows] = $2 }
		{ result[$2, $1] = $3 }
		END {
			if (!rows)
				exit
			printf "\n| |"
			for (k = 1; k <= kernels; k++)
				printf " %s |", kernel[k]
			printf "\n|---|"
			for (k = 1; k <= kernels; k++)
				printf "---|"
			for (r = 1; r <= rows; r++) {
				printf "\n| %s |", what[r]
				for (k = 1; k <= kernels; k++)
					printf " %s |", (what[r], kernel[k]) in result ? result[what[r], kernel[k]] : "not run"
			}
			print ""
		}'
}

# shellcheck disable=SC2046 # names without blanks
write_table()
{
	set -- $(cd "$logs" && ls ./*.kernel | sed 's,^\./\(.*\)\.kernel$,\1,')
	echo "Written by make check-vm on $(uname -m), QEMU without acceleration."
	for name; do
		tests_of "$name"
	done | rows 'day | kernel | card | test | passed | failed | skipped | s'
	said able "$@" | sort -s -V -t "|" -k 1,1 | by_kernel
	said table "$@" | rows 'kernel | driver | engine | sockets | frames'
}

# machine_is NAME KERNEL NIC: for the table, once its log is there.
machine_is()
{
	echo "$(date +%F) | $2 | $3" > "$logs/$1.kernel"
}
