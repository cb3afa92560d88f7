/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * libafxdpcapture captures on an interface: a program in the kernel writes records, and a reader
 * returns them in the order of their time. libafxdpcapture(3) has a complete program.
 *
 *	o = afxdp_options_new();
 *	afxdp_options_device(o, "xdp:eth0", err, sizeof(err));
 *	afxdp_open(&c, o, err, sizeof(err));
 *	r = afxdp_reader(c);
 *	for (;;) {
 *		while (afxdp_run(r, &run)) {
 *			for (at = run.first; afxdp_run_has(&run, at); at = epb_next(at))
 *				...
 *			afxdp_run_done(r, &run, at);
 *		}
 *		if (afxdp_wait(r, -1) ...)
 *	}
 *
 * Names: all that is exported begins with afxdp_, all that is defined here with afxdp_ or AFXDP_. A
 * record is an Enhanced Packet Block of pcapng: record.h describes it by names with epb_ and EPB_,
 * and the inline functions epb_...() read it. Its source is in bpf/.
 *
 * Errors: a function that returns int returns 0, or a positive answer where it says so, and -errno
 * on failure; errno means nothing. On failure, a function with a parameter err writes one sentence
 * there for a user: what happened, and what to do. On success the text at err means nothing. size
 * is the room at err, at least 1: a longer sentence is cut, and AFXDP_ERROR_SIZE is enough for all.
 * The library prints nothing, but libbpf's messages, where the environment's PCAP_AFXDP_DEBUG says.
 *
 * Units: bytes and ns. Timeouts are in ms; -1 means no limit.
 *
 * Ownership: the caller frees what a ..._new() or ..._open() made, by the ..._free() or ..._close()
 * of the same name, which allows NULL. Everything else that is returned (readers, strings, records)
 * belongs to the object that it was asked from, and is valid until that is closed, unless the
 * comment says otherwise. Descriptors are closed on exec.
 *
 * Threads: one thread at a time uses a capture, and one at a time a reader; captures are
 * independent of each other. While one thread uses the capture, any other may call
 * afxdp_set_filter(), afxdp_wake() and, before afxdp_stop(), afxdp_stats(), and one other
 * afxdp_inject(). A signal handler may call afxdp_wake(). The library starts no thread and sets no
 * signal handler.
 *
 * Processes: after fork() only one of the two processes uses the capture. The programs are detached
 * when both have closed it or ended. But afxdp_stop() and afxdp_close() in either process at once
 * let the host have frames that were kept from it, put the interface's time stamps back, and with
 * namespaces=on end the recording: there the process that does not use the capture ends without
 * these calls. A capture may start a process, the loader. It is not a child of the caller, so it
 * sends no SIGCHLD. The environment variable PCAP_AFXDP_LOADER names another loader, and
 * PCAP_AFXDP_OPTIONS has defaults for options; set-user-ID programs and those with file
 * capabilities ignore these variables.
 *
 * Versions: options are opaque. A struct whose size is passed may grow at its end: the library
 * writes nothing beyond the caller's size, and sets what it does not know to 0.
 */
#ifndef AFXDPCAPTURE_H
#define AFXDPCAPTURE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "afxdpcapture_sets.h"
#include "record.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AFXDP_PREFIX	 "xdp:" /* of device names */
#define AFXDP_ANY	 "any"	/* in place of an interface: all of the network namespace */
#define AFXDP_ERROR_SIZE 512	/* room for any err text */
/* All capabilities that a capture needs, for setcap. */
#define AFXDP_CAPABILITIES "cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep"
#define AFXDP_SNAPLEN_MAX  262144 /* libpcap's MAXIMUM_SNAPLEN */

struct sock_filter; /* of <linux/filter.h>; libpcap's struct bpf_insn is the same */
struct afxdp_capture;
struct afxdp_reader;

/* All else in the library is hidden. */
#pragma GCC visibility push(default)

/* Received and sent frames are counted apart. */
enum afxdp_side { AFXDP_RECEIVED, AFXDP_SENT, AFXDP_SIDES };

/* The version of the library that runs, as in "0.2.0". */
const char *afxdp_version(void);

/* Where the filter runs, from fast to slow. */
enum afxdp_level {
	AFXDP_LEVEL_NONE,   /* no filter was set */
	AFXDP_LEVEL_FRAGS,  /* in the kernel, on the frame in place */
	AFXDP_LEVEL_HELPER, /* in the kernel, each load by a helper: FRAGS was not possible */
	AFXDP_LEVEL_USER,   /* in user space; the kernel records all frames, or runs a part of it */
};

/* What to open: an interface, and options by name. pcap-afxdp(7) has the options of a device name,
 * libafxdpcapture(3) those for programs alone. Options that are not set have defaults. */
