/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A record: a complete Enhanced Packet Block of pcapng (draft-ietf-opsawg-pcapng, section 4.3), so
 * that a file writer can pass runs of records on without touching them. The programs in the kernel
 * write it, user space reads it. It is in the byte order of the host, and begins at an address that
 * is a multiple of 4:
 *
 *	struct epb_header, the frame padded to 4 bytes, struct epb_options,
 *	then in this order, each only where it applies:
 *	struct epb_dropcount, epb_hash, epb_verdict, epb_drop, epb_nic_time, epb_socket,
 *	epb_entries,
 *	and struct epb_end.
 *
 * Installed with afxdpcapture.h, whose functions epb_...() read it. All names begin with epb_ or
 * EPB_.
 *
 * Include <linux/types.h> (or anything that brings it) first; this file brings no other header, so
 * that it can stand beside <linux/bpf.h> and beside <pcap/bpf.h> alike.
 */
#ifndef PCAP_AFXDP_RECORD_H
#define PCAP_AFXDP_RECORD_H

/* The fixed part of an Enhanced Packet Block, in front of the frame. */
struct epb_header {
	__u32 type; /* EPB_TYPE */
	__u32 total_length;
	__u32 interface_id;
	__u32 time_high; /* ns since 1970: the interface block says if_tsresol 9 */
	__u32 time_low;
	__u32 caplen;
	__u32 len;
};

#define EPB_TYPE 6u

/*
 * What the frame begins with where the capture is of all interfaces, whatever their links are: the
 * header of LINKTYPE_LINUX_SLL2, in network order. The frame goes on behind its own link header.
 */
struct epb_cooked {
	__u16 protocol; /* of a frame with EPB_FLAG_TAG_BESIDE the tag's; TCI and protocol follow */
	__u16 reserved;
	__u32 ifindex;
	__u16 hatype; /* ARPHRD_... */
	__u8 pkttype; /* PACKET_... */
	__u8 halen;
	__u8 address[8]; /* of the sender */
};

/* Options, behind the frame padded to 4 bytes. Codes and values: pcapng draft, section 4.3. */
#define EPB_OPTION(code, length) ((__u32)(code) | (__u32)(length) << 16)
#define EPB_OPT_FLAGS		 EPB_OPTION(2, 4)
#define EPB_OPT_HASH		 EPB_OPTION(3, 5)
#define EPB_OPT_DROPCOUNT	 EPB_OPTION(4, 8)
#define EPB_OPT_PACKETID	 EPB_OPTION(5, 8)
#define EPB_OPT_QUEUE		 EPB_OPTION(6, 4)
#define EPB_OPT_VERDICT		 EPB_OPTION(7, 9)
/*
 * Codes from 0x8000 on are for local use, of which 0x8001 to 0x800a are Apple's: Wireshark 4.6
 * reads no file where these have other lengths. The interface's own time stamp, in ns of its clock:
 */
#define EPB_OPT_NIC_TIME  EPB_OPTION(0x8101, 8)
#define EPB_FLAG_INBOUND  1u
#define EPB_FLAG_OUTBOUND 2u
/* To whom: 0 is not said, 1 to the host, 2 multicast, 3 broadcast, 4 another host. */
#define EPB_FLAG_RECEPTION(kind) ((__u32)(kind) << 2)
/*
 * The tag in the record lay beside the frame. Of the bits that pcapng reserves: only where filters
 * see tags as a packet socket's do, which no file writer asks for.
 */
#define EPB_FLAG_TAG_BESIDE 512u

/*
 * Behind the padded frame: these options, epb_dropcount in the first record after a loss, the end.
 * Values of 64 bits lie on 4-byte bounds, hence in halves.
 */
struct epb_options {
	__u32 flags_option;
	__u32 flags;
	__u32 queue_option;
	__u32 queue;
	__u32 packetid_option;
	__u32 packetid_low;  /* count of matched frames on this CPU: 44 bits; above them */
	__u32 packetid_high; /* EPB_GENERATION() in 8, the CPU's number in 12 */
};

#define EPB_GENERATION(packetid_high) ((packetid_high) >> 12 & 0xff)
#define EPB_PACKETID_HIGH(count, generation, cpu)                                                  \
	(((__u32)((count) >> 32) & 0xfff) | ((generation)&0xff) << 12 | (__u32)(cpu) << 20)

struct epb_dropcount {
	__u32 option;
	__u32 low; /* frames of its side lost on this ring since its last record */
	__u32 high;
};

/* What the driver tells of a frame where it is asked to. Behind it come these two alone:
 * epb_socket, epb_entries. */
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
#define EPB_HASH_UNKNOWN  255 /* none of those that pcapng numbers, or the driver does not tell */

/* What an XDP program returned for the frame, where its exit is captured. */
struct epb_verdict {
	__u32 option;
	__u8 kind;     /* EPB_VERDICT_XDP */
	__u8 value[8]; /* XDP_..., in the byte order of the section */
	__u8 padding[3];
};

#define EPB_VERDICT_XDP 2

