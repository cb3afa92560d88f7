# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""apparmor_opens.py RULES COMMAND[,COMMAND] ORDINARY CALLS: what AppArmor's rules in the file RULES would deny.

CALLS and ORDINARY are of strace -f -Y -y, with open, openat and socket. Of CALLS what processes of these commands opened
counts: the names that AppArmor sees, of what was opened. What such a process did in ORDINARY its own profile allows. Prints the rest, a line each, and then how much it has looked at.
"""
import re
import sys

# Of abstractions/base and nameservice of AppArmor 3.0, as far as it is the same in all versions; and where tests lie.
BASE = """
/dev/{null,zero,full,random,urandom,log} rw
/etc/{ld.so.*,locale**,localtime,passwd,group,hosts,nsswitch.conf,services,protocols,ethers,gai.conf,resolv.conf} r
/proc/{meminfo,stat,cpuinfo,filesystems,sys/kernel/ngroups_max,sys/vm/overcommit_memory} r
/proc/[0-9]*/{maps,auxv,status} r
/sys/devices/system/cpu/online r
/{usr/,}{lib,lib32,lib64,bin,sbin}/** r
/usr/share/{locale,zoneinfo}/** r
"""


def pattern(glob):
    """A name with AppArmor's *, **, [ ] and { , } as a regular expression."""
    def one(m):
        if m[0].startswith("["):
            return m[0]
        return {"**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")", ",": "|"}.get(m[0], re.escape(m[0]))

    return re.compile(re.sub(r"\*\*|\[[^]]*\]|.", one, glob.replace("@{PROC}", "/proc")))


def rules(text):
    """[(pattern, permissions)], {(family, type)}"""
    files = [(pattern(m[1]), m[2]) for m in re.finditer(r"^\s*((?:/|@\{PROC\}/)\S*) ([a-z]+)\b", text, re.M)]
    return files, set(re.findall(r"^\s*network (\w+) (\w+),", text, re.M))


def done(name, commands):
    """What commands did: (name, permission) of files, (family, type) of sockets."""
    begun = {}  # by thread: a call, with its flags, that others came between
    for line in open(name, encoding="utf-8", errors="replace"):
        m = re.match(r"(\d+)<([^>]*)> +(.*)", line)
        if not m or m[2] not in commands:
            continue
        call = begun.pop(m[1], "") + m[3] if m[3].startswith("<... ") else m[3]
        if call.endswith("<unfinished ...>"):
            begun[m[1]] = call
        file = re.search(r"^(?:<... )?open(?:at)?(?:\(| resumed).* = \d+<(/.*?)(?: \(deleted\))?>$", call)
        socket = re.match(r"socket\(AF_(\w+), SOCK_(\w+)", call)
        if file and "O_PATH" not in call:
            yield file[1], "w" if re.search("O_WRONLY|O_RDWR", call) else "r"
        elif socket and socket[1] != "UNIX":
            yield socket[1].lower(), socket[2].lower()


def main():
    file, commands, ordinary, calls = sys.argv[1:]
    commands = [c[:15] for c in commands.split(",")]  # as the kernel keeps them
    allowed, families = rules(open(file, encoding="utf-8").read())
    allowed += rules(BASE)[0]
    looked = set(done(calls, commands))
    denied = {x for x in looked - set(done(ordinary, commands)) if x not in families and
              not any(p.fullmatch(x[0]) and x[1] in permissions for p, permissions in allowed)}
    for what, permission in sorted(denied):
        print(what, permission)
    print(len(looked), "looked at")


main()
