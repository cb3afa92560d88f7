#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The manifests for Kubernetes: its API's own types take every field of them, and xdpdump takes the arguments. That of a
# fleet starts pcapng-kafka, which has no broker here, and so has the packets in its spool.
# shellcheck source=tests/clients/lib.sh
. "$(dirname "$0")/lib.sh"
client_pair ping go
is_long || skip_all "part of the long form: asks the registry of Go"
files=$top/packaging/kubernetes/daemonset.yaml fleet=$top/packaging/kubernetes/fleet.yaml
made "Kubernetes' types" kubernetes-0.29.0 go manifest k8s.io/api/apps/v1@v0.29.0 sigs.k8s.io/yaml@v1.4.0 || finish
reader=$place/manifest

# runs NAME MANIFEST [SED...]: a capture with its arguments, on vb, and with folders of ours.
runs()
{
	name=$1 manifest=$2
	shift 2
	check "$name: every field is one of apps/v1's DaemonSet" "$reader" "$manifest"
	sed 's/hostNetwork/hostNetworks/' "$manifest" > "$scratch/wrong.yaml"
	check "$name: another field is refused" fails "$reader" "$scratch/wrong.yaml"
	# shellcheck disable=SC2046 # words without blanks
	start in_right "$build/xdpdump/xdpdump" $("$reader" "$manifest" | sed -e "s,=eth0$,=vb," "$@")
	wait_for 20 grep -q '^listening on vb' "$err" || show "$err"
	in_left ping -qc 3 -i 0.01 10.99.0.2 > "$scratch/ping"
}

chmod 711 "$scratch"
captures=$scratch/captures
mkdir -m 777 "$captures"
runs files "$files" -e "s,=/captures,=$captures,"
check "files: xdpdump takes the arguments" all_read "$pid"
check "files: and writes where it is told to" test -s "$(echo "$captures"/*.pcapng)"

if [ -x "$build/kafka/pcapng-kafka" ]; then
	PATH=$build/kafka:$PATH
	mkdir -m 777 "$scratch/spool" "$scratch/metrics"
	: > "$scratch/kafka.conf"
	runs fleet "$fleet" -e "s,=/spool,=$scratch/spool," -e "s,=/settings,=$scratch," -e "s,=/metrics,=$scratch/metrics," \
		-e 's,kafka://[^/]*,kafka://127.0.0.1:1,'
	settle "$pid"
	kill -INT "$pid"
	check "fleet: it ends, and leaves packets in the spool" ended "$pid" 60
	between "fleet: packets in the spool" 6 1000 "$(cat "$scratch"/spool/*.pcapng | tcpdump -nr - 2> /dev/null | wc -l)"
	check "fleet: figures for node_exporter" grep -q '^xdpdump_to_spooled{' "$scratch/metrics/xdpdump.prom"
else
	left_out "the manifest of a fleet" "pcapng-kafka was not built"
fi
finish
