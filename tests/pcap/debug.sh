#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# PCAP_AFXDP_DEBUG writes to a file or to the system's log, and not to standard error, which is a protocol of some
# programs' own. Nobody else chooses the file.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need python3 ping setpriv
veth_pair
cc=$(sed -n 's/^CC = //p' "$build/Makefile")
captured='pcap-afxdp: vb: captured at the XDP layer, by tc'

cat > "$scratch/opens.c" <<-END
	#include <pcap/pcap.h>
	#include <stdio.h>
	int main(int argc, char **argv)
	{
		char err[PCAP_ERRBUF_SIZE] = "";
		struct bpf_program none;
		pcap_t *p = pcap_open_live(argv[argc - 1], 100, 0, 100, err);
		if (!p || pcap_compile(p, &none, "icmp", 1, 0))
			return puts(err), 1;
		/* As programs that give up all rights before they set a filter. */
		return argc > 2 && (setgid(65534) || setuid(65534)) ? 1 : pcap_setfilter(p, &none) ? 1 : 0;
	}
END
sed -i '1i #include <unistd.h>' "$scratch/opens.c"
${cc:-cc} -o "$scratch/opens" "$scratch/opens.c" -Wl,-rpath,"$library" -lpcap > "$scratch/cc" 2>&1 ||
	skip_all "cannot compile: $(tail -n 1 "$scratch/cc")"

# opens VALUE [COMMAND...]: vb by its plain name, with that value of the variable; what it said in $said.
said=$scratch/said
opens()
{
	value=$1
	shift
	# shellcheck disable=SC2046 # one word per variable
	in_right env $(library_environment) PCAP_AFXDP=vb PCAP_AFXDP_DEBUG="$value" "$@" "$scratch/opens" vb > "$said" 2>&1 ||
		bad "vb is opened"
}

# /dev/log, by a service that writes each message into a file; no other device is needed but null, and random numbers.
dev=$scratch/dev
mkdir "$dev" "$scratch/open" "$scratch/folder"
for device in null random urandom; do
	: > "$dev/$device"
done
cat > "$scratch/log.py" <<-END
	import os, socket, sys
	log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
	log.bind(sys.argv[1])
	os.chmod(sys.argv[1], 0o666)
	print("ready", flush=True)
	while True:
	    print(log.recv(65536).decode(), flush=True)
END
start python3 "$scratch/log.py" "$dev/log"
log=$out
wait_for 20 grep -q ready "$log" || skip_all "no socket for the log: $(tail -n 1 "$err")"
logged()
{
	wait_for 20 grep -q "$1" "$log"
}

logging=$scratch/logging
cat > "$logging" <<-END
	#!/bin/sh
	[ -n "\${LOGGING-}" ] || LOGGING=1 exec unshare -m "\$0" "\$@"
	for i in null random urandom; do mount --bind /dev/\$i $dev/\$i; done && mount --rbind $dev /dev && exec "\$@"
END
chmod +x "$logging"

opens 1
check "1: standard error has it" grep -qx "$captured" "$said"
opens 0
check "0: nothing has" fails grep -q pcap-afxdp "$said"

opens "$scratch/file"
opens "$scratch/file"
check "a file: standard error has nothing" fails grep -q pcap-afxdp "$said"
equal "a file: lines are appended, of the name and of its filter" 4 \
	"$(grep -c -e "^$captured" -e '^pcap-afxdp: vb: filter in the kernel' "$scratch/file")"
equal "a file: for its owner alone" 600 "$(stat -c %a "$scratch/file")"
rm "$scratch/file"
# shellcheck disable=SC2046 # one word per variable
in_right env $(library_environment) PCAP_AFXDP=vb PCAP_AFXDP_DEBUG="$scratch/file" "$scratch/opens" drop vb > "$said" 2>&1
equal "a file: also once privileges are dropped" 2 "$(grep -c . "$scratch/file")"

"$logging" true || skip_all "no mounts here"
opens syslog: "$logging"
check "syslog: has it" logged "$captured"
check "... and not standard error" fails grep -q pcap-afxdp "$said"

has_lines()
{
	[ "$(grep -c "$captured" "$log")" -eq "$1" ]
}

