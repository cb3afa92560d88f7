#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Services that capture beside other work, by plain names and PCAP_AFXDP: they answer their own control
# socket and SIGTERM as quickly as on AF_PACKET, count the same packets, and are not woken in silence.
# shellcheck source=tests/clients/lib.sh
. "$(dirname "$0")/lib.sh"
client_pair ping
pings=100
frames=$((2 * pings))
# What answers within it is not held up by a read that sleeps.
patience_answer=1500
# Seconds of silence.
idle=3

# service WAY COMMAND...: on AF_PACKET (plain) or by PCAP_AFXDP (xdp), in a hook of vb.
service()
{
	way=$1
	shift
	case $way in
	plain) set -- env -u LD_LIBRARY_PATH "$@" ;;
	xdp) set -- env PCAP_AFXDP=vb PCAP_AFXDP_DEBUG=1 "$@" ;;
	esac
	start_as_typed "$@"
	wait_for 20 is_hooked "$right" vb
	settle "$pid"
}

# switches: how often its threads went to sleep by themselves.
switches()
{
	cat "/proc/$pid/task"/*/status 2> /dev/null | awk '/^voluntary_ctxt/ { n += $2 } END { print n + 0 }'
}

# in_silence: how many of these in $idle seconds without a packet, in $woken.
in_silence()
{
	woken=$(switches)
	sleep "$idle"
	woken=$(($(switches) - woken))
}

# ends: by SIGTERM; after how long, in $stopped_ms.
ends()
{
	asked=$(now_ms)
	stop "$pid" TERM > "$scratch/stop" 2>&1
	stopped_ms=$(($(now_ms) - asked))
	between "$client ($way): ends by SIGTERM, ms" 0 "$patience_answer" "$stopped_ms"
}

# judge_service COUNTED: of either way. A read that blocks returns at its time-out of 10 ms, bettercap's, which it
# does not on AF_PACKET; each costs its threads some switches.
judge_service()
{
	equal "$client ($way): counts what passes" "$frames" "${1:-nothing}"
	if [ "$way" = plain ]; then
		plain_woken=$woken
	else
		check "$client: vb is captured at the XDP layer" is_ours vb "$err"
		between "$client: is woken in $idle s of silence as on AF_PACKET ($plain_woken times)" \
			0 $((plain_woken + 400 * idle)) "$woken"
	fi
	row "$client ($way)" "$version" yes "${1:-0}/$frames" "$stopped_ms ms" \
		"$woken in $idle s${answered:+, answers in $answered ms}"
}

# unpacked_debian NAME PACKAGE...: in $unpacked, as its package would start a service.
unpacked_debian()
{
	client=$1
	shift
	version=$(apt-cache show "$1" 2> /dev/null | sed -n 's/^Version: //p' | head -n 1)
	unpacked=$cache/$client
	made "$client" "$client" debian "$@"
}

# --- softflowd, with softflowctl ---

softflow_says()
{
	with_library "$unpacked/usr/sbin/softflowctl" -c "$scratch/control" statistics > "$scratch/said" 2>&1
}

# It sets no time-out: on AF_PACKET it processes nothing until a block is full, and libpcap's count is taken.
softflow_packets()
{
	softflow_says || return
	case $way in
	plain) sed -n 's/^Packets received by libpcap: //p' "$scratch/said" ;;
	xdp) sed -n 's/^Packets processed: //p' "$scratch/said" ;;
	esac
}

softflow_has_all()
{
	[ "$(softflow_packets)" -ge "$frames" ]
}

# Its control socket is asked in silence.
softflow_answers()
{
	asked=$(now_ms)
	softflow_says
	answered=$(($(now_ms) - asked))
	between "$client ($way): answers softflowctl, ms" 0 "$patience_answer" "$answered"
}

serve_softflowd()
{
	unpacked_debian softflowd softflowd || return
	for way in plain xdp; do
		service "$way" "$unpacked/usr/sbin/softflowd" -d -i vb -n 10.99.0.1:9995 -c "$scratch/control" -p "$scratch/pid"
		in_silence
		softflow_answers
		in_left ping -qc "$pings" -i 0.01 -W 5 10.99.0.2 > "$scratch/ping"
		wait_for 20 softflow_has_all
		softflow_answers
		counted=$(softflow_packets)
		ends
		judge_service "$counted"
	done
	answered=''
}

# --- bettercap ---

# A session as its unit starts it: its standard input is empty.
serve_bettercap()
{
	unpacked_debian bettercap bettercap libnetfilter-queue1 libnfnetlink0 libusb-1.0-0 || return
	launcher bettercap usr/bin/bettercap
	ip -n "$right" route replace default via 10.99.0.1
	for way in plain xdp; do
		service "$way" env HOME="$scratch" "$scratch/bettercap" -iface vb -no-colors -no-history -eval \
			"set net.sniff.local true; set net.sniff.filter icmp; set net.sniff.output $scratch/$way.pcap; net.sniff on"
		wait_for 20 test -s "$scratch/$way.pcap"
		in_silence
		in_left ping -qc "$pings" -i 0.01 -W 5 10.99.0.2 > "$scratch/ping"
		wait_for 20 has_packets "$frames" "$scratch/$way.pcap"
		ends
		judge_service "$(packets "$scratch/$way.pcap")"
	done
}

has_packets()
{
	[ "$(packets "$2")" -ge "$1" ]
}

SERVICES=${SERVICES:-'softflowd bettercap'}
for one in $SERVICES; do
	"serve_$one"
done
nothing_left "$right" vb
finish_table
