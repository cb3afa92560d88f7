/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The capture engine in user space: opens a capture on one interface, hands out the records that
 * the program in the kernel wrote (bpf/record.h), merged by time, and sleeps when there are none.
 *
 * All calls return 0 or a positive answer where they say so, and -errno on failure. Where a call
 * takes err, it writes there one sentence that says what to do, for a user to read. A capture is
 * used by one thread at a time; capture_wake() alone may be called from anywhere.
 */
#ifndef PCAP_AFXDP_CAPTURE_H
#define PCAP_AFXDP_CAPTURE_H

#include <linux/types.h>
#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

#define CAPTURE_PREFIX		   "xdp:" /* of device names */
#define CAPTURE_ERROR_SIZE	   512	  /* room for any err text */
#define CAPTURE_RING_SIZE_DEFAULT  (64u << 20)
#define CAPTURE_RING_TOTAL_DEFAULT (256u << 20)
#define CAPTURE_SNAPLEN_MAX	   262144 /* libpcap's MAXIMUM_SNAPLEN */
#define CAPTURE_FUNCTION_SIZE	   128
#define CAPTURE_FLOWS_DEFAULT	   65536u
#define CAPTURE_FLOWS_MIN	   64u
#define CAPTURE_FLOWS_MAX	   (16u << 20)

struct sock_filter;
struct capture;

#define CAPTURE_QUEUES_MAX   256u
#define CAPTURE_PATH_MAX     256
#define CAPTURE_SOCK_FDS_MAX 64u

/* All else is hidden, so that inside libpcap no names clash. */
#pragma GCC visibility push(default)

enum capture_hook {
	CAPTURE_HOOK_AUTO,
	CAPTURE_HOOK_XDP,
	CAPTURE_HOOK_TC,
	CAPTURE_HOOK_PACKET,
	/* Entry and exit of an XDP program that is there already: .program, .function. No device
	 * name has them, and no loader opens them. */
	CAPTURE_HOOK_FENTRY,
	CAPTURE_HOOK_FEXIT,
};
enum capture_engine {
	CAPTURE_ENGINE_TAP,    /* the program copies frames, and the host gets them too */
	CAPTURE_ENGINE_DIVERT, /* what matches goes to AF_XDP sockets in place of the host */
};
enum capture_zero_copy { CAPTURE_ZERO_COPY_AUTO, CAPTURE_ZERO_COPY_ON, CAPTURE_ZERO_COPY_OFF };
/* Where the filter runs, from fast to slow. */
enum capture_rung {
	CAPTURE_RUNG_NONE,   /* no filter was set */
	CAPTURE_RUNG_FRAGS,  /* in the kernel, on the frame in place */
	CAPTURE_RUNG_HELPER, /* in the kernel, each load by helper: the verifier refused the former
			      */
	CAPTURE_RUNG_USER,   /* in user space, on every frame */
};
enum capture_xdp_mode { CAPTURE_XDP_NATIVE, CAPTURE_XDP_SKB };

/* What to open. All zero but the name is a sound default; snaplen 0 is the maximum. */
struct capture_options {
	char ifname[IFNAMSIZ];
	enum capture_engine engine;
	enum capture_hook hook;
	enum capture_xdp_mode xdp_mode;
	uint64_t ring_size;  /* bytes per CPU, a power of two; 0: 64 MiB within ring_total; */
			     /* divert: of buffers per queue; 0: 16 MiB */
	uint64_t ring_total; /* bytes for all CPUs or queues; 0: 256 MiB, or what ring_size asks for
			      */
	uint32_t snaplen;    /* bytes to keep of each frame */
	uint32_t interface_ids[SIDES]; /* pcapng interfaces the records will name */
	bool in_only, out_only;	       /* do not attach for the other direction; not both */
	bool promiscuous;	       /* by PF_PACKET membership, which ends with the capture */
	bool vlan_off;	     /* leave out tags that only a program bound to the device is told */
	bool loader_off;     /* start no loader process: see capture/loader.h */
	bool filter_follows; /* keep frames whole until the first read: a filter may need them */
	bool immediate;	     /* wake the reader for the first frame, not by timer */
	bool coarse_time;    /* stamps as of the last tick of the host's clock */
	bool nic_time;	     /* the interface's time stamps, where it has any: capture_time() */
	bool nic_synced;     /* ... converted to the host's clock */
	bool hash;	     /* record the hash by which the interface chose the queue */
	bool join;	     /* at XDP, as one of a libxdp dispatcher's: capture/join.h */
	/* Divert. Nothing is kept from the host before the first capture_run(). */
	enum capture_zero_copy zero_copy;
	uint64_t queues[CAPTURE_QUEUES_MAX / 64]; /* a bit for each to divert; none: all */
	/* Open sockets, unbound, in the order of their queues, and the program: see passed.h. */
	int sock_fds[CAPTURE_SOCK_FDS_MAX];
	unsigned sock_fd_count; /* 0: none; once it is open they are the capture's to close */
	int prog_fd;		/* not to close; 0: none */
	bool busy_poll;		/* the reader drives the driver, in place of interrupts */
	bool after_drop;	/* tap: frames that were captured do not reach the host */
	bool rest_drop; /* with divert or after_drop: nor do those that the filter rejects */
	char xdp_obj[CAPTURE_PATH_MAX];	      /* own_program.h; "": none */
	uint32_t program;		      /* FENTRY, FEXIT: the program's id, */
	char function[CAPTURE_FUNCTION_SIZE]; /* ... a function of it, by its BTF */
	uint32_t verdicts; /* FEXIT: only frames it returned these for, 1 << XDP_...; 0: all */
	/* Less than all; not for frames that the kernel keeps whole or could not filter. */
	uint32_t sample;      /* of the frames that the filter takes one of so many; 0: all */
	uint32_t slice;	      /* SLICE_...: keep the headers down to this one, */
	uint32_t slice_more;  /* ... and bytes behind it, CAPTURE_SNAPLEN_MAX at most */
	uint64_t flow_cutoff; /* keep the frames of a flow until they have had so many bytes */
	uint32_t flow_table;  /* flows remembered; 0: CAPTURE_FLOWS_DEFAULT */
};

