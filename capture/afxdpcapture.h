/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * libafxdpcapture: opens a capture on one interface, hands out the records that the program in the
 * kernel wrote, merged by time, and sleeps when there are none. libafxdpcapture(3) has a complete
 * program.
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
 * record is an Enhanced Packet Block of pcapng: record.h, beside this file, describes it by names
 * with epb_ and EPB_, and the inline functions epb_...() read it.
 *
 * Errors: calls return 0, or a positive answer where they say so, and -errno on failure. Where a
 * call takes err, it writes there, on failure and only then, one sentence that says what happened
 * and what to do, for a user to read, and ends it with a 0. size is the room there, which
 * AFXDP_ERROR_SIZE is enough of for any sentence; less cuts it. Nothing is printed, and errno
 * means nothing.
 *
 * Units: bytes and ns, but for timeouts, which are in ms; -1 is no limit.
 *
 * Ownership: what a ..._new() or ..._open() has made is the caller's, to be freed or closed by the
 * call of that name, which takes NULL. All else that is returned, readers, strings and records,
 * belongs to what it was asked of, and is good until that is closed, where nothing else is said.
 * Descriptors are closed on exec.
 *
 * Threads: a capture is used by one thread at a time, and so is a reader; different captures do
 * not know of each other. While another thread has the capture, any thread may call
 * afxdp_set_filter() and afxdp_wake(), and one at a time afxdp_inject(). A signal handler may call
 * afxdp_wake(). The library starts no thread and sets no signal handler.
 *
 * Processes: after fork() one of the two uses the capture, and the other closes it or ends. What is
 * attached goes when neither has it. A capture may start a process of its own, the loader: no child
 * of the caller's, it sends no SIGCHLD. PCAP_AFXDP_LOADER in the environment names another loader,
 * PCAP_AFXDP_OPTIONS has defaults for options; set-user-ID programs and those with file
 * capabilities do not look at them.
 *
 * Versions: options are opaque. Structs that take their size grow at the end: what is behind the
 * caller's size is not written, and what the library does not know of is set to 0.
 */
#ifndef AFXDPCAPTURE_H
#define AFXDPCAPTURE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* What the interface receives, and what it sends: each is counted by itself. */
enum afxdp_side { AFXDP_RECEIVED, AFXDP_SENT, AFXDP_SIDES };

/* The version of the library that runs, as in "0.2.0". */
const char *afxdp_version(void);

/* Where the filter runs, from fast to slow. */
enum afxdp_level {
	AFXDP_LEVEL_NONE,   /* no filter was set */
	AFXDP_LEVEL_FRAGS,  /* in the kernel, on the frame in place */
	AFXDP_LEVEL_HELPER, /* in the kernel, each load by helper: the former was refused */
	AFXDP_LEVEL_USER,   /* in user space, on every frame, or on what a part of it leaves */
};

/*
 * What to open: an interface, and options by name. pcap-afxdp(7) has the options of a device name,
 * libafxdpcapture(3) those for programs alone. What is not set has a sound default.
 */
struct afxdp_options;
/* NULL: out of memory. */
struct afxdp_options *afxdp_options_new(void);
/* NULL is allowed. A capture that was opened keeps none of it. */
void afxdp_options_free(struct afxdp_options *o);
/*
 * By a device name: "xdp:IFACE[,option=value]...", with or without the prefix. Defaults come from
 * the environment variable PCAP_AFXDP_OPTIONS (option=value[,...]). What was set before stays,
 * unless the name or the variable has it. -EINVAL with err written for an unknown option or value,
 * -ENODEV for a name no interface can have, -ENOMEM. Whether there is such an interface is seen
 * when it is opened.
 */
int afxdp_options_device(struct afxdp_options *o, const char *device, char *err, size_t size);
/*
 * By name. -ENOENT: there is no such option, -EINVAL: not with that value; err then says what is
 * right, without the option's name, which the caller spells as its user does. The interface is no
 * option: afxdp_options_device() names it.
 */
int afxdp_options_set(struct afxdp_options *o, const char *name, const char *value, char *err,
		      size_t size);
/*
 * Has this option this value, or where value is NULL, its default? False, too, where there is no
 * such option or value.
 */
