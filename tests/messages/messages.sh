#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Each text that our programs print stands in docs/troubleshooting.md, and no other does.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
need python3
page=$top/docs/troubleshooting.md
check "each text of the sources is on the page, and each one there is of the sources" \
	python3 "$top/tests/messages/page.py" "$top" "$page"
check "there are many" [ "$(python3 "$top/tests/messages/list.py" "$top" | wc -l)" -gt 500 ]

# One that is new in the sources, and one that is on the page alone, are found.
mkdir -p "$scratch/top/xdpdump"
for folder in capture filter graft kafka pcapng util xdpdump; do
	ln -sfn "$top/$folder" "$scratch/top/$folder" 2> /dev/null || true
done
rm -rf "$scratch/top/xdpdump"
mkdir "$scratch/top/xdpdump"
cp -R "$top/xdpdump/." "$scratch/top/xdpdump/"
cp "$top"/pcap-afxdp*.c "$scratch/top/"
echo 'void f(void) { complain("nobody has written %s down yet"); }' > "$scratch/top/xdpdump/new.c"
python3 "$top/tests/messages/page.py" "$scratch/top" "$page" > "$scratch/said" 2>&1
check "a new text is found" grep -q 'not on the page: nobody has written ... down yet (xdpdump/new.c:1)' "$scratch/said"
{
	cat "$page"
	echo
	printf -- '- `no program prints these words`\n'
} > "$scratch/page.md"
python3 "$top/tests/messages/page.py" "$top" "$scratch/page.md" > "$scratch/said" 2>&1
check "an old one is found" grep -q 'in no source: no program prints these words' "$scratch/said"
finish
