/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#pragma once

/*
 * Exact translation of classic BPF to eBPF. For every frame, the code leaves in r0 the 32-bit value
 * that libpcap's bpf_filter() returns for the frame as it is recorded, except that words of M[]
 * that are read before they are written are 0 (in libpcap 1.10.3 they are undefined).
 *
 * The code is meant to be spliced into a larger program (splice.h). On entry, r1 holds the context;
 * at each BPF_EXIT, r0 holds the result. It clobbers r0-r5, never touches r6-r9, and only uses
 * stack below options.stack_top. It uses no map, and calls only bpf_xdp_load_bytes,
 * bpf_xdp_get_buff_len, bpf_skb_load_bytes and bpf_probe_read_kernel.
 *
 * There is no global state; all functions may run in several threads at once. Functions return 0 or
 * a negative errno; err (may be NULL if errlen is 0) gets one line without newline.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sock_filter; /* linux/filter.h */
struct bpf_insn; /* linux/bpf.h; pcap/bpf.h has another struct of this name: never include both */

/*
 * Maximum size of a whole program including the filter. The kernel allows a million instructions,
 * but does not verify every such program in bearable time: from 6.18 on, the verifier may go over
 * the whole program once more for each branch.
 */
#define FILTER_PROGRAM_MAX 160000u
#define FILTER_MAX_INSNS   (1 << 18)
#define FILTER_STACK_BYTES 120 /* the code uses [stack_top - 120, stack_top) */

enum filter_ctx {
	FILTER_XDP,  /* struct xdp_md */
	FILTER_SKB,  /* struct __sk_buff: tc; with FILTER_LEVEL_HELPER also a socket filter */
	FILTER_BUFF, /* a program that traces an XDP program; the host writes what is below. Only by
			helper */
};

/*
 * FILTER_BUFF: r1 points to these fields, on the host's stack. The frame is in one piece, at a
 * kernel address that only bpf_probe_read_kernel can read.
 */
enum {
	FILTER_BUFF_DATA = 0,	/* u64 */
	FILTER_BUFF_LENGTH = 8, /* u32, as are those below */
	FILTER_BUFF_IFINDEX = 12,
	FILTER_BUFF_QUEUE = 16,
};

/* From fast to slow; the caller tries the next one until the verifier accepts. */
enum filter_level {
	FILTER_LEVEL_FRAGS,  /* direct loads; by helper what is outside of the linear part */
	FILTER_LEVEL_HELPER, /* every load by helper */
};

/* Optimizations that filter_options.disable turns off, for tests and for bisection. */
enum {
	FILTER_NO_SIMPLIFY = 1 << 0, /* constant and copy propagation, dead stores */
	FILTER_NO_HOIST = 1 << 1,    /* one guard for all loads that follow */
	FILTER_NO_RAW = 1 << 2,	     /* comparing in network byte order */
	FILTER_NO_CHAINS = 1 << 3,   /* binary search instead of many comparisons */
	FILTER_NO_BREAK = 1 << 4,    /* shorter side first, for the verifier */
	FILTER_NO_THREAD = 1 << 5,   /* skip comparisons whose outcome is known */
};

/*
 * "The frame as it is recorded": if the kernel keeps a VLAN tag beside the frame, the record has it
 * in place. Bytes 0-11 stay, 12-15 are TPID and TCI, the rest moves by 4, and the length grows by
 * 4. FILTER_SKB looks for the tag at run time. FILTER_XDP accepts tagged frames only if `tagged` is
 * set, and then only those: the host program has two filters and chooses one. Tagged frames have at
 * least 12 bytes. For FILTER_XDP and FILTER_BUFF, bytes from 65535 on do not exist
 * (bpf_xdp_load_bytes ends there, and so do records).
 *
 * With tag_beside, the frame is as a packet socket's filter sees it: without the tag, both in its
 * bytes and in its length; loads of VLAN_TAG and VLAN_TAG_PRESENT return the tag. Otherwise these
 * return 0.
 *
 * A program that jumps backward cannot be translated exactly. It is translated only if `unrolled`
 * says that this is acceptable: for a frame with which bpf_filter() jumps backward more than
 * FILTER_TURNS times, the code returns 0xffffffff, whatever bpf_filter() would return.
 */
#define FILTER_TURNS 8 /* more extension headers than any packet needs */

