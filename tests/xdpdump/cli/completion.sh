#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck disable=SC2016 # commands in quotes are for bash
# Completion in bash: options, interfaces, and the options of device names.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_xdpdump
need bash
completion=$top/xdpdump/cli/xdpdump.bash-completion
PATH=$build/xdpdump:$PATH
mkdir "$scratch/folder"
touch "$scratch/folder/some.pcapng"
cd "$scratch/folder" || exit 1
enter=''

# completes LINE: what bash would offer, in order, with blanks in between.
completes()
{
	# shellcheck disable=SC2086 # words
	$enter bash -c '. "$0" || exit
		COMP_LINE=$1 COMP_POINT=${#1}
		_xdpdump xdpdump
		printf "%s\n" "${COMPREPLY[@]}"' "$completion" "$1" 2> "$scratch/errors" | sort | xargs
	[ ! -s "$scratch/errors" ] || show "$scratch/errors"
}

# offered LINE WORDS
offered()
{
	equal "$1" "$2" "$(completes "$1")"
}

# offers LINE WORD: among others.
offers()
{
	check "$1 offers $2" sh -c 'for word in $0; do [ "$word" != "$1" ] || exit 0; done; exit 1' \
		"$(completes "$1")" "$2"
}

check "bash reads it, and knows the command" bash -c '. "$0" && complete -p xdpdump' "$completion"
if command -v shellcheck > /dev/null; then
	check "shellcheck has no complaint" shellcheck -S warning "$completion"
fi

same "all options of --help all" "$("$xdpdump" --help all | sed -n 's/^ .\{5\}\(--[a-z-]*\).*/\1/p' | sort | xargs)" \
	"$(completes 'xdpdump --')"
offered 'xdpdump --hoo' --hook
offered 'xdpdump -i lo --snap' --snapshot-length
offered 'xdpdump --nosuch' ''
offered 'xdpdump -i lo -- --ho' ''
offered 'xdpdump -i lo tc' ''
offered 'xdpdump --hook ' 'auto packet tc xdp'
offered 'xdpdump --hook x' xdp
offered 'xdpdump --hook=t' tc
offered 'xdpdump -Q ' 'in inout out'
offered 'xdpdump -Q in' 'in inout'
offered 'xdpdump -a ' 'duration: files: filesize: packets:'
offered 'xdpdump -b int' interval:
offered 'xdpdump --ring ' ''
offered 'xdpdump --slice ' 'l2 l3 l4'
offered 'xdpdump -i lo,slice=l' 'l2 l3 l4'
offered 'xdpdump --rx-capture ' 'entry exit'
offered 'xdpdump --rx-capture entry,' 'entry,entry entry,exit'
offered 'xdpdump --rx-capture=entry,ex' entry,exit
offered 'xdpdump --verdict drop,tx,re' drop,tx,redirect
offered 'xdpdump --load-xdp-mode ' 'native skb unspecified'
offered 'xdpdump --netns /proc/self/ns/ne' /proc/self/ns/net
offers 'xdpdump --netns al' all
offered 'xdpdump -c ' ''
offered 'xdpdump -w so' some.pcapng
offered 'xdpdump --write=so' some.pcapng
offered 'xdpdump -F so' some.pcapng
offers 'xdpdump -z gzi' gzip
offers 'xdpdump -Z nob' nobody
offered 'xdpdump -j host_' 'host_hiprec host_lowprec'
offered 'xdpdump -i lo --time-stamp-type=adapter_' adapter_unsynced
if "$xdpdump" --drops --drop-reasons '?' 2>&1 | grep -q 'it has .*NETFILTER_DROP'; then
	offered 'xdpdump --drop-reasons NETFILTER_' NETFILTER_DROP
	offered 'xdpdump --drop-reasons NO_SOCKET,NETFILTER_' NO_SOCKET,NETFILTER_DROP
else
	skip "reasons for drops: this kernel tells of none"
fi
offers 'xdpdump -i ' lo
offers 'xdpdump -i ' xdp:
offers 'xdpdump --interface ' lo
offers 'xdpdump --doctor ' lo
offers 'xdpdump -i xdp:' lo
offered 'xdpdump -i xdp:l' "$(cd /sys/class/net && echo l*)"
offered 'xdpdump -i lo,hoo' lo,hook=
offered 'xdpdump -i xdp:lo,hoo' lo,hook=
offered 'xdpdump -i lo,hook=' 'auto packet tc xdp'
offered 'xdpdump -i xdp:lo,hook=t' tc
offered 'xdpdump -i lo,vlan=on,xdp-mode=s' skb
offered 'xdpdump -i lo,ring=16M,ring' '16M,ring-total= 16M,ring='

# A name may be nearly anything, a command among it.
if [ "$(id -u)" -eq 0 ]; then
	new_namespace n
	ip -n "$namespace" link add '$(>made)' type veth peer name '`>made`' || exit 1
	ip -n "$namespace" link add 'x;>made' type veth peer name v-1.2_x || exit 1
	enter="ip netns exec $namespace"
	offered 'xdpdump -i ' 'any lo v-1.2_x xdp:'
	offered 'xdpdump -i xdp:' 'any lo v-1.2_x'
	offered 'xdpdump --doctor v' v-1.2_x
	offered "xdpdump --netns ${namespace%?}" "$namespace"
	check "no name is executed" fails test -e made
	enter=''
	offered "xdpdump --netns $namespace -i v" v-1.2_x
	offered "xdpdump -i lo --netns=$namespace -i v" v-1.2_x
	offered 'xdpdump --netns nosuch -i v' ''
	check "no name of another namespace is executed" fails test -e made
else
	skip "names of other kinds: needs root, for a network namespace"
fi

# What can be behind a name is what the program takes, but for what only libpcap's users see, or is --yes here.
"$xdpdump" -i lo,nosuch=1 2> "$scratch/valid"
same "options of device names" "$(sed 's/.*valid are//; s/ warn,//; s/ yes,//' "$scratch/valid" | tr -d ',' | xargs -n 1 | sort | xargs)" \
	"$(completes 'xdpdump -i lo,' | tr ' ' '\n' | sed 's/^lo,//; s/=$//' | xargs -n 1 | sort | xargs)"

# Typed at a terminal, with readline's own breaking of words.
cat > "$scratch/type.py" <<'END'
import os, pty, select, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
def hear(seconds, end):
    heard, until = b"", time.time() + seconds
    while time.time() < until and end not in heard:
        if select.select([terminal], [], [], 0.1)[0]:
            heard += os.read(terminal, 4096)
    return heard
os.write(terminal, b". " + sys.argv[1].encode() + b"; PS1=; echo rea''dy\n")
hear(10, b"ready\r\n")
for line in sys.argv[2:]:
    os.write(terminal, line.encode() + b"\t\x01echo '<\x05>'\n")
    heard = hear(10, b">\r\n")
    print(heard.replace(b"\r\n", b"\n").split(b"\n")[-2].decode())
os.write(terminal, b"exit\n")
END
if ! [ -x /usr/bin/python3 ] || ! [ -c /dev/pts/ptmx ]; then
	skip "typed at a terminal: needs python3, and terminals (/dev/pts)"
else
	echo 'set enable-bracketed-paste off' > "$scratch/inputrc"
	INPUTRC=$scratch/inputrc python3 "$scratch/type.py" "$completion" 'xdpdump --hoo' 'xdpdump -i lo --hook=pa' 'xdpdump -i xdp:lo,xdp-mode=n' \
		'xdpdump -i lo,loa' > "$scratch/typed" 2>&1
	equal "typed at a terminal" '<xdpdump --hook > <xdpdump -i lo --hook=packet > <xdpdump -i xdp:lo,xdp-mode=native > <xdpdump -i lo,loader=>' \
		"$(tr '\n' ' ' < "$scratch/typed" | sed 's/ $//')"
fi

if command -v make > /dev/null && [ -f "$build/Makefile" ]; then
	set -- make -s -C "$build" DESTDIR="$scratch/root"
	check "installs" "$@" install-completion
	installed=$(find "$scratch/root" -type f)
	check "by the name of the command, where bash-completion looks" \
		sh -c 'case $0 in */share/bash-completion/completions/xdpdump) ;; *) exit 1 ;; esac' "$installed"
	check "by another name" "$@" install-completion program_transform_name='s/^/afx-/'
	equal "which it completes" 'complete -F _xdpdump afx-xdpdump' "$(grep ^complete "$(dirname "$installed")/afx-xdpdump")"
fi
finish
