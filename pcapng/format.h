/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The numbers of the pcapng format: draft-ietf-opsawg-pcapng, sections 4.1 to 4.7 for blocks, and
 * there the tables of options. The Enhanced Packet Block as the kernel writes it is in
 * bpf/record.h.
 */
#pragma once

#define BLOCK_SECTION	      0x0a0d0d0au
#define BLOCK_INTERFACE	      1u
#define BLOCK_PACKET	      2u /* obsolete; in old files */
#define BLOCK_SIMPLE_PACKET   3u
#define BLOCK_NAMES	      4u
#define BLOCK_STATISTICS      5u
#define BLOCK_ENHANCED_PACKET 6u
#define BLOCK_SECRETS	      10u
#define BLOCK_PROCESS	      0x80000001u /* Apple's; packets refer to it by its number */
#define BLOCK_LENGTH_MIN      12u	  /* type, length, and the length again */

#define BYTE_ORDER_MAGIC 0x1a2b3c4du
#define LENGTH_UNKNOWN	 UINT64_MAX /* of a section */
#define TSRESOL_NS	 9
#define FILTER_IS_STRING 0

/* libpcap refuses longer packets, and files whose interfaces have different snapshot lengths. */
#define SNAPLEN_MOST 262144

#define SECRETS_TLS_KEY_LOG 0x544c534bu /* "TLSK" */

#define LINKTYPE_ETHERNET   1
#define LINKTYPE_RAW	    101
#define LINKTYPE_LINUX_SLL  113
#define LINKTYPE_LINUX_SLL2 276

/* Option codes. Each block has its own beyond the first two. */
enum { OPT_END, OPT_COMMENT };
/* Custom options of any block: the number of an enterprise, then text or bytes that it defines. */
enum { OPT_TEXT = 2988, OPT_BYTES, OPT_TEXT_HERE = 19372, OPT_BYTES_HERE };
enum { SHB_HARDWARE = 2, SHB_OS, SHB_USERAPPL };
enum {
	IF_NAME = 2,
	IF_DESCRIPTION = 3,
	IF_MACADDR = 6,
	IF_SPEED = 8,
	IF_TSRESOL = 9,
	IF_TZONE = 10,
	IF_FILTER = 11,
	IF_OS = 12,
	IF_FCSLEN = 13,
	IF_TSOFFSET = 14,
	IF_HARDWARE = 15,
	IF_TXSPEED,
	IF_RXSPEED
};
/* EPB_THREAD is the ids of a process and its thread. */
enum { EPB_FLAGS = 2, EPB_HASH, EPB_DROPCOUNT, EPB_PACKETID, EPB_QUEUE, EPB_VERDICT, EPB_THREAD };
enum { PROCESS_NAME = 2 };
/* Apple's, 4 bytes each: the number of the process, and of the process on whose behalf it acts. */
enum { EPB_PROCESS = 32769, EPB_PROCESS_FOR = 32771 };
enum {
	ISB_STARTTIME = 2,
	ISB_ENDTIME,
	ISB_IFRECV,
	ISB_IFDROP,
	ISB_FILTERACCEPT,
	ISB_OSDROP,
	ISB_USRDELIV,
	ISB_CODES /* one more than the last */
};
