#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What docs/troubleshooting.md explains is what our programs print, and each entry says more than the message does. What they
# refuse for a reason of the kernel's is there, unless the message says what to do.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need python3
page=$top/docs/troubleshooting.md
check "each entry is of the sources and has a cause and a cure, and each refusal has an entry" \
	python3 "$top/tests/messages/page.py" "$top" "$page"
check "there are many" [ "$(python3 "$top/tests/messages/list.py" "$top" | wc -l)" -gt 500 ]

# One that is new in the sources, and one that is on the page alone, are found.
mkdir "$scratch/top"
for folder in capture filter find graft index kafka pcapng util who; do
	ln -s "$top/$folder" "$scratch/top/$folder"
done
cp -R "$top/xdpdump" "$scratch/top/xdpdump"
cp "$top"/pcap-afxdp*.c "$scratch/top/"
{
	echo 'void f(void) { complain("cannot write %s down yet: %s"); }'
	echo 'void g(void) { complain("cannot put %s up there: %s; give another one"); }'
} > "$scratch/top/xdpdump/new.c"
python3 "$top/tests/messages/page.py" "$scratch/top" "$page" > "$scratch/said" 2>&1
check "a new refusal is found" grep -q 'not on the page: cannot write ... down yet: ... (xdpdump/new.c:1)' "$scratch/said"
check "one that says what to do needs no entry" [ "$(grep -c 'put ... up there' "$scratch/said")" -eq 0 ]
{
	cat "$page"
	echo
	printf '| `no program prints these words`, `nor these`'
	echo ' | somebody has taken them out of the sources |'
	echo '| `the filter is not a valid BPF program` | The filter is not a valid program of BPF. |'
} > "$scratch/page.md"
python3 "$top/tests/messages/page.py" "$top" "$scratch/page.md" > "$scratch/said" 2>&1
check "an old one is found" grep -q 'in no source: no program prints these words' "$scratch/said"
check "and the second of a row" grep -q 'in no source: nor these' "$scratch/said"
check "an entry that says what the message says is found" grep -q 'without a cause and a cure.*: the filter is not' "$scratch/said"
finish
