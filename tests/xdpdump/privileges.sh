#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2010,SC2012 # names are ours
# What is given up once the capture is open, and that everything still works without it.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need tcpdump mergecap
veth_pair
folder=$scratch/files
nobody=$(id -u nobody) || skip_all "there is no user nobody"
seccomp=2
! grep -q '^WARN_CFLAGS.*fsanitize\|^SANITIZE_CFLAGS = .' "$build/Makefile" || seccomp=0
no_new_privs=$((seccomp / 2))

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
		equal "$1: no new privileges" "$no_new_privs" "$(field NoNewPrivs "$task")"
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

# Without -Z: what root needs for files, and no more.
begin -C 500K -w "$folder/f"
confined "root" 000000000000000a
send -n 10000 -r 100000 -s 100
check "root: it ends well" stop "$capture" INT
equal "root: captured" 10000 "$(packets_in "$folder")"

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

# Without -Z it has what its caller has.
begin -z "$scratch/press" -w "$folder/f"
stop "$capture" INT
equal "-z by root: capabilities of the command" "$(field CapEff /proc/self/status)" \
	"$(field CapEff "$folder/f.status")"

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
