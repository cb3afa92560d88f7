#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2016,SC2010,SC2011 # commands in quotes are for inner shells; names are ours
# A file is its command's until that has ended: what each command of -z is handed stays there and stays the
# same, with slow commands and with hanging ones, under full rate. What finds no room meanwhile is counted.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need mergecap sha256sum
veth_pair
folder=$scratch/files store=$scratch/store seen=$scratch/seen

# judge FILE: a slow command. A copy of what it was handed goes to the store, and FILE is the same at the end
# as it was at the beginning.
cat > "$scratch/judge" << END
#!/bin/sh
before=\$(sha256sum < "\$1")
cp "\$1" "$store/\$\$"
sleep 0.02
after=\$(sha256sum < "\$1") copy=\$(sha256sum < "$store/\$\$")
[ "\$before" = "\$after" ] && [ "\$before" = "\$copy" ] && echo "same \$1" >> "$seen" && exit
echo "changed \$1" >> "$seen"
END
# hang FILE: the same, but those whose name $scratch/hangs has do not end before $scratch/let_go is there; or not at all.
cat > "$scratch/hang" << END
#!/bin/sh
if grep -qx "\${1##*/}" "$scratch/hangs"; then
	sha256sum < "\$1" > "$scratch/held.\${1##*/}"
	: > "$scratch/hanging.\${1##*/}"
	while ! [ -e "$scratch/let_go" ]; do sleep 0.05; done
	sha256sum < "\$1" | cmp -s - "$scratch/held.\${1##*/}" || echo "changed \$1" >> "$seen"
fi
exec "$scratch/judge" "\$1"
END
chmod 755 "$scratch/judge" "$scratch/hang"

begin()
{
	rm -rf "$folder" "$store" "$seen" "$scratch"/hanging.* "$scratch/let_go"
	mkdir "$folder" "$store"
	: > "$seen"
	start_xdpdump "$@"
	capture=$pid said=$err named=$out
}

# dropped_for_room: as the statistics say.
dropped_for_room()
{
	sed -n 's/^\([0-9]*\)   of these: no room for files, .*/\1/p' "$said"
}

