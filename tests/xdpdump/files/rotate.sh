#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2016,SC2010 # commands in quotes are for inner shells; names are ours
# One file after the other: their names, how many are kept, and that no packet is lost in between.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump mergecap
veth_pair
folder=$scratch/files

# begin OPTION...: a capture into an empty folder.
begin()
{
	rm -rf "$folder"
	mkdir "$folder"
	start_xdpdump "$@"
	capture=$pid said=$err
}

names()
{
	# shellcheck disable=SC2046
	echo $(ls "$folder")
}

# all_there NAME: nothing is missing from the files, one after the other, and the count is theirs.
all_there()
{
	equal "$1: dropped" 0 "$(count dropped "$said")"
	equal "$1: packets said, and in the files" "$(count captured "$said")" "$(packets_in "$folder")"
	mergecap -w "$scratch/all.pcapng" "$folder"/* 2> /dev/null
	check "$1: every frame once" "$capcheck" --order none --dropped 0 --json "$scratch/sent" "$scratch/all.pcapng"
	check "$1: no file has a temporary name" fails ls "$folder"/*.part
}

# Sizes, as tcpdump's.
begin -C 1 -w "$folder/f"
send -n 30000 -r 100000 -s 100
check "-C: it ends well" stop "$capture" INT
all_there -C
between "-C: largest file" 900000 1000000 "$(largest "$folder")"
equal "-C: names" "f f1 f2 f3 f4" "$(names)"
equal "-C: says how many files" 5 "$(sed -n 's/ files$//p' "$said")"

begin -C 512K -W 10 -w "$folder/f"
send -n 30000 -r 100000 -s 100
stop "$capture" INT
equal "-C -W: names" "f0 f1 f2 f3 f4 f5 f6 f7 f8 f9" "$(echo "$(names)" | sed 's/ f9.*/ f9/')"
removed=$(sed -n 's/ packets captured that were in removed files$//p' "$said")
begin -C 300K -W 3 -w "$folder/f"
send -n 30000 -r 100000 -s 100
stop "$capture" INT
equal "-C -W: names in a ring" "f0 f1 f2" "$(names)"
removed=$(sed -n 's/ packets captured that were in removed files$//p' "$said")
equal "-C -W: said, in files and removed" "$(count captured "$said")" $(($(packets_in "$folder") + removed))
equal "-C -W: captured" 30000 "$(count captured "$said")"

# One file: that which was written last.
begin -C 300K -W 1 -w "$folder/f%%"
send -n 10000 -r 100000 -s 100
stop "$capture" INT
removed=$(sed -n 's/ packets captured that were in removed files$//p' "$said")
equal "-C -W 1: files at the end" 1 "$(names | wc -w)"
equal "-C -W 1: said, in files and removed" "$(count captured "$said")" $(($(packets_in "$folder") + removed))

# Faster than the medium: a name comes round while its file of the round before still waits.
begin -C 100K -W 2 -w "$folder/f"
send -n 30000 -r 200000 -s 100
stop "$capture" INT
equal "-C -W, the medium behind: status" 0 $?
show "$said" | grep 'cannot get its name'
equal "-C -W, the medium behind: names in a ring" "f0 f1" "$(names)"
removed=$(sed -n 's/ packets captured that were in removed files$//p' "$said")
equal "-C -W, the medium behind: said, in files and removed" "$(count captured "$said")" \
	$(($(packets_in "$folder") + removed))

# dumpcap's.
begin -b packets:1000 -b printname:"$scratch/list" --stats-interval 0.2 -w "$folder/f.pcapng"
send -n 10000 -r 50000
stop "$capture" INT
all_there "-b packets"
equal "-b packets: the first file" 1000 "$(packets "$folder"/f_00001_*.pcapng)"
equal "-b packets: files" 10 "$(ls "$folder" | grep -c '^f_[0-9]\{5\}_[0-9]\{14\}\.pcapng$')"
ls "$folder"/* > "$scratch/there"
check "-b printname: names" cmp "$scratch/there" "$scratch/list"
check "--stats-interval tells" grep -q '^[0-9]* packets captured, [0-9]* received by filter, .* in .*/f_0' "$said"

# A list that cannot be written is told of before anything is captured.
echo before > "$scratch/was_there"
run_xdpdump -i vb -b packets:1000 -b printname:"$scratch/nosuch/list" -w "$scratch/was_there"
equal "-b printname, a folder that is not there: status" 1 "$state"
equal "-b printname, a folder that is not there: said" "xdpdump: $scratch/nosuch/list: No such file or directory" \
	"$(grep -v warning "$err")"
equal "-b printname, a folder that is not there: the file" before "$(cat "$scratch/was_there")"

begin -b filesize:100 -b files:2 -w "$folder/f.pcapng"
send -n 10000 -r 50000
stop "$capture" INT
equal "-b files: kept" 2 "$(ls "$folder" | wc -l)"
between "-b filesize: largest" 90000 100000 "$(largest "$folder")"

# The name of an old file has become that of a folder: it stays, and that is said.
begin -b packets:100 -b files:2 -w "$folder/f.pcapng"
send -n 120 -r 5000
wait_for 10 sh -c 'ls "$0"/f_00002_* && ls "$0"/f_00001_*.pcapng' "$folder" > "$scratch/second"
oldest=$(ls "$folder"/f_00001_*.pcapng)
rm "$oldest"
mkdir "$oldest"
send -n 250 -r 5000
stop "$capture" INT
equal "-b files, a folder by the name of an old file: status" 1 $?
check "-b files, a folder by the name of an old file: said" grep -q "^xdpdump: $oldest: cannot be removed: Is a directory$" "$said"
equal "-b files, a folder by the name of an old file: files" 2 "$(find "$folder" -type f | wc -l)"

# Another xdpdump writes under the name that a file of the ring gets at its end.
begin -C 100K -W 3 -w "$folder/f"
capture=$pid said=$err
start_xdpdump --hook tc -w "$folder/f0"
other=$pid
stop "$capture" INT
equal "-C -W, somebody else's file: status" 1 $?
check "-C -W, somebody else's file: said" grep -q "^xdpdump: .*f0.part: cannot get its name, .*/f0: another xdpdump has that file$" "$said"
check "-C -W, somebody else's file: the other one ends well" stop "$other" INT
rm -f "$folder/f0.part"

# ... and keeps it, when the ring comes to remove the oldest.
begin -C 100K -W 3 -w "$folder/f"
capture=$pid said=$err
start_xdpdump --hook tc -w "$folder/f0"
other=$pid
send -n 6000 -r 20000
stop "$capture" INT
equal "-C -W, somebody else's file, for long: status" 1 $?
check "-C -W, somebody else's file, for long: the other one ends well" stop "$other" INT
equal "-C -W, somebody else's file, for long: it has its packets" 6000 "$(packets "$folder/f0")"
equal "-C -W, somebody else's file, for long: files" 4 "$(names | wc -w)"

# A folder by the name of a file is told of at once; one that comes later when it is in the way.
mkdir "$scratch/taken"
run_xdpdump -i vb -C 1 -w "$scratch/taken"
equal "-C, a folder of that name: status" 1 "$state"
equal "-C, a folder of that name: said" "xdpdump: $scratch/taken: Is a directory" "$(grep -v warning "$err")"
equal "-C, a folder of that name: nothing is left" '' "$(ls "$scratch/taken.part" 2> /dev/null)"
begin -b packets:100 -w "$folder/f%%"
mkdir "$folder/f%1"
send -n 250 -r 5000
stop "$capture" INT
equal "-b, a folder that comes: status" 1 $?
equal "-b, a folder that comes: said" "xdpdump: $folder/f%1.part: cannot get its name, $folder/f%1: Is a directory" \
	"$(grep 'cannot get' "$said")"
equal "-b, a folder that comes: files" "f% f%1 f%1.part f%2" "$(names)"

# By the clock, also when nothing comes; each record is in the file of its time.
begun=$(date +%s)
begin -G 1 -w "$folder/%Y%m%d-%H%M%S.pcapng"
send -n 25000 -r 10000
sleep 1.5
check "-G: it ends well" stop "$capture" INT
all_there -G
between "-G: files, one a second" 4 $(($(date +%s) - begun + 1)) "$(ls "$folder" | wc -l)"
wrong=0
for one in "$folder"/*; do
	name=$(basename "$one" .pcapng)
	wrong=$((wrong + $(TZ=$(date +%Z) tcpdump -tttt -nnr "$one" 2> /dev/null |
		awk -v own="$name" '{ t = $1 "-" $2; gsub(/[:-]/, "", t); sub(/\..*/, "", t)
			gsub(/-/, "", own); if (t != own) n++ } END { print n + 0 }')))
