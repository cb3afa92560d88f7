#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Package sources of the system, in both formats, become sources of libpcap's source
# package, with the same mirrors and keys; and what was fetched needs no network again.

# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"

# expect NAME WANTED-SUITE [awk option]: input and expected output are in files of these names.
expect()
{
	name=$1 want=$2
	shift 2
	awk -v own=bookworm -v want="$want" "$@" -f "$graft/sources.awk" "$scratch/in" > "$scratch/out"
	check "$name" same_text "$scratch/expected" "$scratch/out"
}

cat > "$scratch/in" <<'END'
# deb http://commented.example.org/debian bookworm main
deb http://mirror.example.org/debian bookworm main contrib # a remark
deb [arch=amd64 signed-by=/k.gpg] http://other.mirror.example.org/debian bookworm-updates main
deb http://security.example.org/debian-security bookworm-security main
deb-src http://mirror.example.org/debian bookworm main
deb http://mirror.example.org/debian bookworm contrib
deb https://other.example.org/apt bookworm-pgdg main
deb http://mirror.example.org/debian stable main
END
cat > "$scratch/expected" <<'END'
deb-src http://mirror.example.org/debian bookworm main
deb-src [arch=amd64 signed-by=/k.gpg] http://other.mirror.example.org/debian bookworm-updates main
deb-src http://security.example.org/debian-security bookworm-security main
deb-src http://mirror.example.org/debian stable main
END
expect "sources.list, own release" bookworm
cat > "$scratch/expected" <<'END'
deb-src http://mirror.example.org/debian trixie main
deb-src http://mirror.example.org/debian trixie main
END
expect "sources.list, another release" trixie

cat > "$scratch/in" <<'END'
Types: deb deb-src
# http://snapshot.example.org/
URIs: http://mirror.example.org/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mDMEY865UxYJ
 -----END PGP PUBLIC KEY BLOCK-----

types: deb
uris: mirror+file:/etc/apt/mirrors/security.list
suites:
 bookworm-security
components: main
signed-by: /usr/share/keyrings/debian-archive-keyring.gpg


Enabled: no
Types: deb
URIs: http://off.example/
Suites: bookworm
Components: main

Types: deb
URIs: https://deb.nodesource.com/node_20.x
Suites: nodistro
Components: main
END
cat > "$scratch/expected" <<'END'
Types: deb-src
URIs: http://mirror.example.org/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mDMEY865UxYJ
 -----END PGP PUBLIC KEY BLOCK-----

Types: deb-src
URIs: mirror+file:/etc/apt/mirrors/security.list
Suites: bookworm-security
Components: main
signed-by: /usr/share/keyrings/debian-archive-keyring.gpg

END
expect "deb822, own release" bookworm -v deb822=1

mkdir -p "$scratch/cache/libpcap-9.9-1"
echo libpcap-9.9-1 > "$scratch/cache/newest-nosuch"
check "a version that is there is not fetched" \
	test "$(sh "$graft/fetch-source" --version 9.9-1 "$scratch/cache")" = "$scratch/cache/libpcap-9.9-1"
check "nor is the newest of a release" \
	test "$(sh "$graft/fetch-source" --suite nosuch "$scratch/cache")" = "$scratch/cache/libpcap-9.9-1"

# A mirror that has nothing: apt is told of one in a folder, which is empty.
mkdir -p "$scratch/mirror" "$scratch/apt"
echo "deb [trusted=yes] file:$scratch/mirror bookworm main" > "$scratch/apt/sources.list"
printf 'Dir::Etc::sourcelist "%s";\nDir::Etc::sourceparts "/nonexistent";\n' "$scratch/apt/sources.list" > "$scratch/apt/conf"
# refused COMMAND...: its last line is one sentence, and says what to do.
refused()
{
	! "$@" > "$scratch/said" 2>&1 && tail -n 1 "$scratch/said" | grep -q -- '--with-libpcap-source=DIR|TARBALL'
}
check "a mirror that has nothing: what to do is said" \
	refused env APT_CONFIG="$scratch/apt/conf" sh "$graft/fetch-source" --suite bookworm "$scratch/none"

# Where it is given to configure. What comes next there, a wrong word, ends each run.
# configure_with SOURCE SENTENCE
configure_with()
{
	(cd "$scratch" && "$top/configure" --with-libpcap-source="$1" --with-afxdp=no > out 2> err)
	grep -q -- "$2" "$scratch/err" || { cat "$scratch/err"; return 1; }
}
taken='--with-afxdp takes dlopen or link'
mkdir "$scratch/tree-1.2"
check "a folder without libpcap is refused" configure_with tree-1.2 'tree-1.2 is no source of libpcap'
: > "$scratch/tree-1.2/pcap-int.h"
check "a tree is taken" configure_with tree-1.2 "$taken"
tar -C "$scratch" -cJf "$scratch/tree.tar.xz" tree-1.2
check "a tarball is taken" configure_with tree.tar.xz "$taken"
check "and unpacked" test -f "$scratch/given-libpcap/pcap-int.h"
check "what is no tarball is refused" configure_with apt/conf 'tar cannot unpack apt/conf'
check "what is not there is refused" configure_with nowhere 'there is no nowhere'

# The real thing, where there is a network; the system's own apt must not notice.
state_of_apt()
{
	find /etc/apt /var/lib/apt/lists -type f -exec ls -l --time-style=full-iso {} + 2> /dev/null
}

state_of_apt > "$scratch/before"
if sh "$graft/fetch-source" "$scratch/fresh" > "$scratch/where" 2> "$scratch/why"; then
	check "what was fetched is a libpcap source tree" test -f "$(cat "$scratch/where")/pcap-int.h"
	check "with the distribution's patches applied" test -f "$(cat "$scratch/where")/libpcap-symbols.lds"
	check "nothing else is left there" test -z "$(find "$scratch/fresh" -maxdepth 1 -name '.fetch*')"
	state_of_apt > "$scratch/after"
	check "the system's apt is as it was" same_text "$scratch/before" "$scratch/after"
else
	skip "fetching: $(tail -n 1 "$scratch/why")"
fi
finish
