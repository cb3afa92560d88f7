# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# How much each test does, in each of three sizes: read by tests/run.sh and tests/lib.sh, and nowhere else is
# a size asked for. CHECK_SIZE is quick (./check), full (make check, ./check --full) or long (make
# check-long, ./check --long). A variable that is set already stays as it is.

CHECK_SIZE=${CHECK_SIZE:-full}
export CHECK_SIZE

# sized NAME QUICK FULL LONG
sized()
{
	case $CHECK_SIZE in
	quick) size=$2 ;;
	full) size=$3 ;;
	long) size=$4 ;;
	*)
		echo "CHECK_SIZE is quick, full or long, not '$CHECK_SIZE'" >&2
		exit 1
		;;
	esac
	eval "$1=\${$1:-$size} && export $1"
}

# is_quick: for what a number does not say.
is_quick()
{
	[ "$CHECK_SIZE" = quick ]
}

# Filters exchanged in each case of loader/swap.sh.
sized SWAP_SWAPS 160 400 1000
# Interfaces that come and go in pcap/any.sh.
sized ANY_INTERFACES 20 100 300
# Those of xdpdump/spaces/any.sh, under traffic.
sized CHURN_INTERFACES 16 80 2000
# xdpdump/spaces/churn.sh: how long network namespaces come and go, and how many there are at once.
sized CHURN_SECONDS 8 20 300
sized CHURN_SPACES 15 60 200
# Interfaces that xdpdump/spaces/spaces.sh and any.sh make in one network namespace.
sized SPACES_MANY 200 1000 10000
# Datagrams dropped in each of two namespaces by xdpdump/spaces/space_drops.sh.
sized SPACES_DROPS 20000 50000 500000
# Captures opened and closed by pcap/leak.sh, and by it under valgrind.
sized LEAK_OPENS 300 500 5000
sized LEAK_VALGRIND_OPENS 10 20 1000
# Seconds of silence in which pcap/readable_test has no wake.
sized SILENCE_SECONDS 3 3 60
# Triggers at a random moment in xdpdump/session/pre_trigger.sh.
sized PRE_TRIGGER_ROUNDS 6 50 500
# How long xdpdump/files/rotate_time.sh captures, and how long one of its files lasts.
sized ROTATE_SECONDS 20 30 3600
sized ROTATE_EVERY 4 5 10
# Frames that xdpdump/session/interface_gone.sh sends into each of three interfaces, at 20,000 a second.
sized GONE_FRAMES 10000 20000 400000
# Bursts of capture/doorbell_test, each at a reader that is about to sleep.
sized DOORBELL_ROUNDS 200000 400000 10000000
# Rounds of capture/corrupt_test, of 20 ms, and of pcap/corrupted.sh.
sized CORRUPT_ROUNDS 100 500 10000
sized CORRUPTED_ROUNDS 1 3 50
# Records in the model of capture/read/adopt.pml: 5 million states, or 38 million.
sized ADOPT_RECORDS 2 2 3
# How long hooks/killed.sh kills captures.
sized KILLED_SECONDS 5 10 60
# How often hooks/blind.sh lets a capture change its hook under load.
sized BLIND_ROUNDS 1 1 50
# Frames of divert/receive.sh, account.sh, send.sh.
sized DIVERT_FRAMES 30000 100000 100000
sized ACCOUNT_FRAMES 300000 300000 50000000
sized SEND_FRAMES 5000 20000 20000
# Seconds of an idle link in divert/watchdog.sh, whose watchdogs wait for 2.
sized WATCHDOG_IDLE 5 15 60
# Frames of pcap/rate.sh, queues.sh and fullring.sh, bytes of traffic.sh.
sized RATE_FRAMES 500000 1000000 10000000
sized QUEUES_FRAMES 200000 400000 5000000
sized FULLRING_FRAMES 300000 300000 10000000
sized TRAFFIC_BYTES 100000000 100000000 2000000000
# hooks/combined: each pair of options, or all combinations; and those by every compiler as well.
sized COMBINED pairs all all
sized COMPILERS_COMBINED 0 0 1
# The random part of filter/verify, pieces and differ, of what they do otherwise.
sized FILTER_ROUNDS 0.34 1 10
# Queries of find/find.sh, which tcpdump answers for each file.
sized FIND_QUERIES 60 300 10000
# Files of find/index.sh, in folders.
sized FIND_FILES 1000 5000 100000
# Captures of find/ring.sh that are killed.
sized FIND_KILLS 3 6 50
# Faults of tests/kafka/faults.sh: one of each kind, or so many by chance.
sized KAFKA_FAULTS each each 100
# ... and packets a second: beside other tests no more than two processors keep up with.
sized KAFKA_RATE 10000 10000 50000
# sets/sets.sh: entries of a set, and frames at each hook.
sized SETS_SINGLES 300 2000 1000000
sized SETS_PREFIXES 200 1000 100000
sized SETS_FRAMES 1024 2048 200000
# ... and further ones at xdp, tc and packet while the file is exchanged: 0, or so many.
sized SETS_EXCHANGED 0 0 10000000
# ... and of flows.sh.
sized FLOWS_FRAMES 400 700 100000
# How long each target of make check-fuzz runs.
sized FUZZ_SECONDS 5 12 600
# make check-faults: rounds and seconds at most, whichever comes first; which calls fail once each, and each
# so many of those of xdpdump.
sized FAULTS_ROUNDS 10 100000 1000
sized FAULTS_SECONDS 20 240 100000
sized FAULTS_CALLS none each all
sized FAULTS_STEP 1 8 1
# The first so many places of each command of faults/places.sh.
sized FAULTS_PLACES none 2 all
# How long xdpdump/output/lines.sh feeds any bytes to what makes lines; 0: not at all.
sized FUZZ_LINE_SECONDS 0 4 600
# How graft/patch.sh builds libpcap with the patch, by which tool, and whether another release as well.
sized PATCH_CONFIGURE none 'no dlopen' 'no dlopen link'
sized PATCH_CMAKE none none 'no dlopen link'
sized PATCH_OTHER no no yes
# who/oracle.sh: how often each kind of service runs, and how often each speaks.
sized WHO_LOOPS 1 1 12
sized WHO_ROUNDS 6 6 80
