/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "pcapng/savefile.h"

#define NS_PER_S 1000000000u

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
