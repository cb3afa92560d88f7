#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What pages and manuals promise: every link leads somewhere, every command that names one of our programs is one that
# the program takes. Captures are begun as they stand, on interfaces of these names; those that are not are listed with
# the reason in tests/pages/not-run.txt. What a page says that a command prints, it prints. The chart of the README is that of bench/RESULTS.md.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
pages=$top/tests/pages
table=$pages/not-run.txt
need python3 tcpdump
[ -x "$build/xdpdump/xdpdump" ] && [ -f "$build/Makefile" ] || skip_all "needs the build: make"

# nothing_wrong NAME COMMAND...: it prints what is wrong, and on standard error how much it looked at.
nothing_wrong()
{
	name=$1
	shift
	"$@" > "$scratch/wrong" 2> "$scratch/looked"
	if [ $? -eq 0 ] && [ ! -s "$scratch/wrong" ]; then
		ok "$name: $(cat "$scratch/looked")"
	else
		bad "$name"
		cat "$scratch/wrong" "$scratch/looked"
	fi
}

# in_folders TOP
in_folders()
{
	(cd "$1" && find . -name '.?*' -prune -o -name 'build*' -type d -prune -o -name 'libpcap-*' -type d -prune -o \
		-name 'pcap-afxdp-[0-9]*' -prune -o -type f -print) | xargs python3 "$pages/folders.py" "$1"
}

# valid_commands: but for lines that are no commands.
valid_commands()
{
	python3 "$pages/commands.py" "$1" "$build" "$scratch/commands" > "$scratch/invalid" || return 1
	sed -n 's/^prose \(.*\)	.*/\1/p' "$table" > "$scratch/prose"
	grep -v -E -f "$scratch/prose" "$scratch/invalid"
	return 0
}

