/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A record is a complete Enhanced Packet Block of pcapng (draft-ietf-opsawg-pcapng, section 4.3),
 * so a file writer can pass on runs of records without touching them. The programs in the kernel
 * write it, user space reads it. It is in host byte order, and begins at an address that is a
 * multiple of 4:
 *
 * 	struct epb_header, the frame padded to 4 bytes, struct epb_options,
 * 	then in this order, each only if it applies:
 * 	struct epb_dropcount, epb_hash, epb_verdict, epb_drop, epb_nic_time, epb_socket,
 * 	epb_entries,
 * 	and struct epb_end.
 *
 * Installed with afxdpcapture.h, whose functions epb_...() read it. All names begin with epb_ or
 * EPB_.
 *
 * Include <linux/types.h> (or anything that includes it) first. This file includes no other header,
 * so that it can be used with <linux/bpf.h> and with <pcap/bpf.h> alike.
 */
#ifndef PCAP_AFXDP_RECORD_H
#define PCAP_AFXDP_RECORD_H

/* The fixed part of an Enhanced Packet Block, in front of the frame. */
struct epb_header {
	__u32 type; /* EPB_TYPE */
	__u32 total_length;
	__u32 interface_id;
	__u32 time_high; /* ns since 1970: the interface block has if_tsresol 9 */
	__u32 time_low;
	__u32 caplen;
	__u32 len;
};

#define EPB_TYPE 6u

/*
 * What the frame begins with if the capture is of all interfaces, whatever their link types: the
 * header of LINKTYPE_LINUX_SLL2, in network byte order. What follows is the frame without its own
 * link header.
 */
struct epb_cooked {
	__u16 protocol; /* with EPB_FLAG_TAG_BESIDE that of the tag; TCI and protocol follow the
			   header */
	__u16 reserved;
	__u32 ifindex;
	__u16 hatype; /* ARPHRD_... */
	__u8 pkttype; /* PACKET_... */
	__u8 halen;
	__u8 address[8]; /* of the sender */
};

/* Options, after the frame padded to 4 bytes. For codes and values see the pcapng draft, section
 * 4.3. */
#define EPB_OPTION(code, length) ((__u32)(code) | (__u32)(length) << 16)
#define EPB_OPT_FLAGS		 EPB_OPTION(2, 4)
#define EPB_OPT_HASH		 EPB_OPTION(3, 5)
#define EPB_OPT_DROPCOUNT	 EPB_OPTION(4, 8)
#define EPB_OPT_PACKETID	 EPB_OPTION(5, 8)
#define EPB_OPT_QUEUE		 EPB_OPTION(6, 4)
#define EPB_OPT_VERDICT		 EPB_OPTION(7, 9)
/*
 * Codes from 0x8000 on are for local use, but 0x8001 to 0x800a are Apple's: Wireshark 4.6 refuses a
 * file in which these have other lengths. This is the interface's own time stamp, in ns of its
 * clock.
 */
#define EPB_OPT_NIC_TIME  EPB_OPTION(0x8101, 8)
#define EPB_FLAG_INBOUND  1u
#define EPB_FLAG_OUTBOUND 2u
/* For whom: 0 not specified, 1 this host, 2 multicast, 3 broadcast, 4 another host. */
#define EPB_FLAG_RECEPTION(kind) ((__u32)(kind) << 2)
/*
 * The tag in the record was beside the frame. One of the bits that pcapng reserves. Only set if
 * filters see tags as a packet socket's filter does, which no file writer asks for.
 */
#define EPB_FLAG_TAG_BESIDE 512u

/*
 * After the padded frame: these options, epb_dropcount in the first record after a loss, the end.
 * 64-bit values are only aligned to 4 bytes, so they are in halves.
 */
struct epb_options {
	__u32 flags_option;
	__u32 flags;
	__u32 queue_option;
	__u32 queue;
	__u32 packetid_option;
	__u32 packetid_low;  /* count of matched frames on this CPU: 44 bits; above them */
	__u32 packetid_high; /* 8 bits of EPB_GENERATION(), and 12 of the CPU's number */
};

#define EPB_GENERATION(packetid_high) ((packetid_high) >> 12 & 0xff)
#define EPB_PACKETID_HIGH(count, generation, cpu)                                                  \
	(((__u32)((count) >> 32) & 0xfff) | ((generation)&0xff) << 12 | (__u32)(cpu) << 20)

struct epb_dropcount {
	__u32 option;
	__u32 low; /* frames of its side lost on this ring since the last record */
	__u32 high;
};

/* The interface's time stamp, if the driver was asked for it. Only epb_socket and epb_entries can
 * follow it. */
struct epb_nic_time {
	__u32 option;
	__u32 low;
	__u32 high;
};

struct epb_hash {
	__u32 option;
	__u8 algorithm; /* EPB_HASH_... */
	__u8 value[4];	/* most significant octet first */
	__u8 padding[3];
};

#define EPB_HASH_XOR	  1
#define EPB_HASH_CRC32	  2
#define EPB_HASH_TOEPLITZ 5
#define EPB_HASH_UNKNOWN  255 /* not a hash that pcapng numbers, or the driver does not tell */

/* What an XDP program returned for the frame, if its exit is captured. */
struct epb_verdict {
	__u32 option;
	__u8 kind;     /* EPB_VERDICT_XDP */
	__u8 value[8]; /* XDP_..., in the byte order of the section */
	__u8 padding[3];
};

