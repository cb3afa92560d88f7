# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh disable=SC2034,SC2154,SC2016 # variables of the files that read it; inner shells
# Further kinds of faults, as in faults.sh: of processors, memory and descriptors, while a capture opens, and of
# where xdpdump writes to.

# --- Processors and memory.

# cpu_is_free: can CPU 1 go offline here without a lasting change for others? FAULTS_CPU=no: it may not.
cpu=/sys/devices/system/cpu/cpu1/online
cpu_is_free()
{
	[ "${FAULTS_CPU:-yes}" = yes ] && [ -w $cpu ] && [ "$(cat $cpu)" = 1 ] || return
	# A process bound to it would not be so any more.
	for process in $(grep -l -x 'Cpus_allowed_list:[[:space:]]*1' /proc/[0-9]*/task/*/status 2> /dev/null); do
		! grep -q '^VmSize' "$process" 2> /dev/null || return
	done
	# The first version of cpusets does not give back what it took.
	[ -z "$(find /sys/fs/cgroup/cpuset -mindepth 1 -type d 2> /dev/null)" ]
}

# without_cpu SECONDS: in a process of its own, which brings the CPU back whatever becomes of this one.
without_cpu()
{
	setsid sh -c 'echo 0 > "$0" && sleep "$1"; echo 1 > "$0"' $cpu "$1" 2> "$scratch/cpu" &
	offline=$!
}

cpu_back()
{
	wait "$offline"
	[ "$(cat $cpu)" = 1 ] || wrong "the CPU is not back: $(cat "$scratch/cpu")"
}

cpu_offline()
{
	cpu_is_free || {
		not_here "no CPU here may go offline"
		return
	}
	without_cpu 0.4
	cpu_back
}

prepare_cpu_online()
{
	cpu_is_free || return
	without_cpu 1.5
	wait_for 5 grep -q 0 $cpu
}

cpu_online()
{
	[ -n "${offline:-}" ] || {
		not_here "no CPU here may go offline"
		return
	}
	cpu_back
	offline=''
}

# memory_group BYTES: a control group with that limit, of either version; $group, and $launcher puts a
# command into it.
memory_group()
{
	if [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
		memory=/sys/fs/cgroup/memory/afxdp-$$ limit=memory.limit_in_bytes usage=memory.usage_in_bytes
	elif grep -q -w memory /sys/fs/cgroup/cgroup.controllers 2> /dev/null; then
		memory=/sys/fs/cgroup/afxdp-$$ limit=memory.max usage=memory.current
		echo +memory > /sys/fs/cgroup/cgroup.subtree_control 2> /dev/null
	else
		return 1
	fi
	mkdir -p "$memory" && echo "$1" > "$memory/$limit" || return
	group=$memory
	printf '#!/bin/sh\necho $$ >&4 && exec "$@" 4>&-\n' > "$scratch/launcher"
	chmod 755 "$scratch/launcher"
	# By descriptor, as ip netns exec mounts another /sys.
	exec 4> "$group/cgroup.procs"
	launcher=$scratch/launcher
}

leave_group()
{
	exec 4>&-
	[ -z "${group:-}" ] || wait_for 5 rmdir "$group" || wrong "the control group is still in use"
	group=''
}

prepare_squeezed()
{
	memory_group $((1 << 30)) || not_here "no control group for memory"
}

squeezed()
{
	[ -n "${group:-}" ] || return
	for _ in 1 2 3; do
		cat "$group/$usage" > "$group/$limit" 2> /dev/null
		nap 50 200
	done
}

# --- What is there while a capture opens.

# opens: does the capture come up? It may also end, with a sentence.
opens()
{
	rm -f "$scratch/ready"
	# shellcheck disable=SC2086 # words
	start_capture $launcher "$build/testprogs/pcapread" -i "xdp:vb,$(device_options)" --nano -Q in -f udp \
		--ready "$scratch/ready" -t 60
	capture=$pid report=$out said=$err
}

opened_or_refused()
{
	wait_for 30 is_started || {
		wrong "the capture neither opens nor ends"
		kill_victim
		return
	}
	if [ -e "$scratch/ready" ] && ! process_gone "$capture"; then
		opened=yes
		return
	fi
	end_victim
	# Killed by the kernel for want of memory it says nothing.
	[ "$ended_with" -ne 0 ] || wrong "ends with status 0"
	[ "$ended_with" -eq 137 ] || grep -q '"error": *"[^"]' "$report" "$said" || [ -s "$said" ] ||
		wrong "is refused without a word"
	account="refused: $(sed -n 's/.*"error": *"\([^"]*\)".*/\1/p' "$report" | cut -c 1-100)"
}

no_memory()
{
	chance 7
	if memory_group $((1 << (20 + chance))); then
		opens
		opened_or_refused
		echo $((1 << 32)) > "$group/$limit"
	else
		not_here "no control group for memory"
	fi
}

limited()
{
	printf '#!/bin/sh\nulimit %s && exec "$@"\n' "$1" > "$scratch/launcher"
	chmod 755 "$scratch/launcher"
	launcher=$scratch/launcher
	opens
	opened_or_refused
}

few_descriptors()
{
	chance 57
	limited "-n $((chance + 4))"
}

no_locked()
{
	chance 10
	limited "-v $(((chance + 1) * 8192))"
}

flapping()
{
	start sh -c 'while :; do
			ip -n "$0" link set vb down
			ip -n "$0" link set vb up
		done' "$right"
	flapper=$pid
	opens
	opened_or_refused
	nap 0 200
	stop "$flapper" KILL 2> "$scratch/killed"
	ip -n "$right" link set vb up
	know_each_other
}

open_killed()
{
	opens
	nap 0 250
	kill_victim
}

open_stopped()
{
	opens
	nap 0 150
	kill -STOP "$capture"
	nap 50 300
	kill -CONT "$capture"
	opened_or_refused
	[ "$opened" = yes ] || wrong "does not open"
}

open_gone()
{
	opens
	nap 0 250
	ip -n "$left" link del va
	wait_for 20 process_gone "$capture" || wrong "the capture does not notice that the interface is gone"
	opened_or_refused
}

# --- Where xdpdump writes to.

# into COMMAND...: xdpdump runs in a mount namespace in which $folder is what the command makes of it; what
# is in it then is copied out.
prepare_disk_full()
{
	chance 4
	mkdir -p "$scratch/small"
	cat > "$scratch/launcher" <<-END
		#!/bin/sh
		mount -t tmpfs -o size=$((chance + 1))m none $scratch/small || exit 99
		trap 'kill -TERM \$!' INT TERM
		"\$@" &
		wait \$!
		status=\$?
		while kill -0 \$! 2> /dev/null; do
			wait \$!
			status=\$?
		done
		cp $scratch/small/* $folder/
		umount $scratch/small
		exit \$status
	END
	chmod 755 "$scratch/launcher"
	# What runs in the background ignores SIGINT, which a shell cannot take back.
	launcher="env --default-signal=INT $scratch/launcher" given="-w $scratch/small/f"
}

disk_full()
{
	nap 0 100
}

prepare_disk_error()
{
	if is_sanitized; then
		not_here "the sanitizers' runtime has to be loaded first"
		return
	fi
	chance 4000
	launcher="env LD_PRELOAD=$failing FAIL_WRITES=$((chance * 1000))"
}

disk_error()
{
	nap 0 100
}

prepare_file_limit()
{
	chance 4000
	printf '#!/bin/sh\ntrap "" XFSZ\nulimit -f %d\nexec "$@"\n' $((chance + 1)) > "$scratch/launcher"
	chmod 755 "$scratch/launcher"
	launcher=$scratch/launcher
}

file_limit()
{
	nap 0 100
}

# piped: xdpdump writes into a pipe, which another process reads into a file.
piped()
{
	rm -f "$scratch/pipe"
	mkfifo "$scratch/pipe"
	start sh -c 'exec cat "$0" > "$1"' "$scratch/pipe" "$folder/f"
	pipe_reader=$pid
	printf '#!/bin/sh\nexec "$@" > %s\n' "$scratch/pipe" > "$scratch/launcher"
	chmod 755 "$scratch/launcher"
	launcher=$scratch/launcher given='-w -'
}

prepare_pipe_stalled()
{
	piped
}

pipe_stalled()
{
	kill -STOP "$pipe_reader"
	nap 100 1000
	kill -CONT "$pipe_reader"
}

prepare_pipe_gone()
{
	piped
}

pipe_gone()
{
	kill -KILL "$pipe_reader"
	ended "$pipe_reader" 5 2> "$scratch/killed"
}