# A copy with mistakes of each kind: all of them have to be found.
mistakes_are_found()
{
	mkdir -p "$scratch/copy/docs" "$scratch/copy/man"
	ln -s "$top/configure" "$scratch/copy/configure"
	cp "$top/man/xdpdump.8" "$scratch/copy/man"
	cat > "$scratch/copy/docs/README.md" <<- 'END'
	# One heading
	[a file](nosuch.md), [a heading](#one-headings), [right](#one-heading); nosuch is not, xdpdump(7) is not,
	nor is xdpdump(8), Nosuch things, nor `cli/nosuch.c`; xdpdump(8), Processes, is.

	    xdpdump -i eth0 --nosuch-option
	    xdpdump -i eth0,hok=tc
	    xdpdump -i eth0 tcp portt 80
	    tcpdump -i xdp:eth0,ring=7 udp
	    make -C build check-nosuch
	    ../configure --with-nosuch
	    pcapng-kafka get --nosuch kafka://10.0.0.1/packets
	    pcapng-find --nosuch host 10.0.0.1 /var/log/packets
	    xdpdump -i eth0 -w f.pcapng tcp port 80
	END
	python3 "$pages/links.py" "$scratch/copy" > "$scratch/found" 2> "$scratch/looked"
	equal "wrong links, manuals and files of a page are found" 5 "$(grep -c 'there is no\|no such' "$scratch/found")"
	mkdir "$scratch/copy/room"
	touch "$scratch/copy/room/named.c" "$scratch/copy/room/check_one.c" "$scratch/copy/room/unnamed"
	echo '`named`, `check_*`' > "$scratch/copy/room/README.md"
	equal "a file that a README does not name is found" "room/README.md does not name unnamed" \
		"$(in_folders "$scratch/copy" 2> /dev/null)"
	printf '| a | b |\n|---|---|\n| 1 | 2 | | 3 | 4 |\n| 5\n6 |\n\n- one. - Two.\n' > "$scratch/tables.md"
	equal "rows and items that are not on a line of their own are found" 4 \
		"$(python3 "$pages/tables.py" "$scratch/tables.md" | wc -l)"
	echo '.Dl # xdpdump -i eth0 --nosuch-in-a-manual' >> "$scratch/copy/man/xdpdump.8"
	valid_commands "$scratch/copy" > "$scratch/found" 2> "$scratch/looked"
	equal "wrong commands of a page and a manual are found" 9 "$(wc -l < "$scratch/found")"
	show "$scratch/found"
}

# reason LINE: of those that are not run.
reason()
{
	grep -v '^#' "$table" | sed 's/^prose //' | while IFS='	' read -r pattern why; do
		if echo "$1" | grep -q -E -e "$pattern"; then
			echo "$pattern" >> "$scratch/used"
			echo "$why"
			break
		fi
	done
}

is_capturing()
{
	grep -q 'listening on' "$err" || process_gone "$pid"
}

# run_line LINE: as a user types it, until it listens or has ended, then Ctrl-C.
# shellcheck disable=SC2046,SC2016 # one word per variable; for the shell within
run_line()
{
	command=${1#*: }
	command=$(echo "$command" | sed 's/^build\/xdpdump\///')
	start ip netns exec "$right" env --default-signal=INT $(library_environment) \
		PATH="$build/xdpdump:$PATH" sh -c 'cd "$1" && eval "exec env $2"' sh "$scratch" "$command"
	wait_for 30 is_capturing
	in_left ping -qc 2 -i 0.02 -W 1 10.99.0.2 > /dev/null
	process_gone "$pid" || kill -INT "$pid"
	ended "$pid" 20
	equal "runs: $1" 0 $?
	[ "$state" -eq 0 ] || show "$err"
}

interfaces()
{
	pair_namespaces
	number=0
	for name in eth0 eth1 mon0; do
		ip -n "$left" link add "p$number" type veth peer name "$name" netns "$right" || exit 1
		ip -n "$left" addr add "10.99.$number.1/24" dev "p$number"
		ip -n "$right" addr add "10.99.$number.2/24" dev "$name"
		ip -n "$left" link set "p$number" up
		ip -n "$right" link set "$name" up
		number=$((number + 1))
	done
}

# run_all: the same command once, wherever it stands.
run_all()
{
	: > "$scratch/used"
	sed -e 's/  *# .*//' "$scratch/commands" > "$scratch/lines"
	while read -r line; do
		why=$(reason "$line")
		grep -q -x -F -e "${line#*: }" "$scratch/done" 2> /dev/null && continue
		[ -z "$why" ] || continue
		echo "${line#*: }" >> "$scratch/done"
		run_line "$line"
	done < "$scratch/lines"
	grep -v -e '^#' "$table" | sed -e 's/^prose //' -e 's/	.*//' | sort > "$scratch/listed"
	sort -u "$scratch/used" | comm -23 "$scratch/listed" - > "$scratch/stale"
	equal "lines of tests/pages/not-run.txt without a command" '' "$(cat "$scratch/stale")"
}

# promise PAGE:COMMAND WORDS: by the words of the page, in which … stands for anything, or of the table.
promise()
{
	row=$(grep -F -e "$1	" "$pages/promises.txt")
	words=${2:-$(echo "$row" | cut -f 2)}
	[ -n "$row" ] && echo "$1" >> "$scratch/promised"
	[ "$(echo "$row" | cut -f 2)" != - ] || return
	if [ -z "$words" ]; then
		bad "promised: $1: what it prints is neither in the page nor in tests/pages/promises.txt"
		return
	fi
	pattern=$(echo "$words" | sed -e 's/[][().*+?^$|\\]/\\&/g' -e 's/ *… */.*/g')
	# shellcheck disable=SC2046,SC2016 # one word per variable; for the shell within
	in_right env $(library_environment) PATH="$build/xdpdump:$PATH" sh -c 'cd "$1" && eval "exec timeout 60 env $2"' \
		sh "$scratch" "${1#*: }" > "$scratch/printed" 2>&1 < /dev/null
	check "prints what is promised, '$words': $1" grep -E -e "$pattern" "$scratch/printed"
}

promises_are_kept()
{
	: > "$scratch/promised"
	python3 "$pages/promises.py" "$top" > "$scratch/promises"
	while IFS='	' read -r command words; do
		promise "$command" "$words"
	done < "$scratch/promises"
	grep -v '^#' "$pages/promises.txt" | cut -f 1 | sort > "$scratch/listed"
	sort -u "$scratch/promised" | comm -23 "$scratch/listed" - > "$scratch/stale"
	equal "lines of tests/pages/promises.txt without a promise" '' "$(cat "$scratch/stale")"
}

chart_is_new()
{
	python3 "$top/bench/glance" "$top/bench/RESULTS.md" | cmp - "$top/bench/glance.svg"
}

# Those for users and maintainers; those of folders are lists.
list_pages()
{
	(cd "$top" && find . -maxdepth 1 -name '*.md' && find docs packaging -name '*.md') | sed "s,^,$top/,"
}

no_long_sentences()
{
	(cd "$top" && find . -name '*.md' ! -path '*/libpcap-build/*' ! -path './build*' ! -name RESULTS.md ! -name PROFILE.md) |
		sed "s,^,$top/," | xargs python3 "$pages/sentences.py" && echo "none has more than 30 words" >&2
}

rows_and_items()
{
	list_pages | xargs python3 "$pages/tables.py" && echo "each on a line of its own" >&2
}

nothing_wrong "links, manuals and headings that pages name are there" python3 "$pages/links.py" "$top"
nothing_wrong "READMEs name the files of their folders" in_folders "$top"
nothing_wrong "sentences of pages" no_long_sentences
nothing_wrong "rows of tables and items of lists" rows_and_items
mistakes_are_found
nothing_wrong "commands that pages show are valid" valid_commands "$top"
nothing_wrong "ratios that pages name are those of bench/RESULTS.md" python3 "$pages/ratios.py" "$top"
check "the README's chart has the figures of bench/RESULTS.md: bench/glance" chart_is_new
[ "$(id -u)" -eq 0 ] && [ -e "$library/libpcap.so.0.8" ] || {
	skip "commands are not run: needs root, and libpcap"
	finish
}
need_root
interfaces
run_all
promises_are_kept
finish