# refused FILE REASON: nothing is written there; the log has why, and all lines.
refused()
{
	lines=$(grep -c "$captured" "$log")
	cksum "$1" > "$scratch/before" 2>&1
	opens "$1" "$logging"
	cksum "$1" > "$scratch/after" 2>&1
	check "$2: not written" cmp -s "$scratch/before" "$scratch/after"
	check "$2: the log says why" logged "PCAP_AFXDP_DEBUG=$1: not written there: .*$2"
	check "$2: and has the lines" wait_for 20 has_lines $((lines + 1))
	check "$2: standard error has nothing" fails grep -q pcap-afxdp "$said"
}
echo mine > "$scratch/mine"
ln -s "$scratch/mine" "$scratch/link"
refused "$scratch/link" 'symbolic link'
ln -s "$scratch" "$scratch/open/way"
refused "$scratch/open/way/mine" 'symbolic link'
ln "$scratch/mine" "$scratch/twice"
refused "$scratch/twice" 'another name'
: > "$scratch/theirs"
chown 65534 "$scratch/theirs"
refused "$scratch/theirs" "another user's"
mkfifo "$scratch/fifo"
opens "$scratch/fifo" "$logging"
check "a pipe that nobody reads: the log says why" logged "$scratch/fifo: not written there"
refused "$scratch/nosuch/file" 'No such file'
refused "$scratch/folder" 'Is a directory'

if is_sanitized; then
	skip "a library with sanitizers goes into no program with capabilities"
elif setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$scratch/opens" 2> "$scratch/text"; then
	chmod 777 "$scratch/open"
	chmod 711 "$scratch"
	in_right "$logging" setpriv --reuid=65534 --regid=65534 --clear-groups env PCAP_AFXDP_DEBUG="$scratch/open/file" \
		"$scratch/opens" xdp:vb > "$said" 2>&1
	check "a program with file capabilities writes no file" fails test -e "$scratch/open/file"
	check "... the log says why" logged 'not in a program that has privileges of its own'
else
	skip "file capabilities: $(head -n 1 "$scratch/text")"
fi

is_open()
{
	grep -qs captured "$scratch/file"
}

# Does this tshark show what its dumpcap prints? 4.4 does. 4.0 takes it for messages of its own.
is_shown()
{
	[ "$(tshark --version 2> /dev/null | sed -n '1s/^[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | awk '{ print $1 * 100 + $2 }')" -ge 404 ]
}

if is_sanitized; then
	skip "tshark asks its extcaps first, which do not end with the runtime of the sanitizers"
elif command -v tshark > "$scratch/which"; then
	rm "$scratch/file"
	start_capture env PCAP_AFXDP=vb PCAP_AFXDP_DEBUG="$scratch/file" tshark -n -i vb -c 4 -T fields -e ip.src icmp
	tshark=$pid shown=$out
	wait_for 60 is_open
	start in_left ping -q -i 0.05 -w 60 10.99.0.2
	check "tshark captures all the same" ended "$tshark" 60
	equal "... packets" 4 "$(grep -c 10.99 "$shown")"
	check "... at the XDP layer, as the file says" grep -q "$captured" "$scratch/file"

	# Standard error of dumpcap goes to a pipe here, and to a terminal or file where a person started it.
	lines=$(grep -c "$captured" "$log")
	start_capture env PCAP_AFXDP=vb PCAP_AFXDP_DEBUG=1 "$logging" tshark -n -i vb -c 4 -T fields -e ip.src icmp
	tshark=$pid shown=$out said=$err
	if is_shown; then
		wait_for 60 grep -q "$captured" "$said" || bad "1, of tshark's dumpcap: standard error has nothing"
	else
		wait_for 60 has_lines $((lines + 1)) || bad "1, of tshark's dumpcap: the log has nothing"
	fi
	check "1: tshark captures all the same" ended "$tshark" 60
	equal "... packets" 4 "$(grep -c 10.99 "$shown")"
	is_shown ||
		equal "... and says what it says without" "4 packets captured" "$(sed -n '/packets captured/p; /[Ee]rror/p; /from dumpcap/p' "$said")"
else
	skip "tshark is not installed"
fi
finish
