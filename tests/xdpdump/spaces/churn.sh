#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --netns PATTERN under traffic: namespaces with their interfaces come and go at random. Every frame that was
# sent 200 ms after an interface was told of is in the file, nothing holds a namespace that was removed, no
# descriptor is left, memory returns, and what --metrics counts only grows; all that without privilege.
# shellcheck source=tests/xdpdump/spaces/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_xdpdump
need tshark python3 pgrep nsenter
new_namespace hub
hub=$namespace

# churn ARGUMENT...: by churn.py, in the hub; names of namespaces are those of the host.
churn()
{
	nsenter --net="/run/netns/$hub" python3 "$top/tests/xdpdump/spaces/churn.py" "$@"
}

# resident PID: in KiB.
resident()
{
	sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$1/status"
}

descriptors()
{
	find "/proc/$1/fd" | wc -l
}

# All namespaces and interfaces that joined.
have_left()
{
	[ "$(grep -c ' joins the capture' "$said")" -eq "$(grep -c ' leaves the capture' "$said")" ]
}

# descriptors_are NUMBERS: of both processes.
descriptors_are()
{
	[ "$(descriptors "$capture") $(descriptors "$keeper")" = "$1" ]
}

mkdir "$scratch/metrics"
chown nobody "$scratch/metrics"
start "$xdpdump" --netns "$prefix*" -i 'c*' -Z nobody --metrics "$scratch/metrics/c.prom" --stats-interval 0.1 -w - 'ether proto 0x88b5'
started_capturing
capture=$pid said=$err file=$out
keeper=$(pgrep -P "$capture")
check "a process of its own keeps the sockets" test -n "$keeper"
# One round to warm up, with which memory is compared.
churn "${prefix}" "$said" 2 5 "$scratch/metrics/c.prom" 0 > "$scratch/warm" 2> "$scratch/warm.err"
equal "warming up" 0 $?
cat "$scratch/warm.err"
wait_for 120 have_left
settle "$capture"
sleep 1.5 # blocks of those that have gone are kept for a second
# The fewest of some looks: the metrics have two more while they are written.
before=$(for _ in 1 2 3 4 5 6 7 8 9 10; do
	echo "$(descriptors "$capture") $(descriptors "$keeper")"
done | sort -n | head -n 1)
memory=$(resident "$capture") kept=$(resident "$keeper")
churn "${prefix}1" "$said" "$CHURN_SECONDS" "$CHURN_SPACES" "$scratch/metrics/c.prom" 100 \
	> "$scratch/sure" 2> "$scratch/churn.err"
equal "all were told of, and are gone; counters only grow" 0 $?
cat "$scratch/churn.err"
settle "$capture"
wait_for 60 descriptors_are "$before"
equal "descriptors, of both processes" "$before" "$(descriptors "$capture") $(descriptors "$keeper")"
between "memory, in KiB" 1 $((memory + memory / 5)) "$(resident "$capture")"
between "... of the process that keeps the sockets" 1 $((kept + kept / 4 + 256)) "$(resident "$keeper")"
check "it ends well" all_read "$capture"
check "and the other process with it" fails kill -0 "$keeper"
tshark -r "$file" -T fields -E separator=/s -e frame.interface_name -e data.data 2> /dev/null |
	python3 -c 'import sys
for line in sys.stdin:
    name, data = line.split()
    print(name, bytes.fromhex(data).split(b";")[0].decode())' > "$scratch/got"
cut -d ' ' -f 2 "$scratch/got" | sort > "$scratch/frames"
sort "$scratch/warm" "$scratch/sure" > "$scratch/wanted"
echo "$(wc -l < "$scratch/wanted") frames were sent 200 ms after their interface was told of"
check "frames were sent" [ "$(wc -l < "$scratch/wanted")" -ge 100 ]
equal "frames that are missing" 0 "$(comm -13 "$scratch/frames" "$scratch/wanted" | wc -l)"
equal "frames by another name" 0 \
	"$(awk '{ split($2, of, ":"); if (of[1] != $1 && $2 ~ /:sure$/) n++ } END { print n + 0 }' "$scratch/got")"
same "those that joined and those that left" "$(grep -c '/c[0-9]* joins the capture' "$said")" \
	"$(grep -c '/c[0-9]* leaves the capture' "$said")"
same "namespaces that joined and that left" "$(grep -c 'network namespace .* joins the capture' "$said")" \
	"$(grep -c 'network namespace .* leaves the capture' "$said")"
equal "dropped" 0 "$(count dropped "$said")"
finish
