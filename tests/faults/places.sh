#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Each place from which xdpdump, the library or the loader process makes a call that may fail does so once: while a
# capture opens, runs, rotates its files, tells of itself and ends. Between them the commands here use most of what
# there is. A sentence, or it works all the same; no process, program or unfinished file is left.
#
# FAULTS_PLACES: all, or none; or a number: the first so many failures of each command.
# shellcheck source=tests/faults/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need_library
need_testprog trafgen xdplaunch
[ "$FAULTS_PLACES" != none ] || skip_all "not in this size (FAULTS_PLACES)"
is_sanitized && skip_all "the sanitizers have an allocator of their own"
[ -x "$xdpdump" ] || skip_all "xdpdump was not built: make xdpdump/xdpdump"
most=$FAULTS_PLACES
[ "$most" != all ] || most=2000
kind=places seed=0 rounds=1 places=0 known=$scratch/known
judges_crashes=yes # some of them are of libraries of others
client=$build/tests/loader/client
[ -x "$client" ] && [ -e "$failing" ] && [ -x "$foreign" ] || skip_all "needs what make check-faults builds"

# FOLDER is empty before each run; 0x88b5 never comes, udp does.
commands()
{
	cat <<-'END'
		-i vb -w FOLDER/f -a duration:0.1 --ring 1M udp
		-i vb -w FOLDER/f -C 4K -W 3 -z true --print-name -Z nobody -a packets:200
		-i vb -w FOLDER/f -b printname:FOLDER/names -b filesize:4 -b files:2 -b packets:50 -a files:3
		-i vb -w FOLDER/f.zst --zstd=1,seekable -C 4K --disk-limit 1M -a packets:200 -v
		-i vb -w FOLDER/f -G 1 -a duration:1.2 --use-pcap -q
		-i vb -w FOLDER/f --files-per-queue -C 8K -a packets:50
		-i vb --files-per-queue --to kafka://127.0.0.1/t --spool FOLDER:4M -a packets:50
		-i vb -w FOLDER/f --metrics FOLDER/m --stats-file FOLDER/s --stats-interval 0.1 -a duration:0.3
		-i vb -w FOLDER/f --print -a packets:10 -Q inout -P -s 60
		-i vb -w FOLDER/f --tls-keylog FOLDER/../keys -a packets:10
		-i vb -w FOLDER/f --pre-trigger 1M --trigger udp -a packets:20
		-i vb -w FOLDER/f -i lo -i any -a packets:20
		-i vb -w FOLDER/f -i v* --stop-when-gone -a packets:20
		-i vb -w FOLDER/f --listen 127.0.0.1:5999 --listen-format pcap -a duration:0.2
		-i vb -w FOLDER/f --engine divert --zero-copy off --watchdog 2s -a packets:20
		-i vb -w FOLDER/f --engine divert --after drop -a packets:20 udp
		-i vb -w FOLDER/f --hook tc --flow-cutoff 4K --slice l4 --sample 2 -a duration:0.2
		-i vb -w FOLDER/f --hook packet -Q inout -j host_lowprec -a packets:20
		-i vb -w FOLDER/f --cpus 0 --busy-poll on -a packets:20
		-i vb -w - -a packets:20
		-i vb -a packets:10 -x
		-i vb -a packets:10 --json -tttt
		-i vb -a packets:10 --format xdp-tools --color always
		-i vb -a packets:10 --decode -Z nobody
		-i vb -a packets:10 -F FOLDER/../expression
		-i vb -a duration:0.1 ip6 protochain 17
		--netns RIGHT -i vb -a packets:10
		--netns RIGHT* -i vb -w FOLDER/f -a packets:10
		--netns RIGHT* --drops=only -a duration:0.3
		-D
		-D --json
		-i vb -J
		-d udp
		-dddd udp
		--doctor vb
		--doctor -i vb --report FOLDER/r -C 1M -w FOLDER/f
		--doctor -i vb --hook packet
		-i vb -w FOLDER/f --xdp-obj OBJECT -a packets:10
		-i vb --drops=only --drop-reasons NO_SOCKET -a duration:0.1
		--extcap-interfaces
		--extcap-config --extcap-interface xdpdump:vb
		--extcap-capture-filter udp --extcap-interface xdpdump:vb
		--capture --extcap-interface xdpdump:vb --fifo FOLDER/../fifo
		-i vb -w FOLDER/f --drops -a duration:0.2
	END
}

# behind: where somebody else's XDP program is.
behind()
{
	cat <<-'END'
		-i vb -w FOLDER/f -a packets:10
		-i vb --rx-capture entry,exit --verdict pass -a packets:10
		-i vb -p all -a packets:10
		--doctor vb
		-D
	END
}

