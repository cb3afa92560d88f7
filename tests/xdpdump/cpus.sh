#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --cpus: who reads is on the first, who writes on the others, also when a new file has been begun.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
[ "$(getconf _NPROCESSORS_ONLN)" -ge 2 ] || skip_all "needs two CPUs"
[ "$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)" != 0 ] || skip_all "needs CPU 1"
veth_pair

# cpus_of PID: of each thread, the first one being the process's, "0 1 1".
cpus_of()
{
	for task in "/proc/$1/task"/*; do
		sed -n 's/^Cpus_allowed_list:[^0-9]*//p' "$task/status"
	done | tr '\n' ' ' | sed 's/ $//'
}

start_xdpdump --cpus 1,0 -w "$scratch/f.pcapng"
capture=$pid
send -n 1000 -r 10000
equal "the reader" 1 "$(cpus_of "$capture" | cut -d ' ' -f 1)"
equal "the others" 0 "$(cpus_of "$capture" | tr ' ' '\n' | tail -n +2 | sort -u)"
stop "$capture" INT
equal "ends well" 0 $?
equal "packets" 1000 "$(packets "$scratch/f.pcapng")"

start_xdpdump --cpus 0-1 -C 20K --print-name -w "$scratch/r.pcapng"
capture=$pid
send -n 2000 -r 10000
settle "$capture"
equal "files later, another one" 0 "$(cpus_of "$capture" | cut -d ' ' -f 1)"
equal "... and who writes them" 1 "$(cpus_of "$capture" | tr ' ' '\n' | tail -n +2 | sort -u)"
stop "$capture" INT

start_xdpdump --cpus 1 -w "$scratch/f.pcapng"
capture=$pid
send -n 10 -r 1000
equal "one CPU for all" 1 "$(cpus_of "$capture" | tr ' ' '\n' | sort -u)"
stop "$capture" INT

start_xdpdump -w "$scratch/f.pcapng"
equal "without it, where we may run" "$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)" \
	"$(cpus_of "$pid" | tr ' ' '\n' | sort -u)"
stop "$pid" INT

for list in '' '1,' 1- 2-1 -1 a '0,,1' 99999 '0 1'; do
	run_xdpdump -i vb --cpus "$list" -c 1
	equal "--cpus '$list': status" 1 "$state"
	check "--cpus '$list': says what it takes" grep -q 'takes numbers and ranges\|not all of these are there' "$err"
done
finish
