#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Slices, samples and the cutoff of flows in every combination and at every hook: the verifier takes the
# program, with a filter in it as well. COMBINED=pairs: so many that every two of them meet. Kernels differ
# in what they see: make check-vm runs it on others.
# shellcheck source=tests/hooks/lib.sh
. "$(dirname "$0")/lib.sh"
need_root
veth_pair
start ip netns exec "$right" "$build/tests/hooks/combined" vb "$COMBINED"
ended "$pid" 600
equal "combinations ($COMBINED), with its filter in the kernel: status" 0 $?
wanted='80 of 80'
[ "$COMBINED" = all ] || wanted='20 of 20'
equal "captures opened" "$wanted" "$(tail -n 1 "$out")"
[ "$failed" -eq 0 ] || show "$out"
nothing_left "$right" vb
finish
