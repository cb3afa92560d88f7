# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2154 # variables of the files that read it
# What must be as before when a round is over.

# Whose files could be a capture's. Namespaces are looked at apart.
files_of_the_system()
{
	find /run /dev/shm /sys/fs/bpf -xdev ! -path '/run/netns*' 2> /dev/null | grep -i -e xdp -e pcap | sort
}

inventory_begin()
{
	inventory_begun=$(cut -d ' ' -f 1 /proc/uptime)
	orphaned_rings > "$scratch/rings_before"
	files_of_the_system > "$scratch/files_before"
	complaints > "$scratch/complaints_before"
}

# no_new_orphans: of those in rings_left. Captures that run beside these rounds leave some for a moment, others each time.
no_new_orphans()
{
	orphaned_rings | comm -12 "$scratch/rings_left" - > "$scratch/rings_after"
	cp "$scratch/rings_after" "$scratch/rings_left"
	[ ! -s "$scratch/rings_left" ]
}

no_new_files()
{
	files_of_the_system > "$scratch/files_after"
	[ -z "$(comm -13 "$scratch/files_before" "$scratch/files_after")" ]
}

# What the kernel has said of itself. Each minute it repeats since when it waits for a page of an interface that is
# gone: those of before are not ours.
complaints()
{
	dmesg 2> /dev/null | grep -e 'BUG:' -e 'Oops' -e 'WARNING:' -e 'stall' |
		awk -v since="$inventory_begun" -F '[][ ]+' '!/stalled pool/ || $2 - $(NF - 1) > since' | sort
}

no_processes()
{
	[ -z "$(ip netns pids "$right")$(ip netns pids "$left")" ]
}

# Neither programs nor modes. An interface that is gone has none.
is_as_before()
{
	ip -n "$1" link show "$2" > /dev/null 2>&1 || return 0
	[ "$(ip netns exec "$1" "$foreign" list "$2")" = 'xdp 0 ingress 0 egress 0' ] &&
		[ "$(promiscuity "$1" "$2")" -eq 0 ] &&
		! ip -n "$1" -d link show "$2" | grep -q 'allmulti [1-9]'
}

# A namespace is gone when its interfaces are, and the peers of these.
is_freed()
{
	! ip -n "$left" link show va > /dev/null 2>&1
}

inventory()
{
	wait_for 10 no_processes || wrong "processes are left: $(ip netns pids "$right" | xargs -r ps -o args= -p | cut -c 1-200)"
	wait_for 5 is_as_before "${lives_in:=$right}" "${renamed:-vb}" ||
		wrong "left on the interface: $(ip -n "$lives_in" -d link show)"
	orphaned_rings | comm -13 "$scratch/rings_before" - > "$scratch/rings_left"
	wait_for 20 no_new_orphans || wrong "maps are left: $(cat "$scratch/rings_left")"
	wait_for 5 no_new_files || wrong "files are left: $(comm -13 "$scratch/files_before" "$scratch/files_after")"
	complaints > "$scratch/complaints_after"
	[ -z "$(comm -13 "$scratch/complaints_before" "$scratch/complaints_after")" ] || {
		wrong "the kernel complains: $(comm -13 "$scratch/complaints_before" "$scratch/complaints_after" | tail -n 1)"
		cp "$scratch/complaints_after" "$scratch/complaints_before"
	}
	[ -z "$(find "$folder" -name '*.part')" ] || [ "$ended_with" -eq 137 ] || wrong "an unfinished file is left"
	for namespace in $namespaces; do
		[ "$namespace" = "$left" ] || ip netns del "$namespace"
	done
	wait_for 20 is_freed || wrong "something keeps the namespace"
	ip netns del "$left" 2> /dev/null
	namespaces=''
}