/*
 * Take a device name apart: "xdp:IFACE[,option=value]...", with or without the prefix. Defaults
 * come from the environment variable PCAP_AFXDP_OPTIONS (option=value[,...]). -EINVAL with err
 * written for an unknown option or value, -ENODEV for a name no interface can have.
 */
int capture_parse_device(const char *device, struct capture_options *o, char *err, size_t size);

/* Are these options that capture_parse_device() could have made? For some that come from elsewhere.
 */
bool capture_options_valid(const struct capture_options *o);

/*
 * Open a capture: checks the interface, loads and attaches the program. -ENODEV: no such interface;
 * -ENETDOWN: it is down; -EPERM: a capability is missing; -EOPNOTSUPP: no XDP there; -EBUSY: the
 * hook is somebody else's; -ENOENT: the traced program has no such function; -ENOMEM: the rings do
 * not fit; others as they come.
 */
int capture_open(struct capture **c, const struct capture_options *o, char *err, size_t size);

/* Take the programs off the interface: nothing comes any more, what has come can still be read. */
void capture_stop(struct capture *c);
/* Detach and free; NULL is allowed. Nothing of the capture stays in the system. */
void capture_close(struct capture *c);

/* A sentence on what this capture will not see or will cost, or NULL. The capture keeps it. */
const char *capture_warning(const struct capture *c);

/* The hooks in use, for a user to read: "xdp, and tc for sent frames". */
const char *capture_hooks(const struct capture *c);
/* For engine=divert, "4 queues, zero-copy"; else NULL. The capture keeps it. */
const char *capture_sockets(const struct capture *c);
/* Could a capture of this device, named as for capture_parse_device(), have .nic_time, .nic_synced?
 */
bool capture_offers_nic_time(const char *device, bool synced);
/* It was asked for and is to be had; if it is not to be had, capture_warning() says why. */
bool capture_has_nic_time(const struct capture *c);
/*
 * When a record was received: ns since 1970, or by the interface's clock where that was asked for
 * and is to be had. Of those without a stamp of the interface it is the host's: see nic_time.h.
 */
uint64_t capture_time(struct capture *c, const struct epb_header *r);
/* Frames begin with an Ethernet header; else they are raw IP packets (tun and the like). */
bool capture_has_link_header(const struct capture *c);
/*
 * Which directions to capture; both at first. Takes effect at once, without privilege; records
 * queued before are handed out all the same: see the flags in epb_options().
 */
void capture_set_directions(struct capture *c, bool in, bool out);

/*
 * Records that lie behind each other in memory, oldest first. Walk them with
 *	for (r = run.first; capture_run_has(&run, r); r = epb_next(r))
 * then tell capture_run_done() where you stopped. Pointers stay good until the next capture_run().
 */
struct capture_run {
	const struct epb_header *first;
	const uint8_t *end;   /* no record starts here or beyond */
	uint64_t until;	      /* ns: later ones wait for those of another ring */
	bool refine;	      /* the kernel took too much: ask capture_refine() for each */
	void *const *changed; /* a new filter waits: leave the rest of the run */
	unsigned ring;
};

