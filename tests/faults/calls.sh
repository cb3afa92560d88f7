#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Each call by which a capture opens fails once: allocations, descriptors, memory, bpf(), clone(). Open says
# why and undoes itself, or goes on without; xdpdump's start and end as well, and the loader process.
#
# FAULTS_CALLS: each (one call from each place), all, or none. FAULTS_STEP: each so many of xdpdump's.
# shellcheck source=tests/faults/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need_testprog capcheck
[ "$FAULTS_CALLS" != none ] || skip_all "not in this size (FAULTS_CALLS)"
is_sanitized && skip_all "the sanitizers have an allocator of their own"
[ -x "$xdpdump" ] || skip_all "xdpdump was not built: make xdpdump/xdpdump"
kind=calls seed=0 rounds=1
judges_crashes=yes # some of them are of libraries of others

# open_by DEVICE: in the background; they wait for the kernel more than they compute.
open_by()
{
	start env LD_LIBRARY_PATH="$library" LD_PRELOAD="$failing" "$build/tests/faults/opener" "$FAULTS_CALLS" \
		"$1" 'ether proto 0x88b5'
	openers="${openers:-} $pid:$out:$err"
}

opens_end()
{
	for one in $openers; do
		said=${one#*:}
		ended "${one%%:*}" 3600
		result=$?
		grep -v -e '^ok: ' -e '^FAILED: [^,]* of [0-9]* calls' "${said%:*}"
		if [ $result -eq 0 ]; then
			ok "$(sed -n 's/^ok: //p' "${said%:*}")"
		else
			bad "$(tail -n 1 "${said%:*}" "${said#*:}" | cut -c 1-300)"
		fi
	done
	openers=''
}

# The loader process of each of these has to start and to answer; its own calls fail in loader().
open_by xdp:vb,ring=1M,loader=off
open_by xdp:vb,ring=1M,loader=off,hook=tc
open_by xdp:vb,ring=1M,loader=off,hook=packet
opens_end
open_by xdp:vb,ring=1M
open_by xdp:vb,ring=1M,loader=off,engine=divert
open_by xdp:vb,ring=1M,loader=off,engine=divert,zero-copy=off
opens_end

# has_failed NUMBER: has that call failed? $what.
has_failed()
{
	what=$(tr -d '\0' < "$scratch/failed" 2> /dev/null | cut -c 1-300)
	[ -n "$what" ] || return
	what="call $1, $what"
}

# Libraries of others that end the program without memory: libseccomp, and libpcap when it compiles a filter.
is_theirs()
{
	case $what in
	*seccomp_load* | *pcap_compile*) theirs=$((theirs + 1)) ;;
	*) return 1 ;;
	esac
}

# once NUMBER: a whole run of xdpdump, of which a call fails; false: none did.
once()
{
	rm -rf "$folder" "$scratch/failed"
	mkdir "$folder"
	start ip netns exec "$right" env LD_PRELOAD="$failing" FAIL_AT="$1" FAIL_SITES=1 FAIL_TO="$scratch/failed" \
		"$xdpdump" -i vb --ring 1M -w "$folder/f" -a duration:0.1 udp
	said=$err
	ended "$pid" 30 > "$scratch/ended"
	ended_with=$?
	has_failed "$1" || return
	case $ended_with in
	0) works=$((works + 1)) ;;
	1)
		refuses=$((refuses + 1))
		grep -q '^xdpdump: ' "$said" || wrong "$what: status 1 without a word"
		;;
	2 | 139) is_theirs || wrong "$what: status $ended_with" ;;
	*) wrong "$what: status $ended_with: $(cat "$scratch/ended")" ;;
	esac
	! grep -q -e Success -e 'Unknown error' -e '(null)' "$said" || wrong "$what: $(tail -n 1 "$said")"
	[ -z "$(find "$folder" -name '*.part')" ] || wrong "$what: an unfinished file is left"
	wait_for 10 nobody_left || wrong "$what: a process is left"
	wait_for 5 no_xdp_program "$right" vb || wrong "$what: a program is left"
}

# by_loader NUMBER STEP...: an application for which the loader process opens or swaps; one of its calls fails.
by_loader()
{
	number=$1
	shift
	rm -f "$scratch/failed"
	printf '#!/bin/sh\nLD_PRELOAD=%s FAIL_AT=%s FAIL_SITES=1 FAIL_TO=%s exec %s "$@"\n' "$failing" "$number" \
		"$scratch/failed" "$build/pcap-afxdp-loader" > "$scratch/loader"
	chmod 755 "$scratch/loader"
	PCAP_AFXDP_LOADER=$scratch/loader start_capture "$build/tests/loader/client" "$@"
	said=$out
	ended "$pid" 60 > "$scratch/ended"
	ended_with=$?
	has_failed "$number" || return
	[ "$ended_with" -lt 128 ] || wrong "$what: status $ended_with: $(cat "$scratch/ended")"
	if grep -q '^activate 0' "$said"; then
		works=$((works + 1))
	else
		refuses=$((refuses + 1))
		grep -q '^activate -[0-9]* after [0-9]* ms: .' "$said" || wrong "$what: refused without a word"
	fi
	! grep -q -e Success -e 'Unknown error' -e '(null)' "$said" || wrong "$what: $(tail -n 1 "$said")"
	wait_for 10 nobody_left || wrong "$what: a process is left"
	wait_for 5 no_xdp_program "$right" vb || wrong "$what: a program is left"
}

# some_failed: else failing.so did not do what it is for.
some_failed()
{
	[ $((refuses + works)) -gt 0 ] || bad "$title: no call failed"
}

# try_loader NAME STEP...
try_loader()
{
	title=$1 number=1 works=0 refuses=0
	shift
	while by_loader "$number" "$@" && [ "$number" -lt 10000 ] && [ "$failed" -lt 20 ]; do
		number=$((number + FAULTS_STEP))
	done
	grep -q '^activate 0' "$said" || wrong "nothing failed, and it does not open"
	some_failed
	[ "$failed" -gt 0 ] || ok "$title: of calls that failed once each, $refuses ended it with a sentence, $works did not"
}

nobody_left()
{
	[ -z "$(ip netns pids "$right")" ]
}

veth_pair
title=xdpdump number=1 works=0 refuses=0 theirs=0
while once "$number" && [ "$number" -lt 100000 ] && [ "$failed" -lt 20 ]; do
	number=$((number + FAULTS_STEP))
done
equal "xdpdump: the last run, in which nothing failed: status" 0 "$ended_with"
some_failed
[ "$failed" -gt 0 ] || ok "xdpdump: of calls that failed once each, $refuses ended it with a sentence, $works did not, at $theirs a library of others ended it"
chmod 755 "$scratch"
try_loader "the loader process, opening" keep=0 open=xdp:vb,ring=1M 'filter=udp dst port 9' close
try_loader "the loader process, swapping" open=xdp:vb,ring=1M become=nobody 'filter=udp dst port 9' close
finish
