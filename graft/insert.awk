# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Applies the hunks of graft/edits for one file: awk -v file=NAME -f insert.awk edits FILE
# Writes the new text to standard output and the state to the file named by
# status=: "pristine", "grafted" (nothing to do), "untouched" (no place for any) or
# "error: reason"; then a line with the number of hunks that have no place.

# The number of places where text[from..] of the hunk stands in the file; the last is left in place.
function occurrences(from, to, only_anchor,    i, n, at, k, count)
{
	count = 0
	for (i = 1; i <= lines; i++) {
		at = i
		for (k = from; k <= to; k++) {
			if (only_anchor && inserted[k])
				continue
			if (line[at] != text[k])
				break
			at++
		}
		if (k > to && at - 1 <= lines) {
			count++
			place = i
		}
	}
	return count
}

function first_anchor_line(from, to,    k)
{
	for (k = from; k <= to; k++)
		if (!inserted[k])
			return text[k]
}

function finish(state)
{
	print state > status
	print left_out + 0 > status
	close(status)
}

function add(what)
{
	text[++total] = what
	inserted[total] = adding
	last[hunks] = total
}

FNR == NR && /^@@[?]? / {
	mine = $2 == file
	if (mine) {
		first[++hunks] = total + 1
		optional[hunks] = $1 == "@@?"
	}
	next
}

FNR == NR && (/@PKG_GET_LINK_INFO@/ && link_info == "" || /@PLAIN@/ && plain == "no") {
	next
}

FNR == NR && mine && /^[ +]/ {
	gsub(/@PKG_GET_LINK_INFO@/, link_info)
	gsub(/@PKG_CHECK_MODULE@/, pkg_check)
	gsub(/@ADDITIONAL_LIBS@/, libs)
	gsub(/@SOURCES@/, sources)
	sub(/@PLAIN@/, "")
	adding = /^\+/
	if ($0 == "+@FILES@") {
		n = split(files, ours, " ")
		for (i = 1; i <= n; i++)
			add("\t" ours[i] " \\")
	} else {
		add(substr($0, 2))
	}
	next
}

FNR == NR { next }

{ line[FNR] = $0; lines = FNR }

END {
	for (h = 1; h <= hunks; h++) {
		if (occurrences(first[h], last[h], 0) == 1) {
			done++
			continue
		}
		count = occurrences(first[h], last[h], 1)
		if (count != 1 && optional[h]) {
			left_out++
			continue
		}
		if (count != 1) {
			finish(sprintf("error: the anchor \"%s\" occurs %d times instead of once",
				first_anchor_line(first[h], last[h]), count))
			exit
		}
		hunk_at[place] = h
	}
	if (done == hunks - left_out) {
		finish(done ? "grafted" : "untouched")
		exit
	}
	if (done) {
		finish("error: " done " of " hunks - left_out " insertions are there already")
		exit
	}
	for (i = 1; i <= lines; i++) {
		if (!(i in hunk_at)) {
			print line[i]
			continue
		}
		h = hunk_at[i]
		for (k = first[h]; k <= last[h]; k++) {
			print text[k]
			if (!inserted[k])
				i++
		}
		i--
	}
	finish("pristine")
}