struct afxdp_options;
/* NULL: out of memory. */
struct afxdp_options *afxdp_options_new(void);
/* The caller may free them once afxdp_open() has returned. */
void afxdp_options_free(struct afxdp_options *o);
/*
 * Set the interface and options from a device name, "xdp:IFACE[,option=value]...", with or without
 * the prefix. Defaults come from the environment variable PCAP_AFXDP_OPTIONS (option=value[,...]).
 * Options that neither names keep their value. -EINVAL: an unknown option or value; -ENODEV: a name
 * that no interface can have; -ENOMEM. On failure o may be changed in part. afxdp_open() finds out
 * whether the interface exists.
 */
int afxdp_options_device(struct afxdp_options *o, const char *device, char *err, size_t size);
/* Set one option. -ENOENT: no such option; -EINVAL: not a value of it. err says what is valid,
 * without the option's name, which the caller may spell in another way. The interface is not an
 * option: afxdp_options_device() sets it. */
int afxdp_options_set(struct afxdp_options *o, const char *name, const char *value, char *err,
		      size_t size);
/* Does this option have this value, or with NULL its default? False for an unknown option or
 * value. */
bool afxdp_options_have(const struct afxdp_options *o, const char *name, const char *value);
/* A filter to attach the programs with. It belongs to the caller, and must stay until afxdp_open()
 * has returned. If the programs could not be attached with it, afxdp_filter_level() is
 * AFXDP_LEVEL_NONE: then call afxdp_set_filter(). */
void afxdp_options_filter(struct afxdp_options *o, const struct sock_filter *f, unsigned n);
/* The name of the interface; "": not set. */
const char *afxdp_options_interface(const struct afxdp_options *o);
/* Which time stamps of the interface could a capture have? Asks the kernel. 0: none, or there is no
 * such interface; 1: nic-time; 2: nic-synced as well. */
int afxdp_options_offer_nic_time(const struct afxdp_options *o);

/* Is this interface, by its plain name, in a list as in PCAP_AFXDP: names, patterns (as in the
 * shell) or the word "all", with commas between? Only the name "any" itself lists the device "any".
 * False for a name that no interface can have; the function does not check whether the interface
 * exists. */
bool afxdp_is_listed(const char *list, const char *device);
/* Is each element of the list a name that exists, a pattern that matches, "all" or "any"? If not,
 * text says which is wrong. True where the interfaces cannot be listed. */
bool afxdp_check_list(const char *list, char *text, size_t size);

/* What the kernel says of an interface. Asking changes nothing. */
struct afxdp_interface {
	unsigned index, flags, mtu;  /* flags: IFF_* */
	unsigned rx_queues;	     /* the most that it can have */
	bool is_ethernet, is_raw_ip; /* kind of frames; other kinds are not captured */
	char kind[16];		     /* of a virtual device, such as "veth"; else "" */
	uint32_t xdp_program;	     /* id of the one in the XDP hook; 0: none */
	uint8_t xdp_attached;	     /* where it is: XDP_ATTACHED_... of linux/if_link.h */
	bool has_xdp_features;	     /* xdp_features is known (Linux 6.3) */
	uint64_t xdp_features;	     /* NETDEV_XDP_ACT_* */
	bool has_clock;		     /* its own clock can stamp every received frame */
	int clock;		     /* N of that clock's /dev/ptpN; -1: it has none */
	bool gives_time;	     /* XDP programs can read the stamps */
	char master[16];	     /* bond, bridge or the like that it belongs to, if ... */
	char xdp_condition[128];     /* why the driver takes no XDP program now; "": not known */
	uint32_t master_program;     /* ... this is in its XDP hook: then ours stays empty; or 0 */
};
/* Fill *i; size: sizeof(*i). -ENODEV: no such interface; or the kernel's error. */
int afxdp_look(const char *ifname, struct afxdp_interface *i, size_t size);
/* Write the name and id of a program, "xdp_pass (id 17)"; without the privilege to ask for the
 * name, "program id 17". */
void afxdp_describe_program(uint32_t id, char *text, size_t size);

enum afxdp_hook { AFXDP_HOOK_NONE, AFXDP_HOOK_XDP, AFXDP_HOOK_TC, AFXDP_HOOK_PACKET };
/* What afxdp_open() would do. */
struct afxdp_trial {
	struct afxdp_interface interface;
	uint8_t room[256 - sizeof(struct afxdp_interface)]; /* for later fields of it */
	enum afxdp_hook received, sent; /* with place=, received is another number */
	bool bound;	    /* to the device, to get time, hash or tag from its driver */
	unsigned rings;	    /* 0: the trial ended before these were known */
	uint64_t ring_size; /* of each */
	uint64_t memory;    /* for all of them */
	char warning[AFXDP_ERROR_SIZE]; /* "": none */
};
/* Try to open a capture, but attach nothing: programs are loaded, and unloaded. The interface may
 * be down. The loader is not asked: this process needs the capabilities. size: sizeof(*t). Fails as
 * afxdp_open() does; *t then has what was found out before. */
int afxdp_try(const struct afxdp_options *o, struct afxdp_trial *t, size_t size, char *err,
	      size_t err_size);