bool afxdp_options_have(const struct afxdp_options *o, const char *name, const char *value);
/* "": none was named. */
const char *afxdp_options_interface(const struct afxdp_options *o);
/* What a capture of it could have; asks the kernel. 0: none; 1: nic-time; 2: nic-synced as well. */
int afxdp_options_offer_nic_time(const struct afxdp_options *o);

/*
 * Is this interface, by its plain name, in a list as PCAP_AFXDP has it, NAME[,NAME...]: of names,
 * of patterns as the shell has them, of the word "all"? False for what is no interface.
 */
bool afxdp_is_listed(const char *list, const char *device);
/* Does each element of the list name something? If not, text says which one does not. */
bool afxdp_check_list(const char *list, char *text, size_t size);

/* What the kernel says of an interface. Asking changes nothing. */
struct afxdp_interface {
	unsigned index;
	unsigned flags; /* IFF_* */
	unsigned mtu;
	unsigned rx_queues;	     /* that there may be */
	bool is_ethernet, is_raw_ip; /* what frames begin with: others are not captured */
	char kind[16];		     /* of a virtual device, "veth"; "" for others */
	uint32_t xdp_program;	     /* in the XDP hook; 0: none */
	uint8_t xdp_attached;	     /* where it is: XDP_ATTACHED_... of linux/if_link.h */
	bool has_xdp_features;	     /* the next one is known (Linux 6.3) */
	uint64_t xdp_features;	     /* NETDEV_XDP_ACT_* */
	bool has_clock;		     /* it stamps frames by a clock of its own, */
	int clock;		     /* ... which is /dev/ptpN; -1: none */
	bool gives_time;	     /* ... and tells XDP programs */
};
/* -ENODEV: no such interface; others as the kernel has them. size: of *i. */
int afxdp_look(const char *ifname, struct afxdp_interface *i, size_t size);
/* "xdp_pass (id 17)": the program's name, where this process may ask for it, and its id. */
void afxdp_describe_program(uint32_t id, char *text, size_t size);

enum afxdp_hook { AFXDP_HOOK_NONE, AFXDP_HOOK_XDP, AFXDP_HOOK_TC, AFXDP_HOOK_PACKET };
/* What afxdp_open() would do. */
struct afxdp_trial {
	struct afxdp_interface interface;
	uint8_t room[256 - sizeof(struct afxdp_interface)]; /* for it to grow */
	enum afxdp_hook received, sent;
	bool bound;			/* to the device: its driver gives more than bytes */
	unsigned rings;			/* 0: the trial did not get so far */
	uint64_t ring_size;		/* of each */
	uint64_t memory;		/* for all of them */
	char warning[AFXDP_ERROR_SIZE]; /* "": none */
};
/*
 * Try it, without attaching anything: programs are loaded and unloaded. That the interface is
 * down is no failure here. size: of *t. -errno as of afxdp_open() with err written; *t has what was
 * found till then.
 */
int afxdp_try(const struct afxdp_options *o, struct afxdp_trial *t, size_t size, char *err,
	      size_t err_size);
/*
 * Instructions that a filter of n would have in the kernel, where frames are received; nothing is
 * loaded. -errno with err written: user space would run it.
 */
int afxdp_try_filter(const struct afxdp_trial *t, const struct sock_filter *f, unsigned n,
		     char *err, size_t size);

/*
 * With place=drops a capture is of the frames that the host's stack drops. Are these reasons, with
 * commas, ones that this kernel has? 0; or -errno with err, and in list, which may be NULL, all
 * that it has.
 */
int afxdp_check_drop_reasons(const char *reasons, char *list, size_t list_size, char *err,
			     size_t size);

/* "CAP_BPF, CAP_NET_RAW missing", of what a capture needs and this process has not; how many. */
int afxdp_missing_capabilities(char *text, size_t size);
/* The loader's file. It opens captures for who lacks capabilities, if it has them by its file. */
const char *afxdp_loader(void);
bool afxdp_loader_has_capabilities(void);