done
# The first file begins in mid-second, hence under the name of that second.
equal "-G: packets in the file of another second" 0 "$wrong"

begin -G 1 -W 2 -w "$folder/%s.pcapng"
check "-G -W: ends by itself" ended "$capture" 5
equal "-G -W: files" 2 "$(ls "$folder" | wc -l)"

begin -G 1 -W 5 -a files:2 -w "$folder/%s.pcapng"
check "-G -W, fewer by -a files: ends by itself" ended "$capture" 5
equal "-G -W, fewer by -a files: files" 2 "$(ls "$folder" | wc -l)"

begin -b duration:0.3 -a files:3 -w "$folder/f.pcapng"
check "-a files: ends by itself" ended "$capture" 5
equal "-a files: files" 3 "$(ls "$folder" | wc -l)"

# Ends.
begin -a duration:0.5 -w "$folder/f.pcapng"
check "-a duration: ends by itself" ended "$capture" 3
begin -a packets:123 -w "$folder/f.pcapng"
send -n 1000 -r 50000
check "-a packets: ends by itself" ended "$capture" 3
equal "-a packets: captured" 123 "$(packets_in "$folder")"
begin -a filesize:50 -w "$folder/f.pcapng"
send -n 10000 -r 50000
check "-a filesize: ends by itself" ended "$capture" 3
between "-a filesize: bytes" 49000 50000 "$(largest "$folder")"
equal "-a filesize: packets said, and in the file" "$(count captured "$said")" "$(packets_in "$folder")"

