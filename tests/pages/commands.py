#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""commands.py TOP BUILD TO-RUN: is each command that the pages show a valid one? Asks the programs themselves, without
opening anything. Prints "PAGE: COMMAND: WHY" for each that is not; writes the commands into TO-RUN, "PAGE: COMMAND" a line."""
import os
import re
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
from pages import lines, manuals, markdown, prose, relative  # noqa: E402

XDPDUMP = ("xdpdump", "afxdpdump")
LIBPCAP = ("tcpdump", "dumpcap", "tshark", "wireshark")
WRAPPERS = {"sudo": 1, "env": 1, "exec": 1, "time": 1, "nice": 1, "ip": 4}
DEVICE_ALONE = {"warn": ("on", "off"), "yes": ("on", "off")}


def simple_commands(line):
    """The words of each command of a line; without redirections and variables."""
    line = re.sub(r"\$\([^)]*\)", "SUBSTITUTED", line)
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    commands, words, skip = [], [], False
    for word in lexer:
        if re.fullmatch(r"[|&;()]+", word):
            commands.append(words)
            words = []
        elif re.fullmatch(r"[<>]+&?", word):
            skip = True
        elif skip:
            skip = False
        else:
            words.append(word)
    return [c for c in commands + [words] if c]


def unwrapped(words):
    while words and (re.fullmatch(r"[A-Z_]+=.*", words[0]) or words[0] in WRAPPERS):
        words = words[WRAPPERS.get(words[0], 1):]
    image = next((w for w in words if w.startswith("localhost/xdpdump")), None)
    if image and words[0] == "podman":
        words = ["xdpdump"] + words[words.index(image) + 1:]
    return words


class Programs:
    def __init__(self, top, build):
        self.top, self.build = top, build
        self.xdpdump = os.path.join(build, "xdpdump/xdpdump")
        self.kafka = os.path.join(build, "kafka/pcapng-kafka")
        self.find = os.path.join(build, "find/pcapng-find")
        makefile = open(os.path.join(build, "Makefile"), encoding="utf-8").read()
        makefile = makefile.replace("$(EXEEXT)", "")
        self.targets = set(" ".join(re.findall(r"^([A-Za-z][\w./ -]*):", makefile, re.M)).split())
        for several in re.findall(r"^\.PHONY:((?:[^\n]|\\\n)*)", makefile, re.M):
            self.targets |= set(several.replace("\\\n", " ").split())
        self.configure = self.says([os.path.join(top, "configure"), "--help"])

    def says(self, words):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              text=True, timeout=60, cwd="/", check=False)
        return done.stdout

    def fails(self, words):
        """What it says, where it does not take these arguments."""
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              text=True, timeout=60, cwd="/", check=False)
        return done.stderr.strip().split("\n")[-1] or f"status {done.returncode}" if done.returncode else None

    def device(self, name):
        """INTERFACE,name=value...: each is an option of xdpdump as well, but for some."""
        for option in name.split(",")[1:]:
            key, _, value = option.partition("=")
            if key in DEVICE_ALONE:
                if value not in DEVICE_ALONE[key]:
                    return f"{option}: not a value"
            else:
                why = self.fails([self.xdpdump, "-i", "eth0", f"--{key}={value}", "-d"])
                if why:
                    return why
        return None

    def xdpdump_takes(self, words):
        """With -d it reads all arguments, prints the filter and opens nothing; --doctor would open something."""
        words = [word for word in words if not word.startswith("$")]
        if "--doctor" in words:
            at = words.index("--doctor")
            alone = words[at + 1:at + 2] == [] or words[at + 1].startswith("-")
            words = words[:at] + ([] if alone else ["-i"]) + words[at + 1:]
            if "--report" in words:
                at = words.index("--report")
                del words[at:at + 2]
        for option, value in zip(words, words[1:]):
            why = self.device(value) if option == "-i" else None
            if why:
                return why
        return self.fails([self.xdpdump, "-d", *words])

    def tcpdump_takes(self, words):
        rest, devices = [], []
        for i, word in enumerate(words):
            if word == "-i":
                devices.append(words[i + 1])
            elif not i or words[i - 1] != "-i":
                rest.append(word)
        for device in devices:
            why = self.device(device)
            if why:
                return why
        if "-D" in rest:
            return None
        return self.fails(["tcpdump", *([] if "-y" in rest else ["-y", "EN10MB"]), "-d", *rest])

    def others_take(self, words):
        """dumpcap, tshark, wireshark: the device and the filter are ours to ask for."""
        for option, value in zip(words, words[1:]):
            why = None
            if option == "-i" and value.startswith("xdp:"):
                why = self.device(value)
            elif option == "-f":
                why = self.fails(["tcpdump", "-y", "EN10MB", "-d", value])
            if why:
                return why
        return None

    def kafka_takes(self, words):
        if not words or words[0] not in ("put", "get", "ls"):
            return None if words and words[0].startswith("--") else "a command is missing"
        text = self.says([self.kafka, words[0], "--help"])
        for word in words[1:]:
            name = word.split("=")[0]
            if word.startswith("-") and len(word) > 1 and not re.search(rf"(^|[ ,]){re.escape(name)}[ ,\[]", text, re.M):
                if not re.fullmatch(r"-\d+[smhd]?", word):
                    return f"{word}: no option of pcapng-kafka {words[0]}"
        return None

    def find_takes(self, words):
        text = self.says([self.find, "--help"])
        for word in words:
            name = word.split("=")[0]
            if word.startswith("-") and len(word) > 1 and not re.search(rf"(^|[ ,]){re.escape(name)}[ ,\[]", text, re.M):
                if not re.fullmatch(r"-\d+[smhd]?", word):
                    return f"{word}: no option of pcapng-find"
        return None

    def make_has(self, words):
        skip = False
        for word in words:
            if skip or word in ("-C", "-f"):
                skip = not skip
            elif not word.startswith("-") and "=" not in word and word not in self.targets:
                return f"there is no target {word}"
        return None

    def configure_takes(self, words):
        for word in words:
            name = word.split("=")[0]
            plain = re.sub(r"^--(without|with|enable|disable)-", "", name)
            if word.startswith("--") and name not in self.configure and f"-{plain}" not in self.configure:
                return f"{word}: no option of configure"
        return None

    def wrong(self, words):
        name, rest = os.path.basename(words[0]), words[1:]
        if name in XDPDUMP:
            return self.xdpdump_takes(rest)
        if name == "tcpdump":
            return self.tcpdump_takes(rest)
        if name in LIBPCAP:
            return self.others_take(rest)
        if name == "pcapng-kafka":
            return self.kafka_takes(rest)
        if name == "pcapng-find":
            return self.find_takes(rest)
        if name == "make":
            return self.make_has(rest)
        if name == "configure":
            return self.configure_takes(rest)
        if name == "pcap-afxdp-libpcap":
            return None if rest in (["on"], ["off"], ["status"]) else "takes on, off or status"
        if name in ("demo", "check"):
            bad = [w for w in rest if w not in ("--quick", "--full", "--long", "--help")]
            return f"{bad[0]}: no option of {name}" if bad else None
        path = words[0].replace("../", "")
        return None if os.access(os.path.join(self.top, path), os.R_OK) else f"there is no {path}"


def is_ours(words):
    """Does the command name a program of the tree, or a device of it?"""
    if words[0].startswith("--") or words[0] in (".", ".."):
        return False
    name = os.path.basename(words[0])
    if name in XDPDUMP + ("pcapng-kafka", "pcapng-find", "pcap-afxdp-libpcap", "make") or words[0] in ("./demo", "./check", "demo"):
        return True
    if name == "configure" or name in LIBPCAP and any(w.startswith(("xdp:", "xdpdump:")) for w in words):
        return True
    return bool(re.match(r"(\.\./)?(tests|bench|graft|packaging|build|fuzz)/[\w./-]+$", words[0]))


def is_plain(line):
    """Programs of others, on a plain name that is ours."""
    return line.startswith(("PCAP_AFXDP=", "PCAP_AFXDP_OPTIONS="))


def of_line(line):
    """Its commands; none where it is no line for a shell."""
    try:
        commands = [unwrapped(words) for words in simple_commands(re.sub(r"^[#$] ", "", line.strip()))]
    except ValueError:
        return []
    return [words for words in commands if words and is_ours(words)]


def inline(page):
    """What stands in a sentence as a command with arguments."""
    if page.endswith(".md"):
        for code in re.findall(r"`([^`]+)`", " ".join(prose(page))):
            if re.match(r"(xdpdump|afxdpdump|tcpdump -i xdp:|pcapng-kafka|pcapng-find|configure|make|\./check|\./demo) ", code):
                yield code


def main():
    top, build, to_run = sys.argv[1:]
    programs = Programs(top, build)
    count = 0
    with open(to_run, "w", encoding="utf-8") as output:
        for page in list(markdown(top)) + manuals(top):
            shown = [(where, line, True) for where, line in lines(top, page)]
            for where, line, typed in shown + [(relative(top, page), code, False) for code in inline(page)]:
                line = re.sub(r"^[#$] ", "", line.strip())
                ours = of_line(line)
                for words in ours:
                    count += 1
                    why = programs.wrong(words)
                    if why and (typed or "needs a value" not in why):  # `xdpdump -w', in a sentence
                        print(f"{where}: {' '.join(words)}: {why}")
                if typed and (ours or is_plain(line)):
                    print(f"{where}: {line}", file=output)
    print(f"{count} commands", file=sys.stderr)


main()