/* How many eBPF instructions would this filter of n classic ones have, at the hook for received
 * frames? Nothing is loaded. -EOPNOTSUPP: it would run in user space, and err says why; -EINVAL:
 * not a valid program; -ENOMEM. */
int afxdp_try_filter(const struct afxdp_trial *t, const struct sock_filter *f, unsigned n,
		     char *err, size_t size);

/*
 * With place=drops a capture has the frames that the host's stack drops. Does this kernel have
 * these reasons (names with commas between)? 0: yes; -ENOENT: not all of them; -EOPNOTSUPP: it does
 * not report drops; -ENOMEM. list, unless NULL, gets all reasons of this kernel, cut to list_size.
 */
int afxdp_check_drop_reasons(const char *reasons, char *list, size_t list_size, char *err,
			     size_t size);

/* How many capabilities that a capture needs are missing? text: "CAP_BPF missing". */
int afxdp_missing_capabilities(char *text, size_t size);
/* The path of the loader. If its file has capabilities, it opens captures for users without any. */
const char *afxdp_loader(void);
bool afxdp_loader_has_capabilities(void);

/*
 * Open a capture, in the network namespace that the calling thread is in: checks the interface,
 * loads the program and attaches it. Records are written from then on. -ENODEV: no such interface;
 * -ENETDOWN: it is down; -EPERM, -EACCES: a capability is missing, or the kernel forbids it;
 * -EINVAL: options that do not go together; -EOPNOTSUPP: the hook or the kind of interface is not
 * supported; -EBUSY: another program is in the hook, or another socket on the queue; -ENOENT: no
 * such program, function or drop reason; -ENOMEM: no memory for the rings; -EMFILE: too few
 * descriptors; or the kernel's error. On failure *c is NULL.
 */
int afxdp_open(struct afxdp_capture **c, const struct afxdp_options *o, char *err, size_t size);
/*
 * afxdp_open() calls say with a line for the user if it waits for a link for longer than a second.
 * All signals are blocked while it runs: it must not block, fork, or leave by longjmp().
 */
void afxdp_on_wait(void (*say)(const char *line));

/* n captures, opened with the option begin=held, begin to record at one moment. That moment is 2 ms
 * after the call, which returns when it has passed. Frames that came before it are in no counter.
 * Call this after afxdp_begin() or afxdp_keep_newest(), if you call those. */
void afxdp_gate_open(struct afxdp_capture *const *c, unsigned n);
/* The captures end at one moment, likewise, whether they were opened with begin=held or not. Call
 * afxdp_stop() for each of them after that. */
void afxdp_gate_close(struct afxdp_capture *const *c, unsigned n);

/* Detach the programs. No more records are written; those in the rings can still be read. */
void afxdp_stop(struct afxdp_capture *c);
/* Detach and free; NULL is allowed. Nothing of the capture stays in the system. */
void afxdp_close(struct afxdp_capture *c);

/* For a user: what this capture does not see, or what it costs the host. NULL: nothing to say. If
 * something is found out while the capture is read, another pointer is returned; if several things
 * are, each call returns the next. A text stays valid until seven more were returned. */
const char *afxdp_warning(const struct afxdp_capture *c);

/* The hooks in use, for a user to read: "xdp, and tc for sent frames". */
const char *afxdp_hooks(const struct afxdp_capture *c);
/* For engine=divert by sockets: "4 queues, zero-copy"; else NULL. */
const char *afxdp_sockets(const struct afxdp_capture *c);
/* For engine=divert: "AF_XDP sockets (4 queues, zero-copy)" or "the rings of 2 CPUs"; else NULL. */
const char *afxdp_diverted_to(const struct afxdp_capture *c);
/* Are there time stamps of the interface? afxdp_warning() says why not, if they were asked for. */
bool afxdp_has_nic_time(const struct afxdp_capture *c);
/* If promiscuous mode was asked for, is it on? False only with sock-fds=, whose opener decides. */
bool afxdp_is_promiscuous(const struct afxdp_capture *c);
/* Do frames begin with an Ethernet header? Else they are raw IP packets (as of tun), or cooked. */
bool afxdp_has_link_header(const struct afxdp_capture *c);
/* Do frames begin with struct epb_cooked? They do for AFXDP_ANY, but not with place=drops. The
 * interface_id of a record is then the index of the interface, or with namespaces=on the inode of
 * its network namespace. */
bool afxdp_is_cooked(const struct afxdp_capture *c);
/* The link type that filters of such a capture are compiled for. Call afxdp_set_link() before a
 * filter is set. */
enum afxdp_link { AFXDP_LINK_SLL2, AFXDP_LINK_SLL }; /* SLL2 by default */
void afxdp_set_link(struct afxdp_capture *c, enum afxdp_link link);
/* Is tags-beside in effect? It is not if frames are kept from the host, or are raw IP packets. */
bool afxdp_has_tags_beside(const struct afxdp_capture *c);
/* Which directions to capture; both by default. Takes effect at once, without privilege. Records
 * that are already in the rings still come: check the flags in epb_options(). */
