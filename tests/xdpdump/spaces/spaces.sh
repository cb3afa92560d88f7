#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --netns PATTERN and --netns all: namespaces that come and go, by their names and by processes; names that are
# patterns themselves, namespaces that are not there yet, too few descriptors, many interfaces.
# shellcheck source=tests/xdpdump/spaces/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_xdpdump
need tcpdump tshark capinfos ping nsenter unshare pgrep prlimit jq
file=$scratch/f.pcapng

# says N WORDS: in so many lines.
says()
{
	[ "$(grep -c -- "$2" "$said")" = "$1" ]
}

# ping_inside NAME: one echo request and one reply, by loopback.
ping_inside()
{
	ip netns exec "$prefix$1" ping -qc 1 -W 20 127.0.0.1 > /dev/null
}

begin()
{
	start "$xdpdump" "$@"
	started_capturing "$@"
	capture=$pid said=$err printed=$out
}

# --- What matches nothing waits, and says so; two patterns are one capture; others are left out.
begin --netns "${prefix}[ab]*" -i any --netns "$prefix-*" -i 'l?' -w "$file" icmp
check "it says that it waits" grep -q "no network namespace matches ${prefix}\[ab\]\* $prefix-\* yet: waiting for one" "$said"
check "and of how many" grep -q '^listening on any (0 interfaces in 0 network namespaces)' "$said"
add a1
add c1
add -1
told "network namespace $prefix-1 joins the capture"
check "one that comes is told of" told "network namespace ${prefix}a1 joins the capture"
check "and its interface" told "${prefix}a1/lo joins the capture"
ip -n "$prefix-1" link add lx type veth peer name dx
check "an interface that comes" told "$prefix-1/lx joins the capture"
for name in a1 c1 -1; do
	ping_inside "$name"
done
ip -n "$prefix-1" link del lx
check "an interface that goes" told "$prefix-1/lx leaves the capture"
settle "$capture"
ip netns del "$prefix-1"
check "a namespace that goes" told "network namespace $prefix-1 leaves the capture"
check "and its interface" told "$prefix-1/lo leaves the capture"
# The same name again, and at once.
ip netns del "${prefix}a1"
add a1
told "network namespace ${prefix}a1 leaves the capture"
check "the same name again" wait_for 10 says 2 "network namespace ${prefix}a1 joins"
wait_for 10 says 2 "${prefix}a1/lo joins"
ping_inside a1
check "it ends well" all_read "$capture"
check "an interface that does not match is in no line" fails grep -q "/dx " "$said"
equal "packets by name" "4 ${prefix}a1/lo 2 $prefix-1/lo" \
	"$(fields frame.interface_name | sort | uniq -c | sort -rn | xargs)"
equal "received by the filter is what was captured" "$(count captured "$said")" "$(count received "$said")"
equal "tcpdump reads them all" 6 "$(tcpdump -nr "$file" 2> /dev/null | grep -c 'ICMP echo')"
capinfos "$file" > "$scratch/info" 2> /dev/null
check "the first block is of all" grep -q "Name = ${prefix}\[ab\]\* $prefix-\*/any$" "$scratch/info"
same "blocks that have statistics" "$(grep -c 'Name = ' "$scratch/info")" "$(grep -c 'stat entries = 1' "$scratch/info")"

# --- No child has the rings in its memory: who keeps the sockets, and who serves.
# rings PID: mappings of them.
rings()
{
	grep -c bpf-map "/proc/$1/maps"
}
begin --netns "$prefix*" -i any --listen 127.0.0.1:0 -w "$file" icmp
check "rings: the capturing process has them" [ "$(rings "$capture")" -gt 0 ]
for child in $(pgrep -P "$capture"); do
	rings "$child" >> "$scratch/rings"
done
equal "rings: its children have none" "0 0" "$(xargs < "$scratch/rings")"
check "rings: it ends well" stop "$capture" INT

# --- Names that are patterns themselves, and lines that name the namespace.
for name in '[x]' '*' x; do
	ip netns add "$prefix$name"
	ip -n "$prefix$name" link set lo up
