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

/* Returns the nanoseconds of a time within its second, which is then a->second.
 * Most times are in the same second as the last. */
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
 * For the few handles that want it: returns how many bytes of the frame to pass
 * on, 0 for none, and may replace the time.
 */
static uint32_t
choose(const pcap_t *p, struct afxdp *a, const struct afxdp_run *run,
       const struct epb_header *r, const struct epb_lengths *said,
       uint64_t *time)
{
	uint32_t caplen = said->caplen;

	if (p->direction != PCAP_D_INOUT && !is_wanted(p, r, caplen))
		return 0; /* it was queued before the direction was set */
	if (run->refine)
		caplen = a->lib->refine(a->reader, r);
	if (caplen == 0 && __atomic_load_n(&a->in_user_space, __ATOMIC_RELAXED))
		__atomic_store_n(&a->refused, a->refused + 1, __ATOMIC_RELAXED);
	if (a->nic_time && caplen)
		*time = a->lib->time(a->reader, r);
	return caplen < said->caplen ? caplen : said->caplen;
}

/*
 * Pass on one record. Returns 0 if the handle's direction or its filter in user
 * space rejects it. A record may be longer than the snapshot length: frames
 * that come before the first read are kept whole, so that a filter can see
 * them.
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
		ns = (uint32_t)ns / 1000; /* 32-bit division: half the cost */
	h.ts.tv_usec = (suseconds_t)ns;
	callback(user, &h, frame);
	return 1;
}

/* The run may also be one in which a callback reads, or that a callback has
 * left by longjmp(). */
static void
finish_run(struct afxdp *a)
{
	if (a->in_run)
		a->lib->run_done(a->reader, &a->run, a->next);
	a->in_run = false;
}

/*
 * How many reads a run may serve before the library is called again, which also
 * checks the interface and the program. With pcap_next_ex() such a call costs
 * more than all else.
 */
#define KEPT_MAX 32

/* Is anything left of the run of the last read? */
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

/* Go on to the next run of the records that were already seen. */
static int
next_run(struct afxdp *a)
{
	finish_run(a);
	return begin_run(a, a->lib->run_seen(a->reader, &a->run));
}

/*
 * Go on to the next run. Look at the rings only if all records that were
 * already seen are read.
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
	/* A caller that was told to read must not sleep. */
	a->told |= first && a->lib->was_told(a->reader);
	if (!a->nonblock && !a->told)
		a->lib->gather(a->reader, p->opt.timeout);
	return !p->break_loop && begin_run(a, a->lib->run(a->reader, &a->run));
}

/*
 * Has the callback closed the handle? (Devices without the prefix crash then.)
 * *closed: the number of closed handles when this was last asked.
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
 * Deliver at most max packets of the current run. Returns PCAP_ERROR_BREAK if
 * the handle is gone.
 */
static int
read_run(pcap_t *p, int max, pcap_handler callback, u_char *user)
{
	struct afxdp *a = p->priv;
	/* Not a copy: if a callback has read, the old run must not be used. */
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
 * A callback of pcap_dispatch() or pcap_loop() may leave by longjmp(), and then
 * end_read() does not run. So before the first callback, make the descriptor
 * readable for what will be left.
 */
static void
be_readable(const pcap_t *p, pcap_handler callback)
{
	struct afxdp *a = p->priv;

	if (!a->rested && callback != p->oneshot_callback)
		a->lib->rest(a->reader);
}

/* Deliver at most max packets of what is there. Returns as read_run() does. */
static int
read_records(pcap_t *p, int max, pcap_handler callback, u_char *user)
{
	struct afxdp *a = p->priv;
	int n = 0, got, more;

	/* If the run has rested, nothing has changed since end_read() looked,
	 * or read_run() will see it. */
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

/* A warning that the library found while it was reading is not an error:
 * pcap_geterr() returns it. */
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
 * Sleep until there may be records, however long that takes: as on AF_PACKET,
 * the timeout bounds how long packets are held back, but does not end a wait.
 * If the application does not want to sleep, only check that all is well.
 * Returns 1 to look, 0 if there are none, or PCAP_ERROR.
 */
static int
wait_for_records(pcap_t *p)
{
	struct afxdp *a = p->priv;
	int looks = a->nonblock || a->told, e;

	e = looks ? a->lib->poll(a->reader) : a->lib->wait(a->reader, -1);
	look_for_note(p);
	/* Without a timeout AF_PACKET never returns 0, whatever woke it up. */
	if (looks && !e && (a->nonblock || p->opt.timeout > 0))
		e = -ETIME;
	a->told = e == -ETIME; /* then the last look does not sleep either */
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
 * Leave the rest of a run for the next read; until then the descriptor is
 * readable.
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
		/* Even if packets were delivered: as AF_PACKET does with
		 * TPACKET_V3. */
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
