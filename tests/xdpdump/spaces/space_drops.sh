#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# --netns PATTERN --drops: what is dropped in namespaces of such names, also in those that join and leave, and nothing
# of others; each drop is in the file or counted.
# shellcheck source=tests/xdpdump/spaces/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_xdpdump
need python3 tshark capinfos jq pgrep
kernel_since 6 1 || skip_all "needs a kernel that names its reasons"
file=$scratch/f.pcapng

begin()
{
	start "$xdpdump" "$@" dst host "$host" and udp dst port "$port"
	started_capturing "$@"
	capture=$pid said=$err printed=$out
}

# of_all KEY: of the closing statistics in JSON.
of_all()
{
	grep '"final":true' "$said" | jq "$1"
}

# --- Two of the names, one of another, one that joins, one that leaves.
add a1
add a2
add b1
ip -n "${prefix}a2" link add inside type veth peer name outside netns "${prefix}b1"
begin --netns "${prefix}a*" -i any --drops=only --json -w "$file"
check "it says of how many" grep -q '^listening on any (3 interfaces in 2 network namespaces) for what the host.s stack drops' "$said"
drop a1 3
drop a2 4
drop b1 5
add a3
check "one that comes" told "network namespace ${prefix}a3 joins the capture"
check "and its interface" told "${prefix}a3/lo joins the capture"
drop a3 6
equal "no frame is looked at in them" "" "$(ip netns exec "${prefix}a1" tail -n +2 /proc/net/packet)"
ip netns del "${prefix}a2"
check "one that goes" told "network namespace ${prefix}a2 leaves the capture"
check "nothing keeps it" wait_for 10 fails ip -n "${prefix}b1" link show outside
drop a1 2
for i in 1 2 3 4 5 6; do # one of them gets the inode of that one
	add "c$i"
done
for i in 1 2 3 4 5 6; do
	drop "c$i" 2
done
check "it ends well" all_read "$capture"
equal "drops by name" "5 a1/lo:drops 4 a2/lo:drops 6 a3/lo:drops" "$(by_name)"
equal "each of the filter's is captured" "15 0" "$(of_all .captured) $(of_all '.dropped_ring_full + .dropped_nested')"
# What the rest of the machine drops while the filter is not yet in the kernel is refused as well.
check "others' are counted: $(of_all .refused) of 17" [ "$(of_all .refused)" -ge 17 ]
check "with the reason" grep -q '^dropped: NO_SOCKET in .* on lo$' <<END
$(fields frame.comment | sort -u)
END
capinfos "$file" > "$scratch/info" 2> /dev/null
check "the first block is of all" grep -q "Name = ${prefix}a\*/any:drops$" "$scratch/info"
same "blocks that have statistics" "$(grep -c 'Name = ' "$scratch/info")" "$(grep -c 'stat entries = 1' "$scratch/info")"

# --- One that has two names is called by the first, until that is gone.
add a4
begin --netns "${prefix}a*" -i any --drops=only -w "$file"
touch "/run/netns/${prefix}a5"
mount --bind "/run/netns/${prefix}a4" "/run/netns/${prefix}a5"
drop a4 2
settle "$capture"
ip netns del "${prefix}a4"
check "two names: the first leaves" told "network namespace ${prefix}a4 leaves the capture"
check "two names: the other joins" told "${prefix}a5/lo joins the capture"
equal "two names: ... once" 1 "$(grep -c "network namespace ${prefix}a5 joins" "$said")"
drop a5 3
check "two names: it ends well" all_read "$capture"
equal "two names: drops by name" "2 a4/lo:drops 3 a5/lo:drops" "$(by_name)"
ip netns del "${prefix}a5"

# --- Beside the frames as they came, by one process that finds them; interfaces by name.
begin --netns "${prefix}[ac]1" -i lo --netns "${prefix}b*" -i 'in*' --drops -w "$file"
equal "one process finds them" 1 "$(pgrep -cP "$capture")"
drop a1 3
drop b1 5 # on lo, which is not wanted there
drop c1 1
add b2
check "one that comes is told of" told "network namespace ${prefix}b2 joins the capture"
equal "... once" 1 "$(grep -c "network namespace ${prefix}b2 joins" "$said")"
ip netns del "${prefix}b2"
check "one that goes is told of" told "network namespace ${prefix}b2 leaves the capture"
equal "... once, too" 1 "$(grep -c "network namespace ${prefix}b2 leaves" "$said")"
check "beside the frames: it ends well" all_read "$capture"
equal "beside the frames" "3 a1/lo 3 a1/lo:drops 1 c1/lo 1 c1/lo:drops" "$(by_name)"

