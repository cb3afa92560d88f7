#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# Wireshark's window, on a display that nobody sees: a member of the group captures live on xdp:vb, and by
# xdpdump, and no dialogue box gets in the way. WINDOW_PICTURE=FILE.png keeps what is to be seen of the
# first.
# shellcheck source=tests/apps/installed.sh
. "$(dirname "$0")/installed.sh"
need_root
need_library
need wireshark dumpcap Xvfb xdotool import openbox ping capinfos strings
has_sanitizers && skip_all "programs with capabilities do not load the runtime of the sanitizers first"
veth_pair
need_copy
display=:7 # of the copy's own /tmp, and of the namespace's own abstract sockets

# on_display COMMAND...: as the member.
on_display()
{
	as_user member DISPLAY=$display XDG_RUNTIME_DIR=/home/member "$@"
}

# windows: the titles of all that Wireshark shows.
windows()
{
	for window in $(on_display xdotool search --onlyvisible --class wireshark 2> /dev/null); do
		on_display xdotool getwindowname "$window"
	done | grep .
}

# is_capturing TITLE
is_capturing()
{
	windows | grep -q "Capturing from $1"
}

# packets_so_far: in the file that the window reads.
packets_so_far()
{
	# shellcheck disable=SC2016 # for the shell in the copy
	as_user member sh -c 'capinfos -McTr "$(ls -t /tmp/wireshark_*.pcapng | head -n 1)"' 2> /dev/null |
		awk -F '\t' '{ print $NF + 0 }'
}

has_packets()
{
	[ "$(packets_so_far)" -ge "$1" ]
}

# fill_display: by the window, for the picture.
fill_display()
{
	main=$(on_display xdotool search --onlyvisible --name "Capturing from")
	on_display xdotool windowmove "$main" 0 0 windowsize "$main" 1100 680
	sleep 1 # to be drawn
}

# window DEVICE TITLE: opens on it at once, as by a click on the interface.
window()
{
	start on_display wireshark -i "$1" -k
	said=$err
	wait_for 20 is_capturing "$2" || {
		picture "$1"
		bad "$1: does not capture; its windows: $(windows | tr '\n' ';')"
		show "$said"
		return
	}
	check "$1: packets come in" wait_for 20 has_packets 50
	earlier=$(packets_so_far)
	check "$1: and more" wait_for 20 has_packets $((earlier + 50))
	equal "$1: one window, no dialogue box" 1 "$(windows | wc -l)"
	windows
	fill_display
	picture "$1"
	# The way out: without the question whether the packets are to be saved.
	for process in $(inside pgrep -x wireshark); do
		kill -TERM "$process"
	done
	check "$1: nothing is left in the hooks" wait_for 20 fails is_hooked "$right" vb
	inside sh -c 'rm -f /tmp/wireshark_*'
}

# picture DEVICE: of the whole display.
picture()
{
	[ -n "${WINDOW_PICTURE-}" ] || return 0
	inside env DISPLAY=$display import -window root -colors 64 "png8:/tmp/picture.png"
	inside cat /tmp/picture.png > "$WINDOW_PICTURE"
	echo "$1: $WINDOW_PICTURE"
	WINDOW_PICTURE=''
}

install_for wireshark || {
	bad "does not install"
	show "$scratch/install"
	finish
}
start inside Xvfb $display -screen 0 1100x680x24 -ac -nolisten tcp
wait_for 10 inside test -e /tmp/.X11-unix/X7 || skip_all "Xvfb does not start: $(head -n 1 "$err")"
start on_display openbox
start in_left ping -q -i 0.05 -w 120 10.99.0.2
window xdp:vb xdp:vb
window xdpdump:vb 'vb at the XDP layer'
nothing_left "$right" vb
finish
