#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --decode: tcpdump or tshark prints what is captured, as it comes; one process, without privilege, which ends
# with the capture, as the capture ends with it.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen
need tcpdump tshark ping python3
veth_pair

# decoder: the process that prints for $capture, in $child
decoder()
{
	child=$(sed 's/ .*//' "/proc/$capture/task/$capture/children")
	[ -n "$child" ]
}

# has NAME VALUE: in /proc/PID/status of the decoder
has()
{
	check "$3" grep -q "^$1:[[:space:]]*$2" "/proc/$child/status"
}

lines()
{
	wc -l < "$printed"
}

start_xdpdump --decode icmp
capture=$pid printed=$out said=$err
decoder
in_left ping -qc 1 -s 56 10.99.0.2 > /dev/null
request='^[0-9:.]* IP 10\.99\.0\.1 > 10\.99\.0\.2: ICMP echo request, id [0-9]*, seq 1, length 64$'
check "printed at once" wait_for 5 grep -q "$request" "$printed"
has Uid '65534[[:space:]]*65534[[:space:]]*65534[[:space:]]*65534$' "it is nobody"
has Gid '65534[[:space:]]*65534[[:space:]]*65534[[:space:]]*65534$' "and of nobody's group"
has Groups '*$' "and of no other"
for set in CapInh CapPrm CapEff CapAmb; do
	has $set '0*$' "no capability: $set"
done
has NoNewPrivs 1 "and gets none"
equal "open files of ours" 0 "$(find "/proc/$child/fd" -lname '*bpf*' | wc -l)"
in_left ping -qc 3 -i 0.1 10.99.0.2 > /dev/null
check "SIGINT ends both" stop "$capture" INT
check "the decoder is gone" process_gone "$child"
equal "each packet is printed" "$(count captured "$said")" "$(lines)"
between "packets" 4 100 "$(count captured "$said")"

start_xdpdump --decode=tshark -Q in -c 2 icmp
capture=$pid printed=$out
in_left ping -qc 3 -i 0.1 10.99.0.2 > /dev/null
check "tshark: it ends by -c" ended "$capture" 20
equal "tshark: lines" 2 "$(grep -c 'Echo (ping) request' "$printed")"

start_xdpdump --decode="tcpdump -nn -e -t -c 2 'icmp and greater 100'" -Q inout
capture=$pid printed=$out
in_left ping -qc 1 10.99.0.2 > /dev/null
in_left ping -qc 2 -i 0.1 -s 200 10.99.0.2 > /dev/null
check "arguments: when the decoder has enough, the capture ends well" ended "$capture" 10
equal "arguments: lines" 2 "$(grep -c '^02:.* > 02:.*, ethertype IPv4 (0x0800), length 242: .*: ICMP echo re' "$printed")"
equal "arguments: all lines" 2 "$(lines)"

# Who reads what is printed has all they want and goes: an end like any other.
for command in tcpdump tshark; do
	said=$scratch/said.$command
	# shellcheck disable=SC2016 # for the inner shell
	start ip netns exec "$right" sh -c '{ "$0" -i vb --decode="$1" icmp 2> "$2" || echo failed >> "$2"; } | head -n 2' \
		"$xdpdump" "$command" "$said"
	reader=$pid printed=$out
	wait_for 20 grep -q 'listening on' "$said" || bad "$command | head -n 2 does not start"
	in_left ping -qc 50 -i 0.05 10.99.0.2 > /dev/null
	check "$command | head -n 2 ends" ended "$reader" 20
	equal "$command | head -n 2: lines" 2 "$(lines)"
	check "$command | head -n 2: status 0, and no complaint of ours" fails grep -e '^failed' -e '^xdpdump: [^w]' "$said"
done

# Beside files: what is printed is what they have, and who prints may end it.
start_xdpdump --decode='tcpdump -nn' -w "$scratch/beside.pcapng" icmp
capture=$pid printed=$out said=$err
in_left ping -qc 3 -i 0.1 10.99.0.2 > /dev/null
check "beside a file: printed at once" wait_for 10 sh -c '[ "$(wc -l < "$0")" -ge 3 ]' "$printed"
check "beside a file: it ends" all_read "$capture"
equal "beside a file: packets in both" "$(count captured "$said") $(count captured "$said")" \
	"$(lines) $(packets "$scratch/beside.pcapng")"
mkdir "$scratch/rotated"
start_xdpdump --decode=tshark -b packets:2 -w "$scratch/rotated/f" icmp
capture=$pid printed=$out said=$err
in_left ping -qc 5 -i 0.1 10.99.0.2 > /dev/null
check "beside several files: it ends" all_read "$capture"
between "beside several files: packets" 5 10 "$(count captured "$said")"
equal "beside several files: packets in both" "$(count captured "$said") $(count captured "$said")" \
	"$(lines) $(packets_in "$scratch/rotated")"
start_xdpdump --decode='tcpdump -nn -c 2' -w "$scratch/enough.pcapng" icmp
capture=$pid printed=$out said=$err
in_left ping -qc 4 -i 0.2 10.99.0.2 > /dev/null
check "beside a file, enough is printed: the capture ends well" ended "$capture" 10
equal "beside a file, enough is printed: the file is whole" "$(count captured "$said")" "$(packets "$scratch/enough.pcapng")"

