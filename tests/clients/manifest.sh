#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# The manifest for Kubernetes: its API's own types take every field of it, and xdpdump takes the arguments.
# shellcheck source=tests/clients/lib.sh
. "$(dirname "$0")/lib.sh"
client_pair ping go
is_long || skip_all "part of the long form: asks the registry of Go"
manifest=$top/packaging/kubernetes/daemonset.yaml
made "Kubernetes' types" kubernetes-0.29.0 go manifest k8s.io/api/apps/v1@v0.29.0 sigs.k8s.io/yaml@v1.4.0 || finish
reader=$place/manifest
captures=$scratch/captures

# Each, on vb and into a folder of ours.
arguments()
{
	"$reader" "$manifest" | sed "s,=/captures,=$captures,; s,=eth0$,=vb,"
}

check "every field is one of apps/v1's DaemonSet" "$reader" "$manifest"
sed 's/hostNetwork/hostNetworks/' "$manifest" > "$scratch/wrong.yaml"
check "another field is refused" fails "$reader" "$scratch/wrong.yaml"
chmod 711 "$scratch"
mkdir -m 777 "$captures"
# shellcheck disable=SC2046 # words without blanks
start in_right "$build/xdpdump/xdpdump" $(arguments)
wait_for 20 grep -q '^listening on vb' "$err" || show "$err"
in_left ping -qc 3 -i 0.01 10.99.0.2 > "$scratch/ping"
check "xdpdump takes the arguments" all_read "$pid"
check "and writes where it is told to" test -s "$(echo "$captures"/*.pcapng)"
finish