/*
 * Open a capture: checks the interface, loads and attaches the program; records are written from
 * here on. In the network namespace of the calling thread, as of now. -ENODEV: no such interface;
 * -ENETDOWN: it is down; -EPERM: a capability is missing; -EOPNOTSUPP: no XDP there; -EBUSY: the
 * hook is somebody else's; -ENOENT: the traced program has no such function; -ENOMEM: the rings do
 * not fit; others as they come. err is written for each, and *c is NULL.
 */
int afxdp_open(struct afxdp_capture **c, const struct afxdp_options *o, char *err, size_t size);

/* Take the programs off the interface: nothing comes any more, what has come can still be read. */
void afxdp_stop(struct afxdp_capture *c);
/* Detach and free; NULL is allowed. Nothing of the capture stays in the system. */
void afxdp_close(struct afxdp_capture *c);

/* A sentence on what this capture will not see or will cost, or NULL. */
const char *afxdp_warning(const struct afxdp_capture *c);

/* The hooks in use, for a user to read: "xdp, and tc for sent frames". */
const char *afxdp_hooks(const struct afxdp_capture *c);
/* For engine=divert by sockets, "4 queues, zero-copy"; else NULL. */
const char *afxdp_sockets(const struct afxdp_capture *c);
/* For engine=divert, "AF_XDP sockets (4 queues, zero-copy)" or "the rings of 2 CPUs"; else NULL. */
const char *afxdp_diverted_to(const struct afxdp_capture *c);
/* It was asked for and is to be had; if it is not to be had, afxdp_warning() says why. */
bool afxdp_has_nic_time(const struct afxdp_capture *c);
/* Where it was asked for: false only where it is up to the owner of borrowed sockets. */
bool afxdp_is_promiscuous(const struct afxdp_capture *c);
/* Frames begin with an Ethernet header; else they are raw IP packets (tun and the like). */
bool afxdp_has_link_header(const struct afxdp_capture *c);
/*
 * It is of all interfaces, AFXDP_ANY: frames begin with struct epb_cooked, and the interface_id of
 * a record is the interface's number in its network namespace.
 */
bool afxdp_is_cooked(const struct afxdp_capture *c);
/* Of such a capture: what filters are compiled for. */
enum afxdp_link { AFXDP_LINK_SLL2, AFXDP_LINK_SLL };
/* SLL2 at first. To be called before a filter is set. */
void afxdp_set_link(struct afxdp_capture *c, enum afxdp_link link);
/* tags-beside was asked for, and holds: not so where frames are kept from the host. */
bool afxdp_has_tags_beside(const struct afxdp_capture *c);
/*
 * Which directions to capture; both at first. Takes effect at once, without privilege; records
 * queued before are handed out all the same: see the flags in epb_options().
 */
void afxdp_set_directions(struct afxdp_capture *c, bool in, bool out);

/*
 * Records that lie behind each other in memory, oldest first. Walk them with
 *	for (r = run.first; afxdp_run_has(&run, r); r = epb_next(r))
 * then tell afxdp_run_done() where you stopped. Records stay good until the next afxdp_run() or
 * afxdp_run_seen() of this reader; after that the kernel writes over them.
 */
struct afxdp_run {
	const struct epb_header *first;
	const uint8_t *end;   /* no record starts here or beyond */
	uint64_t until;	      /* ns: later ones wait for those of another ring */
	bool refine;	      /* the kernel took too much: ask afxdp_refine() for each */
	void *const *changed; /* a new filter waits: leave the rest of the run */
	unsigned ring;	      /* where they are, for afxdp_run_done() */
	uint64_t reserved[2]; /* not to be looked at */
};

/* ns since 1970, by the host's clock. */
static inline uint64_t epb_time(const struct epb_header *r)
{
	return (uint64_t)r->time_high << 32 | r->time_low;
}

/* Nothing shorter is a record, and beside the padded frame a record has no more than EPB_MORE_MAX.
 */
#define EPB_LENGTH_MIN                                                                             \
	(sizeof(struct epb_header) + sizeof(struct epb_options) + sizeof(struct epb_end))
#define EPB_MORE_MAX                                                                               \
	(sizeof(struct epb_dropcount) + sizeof(struct epb_hash) + sizeof(struct epb_verdict) +     \
	 sizeof(struct epb_drop) + sizeof(struct epb_nic_time))

