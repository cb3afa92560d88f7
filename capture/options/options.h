/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The options of a capture, as the library has them inside.
 *
 * What lives in this folder: the table of options, how a value of each kind is read, device names.
 * Nothing here asks the system for anything.
 */
#ifndef PCAP_AFXDP_CAPTURE_OPTIONS_H
#define PCAP_AFXDP_CAPTURE_OPTIONS_H

#include <linux/types.h>
#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "bpf/layout.h"

/*
 * A capture that nobody has sized: bench/rings shows what smaller rings lose and larger ones gain.
 */
#define CAPTURE_RING_SIZE_DEFAULT  (16u << 20)
#define CAPTURE_RING_TOTAL_DEFAULT (256u << 20) /* or this part of the memory, if that is less: */
#define CAPTURE_RING_TOTAL_PART	   16
/* A buffer of up to this raises rings within the total, a larger one whatever that is. */
#define CAPTURE_BUFFER_WITHIN (64u << 20)
/* Of a ring that keeps the newest, the rest is for what comes while these are read. */
#define CAPTURE_PRE_TRIGGER_MIN	 (1u << 20)
#define CAPTURE_PRE_TRIGGER_MAX	 (RING_SIZE_MAX - CAPTURE_RING_SIZE_DEFAULT)
#define CAPTURE_FUNCTION_SIZE	 128
#define CAPTURE_PATTERNS_SIZE	 256
#define CAPTURE_REASONS_SIZE	 4096
#define CAPTURE_FLOWS_DEFAULT	 65536u
#define CAPTURE_FLOWS_MIN	 64u
#define CAPTURE_FLOWS_MAX	 (16u << 20)
#define CAPTURE_QUEUES_MAX	 QUEUES_MAX
#define CAPTURE_PATH_MAX	 256
#define CAPTURE_SOCK_FDS_MAX	 64u
#define CAPTURE_WATCHDOG_DEFAULT (5 * 1000000000ull)
#define CAPTURE_WATCHDOG_MIN	 (2 * 1000000000ull) /* an idle reader looks once a second */
#define CAPTURE_WATCHDOG_MAX	 (3600 * 1000000000ull)
#define CAPTURE_WATCHDOG_OFF	 UINT64_MAX

enum capture_hook {
	CAPTURE_HOOK_AUTO,
	CAPTURE_HOOK_XDP,
	CAPTURE_HOOK_TC,
	CAPTURE_HOOK_PACKET,
	/* Entry and exit of an XDP program that is there already: .program, .function. No device
	 * name has them, and no loader opens them. */
	CAPTURE_HOOK_FENTRY,
	CAPTURE_HOOK_FEXIT,
	/* What the host's stack drops. As the former: for programs alone. */
	CAPTURE_HOOK_DROPS,
};
enum capture_engine {
	CAPTURE_ENGINE_TAP,    /* the program copies frames, and the host gets them too */
	CAPTURE_ENGINE_DIVERT, /* what matches is the reader's in place of the host's */
};
enum capture_zero_copy { CAPTURE_ZERO_COPY_AUTO, CAPTURE_ZERO_COPY_ON, CAPTURE_ZERO_COPY_OFF };
/* Does a filter follow the opening? Then frames are kept whole until the first read. */
enum capture_follows {
	CAPTURE_FOLLOWS_NOT,
	CAPTURE_FOLLOWS_LATER, /* when the privilege may be gone: the loader keeps it */
	CAPTURE_FOLLOWS_AT_ONCE,
};
enum capture_xdp_mode { CAPTURE_XDP_NATIVE, CAPTURE_XDP_SKB };

/*
 * What to open: a member for each option of options.def. All zero but the name is a sound default.
 */
