/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "pcapng/savefile.h"

#define NS_PER_S 1000000000u
#define DG_UX	 543 /* major version in files of DG/UX's tcpdump */

bool savefile_is_known(uint16_t major, uint16_t minor)
{
	return (major == 2 && minor <= 4) || (major == DG_UX && minor == 0);
}

/* Before 2.3 all writers swapped the lengths, and in 2.3 some did. */
bool savefile_turns_lengths(uint16_t major, uint16_t minor, uint32_t caplen, uint32_t len)
{
	return major == DG_UX || minor < 3 || (minor == 3 && caplen > len);
}

struct savefile_header savefile_header(uint32_t snaplen, uint16_t link_type)
{
	return (struct savefile_header){.magic = SAVEFILE_NS,
					.major = 2,
					.minor = 4,
					.snaplen = snaplen,
					.link_type = link_type};
}

struct savefile_record savefile_record(uint64_t time, uint32_t caplen, uint32_t len)
{
	return (struct savefile_record){.seconds = (uint32_t)(time / NS_PER_S),
					.fraction = (uint32_t)(time % NS_PER_S),
					.caplen = caplen,
					.len = len};
}
