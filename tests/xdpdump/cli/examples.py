#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""examples.py PAGE HELP: the commands in the EXAMPLES of a manual page, an object in a line each: the paragraph it
stands in, the command, and what its words mean. HELP is what xdpdump --help all prints."""
import json
import re
import shlex
import sys


def typed(page):
    """(paragraph, command) of each line that is to be typed."""
    paragraph, literal, inside = 0, False, False
    for line in open(page, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith(".Sh "):
            inside = line in (".Sh EXAMPLES", ".Sh EXAMPLES\\&")
        elif not inside:
            continue
        elif line.startswith((".Bd", ".Ed")):
            literal = line.startswith(".Bd")
        elif line in (".Pp", "") or line.startswith(".Ss"):
            paragraph += 1
        elif literal:
            yield paragraph, line.replace("\\e", "\\")
            paragraph += 1
        elif line.startswith((".Dl # ", ".Dl $ ")):
            yield paragraph, line[6:].replace("\\e", "\\")


def with_values(text):
    """The options that take a value as a word of its own."""
    found = set()
    for letter, name in re.findall(r"^  (?:-(.), |    )(--[a-z-]+) [^ \[]", text, re.M):
        found |= {"-" + letter, name} if letter else {name}
    return found


def meaning(words, valued):
    """Options with their values, and the words that are none: a filter."""
    options, rest, i = {}, [], 0
    while i < len(words):
        word = words[i]
        if word.startswith("--") and "=" in word:
            name, value = word.split("=", 1)
            options[name] = value
        elif word in valued and (word != "--doctor" or not words[i + 1].startswith("-")):
            i += 1
            options[word] = words[i]
        elif word.startswith("-"):
            options[word] = True
        else:
            rest.append(word)
        i += 1
    return options, " ".join(rest)


def first_command(command):
    """Its words up to a pipe, without variables for the environment."""
    words = shlex.split(command)
    words = words[:words.index("|")] if "|" in words else words
    while "=" in words[0]:
        words.pop(0)
    return words


def main():
    page, help_of = sys.argv[1], sys.argv[2]
    valued = {"xdpdump": with_values(open(help_of, encoding="utf-8").read()),
              "tcpdump": {"-i", "-Q", "-w"}, "dumpcap": {"-i", "-w"}, "arp-scan": {"-I"}, "mergecap": {"-w"},
              "wireshark": {"-i"}}
    for paragraph, command in typed(page):
        words = first_command(command)
        options, expression = meaning(words[1:], valued[words[0]])
        print(json.dumps({"paragraph": paragraph, "command": command, "program": words[0], "options": options,
                          "write": options.get("-w", ""), "count": options.get("-c", ""),
                          "expression": expression}))


main()
