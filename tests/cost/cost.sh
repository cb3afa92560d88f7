#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What a packet takes, counted and not timed, is no more than tests/cost/limits allows: instructions and cache
# lines, of the capture programs and of those that read. A machine that is busy changes nothing.
# COST_PRINT=1 prints the lines for that file, and judges nothing.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_library
need_testprog trafgen
! is_sanitized || skip_all "figures of a build with sanitizers are none of the product's"
[ "$(uname -m)" = x86_64 ] || skip_all "the limits are those of x86_64"
limits=$top/tests/cost/limits
percent=5

variable()
{
	sed -n "s/^$1 = //p" "$build/Makefile"
}

# compiler COMMAND: its name and major version, as in the file of limits.
# shellcheck disable=SC2086 # words
compiler()
{
	kind=gcc
	! $1 --version | grep -q clang || kind=clang
	echo "$kind-$($1 -dumpversion | sed 's/\..*//')"
}

kernels=$(compiler "$(variable CLANG)")
users=$(compiler "$(variable CC)")
case " $(variable CFLAGS) " in
*' -O2 '*) ;;
*) users="$users without -O2" ;;
esac

# limit FILE PATH COMPILER
limit()
{
	awk -v path="$2" -v compiler="$3" '$1 == path && $2 == compiler { print $3, $4, $5 }' "$1"
}

# over INSTRUCTIONS LINES CALLS, and the same of the limit: what is too much.
over()
{
	echo "$*" | awk -v percent="$percent" '{
		split("instructions lines calls", name, " ")
		for (i = 1; i <= 3; i++)
			if ($(i + 3) != "-" && $i > $(i + 3) * (1 + percent / 100))
				printf "%s %s, and the limit is %s; ", $i, name[i], $(i + 3)
	}'
}

# judge PATH COMPILER: $counted, against its limit.
# shellcheck disable=SC2046,SC2086 # three words each
judge()
{
	allowed=$(limit "$limits" "$1" "$2")
	if [ -z "$counted" ]; then
		bad "$1: nothing was counted"
		show "$err"
	elif [ -n "${COST_PRINT-}" ]; then
		ok "$(printf '%-15s %-8s %12s %6s %6s' "$1" "$2" $counted)"
	elif [ -z "$allowed" ]; then
		skip "$1 by $2 has no limit: $counted"
	elif [ -n "$(over $counted $allowed)" ]; then
		bad "$1: $(over $counted $allowed)CONTRIBUTING.md says how to move it"
	else
		ok "$1: $counted of $allowed"
	fi
}

# grown PATH COMPILER: a path that takes 6 % more than its limit, in any of the figures, is noticed.
# shellcheck disable=SC2046,SC2086
grown()
{
	allowed=$(limit "$limits" "$1" "$2")
	for column in 1 2 3; do
		more=$(echo "$allowed" | awk -v column="$column" '$column != "-" { $column *= 1.06; print }')
		[ -z "$more" ] || [ -n "$(over $more $allowed)" ] || return 1
	done
}

# program PATH OPTIONS PROGRAM SIZE EXPRESSION keep|leave
program()
{
	path=$1
	shift
	err=$scratch/program.err
	counted=$("$build/tests/cost/program" "$@" 2> "$err")
	judge "$path" "$kernels"
}

# As every x86_64 has it: the C library would choose how to copy by the processor.
plain_copies=glibc.cpu.hwcaps=-AVX2,-AVX_Fast_Unaligned_Load,-AVX512F,-AVX512VL,-SSSE3,-SSE4_2,-BMI2,-ERMS,-FSRM

# What callgrind runs finds the kernel's types in a file that is read at once: the kernel gives a page at a time, and
# for each valgrind looks at the rest of the buffer. Only that process sees it.
cat > "$scratch/callgrind" << 'END'
#!/bin/sh
# callgrind BTF OUT FUNCTION COMMAND...
[ ! -s "$1" ] || mount --bind "$1" /sys/kernel/btf/vmlinux
btf=$1 out=$2 function=$3
for list in ${CPUS:+online present possible}; do
	mount --bind "$CPUS" "/sys/devices/system/cpu/$list" || exit
done
shift 3
exec valgrind --tool=callgrind --callgrind-out-file="$out.%p" --toggle-collect="$function" --cache-sim=yes \
	--I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 "$@"
END
cat /sys/kernel/btf/vmlinux > "$scratch/btf" 2> /dev/null