struct filter_options {
	enum filter_ctx ctx;
	enum filter_level level;
	bool tagged;	   /* FILTER_XDP: see above. FILTER_SKB: ignored */
	bool never_tagged; /* FILTER_SKB: no Ethernet header, leave out the code for tags */
	bool tag_beside;   /* FILTER_SKB: the tag stays beside the frame, see above */
	bool cooked;	   /* FILTER_SKB: loads of PROTOCOL and PKTTYPE read the skb's */
	bool unrolled;	   /* backward jumps are followed FILTER_TURNS times, see above */
	int tag_slot; /* tagged: offset from fp of a u64, TPID << 16 | TCI in host byte order */
	uint32_t direction; /* the value of a PKTTYPE load: PACKET_HOST or PACKET_OUTGOING */
	int stack_top;	    /* multiple of 8 within -392..0 */
	unsigned disable;   /* FILTER_NO_... */
};

struct filter_code {
	struct bpf_insn *insns;
	unsigned len;
	int *origin; /* per instruction: index of the classic instruction that it is for, or -1 */
	unsigned guards; /* comparisons with data_end */
	unsigned chains; /* series of comparisons that became a binary search */
	unsigned raw;	 /* loads that stay in network byte order */
	/*
	 * Number of paths that join, in one form, where something that they may have left in A, X
	 * or M[] is still used. The verifier follows the rest for each of them, and may take
	 * minutes for a few hundred. Lists and rounds do not count.
	 */
	unsigned meets;
};

/*
 * Returns 0 if bpf_filter() can run f without harm, else -EINVAL. Backward jumps within the program
 * are valid: libpcap's protochain has them.
 */
int filter_validate(const struct sock_filter *f, unsigned n, char *err, size_t errlen);

/* Returns the first instruction that jumps backward, or -1. */
int filter_turns_back(const struct sock_filter *f, unsigned n);

/*
 * Returns 0, and the caller frees *code with filter_code_free(). On failure *code is empty:
 * -EINVAL: invalid program or options; -EOPNOTSUPP: valid, but must run in user space (or on
 * another level: err names the reason); -ENOMEM.
 */
int filter_translate(const struct sock_filter *f, unsigned n, const struct filter_options *options,
		     struct filter_code *code, char *err, size_t errlen);

/* Frees what filter_translate() allocated, and empties *code. May be called again. */
void filter_code_free(struct filter_code *code);

/* What libpcap's bpf_image() writes for instruction f[i], without tabs. Valid until the next
 * call. */
typedef const char *filter_text(const struct sock_filter *f, unsigned i);

/* Prints classic instructions and eBPF side by side. Returns 0, or -EIO if writing failed. */
int filter_dump(FILE *out, const struct sock_filter *f, unsigned n, const struct filter_code *code,
		filter_text *classic);

/*
 * Runs f on a frame of which len bytes are there, and wire bytes were on the wire. Returns what
 * bpf_filter() returns, with M[] initially 0. Returns 0 if that would never return, because of
 * backward jumps. f must be valid (filter_validate()), with its ancillary loads removed
 * (filter_lower_user()).
 */
uint32_t filter_run(const struct sock_filter *f, const uint8_t *frame, uint32_t wire, uint32_t len);

/* Programs for cooked links: 16 bytes of LINUX_SLL, or 20 of LINUX_SLL2, precede the packet. */
enum filter_link { FILTER_LINK_OWN = 0, FILTER_LINK_SLL = 16, FILTER_LINK_SLL2 = 20 };

/*
 * Copies in to out (both of n instructions; they may be the same array), changed for an skb that
 * begins with the packet: loads of the header become ancillary loads. Returns 0; or -EOPNOTSUPP
 * with err written: the skb does not have all of that.
 */
int filter_cook_skb(const struct sock_filter *in, unsigned n, enum filter_link link,
		    struct sock_filter *out, char *err, size_t errlen);
/*
 * The same for a frame as recorded, with a LINUX_SLL2 header. The program's verdict counts from its
 * own header, and so must the wire length that it is run with. Returns 0; or -EOPNOTSUPP with err
 * written: a load from LINUX_SLL's header is not exactly one field.
 */
int filter_cook_record(const struct sock_filter *in, unsigned n, enum filter_link link,
		       struct sock_filter *out, char *err, size_t errlen);

/* What user space knows of a frame. */
struct filter_user_facts {
	uint32_t ifindex;
	uint32_t queue;
	uint32_t direction;
	uint32_t tag; /* TPID << 16 | TCI of a tag that is not in the frame's bytes; 0: none */
};

/*
 * Copies in to out (both of n instructions; they may be the same array), with ancillary loads
 * replaced by constants, so that plain bpf_filter() returns for the recorded frame what the kernel
 * side does. Returns 0; or -EOPNOTSUPP if there are loads that neither side can answer:
 * bpf_filter() treats them as out of bounds and rejects, as it always did; out is complete in this
 * case, too.
 */
int filter_lower_user(const struct sock_filter *in, unsigned n,
		      const struct filter_user_facts *facts, struct sock_filter *out);