# Drops are marked, and say why.
if kernel_since 5 17; then
	start_xdpdump --drops --decode=tshark udp port 9
	capture=$pid printed=$out
	in_left python3 -c 'import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("10.99.0.2", 9))'
	check "drops: it ends" all_read "$capture"
	equal "drops: lines" 2 "$(lines)"
	equal "drops: one is marked, with its reason" 1 "$(grep -c 'dropped: NO_SOCKET in ' "$printed")"
fi

# -Z says who it is.
start_xdpdump --decode -Z daemon icmp
capture=$pid
decoder
has Uid "$(id -u daemon)" "-Z: it is that user"
stop "$capture" INT

# However it ends.
start_xdpdump --decode icmp
capture=$pid
decoder
kill -KILL "$capture"
check "killed: the decoder goes too" wait_for 5 process_gone "$child"
ended "$capture" 5
start_xdpdump --decode
capture=$pid
decoder
kill -STOP "$child"
send -n 20000 -r 100000
kill -INT "$capture"
check "a decoder that hangs: it is said" wait_for 5 grep -q 'nobody reads the pipe to tcpdump' "$err"
kill -TERM "$capture"
ended "$capture" 5
equal "a decoder that hangs: status" 1 "$state"
kill -CONT "$child" 2> /dev/null
check "a decoder that hangs: it goes too" wait_for 5 process_gone "$child"

# refused REASON COMMAND...: one sentence, status 1, nothing attached
refused()
{
	reason=$1
	shift
	start ip netns exec "$right" "$@"
	ended "$pid" 10
	equal "$reason: status" 1 "$?"
	check "$reason: said" grep -q -e "^xdpdump: .*${reason#^}" "$err"
	equal "$reason: sentences" 1 "$(wc -l < "$err")"
	check "$reason: nothing is attached" no_xdp_program "$right" vb
}
mkdir "$scratch/empty"
refused 'there is no program "tcpdump" in PATH' env PATH="$scratch/empty" "$xdpdump" -i vb --decode
refused 'there is no program "tshark" in PATH' env PATH="$scratch/empty" "$xdpdump" -i vb --decode=tshark
refused '--decode runs tcpdump or tshark, not "cat"' "$xdpdump" -i vb --decode=cat
refused 'a quote is not closed' "$xdpdump" -i vb --decode="tcpdump 'icmp"
refused 'needs the name of a program' "$xdpdump" -i vb --decode=
for option in --json --hex --format=line -t; do
	refused "^${option%%=*} and --decode do not go together" "$xdpdump" -i vb --decode "$option"
done
refused 'tcpdump does not show which packets were dropped' "$xdpdump" -i vb --decode --drops
: > "$scratch/keys"
chmod 600 "$scratch/keys"
for word in "-o tls.keylog_file:$scratch/keys" "-otls.keylog_file:$scratch/keys"; do
	refused "tshark runs without privilege, and cannot read the keys in $scratch/keys: Permission denied: give --tls-keylog" \
		"$xdpdump" -i vb --decode="tshark $word"
done
chmod 644 "$scratch/keys"
mkfifo -m 644 "$scratch/fifo" # in which nobody writes
for keys in keys fifo; do
	start_xdpdump --decode="tshark -o tls.keylog_file:$scratch/$keys" -c 1 icmp
	capture=$pid printed=$out
	in_left ping -qc 1 10.99.0.2 > /dev/null
	check "$keys that it may read: it runs" ended "$capture" 20
done
refused '--decode and --write - do not go together: both are standard output' "$xdpdump" -i vb --decode -w -
refused '--decode and --files-per-queue do not go together' "$xdpdump" -i vb --decode -w "$scratch/f" --files-per-queue
check "no file is made" test ! -e "$scratch/f"

# One that cannot run, or fails.
printf '#!/bin/sh\nexit 3\n' > "$scratch/tcpdump"
chmod 700 "$scratch/tcpdump"
run_xdpdump -i vb --decode="$scratch/tcpdump"
equal "not allowed to nobody: status" 1 "$state"
check "not allowed to nobody: the reason" grep -q "^xdpdump: --decode: $scratch/tcpdump cannot be run: Permission denied$" "$err"
chmod 755 "$scratch/tcpdump"
run_xdpdump -i vb --decode="$scratch/tcpdump"
equal "one that fails: status" 1 "$state"
check "one that fails: its status is told" grep -q "^xdpdump: $scratch/tcpdump has ended with status 3$" "$err"
printf '#!/bin/sh\ncat > %s\nexit 3\n' /dev/null > "$scratch/tcpdump"
run_xdpdump -i vb --decode="$scratch/tcpdump" -a duration:0.1
equal "one that fails at its end: status" 1 "$state"
check "one that fails at its end: its status is told" grep -q "^xdpdump: $scratch/tcpdump has ended with status 3$" "$err"
printf '#!/bin/sh\nkill -SEGV $$\n' > "$scratch/tcpdump"
run_xdpdump -i vb --decode="$scratch/tcpdump"
equal "one that crashes: status" 1 "$state"
check "one that crashes: the signal is told" grep -q "^xdpdump: $scratch/tcpdump was ended by signal 11$" "$err"
finish
