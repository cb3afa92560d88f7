# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# How the demo speaks: read by tests/demo.sh.

# The demo lies one folder higher than the tests that lib.sh was made for.
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1

heading()
{
	printf '\n== %s\n' "$*"
}

say()
{
	printf '%s\n' "$*" | fold -s -w 92 | sed -e 's/^/  /' -e 's/ *$//'
}

# What a person would type; paths below the working directory are short.
prompt()
{
	echo "  # $*"
}

short()
{
	case $1 in
	"$top"/*) echo "${1#"$top"/}" ;;
	*) echo "$1" ;;
	esac
}

# shown COMMAND...: the command and what it says.
shown()
{
	"$@" > "$scratch/shown" 2>&1
	sed 's/^/    /' "$scratch/shown"
}

# shown_line PATTERN COMMAND...: the line of it that counts.
shown_line()
{
	pattern=$1
	shift
	"$@" 2>&1 | grep "$pattern" | sed -e 's/^ */    /' -e 's/ load_time.*//'
}

# shown_some COMMAND...: its first lines.
shown_some()
{
	"$@" 2> /dev/null | sed -e 's/^/    /' -e 's/\t\t*/  /g' | cut -c 1-110 | sed 8q
}

# kind NAME LINES SHOWN WANTED: that many packets of a kind out of what tcpdump printed, and among
# them one that was received and must be there.
kind()
{
	echo "  $1:"
	grep -E "$3" "$printed" | sed -e 's/ options \[[^]]*\],//' -e "$2q" | sed 's/^/    /'
	wanted "$1 in what tcpdump printed" grep -q -E "$4" "$printed"
}

# wanted WHAT COMMAND...: counts what was seen, and tells what was not.
wanted()
{
	what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		bad "$what was wanted, and not seen"
	fi
}

# lose WHY FILE: the demo cannot go on.
lose()
{
	bad "$1"
	show "$2"
	finish
}