void afxdp_set_directions(struct afxdp_capture *c, bool in, bool out);

/*
 * Records one behind the other in memory, oldest first. Walk them with
 *	for (r = run.first; afxdp_run_has(&run, r); r = epb_next(r))
 * then call afxdp_run_done() with the record where you stopped. Records are valid until the next
 * afxdp_run() or afxdp_run_seen() of this reader; after that the kernel overwrites them.
 */
struct afxdp_run {
	const struct epb_header *first;
	const uint8_t *end;   /* no record starts here or beyond */
	uint64_t until;	      /* ns: the run ends before a later record */
	bool refine;	      /* not every record matches the filter: call afxdp_refine() */
	void *const *changed; /* for afxdp_run_has(): a new filter ends the run */
	unsigned ring;	      /* for afxdp_run_done() */
	uint64_t reserved[2]; /* for the library */
};

/* When the frame was captured: ns since 1970, by the host's clock (CLOCK_REALTIME). */
static inline uint64_t epb_time(const struct epb_header *r)
{
	return (uint64_t)r->time_high << 32 | r->time_low;
}

/* The shortest record, and the most bytes of its options: a record with epb_drop has no
 * epb_entries. */
#define EPB_LENGTH_MIN                                                                             \
	(sizeof(struct epb_header) + sizeof(struct epb_options) + sizeof(struct epb_end))
#define EPB_MORE_MAX                                                                               \
	(sizeof(struct epb_dropcount) + sizeof(struct epb_hash) + sizeof(struct epb_verdict) +     \
	 sizeof(struct epb_drop) + sizeof(struct epb_socket) + sizeof(struct epb_nic_time))

/* Lengths and time of a record, each read once: if the application writes to the rings by mistake,
 * a second read may give another value. */
struct epb_lengths {
	uint32_t total, caplen;
	uint64_t time; /* epb_time(); set by afxdp_run_at() */
};

/* Reads the lengths. False: no record with these lengths lies between r and end. */
static inline bool epb_measure(const struct epb_header *r, const uint8_t *end,
			       struct epb_lengths *l)
{
	ptrdiff_t left = end - (const uint8_t *)r;

	if (left < (ptrdiff_t)EPB_LENGTH_MIN)
		return false;
	l->total = __atomic_load_n(&r->total_length, __ATOMIC_RELAXED);
	l->caplen = __atomic_load_n(&r->caplen, __ATOMIC_RELAXED);
	/* In 64 bits: less than 0 is large. */
	return l->total <= (uint64_t)left && l->total % 4 == 0 &&
	       l->total - (uint64_t)EPB_LENGTH_MIN - l->caplen <= EPB_MORE_MAX + 3;
}

/* The record behind r. Behind the last one is the end of the run, which must not be read. */
static inline const struct epb_header *epb_next(const struct epb_header *r)
{
	return (const struct epb_header *)(const void *)((const uint8_t *)r + r->total_length);
}

/* The frame, of caplen bytes. */
static inline const uint8_t *epb_frame(const struct epb_header *r)
{
	return (const uint8_t *)(r + 1);
}

static inline const struct epb_options *epb_options_behind(const struct epb_header *r,
							   uint32_t caplen)
{
	return (const struct epb_options *)(const void *)(epb_frame(r) + EPB_PADDED(caplen));
}

static inline const struct epb_options *epb_options(const struct epb_header *r)
{
	return epb_options_behind(r, r->caplen);
}

static inline bool epb_is_sent(const struct epb_header *r)
{
	return (epb_options(r)->flags & EPB_FLAG_OUTBOUND) != 0;
}

/* Is there a record of the run at r? If so, *l has its lengths and time. Use these and do not read
 * them from the record again: the application may have overwritten it. A record with impossible
 * lengths ends the run, and afxdp_wait() then returns -EBADMSG. */
static inline bool afxdp_run_at(const struct afxdp_run *run, const struct epb_header *r,
				struct epb_lengths *l)
{
	if (!epb_measure(r, run->end, l))
		return false;
	l->time = epb_time(r);
	return l->time <= run->until && !__atomic_load_n(run->changed, __ATOMIC_RELAXED);
}

static inline bool afxdp_run_has(const struct afxdp_run *run, const struct epb_header *r)
{
	struct epb_lengths unused;

	return afxdp_run_at(run, r, &unused);
}

/*
 * Set the filter, n instructions of classic BPF; n = 0 matches every frame. The library copies it.
 * It runs in the kernel if possible, else in afxdp_refine(). When the function has returned, all
 * records that come through afxdp_run() and afxdp_refine() match, even if they were in a ring
 * before. Any thread may call it, also while another reads. -EINVAL: not a valid program;
 * -EOPNOTSUPP: frames are kept from the host, and the kernel cannot run the filter, so the host
 * would lose frames that do not match; -ENOMEM. On failure the old filter stays.
 */
