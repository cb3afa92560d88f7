#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Which extcap folder configure takes where Wireshark's build files are not installed: that of Wireshark's own programs,
# whatever links lie in others; where it has none, the folder that is there. None is no folder.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
new=$scratch/libexec old=$scratch/lib

# taken NAME FOLDER: of both, the newer one first.
taken()
{
	equal "$1" "$2" "$("$top/packaging/extcap-folder" "$new" "$old")"
}

taken "neither is there" ''
mkdir "$old"
taken "the old one, empty" "$old"
mkdir "$new"
taken "the new one, empty as well" "$new"
ln -s /usr/bin/afxdpdump "$new/afxdpdump"
taken "our package's link is in the new one" "$old"
touch "$old/sshdump"
ln -s /usr/sbin/xdpdump "$new/xdpdump-of-here"
taken "a link of a name that was chosen, too" "$old"
rm "$old/sshdump" && touch "$new/sshdump" && ln -s /usr/sbin/xdpdump "$old/xdpdump"
taken "programs in the new one, a link of ours in the old one" "$new"
finish
