#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2016 # commands in quotes are for inner shells
# Every command in the EXAMPLES of xdpdump(8) and pcap-afxdp(7) is run as it stands, on interfaces of these names,
# with traffic that fits, and does what it promises. The commands are read out of the pages.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_library
need jq tcpdump tshark mergecap ping dnsmasq busybox python3 zstd bash setsid
case $scratch in
/var/*) skip_all "the temporary folder is in /var, of which the examples get another one" ;;
esac
need_testprog vlanpush
foreign=$build/tests/hooks/foreign
[ -x "$foreign" ] || skip_all "needs tests/hooks/foreign"

# interface NAMESPACE NAME: a veth to $left; their addresses are 10.99.N.2 and 10.99.N.1, their names NAME and pN.
interface()
{
	number=$((${number:--1} + 1))
	ip -n "$left" link add "p$number" numrxqueues 2 numtxqueues 2 type veth \
		peer name "$2" address "02:74:67:00:00:0$number" numrxqueues 2 numtxqueues 2 netns "$1" || exit 1
	ip -n "$left" addr add "10.99.$number.1/24" dev "p$number"
	ip -n "$1" addr add "10.99.$number.2/24" dev "$2"
	ip -n "$left" link set "p$number" up
	ip -n "$1" link set "$2" up
	ip -n "$left" neigh replace "10.99.$number.2" lladdr "02:74:67:00:00:0$number" dev "p$number"
	peers="${peers-} 10.99.$number.2"
}

# eth0 is the first: servers are there.
make_interfaces()
{
	pair_namespaces
	for name in eth0 eth1 eth2 mon0; do
		interface "$right" "$name"
	done
	ip -n "$right" link add br0 type bridge
	interface "$right" port
	ip -n "$right" addr flush dev port
	ip -n "$right" link set port master br0
	ip -n "$right" addr add "10.99.$number.2/24" dev br0
	ip -n "$right" link set br0 address "02:74:67:00:00:0$number" up
	bridged=$number
	new_namespace blue
	blue=$namespace
	interface "$blue" eth0
}

start_servers()
{
	start ip netns exec "$right" dnsmasq --keep-in-foreground --conf-file=/dev/null --no-resolv --no-hosts \
		--pid-file --user=nobody --listen-address=10.99.0.2 --bind-interfaces \
		--host-record=www.example.org,10.99.0.2 --log-facility=-
	wait_for 10 ip netns exec "$right" grep -q ':0035 ' /proc/net/udp || bad "the DNS server does not start"
	mkdir "$scratch/www"
	head -c 200000 /dev/urandom > "$scratch/www/file"
	start ip netns exec "$right" busybox httpd -f -p 10.99.0.2:80 -h "$scratch/www"
	wait_for 10 ip netns exec "$right" grep -q ':0050 ' /proc/net/tcp || bad "the HTTP server does not start"
	start ip netns exec "$right" "$foreign" xdp eth2 drop
	wait_for 10 grep -q attached "$out" || bad "no XDP program on eth2"
}

# A control group as of a container of Docker. $web: its folder, or nothing where there is none.
make_web()
{
	unified=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	web=$unified/test-$$.slice/docker-3f4e8a0c12bd$(printf '%052d' 0).scope
	if [ -z "$unified" ] || ! mkdir -p "$web" 2> /dev/null || [ ! -w "$web/cgroup.procs" ]; then
		web=''
		return
	fi
	at_exit "rmdir '$web' '${web%/*}'"
}

# in_web COMMAND...: in $right, of that container.
in_web()
{
	[ -z "$web" ] || sh -c 'echo $$ > "$0" && exec "$@"' "$web/cgroup.procs" ip netns exec "$right" "$@"
}

# What any of the commands may wait for. The diverting one takes all that its interface gets.
traffic()
{
	for peer in $peers; do
		in_left ping -qc 3 -i 0.02 -W 0.2 "$peer"
	done
	in_left "$build/testprogs/vlanpush" -i "p$bridged" -v 5 -- ping -qc 3 -i 0.02 -W 0.2 "10.99.$bridged.2"
	for _ in 1 2 3 4 5; do
		in_left busybox nslookup -type=a www.example.org 10.99.0.2
	done
	in_left busybox wget -qO /dev/null http://10.99.0.2/file
	in_left busybox wget -qO /dev/null http://10.99.0.2:81/
	in_right busybox wget -qO /dev/null http://10.99.0.1:81/
	in_left ping -qc 3 -i 0.02 -W 0.2 -I 192.0.2.7 10.99.0.2
	in_web python3 "$top/tests/xdpdump/cli/web.py" 10.99.0.1
} > /dev/null 2>&1

# What a user would have: the programs by their names, in a folder of their own, and a /var with a folder for captures.
make_place()
{
	mkdir "$scratch/bin" "$scratch/lib" "$scratch/names" "$scratch/captures"
	chmod 777 "$scratch/captures"
	cp "$xdpdump" "$build/pcap-afxdp-loader" "$scratch/bin"
	copy_library "$scratch/lib"
	touch "$scratch/names/blue"
	cat > "$scratch/enter" <<- 'END'
	scratch=$1 blue=$2 folder=$3 command=$4
	mount --bind "/run/netns/$blue" "$scratch/names/blue" && mount --rbind "$scratch/names" /run/netns &&
		mount -t tmpfs none /var && mkdir /var/captures &&
		mount --bind "$scratch/captures" /var/captures && cd "$folder" || exit 99
	exec bash -c "$command"
	END
}

# of NAME: in the example at hand.
of()
{
	echo "$example" | jq -r "$1"
}

# has OPTION
has()
{
	[ "$(of ".options | has(\"$1\")")" = true ]
}

is_ready()
{
	grep -q -e 'listening on' -e 'Capturing on' -e '^File:' "$err" || process_gone "$pid"
}

# run_example: in $folder, with traffic, until it ends by itself or Ctrl-C; $state, $out, $err.
# shellcheck disable=SC2046 # one word per variable
run_example()
{
	start ip netns exec "$right" env --default-signal=INT $(library_environment) LD_LIBRARY_PATH="$scratch/lib" \
		PATH="$scratch/bin:$PATH" PCAP_AFXDP_LOADER="$scratch/bin/pcap-afxdp-loader" \
		setsid sh "$scratch/enter" "$scratch" "$blue" "$folder" "$command"
	wait_for 30 is_ready
	rounds=0
	while ! process_gone "$pid" && [ "$rounds" -lt 12 ]; do
		rounds=$((rounds + 1))
		traffic
		[ -n "$(of .count)" ] || has --decode || break
		in_left ping -qc 300 -i 0.002 10.99.0.2 > /dev/null
	done
	settle "$pid"
	process_gone "$pid" || kill -INT "-$pid" # of dash, too, which takes no --
	ended "$pid" 20
	state=$?
}

# packets_of FILE: as others read it.
packets_of()
{
	case $1 in
	*.zst) zstd -qdc "$1" ;;
	*.gz) gzip -dc "$1" ;;
	*) cat "$1" ;;
	esac > "$scratch/one" 2> /dev/null
	tcpdump -nnr "$scratch/one" ${2:+"$2"} 2> /dev/null | wc -l
}

# in_files [FILTER]: packets of all files that the example has made.
in_files()
{
	sum=0
	find "$folder" "$scratch/captures" -type f -newer "$scratch/begun" > "$scratch/made"
	while read -r made; do
		sum=$((sum + $(packets_of "$made" "$@")))
	done < "$scratch/made"
	echo "$sum"
}

said()
{
	sed -n 's/^\([0-9]*\) packets* captured$/\1/p' "$err" | head -n 1
}

judge_file()
{
	got=$(in_files)
	expression=$(of .expression)
	between "$command: packets in its files" 1 1000000 "$got"
	[ -z "$(said)" ] || equal "$command: as many as it says" "$(said)" "$got"
	[ -z "$expression" ] || equal "$command: none that the filter leaves out" 0 "$(in_files "not ($expression)")"
	both && equal "$command: directions" "0x00000001 0x00000002" "$(directions)"
	[ -z "$(of .count)" ] && return
	has --pre-trigger && most=1000000 || most=$(of .count) # what was before the trigger is not counted
	between "$command: as many as it was to have" "$(of .count)" "$most" "$got"
}

# both: does the example capture both directions? What -Q, keeping frames or an XDP program leave out is nobody's.
both()
{
	for one in -Q --engine --listen --rx-capture --pre-trigger; do
		has "$one" && return 1
	done
	case $(of .expression) in *dst*) return 1 ;; esac
	[ "$(of .program)" = xdpdump ]
}

# directions: of the packets in the files that in_files has found
directions()
{
	while read -r made; do
		packets_of "$made" > /dev/null
		tshark -r "$scratch/one" -T fields -e frame.packet_flags_direction 2> /dev/null
	done < "$scratch/made" | sort -u | xargs
}

judge_text()
{
	between "$command: lines" "${1:-1}" 1000000 "$(grep -c . "$out")"
}

# Of the files that the command before has made.
judge_merge()
{
	sum=0
	for made in "$folder"/f-*; do
		sum=$((sum + $(packets "$made")))
	done
	equal "$command: all packets" "$sum" "$(packets "$folder/all.pcapng")"
	check "$command: in order" sh -c 'tcpdump -nn -tt -r "$0" 2> /dev/null | sort -c -k 1,1' "$folder/all.pcapng"
}

forbidden()
{
	grep -q 'refuses fentry and fexit' "$err"
}

judge()
{
	if forbidden; then
		skip "$command: this kernel forbids to trace XDP programs"
		return
	fi
	# Ctrl-C is also for what reads from xdpdump.
	case $command,$state in *'|'*,130) state=0 ;; esac
	equal "$command: status" 0 "$state"
	[ "$state" -eq 0 ] || show "$err"
	case $(of .program) in
	mergecap) judge_merge ;;
	arp-scan) check "$command: the neighbour" grep -q '^10\.99\.0\.1[[:space:]]' "$out" ;;
	*) judge_capture ;;
	esac
}

judge_capture()
{
	if has --report; then
		check "$command: a report" test -s "$folder/$(of '.options["--report"]')"
	elif has --doctor; then
		check "$command: it works" grep -q '^Capture on eth0 works\.$' "$out"
	elif has -D; then
		check "$command: eth0" grep -q ' eth0 ' "$out"
	elif [ -n "$(of .write)" ] && [ "$(of .write)" != - ]; then
		judge_file
	elif has --listen; then
		between "$command: packets" 1 1000000 "$(said)"
	elif [ -n "$(of .count)" ]; then
		judge_text "$(of .count)"
	else
		judge_text
	fi
}

# examples PAGE
examples()
{
	"$xdpdump" --help all > "$scratch/help"
	python3 "$top/tests/xdpdump/cli/examples.py" "$top/man/$1" "$scratch/help" > "$scratch/examples" ||
		bad "$1: no examples"
	check "$1 has examples" test -s "$scratch/examples"
	before=''
	while read -r example; do
		command=$(of .command)
		is_quick && [ $(($(of .paragraph) % 3)) -ne 1 ] && continue
		if [ "$(of .program)" = wireshark ]; then
			skip "$command: needs somebody who looks"
			continue
		fi
		if has --who && [ "$(stat -Lc %i /proc/self/ns/pid)" != 4026531836 ]; then
			skip "$command: needs the host's namespace of processes"
			continue
		fi
		case $command in *' --cgroup 3f4e8a0c12bd') if [ -z "$web" ]; then
			skip "$command: needs control groups that it may write to"
			continue
		fi ;; esac
		if has --to; then
			skip "$command: needs a broker, kafka/to.sh has one"
			continue
		fi
		if ! command -v "$(of .program)" > /dev/null && [ "$(of .program)" != xdpdump ]; then
			skip "$command: needs $(of .program)"
			continue
		fi
		case $(of .program),$command in
		xdpdump,*'$('*) others=yes ;;
		xdpdump,*) others=no ;;
		*) others=yes ;;
		esac
		if is_sanitized && [ "$others" = yes ]; then
			skip "$command: a program of others, in the plain build alone"
			continue
		fi
		if [ "$1 $(of .paragraph)" != "$before" ]; then
			folder=$(mktemp -d "$scratch/folder.XXXXXX")
			chmod 777 "$folder"
		fi
		before="$1 $(of .paragraph)"
		touch "$scratch/begun"
		run_example
		judge
	done < "$scratch/examples"
}

make_interfaces
ip -n "$left" addr add 192.0.2.7/32 dev lo
ip -n "$left" link set lo up
ip -n "$right" route add 192.0.2.7 dev eth0
make_web
make_place
start_servers
examples xdpdump.8
examples pcap-afxdp.7
finish
