#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2010,SC2012 # names are ours
# What is given up once the capture is open, and that everything still works without it.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump mergecap
veth_pair
folder=$scratch/files
nobody=$(id -u nobody) || skip_all "there is no user nobody"
seccomp=2
! grep -q '^WARN_CFLAGS.*fsanitize\|^SANITIZE_CFLAGS = .' "$build/Makefile" || seccomp=0

# begin OPTION...: a capture into an empty folder of nobody's.
begin()
{
	rm -rf "$folder"
	mkdir "$folder"
	chown nobody "$folder"
	start_xdpdump "$@"
	capture=$pid said=$err
}

# field NAME [FILE]: of the capture's, or another, status.
field()
{
	sed -n "s/^$1:[[:space:]]*//p" "${2:-/proc/$capture/status}" | tr '\t' ' '
}

# confined NAME CAPABILITIES: every thread of the capture.
confined()
{
	for task in /proc/"$capture"/task/*/status; do
		equal "$1: $(field Name "$task"): capabilities" "$2 $2 0000000000000000" \
			"$(field CapEff "$task") $(field CapPrm "$task") $(field CapAmb "$task")"
		equal "$1: seccomp" "$seccomp" "$(field Seccomp "$task")"
		equal "$1: no new privileges" 1 "$(field NoNewPrivs "$task")"
		equal "$1: capabilities of what it starts" "${3:-$none} $none" \
			"$(field CapBnd "$task") $(field CapInh "$task")"
	done
}

none=0000000000000000

begin -Z nobody -C 500K -w "$folder/f" --print-name --stats-interval 0.2
confined "-Z" "$none"
equal "-Z: uid" "$nobody $nobody $nobody $nobody" "$(field Uid)"
equal "-Z: groups" "$(id -G nobody)" "$(field Groups | sed 's/ *$//')"
send -n 20000 -r 100000 -s 100
kill -USR1 "$capture"
check "-Z: it ends well" stop "$capture" INT
equal "-Z: packets said, and in the files" "$(count captured "$said")" "$(packets_in "$folder")"
equal "-Z: captured" 20000 "$(count captured "$said")"
between "-Z: files" 4 8 "$(ls "$folder" | wc -l)"
equal "-Z: files of others" "" "$(find "$folder" ! -user nobody)"
check "-Z: no program is left" no_xdp_program "$right" vb

begin -Z "$nobody:54321" -w "$folder/f"
confined "-Z UID:GID" "$none"
equal "-Z UID:GID: uid and gid" "$nobody $nobody $nobody $nobody 54321 54321 54321 54321" "$(field Uid) $(field Gid)"
equal "-Z UID:GID: groups" "" "$(field Groups | tr -d ' ')"
stop "$capture" INT
equal "-Z UID:GID: owner" "$nobody:54321" "$(stat -c %u:%g "$folder/f")"

# What the filter of system calls must leave: other ways to write, and to end.
if "$xdpdump" --zstd -h > /dev/null 2>&1; then
	begin -Z nobody --zstd -b duration:0.3 -w "$folder/f.zst" --disk-limit 1G
	confined "--zstd" "$none"
	send -n 20000 -r 20000
	check "--zstd: it ends well" stop "$capture" INT
	equal "--zstd: captured" 20000 "$(count captured "$said")"
fi
begin -Z nobody -w "$folder/%Y" -b "printname:$folder/list" udp
send -n 1000 -r 20000
kill -HUP "$capture"
check "SIGHUP: a new file" wait_for 5 test -s "$folder/list"
kill -USR2 "$capture"
send -n 1000 -r 20000
ip -n "$right" link set vb down
ip -n "$right" link set vb up
ip -n "$right" neigh replace 10.99.0.1 lladdr 02:00:00:00:00:0a dev vb
sleep 1.2
check "SIGHUP: it goes on when the link was down" kill -0 "$capture"
ip -n "$right" link del vb
ended "$capture" 10
equal "the interface disappears: status" 1 $?
check "the interface disappears: the reason" grep -q 'vb has disappeared' "$said"
veth_pair

# Nothing is asked of the kernel that the filter refuses, but for what C libraries try first.
if [ "$seccomp" -eq 2 ] && command -v strace > /dev/null; then
	rm -rf "$folder"
	mkdir "$folder"
	chown nobody "$folder"
	start ip netns exec "$right" strace -f -o "$scratch/calls" "$xdpdump" -i vb -Z nobody \
		-b duration:0.3 -w "$folder/f" --stats-interval 0.2 -c 2000
	started_capturing
	capture=$pid
	send -n 2000 -r 2000
	check "traced: ends by itself" ended "$capture" 20
	grep ' = -1 ENOSYS' "$scratch/calls" | grep -v clone3 > "$scratch/refused"
	check "system calls that were refused: none" cmp "$scratch/refused" /dev/null
else
	skip "no strace, to see what is refused"
fi

# Without -Z: root, who has what it needs for files in others' folders where it makes some, and no more.
override=0000000000000002
begin -C 500K -w "$folder/f"
confined "root, files of another's folder" "$override"
send -n 10000 -r 100000 -s 100
check "root: it ends well" stop "$capture" INT
equal "root: captured" 10000 "$(packets_in "$folder")"
rm -rf "$scratch/own"
mkdir -p "$scratch/own/$(date +%Y)"
begin -b duration:60 -w "$scratch/own/%Y/f"
confined "root, folders by the time" "$override"
stop "$capture" INT
for options in "" "-w $scratch/own/f" "-C 500K -w $scratch/own/f --print-name --stats-interval 0.2" \
	"-w $scratch/own/f --metrics $scratch/own/m.prom --stats-file $scratch/own/s" "--json" \
	"--files-per-queue -C 500K -w $scratch/own/f"; do
	rm -rf "$scratch/own"
	mkdir "$scratch/own"
	# shellcheck disable=SC2086 # words
	begin $options
	confined "root, ${options:-text}" "$none"
	send -n 5000 -r 100000 -s 100
	check "root, ${options:-text}: it ends well" stop "$capture" INT
	case $options in
	*-w*) equal "root, $options: captured" 5000 "$(for f in "$scratch"/own/f*; do tcpdump -r "$f" 2> /dev/null; done | wc -l)" ;;
	esac
	equal "root, ${options:-text}: warnings" "" "$(grep 'warning: cannot' "$said")"
done
# A single file that is another's is open once it is written.
begin -w "$folder/f"
confined "root, a file in another's folder" "$override"
stop "$capture" INT

# A command needs to be started: as that user, with no way to privilege.
printf '#!/bin/sh\ncat /proc/self/status > "$1.status"\ngzip "$1"\n' > "$scratch/press"
chmod 755 "$scratch/press"
begin -Z nobody -z "$scratch/press" -b packets:1000 -w "$folder/f"
confined "-z" "$none"
send -n 3000 -r 50000
check "-z: it ends well" stop "$capture" INT
equal "-z: commands" 3 "$(ls "$folder" | grep -c '\.gz$')"
for status in "$folder"/*.status; do
	equal "-z: uid of the command" "$nobody $nobody $nobody $nobody" "$(field Uid "$status")"
	equal "-z: capabilities of the command" "$none" "$(field CapEff "$status")"
done

# Ways to privilege are closed to it: new mounts, io_uring, others' descriptors, user namespaces. Numbers
# of system calls that came after 5.0 are the same everywhere.
if [ "$seccomp" -eq 2 ] && [ -x /usr/bin/python3 ]; then
	cat > "$scratch/tries" <<-END
		#!/usr/bin/python3
		import ctypes, errno, os, sys
		calls = {425: [1, 0], 428: [-1, 0, 0], 429: [-1, 0, -1, 0, 0], 430: [0, 0], 431: [-1, 0, 0, 0, 0],
		         432: [-1, 0, 0], 433: [-1, 0, 0], 438: [-1, 0, 0], 442: [-1, 0, 0, 0, 0], 435: [0, 0]}
		if os.uname().machine == "x86_64":
		    calls[56] = [0x10000011, 0, 0, 0, 0]
		libc = ctypes.CDLL(None, use_errno=True)
		for number, arguments in calls.items():
		    result = libc.syscall(number, *arguments)
		    if result == 0 and number in (56, 435):
		        os._exit(0)
		    print(number, result, errno.errorcode.get(ctypes.get_errno()), file=open(sys.argv[1] + ".tries", "a"))
	END
	chmod 755 "$scratch/tries"
	begin -Z nobody -z "$scratch/tries" -w "$folder/f"
	stop "$capture" INT
	equal "-z: clone3() is as on a kernel that has it not" "435 -1 ENOSYS" "$(grep '^435 ' "$folder/f.tries")"
	between "-z: the others that are refused" 9 10 "$(grep -c -- '-1 EPERM$' "$folder/f.tries")"
	equal "-z: those that are not" "" "$(grep -v '^435 \| EPERM$' "$folder/f.tries")"
else
	skip "no /usr/bin/python3, to try system calls from a command"
fi

# Without -Z it is root's, who has none.
rm -rf "$scratch/own"
mkdir "$scratch/own"
begin -z "$scratch/press" -b packets:1000 -w "$scratch/own/f"
confined "-z by root" "$none"
send -n 3000 -r 50000
check "-z by root: it ends well" stop "$capture" INT
equal "-z by root: commands" 3 "$(ls "$scratch/own" | grep -c '\.gz$')"
for status in "$scratch/own"/*.status; do
	equal "-z by root: the command" "0 0 0 0 $none $none $none 1" \
		"$(field Uid "$status") $(field CapEff "$status") $(field CapPrm "$status") $(field CapBnd "$status") $(field NoNewPrivs "$status")"
done
# ... also where xdpdump needs one.
begin -z "$scratch/press" -w "$folder/f"
confined "-z by root in another's folder" "$override"
rm -rf "$scratch/own"
stop "$capture" INT

# With capabilities of its file nothing stays, with a command or without.
mkdir "$scratch/bin"
cp "$xdpdump" "$scratch/bin/xdpdump"
chmod -R a+rX "$scratch/bin"
if setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$scratch/bin/xdpdump" 2> /dev/null; then
	whole=$(field CapBnd /proc/self/status) # to empty it would take CAP_SETPCAP
	for options in "" "-z $scratch/press"; do
		rm -rf "$folder"
		mkdir "$folder"
		chown nobody "$folder"
		# shellcheck disable=SC2086 # words
		start ip netns exec "$right" setpriv --reuid nobody --clear-groups "$scratch/bin/xdpdump" -i vb --veth xdp \
			$options -w "$folder/f"
		capture=$pid said=$err
		started_capturing
		confined "capabilities of the file $options" "$none" "$whole"
		send -n 1000 -r 20000
		check "capabilities of the file $options: it ends well" stop "$capture" INT
	done
	equal "capabilities of the file: the command" "$nobody $nobody $nobody $nobody $none $none 1" \
		"$(field Uid "$folder/f.status") $(field CapEff "$folder/f.status") $(field CapPrm "$folder/f.status") $(field NoNewPrivs "$folder/f.status")"
else
	skip "no setcap here, to give a file capabilities"
fi

# Landlock: the folder that there was, and no other, though root may write there.
landlock=$(python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))' 2> /dev/null)
if [ "${landlock:-0}" -ge 1 ]; then
	for options in "" "-z true"; do
		rm -rf "$scratch/own" "$scratch/before"
		mkdir "$scratch/own"
		# shellcheck disable=SC2086 # words
		begin $options -W 5 -C 1000 -w "$scratch/own/f"
		mv "$scratch/own" "$scratch/before"
		mkdir "$scratch/own"
		kill -HUP "$capture"
		case $options in
		'')
			ended "$capture" 10
			equal "another folder in its place: status" 1 $?
			check "another folder in its place: the reason" grep -q 'own/f1.part: Permission denied' "$said"
			;;
		*)
			check "with a command there is no such bound" wait_for 5 test -e "$scratch/own/f1.part"
			stop "$capture" INT
			;;
		esac
	done

	# Instructions of a seccomp filter: system call 444 is refused with EPERM.
	forbid='import ctypes, os, struct, sys
code = b"".join(struct.pack("HBBI", *i) for i in
                [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (6, 0, 0, 0x50001), (6, 0, 0, 0x7fff0000)])
class Program(ctypes.Structure):
    _fields_ = [("n", ctypes.c_ushort), ("code", ctypes.c_char_p)]
libc = ctypes.CDLL(None)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(Program(4, code)), 0, 0):
    sys.exit("no seccomp")
os.execv(sys.argv[1], sys.argv[1:])'
	start ip netns exec "$right" python3 -c "$forbid" "$xdpdump" -i vb --veth xdp -w "$scratch/own/forbidden"
	capture=$pid said=$err
	started_capturing
	stop "$capture" INT
	check "a sandbox that forbids it is told" grep -q 'warning: cannot set a Landlock domain: Operation not permitted' "$said"
else
	skip "no Landlock here"
fi
# What is no file of a folder.
rm -rf "$scratch/own"
mkdir "$scratch/own"
for target in /dev/stdout "$scratch/fifo" "$scratch/link"; do
	mkfifo "$scratch/fifo" 2> /dev/null
	ln -sf "$scratch/own/f" "$scratch/link"
	case $target in *fifo) start sh -c "cat '$scratch/fifo' > '$scratch/read'" ;; esac
	begin -w "$target"
	written=$out
	case $target in *fifo) written=$scratch/read ;; *link) written=$scratch/own/f ;; esac
	send -n 1000 -r 20000
	check "-w $target: it ends well" stop "$capture" INT
	equal "-w $target: packets" 1000 "$(tcpdump -r "$written" 2> /dev/null | wc -l)"
	equal "-w $target: warnings" "" "$(grep 'warning: cannot' "$said")"
done

# Where everybody makes files, others' links and files are not written to.
mkdir "$scratch/shared"
chmod 1777 "$scratch/shared"
victim=$scratch/victim
echo precious > "$victim"
ln -s "$victim" "$scratch/shared/f"
ln -s "$victim" "$scratch/shared/f.part"
ln -s "$victim" "$scratch/shared/f00001.part"
: > "$scratch/shared/theirs"
mkdir "$scratch/theirs"
: > "$scratch/theirs/m.prom.new"
chown -R nobody "$scratch/shared/theirs" "$scratch/theirs"
chmod 1777 "$scratch/theirs"
chmod 666 "$scratch/shared/theirs"
# not_there NAME REASON OPTION...
not_there()
{
	name=$1 reason=$2
	shift 2
	run_xdpdump -i vb -a duration:0.2 "$@"
	equal "$name: status" 1 "$state"
	check "$name: the reason" grep -q -e "$reason" "$err"
	equal "$name: what the link leads to" precious "$(cat "$victim")"
}
not_there "a link in a shared folder" 'shared/f: a symbolic link is in the way: remove it' -w "$scratch/shared/f"
not_there "a link for the file before its name" 'f.part: a symbolic link is in the way' -C 1 -w "$scratch/shared/f"
not_there "another user's file" "theirs: it belongs to another user" -w "$scratch/shared/theirs"
not_there "a link for --stats-file" 'Too many levels' --stats-file "$scratch/shared/f" -w "$scratch/own/f"
not_there "another user's --metrics" 'Operation not permitted' --metrics "$scratch/theirs/m.prom" -w "$scratch/own/f"
# Nor is a folder's link followed, wherever it stands on the way, to one that it belongs to as well.
mkdir "$scratch/closed" "$scratch/closed/in"
chmod 700 "$scratch/closed"
ln -s "$scratch/closed" "$scratch/shared/way"
ln -s "$scratch/shared/way" "$scratch/ours"
ln -s "$scratch/closed" "$scratch/shared/roots"
chown -h nobody "$scratch/shared/way"
leads='a symbolic link of another user leads there'
for way in shared/way shared/way/in shared/../shared/way ours; do
	for file in victim new; do
		echo precious > "$scratch/closed/victim"
		cp "$scratch/closed/victim" "$scratch/closed/in/victim"
		not_there "-w $way/$file" "$leads" -w "$scratch/$way/$file"
		not_there "-C with $way/$file" "$leads" -C 1 -w "$scratch/$way/$file"
		not_there "--metrics $way/$file" "$leads" --metrics "$scratch/$way/$file" -w "$scratch/own/f"
		not_there "--stats-file $way/$file" "$leads" --stats-file "$scratch/$way/$file" -w "$scratch/own/f"
		not_there "a list of files, $way/$file" "$leads" -b printname:"$scratch/$way/$file" -b packets:1 -w "$scratch/own/f"
		in_right "$xdpdump" --doctor vb --report "$scratch/$way/$file" > "$scratch/told" 2>&1
		check "--report $way/$file: the reason" grep -q "$leads" "$scratch/told"
	done
	not_there "-z, $way" "$leads" -z true -w "$scratch/$way/f"
done
equal "what is in the folder that links lead to" 'in victim ' "$(find "$scratch/closed" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | tr '\n' ' ')"
equal "... and in its file" precious "$(cat "$scratch/closed/victim")"
for way in roots roots/in; do
	run_xdpdump -i vb -a duration:0.2 -w "$scratch/shared/$way/f"
	equal "root's own link there, $way: status" 0 "$state"
	equal "root's own link there, $way: warnings" "" "$(grep 'warning: cannot' "$err")"
done
equal "another user's file: as it was" "" "$(cat "$scratch/shared/theirs")"
# Its own it writes again, there, too; what others have left in a folder of its own is in nobody's way.
: > "$scratch/shared/m.prom.new"
chown nobody "$scratch/shared/m.prom.new"
for time in first second; do
	run_xdpdump -i vb -a duration:0.2 --metrics "$scratch/shared/m.prom" -w "$scratch/own/f"
	equal "--metrics in a shared folder, the $time time: status" 0 "$state"
	run_xdpdump -i vb -a duration:0.2 -Z nobody -w "$scratch/shared/nobodys"
	equal "-Z nobody, in a shared folder, the $time time: status" 0 "$state"
done
run_xdpdump -i vb -a duration:0.2 -w "$scratch/shared/ours"
equal "a file of our own in a shared folder: status" 0 "$state"
run_xdpdump -i vb -a duration:0.2 -w "$scratch/shared/ours"
equal "... and again: status" 0 "$state"

# Where the user may not write: nothing is left.
rm -rf "$folder"
mkdir -m 755 "$folder"
for options in '' '-C 1'; do
	# shellcheck disable=SC2086 # words
	run_xdpdump -i vb -Z nobody $options -w "$folder/f"
	equal "another's folder $options: status" 1 "$state"
	check "another's folder $options: the reason" grep -q '^xdpdump: .*/f.*: Permission denied$' "$err"
done
equal "another's folder: files" "" "$(ls "$folder")"
check "another's folder: no program is left" no_xdp_program "$right" vb
finish
