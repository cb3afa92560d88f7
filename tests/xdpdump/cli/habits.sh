#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Options that are typed by habit: every entry of xdpdump/habits.def is run. Those without effect change nothing,
# the others are answered by their sentence, and what that proposes works.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need ping tcpdump tshark editcap capinfos
table=$top/xdpdump/habits.def
veth_pair
cd "$scratch" || exit 1

# entries KIND: "LETTER|NAME|REST", what is not there empty.
entries()
{
	sed -n -E "s/^$1\\((0|'(.)'), (NULL|\"([^\"]*)\"), (.*)\\)\$/\\2|\\4|\\5/p" "$table"
}

# spellings LETTER NAME: a line each
spellings()
{
	[ -z "$1" ] || printf '%s\n' "-$1"
	[ -z "$2" ] || printf '%s\n' "--$2"
}

read_entries=0
for kind in ACCEPTED SAME ANSWERED; do
	entries $kind > $kind
	read_entries=$((read_entries + $(wc -l < $kind)))
done
equal "entries of the table that are understood" "$(grep -c '^[A-Z]*(' "$table")" "$read_entries"

"$xdpdump" --help all > help
ours=$(sed -n -E 's/^ {2}(-.), (--[a-z-]+).*/\1 \2/p; s/^ {6}(--[a-z-]+).*/\1/p' help | tr '\n' ' ')
while IFS='|' read -r letter name _; do
	for option in $(spellings "$letter" "$name"); do
		case " $ours " in *" $option "*) printf '%s\n' "$option" ;; esac
	done
done > twice << END
$(cat ACCEPTED SAME ANSWERED)
END
equal "options that have an entry in both tables" '' "$(tr '\n' ' ' < twice)"

# Without effect: one by one, and all of them.
"$xdpdump" -d tcp port 80 > plain
all=''
while IFS='|' read -r letter name rest; do
	value=$(echo "$rest" | sed -n 's/^"\([^"]*\)".*/\1/p')
	[ "$value" != MILLISECONDS ] || value=500
	for option in $(spellings "$letter" "$name"); do
		# shellcheck disable=SC2086 # a value, or none
		"$xdpdump" $option $value -d tcp port 80 > said 2>&1
		state=$?
		check "$option $value: no effect" test "$state" -eq 0
		check "$option $value: nothing is said" cmp plain said
		all="$all $option $value"
	done
done < ACCEPTED
# shellcheck disable=SC2086 # words
start_xdpdump -Q in $all -nn -lnvU -c 2 icmp
capture=$pid printed=$out
in_left ping -qc 3 -i 0.1 10.99.0.2 > /dev/null
check "all of them: the capture ends" ended "$capture" 10
equal "all of them: lines" 2 "$(grep -c 'IP 10\.99\.0\.1 > 10\.99\.0\.2: ICMP echo request' "$printed")"
run_xdpdump -i vb --time-stamp-precision micro -w made
equal "--time-stamp-precision micro: status" 1 "$state"
check "--time-stamp-precision micro: the reason" grep -qxF -e \
	'xdpdump: --time-stamp-precision takes nano alone, not "micro": time stamps have nanoseconds' "$err"

# The same as ours: -X.
equal "entries that are the same as ours" X "$(cut -d '|' -f 1 SAME)"
for option in -x -X -XX; do
	start_xdpdump $option -c 1 icmp
	capture=$pid printed=$out
	in_left ping -qc 2 -i 0.1 -s 8 10.99.0.2 > /dev/null
	ended "$capture" 10
	equal "$option: bytes" 4 "$(grep -c '^  0x00[0-9]0:  ' "$printed")"
done