/*
 * What a record says of itself, read once: memory of rings is the application's to write, and what
 * is asked again may have changed.
 */
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

/* Behind the last record of a run this is its end, which is not to be read. */
static inline const struct epb_header *epb_next(const struct epb_header *r)
{
	return (const struct epb_header *)(const void *)((const uint8_t *)r + r->total_length);
}

/* caplen bytes. */
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

/*
 * Is there a record of the run at r? *l: what it says, to be used in place of asking it again by
 * who wants to outlive a program that writes where it should not. What has impossible lengths ends
 * the run, and the next afxdp_run() sees it, too.
 */
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
 * The filter. The kernel runs it where it can, user space where it must; an empty program (n = 0)
 * takes everything. From the return on, no record is handed out that the filter rejects, those
 * queued before included. May be called from any thread, also while another reads. -EINVAL with err
 * written for a program that is not valid. Where frames are kept from the host, the kernel has to
 * run it, as nobody else could pass the others on: -EOPNOTSUPP with err written.
 */
int afxdp_set_filter(struct afxdp_capture *c, const struct sock_filter *f, unsigned n, char *err,
		     size_t size);
/*
 * Where the filter runs, and in one line for a user who does it, and why not better. These three
 * are good until the next filter is set, and are asked by the thread that sets it.
 */
enum afxdp_level afxdp_filter_level(const struct afxdp_capture *c);
const char *afxdp_filter_text(const struct afxdp_capture *c);
/* libbpf's and the verifier's words at the last refusal, or NULL. */
const char *afxdp_filter_log(const struct afxdp_capture *c);

/*
 * A reader hands out the records of all rings of a capture as one stream, in the order of their
 * time; or those of one ring, that of a CPU or the socket of a queue: then no
 * record waits for those of other rings, and their order is who reads them all's to restore.
 *
 * A capture has one reader of all rings, opened and closed with it. Readers of one ring are for a
 * thread each. They are opened by the thread that has the capture, which then does not read by the
 * reader of all, but calls afxdp_begin(), and afxdp_attend() from there on. The filter
 * stays the one that is set when they begin.
 *
 * This is the reader of all rings. It is the capture's, and closed with it.
 */
struct afxdp_reader *afxdp_reader(struct afxdp_capture *c);
/* How many rings there are to read; they are numbered from 0. */
unsigned afxdp_rings(const struct afxdp_capture *c);
/* -ENOMEM, -EMFILE and the like. To be closed before the capture is; NULL is allowed. */
int afxdp_reader_open(struct afxdp_reader **r, struct afxdp_capture *c, unsigned number);
void afxdp_reader_close(struct afxdp_reader *r);
/* Of one ring: the CPU that has it; -1: it is the socket of a queue. */
int afxdp_reader_cpu(const struct afxdp_reader *r);
/* The receive queue, of a socket. */
unsigned afxdp_reader_queue(const struct afxdp_reader *r);
/*
 * Reading begins: frames may be kept from the host from here on. The first read of the reader of
 * all rings does the same; readers of one ring do not.
 */
void afxdp_begin(struct afxdp_reader *all);
/*
 * What has afxdp_fd() of the reader of all become readable for? To be called then, and once a
 * second: wakes readers whose ring has something. 0, or errors as afxdp_wait() has.
 */
int afxdp_attend(struct afxdp_reader *all);

/* 1: *run has at least one record; 0: none is ready. Frees the records of the run before. */
int afxdp_run(struct afxdp_reader *r, struct afxdp_run *run);
/* The same, of what was there when afxdp_run() last looked at the rings. */
int afxdp_run_seen(struct afxdp_reader *r, struct afxdp_run *run);
/*
 * Where all that was seen is read, and the last look at the rings is less than 4 ms ago, or a
 * shorter time where bytes come fast: sleep for the rest of it, and no longer than timeout_ms where
 * that is above 0; not in immediate mode, and not when a ring was half full. Who looks again at
 * once runs close behind the capture program, and both wait for each other's cache lines: of
 * 64-byte frames flat out that is 200 ns per frame for the reader and 30 for the program.
 */