# callgrind FUNCTION COMMAND...: in the background, as in start_capture.
callgrind()
{
	start_capture "GLIBC_TUNABLES=$plain_copies" sh "$scratch/callgrind" "$scratch/btf" "$scratch/counts" "$@"
}

# counts FRAMES: what $pid has counted, per frame.
counts()
{
	awk -v frames="$1" '
	$1 == "events:" { for (i = 2; i <= NF; i++) at[$i] = i }
	$1 == "totals:" {
		if ($at["Ir"])
			printf "%.1f %.2f -", $at["Ir"] / frames, ($at["D1mr"] + $at["D1mw"]) / frames
	}' "$scratch/counts.$pid"
}

# is_reading: what callgrind runs waits for frames.
is_reading()
{
	[ -e "$scratch/ready" ] || grep -q -e 'listening on' -e 'reader: ready' "$err"
}

# reads PATH FRAMES SIZE FUNCTION COMMAND...: it gets so many frames while it is stopped, and FUNCTION with all it
# calls is counted.
reads()
{
	path=$1 frames=$2 size=$3 counted=''
	shift 3
	callgrind "$@"
	if wait_for 60 is_reading; then
		settle "$pid"
		kill -STOP "$pid"
		in_left testprogs/trafgen -i va -s "$size" -n "$frames" > "$scratch/sent"
		kill -CONT "$pid"
		case $* in *--fill*) kill -USR1 "$pid" ;; esac
		all_read "$pid" > /dev/null
		! grep -q -e "\"frames\":$frames," -e "\"captured\":$frames," -e "^$frames packets captured" "$out" "$err" ||
			counted=$(counts "$frames")
	fi
	judge "$path" "$users"
}

program received-64 '' xdp_capture 64 'udp port 9' keep
program received-1500 '' xdp_capture 1500 'udp port 9' keep
program not-wanted-64 '' xdp_capture 64 'tcp port 80' leave
program sent-64 '' tc_egress 64 'udp port 9' keep
program packet-hook-64 hook=packet packet_socket 64 'udp port 9' keep

# What never fails is no gate: here is a path that has grown, by asking the driver for the hash of each frame.
allowed=$(limit "$limits" received-64 "$kernels")
if [ -n "$allowed" ]; then
	counted=$("$build/tests/cost/program" hash=on xdp_capture 64 'udp port 9' keep)
	# shellcheck disable=SC2086 # three words each
	check "a program that asks for hashes is over the limit: $counted" test -n "$(over $counted $allowed)"
	check "so is any figure that is 6 % above it" grown received-64 "$kernels"
fi

! is_quick || finish
need valgrind
veth_pair
reads dispatch-64 20000 64 dispatch_read "$build/bench/reader" -i xdp:vb,loader=off --fill
reads next-ex-64 20000 64 pcap_read_afxdp "$build/testprogs/pcapread" -i xdp:vb,loader=off -Q in --mode next_ex -t 60 \
	--ready "$scratch/ready"
rm "$scratch/ready"
# A machine of 256 CPUs, of which one has frames. Looks in vain are left out: one read waits for the first frame, and it
# ends with the last.
echo 0-255 > "$scratch/cpus"
export CPUS="$scratch/cpus"
reads next-ex-1-of-256 2000 64 pcap_read_afxdp "$build/testprogs/pcapread" -i xdp:vb,loader=off,ring=512K -Q in \
	--mode next_ex -c 2000 -t 60 --timeout 20000 --ready "$scratch/ready"
unset CPUS
rm "$scratch/ready"
reads xdpdump-file-64 50000 64 reader_run "$build/xdpdump/xdpdump" -i vb -Q in -w "$scratch/file" --json
reads xdpdump-text-64 2000 64 reader_run "$build/xdpdump/xdpdump" -i vb -Q in
reads af-xdp-64 1000 64 xsk_find "$build/bench/reader" -i xdp:vb,engine=divert,zero-copy=off,loader=off

# merges PATH RINGS USED: one record from each of the rings that are used, in turn.
merges()
{
	callgrind merge_all "$build/tests/cost/merge" "$2" "$3"
	ended "$pid" 60 > /dev/null
	counted=$(counts 4096)
	judge "$1" "$users"
}

# Rings that are empty cost nothing, and of those that are not each costs little.
merges merge-64 2 2
merges merge-2-of-256 256 2
merges merge-256-of-256 256 256
finish