# Signals.
begin -w "$folder/%Y.pcapng" --print-name --json
send -n 1000 -r 50000
kill -HUP "$capture"
check "SIGHUP: a new file" wait_for 5 test -e "$folder/$(date +%Y).pcapng"
equal "SIGHUP: name printed" "$folder/$(date +%Y).pcapng" "$(cat "$out")"
kill -USR1 "$capture"
check "SIGUSR1: statistics" wait_for 5 grep -q '^{"time":.*"captured":1000,.*"final":false}$' "$said"
kill -USR2 "$capture"
check "SIGHUP: it ends well" stop "$capture" INT
equal "SIGHUP: files" 2 "$(ls "$folder" | wc -l)"
equal "SIGHUP: packets" 1000 "$(packets_in "$folder")"
check "--json: the last words" grep -q '^{"time":.*"captured":1000,.*"not_kept":0,.*"final":true}$' "$said"
begin -w "$folder/f.pcapng"
check "SIGHUP ends where there is one file" stop "$capture" HUP

# A command for each file: no zombie, and what it fails at is told.
printf '#!/bin/sh\nsleep 0.1\ngzip "$1"\n' > "$scratch/press"
chmod +x "$scratch/press"
begin -b packets:1000 -z "$scratch/press" -w "$folder/f.pcapng"
send -n 10000 -r 50000
sleep 0.5
equal "-z: zombies" 0 "$(ps --ppid "$capture" -o stat= | grep -c Z)"
check "-z: it ends well" stop "$capture" INT
equal "-z: files" 10 "$(ls "$folder" | grep -c 'pcapng\.gz$')"
gunzip "$folder"/*
all_there -z
begin -w "$folder/f.pcapng" -z false
stop "$capture" INT
equal "-z false: status" 1 "$?"
check "-z false: the reason" grep -q '^xdpdump: false .*/f.pcapng: status 1$' "$said"

# A command of 32 bits, of an xdpdump of 64: mount(2) of no folder is a bad address, and refused before that is seen.
cat > "$scratch/narrow.c" <<-'END'
	static int call(int nr, int a)
	{
		int result;

		__asm__ volatile("int $0x80" : "=a"(result) : "a"(nr), "b"(a), "c"(0), "d"(0), "S"(0), "D"(0) : "memory");
		return result;
	}

	void _start(void)
	{
		call(1, call(21, 0) == -1 ? 7 : 8);
	}
END
narrow()
{
	cc -m32 -O1 -nostdlib -static -fno-pie -no-pie -fno-stack-protector -o "$scratch/narrow" "$scratch/narrow.c" &&
		{ "$scratch/narrow"; [ $? -eq 8 ]; }
}

if [ "$(uname -m)" != x86_64 ] || is_sanitized || ! narrow > "$scratch/why" 2>&1; then
	skip "-z: a command of 32 bits: none is to be had here"