void afxdp_gather(struct afxdp_reader *r, int timeout_ms);
/* Records before next (which may be run->first, or the end) are done with. */
void afxdp_run_done(struct afxdp_reader *r, const struct afxdp_run *run,
		    const struct epb_header *next);

/*
 * With the option pre-trigger, a capture goes on by itself until something happens: the rings keep
 * the newest records, older ones make room and are counted as .overwritten, and nobody reads.
 * Frames are captured from afxdp_keep_newest() on; call it after afxdp_set_filter(). Until
 * afxdp_take_over(), afxdp_run() finds nothing, and afxdp_wait() sleeps unless a filter pulls. Only
 * the reader of all rings calls these.
 */
void afxdp_keep_newest(struct afxdp_reader *r);
/*
 * The verdict of a filter for the frame that is waited for: what comes behind it is kept, too, and
 * afxdp_wait() ends. Only a filter in the kernel pulls: see afxdp_filter_level().
 */
#define AFXDP_PULLS 0x50554c4cu
/* When that frame was received; 0: it has not come. */
uint64_t afxdp_pulled(const struct afxdp_reader *r);
/*
 * The readers of n captures go on together from the oldest records that there are. Takes as long as
 * programs may be at work on a frame, some 10 ms. What comes meanwhile is recorded.
 */
void afxdp_take_over(struct afxdp_reader *const *r, unsigned n);
/* Before that, bytes of records in the rings. There are afxdp_stats_records() of them. */
uint64_t afxdp_kept(const struct afxdp_reader *r);

/* Bytes to keep of a record in a run with .refine set; 0: not wanted. At most its caplen. */
uint32_t afxdp_refine(struct afxdp_reader *r, const struct epb_header *record);
/*
 * When a record was received: ns since 1970, or by the interface's clock where that was asked for
 * and is to be had. Of records without a stamp of the interface it is the host's, and
 * .unstamped of the statistics counts them.
 */
uint64_t afxdp_time(struct afxdp_reader *r, const struct epb_header *record);

/*
 * Of a capture of all interfaces: the header that a record begins with lacks what depends on the
 * kind of interface until this is called. To be called before it is read, by the thread that reads
 * all rings; again is allowed.
 */
void afxdp_cook(struct afxdp_reader *r, const struct epb_header *record);

/* An interface of such a capture. */
struct afxdp_member {
	unsigned index; /* in its network namespace */
	/* Another for each that comes, and for one that comes again or has a new name; 0: nothing
	 * is known of it. */
	unsigned number;
	bool gone;	      /* or has another name */
	char name[16];	      /* "": not known */
	uint32_t netns;	      /* of drops: the inode of its network namespace; 0: not known */
	uint32_t reserved_32; /* not to be looked at, nor this one: */
	uint64_t reserved[1];
};
/*
 * afxdp_cook(), and whose record it is, into *m. False: of none that was chosen by the option
 * interfaces, as names are looked at here for those that have just come; the statistics count such
 * a record as refused. Of drops there is no header, and *m has the namespace, and the interface's
 * number in it.
 */
bool afxdp_came_by(struct afxdp_reader *r, const struct epb_header *record, struct afxdp_member *m);
/*
 * The next interface that has come, or gone, since the last call: first those that there are.
 * False: none. To be asked after each round of reading; afxdp_wait() ends its sleep for them.
 */
bool afxdp_next_member(struct afxdp_reader *r, struct afxdp_member *m);
/*
 * Of a capture of all interfaces with namespaces=on: the program that is to be the filter of a
 * packet socket (SOCK_DGRAM, by SO_ATTACH_BPF, then bound to ETH_P_ALL and to no interface). The
 * capture has what such sockets see, in whatever network namespaces they were opened, until they
 * are closed, afxdp_stop() or afxdp_close(). Until the first there is nothing. A record's
 * interface_id is the inode of its namespace; the interface is in its struct epb_cooked, in which
 * hatype stays 0. The descriptor is the capture's. -1: it is no such capture.
 */
int afxdp_socket_program(const struct afxdp_capture *c);
/* The caller has no use for a record, which the statistics count as refused. */
void afxdp_refuse(struct afxdp_reader *r, const struct epb_header *record);