/* 1: *run has at least one record; 0: none is ready. Frees the records of the run before. */
int capture_run(struct capture *c, struct capture_run *run);
/* The same, of what was there when capture_run() last looked at the rings. */
int capture_run_seen(struct capture *c, struct capture_run *run);
/*
 * Where all that was seen is read, and the last look at the rings is less than 4 ms ago, or a
 * shorter time where bytes come fast: sleep for the rest of it, and no longer than timeout_ms where
 * that is above 0; not in immediate mode, and not when a ring was half full. Who looks again at
 * once runs close behind the capture program, and both wait for each other's cache lines: of
 * 64-byte frames flat out that is 200 ns per frame for the reader and 30 for the program.
 */
void capture_gather(struct capture *c, int timeout_ms);
/* Records before next (which may be run->first, or the end) are done with. */
void capture_run_done(struct capture *c, const struct capture_run *run,
		      const struct epb_header *next);

static inline uint64_t epb_time(const struct epb_header *r)
{
	return (uint64_t)r->time_high << 32 | r->time_low;
}

static inline const struct epb_header *epb_next(const struct epb_header *r)
{
	return (const void *)((const uint8_t *)r + r->total_length);
}

static inline const uint8_t *epb_frame(const struct epb_header *r)
{
	return (const uint8_t *)(r + 1);
}

static inline const struct epb_options *epb_options(const struct epb_header *r)
{
	return (const void *)(epb_frame(r) + EPB_PADDED(r->caplen));
}

static inline bool epb_is_sent(const struct epb_header *r)
{
	return epb_options(r)->flags & EPB_FLAG_OUTBOUND;
}

static inline bool capture_run_has(const struct capture_run *run, const struct epb_header *r)
{
	return (const uint8_t *)r < run->end && epb_time(r) <= run->until &&
	       !__atomic_load_n(run->changed, __ATOMIC_RELAXED);
}

/*
 * The filter. The kernel runs it where it can, user space where it must; an empty program (n = 0)
 * takes everything. From the return on, no record is handed out that the filter rejects, those
 * queued before included. May be called from any thread, also while another reads. -EINVAL with err
 * written for a program that is not valid. Where frames are kept from the host, the kernel has to
 * run it, as nobody else could pass the others on: -EOPNOTSUPP with err written.
 */
int capture_set_filter(struct capture *c, const struct sock_filter *f, unsigned n, char *err,
		       size_t size);
/* Where the filter runs, and in one line for a user who does it, and why not better. */
enum capture_rung capture_filter_rung(const struct capture *c);
const char *capture_filter_text(const struct capture *c);
/* libbpf's and the verifier's words at the last refusal, or NULL. The capture keeps them. */
const char *capture_filter_log(const struct capture *c);
/* Bytes to keep of a record in a run with .refine set; 0: not wanted. At most its caplen. */
uint32_t capture_refine(struct capture *c, const struct epb_header *r);

/*
 * Sleep until there may be records, capture_wake() was called, or timeout_ms have passed (-1: no
 * limit). 0: look; -ETIME: the time is up; -EINTR: a signal; -ENODEV: the interface has
 * disappeared; -ENOLINK: our program was detached by somebody else.
 */
int capture_wait(struct capture *c, int timeout_ms);
/* For who does not wait: is all well with the interface? 0, or errors as capture_wait() has. */
int capture_poll(struct capture *c);
/* Call at the end of a round of reading: makes capture_fd() readable just when there is more. */
void capture_rest(struct capture *c);
/* For select(), poll(), epoll: one descriptor for all rings. Belongs to the capture. */
int capture_fd(const struct capture *c);
/* Make a capture_wait(), now or next, return at once. Safe in signal handlers and other threads. */
void capture_wake(struct capture *c);
/* Whether capture_wait() will be used; without it, one descriptor less is held. */
int capture_set_blocking(struct capture *c, bool blocking);

/*
 * One ring of a capture, the ring of a CPU or with engine=divert the socket of a queue, for a
 * thread of its own: no record waits for those of other rings, and their order is who reads them
 * all's to restore. Instead of capture_run(), capture_wait() and the rest of reading. The filter
 * stays the one that is set when the first part begins. A part is used by one thread, but
 * capture_part_wake() by any; opening, beginning and closing are for the thread that has the
 * capture.
 */
struct capture_part;
/* How many there are; they are numbered from 0. */
unsigned capture_parts(const struct capture *c);
/* -errno. To be closed before the capture is. */
int capture_part_open(struct capture_part **p, struct capture *c, unsigned number);
void capture_part_close(struct capture_part *p);
/* The CPU whose ring it is; -1: it is the socket of a queue. */
int capture_part_cpu(const struct capture_part *p);
/* The receive queue, of a socket. */
unsigned capture_part_queue(const struct capture_part *p);
/* Reading may begin: frames may be kept from the host from here on. */
void capture_part_begin(struct capture_part *p);
/* As the calls of a whole capture, of this ring alone. */
int capture_part_run(struct capture_part *p, struct capture_run *run);
void capture_part_run_done(struct capture_part *p, const struct capture_run *run,
			   const struct epb_header *next);
