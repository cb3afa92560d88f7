/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The options of a capture, for the library's own files.
 *
 * This folder has the table of options, the code that reads their values, and device names. Only
 * names.c asks the kernel anything, which is the list of interfaces.
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
 * Default size of rings in bytes. bench/rings measures what smaller rings lose and larger ones
 * gain.
 */
#define CAPTURE_RING_SIZE_DEFAULT  (16u << 20)
#define CAPTURE_RING_TOTAL_DEFAULT (256u << 20) /* or memory / RING_TOTAL_PART, if that is less */
#define CAPTURE_RING_TOTAL_PART	   16
/* A .buffer up to this size enlarges rings within the total; a larger .buffer may exceed the
 * total. */
#define CAPTURE_BUFFER_WITHIN (64u << 20)
/* What is left of the ring takes records that come while the kept ones are read. */
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
#define CAPTURE_NOT_FLOWS_MAX	  (512u << 10)	    /* their table is in the same map */
#define CAPTURE_SETS_LINES_MAX	  (200u << 20 >> 6) /* of 64 bytes each, for both sets */
#define CAPTURE_QUEUES_MAX	  QUEUES_MAX
#define CAPTURE_PATH_MAX	  256
#define CAPTURE_SOCK_FDS_MAX	  64u
#define CAPTURE_WATCHDOG_DEFAULT  (5 * 1000000000ull)
#define CAPTURE_WATCHDOG_MIN	  (2 * 1000000000ull) /* because an idle reader looks once a second */
#define CAPTURE_WATCHDOG_MAX	  (3600 * 1000000000ull)
#define CAPTURE_WATCHDOG_OFF	  UINT64_MAX

enum capture_hook {
	CAPTURE_HOOK_AUTO,
	CAPTURE_HOOK_XDP = AFXDP_HOOK_XDP,
	CAPTURE_HOOK_TC = AFXDP_HOOK_TC,
	CAPTURE_HOOK_PACKET = AFXDP_HOOK_PACKET,
	/* At the entry and the exit of an attached XDP program: .program, .function. Only the API
	 * offers these two: device names do not, and the loader does not open them. */
	CAPTURE_HOOK_FENTRY,
	CAPTURE_HOOK_FEXIT,
	/* What the host's stack drops. Only the API offers this, too. */
	CAPTURE_HOOK_DROPS,
};
enum capture_engine {
	CAPTURE_ENGINE_TAP,    /* the program copies frames, and the host gets them too */
	CAPTURE_ENGINE_DIVERT, /* the reader gets matching frames, the host does not */
};
enum capture_zero_copy { CAPTURE_ZERO_COPY_AUTO, CAPTURE_ZERO_COPY_ON, CAPTURE_ZERO_COPY_OFF };
/* Will a filter be set after the opening? Then frames are recorded whole until the first read. */
enum capture_follows {
	CAPTURE_FOLLOWS_NOT,
	CAPTURE_FOLLOWS_LATER, /* maybe after privileges were dropped: the loader keeps them */
	CAPTURE_FOLLOWS_AT_ONCE,
};
enum capture_xdp_mode { CAPTURE_XDP_NATIVE, CAPTURE_XDP_SKB };

/*
 * What to open: a member for each option of options.def. Zero means the default, except for ifname.
 */
