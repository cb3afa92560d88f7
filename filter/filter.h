/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/*
 * Classic BPF to eBPF, exact: for every frame the code made here leaves the 32-bit value in r0 that
 * libpcap's bpf_filter() returns for the frame as it is recorded, except that M[] words read before
 * they are written are 0 (they are garbage in libpcap 1.10.3).
 *
 * The code is meant to be spliced into a larger program (splice.h): r1 holds the context on entry,
 * r0 the result at each BPF_EXIT, r0-r5 are clobbered, r6-r9 never touched, the stack is used below
 * options.stack_top only, no map and no call but bpf_xdp_load_bytes, bpf_xdp_get_buff_len,
 * bpf_skb_load_bytes and bpf_probe_read_kernel is used.
 *
 * Nothing here keeps global state; all functions may run on several threads at once. Functions
 * return 0 or a negative errno; err (may be NULL if errlen is 0) receives one line without newline.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sock_filter; /* linux/filter.h */
struct bpf_insn; /* linux/bpf.h; pcap/bpf.h has another struct of this name: never include both */

/*
 * What a whole program may have with the filter in it. The kernel allows a million, but not every
 * one of that length in bearable time: from 6.18 on the verifier may go over the whole once more
 * for each branch.
 */
#define FILTER_PROGRAM_MAX 160000u
#define FILTER_MAX_INSNS   (1 << 18)
#define FILTER_STACK_BYTES 120 /* the code uses [stack_top - 120, stack_top) */

enum filter_ctx {
	FILTER_XDP,  /* struct xdp_md */
	FILTER_SKB,  /* struct __sk_buff: tc, or with FILTER_LEVEL_HELPER a socket filter as well */
	FILTER_BUFF, /* tracing an XDP program: what the host wrote as below. By helper only */
};

/*
 * FILTER_BUFF: r1 points to these, on the host's stack. The frame is all in one piece, at an
 * address of the kernel's that only bpf_probe_read_kernel reads from.
 */
enum {
	FILTER_BUFF_DATA = 0,	/* u64 */
	FILTER_BUFF_LENGTH = 8, /* u32, as the following */
	FILTER_BUFF_IFINDEX = 12,
	FILTER_BUFF_QUEUE = 16,
};

/* From fast to slow; the caller goes down until the verifier accepts. */
enum filter_level {
	FILTER_LEVEL_FRAGS,  /* direct loads, and by helper what lies outside the linear part */
	FILTER_LEVEL_HELPER, /* every load by helper */
};

/* Optimisations that filter_options.disable switches off, for tests and for bisection. */
enum {
	FILTER_NO_SIMPLIFY = 1 << 0, /* constant and copy propagation, dead stores */
	FILTER_NO_HOIST = 1 << 1,    /* one guard for the loads that follow */
	FILTER_NO_RAW = 1 << 2,	     /* comparing in network byte order */
	FILTER_NO_CHAINS = 1 << 3,   /* binary search in place of many comparisons */
	FILTER_NO_BREAK = 1 << 4,    /* short side first, for the verifier's pending branches */
	FILTER_NO_THREAD = 1 << 5,   /* no comparison whose outcome is known */
};

/*
 * The frame as recorded: where the kernel keeps a VLAN tag beside the frame, the record has it in
 * place. Bytes 0-11 stay, 12-15 are TPID and TCI, what follows moves by 4, and so does the length.
 * FILTER_SKB looks for the tag at run time. FILTER_XDP takes tagged frames only if `tagged` is set,
 * and then only such frames: the host program branches between two filters. Tagged frames have 12
 * bytes at least. Under FILTER_XDP and FILTER_BUFF bytes from 65535 on do not exist
 * (bpf_xdp_load_bytes ends there and so do records).
 *
 * With tag_beside the frame is what a packet socket's filter has: without the tag, neither in its
 * bytes nor in its length; loads of VLAN_TAG and VLAN_TAG_PRESENT give it. Else these give 0.
 *
 * A program that jumps backward is not exact, and translated only if `unrolled` says that this will
 * do: for a frame with which bpf_filter() jumps backward more than FILTER_TURNS times, the code
 * gives 0xffffffff, whatever that one would give.
 */
#define FILTER_TURNS 8 /* more extension headers than any packet has a reason for */

