# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Turns the system's package sources into source-package sources of one release, keeping
# mirrors, keys and options: awk -v own=bookworm -v want=trixie -f sources.awk FILE.list...
# (one line each), or with -v deb822=1 FILE.sources... (paragraphs).

# The suite to ask for in place of this one; empty for a suite that has no libpcap for us.
function suite_for(suite,    base, rest)
{
	base = suite
	rest = ""
	if (match(suite, /-(updates|security|proposed-updates)$/)) {
		base = substr(suite, 1, RSTART - 1)
		rest = substr(suite, RSTART)
	}
	if (base != own && base !~ /^((old)*stable|testing|unstable|sid)$/)
		return ""
	if (want == own)
		return suite
	return rest == "" ? want : ""
}

function suites_for(suites,    n, i, all, new)
{
	n = split(suites, all, /[ \t]+/)
	for (i = 1; i <= n; i++)
		if (all[i] != "" && (suite = suite_for(all[i])) != "")
			new = new " " suite
	return new
}

function flush_paragraph(    suites)
{
	suites = suites_for(field["suites"])
	if ((" " field["types"] " ") ~ /[ \t]deb[ \t]/ && field["enabled"] !~ /^[ \t]*no/ &&
		(" " field["components"] " ") ~ /[ \t]main[ \t]/ && suites != "")
		printf "Types: deb-src\nURIs:%s\nSuites:%s\nComponents: main\n%s\n", field["uris"], suites, kept
	split("", field)
	kept = name = ""
}

deb822 && FNR == 1 { flush_paragraph() }

deb822 && /^#/ { next }

deb822 && /^[ \t]*$/ { flush_paragraph(); next }

deb822 && /^[ \t]/ {
	if (name ~ /^(suites|uris|components|types|enabled)$/)
		field[name] = field[name] " " $0
	else
		kept = kept $0 "\n"
	next
}

deb822 && /^[^:]+:/ {
	name = tolower(substr($0, 1, index($0, ":") - 1))
	field[name] = substr($0, index($0, ":") + 1)
	if (name !~ /^(suites|uris|components|types|enabled)$/)
		kept = kept $0 "\n"
	next
}

!deb822 && /^[ \t]*deb[ \t]/ {
	sub(/#.*/, "")
	sub(/^[ \t]*deb[ \t]+/, "")
	options = ""
	if (match($0, /^\[[^]]*\][ \t]*/)) {
		options = substr($0, 1, RLENGTH)
		$0 = substr($0, RLENGTH + 1)
	}
	suite = suite_for($2)
	for (i = 3; i <= NF; i++)
		if ($i == "main" && suite != "") {
			print "deb-src", options $1, suite, "main"
			break
		}
}

END { if (deb822) flush_paragraph() }