int afxdp_set_filter(struct afxdp_capture *c, const struct sock_filter *f, unsigned n, char *err,
		     size_t size);
/* Where the filter runs; then the same as a line for a user, with the reason. The results of these
 * three functions are valid until the next filter is set. Call them in the thread that sets it. */
enum afxdp_level afxdp_filter_level(const struct afxdp_capture *c);
const char *afxdp_filter_text(const struct afxdp_capture *c);
/* Why libbpf or the verifier refused this filter, or a faster way to run it; NULL: neither did. */
const char *afxdp_filter_log(const struct afxdp_capture *c);

/*
 * A reader returns the records of all rings of a capture as one stream, in the order of their time;
 * or those of one ring, which belongs to a CPU or to the socket of a queue. In the latter case no
 * record waits for other rings, and the caller restores the order between rings if it needs that.
 *
 * Each capture has one reader of all rings. Readers of one ring are for a thread each. The thread
 * that uses the capture opens them, then calls afxdp_begin() and afxdp_attend(), and does not read
 * with the reader of all rings. The filter cannot be changed after that.
 *
 * This returns the reader of all rings. It belongs to the capture, and is closed with it.
 */
struct afxdp_reader *afxdp_reader(struct afxdp_capture *c);
/* The number of rings; they are numbered from 0. */
unsigned afxdp_rings(const struct afxdp_capture *c);
/* Open a reader of the ring with this number, which is below afxdp_rings(). Close it before the
 * capture. -ENOMEM, -EMFILE. */
int afxdp_reader_open(struct afxdp_reader **r, struct afxdp_capture *c, unsigned number);
void afxdp_reader_close(struct afxdp_reader *r);
/* The CPU of a reader of one ring; -1: the reader reads the socket of a queue. */
int afxdp_reader_cpu(const struct afxdp_reader *r);
/* The receive queue of a reader of a socket; 0 for other readers. */
unsigned afxdp_reader_queue(const struct afxdp_reader *r);
/* Reading begins: from now on frames may be kept from the host. If the loader is still loading the
 * filter, this waits for it. Call it before any reader of one ring reads. */
void afxdp_begin(struct afxdp_reader *all);
/* Wake the readers of one ring that have records to read. Call it when afxdp_fd() of the reader of
 * all rings is readable, and once a second. Errors as of afxdp_poll(). */
int afxdp_attend(struct afxdp_reader *all);

/* The next run. 1: *run has at least one record; 0: none is ready. The records of the previous run
 * are no longer valid. */
int afxdp_run(struct afxdp_reader *r, struct afxdp_run *run);
/* The same, but only of records that were there when afxdp_run() last looked at the rings. */
int afxdp_run_seen(struct afxdp_reader *r, struct afxdp_run *run);
/*
 * Sleep until the bell rings; if no timer rings it, until 4 ms after the last look at the rings. If
 * timeout_ms is above 0, sleep for that long at most. In immediate mode, or if a ring was half
 * full, return at once. Call it if afxdp_run_seen() returned 0 and afxdp_was_told() returned false:
 * docs/decisions/0004 says why.
 */
void afxdp_gather(struct afxdp_reader *r, int timeout_ms);
/* Was afxdp_fd() readable because of records? A caller that was told so does not sleep before it
 * reads. */
bool afxdp_was_told(struct afxdp_reader *r);
/* The caller has read the records before next, which may be run->first or the end of the run. */
void afxdp_run_done(struct afxdp_reader *r, const struct afxdp_run *run,
		    const struct epb_header *next);

/*
 * With the option pre-trigger nobody reads at first: the rings keep the newest records, and
 * .overwritten counts the older ones that these replace. Frames are captured from
 * afxdp_keep_newest() on, which takes some 10 ms; call it after afxdp_set_filter(). Until
 * afxdp_take_over(), afxdp_run() finds no record, and afxdp_wait() sleeps until a filter returns
 * AFXDP_PULLS. These functions are for the reader of all rings.
 */
void afxdp_keep_newest(struct afxdp_reader *r);
/* A filter returns this for the frame that the caller waits for, the trigger. From there on no
 * record is overwritten, and afxdp_wait() ends. Only a filter in the kernel does that. */
#define AFXDP_PULLS 0x50554c4cu
/* When that frame was captured, in ns since 1970; 0: not yet. */
uint64_t afxdp_pulled(const struct afxdp_reader *r);
/* Read n captures from now on, from the oldest records that they have. Takes some 10 ms for all of
 * them, until no program overwrites records any more. Frames that come meanwhile are recorded. */
void afxdp_take_over(struct afxdp_reader *const *r, unsigned n);
/* Before afxdp_take_over(): bytes of the afxdp_stats_records() records that the rings hold. */
uint64_t afxdp_kept(const struct afxdp_reader *r);

/* Run the filter on a record of the current run, if that has .refine set. Returns how many bytes of
 * the frame to keep, at most its caplen; 0: it does not match, and the statistics count it. */