# refusals: what the kernel refuses for another reason than want of memory; by CALL:ERRNO.
refusals()
{
	cat <<-'END'
		bpf:1 -i vb -w FOLDER/f -a duration:0.1 udp
		bpf:13 -i vb -w FOLDER/f -a duration:0.1 udp
		bpf:7 -i vb -w FOLDER/f -a duration:0.1 udp
		bpf:16 -i vb -w FOLDER/f -a duration:0.1 --hook xdp udp
		bpf:95 -i vb -w FOLDER/f -a duration:0.1 --hook tc udp
		bpf:1 -i vb --drops=only -a duration:0.1
		bpf:22 -i vb --drops=only -a duration:0.1
		bind:16 -i vb --engine divert --zero-copy off -a duration:0.1
		bind:95 -i vb --engine divert --zero-copy off -a duration:0.1
		setsockopt:1 -i vb --engine divert --zero-copy off --busy-poll on -a duration:0.1
		ioctl:1 -i vb -j adapter -a duration:0.1
		bpf:13 -i vb --xdp-obj OBJECT -a duration:0.1
		rename:13 -i vb -w FOLDER/f -a duration:0.1
		setns:38 --netns RIGHT -i vb -a duration:0.1
		epoll_pwait2:12 -i vb -w FOLDER/f -a duration:0.1
	END
}

# applications: device and steps of tests/loader/client.
applications()
{
	cat <<-'END'
		open=xdp:vb,ring=1M
		open=xdp:vb,ring=1M,hook=tc,slice=l4,sample=2,flow-cutoff=4K
		open=xdp:vb,ring=1M,hook=packet
		open=xdp:vb,ring=1M,engine=divert
		open=xdp:vb,ring=1M,engine=divert,zero-copy=off
		open=xdp:vb,ring=1M,warn=on,busy-poll=on
		open=xdp:vb,ring=1M,loader=off
		open=xdp:any
		open=xdp:lo
		open=xdp:vb,join=on
		open=xdp:vb,ring=1M,hash=on,vlan=off,full=pass,after=drop
		keep=0 open=xdp:vb,ring=1M
		keep=0 open=xdp:vb,ring=1M,hook=packet
		keep=0 open=xdp:any
		keep=0 open=xdp:vb,ring=1M,engine=divert
		become=nobody open=xdp:vb,ring=1M
	END
}

failed_at()
{
	what=$(tr -d '\0' < "$scratch/failed" 2> /dev/null | cut -c 1-300)
	[ -n "$what" ]
}

# Libraries of others that end the program without memory, the C library for users and for variables of threads as well.
is_theirs()
{
	case $what in
	*seccomp_load* | *pcap_compile* | *__nss_* | *__tls_get_addr*) ;;
	*) return 1 ;;
	esac
}

nobody_left()
{
	[ -z "$(ip netns pids "$right" | grep -v -x "${visitor:-0}")" ]
}

as_before()
{
	[ "$(xdp_program "$right" vb)" = "$program" ]
}

# is_sound: what a run said and left, of which $what failed.
is_sound()
{
	if [ "$ended_with" -gt 1 ] && ! is_theirs; then
		wrong "$what: status $ended_with: $(cat "$scratch/ended")"
	elif [ "$ended_with" -eq 1 ] && [ ! -s "$said" ] && [ ! -s "$printed" ]; then
		wrong "$what: status 1 without a word"
	fi
	! grep -q -e 'Success' -e 'Unknown error' -e '(null)' "$said" || wrong "$what: $(tail -n 1 "$said")"
	grep -q '\.part: ' "$said" || [ -z "$(find "$folder" -name '*.part')" ] ||
		wrong "$what: an unfinished file is left, and nobody says so"
	wait_for 10 nobody_left || wrong "$what: a process is left: $(ip netns pids "$right" | head -n 1)"
	wait_for 5 as_before || wrong "$what: a program is left, or taken off"
}

prepare()
{
	rm -rf "$folder"
	mkdir "$folder"
	: > "$scratch/failed"
	chmod 777 "$folder" "$scratch/failed"
}

# ends SECONDS: false: nothing failed.
ends()
{
	said=$err printed=$out
	ended "$pid" "$1" > "$scratch/ended"
	ended_with=$?
	failed_at || {
		[ "$ended_with" -le 1 ] || bad "$title, without a failure: status $ended_with"
		return 1
	}
	is_sound
}

command_ends()
{
	ends 30 || return
	rm -f "$said" "$printed"
}

run_command()
{
	prepare
	case $* in
	*--extcap*--fifo*) set -- timeout --preserve-status 5 "$xdpdump" "$@" ;; # Wireshark ends it, with SIGTERM
	*) set -- "$xdpdump" "$@" ;;
	esac
	start ip netns exec "$right" env NOTIFY_SOCKET="$scratch/notified" LD_PRELOAD="$failing" FAIL_KNOWN="$known" \
		FAIL_IN=xdpdump FAIL_TO="$scratch/failed" "$@"
	command_ends
}

run_refused()
{
	as=$1
	shift
	prepare
	start ip netns exec "$right" env LD_PRELOAD="$failing" FAIL_KNOWN="$known.$as" FAIL_AS="$as" FAIL_IN=xdpdump \
		FAIL_TO="$scratch/failed" "$xdpdump" "$@"
	command_ends
}

