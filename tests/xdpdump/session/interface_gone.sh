#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Of several interfaces some are deleted under traffic, or their namespace is: that is said, what they had is kept,
# and the others go on without a frame that is neither delivered nor counted.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need_testprog trafgen capcheck
need jq tcpdump mergecap ping
frames=$GONE_FRAMES rate=20000
folder=$scratch/files
pair_namespaces

# add_pair N: vaN in $left, vbN in $right; what is sent into vaN comes from 198.18.N.1.
add_pair()
{
	ip -n "$left" link add "va$1" type veth peer name "vb$1" address 02:74:67:00:00:02 netns "$right" &&
		ip -n "$left" link set "va$1" up && ip -n "$right" link set "vb$1" up || exit 1
	# So that frames reach it also where no XDP program polls.
	in_right ethtool -K "vb$1" gro on > /dev/null
}

# begin OPTION...: on three interfaces, into an empty folder, under traffic on all of them.
begin()
{
	rm -rf "$folder"
	mkdir "$folder"
	chmod 777 "$folder"
	for n in 1 2 3; do
		ip -n "$left" link show "va$n" > /dev/null 2>&1 || add_pair "$n"
	done
	start ip netns exec "$right" "$xdpdump" -Q in -i vb1 -i vb2 -i vb3 "$@"
	capture=$pid said=$err printed=$out
	wait_for 20 grep -q 'listening on vb3' "$said" || {
		bad "xdpdump $* does not start"
		show "$said"
		finish
	}
	for n in 1 2 3; do
		start in_left "$trafgen" -i "va$n" -n $frames -r $rate --src "198.18.$n.1" --start-seq $((n * frames))
		eval "sender$n=$pid sent$n=\$out"
	done
	wait_for 10 have_all || bad "not every interface has traffic"
}

# Some frames of each are there.
have_all()
{
	for n in 1 2 3; do
		[ "$(in_right cat "/sys/class/net/vb$n/statistics/rx_packets")" -gt 2000 ] || return 1
	done
}

# delete N...: the senders into these fail, and are not waited for.
delete()
{
	for n; do
		ip -n "$right" link del "vb$n"
		eval "kill -KILL \$sender$n" 2> /dev/null
	done
}

gone_is_said()
{
	grep -q "^xdpdump: vb$1 has disappeared: the capture goes on without it\$" "$said"
}

# finish_capture N...: these senders come to their end, and then the capture is ended.
finish_capture()
{
	for n; do
		eval "ended \$sender$n 60" || bad "the sender into va$n"
	done
	settle "$capture"
	stop "$capture" INT
}

# of N captured|received|dropped: what the closing statistics tell of an interface.
of()
{
	case $2 in
	captured) words='packets captured' ;;
	received) words='received by filter' ;;
	dropped) words='dropped by kernel' ;;
	esac
	sed -n "s/^vb$1: /, /p" "$said" | sed -n "s/.*, \\([0-9]*\\) $words.*/\\1/p"
}

# sums NAME: of the interfaces, and the whole.
sums()
{
	for word in captured received dropped; do
		sum=0
		for n in 1 2 3; do
			sum=$((sum + $(of $n $word)))
		done
		equal "$1: $word, of each and of all" "$(count $word "$said")" "$sum"
	done
	for n in 1 2 3; do
		equal "$1: vb$n, received" "$(of $n received)" $(($(of $n captured) + $(of $n dropped)))
	done
}

# survives NAME N FILE: each frame that was sent into it was delivered or counted.
survives()
{
	tcpdump -nn -r "$3" -w "$scratch/part" --time-stamp-precision=nano "src 198.18.$2.1" 2> /dev/null
	eval "\"\$capcheck\" --json \"\$sent$2\" --order none --dropped \"\$(of $2 dropped)\" \"\$scratch/part\"" \
		> "$scratch/counts" 2> "$scratch/verdict"
	equal "$1: of vb$2 every frame is there or counted, once" 0 $?
	show "$scratch/verdict"
}

# in_file NAME FILE: packets and statistics of each interface are what was said.
in_file()
{
	"$capcheck" --interfaces "$2" > "$scratch/interfaces"
	for n in 1 2 3; do
		wanted="packets $(of $n captured) filteraccept $(of $n received) osdrop $(of $n dropped) usrdeliv $(of $n captured)"
		equal "$1: vb$n in the file" "$wanted" \
			"$(awk -v n=$((n - 1)) '$2 == n { print $3, $4, $11, $12, $13, $14, $15, $16 }' "$scratch/interfaces")"
	done
}

