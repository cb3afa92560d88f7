# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# What the tests with clients share, on top of ../apps/lib.sh: where clients are kept, how drivers are
# run, and the table. va in $left, vb in $right; clients run in $right.

# shellcheck source=tests/apps/lib.sh
. "$(dirname "$0")/../apps/lib.sh"
drivers=$top/tests/clients/drivers
# Kept for the next time, outside of the source tree. Of make check-clients' own, as what is in there
# is for this system's compilers and interpreters.
cache=${PCAP_AFXDP_CACHE:-$build}/clients
# Debian's own, for which Debian's packages are.
python=/usr/bin/python3
# An echo request from vb to va: 10.99.0.2 asks 10.99.0.1.
request=02000000000a02746700000208004500001c00010000400166180a6300020a6300010800f7fe00000001
# How long after Ctrl-C a client may live on.
patience_ms=2000

# is_long: is it the long form? It asks registries other than Debian's.
is_long()
{
	[ "${CLIENTS:-quick}" = all ]
}

# needs_runtime: programs whose runtimes do not take a library with sanitizers.
needs_runtime()
{
	! is_sanitized || skip_all "clients' own runtimes do not take a library with sanitizers"
}

# client_pair PROGRAM...: va in $left, vb in $right, where clients and these programs can run.
client_pair()
{
	need_root
	need_library
	needs_runtime
	need "$@"
	veth_pair
}

# --- what clients are made of ---

# compile WORD...: by the compiler of the build, which may be two words.
# shellcheck disable=SC2046
compile()
{
	$(sed -n 's/^CC = //p' "$build/Makefile" | grep . || echo cc) "$@"
}

debian_version()
{
	# shellcheck disable=SC2016 # a format of dpkg's
	dpkg-query -f '${Version}' -W "$1" 2> /dev/null || echo unknown
}