# application_ends: judges a run of the client.
application_ends()
{
	ends 60 || return
	! grep -e '^setfilter .* -1 after [0-9]* ms$' -e '^activate -[0-9]* after [0-9]* ms: $' "$printed" ||
		wrong "$what: refused without a word"
	rm -f "$said" "$printed"
}

run_application()
{
	prepare
	start_capture env LD_PRELOAD="$failing" FAIL_KNOWN="$known" FAIL_IN=client FAIL_TO="$scratch/failed" \
		"$client" "$@" 'filter=ether proto 0x88b5' read=10 'filter=ether proto 0x88b6' read=10 stats=s close
	application_ends
}

# run_given OPTION STEP...: a process without privilege, on sockets that another one gives to it.
# shellcheck disable=SC2046 # words
run_given()
{
	prepare
	option=$1
	shift
	start ip netns exec "$right" "$build/testprogs/xdplaunch" -i vb ${option:+"$option"} \
		env $(library_environment | sed "s|$library|$scratch/bin|") LD_PRELOAD="$scratch/bin/failing.so" \
		FAIL_KNOWN="$known" FAIL_IN=client FAIL_TO="$scratch/failed" \
		"$scratch/bin/client" "$@" 'filter=ether proto 0x88b5' read=10 stats=s close
	application_ends
}

# run_loader STEP...: the same of the loader process.
run_loader()
{
	prepare
	printf '#!/bin/sh\nLD_PRELOAD=%s FAIL_KNOWN=%s FAIL_TO=%s exec %s "$@"\n' "$failing" "$known.loader" \
		"$scratch/failed" "$build/pcap-afxdp-loader" > "$scratch/loader"
	chmod 755 "$scratch/loader"
	PCAP_AFXDP_LOADER=$scratch/loader start_capture "$client" "$@" 'filter=ether proto 0x88b5' read=10 stats=s close
	application_ends
}

# fail_each RUN WORD...: until nothing of it fails that has not failed before.
fail_each()
{
	run=$1 times=0
	shift
	title="$run: $*"
	while [ "$times" -lt "$most" ] && [ "$failed" -lt 60 ] && "$run" "$@"; do
		times=$((times + 1))
	done
	places=$((places + times))
	echo "# $title: $times failed, $(($(date +%s) - begun)) s"
}

# each RUN: of a list on standard input.
each()
{
	set -f
	while read -r line; do
		# shellcheck disable=SC2046,SC2086 # words
		fail_each "$1" $(echo "$line" | sed "s|FOLDER|$folder|g; s|RIGHT|$right|g; s|OBJECT|$build/testprogs/own_xdp.bpf.o|") < /dev/null
	done
	set +f
}

veth_pair
chmod 755 "$scratch"
program='' visitor=''
mkdir "$scratch/bin"
cat > "$scratch/bin/pcapng-kafka" << 'END'
#!/bin/sh
# In place of the real one, which would wait for brokers: it is ready (is_ready of util/put_state.h), and reads.
while [ "$1" != --state-fd ]; do shift; done
printf '\1' | dd of="/proc/self/fd/$2" bs=1 seek=64 conv=notrunc 2> /dev/null
exec cat > /dev/null
END
chmod 755 "$scratch/bin/pcapng-kafka"
PATH=$scratch/bin:$PATH
cp "$client" "$failing" "$scratch/bin"
copy_library "$scratch/bin"
chmod -R a+rX "$scratch/bin"
echo udp > "$scratch/expression"
: > "$scratch/keys"
: > "$known"
: > "$known.loader"
chmod 666 "$known" "$known.loader"
mkfifo "$scratch/fifo"
# shellcheck disable=SC2016 # an inner shell
start sh -c 'exec cat <> "$0" > /dev/null' "$scratch/fifo" # it is a writer as well: no end
start in_left "$build/testprogs/trafgen" -i va --via socket -n 100000000 -r 1000
commands > "$scratch/commands"
behind > "$scratch/behind"
applications > "$scratch/applications"
each run_application < "$scratch/applications"
fail_each run_given '' open=xdp:vb
fail_each run_given --attach open=xdp:vb
each run_loader < "$scratch/applications"
each run_command < "$scratch/commands"
refusals > "$scratch/refusals"
each run_refused < "$scratch/refusals"
start ip netns exec "$right" "$foreign" xdp vb
visitor=$pid
wait_for 5 grep -q attached "$out" || bad "no program of somebody else's: $(head -n 1 "$err")"
program=$(xdp_program "$right" vb)
each run_command < "$scratch/behind"
[ "$most" -lt 2 ] || [ "$places" -ge 80 ] || bad "only $places calls failed"
[ "$failed" -gt 0 ] || ok "$places calls that failed once each, over $(cat "$scratch/commands" "$scratch/behind" "$scratch/refusals" | wc -l) commands and $(wc -l < "$scratch/applications") ways to open"
finish