/*
 * A filter beside the capture's, on records. interface: its number, for filters that ask for it.
 * -EINVAL for a program that is not valid, -ENOMEM. A matcher is used by one thread at a time.
 */
struct afxdp_matcher;
int afxdp_matcher_new(struct afxdp_matcher **m, const struct sock_filter *f, unsigned n,
		      unsigned interface);
/* The same for records of all interfaces, by a program for LINUX_SLL2. */
int afxdp_matcher_new_cooked(struct afxdp_matcher **m, const struct sock_filter *f, unsigned n);
void afxdp_matcher_free(struct afxdp_matcher *m);
bool afxdp_matches(struct afxdp_matcher *m, const struct epb_header *r);

/*
 * Sleep until there may be records, afxdp_wake() was called, or timeout_ms have passed (-1: no
 * limit). 0: look; -ETIME: the time is up; -EINTR: a signal; -ENODEV: the interface has
 * disappeared; -ENOLINK: our program was detached by somebody else; -EBADMSG: a ring is
 * corrupted, as something in this process has written into it, and nothing more comes; -EOWNERDEAD:
 * the loader process has ended, and what it kept. These four are returned by the reader of all
 * rings alone.
 */
int afxdp_wait(struct afxdp_reader *r, int timeout_ms);
/* For who does not wait: is all well with the interface? 0, or errors as afxdp_wait() has. */
int afxdp_poll(struct afxdp_reader *r);
/* Call at the end of a round of reading: makes afxdp_fd() readable just when there is more. */
void afxdp_rest(struct afxdp_reader *r);
/*
 * For select(), poll(), epoll: one descriptor for all that is read. Belongs to the reader, and is
 * only to be waited for: call afxdp_rest() before each wait, and afxdp_run() and afxdp_poll()
 * after.
 */
int afxdp_fd(const struct afxdp_reader *r);
/* Make an afxdp_wait(), now or next, return at once. Safe in signal handlers and other threads. */
void afxdp_wake(struct afxdp_reader *r);
/*
 * Whether afxdp_wait() will be used; without it, one descriptor less is held, afxdp_wake() does
 * nothing and afxdp_inject() does not wait. Blocking at first. -errno: no descriptor is to be had.
 */
int afxdp_set_blocking(struct afxdp_reader *r, bool blocking);

/* Since the capture was opened. Readable without privilege. New counters come at the end. */
struct afxdp_stats {
	uint64_t offered;	/* frames the program saw */
	uint64_t matched;	/* of these, frames that the filter in the kernel matches */
	uint64_t lost_full;	/* matched, no room in the ring */
	uint64_t lost_copy;	/* matched, the kernel could not copy it */
	uint64_t lost_reentry;	/* came while the ring was being written (PREEMPT_RT) */
	uint64_t lost_no_ring;	/* came on a CPU that was not online when the capture was opened */
	uint64_t refused;	/* matched in the kernel, rejected by the filter in user space */
	uint64_t sampled_out;	/* matched, but not one of the sample */
	uint64_t cut_frames;	/* matched, but of a flow that has had its bytes: so many frames */
	uint64_t cut_bytes;	/* ... of so many bytes */
	uint64_t no_socket;	/* matched, but its queue is not diverted: the host has it */
	uint64_t lost_socket;	/* matched, the socket had no buffer for it, or no room */
	uint64_t lost_redirect; /* ... the kernel did not bring it there; known at the end */
	uint64_t fill_empty;	/* times a driver found no buffer to receive into: a stall */
	uint64_t truncated;	/* records shorter than asked for: the hook copies no more */
	uint64_t bells;		/* times a sleeping reader was woken */
	uint64_t nic_dropped;	/* by the interface before the hook: missed and FIFO errors */
	uint64_t unstamped;	/* afxdp_time() had no stamp of the interface for */
	/*
	 * By side. Each is counted and read by itself and only grows, so that what came between two
	 * readings is right for each, and none is the rest of others of another moment.
	 */
	uint64_t side_seen[AFXDP_SIDES];     /* offered, or lost before that */
	uint64_t side_matched[AFXDP_SIDES];  /* of these, matched: lost or not */
	uint64_t side_left_out[AFXDP_SIDES]; /* ... and sampled out, or cut */
	uint64_t side_refused[AFXDP_SIDES];
	uint64_t side_lost[AFXDP_SIDES]; /* as afxdp_stats_lost() */
	uint64_t injected;		 /* by afxdp_inject(): through an AF_XDP socket */
	uint64_t injected_packet;	 /* ... through a packet socket */
	uint64_t passed_watchdog; /* matched, but nobody had read for too long: the host has it */
	uint64_t rest_watchdog;	  /* the same of frames that rest=drop was to drop */
	uint64_t overwritten;	  /* recorded, and made room for others before anybody read */
	uint64_t lost_nested;	  /* drops that came while another was recorded, whatever frames */
};
/* size: of *s, for the caller's version of it; of what is unknown to it or here, nothing or 0. */
int afxdp_stats(struct afxdp_capture *c, struct afxdp_stats *s, size_t size);
/*
 * Of what a reader reads. Of one ring: what is counted for the interface is with the first ring, as
 * of the last call of afxdp_stats(); what is counted for a CPU and is of no ring, or of no queue
 * that is diverted, is with none.
 */
