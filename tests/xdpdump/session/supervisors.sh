#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What asks once, though it signals several times, is heard once: supervisors, and a terminal that is lost. Who
# asks twice is heard twice. A command of -z has the time it takes, or is ended. What a container, tmux and ssh do at
# their end leaves a whole file.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need timeout python3 tcpdump ping
veth_pair
cd "$scratch" || exit 1
printf '#!/bin/sh\nsleep 2\nmv "$1" "$1.done"\n' > slow
chmod +x slow

# begin COMMAND...: a capture behind it
begin()
{
	rm -f f f.done
	start ip netns exec "$right" env --default-signal=HUP "$@" "$xdpdump" -i vb -Q in -z "$scratch/slow" -w f
	capture=$pid said=$err
	started_capturing
}

# heard once|twice NAME
heard()
{
	ended "$capture" 20
	status=$?
	case $1 in
	once) check "$2: the command has its time" test -e f.done ;;
	twice) check "$2: the command is ended" grep -q 'for the second signal' "$said" ;;
	esac
}

begin
kill -TERM "$capture"
sleep 0.3
kill -TERM "$capture"
heard once "twice by one process"
equal "twice by one process: status" 0 "$status"

begin
kill -TERM "$capture"
sleep 1.2
kill -TERM "$capture"
heard twice "twice, a second later"

begin
env kill -TERM "$capture"
sleep 0.3
env kill -TERM "$capture"
heard twice "by two processes"

begin
kill -INT "$capture"
sleep 0.3
kill -TERM "$capture"
heard twice "two signals"

begin timeout 3
heard once "timeout"
equal "timeout: its status" 124 "$status"

# On a terminal: Ctrl-C at these times; then it is lost, if there is none.
cat > terminal.py << 'END'
import os, pty, sys, time
times, command = sys.argv[1].split(), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
said = b""
while b"listening on" not in said:
    said += os.read(terminal, 4096)
for pause in times:
    os.write(terminal, b"\x03")
    time.sleep(float(pause))
if not times:
    os.close(terminal)
while times:
    try:
        said += os.read(terminal, 4096)
    except OSError:
        break
print(said.decode(errors="replace"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END

# on_terminal TIMES
on_terminal()
{
	rm -f f f.done
	start ip netns exec "$right" env --default-signal=HUP,INT python3 terminal.py "$1" \
		"$xdpdump" -i vb -Q in -z "$scratch/slow" -w f
	capture=$pid said=$out
}
on_terminal '0.3 0'
heard twice "Ctrl-C twice"
on_terminal '0'
heard once "Ctrl-C once"
on_terminal ''
heard once "a lost terminal"
equal "a lost terminal: status" 0 "$status"

# capture_words: for a shell of theirs.
capture_words="exec env --default-signal=HUP,INT,TERM PCAP_AFXDP_LOADER=$PCAP_AFXDP_LOADER $xdpdump -i vb -Q in \
	-z $scratch/slow -w $scratch/f icmp 2> $scratch/said"
is_listening()
{
	grep -q '^listening on' "$scratch/said"
}
# begun NAME: five packets are captured
begun()
{
	check "$1: it captures" wait_for 20 is_listening
	in_left ping -qc 5 -i 0.02 10.99.0.2 > /dev/null
	settle "$capture"
}
# whole NAME: it has ended, and the file is whole
whole()
{
	check "$1: it ends" wait_for 20 process_gone "$capture"
	check "$1: the file is whole, and its command had its time" tcpdump -nr f.done
	equal "$1: packets in it" 5 "$(grep -c 'ICMP echo request' "$scratch/output")"
	rm -f f f.done said
}

# docker stop: a signal from outside to the first process of a PID namespace, for which it has no sender.
rm -f f f.done said
# shellcheck disable=SC2086 # words
start ip netns exec "$right" unshare --pid --fork --mount-proc sh -c "$capture_words"
container=$pid
check "the first process: it is there" wait_for 10 grep -q . "/proc/$container/task/$container/children"
capture=$(cut -d ' ' -f 1 "/proc/$container/task/$container/children")
begun "the first process"
kill -TERM "$capture"
whole "the first process"
check "the first process: its status" ended "$container" 10

if command -v tmux > /dev/null; then
	ip netns exec "$right" tmux -S "$scratch/tmux" -f /dev/null new-session -d "$capture_words"
	capture=$(tmux -S "$scratch/tmux" list-panes -F '#{pane_pid}')
	begun "tmux kill-server"
	tmux -S "$scratch/tmux" kill-server
	whole "tmux kill-server"
else
	skip "tmux kill-server: needs tmux"
fi

# A connection that breaks. sshd wants a folder in /run; it is alone there.
if [ -x /usr/sbin/sshd ] && command -v ssh > /dev/null; then
	ssh-keygen -qt ed25519 -N '' -f key && cp key.pub allowed
	printf '%s\n' 'ListenAddress 10.99.0.2:2222' "HostKey $scratch/key" "AuthorizedKeysFile $scratch/allowed" \
		'StrictModes no' 'UsePAM no' 'PermitRootLogin yes' 'PidFile none' > sshd.conf
	# shellcheck disable=SC2016 # for the inner shell
	start ip netns exec "$right" unshare -m sh -c 'mount -t tmpfs none /run && mkdir -m 755 /run/sshd &&
		exec /usr/sbin/sshd -D -e -f "$0"' "$scratch/sshd.conf"
	server=$pid
	check "ssh: there is a server" wait_for 10 grep -q 'Server listening' "$err"
	start ip netns exec "$left" ssh -F none -tt -p 2222 -i key -o UserKnownHostsFile=/dev/null \
		-o StrictHostKeyChecking=accept-new -o BatchMode=yes root@10.99.0.2 "echo \$\$ > $scratch/its_pid; $capture_words"
	client=$pid
	check "ssh: a session" wait_for 10 test -s its_pid
	capture=$(cat its_pid)
	begun "ssh hangs up"
	stop "$client" KILL
	whole "ssh hangs up"
	stop "$server" TERM
else
	skip "ssh hangs up: needs openssh-server"
fi
finish