# Refused, in whatever way they are typed.
refused()
{
	sentence=$1
	shift
	run_xdpdump "$@"
	echo "xdpdump: $sentence" > wanted
	if [ "$state" -eq 1 ] && cmp -s wanted "$err" && [ ! -e made ] && no_xdp_program "$right" vb; then
		ok "xdpdump $*"
	else
		bad "xdpdump $*: status $state, wanted: $sentence"
		show "$err"
	fi
}
while IFS='|' read -r letter name answer; do
	answer=${answer#\"}
	answer=${answer%\"}
	[ -z "$letter" ] || refused "-$letter: $answer" -i vb -w made "-$letter" x
	[ -z "$letter" ] || refused "-$letter: $answer" -i vb "-nn${letter}x" -w made
	[ -z "$name" ] || refused "--$name: $answer" -i vb -w made "--$name=x"
	[ -z "$name" ] || refused "--$name: $answer" -i vb "--$name" x -w made
	echo "$answer" >> answers
done < ANSWERED
run_xdpdump -pi vb
check "-p without a value: the names of programs are missing" grep -q 'name an interface' "$err"
refused '--program-names needs the names or ids of XDP programs, not "-i"; promiscuous mode, which tcpdump -p turns off, is off without -P' \
	-p -i vb -w made

# What they propose: options of ours are there, commands of others run.
grep -o -e "--[a-z-]*" answers | sort -u | while read -r option; do
	case " $ours " in
	*" $option "*) ;;
	*) grep -q -F -e "editcap $option" answers || printf '%s\n' "$option" ;;
	esac
done > missing
equal "options that answers name and are not there" '' "$(tr '\n' ' ' < missing)"
start_xdpdump -w f.pcapng -c 3 icmp
capture=$pid
in_left ping -qc 4 -i 0.1 10.99.0.2 > /dev/null
check "a file to try them on" ended "$capture" 10
echo f.pcapng > list
grep -o -e "--decode='[^']*'" answers | sort -u | sed "s/^--decode='\\(.*\\)'/\\1/" | while read -r proposed; do
	command=$(echo "$proposed" | sed 's/ KEY$/ 1@10.99.0.1\\ none:x/; s/ MODULE$/ x/; s/ SECRET$/ x/
		s/ TYPE$/ domain/; s/ FORM$/ json/; s/ FILTER$/ icmp/')
	sh -c "$command -r f.pcapng" > said 2> error && [ -s said ] || {
		echo "$proposed"
		cat error
	}
done > wrong
equal "commands that --decode is to run, and do not run" '' "$(cat wrong)"
check "tcpdump -r FILE" tcpdump -r f.pcapng
check "tcpdump -V FILE" tcpdump -V list
check "tshark -r FILE" tshark -r f.pcapng
check "editcap --capture-comment TEXT FILE NEW" editcap --capture-comment 'a word' f.pcapng new.pcapng
check "... and the comment is there" sh -c 'capinfos new.pcapng | grep -q "Capture comment: *a word"'
(umask 027 && run_xdpdump -i vb -w mode.pcapng -a duration:0.1)
equal "umask 027: the mode" 640 "$(stat -c %a mode.pcapng)"
check "--micro: --decode prints microseconds" sh -c \
	'tcpdump -nn -r f.pcapng 2> error | grep -q "^[0-9:]*\.[0-9]\{6\} IP"'

# Spelt as dumpcap and tcpdump have it, and real: -f, -O.
"$xdpdump" -f 'tcp port 80' -d > said
check "-f: the filter" cmp plain said
"$xdpdump" -f 'tcp port 80' -d udp > said 2>&1
equal "-f and another" 'xdpdump: the filter is either in --expression or behind the options, not both' "$(cat said)"
"$xdpdump" -f tcp -f udp -d > said 2>&1
equal "-f twice" 'xdpdump: --expression is given twice: there is one filter for all interfaces' "$(cat said)"
echo udp > filter
"$xdpdump" -f tcp -F filter -d > said 2>&1
equal "-f and -F" 'xdpdump: the filter is either in filter or on the command line, not both' "$(cat said)"
start_xdpdump -f icmp -c 2
capture=$pid printed=$out
in_left ping -qc 3 -i 0.1 10.99.0.2 > /dev/null
check "-f: ends" ended "$capture" 10
equal "-f: lines" 2 "$(grep -c ICMP "$printed")"
expression='ip and ip and tcp port 80'
"$xdpdump" -O -d "$expression" > said
tcpdump -O -y EN10MB -s 262144 -d "$expression" > theirs 2> error
check "-O: as tcpdump -O has it" cmp theirs said
check "-O: which is another program" fails cmp plain said
start_xdpdump -O -v -c 2 'icmp and icmp and not (tcp port 1 or tcp port 2)'
capture=$pid printed=$out said=$err
in_left ping -qc 3 -i 0.1 10.99.0.2 > /dev/null
check "-O: ends" ended "$capture" 10
equal "-O: lines" 2 "$(grep -c ICMP "$printed")"
finish