# --- Lines and objects name the namespace; all of them, but of one interface.
begin --netns all -i lo --drops=only --json
drop b1 2
check "all: it ends well" all_read "$capture"
equal "all: by name" "2 ${prefix}b1 lo NO_SOCKET" \
	"$(jq -r 'select(.drop_reason) | "\(.netns) \(.interface) \(.drop_reason)"' "$printed" | sort | uniq -c | xargs)"
# Of all there are, names are those of the time: of one that comes, of one that has another name, and of one that has the
# number of another.
printed_drops()
{
	[ "$(grep -c NO_SOCKET "$printed")" -eq "$1" ]
}
begin --netns all -i any --drops=only --json
add d1
number=$(number "${prefix}d1")
drop d1 2
check "all, of any: one that comes is read" wait_for 10 printed_drops 2
touch "/run/netns/${prefix}d2"
mount --bind "/run/netns/${prefix}d1" "/run/netns/${prefix}d2"
ip netns del "${prefix}d1"
drop d2 3
check "all, of any: by another name: it is read" wait_for 10 printed_drops 5
ip netns del "${prefix}d2"
wanted=''
if add_with "$number" d3; then
	drop d3 4
	wanted=" 4 ${prefix}d3"
else
	skip "all, of any: one with the number of another: the kernel gave that to somebody else"
fi
check "all, of any: it ends well" all_read "$capture"
equal "all, of any: by name" "2 ${prefix}d1 3 ${prefix}d2$wanted" \
	"$(jq -r 'select(.drop_reason) | .netns' "$printed" | sed "s,^un\($prefix.*3\)[0-9]*$,\1," | sort | uniq -c | xargs)"
# The namespace that it runs in has no name there, as where --netns is not given.
start ip netns exec "${prefix}b1" "$xdpdump" --netns all -i any --drops=only --json dst host "$host" and udp dst port "$port"
started_capturing
capture=$pid said=$err printed=$out
drop b1 2
drop a1 1
check "from one of all: it ends well" all_read "$capture"
equal "from one of all: by name" "2 none 1 ${prefix}a1" \
	"$(jq -r 'select(.drop_reason) | if has("netns") then .netns else "none" end' "$printed" | sort | uniq -c | xargs)"
begin --netns "${prefix}*" --drops -c 2
drop b1 2
check "lines: it ends by -c" ended "$capture" 20
equal "lines" 2 "$(grep -c "${prefix}b1/lo Drop IP .* > $host.* \[NO_SOCKET in " "$printed")"

# --- Many drops in both kinds, while namespaces come and go.
begin --netns "${prefix}a*" -i any --drops=only --json -w "$file"
drop a1 "$SPACES_DROPS" &
one=$!
drop b1 "$SPACES_DROPS" &
other=$!
for i in 1 2 3 4 5; do
	add "a_$i"
	told "network namespace ${prefix}a_$i joins"
	told "${prefix}a_$i/lo joins" # what it dropped before is in the first block
	drop "a_$i" 10
	ip netns del "${prefix}a_$i"
	told "network namespace ${prefix}a_$i leaves"
done
wait "$one" "$other"
check "many: it ends well" all_read "$capture"
check "many: each is in the file or counted" [ "$(of_all '.captured + .refused + .dropped_ring_full + .dropped_nested')" \
	-ge $((2 * SPACES_DROPS + 50)) ]
check "many: no more than those namespaces dropped" [ "$(of_all .captured)" -le $((SPACES_DROPS + 50)) ]
equal "many: packets in the file" "$(of_all .captured)" "$(packets "$file")"
lost=$(of_all '.dropped_ring_full + .dropped_nested')
came=$(fields frame.interface_name | grep -c "^${prefix}a_.*/lo:drops")
echo "$(of_all .captured) captured, $(of_all .refused) of others, $lost lost"
check "many: of those that came, and went: $came of 50, $lost lost of all" [ $((came + lost)) -ge 50 -a "$came" -le 50 ]
[ "$failed" -eq 0 ] || { by_name; grep "network namespace\|/lo " "$said"; }

# --- The process that finds them ends: so do both captures, and say why.
begin --netns "${prefix}*" -i any --drops -w "$file"
drop a1 1
settle "$capture"
kill -KILL "$(pgrep -P "$capture")"
ended "$capture" 20
equal "without its keeper: status" 1 $?
check "without its keeper: why" grep -q "the process that keeps the sockets in network namespaces $prefix\* has ended" "$said"
equal "what was captured is in the file" "1 a1/lo 1 a1/lo:drops" "$(by_name)"
finish
