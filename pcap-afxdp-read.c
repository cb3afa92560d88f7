/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Reading: from runs of the library's records to callbacks. */
#include <config.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "pcap-int.h"
#include "pcap-afxdp-int.h"

#include "afxdpcapture.h"

static int
is_wanted(const pcap_t *p, const struct epb_header *r, uint32_t caplen)
{
	return epb_options_behind(r, caplen)->flags &
	       (p->direction == PCAP_D_IN ? EPB_FLAG_INBOUND
					  : EPB_FLAG_OUTBOUND);
}

/* The ns of a time, whose second is a->second; most have the last one's. */
static inline uint64_t
split_time(struct afxdp *a, uint64_t time)
{
	uint64_t ns = time - a->second_ns;

	if (ns >= 1000000000) {
		a->second = (time_t)(time / 1000000000);
		ns = time % 1000000000;
		a->second_ns = time - ns;
	}
	return ns;
}

/*
 * For the few handles that want it: the bytes of the frame to pass on, and the
 * time. 0: none.
 */
static uint32_t
choose(const pcap_t *p, struct afxdp *a, const struct afxdp_run *run,
       const struct epb_header *r, const struct epb_lengths *said,
       uint64_t *time)
{
	uint32_t caplen = said->caplen;

	if (p->direction != PCAP_D_INOUT && !is_wanted(p, r, caplen))
		return 0; /* queued before the direction was set */
	if (run->refine)
		caplen = a->lib->refine(a->reader, r);
	if (caplen == 0 && __atomic_load_n(&a->in_user_space, __ATOMIC_RELAXED))
		__atomic_store_n(&a->refused, a->refused + 1, __ATOMIC_RELAXED);
	if (a->nic_time && caplen)
		*time = a->lib->time(a->reader, r);
	return caplen < said->caplen ? caplen : said->caplen;
}

/*
 * Pass on one record; 0 if the filter in user space did not want it. The
 * record's own length may exceed the snapshot length: what came before the
 * first read is kept whole, for a filter to see.
 */
static inline int
deliver(pcap_t *p, struct afxdp *a, const struct afxdp_run *run,
	const struct epb_header *r, const struct epb_lengths *said,
	pcap_handler callback, u_char *user)
{
	uint64_t time = said->time, ns;
	const u_char *frame = epb_frame(r);
	struct pcap_pkthdr h;

	h.caplen = said->caplen;
	h.len = r->len;
	if (a->chooses) {
		h.caplen = choose(p, a, run, r, said, &time);
		if (h.caplen == 0)
			return 0;
		if (a->cooked)
			frame = pcap_cook_any(p, r, &h);
	}
	if (h.caplen > (bpf_u_int32)p->snapshot)
		h.caplen = (bpf_u_int32)p->snapshot;
	ns = split_time(a, time);
	h.ts.tv_sec = a->second;
	if (p->opt.tstamp_precision != PCAP_TSTAMP_PRECISION_NANO)
		ns = (uint32_t)ns / 1000; /* half of the work of 64 bits */
	h.ts.tv_usec = (suseconds_t)ns;
	callback(user, &h, frame);
	return 1;
}

/* Also of a run in which a callback reads, or that it has left by longjmp(). */
static void
finish_run(struct afxdp *a)
{
	if (a->in_run)
		a->lib->run_done(a->reader, &a->run, a->next);
	a->in_run = false;
}

/*
 * Reads of one run before the library is asked again, which has other things to
 * look at: for pcap_next_ex() that is most of the work.
 */
#define KEPT_MAX 32

/* Is there something left of the run of the last read? */
static inline bool
goes_on(const struct afxdp *a)
{
	return a->in_run && a->keeps_runs && a->kept < KEPT_MAX &&
	       afxdp_run_has(&a->run, a->next);
}

static int
begin_run(struct afxdp *a, int found)
{
	a->next = a->run.first;
	a->in_run = found;
	a->kept = 0;
	a->rested = false;
	return found;
}

/* The next run of what was seen before. */
static int
next_run(struct afxdp *a)
{
	finish_run(a);
	return begin_run(a, a->lib->run_seen(a->reader, &a->run));
}

/*
 * The next run; a look at the rings is taken where what was seen before is
 * read.
 */
static int
first_run(pcap_t *p)
{
	struct afxdp *a = p->priv;
	int first = !a->waiting;

	if (next_run(a)) {
		a->told |= first;
		return 1;
	}
	a->waiting = 1;
	/* Who was told to read does not sleep. */
	a->told |= first && a->lib->was_told(a->reader);
	if (!a->nonblock && !a->told)
		a->lib->gather(a->reader, p->opt.timeout);
	return !p->break_loop && begin_run(a, a->lib->run(a->reader, &a->run));
}

/*
 * Has the callback closed the handle? Devices without the prefix crash then.
 * *closed: how many handles were when this was last asked.
 */
static inline bool
is_closed(const struct afxdp *a, uint64_t number, unsigned *closed)
{
	unsigned now = __atomic_load_n(&pcap_closed_afxdp, __ATOMIC_RELAXED);

	if (__builtin_expect(now == *closed, 1))
		return false;
	*closed = now;
	return !pcap_is_open_afxdp(a, number);
}

/*
 * Deliver the present run, max packets at most. PCAP_ERROR_BREAK: the handle is
 * gone.
 */