struct afxdp_options {
	char ifname[IFNAMSIZ];
	enum capture_engine engine;
	enum capture_hook hook;
	enum capture_xdp_mode xdp_mode;
	uint64_t ring_size; /* bytes per CPU, a power of two; 0: 16 MiB within ring_total; */
	/* with sockets: of buffers per queue; 0: 16 MiB */
	uint64_t ring_total;  /* bytes for all CPUs or queues; 0: a default, or as ring_size asks */
	uint32_t sharers;     /* so many captures share the total; 0: one */
	uint64_t buffer;      /* rings of no less than this; 0: as above */
	uint64_t pre_trigger; /* bytes that each keeps of what nobody has read yet; 0: it is full */
	uint32_t snaplen;     /* bytes to keep of each frame */
	/* AFXDP_ANY: those that one of these patterns, with blanks in between, has; "": all. */
	char interfaces[CAPTURE_PATTERNS_SIZE];
	bool namespaces; /* AFXDP_ANY: of all network namespaces that the caller opens sockets in */
	uint32_t interface_ids[SIDES]; /* pcapng interfaces the records will name */
	bool in_only, out_only;	       /* do not attach for the other direction; not both */
	bool promiscuous;	       /* by PF_PACKET membership, which ends with the capture */
	bool vlan_off;	  /* leave out tags that only a program bound to the device can have */
	bool tags_beside; /* filters see VLAN tags as a packet socket's do, not in the frame */
	bool loader_off;  /* start no loader process: see capture/loader/loader.h */
	enum capture_follows filter_follows; /* keep frames whole until the first read */
	bool trial;			     /* attach nothing, change nothing about the host */
	bool immediate;			     /* wake the reader for the first frame, not by timer */
	bool coarse_time;		     /* stamps as of the last tick of the host's clock */
	bool nic_time;	 /* the interface's time stamps, where it has any: afxdp_time() */
	bool nic_synced; /* ... converted to the host's clock */
	bool hash;	 /* record the hash by which the interface chose the queue */
	bool join;	 /* at XDP, as one of a libxdp dispatcher's: capture/attach/join.h */
	bool warn;	 /* libpcap: afxdp_warning() as a status, not as a message alone */
	/* Divert. Nothing is kept from the host before the first afxdp_run(). */
	enum capture_zero_copy zero_copy;
	uint64_t queues[CAPTURE_QUEUES_MAX / 64]; /* a bit for each to divert; none: all */
	/* Open sockets, unbound, in the order of their queues, and the program: see borrowed.h. */
	struct sock_fds {
		int fd[CAPTURE_SOCK_FDS_MAX];
		unsigned count; /* 0: none; once it is open they are the capture's to close */
	} sock_fds;
	int prog_fd;	   /* not to close; 0: none */
	bool busy_poll;	   /* the reader drives the driver, in place of interrupts */
	bool after_drop;   /* tap: frames that were captured do not reach the host */
	bool rest_drop;	   /* with divert or after_drop: nor do those that the filter rejects */
	bool full_pass;	   /* ... but those do for which the ring has no room */
	uint64_t watchdog; /* ns; 0: CAPTURE_WATCHDOG_DEFAULT; ..._OFF */
	bool yes;	   /* ... also where the default route is: capture/attach/default_route.h */
	bool by_ring;	   /* divert: by the rings, as sockets were refused, or may not be had */
	char xdp_obj[CAPTURE_PATH_MAX];	      /* own_program.h; "": none */
	uint32_t program;		      /* FENTRY, FEXIT: the program's id, */
	char function[CAPTURE_FUNCTION_SIZE]; /* ... a function of it, by its BTF */
	uint32_t verdicts; /* FEXIT: only frames it returned these for, 1 << XDP_...; 0: all */
	char drop_reasons[CAPTURE_REASONS_SIZE]; /* DROPS: only these, with commas; "": all */
	/* Less than all; not for frames that the kernel keeps whole or could not filter. */
	uint32_t sample; /* record one of so many matching frames; 0: all */
	struct slice {
		uint32_t depth; /* SLICE_...: keep the headers down to this one, */
		uint32_t more;	/* ... and bytes behind it, AFXDP_SNAPLEN_MAX at most */
	} slice;
	uint64_t flow_cutoff; /* keep the frames of a flow until they have had so many bytes */
	uint32_t flow_table;  /* flows remembered; 0: CAPTURE_FLOWS_DEFAULT */
};

/* Are these options that a program could have set by name? For some that come from elsewhere. */
bool options_are_valid(const struct afxdp_options *o);
/* All interfaces, and those that are yet to come. */
bool options_are_any(const struct afxdp_options *o);
/* Are frames kept from the host? */
bool options_keep_frames(const struct afxdp_options *o);
/* Divert: by sockets, whatever they cost? */
bool options_ask_for_sockets(const struct afxdp_options *o);
/* Are there queues that are not to be diverted? */
bool options_name_queues(const struct afxdp_options *o);
/* After so many ns that nobody read the host gets its frames; 0: never. */
uint64_t options_watchdog(const struct afxdp_options *o);
/*
 * Bytes of each of count rings: what was asked for, else as much as the total allows, most at most.
 * memory: bytes that the machine has.
 */
uint64_t options_ring_size(const struct afxdp_options *o, unsigned count, uint64_t most,
			   uint64_t memory);
/* Chunks of a ring of this size that keep pre_trigger bytes; 0: they do not fit. */
uint32_t options_history_chunks(const struct afxdp_options *o, uint64_t ring_size);

#endif