uint32_t afxdp_refine(struct afxdp_reader *r, const struct epb_header *record);
/*
 * When a frame was captured, in ns since 1970. Without time stamps of the interface, and with
 * nic-synced, the time is by the host's clock; with nic-time alone by the interface's. .unstamped
 * counts records without a stamp of the interface: they get the host's stamp, which with nic-time
 * alone is corrected by the difference of the clocks in the last record that had both.
 */
uint64_t afxdp_time(struct afxdp_reader *r, const struct epb_header *record);

/* With the option who: which socket a frame belongs to; with entries: which lines of the files it
 * was captured by. False: the record does not say. */
bool afxdp_socket_of(const struct epb_header *record, const struct epb_lengths *l,
		     struct epb_socket *s);
bool afxdp_entries_of(const struct epb_header *record, const struct epb_lengths *l,
		      struct epb_entries *e);

/* In a capture of all interfaces: fill in the fields of struct epb_cooked that depend on the kind
 * of interface. Call it before you read them, in the thread that reads. It may be called again. */
void afxdp_cook(struct afxdp_reader *r, const struct epb_header *record);

/* An interface of such a capture. */
struct afxdp_member {
	unsigned index; /* in its network namespace */
	/* Unique in this capture: an interface that comes again or gets another name has a new
	 * number. 0: the interface is not known. */
	unsigned number;
	bool gone;	      /* it was removed, or got another name */
	char name[16];	      /* "": not known */
	uint32_t netns;	      /* of drops: the inode of its network namespace; 0: not known */
	uint32_t reserved_32; /* these two are for the library */
	uint64_t reserved[1];
};
/*
 * Call afxdp_cook(), and write into *m which interface the record is from. False: the option
 * interfaces does not name that interface; the statistics count the record as refused. This happens
 * for interfaces that have just appeared, as the program does not know their names. A record of a
 * drop has no struct epb_cooked: *m has the network namespace, and the index in it.
 */
bool afxdp_came_by(struct afxdp_reader *r, const struct epb_header *record, struct afxdp_member *m);
/* Write into *m the next interface that has appeared or disappeared since the last call, of those
 * that the option interfaces names; at first, those that exist. False: there is none. Call it after
 * each round of reading; afxdp_wait() wakes up for them. */
bool afxdp_next_member(struct afxdp_reader *r, struct afxdp_member *m);
/*
 * With namespaces=on: the program that captures. Attach it to packet sockets by SO_ATTACH_BPF
 * (SOCK_DGRAM, then bound to ETH_P_ALL and no interface), in any network namespaces. The capture
 * records what these sockets see until they are closed, or until afxdp_stop() or afxdp_close();
 * without a socket it records nothing. The interface_id of a record is the inode of its namespace;
 * the index of the interface is in its struct epb_cooked, where hatype stays 0. The descriptor
 * belongs to the capture. -1: it is not such a capture.
 */
int afxdp_socket_program(const struct afxdp_capture *c);
/* Count as refused a record that the caller leaves out. */
void afxdp_refuse(struct afxdp_reader *r, const struct epb_header *record);

/* A second filter, which the caller runs on records. The library copies the program. interface: the
 * index that filters get if they load it. -EINVAL: not a valid program; -ENOMEM. One thread at a
 * time uses a matcher. */
struct afxdp_matcher;
int afxdp_matcher_new(struct afxdp_matcher **m, const struct sock_filter *f, unsigned n,
		      unsigned interface);
/* The same for a capture of all interfaces: the filter is compiled for LINUX_SLL2. */
int afxdp_matcher_new_cooked(struct afxdp_matcher **m, const struct sock_filter *f, unsigned n);
void afxdp_matcher_free(struct afxdp_matcher *m);
bool afxdp_matches(struct afxdp_matcher *m, const struct epb_header *r);

/*
 * Sleep until there may be records, until afxdp_wake(), or for timeout_ms. 0: call afxdp_run();
 * -ETIME: the time is over; -EINTR: a signal. It returns 0 after a second at the latest, so the
 * caller measures a longer timeout. Only the reader of all rings returns -ENODEV: the interface has
 * disappeared; -ENOLINK: another program has detached the capture; -EBADMSG: something in this
 * process has overwritten a ring, and no more records come; -EUSERS: no more records come because
 * after fork() the other process has read; -EOWNERDEAD: the loader process has ended, and with it
 * what it kept for the capture.
 */
int afxdp_wait(struct afxdp_reader *r, int timeout_ms);
/* The checks of afxdp_wait() without its sleep, for callers that wait by themselves. Returns 0, or
 * an error of afxdp_wait() other than -ETIME and -EINTR. */
int afxdp_poll(struct afxdp_reader *r);
/* Call it after each round of reading: afxdp_fd() is then readable only when there is more. */
void afxdp_rest(struct afxdp_reader *r);
/* One descriptor for select(), poll() and epoll. It belongs to the reader; do not read from it.
 * Call afxdp_rest() before each wait, and afxdp_run() and afxdp_poll() after it. */
