#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --tls-keylog: tshark decrypts openssl's and curl's connections by the capture alone, live as well; in each
# file; whatever else the key log does or has in it.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need openssl curl tshark editcap mergecap zstd
veth_pair
address=192.0.2
in_left ip address add $address.1/24 dev va
in_right ip address add $address.2/24 dev vb
keys=$scratch/keys.log

openssl req -x509 -newkey rsa:2048 -nodes -keyout "$scratch/key.pem" -out "$scratch/cert.pem" -days 2 \
	-subj /CN=example.org 2> /dev/null
start in_right openssl s_server -key "$scratch/key.pem" -cert "$scratch/cert.pem" -accept 4433 -www -quiet
server=$pid
wait_for 10 in_right sh -c 'ss -ltn | grep -q :4433'

# get OPTION...: a page, by openssl with the options; its keys go to $keys.
get()
{
	(printf 'GET / HTTP/1.0\r\n\r\n' && sleep 0.2) | in_left openssl s_client -connect $address.2:4433 \
		-keylogfile "$keys" "$@" > "$scratch/got" 2>&1
}

# pages FILE: how many requests tshark reads in it.
pages()
{
	tshark -r "$1" -Y http.request 2> /dev/null | wc -l
}

# capture OPTION...: into $scratch/f.pcapng, both ways; $capture, $said.
file=$scratch/f.pcapng
capture()
{
	start_xdpdump -Q inout --tls-keylog "$keys" -w "$file" "$@" tcp port 4433
	capture=$pid said=$err
}

: > "$keys"
get # before the capture: its key goes in, too
capture
get
get -tls1_2
stop "$capture" INT
equal "two connections: ends well" 0 $?
equal "two connections: requests" 2 "$(pages "$file")"
equal "nothing is said of keys" 0 "$(grep -c 'TLS key' "$said")"
check "every packet is there" "$capcheck" --order none "$file"
tshark -r "$file" -T fields -e tls.handshake.type > "$scratch/all" 2> /dev/null
equal "tshark reads as many packets as were captured" "$(count captured "$said")" "$(wc -l < "$scratch/all")"
editcap --discard-all-secrets "$file" "$scratch/without.pcapng"
equal "without its secrets nobody reads it" 0 "$(pages "$scratch/without.pcapng")"

# tshark, which may not read the key log, gets the keys in its pipe.
rm "$keys"
: > "$keys"
chmod 600 "$keys"
start_xdpdump -Q inout --tls-keylog "$keys" --decode='tshark -Y http.request' tcp port 4433
capture=$pid printed=$out
get
check "--decode: the request is printed while the capture runs" wait_for 10 grep -q 'GET / HTTP/1.0' "$printed"
stop "$capture" INT

rm "$keys"
: > "$keys"
capture --zstd
SSLKEYLOGFILE=$keys in_left curl -sk https://$address.2:4433/ -o /dev/null
stop "$capture" INT
zstd -q -d -c "$file" > "$scratch/plain.pcapng"
equal "curl, compressed: request" 1 "$(pages "$scratch/plain.pcapng")"

: > "$keys"
# shellcheck disable=SC2016 # for the inner shells
start sh -c 'sh -c "echo \$\$ > $3; exec ip netns exec $0 $1 -i vb -Q inout --tls-keylog $2 -w - tcp port 4433" |
	tshark -l -r - -Y http.request' "$right" "$xdpdump" "$keys" "$scratch/pid"
live=$out
wait_for 20 grep -q 'listening on' "$err"
get
check "live: tshark prints the request while the capture runs" wait_for 10 sh -c '[ "$(wc -l < "$1")" -eq 1 ]' sh "$live"
kill -INT "$(cat "$scratch/pid")"
ended "$pid" 10