#define EPB_VERDICT_XDP 2

/*
 * For a frame that the host's stack dropped: why and where. The program in the kernel writes this
 * under a code that no reader sees, because afxdp_run() replaces it by options that have the same
 * length in all: a comment (opt_comment); the function's name, if it is known, in an option of
 * Apple's that Wireshark shows as a column; and EPB_OPT_DROP_CODE with a struct epb_drop_named.
 */
struct epb_drop {
	__u32 option;	/* EPB_OPT_DROP_RAW */
	__u32 reason;	/* enum skb_drop_reason of this kernel */
	__u32 ifindex;	/* of the device that dropped it, or that it came by; 0: not known */
	__u32 netns;	/* inode of the network namespace; 0: not known */
	__u32 place[2]; /* the address in the kernel: lower half, upper half */
	char ifname[16];
	__u32 room[74];
};

#define EPB_OPT_DROP_RAW EPB_OPTION(0x80ff, sizeof(struct epb_drop) - 4)

/*
 * Value of the option 0x8102. Its length is what the comment leaves; zeros follow the last string.
 * 0 or "" means not known.
 */
struct epb_drop_named {
	__u32 reason; /* as above */
	__u32 ifindex;
	__u32 netns;
	/* three strings, each ending in 0: reason, place, interface */
};

#define EPB_OPT_DROP_CODE	   0x8102u
#define EPB_OPT_COMMENT_CODE	   1u
#define EPB_OPT_DROP_FUNCTION_CODE 32777u

/*
 * Which socket of the host a frame comes from, or goes to, if that was asked for, at XDP and tc. It
 * is for the application: a program that writes files replaces it.
 */
struct epb_socket {
	__u32 option;	  /* EPB_OPT_SOCKET_RAW */
	__u32 how;	  /* EPB_SOCKET_..., maybe with some of the three flags that follow those */
	__u32 cookie_low; /* SO_COOKIE of that socket; both 0: there is no socket, or it has none */
	__u32 cookie_high;
};

#define EPB_OPT_SOCKET_RAW EPB_OPTION(0x80fe, sizeof(struct epb_socket) - 4)

/* How that socket was found. Only those marked "Cookie" have a cookie. */
#define EPB_SOCKET_UNASKED     0u /* not looked up: not TCP or UDP, or a later fragment */
#define EPB_SOCKET_NONE	       1u /* looked up, but there is none */
#define EPB_SOCKET_OWN	       2u /* still the sender's; of a drop: the loser's. Cookie */
#define EPB_SOCKET_ESTABLISHED 3u /* TCP, with exactly these addresses and ports. Cookie */
#define EPB_SOCKET_REQUEST     4u /* TCP, not accepted yet. Cookie of the later socket */
#define EPB_SOCKET_TIME_WAIT   5u /* TCP, closed by both ends. Cookie of the former socket */
#define EPB_SOCKET_LISTENER    6u /* TCP, a SYN to an address of the host. Cookie */
#define EPB_SOCKET_CONNECTED   7u /* UDP, with exactly these addresses and ports. Cookie */
#define EPB_SOCKET_BOUND       8u /* UDP, to an address of the host, from any sender. Cookie */
#define EPB_SOCKET_MANY	       9u /* UDP, multicast or broadcast: any number of sockets may get it */
#define EPB_SOCKET_FORWARDED   10u /* the address does not belong to an interface of the host */
#define EPB_SOCKET_UNSURE      11u /* as listener or bound, unless NAT sends it elsewhere */

/* SO_REUSEPORT is set: one of several sockets of this port gets the frame, maybe another one. */
#define EPB_SOCKET_SHARES_PORT 0x100u
/* The socket is the kernel's own, such as those of NFS and of tunnels: no process holds it. Not
 * known before 6.2, and not for drops. */
#define EPB_SOCKET_OF_KERNEL 0x200u
/* No process has it open: it waits for accept(), or is closed. Before 6.2 only known for TCP, and
 * for received frames. */
#define EPB_SOCKET_NOT_OPEN 0x400u
#define EPB_SOCKET_HOW(how) ((how)&0xff)

/*
 * By which lines of the files of addresses and ports a frame was captured, if that was asked for.
 * It is for the application, as epb_socket is.
 */
#define EPB_ENTRY_KINDS 4u
struct epb_entries {
	__u32 option;			/* EPB_OPT_ENTRIES_RAW */
	__u32 line[2][EPB_ENTRY_KINDS]; /* for addresses, for ports; 0: none of this kind */
};

/* hosts= for the source, and for the destination; src-hosts=; dst-hosts=. Likewise for ports. */
enum { EPB_ENTRY_BOTH_SOURCE, EPB_ENTRY_BOTH_DESTINATION, EPB_ENTRY_SOURCE, EPB_ENTRY_DESTINATION };
#define EPB_OPT_ENTRIES_RAW EPB_OPTION(0x80fd, sizeof(struct epb_entries) - 4)

/*
 * The entries of the map who-others, an array of EPB_OTHERS, each at its cookie modulo that number:
 * a socket whose frames are left out. The caller writes the cookie, the program counts.
 */
struct epb_other {
	__u64 cookie; /* 0: none */
	__u64 frames; /* left out so far, for all sockets that had this place */
};

#define EPB_OTHERS 65536u

struct epb_end {
	__u32 end_option; /* opt_endofopt: 0 */
	__u32 total_length;
};

#define EPB_PADDED(length) (((length) + 3u) & ~3u)

#endif