void afxdp_reader_stats(struct afxdp_reader *r, struct afxdp_stats *s, size_t size);
/* After afxdp_stop(): was all read, which was so many records? */
bool afxdp_reader_is_empty(struct afxdp_reader *r, uint64_t read);
static inline uint64_t afxdp_stats_lost(const struct afxdp_stats *s)
{
	return s->lost_full + s->lost_copy + s->lost_reentry + s->lost_no_ring + s->no_socket +
	       s->lost_socket + s->lost_redirect + s->passed_watchdog + s->lost_nested;
}

/* Records that there are for these, read or not. */
static inline uint64_t afxdp_stats_records(const struct afxdp_stats *s)
{
	return s->matched - s->lost_full - s->lost_copy - s->no_socket - s->lost_socket -
	       s->lost_redirect - s->passed_watchdog - s->sampled_out - s->cut_frames -
	       s->overwritten;
}

/* What the filter took and was to be kept, with what was then lost. */
static inline uint64_t afxdp_stats_received(const struct afxdp_stats *s)
{
	return s->matched + s->lost_reentry + s->lost_no_ring + s->lost_nested - s->refused -
	       s->sampled_out - s->cut_frames;
}

/*
 * The same of one side. Between two readings more may be left out or refused than has matched: 0.
 */
static inline uint64_t afxdp_stats_side_received(const struct afxdp_stats *s, enum afxdp_side side)
{
	uint64_t not_wanted = s->side_left_out[side] + s->side_refused[side];

	return s->side_matched[side] > not_wanted ? s->side_matched[side] - not_wanted : 0;
}

/*
 * Send a frame out of the interface, through the first AF_XDP socket where the capture has any,
 * else through a packet socket; also frames that are longer than the MTU, which the kernel then
 * refuses. Bytes sent, or -errno. -EAGAIN: no buffer is free; a capture that is blocking waits a
 * second before. -EOPNOTSUPP: the loader process opened the capture for a user who may capture, and
 * not send. What goes through a socket is recorded as sent. Used by one thread at a time, which
 * need not be the one that reads.
 */
int afxdp_inject(struct afxdp_capture *c, const void *frame, size_t length);

/*
 * The functions that open and read a capture, as a table: for who loads the library when it is
 * needed, by dlopen("libafxdpcapture.so.0", RTLD_NOW | RTLD_LOCAL) and dlsym("afxdp_api"), and so
 * has no afxdp_ symbol to link. The library is never to be closed: captures may be open.
 *
 * AFXDP_API_VERSION changes when a member, a struct or a record does so that older callers would
 * go wrong. New members come at the end, without a change of the version.
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
};
/*
 * The table, where the library serves this version and knows all of size bytes of it; else NULL:
 * it is too old, or too new, for the caller. Constant, and good for as long as the process runs.
 */
const struct afxdp_api *afxdp_api(unsigned version, size_t size);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
