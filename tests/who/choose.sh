#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --process, --children and --cgroup: what is captured is of these alone, all of it, whatever the hook; what others send
# is left out before it is copied. What labels do to the size of files.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../xdpdump/lib.sh"
need_root
need_xdpdump
need jq tshark unshare
veth_pair

python=$(python3 -c 'import sys; print(sys.executable)')
wanted=wanted$$ # of this run, whoever else runs it
for name in "$wanted" other; do
	ln -s "$python" "$scratch/$name"
done
choose=$top/tests/who/choose.py
start in_left python3 "$choose" echo 10.99.0.1
wait_for 10 test -s "$out"
port=$(cat "$out")
start in_right python3 "$choose" echo 127.0.0.1
wait_for 10 test -s "$out"
home_port=$(cat "$out")

# talk NAME COUNT: a process of that name; prints its pid and port.
talk()
{
	in_right "$scratch/$1" "$choose" talk 10.99.0.1 "$port" "$2"
}

# ports: those of this side that packets were captured of, each once.
ports()
{
	jq -r 'if .direction == "out" then .src_port else .dst_port end' "$packets" | sort -un | tr '\n' ' '
}

# data PORT: packets of that port with four bytes of data.
data()
{
	jq "select((.src_port == $1 or .dst_port == $1) and .length == 70) | 1" "$packets" | wc -l
}

# figure NAME: of the closing statistics.
figure()
{
	grep '"final":true' "$said" | jq ".$1"
}

# leaves_out: does the kernel leave something out?
leaves_out()
{
	kill -USR1 "$capture"
	grep -q '"who_left_out_in_kernel":[1-9]' "$said"
}

# By name, which is not there yet; at both hooks.
for hook in tc xdp; do
	start_who --hook "$hook" --process "$wanted,nobody" 'tcp port' "$port"
	check "$hook: it says what is not there yet" wait_for 10 grep -q "no \"$wanted\", \"nobody\" yet" "$said"
	talk "$wanted" 20 > "$scratch/wanted1"
	start in_right "$scratch/other" "$choose" talk 10.99.0.1 "$port" 1000000
	other=$pid
	check "$hook: others are left out before the copy" wait_for 20 leaves_out
	talk "$wanted" 20 > "$scratch/wanted2"
	stop "$other" TERM
	wait_for 10 grep -q "\"pid\":$(cut -d' ' -f1 "$scratch/wanted2")" "$packets"
	check "$hook: it ends" stop "$capture"
	first=$(cut -d' ' -f2 "$scratch/wanted1") second=$(cut -d' ' -f2 "$scratch/wanted2")
	equal "$hook: of the one that is wanted" \
		"$(printf '%s\n' "$first" "$second" | sort -n | tr '\n' ' ')" "$(ports)"
	equal "$hook: all that it sent and got" "40 40" "$(data "$first") $(data "$second")"
	same "$hook: each has its label" "$(grep -c . "$packets")" "$(grep -c "\"command\":\"$wanted\"" "$packets")"
	between "$hook: what was left out before the copy is among all of it" 1 "$(figure who_left_out)" \
		"$(figure who_left_out_in_kernel)"
	equal "$hook: nothing was missed" 0 "$(figure who_missed)"
	[ "$failed" -eq 0 ] || grep '"final":true' "$said"
done

# By number, into a file, on two interfaces.
start in_right "$scratch/other" "$choose" take "$scratch/socket" 30
taker=$pid taken=$out
wait_for 10 grep -q ready "$taken"
start_who -i lo -w "$scratch/f.pcapng" --process "$taker" --print
in_right "$scratch/$wanted" "$choose" talk 127.0.0.1 "$home_port" 5 > "$scratch/home"
in_right "$scratch/$wanted" "$choose" give 10.99.0.1 "$port" 60 "$scratch/socket" > "$scratch/given"
ended "$taker" 10
wait_for 10 grep -q . "$packets"
check "a number: it ends" stop "$capture"
given=$(cut -d' ' -f2 "$scratch/given")
equal "a number: of a socket that another process gave to it" "$given " "$(ports)"
missed=$(figure who_missed)
between "what it has sent and got by then is captured, or counted as missed" 60 200 $(($(data "$given") + missed + $(figure who_left_out_unknown)))
same "the file has the same" "$(grep -c . "$packets")" "$(tshark -r "$scratch/f.pcapng" 2> /dev/null | wc -l)"

