#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# docs/drivers.md: a mark stands where a test stands behind it, and nowhere else; a row says what --doctor says.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need python3
page=$top/docs/drivers.md
check "marks have their tests, and rows agree with what --doctor knows" \
	python3 "$top/tests/messages/drivers.py" "$top" "$page"

# found WORDS SCRIPT: a page that the script of sed makes of it is wrong.
found()
{
	sed "$2" "$page" > "$scratch/page.md"
	python3 "$top/tests/messages/drivers.py" "$top" "$scratch/page.md" > "$scratch/said" 2>&1
	equal "$1: status" 1 $?
	check "$1: said" grep -q "^$1" "$scratch/said"
}
found "i40e, refuses when: is it simulated?" '/^| i40e /s/ (\*\*simulated\*\*);/;/'
found "nfp, refuses when: is it simulated?" '/^| nfp /s/too large/too large (**simulated**)/'
found "nfp, resets: run, by no test" '/^| nfp /s/set up again/set up again (**run**)/'
found "veth, swap resets: its test runs it, and the page does not" '/^| veth |/s/no (\*\*run\*\*) |$/no |/'
found "igc: conditions.c has SMALL_FRAMES 1500, and its row does not" '/^| igc /s/1500/1600/'
found "qede: --doctor says otherwise of its resets" '/^| qede /s/| yes |$/| no |/'
found "mvneta: --doctor says otherwise of its resets" '/^| mvneta /s/stops and starts/no/'
found "dpaa2: not as many cells as columns" '/^| dpaa2 /s/ | yes |$/ |/'
finish