static int
read_run(pcap_t *p, int max, pcap_handler callback, u_char *user)
{
	struct afxdp *a = p->priv;
	/* Not a copy: where a callback has read, it is not looked at again. */
	const struct afxdp_run *run = &a->run;
	const struct epb_header *r = a->next;
	const uint64_t number = a->number;
	unsigned closed = __atomic_load_n(&pcap_closed_afxdp, __ATOMIC_RELAXED);
	unsigned turn = ++a->turns;
	struct epb_lengths said;
	int n = 0;

	a->chooses = run->refine || a->nic_time || a->cooked ||
		     p->direction != PCAP_D_INOUT;
	a->kept++;
	while (afxdp_run_at(run, r, &said)) {
		const struct epb_header *next =
		    (const void *)((const u_char *)r + said.total);

		__builtin_prefetch(next);
		a->next = next;
		n += deliver(p, a, run, r, &said, callback, user);
		if (is_closed(a, number, &closed))
			return PCAP_ERROR_BREAK;
		if (n == max || p->break_loop || a->turns != turn)
			break;
		r = next;
	}
	return n;
}

/*
 * A callback of pcap_dispatch() and pcap_loop() may leave by longjmp(), and
 * end_read() is not run then. For what is left the descriptor is readable
 * before the first one is called.
 */
static void
be_readable(const pcap_t *p, pcap_handler callback)
{
	struct afxdp *a = p->priv;

	if (!a->rested && callback != p->oneshot_callback)
		a->lib->rest(a->reader);
}

/* Deliver what is there, as read_run(). */
static int
read_records(pcap_t *p, int max, pcap_handler callback, u_char *user)
{
	struct afxdp *a = p->priv;
	int n = 0, got, more;

	/* Nothing has changed since end_read() looked, or read_run() sees it. */
	more = !p->break_loop && ((a->in_run && a->rested) || first_run(p));
	if (more)
		be_readable(p, callback);
	while (more) {
		got = read_run(p, max - n, callback, user);
		if (got == PCAP_ERROR_BREAK)
			return got;
		n += got;
		more = n < max && !p->break_loop && (goes_on(a) || next_run(a));
	}
	return n;
}

static void
explain_end(int e, char *errbuf)
{
	const char *why;

	switch (e) {
	case -ENODEV:
		why = "The interface disappeared";
		break;
	case -ENOLINK:
		why =
		    "The capture program was detached from the interface by another program";
		break;
	case -EUSERS:
		why =
		    "Another process has read from this handle: after fork() one of the two may use it, and open the device again in the other";
		break;
	case -EBADMSG:
		why =
		    "Ring corrupted: something in this program has written into the memory that packets are in; look for it with valgrind or AddressSanitizer";
		break;
	case -EOWNERDEAD:
		why =
		    "The loader process has ended, and with it what it kept for this capture: open the device again";
		break;
	default:
		pcapint_fmt_errmsg_for_errno(errbuf, PCAP_ERRBUF_SIZE, -e,
					     "Waiting for packets");
		return;
	}
	snprintf(errbuf, PCAP_ERRBUF_SIZE, "%s", why);
}

/* Not an error: pcap_geterr() has what was found out while packets were read. */
static void
look_for_note(pcap_t *p)
{
	struct afxdp *a = p->priv;
	const char *note = a->lib->warning(a->capture);

	if (note == a->note)
		return;
	a->note = note;
	snprintf(p->errbuf, PCAP_ERRBUF_SIZE, "%s", note);
	pcap_debug_afxdp("%s: %s", p->opt.device, note);
}

/*
 * Sleep until there may be records, however long that is: on AF_PACKET, too,
 * the timeout hands over what has come, and ends no wait. Or just see that all
 * is well where the application does not want to sleep. 1: look; 0: there are
 * none; PCAP_ERROR.
 */
static int
wait_for_records(pcap_t *p)
{
	struct afxdp *a = p->priv;
	int looks = a->nonblock || a->told, e;

	e = looks ? a->lib->poll(a->reader) : a->lib->wait(a->reader, -1);
	look_for_note(p);
	/* Without a timeout AF_PACKET never returns 0, whatever woke it. */
	if (looks && !e && (a->nonblock || p->opt.timeout > 0))
		e = -ETIME;
	a->told = e == -ETIME; /* the last look sleeps as little */
	switch (e) {
	case 0:
	case -EINTR: /* the caller looks at break_loop */
		return 1;
	case -ETIME:
		return 0;
	default:
		explain_end(e, p->errbuf);
		return PCAP_ERROR;
	}
}

/*
 * What is left of a run is for the next read, and the descriptor is readable
 * until then.
 */
static void
end_read(struct afxdp *a)
{
	if (!goes_on(a))
		finish_run(a);
	else if (a->rested)
		return;
	a->rested = true;
	a->lib->rest(a->reader);
}

int
pcap_read_afxdp(pcap_t *p, int max, pcap_handler callback, u_char *user)
{
	struct afxdp *a = p->priv;
	int n, look = 1;

	if (PACKET_COUNT_IS_UNLIMITED(max))
		max = INT_MAX;
	a->waiting = 0;
	a->told = a->in_run && a->rested;
	for (;;) {
		n = read_records(p, max, callback, user);
		if (n == PCAP_ERROR_BREAK)
			return n;
		/* Whatever was delivered: as AF_PACKET with TPACKET_V3. */
		if (p->break_loop) {
			p->break_loop = 0;
			n = PCAP_ERROR_BREAK;
			break;
		}
		if (n != 0)
			break;
		if (look <= 0) {
			n = look;
			break;
		}
		look = wait_for_records(p);
	}
	end_read(a);
	return n;
}