# What others send or get pulls no trigger. What pulls it is the first that counts.
start_who --hook tc --process "$wanted" --trigger 'tcp[tcpflags] & tcp-fin != 0' tcp port "$port"
in_right "$scratch/other" "$choose" talk 10.99.0.1 "$port" 5 > /dev/null
talk "$wanted" 5 > "$scratch/wanted1"
first=$(cut -d' ' -f2 "$scratch/wanted1")
wait_for 10 grep -q "port\":$first," "$packets"
check "a trigger: it ends" stop "$capture"
equal "a trigger: what is captured" "$first " "$(ports)"
equal "a trigger: data is from before" 0 "$(data "$first")"
equal "a trigger: what has a class is what was captured" "$(figure captured)" \
	"$(figure 'who_exact + .who_shared + .who_listener + .who_closed + .who_unknown')"

# What a process starts.
cat > "$scratch/starts" <<-END
	#!$(command -v sh)
	read -r line
	"$scratch/other" "$choose" talk 10.99.0.1 $port 10
	sh -c '"$scratch/other" "$choose" talk 10.99.0.1 $port 10; true'
END
chmod +x "$scratch/starts"
mkfifo "$scratch/go"
in_right "$scratch/starts" < "$scratch/go" > "$scratch/children" &
starter=$!
exec 9> "$scratch/go"
wait_for 10 pgrep -x starts
start_who --process starts --children
check "--children: nothing is said of who is there" fails grep -q 'no "' "$said"
talk other 10 > "$scratch/other1"
echo go >&9
exec 9>&-
wait "$starter"
equal "--children: it started so many" 2 "$(grep -c . "$scratch/children")"
last=$(tail -1 "$scratch/children")
wait_for 10 grep -q "\"pid\":${last%% *}" "$packets"
check "--children: it ends" stop "$capture"
equal "--children: of those that it starts, and what these start" \
	"$(cut -d' ' -f2 "$scratch/children" | sort -n | tr '\n' ' ')" "$(ports)"
for at in $(cut -d' ' -f2 "$scratch/children"); do
	equal "--children: all of it" 20 "$(data "$at")"
done

# is_whole PORT: has all that such a one sends and gets been captured?
is_whole()
{
	[ "$(data "$1")" -eq 20 ]
}

# enters GROUP: talk as other within it, until that was captured: of who has ended by then the group is not known. Its
# port in $inside.
enters()
{
	# shellcheck disable=SC2016 # for the inner shell
	start sh -c 'echo $$ > "$1"; shift; exec "$@"' - "$1/cgroup.procs" ip netns exec "$right" \
		"$scratch/other" "$choose" stay 10.99.0.1 "$port" 10
	wait_for 20 grep -q ' [0-9]' "$out"
	inside=$(cut -d' ' -f2 "$out")
	wait_for 20 is_whole "$inside"
	stop "$pid" TERM
}

# By control group: of systemd's hierarchy where there is one, as /proc has it first.
groups=$(awk '$3 == "cgroup" && /name=systemd/ { print $2; exit }' /proc/mounts)
[ "$groups" ] || groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=whochoose$$.service
if mkdir "$groups/$group" 2> /dev/null; then
	at_exit "rmdir '$groups/$group'"
	start_who --cgroup "/$group"
	check "--cgroup: it says that nobody is in it" wait_for 10 grep -q "no \"/$group\" yet" "$said"
	talk other 10 > "$scratch/other1"
	enters "$groups/$group"
	start in_right "$scratch/other" "$choose" talk 10.99.0.1 "$port" 1000000
	mover=$pid moved=$out
	check "--cgroup: others are left out before the copy" wait_for 20 leaves_out
	echo "$mover" > "$groups/$group/cgroup.procs"
	check "--cgroup: who comes into it later is captured from then on" wait_for 20 grep -q "\"pid\":$mover," "$packets"
	stop "$mover" TERM
	check "--cgroup: it ends" stop "$capture"
	equal "--cgroup: of those in it" "$(printf '%s\n' "$inside" "$(cut -d' ' -f2 "$moved")" | sort -n | tr '\n' ' ')" "$(ports)"
	equal "--cgroup: all of it" 20 "$(data "$inside")"

	# A container's name, from a tree like Docker's, which only root may read, and from links like those of Kubernetes;
	# and /proc hides processes of others.
	id=$(printf %064d $$)
	mkdir "$groups/docker-$id.scope"
	at_exit "rmdir '$groups/docker-$id.scope'"
	(umask 077 && echo "{\"ID\":\"$id\",\"Name\":\"/web\"}" > "$scratch/config.v2.json")
	docker="mount -t tmpfs -o mode=755 none /var/lib && mkdir -m 710 /var/lib/docker && mkdir -p -m 700 /var/lib/docker/containers/$id &&
		cp -p '$scratch/config.v2.json' /var/lib/docker/containers/$id"
	kubernetes="mount -t tmpfs -o mode=755 none /var/log && mkdir /var/log/containers &&
		ln -s /nowhere /var/log/containers/web-7d4b_default_nginx-$id.log"
	xdpdump=$scratch/beside_runtime
	for called in web default/web-7d4b/nginx; do
		if [ $called = web ]; then tree=$docker; else tree=$kubernetes; fi
		cat > "$xdpdump" <<-END
			#!$(command -v sh)
			exec unshare -m sh -c "mount -t proc -o hidepid=2 none /proc && $tree && exec \"\\\$@\"" sh "$build/xdpdump/xdpdump" "\$@"
		END
		chmod +x "$xdpdump"
		start_who --cgroup $called
		talk other 10 > "$scratch/other1"
		enters "$groups/docker-$id.scope"
		check "container $called: it ends" stop "$capture"
		equal "container $called: its packets" "$inside " "$(ports)"
		equal "container $called: they have it" "\"$called\"" "$(jq '.who.processes[].container_name' "$packets" | sort -u)"
	done
	xdpdump=$build/xdpdump/xdpdump