# all_handed NAME: commands were handed, whole and unchanged, each file whose name was printed, once; together
# these have each packet that was captured, once, and what they lack of those sent was dropped, and told.
all_handed()
{
	sort "$named" > "$scratch/named"
	sed -n 's/^same //p' "$seen" | sort > "$scratch/same"
	check "$1: each file told of was handed over, unchanged" cmp "$scratch/named" "$scratch/same"
	equal "$1: files that were not there, or not the same" 0 "$(grep -cv '^same ' "$seen")"
	equal "$1: packets said, and handed over" "$(count captured "$said")" "$(packets_in "$store")"
	equal "$1: captured and dropped" "$(json "$scratch/sent" sent)" \
		$(($(count captured "$said") + $(count dropped "$said")))
	mergecap -w "$scratch/all.pcapng" "$store"/* 2> /dev/null
	check "$1: no packet twice, those that lack were dropped" "$capcheck" --order none \
		--dropped "$(count dropped "$said")" --json "$scratch/sent" "$scratch/all.pcapng"
}

has_lines()
{
	[ "$(wc -l < "$2")" -ge "$1" ]
}

# in_group PROCESS: those that live of its process group.
in_group()
{
	ps -eo pgid=,stat=,pid= | awk -v group="$1" '$1 == group && $2 !~ /Z/ { print $3 }'
}

# A ring of two files, and of one, that is full long before a command has ended. The rings bridge it.
for files in 2 1; do
	begin -C 100K -W $files -z "$scratch/judge" --print-name -w "$folder/f"
	send -n 10000 -s 100
	check "slow, -W $files: it ends well" stop "$capture" INT
	all_handed "slow, -W $files"
	check "slow, -W $files: files" test "$(wc -l < "$named")" -ge 16
	between "slow, -W $files: files that are kept" 1 $files "$(ls "$folder" | wc -l)"
done

# They do not bridge it: packets are lost by that name.
begin -C 100K -W 2 -z "$scratch/judge" --print-name --ring 512K -w "$folder/f"
send -n 200000 -s 100
check "small rings: it ends well" stop "$capture" INT
all_handed "small rings"
check "small rings: lost for want of room" test "$(dropped_for_room)" -gt 1000
equal "small rings: it is said once while it happens" 1 "$(grep -c '^xdpdump: warning: no room for the next file' "$said")"

# dumpcap's names and a limit of the disk.
begin -b filesize:100 -b files:3 -z "$scratch/judge" --print-name -w "$folder/f.pcapng"
send -n 10000 -s 100
check "-b files: it ends well" stop "$capture" INT
all_handed "-b files"
between "-b files: files that are kept" 1 3 "$(ls "$folder" | wc -l)"
begin -C 100K --disk-limit 300K -z "$scratch/judge" --print-name -w "$folder/f"
send -n 10000 -s 100
check "--disk-limit: it ends well" stop "$capture" INT
all_handed "--disk-limit"
between "--disk-limit: KiB in files" 1 300 "$(du -sk --apparent-size "$folder" | cut -f1)"

# One command hangs: its file stays, under its name, and the others take turns without it. Nothing is lost.
echo f0 > "$scratch/hangs"
begin -C 100K -W 3 -z "$scratch/hang" --print-name -w "$folder/f"
send -n 10000 -s 100
check "one hangs: it does" wait_for 20 test -e "$scratch/hanging.f0"
check "one hangs: the others go on" wait_for 20 has_lines 10 "$seen"
settle "$capture"
kill -INT "$capture"
check "one hangs: it is waited for, and told" wait_for 20 \
	grep -q '^xdpdump: the capture has ended, waiting for [1-3] commands* (-z); a second signal ends' "$said"
check "one hangs: and waited for" kill -0 "$capture"
# Not the blocks that a file takes: a file system gives it these later.
stat -c '%n %i %s %y %a' "$folder"/* > "$scratch/before"
run_xdpdump -i vb -C 100K -W 3 -w "$folder/f"
equal "one hangs: another xdpdump on its files: status" 1 "$state"
check "one hangs: and why" grep -q '^xdpdump: .*/f: another xdpdump has files of this name, at present .*/f0$' "$err"
stat -c '%n %i %s %y %a' "$folder"/* > "$scratch/after"
check "one hangs: files as before" cmp "$scratch/before" "$scratch/after"
: > "$scratch/let_go"
check "one hangs: it ends well" ended "$capture" 20
all_handed "one hangs"
equal "one hangs: dropped" 0 "$(count dropped "$said")"

# All hang: what finds no room is counted, the first signal is heard, the second ends them and what they began.
printf 'f0\nf1\n' > "$scratch/hangs"
begin -C 100K -W 2 -z "$scratch/hang" --ring 512K -w "$folder/f" --stats-interval 0.1
send -n 50000 -s 100
check "all hang: both do" wait_for 20 test -e "$scratch/hanging.f1"
check "all hang: statistics go on, and tell" wait_for 20 grep -q 'dropped: no room for files' "$said"
kill -INT "$capture"
check "all hang: the first signal is told" wait_for 20 grep -q 'the capture has ended, waiting for 2 commands' "$said"
check "all hang: the program is off" no_xdp_program "$right" vb
commands=$(pgrep -P "$capture" -f "^/bin/sh $scratch/hang $folder/f" | xargs)
equal "all hang: commands that run" 2 "$(echo "$commands" | wc -w)"
kill -TERM "$capture"
ended "$capture" 20
equal "all hang: status" 1 $?
equal "all hang: each is told" 2 "$(grep -c '^xdpdump: .*/hang .*/f[01]: ended by signal 15, for the second signal' "$said")"
for one in $commands; do
	equal "all hang: what is left of process group $one" "" "$(in_group "$one")"
done
got=$(count captured "$said") lost=$(count dropped "$said")
kept=$(sed -n 's/ packets not kept: .*//p' "$said")
equal "all hang: captured, dropped, not kept" 50000 $((got + lost + ${kept:-0}))
check "all hang: lost for want of room" test "$(dropped_for_room)" -gt 0
equal "all hang: packets in files" "$got" "$(packets_in "$folder")"
for file in f0 f1; do
	equal "all hang: $file is as it was handed over" "$(cat "$scratch/held.$file")" "$(sha256sum < "$folder/$file")"
done

# More hang than run side by side: the others' commands have not begun, and do not.
seq -f 'f%.0f' 0 7 > "$scratch/hangs"
begin -C 100K -W 8 -z "$scratch/hang" -w "$folder/f"
send -n 6000 -s 100
hang_side_by_side()
{
	[ "$(ls "$scratch"/hanging.f? 2> /dev/null | wc -l)" -eq 4 ]
}
check "more hang: as many as run side by side" wait_for 20 hang_side_by_side
settle "$capture"
kill -INT "$capture"
check "more hang: the first signal is told" wait_for 20 grep -q 'the capture has ended, waiting for [5-8] commands' "$said"
kill -TERM "$capture"
ended "$capture" 20
equal "more hang: status" 1 $?
equal "more hang: ended" 4 "$(grep -c '^xdpdump: .*/hang .*/f[0-7]: ended by signal 15, for the second signal' "$said")"
between "more hang: not run" 1 4 "$(grep -c '^xdpdump: .*/hang .*/f[0-7]: not run, for the second signal to xdpdump' "$said")"
equal "more hang: packets in files" "$(count captured "$said")" "$(packets_in "$folder")"

# A time that comes again, in a minute, would name a file that a command has.
if ! is_quick; then
	seq -f 'f%02.0f' 0 59 > "$scratch/hangs"
	begin -G 1 -z "$scratch/hang" -w "$folder/f%S"
	start ip netns exec "$left" "$trafgen" -i va -n 6600 -r 100 -s 100
	sender=$pid
	check "a name comes again: it is told" wait_for 90 grep -q '^xdpdump: warning: no room for the next file' "$said"
	: > "$scratch/let_go"
	ended "$sender" 30
	settle "$capture"
	check "a name comes again: it ends well" stop "$capture" INT
	equal "a name comes again: captured and dropped" 6600 $(($(count captured "$said") + $(count dropped "$said")))
	equal "a name comes again: files that were not the same" 0 "$(grep -c '^changed ' "$seen")"
fi

# One that minds no SIGTERM is killed; the end came by itself, and both signals are for the command.
printf '#!/bin/sh\ntrap "" TERM\n: > "$0.runs"\nwhile :; do sleep 0.05; done\n' > "$scratch/stubborn"
chmod 755 "$scratch/stubborn"
begin -a duration:0.1 -z "$scratch/stubborn" -w "$folder/f"
check "stubborn: the end is told" wait_for 20 grep -q 'waiting for 1 command (-z); a second signal ends it$' "$said"
check "stubborn: it runs" wait_for 20 test -e "$scratch/stubborn.runs"
kill -TERM "$capture"
settle "$capture"
check "stubborn: one signal waits" kill -0 "$capture"
kill -INT "$capture"
ended "$capture" 20
equal "stubborn: status" 1 $?
check "stubborn: how it ended is told" grep -q '/stubborn .*/f: ended by signal 9, for the second signal' "$said"

# Arguments, quotes, what a command is given: no shell reads it.
cat > "$scratch/tells" << 'END'
#!/bin/sh
for one; do echo "[$one]"; done > "$(dirname "$0")/told"
cat > "$(dirname "$0")/read"
grep -e '^Sig[BI]' /proc/self/status > "$(dirname "$0")/signals"
END
chmod 755 "$scratch/tells"
begin -a duration:0.1 -z "$scratch/tells 'a b' \"c'\"\\ \$d|*  ''" -w "$folder/f"
check "arguments: it ends well" ended "$capture" 20
equal "arguments: words" "[a b] [c' \$d|*] [] [$folder/f]" "$(xargs -d '\n' < "$scratch/told")"
equal "arguments: standard input has nothing" 0 "$(wc -c < "$scratch/read")"
# The C library keeps two for its own, from 32 on.
equal "arguments: no signal up to 31 is blocked or ignored" 2 "$(grep -c '[08]0\{7\}$' "$scratch/signals")"

# Programs that we did not write take what they are handed.
for command in 'gzip -f' 'zstd -q' sha256sum capinfos 'tshark -nr'; do
	if ! command -v "${command%% *}" > /dev/null; then
		skip "no ${command%% *}"
		continue
	fi
	begin -C 100K -W 4 -z "$command" -c 1500 -w "$folder/f"
	send -n 1500 -s 100
	check "$command: it ends well" ended "$capture" 20
	equal "$command: complaints" "" "$(grep '^xdpdump: ' "$said" | grep -v -e 'warning: ' -e 'waiting for')"
	case $command in
	gzip*) gunzip -f "$folder"/*.gz ;;
	zstd*) zstd -qdf --rm "$folder"/*.zst ;;
	sha256sum) equal "$command: files" "$(ls "$folder" | xargs)" "$(sed 's/.*\///' "$named" | sort | xargs)" ;;
	capinfos) equal "$command: packets" 1500 "$(awk '/^Number of packets:/ { n += $NF } END { print n }' "$named")" ;;
	tshark*) equal "$command: packets" 1500 "$(grep -c . "$named")" ;;
	esac
	equal "$command: packets" 1500 "$(packets_in "$folder")"
done

# What the caller has open is not for commands.
cat > "$scratch/descriptors" << END
#!/bin/sh
ls -l /proc/\$\$/fd > "$scratch/open"
END
chmod 755 "$scratch/descriptors"
echo secret > "$scratch/secret"
exec 7< "$scratch/secret" 8>> "$scratch/secret"
for user in root nobody; do
	mkdir "$scratch/by.$user"
	rm -f "$scratch/open"
	chown "$user" "$scratch" "$scratch/by.$user"
	run_xdpdump -i vb -Z "$user" -a duration:0.2 -w "$scratch/by.$user/f" -z "$scratch/descriptors"
	equal "a command of $user has its standard descriptors" 3 "$(grep -c ' [012] -> ' "$scratch/open")"
	check "... and none of the caller's" fails grep secret "$scratch/open"
done
exec 7<&- 8>&-
chown root "$scratch"

# A parent that ignores SIGCHLD hands that on: children then end without a status.
in_right env --ignore-signal=CHLD "$xdpdump" -i vb -a duration:0.2 -w "$scratch/ignored" -z false 2> "$scratch/said"
equal "a command that fails, with SIGCHLD ignored: status" 1 $?
check "... which is told" grep -q '^xdpdump: false .*status 1' "$scratch/said"
finish
