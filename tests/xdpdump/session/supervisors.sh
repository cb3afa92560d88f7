#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# What asks once, though it signals several times, is heard once: supervisors, and a terminal that is lost. Who
# asks twice is heard twice. A command of -z has the time it takes, or is ended.
# shellcheck source=tests/xdpdump/lib.sh
. "$(dirname "$0")/../lib.sh"
need_root
need_xdpdump
need timeout python3
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
finish