file=$folder/f.pcapng
begin -w "$file"
delete 2
check "one of three: that is said" wait_for 10 gone_is_said 2
finish_capture 1 3
equal "one of three: status" 0 $?
equal "one of three: said once" 1 "$(grep -c 'vb2 has disappeared' "$said")"
check "one of three: and at the end" grep -q '^vb2: .*, until it was gone$' "$said"
check "one of three: of no other" fails grep -q '^vb[13]: .* gone$' "$said"
sums "one of three"
in_file "one of three" "$file"
equal "one of three: statistics blocks" 3 "$("$capcheck" --order none "$file" 2> /dev/null | tr ',{' '\n\n' |
	sed -n 's/.*"statistics_blocks": *\([0-9]*\).*/\1/p')"
survives "one of three" 1 "$file"
survives "one of three" 3 "$file"
check "no XDP program is left" no_xdp_program "$right" vb1

begin --json -w "$file"
delete 1
wait_for 10 gone_is_said 1
delete 3
check "two of three: that is said" wait_for 10 gone_is_said 3
finish_capture 2
equal "two of three: status" 0 $?
grep '^{' "$said" > "$scratch/final"
equal "two of three: gone" "vb1 true vb2 false vb3 true" \
	"$(jq -r '.interfaces[] | "\(.interface) \(.gone)"' "$scratch/final" | xargs)"
check "two of three: sums" jq -e '([.interfaces[].captured] | add) == .captured and .captured > 0
	and ([.interfaces[].received] | add) == .received and ([.interfaces[].seen] | add) == .seen' "$scratch/final"
same "two of three: in the file" "$(jq -r '.interfaces[].captured' "$scratch/final" | xargs)" \
	"$("$capcheck" --interfaces "$file" | awk '{ print $4 }' | xargs)"

# The last one ends it, as a single one does.
begin -w "$file"
delete 1 2
wait_for 10 gone_is_said 2
delete 3
ended "$capture" 20
equal "all: status" 1 $?
check "all: the last one" grep -q '^xdpdump: vb3 has disappeared$' "$said"
sums "all"
in_file "all" "$file"

begin --stop-when-gone -w "$file"
delete 2
ended "$capture" 20
equal "--stop-when-gone: status" 1 $?
check "--stop-when-gone: which" grep -q '^xdpdump: vb2 has disappeared$' "$said"
kill_started
sums "--stop-when-gone"
delete 1 3

# One that is down is there.
begin -w "$file"
ip -n "$right" link set vb2 down
finish_capture 1 3
equal "down: status" 0 $?
check "down: nothing is said" fails grep -q -e disappeared -e gone "$said"
survives "down" 1 "$file"
kill_started
delete 1 2 3

# New files: the interface has its statistics in the one in which it went.
begin -C 1M -w "$file"
wait_for 10 test -e "${file%.pcapng}1.pcapng" -o -e "${file}2"
delete 2
wait_for 10 gone_is_said 2
finish_capture 1 3
equal "new files: status" 0 $?
mergecap -w "$scratch/all.pcapng" "$folder"/* 2> /dev/null
equal "new files: packets said, and in the files" "$(count captured "$said")" "$(packets_in "$folder")"
survives "new files" 1 "$scratch/all.pcapng"
survives "new files" 3 "$scratch/all.pcapng"
sums "new files"
for one in "$folder"/*; do
	"$capcheck" --interfaces "$one"
done > "$scratch/interfaces"
same "new files: delivered of vb2, in all of them" "$(of 2 captured)" \
	"$(awk '$2 == 1 && $15 == "usrdeliv" { n += $16 } END { print n + 0 }' "$scratch/interfaces")"

# A ring of files that is too small for it all.
begin -C 500K -W 3 -w "$file"
delete 3
wait_for 10 gone_is_said 3
finish_capture 1 2
equal "-W: status" 0 $?
sums "-W"
equal "-W: captured, in files that are there and that are not" "$(count captured "$said")" \
	$(($(packets_in "$folder") + $(sed -n 's/^\([0-9]*\) packets captured.*removed.*/\1/p' "$said")))

# Each ring has a file of its own, which ends with its interface: its command has it while the others go on.
cat > "$scratch/note" <<- END
	#!/bin/sh
	echo "\$1" >> $scratch/noted