struct afxdp_options {
	char ifname[IFNAMSIZ];
	enum capture_engine engine;
	enum capture_hook hook;
	enum capture_xdp_mode xdp_mode;
	uint64_t ring_size; /* bytes per CPU, a power of two; 0: 16 MiB within ring_total */
	/* with sockets: bytes of buffers per queue; 0: 16 MiB */
	uint64_t ring_total;  /* bytes for all CPUs or queues; 0: a default, or as much as ring_size
				 takes */
	uint32_t sharers;     /* number of captures that share ring_total; 0: one */
	uint64_t buffer;      /* minimum size of each ring in bytes; 0: none */
	uint64_t pre_trigger; /* bytes of the newest records that each ring keeps while nobody
				 reads; 0: off */
	uint32_t snaplen;     /* bytes to record of each frame */
	/* AFXDP_ANY: only interfaces whose names match one of these patterns, which are separated
	 * by blanks; "": all. */
	char interfaces[CAPTURE_PATTERNS_SIZE];
	bool namespaces; /* AFXDP_ANY: in all network namespaces where the caller opens sockets */
	uint32_t interface_ids[SIDES]; /* the pcapng interface ids of the records */
	bool veth_xdp;		       /* hook=auto chooses XDP on a veth, too */
	bool sent_at_packet;	       /* capture sent frames as they leave, by a packet socket */
	bool no_sent, no_received;     /* do not attach for that direction; at most one is set */
	bool promiscuous;	       /* by PF_PACKET membership, which ends with the capture */
	bool vlan_off;		       /* leave out tags that only the driver can tell */
	bool tags_beside; /* filters see VLAN tags as a packet socket's do, not in the frame */
	bool loader_off;  /* start no loader process: see capture/loader/loader.h */
	/* The first filter. It belongs to the caller, and stays until the capture is open; 0:
	 * none. */
	const struct sock_filter *filter;
	unsigned filter_n;
	enum capture_follows filter_follows; /* record frames whole until the first read */
	bool held;			     /* record nothing before afxdp_gate_open() */
	bool trial;			     /* attach nothing, change nothing about the host */
	bool immediate;			     /* wake the reader for each frame; else */
	uint32_t delay_ms;		     /* when records have waited for this long; 0: 8 ms */
	bool coarse_time;		     /* stamps as of the last tick of the host's clock */
	bool nic_time;	 /* the interface's time stamps, if it has any: afxdp_time() */
	bool nic_synced; /* ... converted to the host's clock */
	bool hash;	 /* record the hash by which the interface chose the receive queue */
	bool join;	 /* at XDP, in a libxdp dispatcher: capture/attach/program/join.h */
	bool warn;	 /* libpcap: afxdp_warning() makes pcap_activate() return PCAP_WARNING */
	/* Divert. The host gets all frames before the first afxdp_run(). */
	enum capture_zero_copy zero_copy;
	uint64_t queues[CAPTURE_QUEUES_MAX / 64]; /* a bit for each queue to divert; no bit: all */
	/* Sockets that are open but not bound, in the order of their queues, and the program: see
	 * borrowed.h. */
	struct sock_fds {
		int fd[CAPTURE_SOCK_FDS_MAX];
		unsigned count; /* 0: none; after a successful open, the capture closes them */
	} sock_fds;
	int prog_fd;	   /* the caller closes it; 0: none */
	bool busy_poll;	   /* the reader polls the driver, instead of interrupts */
	bool after_drop;   /* tap: frames that were captured do not reach the host */
	bool rest_drop;	   /* divert or after_drop: frames that do not match do not reach the host
			      either */
	bool full_pass;	   /* ... but frames that the ring has no room for do */
	uint64_t watchdog; /* ns; 0: CAPTURE_WATCHDOG_DEFAULT; or CAPTURE_WATCHDOG_OFF */
	bool yes;	   /* keep frames from the host even on the default route:
			      capture/attach/default_route.h */
	bool by_ring;	   /* divert: by the rings, because the kernel refused sockets */
	char xdp_obj[CAPTURE_PATH_MAX];	      /* own_program.h; "": none */
	uint32_t program;		      /* FENTRY, FEXIT: the program's id, */
	char function[CAPTURE_FUNCTION_SIZE]; /* ... and a function in its BTF */
	uint32_t verdicts; /* FEXIT: only frames with these verdicts, 1 << XDP_...; 0: all */
	char drop_reasons[CAPTURE_REASONS_SIZE]; /* DROPS: only these, separated by commas; "": all
						  */
	int who_others; /* descriptor of a map of sockets whose frames are left out; 0: none */
	bool entries;	/* records say which lines of the files in sets captured the frame */
	bool who; /* records say which socket of the host a frame belongs to: bpf/socket.bpf.h */
	/* To record less. None of these applies while the kernel records frames whole, or all
	 * frames. */
	uint32_t sample; /* record one of this many matching frames; 0: all */
	struct slice {
		uint32_t depth; /* SLICE_...: keep the headers up to this one */
		uint32_t more;	/* and this many bytes behind it, AFXDP_SNAPLEN_MAX at most */
	} slice;
	uint64_t flow_cutoff; /* record at most this many bytes of frames of each flow; 0: all */
	uint32_t flow_table;  /* number of flows to remember; 0: CAPTURE_FLOWS_DEFAULT */
	/* Files of addresses, then of ports: a frame must have one of their entries, or with the
	 * not- options none. They are in the order of the bits in sets.h; "": none. The process
	 * that opens the capture reads them; the loader only uses the members below. */
	char sets[SETS_FILES][CAPTURE_PATH_MAX];
	char lists[CAPTURE_LISTS_SIZE]; /* names of those options that the application fills by a
					   call; "": none */
	uint32_t sets_max;    /* number of addresses to make room for; 0: as many as there are */
	uint32_t sets_asked;  /* bits of the options that were given */
	uint32_t sets_lines;  /* number of lines of the map for all that they contain */
	uint32_t flows_lines; /* how many of these, at its end, are for flows */
	char not_flows[CAPTURE_PATH_MAX]; /* a file of flows to leave out; "": none */
	uint32_t flows_max; /* room for flows of that file, and of afxdp_flow_stop(); 0:
			       CAPTURE_NOT_FLOWS_DEFAULT, and none */
};

/* For options that another process sent: could a program have set them by name? */
bool options_are_valid(const struct afxdp_options *o);
/* Is the interface AFXDP_ANY: all of them, including those that come later? */
bool options_are_any(const struct afxdp_options *o);
/* Are frames kept from the host? */
bool options_keep_frames(const struct afxdp_options *o);
/* Divert: is an option set that only works with sockets? */
bool options_ask_for_sockets(const struct afxdp_options *o);
/* Says behind a message that an option in it is one of PCAP_AFXDP_OPTIONS: it may be in no name. */
void options_add_environment(char *err, size_t size);
/* Does the option queues= name any queue? */
bool options_name_queues(const struct afxdp_options *o);
/* ns without a reader after which the host gets its frames again; 0: never, or none are kept from
 * it. */
uint64_t options_watchdog(const struct afxdp_options *o);
/*
 * Returns the size in bytes of each of count rings: what the options ask for, else most, reduced as
 * the total requires. memory: bytes of the machine.
 */
uint64_t options_ring_size(const struct afxdp_options *o, unsigned count, uint64_t most,
			   uint64_t memory);
/* Returns 0, or -EINVAL with err written: count rings of this size exceed ring-total=. */
int options_check_total(const struct afxdp_options *o, unsigned count, uint64_t ring_size,
			char *err, size_t size);
/* How many chunks of this many bytes pre_trigger needs in a ring of this size; 0: they do not
 * fit. */
uint32_t options_history_chunks(const struct afxdp_options *o, uint64_t ring_size, uint64_t chunk);
/*
 * Returns 0, or -ENOMEM with err written: what pre_trigger keeps does not fit into a ring, or the
 * rings of all captures that share the total, count in each, take more than half of the memory.
 */
int options_check_history(const struct afxdp_options *o, unsigned count, uint64_t ring_size,
			  bool fits, uint64_t memory, char *err, size_t size);