: > "$keys"
mkdir "$scratch/files"
file=$scratch/files/f-%s.pcapng
capture -G 2
get
sleep 2.5
get
stop "$capture" INT
read_pages=0
for one in "$scratch/files"/*; do
	read_pages=$((read_pages + $(pages "$one")))
done
check "new files by time: at least two" [ "$(ls "$scratch/files" | wc -l)" -ge 2 ]
equal "new files: a connection of each is read" 2 "$read_pages"

file=$scratch/q.pcapng
: > "$keys"
capture --files-per-queue
get
stop "$capture" INT
equal "a file per queue: together they are read" 1 "$(mergecap -w - "$scratch"/q-*.pcapng | tshark -r - -Y http.request 2> /dev/null | wc -l)"
for one in "$scratch"/q-*.pcapng; do
	equal "a file per queue: $(basename "$one") has all keys" 5 "$(grep -ac '[A-Z0]_SECRET' "$one")"
done

# Neither what is no key, nor a part of a line, nor a key log that begins anew does harm.
file=$scratch/f.pcapng
printf 'root:x:0:0::/root:/bin/sh\n# a comment\n\nCLIENT_RANDOM\nCLIENT_RANDOM\t00 00\nCLIENT_RANDOM 00 00 00\nCLIENT_RANDOM 00' > "$keys"
capture
said_others=$said
wait_for 5 grep -q 'lines that are not TLS keys' "$said"
: > "$keys"
sleep 0.3
get
stop "$capture" INT
check "what is no key: told" grep -q "^xdpdump: warning: $keys has lines that are not TLS keys" "$said_others"
check "a file that shrinks: told" grep -q "^xdpdump: warning: $keys was emptied" "$said_others"
equal "... and what it has then is read" 1 "$(pages "$file")"
equal "what is no key is not in the capture" 0 "$(grep -c root:x:0 "$file")"

# At a rate that fills the memory for what waits, nothing is lost for it.
file=$scratch/f.pcapng
start_xdpdump --tls-keylog "$keys" -s 1500 -w "$file" udp
capture=$pid said=$err
send -n 200000 -r 150000 -s 1500
settle "$capture"
stop "$capture" INT
check "under load every frame once, in order" accounted "$file"
start_xdpdump --tls-keylog "$keys" -w "$file" -c 1000 udp
capture=$pid said=$err
send -n 3000 -r 10000
ended "$capture" 20
equal "-c 1000: so many" 1000 "$(count captured "$said")"
equal "-c 1000: and they are in the file" 1000 "$(packets "$file")"

# refused WORDS OPTION...: with that reason.
refused()
{
	words=$1
	shift
	run_xdpdump -i vb "$@"
	check "refused: $*" [ "$state" -ne 0 ]
	check "... as $words" grep -q "$words" "$err"
}

mkfifo "$scratch/fifo"
refused 'make it first' --tls-keylog "$scratch/none" -w "$file"
refused 'not a regular file' --tls-keylog "$scratch/fifo" -w "$file"
refused 'not a regular file' --tls-keylog "$scratch" -w "$file"
refused 'needs --write' --tls-keylog "$keys"
refused 'do not go together' --tls-keylog "$keys" --use-pcap -w "$file"
refused 'same file' --tls-keylog "$keys" -w "$keys"
: > "$keys"
start_xdpdump --tls-keylog "$keys" -w "$file" udp
stop "$pid" INT
check "no key at all: told at the end" grep -q "warning: no TLS key has come in $keys" "$err"

# Who may not read the keys may not read them in the capture.
# modes KEYS: of files of a capture with keys of this mode: a new one, one that is there, two of -C, a compressed one.
modes()
{
	chmod "$1" "$keys"
	rm -rf "$scratch/kept"
	mkdir "$scratch/kept"
	(umask 0 && : > "$scratch/kept/old")
	(umask 022 && for options in 'new' 'old' 'z --zstd' 'c -C 1 -b packets:1'; do
		# shellcheck disable=SC2086 # words
		run_xdpdump -i vb --tls-keylog "$keys" -a duration:0.2 -w "$scratch/kept/"$options
	done)
	find "$scratch/kept" -type f -printf '%m\n' | sort -u | xargs
}
equal "keys for their owner: the files' modes" 600 "$(modes 600)"
equal "keys for a group: the files' modes" 600 "$(modes 640)"
equal "keys for everybody: the files' modes" '644 666' "$(modes 644)"
chmod 600 "$keys"
: > "$scratch/others"
chown nobody "$scratch/others"
refused 'who could read the TLS keys' --tls-keylog "$keys" -w "$scratch/others"
stop "$server" TERM
finish