else
	skip "no control group can be made here"
fi

# A server: what makes a connection is its own, too.
start in_right "$scratch/$wanted" "$choose" echo 10.99.0.2
server=$pid
wait_for 10 test -s "$out"
served=$(cat "$out")
start_who --process "$server" 'tcp port' "$served"
# is_answered: of a connection, is the answer to its SYN there? Where it is labeled before accept() it is unknown.
is_answered()
{
	in_left python3 "$choose" talk 10.99.0.2 "$served" 5 > /dev/null
	grep -q '"tcp_flags":18' "$packets"
}
check "a server: what answers a SYN is its own" wait_for 20 is_answered
check "a server: it ends" stop "$capture"
equal "a server: how a connection begins" 2 "$(jq .tcp_flags "$packets" | head -1)"

# Labels make a packet longer, by how much is known late: small files are full all the same, and none larger.
start "$xdpdump" --netns "$right" -i vb -C 20K -w "$scratch/small" --who tcp port "$port"
capture=$pid said=$err
started_capturing
talk other 200 > /dev/null
are_three() { [ "$(ls "$scratch"/small* | wc -l)" -ge 3 ]; }
check "small files: some are full" wait_for 20 are_three
check "small files: it ends" stop "$capture"
between "small files: bytes of the first" 16000 20000 "$(wc -c < "$scratch/small")"
equal "small files: packets" "$(sed -n 's/ packets captured$//p' "$said")" \
	"$(for file in "$scratch"/small*; do tshark -r "$file" 2> /dev/null; done | wc -l)"

unshare --cgroup "$xdpdump" --netns "$right" -i vb --cgroup /x > /dev/null 2> "$scratch/refused"
equal "in a cgroup namespace: status" 1 $?
check "in a cgroup namespace paths are refused" grep -q 'sees other paths than the host' "$scratch/refused"

for option in --who "--process sleep" "--cgroup /x"; do
	# shellcheck disable=SC2086 # two words
	in_right unshare -m sh -c 'umount -l /proc && exec "$@"' sh "$xdpdump" -i vb $option -a duration:0.1 > /dev/null 2> "$scratch/refused"
	equal "without /proc, $option: status" 1 $?
	check "without /proc, $option: that is told" grep -q 'need /proc/self/ns/pid: No such file or directory; is /proc mounted' "$scratch/refused"
done

# refuses WORDS OPTION...
refuses()
{
	words=$1
	shift
	timeout 20 "$xdpdump" --netns "$right" "$@" > /dev/null 2> "$scratch/refused"
	equal "refused: $*: status" 1 $?
	check "refused: $*" grep -q -e "$words" "$scratch/refused"
}
refuses 'do not go together' -i vb --process a --cgroup b
refuses 'children needs --process' -i vb --children
refuses 'with a comma between' -i vb --process a,,b
refuses 'without the folder' -i vb --process /bin/sh
refuses '1 to 4194304' -i vb --process 0
refuses 'path of a control group, a unit' -i vb --cgroup ''
refuses 'give each interface by its name' -i any --process a
refuses 'takes --hook xdp or tc' -i vb --hook packet --cgroup a
finish
