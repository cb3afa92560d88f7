#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Programs that were compiled with the last release's library run with this one: its functions, their types and
# the structs of its headers are those that tests/abi describes, but for what was added. With --write this is
# the release.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
baseline=$top/tests/abi/libafxdpcapture-0.abixml
need abidw abidiff
[ "$(uname -m)" = x86_64 ] || skip_all "the description is that of x86_64"
is_quick && skip_all "part of the full size"
mkdir "$scratch/include"
cp "$top/capture/afxdpcapture.h" "$top/capture/afxdpcapture_sets.h" "$top/bpf/record.h" "$scratch/include"

# describe FOLDER FILE: of the installed headers, all that a program can use. A pointer to each function and to
# each part of a record has their types without those inside the library, which would be 50 times as much.
describe()
{
	{
		echo '#include <afxdpcapture.h>'
		sed -n 's/^	\(afxdp_[a-z_]*\);/__typeof__(\1) *const use_\1 = \1;/p' "$top/capture/libafxdpcapture.map"
		sed -n 's/^struct \(epb_[a-z_]*\) {/const struct \1 *use_\1;/p' "$1/record.h"
	} > "$scratch/face.c"
	(cd "$scratch" && gcc -g -O0 -fPIC -shared -I "$1" -o face.so face.c) &&
		abidw --headers-dir "$1" --no-corpus-path --no-comp-dir-path --no-show-locs --no-parameter-names \
			"$scratch/face.so" > "$2"
}

# differs FILE: in a way that old programs notice.
differs()
{
	! abidiff --suppressions "$top/tests/abi/growing" --no-added-syms "$baseline" "$1"
}

need gcc
describe "$scratch/include" "$scratch/now.abixml" || skip_all "the headers cannot be described: $(tail -n 1 "$scratch/now.abixml")"
if [ "${1-}" = --write ]; then
	cp "$scratch/now.abixml" "$baseline"
	echo "$baseline is that of $(sed -n 's/^AC_INIT(\[[^]]*\], \[\(.*\)\])/\1/p' "$top/configure.ac")"
	exit
fi
abidiff "$baseline" "$scratch/now.abixml" > "$scratch/compared" 2>&1
! grep -q 'incompatible format version' "$scratch/compared" ||
	skip_all "this abidw writes another format than the description has: that of Debian 12 compares it"
check "nothing that the last release had is different" fails differs "$scratch/now.abixml"

# with NAME SED: the headers of a library that somebody changed.
with()
{
	sed -i.before "$2" "$scratch/include/$1"
	cmp -s "$scratch/include/$1" "$scratch/include/$1.before" && bad "nothing to change in $1: $2"
	describe "$scratch/include" "$scratch/changed.abixml"
	mv "$scratch/include/$1.before" "$scratch/include/$1"
}

with afxdpcapture.h '/^struct afxdp_stats {/,/^};/s/^};/	uint64_t more;\n};/'
check "a counter at the end is no difference" fails differs "$scratch/changed.abixml"
with afxdpcapture.h '/^struct afxdp_stats {/s/$/\n	uint64_t more;/'
check "one at the beginning is seen" differs "$scratch/changed.abixml"
with afxdpcapture.h 's/^int afxdp_wait(struct afxdp_reader \*r, int timeout_ms);/int afxdp_wait(struct afxdp_reader *r, long timeout_ms);/'
check "another type of an argument is seen" differs "$scratch/changed.abixml"
with record.h 's/^	__u32 caplen;/	__u64 caplen;/'
check "another member of a record is seen" differs "$scratch/changed.abixml"
with record.h '/^struct epb_dropcount {/,/^};/s/^};/	__u32 more;\n};/'
check "one more at the end of a part of a record is seen" differs "$scratch/changed.abixml"
finish
