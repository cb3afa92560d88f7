#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# An image that has the static xdpdump and nothing else, run by podman as packaging/README.md says: it captures with the
# capabilities of that page, also by Docker's rules for bpf(2). What a container lacks is told in one sentence: a
# capability, bpf(2), the first user namespace, the kernel's BTF. Images are kept in a store of the test's own.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/packaging/static.sh
. "$(dirname "$0")/static.sh"
need_root
is_quick && skip_all "part of the full size: builds a static xdpdump"
is_sanitized && skip_all "in the plain build alone: there are no static sanitizers"
need podman crun jq ping
profile=/usr/share/containers/seccomp.json
[ -e "$profile" ] || skip_all "needs $profile"
# Without them some containers and virtual machines refuse any.
few='--cgroups disabled --ulimit nofile=1024:1024 --ulimit nproc=1024:1024'
opens=CAP_BPF,CAP_NET_ADMIN,CAP_NET_RAW,CAP_PERFMON

# What podman sets for all containers, and a container of this test may not.
printf '[containers]\ndefault_sysctls = []\n' > "$scratch/containers.conf"
CONTAINERS_CONF=$scratch/containers.conf
export CONTAINERS_CONF

# own_podman OPTION...: with a store of its own, and where the system mixes versions of cgroups, as in some virtual
# machines, with version 2 alone.
# shellcheck disable=SC2016 # for the shell inside
own_podman()
{
	unshare --mount sh -c '[ -e /sys/fs/cgroup/cgroup.controllers ] || mount -t cgroup2 cgroup2 /sys/fs/cgroup
		exec podman "$@"' sh --root "$scratch/store" --runroot "$scratch/run" --storage-driver vfs \
		--cgroup-manager cgroupfs "$@"
}

has_image()
{
	mkdir "$scratch/image" && cp "$static/xdpdump/xdpdump" "$scratch/image" &&
		tar -C "$scratch/image" -cf "$scratch/image.tar" xdpdump &&
		own_podman import -q -c 'ENTRYPOINT ["/xdpdump"]' "$scratch/image.tar" localhost/xdpdump
}

# Docker's default profile asks for these two capabilities, where that of podman 4 asks for CAP_SYS_ADMIN.
as_docker()
{
	jq '.syscalls |= map(select(.action != "SCMP_ACT_ERRNO" or (.names | index("bpf") | not))) +
		[{names: ["bpf"], action: "SCMP_ACT_ALLOW", includes: {caps: ["CAP_BPF"]}},
		{names: ["perf_event_open"], action: "SCMP_ACT_ALLOW", includes: {caps: ["CAP_PERFMON"]}}]' "$profile"
}

without_bpf()
{
	jq '.syscalls |= map(.names |= map(select(. != "bpf"))) + [{names: ["bpf"], action: "SCMP_ACT_ERRNO", errnoRet: 1}]' \
		"$scratch/docker.json"
}

# contained CAPABILITIES PROFILE WORDS OPTION...: in $right. WORDS are options of podman.
contained()
{
	caps=$1 seccomp=$2 words=$3
	shift 3
	case $words in
	*--network*) ;;
	*) words="$words --network ns:/run/netns/$right" ;;
	esac
	# shellcheck disable=SC2086 # words
	start own_podman run --rm $few $words --cap-drop all --cap-add "$caps" --security-opt "seccomp=$seccomp" localhost/xdpdump "$@"
}

# runs_none: podman or its runtime says so, of one that is asked nothing of. An option that podman does not take, and
# what the program ends by, are no reason to test nothing.
# shellcheck disable=SC2086 # words
runs_none()
{
	own_podman run --rm $few --network none --security-opt seccomp=unconfined localhost/xdpdump --version \
		> "$scratch/none" 2>&1
	case $? in
	125 | 126) fails grep -q -E '^Error: (unknown|invalid|unsupported) ' "$scratch/none" ;;
	*) return 1 ;;
	esac
}

# captures NAME CAPABILITIES PROFILE WORDS OPTION...: ten pings.
captures()
{
	name=$1
	shift
	contained "$@" -i vb -Q in -c 10 icmp
	said=$err
	wait_for 60 grep -q '^listening on' "$said" && in_left ping -q -c 10 -i 0.02 -W 20 10.99.0.2 > "$scratch/ping"
	ended "$pid" 30
	equal "$name: status" 0 $?
	[ "$state" -eq 0 ] || show "$said"
	check "$name: ten packets" grep -q '^10 packets captured' "$said"
}

# refused NAME SENTENCE CAPABILITIES PROFILE WORDS OPTION...: that is all that is said.
refused()
{
	name=$1 sentence=$2
	shift 2
	contained "$@"
	ended "$pid" 60
	equal "$name: status" 1 $?
	check "$name: says why" grep -q "^xdpdump: $sentence" "$err"
	equal "$name: lines" 1 "$(wc -l < "$err")"
	head -n 2 "$err" | sed 's/^/  /'
}

has_static
check "podman imports an image of it" has_image
as_docker > "$scratch/docker.json"
without_bpf > "$scratch/without.json"
veth_pair
if runs_none; then
	own_podman rmi -f localhost/xdpdump > "$scratch/removed" 2>&1
	skip_all "podman runs no container here: $(tail -n 1 "$scratch/none")"
fi
mkdir -m 777 "$scratch/captures"
chmod 711 "$scratch"
captures "four capabilities" "$opens" unconfined ''
captures "six, Docker's rules, a file of another user's" "$opens,CAP_SETUID,CAP_SETGID" "$scratch/docker.json" \
	"-v $scratch/captures:/captures" -Z 65534:65534 -w /captures/f.pcapng
equal "the file's owner" 65534:65534 "$(stat -c %u:%g "$scratch/captures/f.pcapng")"
captures "Docker's rules, at XDP" "$opens" "$scratch/docker.json" '' --hook xdp
captures "no bpffs" "$opens" unconfined '--security-opt mask=/sys/fs/bpf'
captures "no BTF" "$opens" unconfined '--security-opt mask=/sys/kernel/btf'
refused "no BTF, at XDP" "cannot read the kernel's BTF, .*: let this container or sandbox see it, or use --hook tc\$" \
	"$opens" unconfined '--security-opt mask=/sys/kernel/btf' -i vb --hook xdp
refused "bpf(2) refused" 'a seccomp filter refuses bpf(2) here (.*), as that of a container does: give it a profile' \
	"$opens" "$scratch/without.json" '' -i vb
refused "two capabilities" 'CAP_BPF, CAP_PERFMON missing, though this is root, .* Kept by AppArmor or a container' CAP_NET_ADMIN,CAP_NET_RAW unconfined '' -i vb
if unshare --user true 2> "$scratch/no_user"; then
	refused "rootless" 'this is a user namespace (a rootless container, .*: run it outside of that' \
		"$opens" unconfined '--network none --uidmap 0:100000:65536' -i lo
else
	skip "rootless: no user namespace can be made here, as in a chroot: $(cat "$scratch/no_user")"
fi
own_podman rmi -f localhost/xdpdump > "$scratch/removed" 2>&1
finish