uint32_t capture_part_refine(struct capture_part *p, const struct epb_header *r);
uint64_t capture_part_time(struct capture_part *p, const struct epb_header *r);
int capture_part_wait(struct capture_part *p, int timeout_ms);
void capture_part_wake(struct capture_part *p);
/*
 * What has capture_fd(), in another thread, become readable for? To be called then, and once a
 * second: wakes parts whose ring has something. 0, or errors as capture_wait() has.
 */
int capture_parts_attend(struct capture *c);

/* Since the capture was opened. Readable without privilege. */
struct capture_stats {
	uint64_t offered;	/* frames the program saw */
	uint64_t matched;	/* of these, taken by the filter in the kernel */
	uint64_t lost_full;	/* matched, no room in the ring */
	uint64_t lost_copy;	/* matched, the kernel could not copy it */
	uint64_t lost_reentry;	/* came while the ring was being written (PREEMPT_RT) */
	uint64_t lost_no_ring;	/* came on a CPU that was not online when the capture was opened */
	uint64_t refused;	/* matched in the kernel, rejected by the filter in user space */
	uint64_t sampled_out;	/* matched, but not one of the sample */
	uint64_t cut_frames;	/* matched, but of a flow that has had its bytes: so many frames */
	uint64_t cut_bytes;	/* ... of so many bytes */
	uint64_t no_socket;	/* matched, but its queue has no socket: the host has it */
	uint64_t lost_socket;	/* matched, the socket had no buffer for it, or no room */
	uint64_t lost_redirect; /* ... the kernel did not bring it there; known at the end */
	uint64_t fill_empty;	/* times a driver found no buffer to receive into: a stall */
	uint64_t truncated;	/* records shorter than asked for: the hook copies no more */
	uint64_t bells;		/* times a sleeping reader was woken */
	uint64_t nic_dropped;	/* by the interface before the hook: missed and FIFO errors */
	uint64_t unstamped;	/* capture_time() had no stamp of the interface for */
	/*
	 * By side. Each is counted and read by itself and only grows, so that what came between two
	 * readings is right for each, and none is the rest of others of another moment.
	 */
	uint64_t side_seen[SIDES];     /* offered, or lost before that */
	uint64_t side_matched[SIDES];  /* of these, taken by the filter in the kernel, or lost */
	uint64_t side_left_out[SIDES]; /* ... and sampled out, or cut */
	uint64_t side_refused[SIDES];
	uint64_t side_lost[SIDES]; /* as capture_stats_lost() */
	uint64_t injected;	   /* by capture_inject(): through an AF_XDP socket */
	uint64_t injected_packet;  /* ... through a packet socket */
};
int capture_stats(struct capture *c, struct capture_stats *s);
/*
 * Of one ring. What is counted for the interface is with the first part, as of the last call of
 * capture_stats(); what is counted for a CPU and is of no ring, with engine=divert, is with none.
 */
void capture_part_stats(struct capture_part *p, struct capture_stats *s);
/* After capture_stop(): was all read? */
bool capture_part_is_empty(struct capture_part *p, uint64_t read);
static inline uint64_t capture_stats_lost(const struct capture_stats *s)
{
	return s->lost_full + s->lost_copy + s->lost_reentry + s->lost_no_ring + s->no_socket +
	       s->lost_socket + s->lost_redirect;
}

/* Records that there are for these, read or not. */
static inline uint64_t capture_stats_records(const struct capture_stats *s)
{
	return s->matched - s->lost_full - s->lost_copy - s->no_socket - s->lost_socket -
	       s->lost_redirect - s->sampled_out - s->cut_frames;
}

/* What the filter took and was to be kept, with what was then lost. */
static inline uint64_t capture_stats_received(const struct capture_stats *s)
{
	return s->matched + s->lost_reentry + s->lost_no_ring - s->refused - s->sampled_out -
	       s->cut_frames;
}

/* The same of one side. Between two readings more may be left out or refused than has matched: 0.
 */
static inline uint64_t capture_stats_side_received(const struct capture_stats *s, enum side side)
{
	uint64_t not_wanted = s->side_left_out[side] + s->side_refused[side];

	return s->side_matched[side] > not_wanted ? s->side_matched[side] - not_wanted : 0;
}

/*
 * Send a frame out of the interface, through the first AF_XDP socket where the capture has any,
 * else through a packet socket; also frames that are longer than the MTU, which the kernel then
 * refuses. Bytes sent, or -errno. -EAGAIN: no buffer is free; a capture that is blocking waits a
 * second before. What goes through a socket is recorded as sent. Used by one thread at a time,
 * which need not be the one that reads.
 */
int capture_inject(struct capture *c, const void *frame, size_t length);

#pragma GCC visibility pop

#endif
