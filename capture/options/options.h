/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The options of a capture, for the library's own files.
 *
 * In this folder are the table of options, the reading of values, and device names. Only names.c
 * asks the kernel anything: for the list of interfaces.
 */
#pragma once

#include <linux/types.h>
#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/afxdpcapture.h"
#include "bpf/layout.h"
#include "bpf/sets.h"

/*
 * Bytes of rings without options: bench/rings measures what smaller ones lose and larger ones gain.
 */
#define CAPTURE_RING_SIZE_DEFAULT  (16u << 20)
#define CAPTURE_RING_TOTAL_DEFAULT (256u << 20) /* or memory / RING_TOTAL_PART, if less */
#define CAPTURE_RING_TOTAL_PART	   16
/* A .buffer up to this makes rings larger within the total, a larger one beyond it. */
#define CAPTURE_BUFFER_WITHIN (64u << 20)
/* The rest of the ring is for records that come while the kept ones are read. */
#define CAPTURE_PRE_TRIGGER_MIN	  (1u << 20)
#define CAPTURE_PRE_TRIGGER_MAX	  (RING_SIZE_MAX - CAPTURE_RING_SIZE_DEFAULT)
#define CAPTURE_FUNCTION_SIZE	  128
#define CAPTURE_PATTERNS_SIZE	  256
#define CAPTURE_REASONS_SIZE	  4096
#define CAPTURE_LISTS_SIZE	  128
#define CAPTURE_FLOWS_DEFAULT	  65536u
#define CAPTURE_FLOWS_MIN	  64u
#define CAPTURE_FLOWS_MAX	  (16u << 20)
#define CAPTURE_SETS_MAX	  (2u << 20)
#define CAPTURE_NOT_FLOWS_DEFAULT 65536u
#define CAPTURE_NOT_FLOWS_MAX	  (512u << 10)	    /* their table is in the same map: */
#define CAPTURE_SETS_LINES_MAX	  (200u << 20 >> 6) /* lines of 64 bytes, of both sets */
#define CAPTURE_QUEUES_MAX	  QUEUES_MAX
#define CAPTURE_PATH_MAX	  256
#define CAPTURE_SOCK_FDS_MAX	  64u
#define CAPTURE_WATCHDOG_DEFAULT  (5 * 1000000000ull)
#define CAPTURE_WATCHDOG_MIN	  (2 * 1000000000ull) /* an idle reader looks once a second */
#define CAPTURE_WATCHDOG_MAX	  (3600 * 1000000000ull)
#define CAPTURE_WATCHDOG_OFF	  UINT64_MAX

enum capture_hook {
	CAPTURE_HOOK_AUTO,
	CAPTURE_HOOK_XDP = AFXDP_HOOK_XDP,
	CAPTURE_HOOK_TC = AFXDP_HOOK_TC,
	CAPTURE_HOOK_PACKET = AFXDP_HOOK_PACKET,
	/* Entry and exit of an attached XDP program: .program, .function. For programs: not in
	 * device names, and the loader does not open them. */
	CAPTURE_HOOK_FENTRY,
	CAPTURE_HOOK_FEXIT,
	/* What the host's stack drops. For programs too. */
	CAPTURE_HOOK_DROPS,
};
enum capture_engine {
	CAPTURE_ENGINE_TAP,    /* the program copies frames, and the host gets them too */
	CAPTURE_ENGINE_DIVERT, /* the reader gets matching frames, the host does not */
};
enum capture_zero_copy { CAPTURE_ZERO_COPY_AUTO, CAPTURE_ZERO_COPY_ON, CAPTURE_ZERO_COPY_OFF };
/* Is a filter set after the opening? Then frames are recorded whole until the first read. */
enum capture_follows {
	CAPTURE_FOLLOWS_NOT,
	CAPTURE_FOLLOWS_LATER, /* when privileges may be dropped: the loader keeps them */
	CAPTURE_FOLLOWS_AT_ONCE,
};
enum capture_xdp_mode { CAPTURE_XDP_NATIVE, CAPTURE_XDP_SKB };