int afxdp_fd(const struct afxdp_reader *r);
/* End the present or the next afxdp_wait() at once. Any thread or signal handler may call it. */
void afxdp_wake(struct afxdp_reader *r);
/* Will the caller use afxdp_wait()? Yes by default. If not, afxdp_wake() does nothing, and
 * afxdp_inject() does not wait. Returns 0. */
int afxdp_set_blocking(struct afxdp_reader *r, bool blocking);

/* Counters since the capture was opened; new ones are added at the end. They never decrease, even
 * if several threads ask or a filter is set meanwhile, so the difference between two readings is
 * right. */
struct afxdp_stats {
	uint64_t offered;      /* frames the program saw */
	uint64_t matched;      /* of these, frames that the filter in the kernel matches */
	uint64_t lost_full;    /* matched, no room in the ring */
	uint64_t lost_copy;    /* matched, the kernel could not copy the frame */
	uint64_t lost_reentry; /* came while the ring was being written (PREEMPT_RT, or shared) */
	uint64_t lost_no_ring; /* came on a CPU that no list had when the capture was opened */
	uint64_t refused;      /* matched in the kernel, rejected by afxdp_refine() or the caller */
	uint64_t sampled_out;  /* matched, but not one of the sample */
	uint64_t cut_frames;   /* matched, but beyond flow-cutoff= of their flow */
	uint64_t cut_bytes;    /* bytes of these frames */
	uint64_t no_socket;    /* matched, but its queue is not diverted: the host has it */
	uint64_t lost_socket;  /* matched, the socket had no buffer for it, or no room */
	uint64_t lost_redirect; /* matched, did not reach its socket; known only at the end */
	uint64_t fill_empty;	/* times a driver found no buffer to receive into: a stall */
	uint64_t truncated;	/* records shorter than asked for: the hook provided no more */
	uint64_t bells;		/* times a sleeping reader was woken */
	uint64_t nic_dropped;	/* by the interface: rx_missed_errors + rx_fifo_errors */
	uint64_t unstamped;	/* afxdp_time() found no stamp of the interface */
	/* By side: AFXDP_RECEIVED, AFXDP_SENT. */
	uint64_t side_seen[AFXDP_SIDES];     /* offered, or lost before that */
	uint64_t side_matched[AFXDP_SIDES];  /* of these, matched: lost or not */
	uint64_t side_left_out[AFXDP_SIDES]; /* of these, sampled out or cut */
	uint64_t side_refused[AFXDP_SIDES];
	uint64_t side_lost[AFXDP_SIDES]; /* as afxdp_stats_lost() */
	uint64_t injected;		 /* by afxdp_inject() through an AF_XDP socket */
	uint64_t injected_packet;	 /* by afxdp_inject() through a packet socket */
	uint64_t passed_watchdog; /* matched, but nobody had read for the time of watchdog=: the
				     host has it */
	uint64_t rest_watchdog;	  /* not matched, and for the same reason passed on, not dropped */
	uint64_t overwritten;	  /* recorded, then replaced by newer records, unread */
	uint64_t lost_nested;	  /* drops that came while another was being recorded */
	uint64_t side_received[AFXDP_SIDES]; /* matched, lost or not, but not left out */
	uint64_t no_headroom; /* no room in front for a socket: recorded, or also in no_socket */
	uint64_t refused_truncated; /* both refused and truncated */
	uint64_t not_flows;	    /* of flows that are left out; not counted in matched */
	/* Lines of not-flows= that are not a flow, and flows without room; of all readers. */
	uint64_t flows_bad, flows_full;
};
/* Fill *s; size: sizeof(*s). Always 0. */
int afxdp_stats(struct afxdp_capture *c, struct afxdp_stats *s, size_t size);
/*
 * The counters of the rings that this reader reads; size: sizeof(*s). Of the readers of one ring,
 * only number 0 has lost_no_ring, lost_nested and, as of the last afxdp_stats(), nic_dropped. None
 * has no_socket, no_headroom, lost_redirect, injected* or, with sockets, passed_watchdog.
 */
void afxdp_reader_stats(struct afxdp_reader *r, struct afxdp_stats *s, size_t size);
/* After afxdp_stop(): has the caller, who has read this many records, read all of this reader's? */
bool afxdp_reader_is_empty(struct afxdp_reader *r, uint64_t read);
/* Frames that matched, or may have, and were lost. */
static inline uint64_t afxdp_stats_lost(const struct afxdp_stats *s)
{
	return s->lost_full + s->lost_copy + s->lost_reentry + s->lost_no_ring + s->no_socket +
	       s->lost_socket + s->lost_redirect + s->passed_watchdog + s->lost_nested;
}
/* Records that were written for these frames, read or not. */
static inline uint64_t afxdp_stats_records(const struct afxdp_stats *s)
{
	return s->matched - s->lost_full - s->lost_copy - s->no_socket - s->lost_socket -
	       s->lost_redirect - s->passed_watchdog - s->sampled_out - s->cut_frames -
	       s->overwritten;
}
/* Frames that matched and were not left out: read, still to read, lost, or refused. */
static inline uint64_t afxdp_stats_received(const struct afxdp_stats *s)
{
	return s->side_received[AFXDP_RECEIVED] + s->side_received[AFXDP_SENT];
}
/* Those of them that were not refused. Final when all is read; before that it may decrease. */
static inline uint64_t afxdp_stats_side_accepted(const struct afxdp_stats *s, enum afxdp_side side)
{
	uint64_t refused = s->side_refused[side];

	return s->side_received[side] > refused ? s->side_received[side] - refused : 0;
}

