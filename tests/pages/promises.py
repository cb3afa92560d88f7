#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
"""promises.py TOP: commands of which a page says what they print, in a sentence or in a comment behind a command that is
to be typed: a line "PAGE: COMMAND", a tab, and what the page says that they print, if it does."""
import re
import sys

sys.dont_write_bytecode = True
from pages import markdown, of_markdown, prose, relative  # noqa: E402

SAYS = r"(?:names|says|prints|shows|lists|tells|writes|has to (?:say|list|print))\b"


def promises(page):
    """(command, words): `command` lists `words'; command # has to list: words."""
    yield from re.findall(rf"`([^`]+ [^`]+)`,? {SAYS}(?: `([^`]+)`)?", " ".join(prose(page)))
    for _, line in of_markdown(page):
        yield from re.findall(rf"^(\S.*?) +# {SAYS}(?:: (.*))?", line)


def main():
    top = sys.argv[1]
    for page in markdown(top):
        for command, words in sorted(set(promises(page))):
            print(f"{relative(top, page)}: {command}\t{words}")


main()