/*
 * What to open: a member for each option of options.def. All zero but the name is the default.
 */
struct afxdp_options {
	char ifname[IFNAMSIZ];
	enum capture_engine engine;
	enum capture_hook hook;
	enum capture_xdp_mode xdp_mode;
	uint64_t ring_size; /* bytes per CPU, a power of two; 0: 16 MiB within ring_total; */
	/* with sockets: of buffers per queue; 0: 16 MiB */
	uint64_t ring_total;  /* bytes for all CPUs or queues; 0: a default, or as ring_size asks */
	uint32_t sharers;     /* number of captures that share ring_total; 0: one */
	uint64_t buffer;      /* least bytes of each ring; 0: no such limit */
	uint64_t pre_trigger; /* bytes of the newest records that a ring keeps unread; 0: off */
	uint32_t snaplen;     /* bytes to record of each frame */
	/* AFXDP_ANY: only interfaces whose names match one of these patterns, with blanks in
	 * between; "": all. */
	char interfaces[CAPTURE_PATTERNS_SIZE];
	bool namespaces; /* AFXDP_ANY: in all network namespaces where the caller opens sockets */
	uint32_t interface_ids[SIDES]; /* pcapng interfaces of the records */
	bool veth_xdp;		       /* auto takes XDP on a veth, too */
	bool sent_at_packet;	       /* sent frames as they leave, by a packet socket */
	bool no_sent, no_received;     /* do not attach for that direction; not both */
	bool promiscuous;	       /* by PF_PACKET membership, which ends with the capture */
	bool vlan_off;		       /* leave out tags that only the driver knows */
	bool tags_beside; /* filters see VLAN tags as a packet socket's do, not in the frame */
	bool loader_off;  /* start no loader process: see capture/loader/loader.h */
	/* The filter to begin with, the caller's, until the capture is open; 0: none. */
	const struct sock_filter *filter;
	unsigned filter_n;
	enum capture_follows filter_follows; /* record frames whole until the first read */
	bool held;			     /* record nothing before afxdp_gate_open() */
	bool trial;			     /* attach nothing, change nothing about the host */
	bool immediate;			     /* wake the reader for the first frame; else when */
	uint32_t delay_ms;		     /* records have waited for so long; 0: for 8 ms */
	bool coarse_time;		     /* stamps as of the last tick of the host's clock */
	bool nic_time;	 /* the interface's time stamps, if it has any: afxdp_time() */
	bool nic_synced; /* ... converted to the host's clock */
	bool hash;	 /* record the hash by which the interface chose the queue */
	bool join;	 /* at XDP, in a libxdp dispatcher: capture/attach/program/join.h */
	bool warn;	 /* libpcap: afxdp_warning() makes pcap_activate() return PCAP_WARNING */
	/* Divert. The host gets all frames before the first afxdp_run(). */
	enum capture_zero_copy zero_copy;
	uint64_t queues[CAPTURE_QUEUES_MAX / 64]; /* a bit for each queue to divert; none: all */
	/* Open sockets, unbound, in the order of their queues, and the program: see borrowed.h. */
	struct sock_fds {
		int fd[CAPTURE_SOCK_FDS_MAX];
		unsigned count; /* 0: none; once the capture is open, it closes them */
	} sock_fds;
	int prog_fd;	   /* the caller closes it; 0: none */
	bool busy_poll;	   /* the reader polls the driver, instead of interrupts */
	bool after_drop;   /* tap: frames that were captured do not reach the host */
	bool rest_drop;	   /* divert or after_drop: frames that do not match do not either */
	bool full_pass;	   /* ... but frames reach it that the ring has no room for */
	uint64_t watchdog; /* ns; 0: CAPTURE_WATCHDOG_DEFAULT; ..._OFF */
	bool yes;     /* keep frames even of the default route: capture/attach/default_route.h */
	bool by_ring; /* divert: by the rings, as the kernel refused sockets */
	char xdp_obj[CAPTURE_PATH_MAX];	      /* own_program.h; "": none */
	uint32_t program;		      /* FENTRY, FEXIT: the program's id, */
	char function[CAPTURE_FUNCTION_SIZE]; /* ... and a function in its BTF */
	uint32_t verdicts; /* FEXIT: only frames with these verdicts, 1 << XDP_...; 0: all */
	char drop_reasons[CAPTURE_REASONS_SIZE]; /* DROPS: only these, with commas; "": all */
	int who_others; /* a map of sockets whose frames are left out; 0: none */
	bool entries;	/* records say which lines of the files in sets frames were captured by */
	bool who;	/* records say which socket of the host a frame is of: bpf/socket.bpf.h */
	/* Less than all; but not while the kernel records frames whole, or all of them. */
	uint32_t sample; /* record one of so many matching frames; 0: all */
	struct slice {
		uint32_t depth; /* SLICE_...: keep the headers down to this one, */
		uint32_t more;	/* ... and bytes behind it, AFXDP_SNAPLEN_MAX at most */
	} slice;
	uint64_t flow_cutoff; /* record frames of a flow up to so many bytes; 0: all */
	uint32_t flow_table;  /* number of flows remembered; 0: CAPTURE_FLOWS_DEFAULT */
	/* Files of addresses, then of ports, of which a frame has to have one, or none: by sets.h,
	 * in the order of its bits; "": none. Read by who opens the capture; the loader has what
	 * follows. */
	char sets[SETS_FILES][CAPTURE_PATH_MAX];
	char lists[CAPTURE_LISTS_SIZE]; /* of those, which the application gives; "": none */
	uint32_t sets_max;    /* addresses that there is to be room for; 0: as many as there are */
	uint32_t sets_asked;  /* bits of the files that were given, */
	uint32_t sets_lines;  /* ... and the size of the map that what they have fits in, */
	uint32_t flows_lines; /* ... and lines of that at its end, for flows */
	char not_flows[CAPTURE_PATH_MAX]; /* a file of flows that are left out; "": none */
	uint32_t
		flows_max; /* of it, and of afxdp_flow_stop(); 0: CAPTURE_NOT_FLOWS_DEFAULT, none */
};