static inline uint64_t afxdp_stats_accepted(const struct afxdp_stats *s)
{
	return afxdp_stats_side_accepted(s, AFXDP_RECEIVED) +
	       afxdp_stats_side_accepted(s, AFXDP_SENT);
}

/*
 * Send a frame out of the interface: through the first AF_XDP socket if the capture has one, else
 * through a packet socket. Returns the number of bytes sent, or -errno. -EAGAIN: no buffer is free,
 * in a blocking capture for a second; -ENOBUFS: the driver dropped the frame; -EMSGSIZE: it is
 * longer than the MTU allows; -ENETDOWN; -ENXIO: the interface has disappeared; -EINVAL: no socket
 * can send it; -EOPNOTSUPP: the loader process opened the capture, for a user who may capture but
 * not send; or the kernel's error. This capture does not record these frames when they are sent;
 * others record those of the packet socket. One thread at a time may call it, also while another
 * reads.
 */
int afxdp_inject(struct afxdp_capture *c, const void *frame, size_t length);

/*
 * The functions that open and read a capture, as a table, for programs that load the library when
 * they need it: dlopen("libafxdpcapture.so.0", RTLD_NOW | RTLD_LOCAL), then dlsym() for
 * "afxdp_api". Never call dlclose(): captures may be open.
 *
 * AFXDP_API_VERSION changes with each incompatible change of a member, a struct or a record. New
 * members are added at the end, and do not change it.
 */
#define AFXDP_API_VERSION 1

struct afxdp_api {
	__typeof__(afxdp_version) *version;
	__typeof__(afxdp_options_new) *options_new;
	__typeof__(afxdp_options_free) *options_free;
	__typeof__(afxdp_options_device) *options_device;
	__typeof__(afxdp_options_set) *options_set;
	__typeof__(afxdp_options_have) *options_have;
	__typeof__(afxdp_options_offer_nic_time) *options_offer_nic_time;
	__typeof__(afxdp_is_listed) *is_listed;
	__typeof__(afxdp_check_list) *check_list;
	__typeof__(afxdp_open) *open;
	__typeof__(afxdp_stop) *stop;
	__typeof__(afxdp_close) *close;
	__typeof__(afxdp_warning) *warning;
	__typeof__(afxdp_hooks) *hooks;
	__typeof__(afxdp_sockets) *sockets;
	__typeof__(afxdp_has_nic_time) *has_nic_time;
	__typeof__(afxdp_is_promiscuous) *is_promiscuous;
	__typeof__(afxdp_has_link_header) *has_link_header;
	__typeof__(afxdp_has_tags_beside) *has_tags_beside;
	__typeof__(afxdp_set_directions) *set_directions;
	__typeof__(afxdp_set_filter) *set_filter;
	__typeof__(afxdp_filter_level) *filter_level;
	__typeof__(afxdp_filter_text) *filter_text;
	__typeof__(afxdp_filter_log) *filter_log;
	__typeof__(afxdp_reader) *reader;
	__typeof__(afxdp_run) *run;
	__typeof__(afxdp_run_seen) *run_seen;
	__typeof__(afxdp_gather) *gather;
	__typeof__(afxdp_run_done) *run_done;
	__typeof__(afxdp_refine) *refine;
	__typeof__(afxdp_time) *time;
	__typeof__(afxdp_wait) *wait;
	__typeof__(afxdp_poll) *poll;
	__typeof__(afxdp_rest) *rest;
	__typeof__(afxdp_fd) *fd;
	__typeof__(afxdp_wake) *wake;
	__typeof__(afxdp_set_blocking) *set_blocking;
	__typeof__(afxdp_stats) *stats;
	__typeof__(afxdp_inject) *inject;
	__typeof__(afxdp_diverted_to) *diverted_to;
	__typeof__(afxdp_is_cooked) *is_cooked;
	__typeof__(afxdp_set_link) *set_link;
	__typeof__(afxdp_cook) *cook;
	__typeof__(afxdp_was_told) *was_told;
};
/* Returns the table, which is constant and stays valid. version: AFXDP_API_VERSION; size: that of
 * the part of the table that the caller uses. NULL: this library has another version, or a smaller
 * table. */
const struct afxdp_api *afxdp_api(unsigned version, size_t size);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