/*
 * Of a frame that the host's stack dropped: why and where. So the program in the kernel writes it,
 * under a code that no reader sees: in its place afxdp_run() writes options that are as long
 * together: a comment (opt_comment), the function's name where it is known, in Apple's option that
 * Wireshark shows as a column, and EPB_OPT_DROP_CODE with a struct epb_drop_named.
 */
struct epb_drop {
	__u32 option;	/* EPB_OPT_DROP_RAW */
	__u32 reason;	/* enum skb_drop_reason of this kernel */
	__u32 ifindex;	/* of the device it was dropped at, or came by; 0: not known */
	__u32 netns;	/* inode of the network namespace; 0: not known */
	__u32 place[2]; /* the address in the kernel: lower half, upper half */
	char ifname[16];
	__u32 room[74];
};

#define EPB_OPT_DROP_RAW EPB_OPTION(0x80ff, sizeof(struct epb_drop) - 4)

/*
 * Value of the option 0x8102, whose length is what the comment leaves; behind the last string are
 * zeros. Not known: 0, "".
 */
struct epb_drop_named {
	__u32 reason; /* as above */
	__u32 ifindex;
	__u32 netns;
	/* three strings, each with its 0: reason, place, interface */
};

#define EPB_OPT_DROP_CODE	   0x8102u
#define EPB_OPT_COMMENT_CODE	   1u
#define EPB_OPT_DROP_FUNCTION_CODE 32777u

/*
 * Which socket of the host a frame comes from, or goes to, where that is asked for, at XDP and tc.
 * It is for the application: who writes a file puts something else in its place.
 */
struct epb_socket {
	__u32 option;	  /* EPB_OPT_SOCKET_RAW */
	__u32 how;	  /* EPB_SOCKET_..., maybe with some of the three bits behind these */
	__u32 cookie_low; /* SO_COOKIE of that socket; both 0: there is no socket, or it has none */
	__u32 cookie_high;
};

#define EPB_OPT_SOCKET_RAW EPB_OPTION(0x80fe, sizeof(struct epb_socket) - 4)

/* How that socket was found. What is not said to have a cookie has none. */
#define EPB_SOCKET_UNASKED     0u  /* not looked for: not TCP or UDP, or a later fragment */
#define EPB_SOCKET_NONE	       1u  /* looked for, and there is none */
#define EPB_SOCKET_OWN	       2u  /* sent: still that socket's; dropped: what it lost. Cookie */
#define EPB_SOCKET_ESTABLISHED 3u  /* TCP, with exactly these addresses and ports. Cookie */
#define EPB_SOCKET_REQUEST     4u  /* TCP, not accepted yet. Cookie of the socket that will be */
#define EPB_SOCKET_TIME_WAIT   5u  /* TCP, closed by both ends. Cookie of the socket that was */
#define EPB_SOCKET_LISTENER    6u  /* TCP, a SYN, to an address of the host. Cookie */
#define EPB_SOCKET_CONNECTED   7u  /* UDP, with exactly these addresses and ports. Cookie */
#define EPB_SOCKET_BOUND       8u  /* UDP, to an address of the host, from anybody. Cookie */
#define EPB_SOCKET_MANY	       9u  /* UDP, multicast or broadcast: any number may get it */
#define EPB_SOCKET_FORWARDED   10u /* the address is of none of the host's interfaces */
#define EPB_SOCKET_UNSURE      11u /* as listener or bound, if NAT does not send it elsewhere */

/* SO_REUSEPORT is set: one of several sockets of this port gets the frame, maybe another one. */
#define EPB_SOCKET_SHARES_PORT 0x100u
/* It is the kernel's own, as of NFS and of tunnels: no process holds it. Not known before 6.2, and
 * not said of drops. */
#define EPB_SOCKET_OF_KERNEL 0x200u
/* Nobody has it open: it waits for accept(), or is closed. Of TCP before 6.2 when received alone. */
#define EPB_SOCKET_NOT_OPEN 0x400u
#define EPB_SOCKET_HOW(how) ((how)&0xff)

/*
 * By which lines of the files of addresses and ports a frame was captured, where that is asked for.
 * It is for the application, as epb_socket is.
 */
#define EPB_ENTRY_KINDS 4u
struct epb_entries {
	__u32 option;			/* EPB_OPT_ENTRIES_RAW */
	__u32 line[2][EPB_ENTRY_KINDS]; /* of addresses, of ports; 0: none of this kind */
};

/* hosts= of the source, and of the destination; src-hosts=; dst-hosts=. Of ports alike. */
enum { EPB_ENTRY_BOTH_SOURCE, EPB_ENTRY_BOTH_DESTINATION, EPB_ENTRY_SOURCE, EPB_ENTRY_DESTINATION };
#define EPB_OPT_ENTRIES_RAW EPB_OPTION(0x80fd, sizeof(struct epb_entries) - 4)

/*
 * Of who-others, an array of so many, each at its cookie modulo that: a socket whose frames are
 * left out. The caller writes the cookie, the program counts.
 */
struct epb_other {
	__u64 cookie; /* 0: none */
	__u64 frames; /* left out so far, of all that had this place */
};

#define EPB_OTHERS 65536u

struct epb_end {
	__u32 end_option; /* opt_endofopt: 0 */
	__u32 total_length;
};

#define EPB_PADDED(length) (((length) + 3u) & ~3u)

#endif