/* For options from another process: could a program have set them by name? */
bool options_are_valid(const struct afxdp_options *o);
/* Is it AFXDP_ANY, all interfaces, also those that come later? */
bool options_are_any(const struct afxdp_options *o);
/* Are frames kept from the host? */
bool options_keep_frames(const struct afxdp_options *o);
/* Divert: is an option set that only sockets have? */
bool options_ask_for_sockets(const struct afxdp_options *o);
/* Does the option queues= name some? */
bool options_name_queues(const struct afxdp_options *o);
/* After this many ns without a reader the host gets its frames; 0: never, or none are kept. */
uint64_t options_watchdog(const struct afxdp_options *o);
/*
 * Bytes of each of count rings: what the options ask for, or up to most, as the total allows.
 * memory: bytes of the machine.
 */
uint64_t options_ring_size(const struct afxdp_options *o, unsigned count, uint64_t most,
			   uint64_t memory);
/* -EINVAL with err written: count rings of this size are more than ring-total=. */
int options_check_total(const struct afxdp_options *o, unsigned count, uint64_t ring_size,
			char *err, size_t size);
/* Chunks, of so many bytes, of a ring of this size that pre_trigger bytes need; 0: they do not fit.
 */
uint32_t options_history_chunks(const struct afxdp_options *o, uint64_t ring_size, uint64_t chunk);
/*
 * -ENOMEM with err written: what pre_trigger keeps does not fit into a ring, or count rings of each
 * of the captures that share the total take more than half of the memory.
 */
int options_check_history(const struct afxdp_options *o, unsigned count, uint64_t ring_size,
			  bool fits, uint64_t memory, char *err, size_t size);