struct filter_options {
	enum filter_ctx ctx;
	enum filter_level level;
	bool tagged;	    /* FILTER_XDP: see above. FILTER_SKB: ignored */
	bool never_tagged;  /* FILTER_SKB: no Ethernet header, leave out the code for tags */
	bool tag_beside;    /* FILTER_SKB: the tag stays beside the frame, see below */
	bool cooked;	    /* FILTER_SKB: loads of PROTOCOL and PKTTYPE are the skb's */
	bool unrolled;	    /* backward jumps are followed FILTER_TURNS times, see above */
	int tag_slot;	    /* tagged: fp offset of a u64, TPID << 16 | TCI in host byte order */
	uint32_t direction; /* what a PKTTYPE load gives: PACKET_HOST or PACKET_OUTGOING */
	int stack_top;	    /* multiple of 8 within -392..0 */
	unsigned disable;   /* FILTER_NO_... */
};

struct filter_code {
	struct bpf_insn *insns;
	unsigned len;
	int *origin;	 /* per instruction: index of the classic one it was made for, or -1 */
	unsigned guards; /* comparisons with data_end */
	unsigned chains; /* runs of comparisons that became a binary search */
	unsigned raw;	 /* loads left in network byte order */
	/*
	 * Ways that meet, in one form, where something that they may have left in A, X or M[] is
	 * still in use. A verifier follows what comes behind for each, and may take minutes for a
	 * few hundred. Lists and rounds have none.
	 */
	unsigned meets;
};

/*
 * 0 if bpf_filter() may run f without harm, else -EINVAL. Backward jumps within the program are
 * valid: libpcap's protochain has them.
 */
int filter_validate(const struct sock_filter *f, unsigned n, char *err, size_t errlen);

/* The first instruction that jumps backward, or -1. */
int filter_turns_back(const struct sock_filter *f, unsigned n);

/*
 * -EINVAL: invalid program or options. -EOPNOTSUPP: valid, but has to run in user space (or on
 * another level: err names the reason). -ENOMEM. On success the caller frees with
 * filter_code_free(); on failure *code is empty.
 */
int filter_translate(const struct sock_filter *f, unsigned n, const struct filter_options *options,
		     struct filter_code *code, char *err, size_t errlen);

/* Frees what filter_translate() allocated and empties *code. May be called again. */
void filter_code_free(struct filter_code *code);

/* What libpcap's bpf_image() says of instruction f[i], without tabs. Valid until the next call. */
typedef const char *filter_text(const struct sock_filter *f, unsigned i);

/* Classic and eBPF side by side. 0, or -EIO if out refused. */
int filter_dump(FILE *out, const struct sock_filter *f, unsigned n, const struct filter_code *code,
		filter_text *classic);

/*
 * f on a frame of len bytes, wire on the wire; what bpf_filter() returns, with M[] all 0 at first.
 * 0 where that one would never return: backward jumps may go round for ever.
 * f is valid (filter_validate()), and its ancillary loads are gone (filter_lower_user()).
 */
uint32_t filter_run(const struct sock_filter *f, const uint8_t *frame, uint32_t wire, uint32_t len);

/*
 * Programs for cooked links: 16 bytes of LINUX_SLL, or 20 of LINUX_SLL2, in front of the packet.
 */
enum filter_link { FILTER_LINK_OWN = 0, FILTER_LINK_SLL = 16, FILTER_LINK_SLL2 = 20 };

/*
 * Copies in to out (both n long; they may be the same array) for an skb that begins with the
 * packet: what the header has becomes ancillary loads. -EOPNOTSUPP with err written: not all of
 * that is there.
 */
int filter_cook_skb(const struct sock_filter *in, unsigned n, enum filter_link link,
		    struct sock_filter *out, char *err, size_t errlen);
/*
 * The same for a frame as recorded, with a header of LINUX_SLL2. The program's verdict counts from
 * its own header, and so does the wire length that it is to be given. -EOPNOTSUPP with err written:
 * a load of LINUX_SLL's header that is not one field of it.
 */
int filter_cook_record(const struct sock_filter *in, unsigned n, enum filter_link link,
		       struct sock_filter *out, char *err, size_t errlen);

/* What is known of a frame in user space. */
struct filter_user_facts {
	uint32_t ifindex;
	uint32_t queue;
	uint32_t direction;
	uint32_t tag; /* TPID << 16 | TCI of a tag that is not in the bytes given; 0: none */
};

/*
 * Copies in to out (both n long; they may be the same array) with the ancillary loads as constants,
 * so that plain bpf_filter() gives for the recorded frame what the kernel side gives. 0, or
 * -EOPNOTSUPP if loads remain that neither side can answer: bpf_filter() treats those as out of
 * bounds and rejects, as it always did; out is complete all the same.
 */
int filter_lower_user(const struct sock_filter *in, unsigned n,
		      const struct filter_user_facts *facts, struct sock_filter *out);
