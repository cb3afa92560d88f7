# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
# shellcheck shell=sh
# What the scripts share that run in a fresh system, as root, by in_fresh of outside.sh. /mnt is a folder of the
# host's, the way from one system to the next.
# shellcheck disable=SC2034 # much of it is for them

DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
unset PCAP_AFXDP_LOADER # the installed one
made=/mnt

# Nobody needs this system after a crash.
apt()
{
	apt-get -q -y --no-install-recommends -o DPkg::Options::=--force-unsafe-io -o DPkg::Options::=--force-confdef \
		-o Acquire::Retries=3 "$@"
}

# has_to NAME COMMAND...: a check without which there is nothing more to do.
has_to()
{
	before=$failed
	check "$@"
	[ "$failed" -eq "$before" ] || finish
}

# By the packages' mirror, that comes and goes.
update()
{
	apt update || { sleep 5 && apt update; } || { sleep 15 && apt update; }
}