END
chmod 755 "$scratch/note"
: > "$scratch/noted"
begin --files-per-queue -z "$scratch/note" -w "$file"
delete 2
check "files per queue: that is said" wait_for 10 gone_is_said 2
check "files per queue: its file is whole while the others go on" wait_for 10 grep -q f-vb2- "$scratch/noted"
check "files per queue: of no other" fails grep -q -e f-vb1- -e f-vb3- "$scratch/noted"
check "files per queue: the capture goes on" fails process_gone "$capture"
finish_capture 1 3
equal "files per queue: status" 0 $?
mergecap -w "$scratch/all.pcapng" "$folder"/* 2> /dev/null
equal "files per queue: packets said, and in the files" "$(count captured "$said")" "$(packets_in "$folder")"
survives "files per queue" 1 "$scratch/all.pcapng"
survives "files per queue" 3 "$scratch/all.pcapng"
sums "files per queue"
same "files per queue: every file had its command" "$(find "$folder" -type f | wc -l)" "$(wc -l < "$scratch/noted")"

begin --files-per-queue -w "$file"
delete 1 2
wait_for 10 gone_is_said 2
delete 3
ended "$capture" 20
equal "files per queue, all: status" 1 $?
sums "files per queue, all"

# Lines on standard output, of one that is gone and of one that is not.
begin -t udp and port 9
delete 2
wait_for 10 gone_is_said 2
finish_capture 1 3
equal "lines: status" 0 $?
for n in 1 2 3; do
	same "lines: of vb$n" "$(of $n captured)" "$(grep -c "^vb$n In " "$printed")"
done

# By the loader.
cp "$build/pcap-afxdp-loader" "$scratch/loader"
cp "$xdpdump" "$scratch/xdpdump"
if ! command -v setcap > /dev/null ||
	! setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep "$scratch/loader" 2> /dev/null; then
	skip "without privilege: needs setcap, and a file system that has capabilities"
else
	as=$xdpdump xdpdump=$scratch/unprivileged
	cat > "$xdpdump" <<- END
		#!/bin/sh
		PCAP_AFXDP_LOADER=$scratch/loader exec setpriv --reuid 65534 --regid 65534 --clear-groups $scratch/xdpdump "\$@"
	END
	chmod 755 "$xdpdump"
	begin -w "$file"
	delete 2
	check "without privilege: that is said" wait_for 10 gone_is_said 2
	finish_capture 1 3
	equal "without privilege: status" 0 $?
	sums "without privilege"
	survives "without privilege" 1 "$file"
	xdpdump=$as
fi

# A namespace is deleted: the capture does not keep it.
# in_namespace OPTION...: a capture there, on vy, whose other end is vx in $left.
in_namespace()
{
	new_namespace n
	ip -n "$left" link add vx type veth peer name vy netns "$namespace"
	ip -n "$left" addr add 10.98.0.1/24 dev vx
	ip -n "$namespace" addr add 10.98.0.2/24 dev vy
	ip -n "$left" link set vx up
	ip -n "$namespace" link set vy up
	start "$xdpdump" -Q in "$@" --netns "$namespace" -i "${named:-vy}" -w "$file" icmp
	capture=$pid said=$err
	wait_for 20 grep -q 'listening on v\[*y' "$said"
	in_left ping -qc 3 -i 0.05 -W 20 10.98.0.2 > /dev/null
	ip netns del "$namespace"
}

no_vx()
{
	! ip -n "$left" link show vx > /dev/null 2>&1
}

rm -f "$file"
in_namespace --netns "$right" -i vb1
check "namespace: that is said" wait_for 10 grep -q \
	"^xdpdump: vy has disappeared with network namespace $namespace, which was deleted: the capture goes on without it\$" "$said"
check "namespace: it is gone, while the capture goes on" wait_for 10 no_vx
check "namespace: which goes on" fails process_gone "$capture"
stop "$capture" INT
equal "namespace: status" 0 $?
check "namespace: its packets" grep -q "^$namespace/vy: 3 packets captured, .* until it was gone\$" "$said"
in_namespace --files-per-queue
ended "$capture" 10
equal "namespace, a file for each queue: status" 1 $?
check "namespace, a file for each queue: why" grep -q \
	"^xdpdump: vy has disappeared with network namespace $namespace, which was deleted\$" "$said"
in_namespace
ended "$capture" 10
equal "namespace, the only interface: status" 1 $?
check "namespace, the only interface: it is gone" wait_for 10 no_vx
named='v[y]' in_namespace
ended "$capture" 10
check "namespace, a pattern: its name" grep -q "^xdpdump: v\[y\] has disappeared with network namespace" "$said"
finish