done
begin --netns "${prefix}[[]x[]]" -i lo -c 2 --json icmp
ping_inside x
ping_inside '*'
ping_inside '[x]'
check "brackets in a name: it ends by -c" ended "$capture" 20
equal "brackets in a name" "2 ${prefix}[x] lo" \
	"$(jq -r '"\(.netns) \(.interface)"' "$printed" | sort | uniq -c | xargs)"
begin --netns "${prefix}[*]" -i any -t -c 2 icmp
ping_inside x
ping_inside '*'
check "a star in a name: it ends by -c" ended "$capture" 20
equal "a star in a name: lines" 2 "$(grep -cF "${prefix}*/lo In  IP 127.0.0.1 > 127.0.0.1: ICMP" "$printed")"
begin --netns "/run/netns/${prefix}*" -i lo -c 2 icmp
ping_inside '*'
check "a path is no pattern" ended "$capture" 20
remove_spaces

# --- A name that is there before its namespace is, one that never is one, and those that vanish at once.
begin --netns "$prefix*" -i any -w "$file" icmp
keeper=$(pgrep -P "$capture")
: > "/run/netns/${prefix}none"
i=0
while [ "$i" -lt 20 ]; do
	ip netns add "${prefix}v$i"
	ip netns del "${prefix}v$i"
	i=$((i + 1))
done
rm "/run/netns/${prefix}none"
add last
check "namespaces that vanish: it goes on" told "network namespace ${prefix}last joins the capture"
check "a namespace that never was one" fails grep -q "${prefix}none" "$said"
one_is_left()
{
	says "$(($(grep -c 'network namespace .* leaves' "$said") + 1))" 'network namespace .* joins'
}
check "namespaces that vanish: one is left" wait_for 10 one_is_left

# --- A name that leads to a process's namespace, as container engines are told to give; and one that leads nowhere.
unshare --net sleep 60 &
pod=$!
has_its_own()
{
	[ "$(readlink "/proc/$pod/ns/net")" != "$(readlink /proc/self/ns/net)" ]
}
wait_for 10 has_its_own
ln -s "/proc/$pod/ns/net" "/run/netns/${prefix}pod"
ln -s "${prefix}loop" "/run/netns/${prefix}loop"
check "a link to a process's namespace joins" told "network namespace ${prefix}pod joins the capture"
check "a name that cannot be looked at: why" \
	told "network namespace ${prefix}loop is not captured: Too many levels of symbolic links"
sleep 1.5
equal "... once" 1 "$(grep -c "${prefix}loop" "$said")"
rm "/run/netns/${prefix}pod" "/run/netns/${prefix}loop"
kill "$pod"
check "a link that goes" told "network namespace ${prefix}pod leaves the capture"

# --- Many interfaces in one namespace, each of them told of.
seq 1 $((SPACES_MANY / 2)) | sed 's/.*/link add m& type veth peer name n&/' > "$scratch/batch"
check "$SPACES_MANY interfaces are made" ip -n "${prefix}last" -batch "$scratch/batch"
wait_for 60 says "$SPACES_MANY" '/[mn][0-9]* joins the capture'
equal "$SPACES_MANY interfaces: told of" "$SPACES_MANY" "$(grep -c '/[mn][0-9]* joins the capture' "$said")"
ping_inside last
settle "$capture"
ip netns del "${prefix}last"
wait_for 60 says "$SPACES_MANY" '/[mn][0-9]* leaves the capture'
equal "$SPACES_MANY interfaces: that have gone" "$SPACES_MANY" "$(grep -c '/[mn][0-9]* leaves the capture' "$said")"

# --- The process that keeps the sockets ends: so does the capture, and says why.
kill -KILL "$keeper"
ended "$capture" 60 # the kernel has its lock while it takes that many interfaces away
equal "without its keeper: status" 1 $?
check "without its keeper: why" grep -q "the process that keeps the sockets in network namespaces $prefix\* has ended" "$said"
equal "what was captured is in the file" 2 "$(packets "$file")"

# --- Killed: nothing of ours is left.
begin --netns "$prefix*" -i any -w - icmp
keeper=$(pgrep -P "$capture")
add k
told "network namespace ${prefix}k joins the capture"
kill -KILL "$capture"
check "killed: its keeper ends" wait_for 10 process_gone "$keeper"
ip netns del "${prefix}k"