# packaged CLIENT PROGRAM PACKAGE: is it there, and the libraries that it starts with? $version is then that of the
# package.
packaged()
{
	found_at=$(command -v "$2" || readlink -e "$2") || {
		left_out "$1" "not installed (Debian's package $3)"
		return 1
	}
	without=$(ldd "$found_at" 2> /dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' | xargs)
	[ -z "$without" ] || {
		left_out "$1" "it does not start on this system: $without is not there"
		return 1
	}
	version=$(debian_version "$3")
}

# go_program CLIENT FILE: $scratch/CLIENT of it, with gopacket of Debian's, so that no registry is asked.
go_program()
{
	packaged "$1" /usr/share/gocode/src/github.com/google/gopacket golang-github-google-gopacket-dev || return
	command -v go > /dev/null || { left_out "$1" 'no go'; return 1; }
	GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=${GOCACHE:-$cache/go} \
		timeout 300 go build -o "$scratch/$1" "$2" > "$scratch/made" 2>&1 && return
	bad "$1: does not compile"
	show "$scratch/made"
	return 1
}

# made CLIENT DIRECTORY RECIPE [WORD...]: is it in the cache, or else can get.sh make it there, in ten
# minutes? What was half made is thrown away.
made()
{
	client=$1 place=$cache/$2
	shift 2
	[ ! -e "$place/.made" ] || return 0
	rm -rf "$place"
	mkdir -p "$place"
	if (cd "$place" && timeout 600 sh "$top/tests/clients/get.sh" "$@") > "$scratch/made" 2>&1; then
		touch "$place/.made"
		return
	fi
	left_out "$client" "cannot be had here: $(reason_in "$scratch/made")"
	sed 's/^/    /' "$scratch/made" | tail -n 20
	return 1
}

# launcher NAME PROGRAM: for one that was unpacked, with the libraries beside it.
launcher()
{
	cat > "$scratch/$1" <<-END
	#!/bin/sh
	LD_LIBRARY_PATH=\${LD_LIBRARY_PATH:+\$LD_LIBRARY_PATH:}$(echo "$unpacked"/usr/lib/*-linux-gnu*)
	export LD_LIBRARY_PATH
	exec $unpacked/$2 "\$@"
	END
	chmod +x "$scratch/$1"
}

# reason_in FILE: the first line that says what went wrong.
reason_in()
{
	grep -m 1 -i -E 'error|could not|cannot|not found|unable' "$1" | cut -c 1-80 || tail -n 1 "$1"
}

# --- the table ---

# row CLIENT VERSION OPENED COUNTED STOPPED INJECTED
row()
{
	printf '%-26s %-22s %-8s %-10s %-9s %s\n' "$@" >> "${CLIENTS_TABLE:-$scratch/table}"
}

left_out()
{
	skip "$1: $2"
	printf '%-26s skipped: %s\n' "$1" "$2" >> "${CLIENTS_TABLE:-$scratch/table}"
}

# word STATUS WORD: the word, or "no".
word()
{
	if [ "$1" -eq 0 ]; then echo "$2"; else echo no; fi
}

# told NAME COMMAND...: as check, with the status.
told()
{
	before=$failed
	check "$@"
	[ "$failed" -eq "$before" ]
}

finish_table()
{
	[ -n "${CLIENTS_TABLE-}" ] || [ ! -e "$scratch/table" ] || cat "$scratch/table"
	finish
}

# --- running them ---

# start_as_typed COMMAND...: with Ctrl-C as at a prompt, where a shell without job control has it ignored
# by what it starts in the background.
start_as_typed()
{
	start_capture env --default-signal=INT "$@"
}

now_ms()
{
	echo $(($(date +%s%N) / 1000000))
}

# interrupt PID: by Ctrl-C; after how long it had ended in $stopped_ms. Fails where it did not in time.
interrupt()
{
	asked=$(now_ms)
	stop "$1" INT > "$scratch/stop" 2>&1
	stopped_ms=$(($(now_ms) - asked))
	! grep -q 'did not end' "$scratch/stop" && [ "$stopped_ms" -le "$patience_ms" ]
}

# echo_requests NAMESPACE: how many its host has received.
echo_requests()
{
	ip netns exec "$1" awk '/^Icmp: [0-9]/ { print $10 }' /proc/net/snmp
}

ping_left()
{
	in_right ping -qc "$1" -i 0.01 -W 5 10.99.0.1 > "$scratch/ping" ||
		bad "ping is answered while a capture runs"
}

# traffic: 15 echo requests pass vb, 10 received and 5 sent, and as many replies.
traffic()
{
	ping_right 10
	ping_left 5
}

is_ready()
{
	grep -q '^ready' "$out" || process_gone "$pid"
}

# Devices that are compared: the first is AF_PACKET's.
if is_long; then
	devices='vb xdp:vb xdp:vb,hook=tc xdp:vb,hook=packet'
else
	devices='vb xdp:vb'
fi

# by_device DEVICE COMMAND...: ready; with the distribution's library where the device is AF_PACKET's.
by_device()
{
	case $1 in
	xdp:*) shift ;;
	*) shift && set -- env -u LD_LIBRARY_PATH "$@" ;;
	esac
	start_as_typed "$@"
	wait_for 30 is_ready
}

# drive CLIENT DEVICE COMMAND...: a driver on the device, as README.md says.
# shellcheck disable=SC2154 # left and right are of ../lib.sh
drive()
{
	client=$1 device=$2
	shift 2
	before=$(echo_requests "$left")
	start_as_typed "$@" "$device" 'icmp[0] = 8' "$request"
	wait_for 30 is_ready
	if ! grep -q '^ready' "$out"; then
		bad "$client: does not open $device: $(tail -n 1 "$err")"
		show "$err"
		row "$client" "$version" no - - -
		ended "$pid" 1
		return
	fi
	ok "$client: opens $device and sets a filter"
	injected=$(($(echo_requests "$left") - before))
	traffic
	settle "$pid"
	interrupt "$pid"
	judge $? "$(sed -n 's/^counted //p' "$out")"
}

# is_ours INTERFACE FILE: its plain name was opened at the XDP layer, by what PCAP_AFXDP_DEBUG=1 told.
is_ours()
{
	grep -q "^pcap-afxdp: $1: captured at the XDP layer" "$2" && ! grep -q "^pcap-afxdp: $1: captured by AF_PACKET" "$2"
}

# judge STATUS COUNTED: what became of the driver.
judge()
{
	told "$client: stops on Ctrl-C, after $stopped_ms ms" [ "$1" -eq 0 ]
	stopped=$(word $? "$stopped_ms ms")
	equal "$client: counts what passes, and not what it injected" 15 "${2:-nothing}"
	equal "$client: injects" 3 "$injected"
	row "$client" "$version" yes "${2:-no}/15" "$stopped" "$injected/3"
	[ -n "$2" ] || show "$err"
}