else
	begin -w "$folder/f.pcapng" -z "$scratch/narrow"
	stop "$capture" INT
	check "-z: a command of 32 bits is refused what others are, and runs" \
		grep -q '^xdpdump: .*/narrow .*/f.pcapng: status 7$' "$said"
fi

# Two on one file: the second refuses, and the first has all.
for option in '' '-C 100K'; do
	# shellcheck disable=SC2086 # words
	begin $option -w "$folder/f"
	send -n 1000 -r 50000
	[ -z "$option" ] || check "two: the first is at a later file" wait_for 5 test -e "$folder/f"
	settle "$capture"
	before=$(names)
	# shellcheck disable=SC2086 # words
	run_xdpdump -i vb --hook tc $option -w "$folder/f"
	equal "two $option: status of the second" 1 "$state"
	check "two $option: the reason" grep -q '^xdpdump: .*/f: another xdpdump has ' "$err"
	equal "two $option: files" "$before" "$(names)"
	send -n 1000 -r 50000 --start-seq 1000
	check "two $option: the first ends well" stop "$capture" INT
	equal "two $option: packets of the first" 2000 "$(packets_in "$folder")"
done

# Who may read the files locks each one as soon as it is there, before we do. strace gives the time for that, at the first
# of the 50 tries for each.
if command -v strace > /dev/null && ! is_sanitized; then
	rm -rf "$folder"
	mkdir -m 755 "$folder"
	chmod 755 "$scratch"
	start setpriv --reuid 65534 --regid 65534 --clear-groups sh -c 'n=0
		for fd in 3 4; do
			until [ -e "$1/f$n.part" ]; do sleep 0.01; done
			eval "exec $fd< \"\$1/f$n.part\"" && flock -sn $fd && echo "f$n"
			n=$((n + 1))
		done
		exec sleep 60' sh "$folder"
	locker=$pid locked=$out
	start ip netns exec "$right" strace -f -o "$scratch/calls" -e trace=flock -e inject=flock:delay_enter=300000:when=1+50 \
		"$xdpdump" -i vb -C 100K -W 3 -c 2000 -w "$folder/f"
	started_capturing
	capture=$pid said=$err
	send -n 2000 -r 5000 -s 100
	check "locked by who may read it: it goes on, and ends well" ended "$capture" 20
	equal "locked by who may read it: files that are" "f0 f1" "$(xargs < "$locked")"
	equal "locked by who may read it: packets" 2000 "$(count captured "$said")"
	stop "$locker" KILL
else
	skip "no strace, to lock a file before xdpdump does"
fi

# What one that was killed has left is replaced; what it is linked to is not touched, and no link is followed.
begin -C 1 -w "$folder/f"
send -n 100 -r 50000
kill -KILL "$capture"
ended "$capture" 5
cp "$folder/f.part" "$scratch/left"
ln "$folder/f.part" "$scratch/linked"
start_xdpdump -C 1 -w "$folder/f"
capture=$pid
send -n 200 -r 50000
check "left over: the next ends well" stop "$capture" INT
equal "left over: packets" 200 "$(packets_in "$folder")"
check "left over: another name of it is as it was" cmp "$scratch/left" "$scratch/linked"
ln -s "$scratch/left" "$folder/g.part"
run_xdpdump -i vb -C 1 -w "$folder/g"
equal "a link: status" 1 "$state"
check "a link: the reason" grep -q '^xdpdump: .*/g.part: a symbolic link is in the way: remove it$' "$err"
check "a link: what it names is as it was" cmp "$scratch/left" "$scratch/linked"

# Room on the disk.
begin -C 100K --disk-limit 500K -w "$folder/f"
send -n 30000 -r 30000 -s 100
check "--disk-limit: it ends well" stop "$capture" INT
removed=$(sed -n 's/ packets captured that were in removed files$//p' "$said")
equal "--disk-limit: said, in files and removed" 30000 $(($(packets_in "$folder") + ${removed:-0}))
between "--disk-limit: KiB in files" 200 620 "$(du -sk --apparent-size "$folder" | cut -f1)"
begin --disk-limit 100K -w "$folder/f"
send -n 10000 -r 10000 -s 100
check "--disk-limit with one file: ends by itself" ended "$capture" 5
check "--disk-limit: the reason" grep -q '^xdpdump: ending because --disk-limit is reached' "$said"
equal "--disk-limit: packets said, and in the file" "$(count captured "$said")" "$(packets_in "$folder")"
finish