# --- Too few descriptors: that is told, by the limit's name, and what there are descriptors for is captured.
start prlimit --nofile=100:100 "$xdpdump" --netns "$prefix*" -i any -w - icmp
started_capturing
capture=$pid said=$err
i=0
while [ "$i" -lt 48 ]; do
	ip netns add "${prefix}d$i"
	i=$((i + 1))
done
check "too few descriptors: told" told 'and others are not captured: Too many open files (each needs two descriptors; raise ulimit -Hn)'
joined=$(grep -c "network namespace .* joins" "$said")
ip netns del "${prefix}d0"
check "one that goes makes room for another" wait_for 10 says $((joined + 1)) 'network namespace .* joins'
check "too few descriptors: it ends well" stop "$capture" INT
remove_spaces

# --- Everything: in a world of its own, with names and processes of its own.
cat > "$scratch/world" << 'END'
mount -t tmpfs tmpfs /run/netns
ip link set lo up
ip netns add named
ip -n named link set lo up
chmod 700 /run/netns # nobody cannot read it
"$1" --netns all -i any -w "$2" icmp 2> "$3" &
capture=$!
wait_for() { n=0; while [ $n -lt 200 ]; do grep -q "$1" "$2" && return 0; sleep 0.05; n=$((n + 1)); done; return 1; }
wait_for 'listening on' "$3"
grep -q '(2 interfaces in 2 network namespaces)' "$3" && echo started
unshare --net sleep 60 &
pod=$!
wait_for "network namespace $pod joins" "$3" && echo joined
nsenter --net --target $pod ip link set lo up
nsenter --net --target $pod ping -qc 1 -W 20 127.0.0.1 > /dev/null
ip netns exec named ping -qc 1 -W 20 127.0.0.1 > /dev/null
ping -qc 1 -W 20 127.0.0.1 > /dev/null
sleep 1.2
kill $pod
wait_for "network namespace $pod leaves" "$3" && echo left
kill -INT $capture
wait $capture
echo "status $? $pod"
END
timeout 120 unshare --mount --net --pid --fork --mount-proc sh "$scratch/world" "$xdpdump" "$file" "$scratch/said" > "$scratch/all" 2>&1
check "all: what there is" grep -q '^started' "$scratch/all"
check "all: a process with a namespace of its own joins" grep -q '^joined' "$scratch/all"
check "all: and leaves" grep -q '^left' "$scratch/all"
check "all: it ends well" grep -q '^status 0' "$scratch/all"
pod=$(sed -n 's/^status 0 //p' "$scratch/all")
equal "all: packets by name" "2 $pod/lo 2 lo 2 named/lo" "$(fields frame.interface_name | sort | uniq -c | xargs)"

# --- What does not go together.
refused()
{
	words=$1
	shift
	start "$xdpdump" "$@"
	ended "$pid" 20
	equal "refused: $*: status" 1 $?
	check "... and why" grep -q -- "$words" "$err"
}
refused 'no filter for many interfaces sees VLAN tags' --netns 'x*' -i eth0 vlan 5
refused 'any is captured by a packet socket' --netns 'x*' -i any --hook tc
refused 'do not go together' --netns all -i any --files-per-queue -w "$scratch/none"
refused 'give one name here, not a pattern' --netns 'x*' -D
refused 'a pattern has at most' --netns "$(printf '%0200d' 0)*" -i any
start setpriv --reuid nobody --clear-groups "$xdpdump" --netns 'x*' -i any
ended "$pid" 20
equal "without privilege: status" 1 $?
check "without privilege: what is missing" grep -q CAP_ "$err"
start setpriv --bounding-set=-sys_admin "$xdpdump" --netns "$prefix*" -i any
ended "$pid" 20
check "without CAP_SYS_ADMIN: that is missing" grep -q 'network namespaces needs CAP_SYS_ADMIN; run as root' "$err"
start setpriv --bounding-set=-sys_ptrace,-dac_read_search "$xdpdump" --netns "$prefix*" -i any -w - icmp
started_capturing
check "without others: it goes on" grep -q 'warning: without CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH some' "$err"
check "... and ends well" stop "$pid" INT
finish
