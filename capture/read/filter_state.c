/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/attach/facts/caps.h"
#include "util/clock.h"
#include "filter_state.h"

/* Longer than a program of some hundred instructions takes, even if it is preempted. */
#define GRACE_NS	  NS_PER_SEC
#define GENERATIONS	  255
#define FILTERS_UNADOPTED 250

struct filter_change {
	struct afxdp_matcher *refine; /* NULL: every frame matches */
	uint32_t generation; /* records of this generation or later need no refining; 0: all do */
	uint64_t not_before; /* CLOCK_MONOTONIC ns: the earliest time for that */
};

void filter_state_init(struct filter_state *s, struct ring_set *rings, uint32_t snaplen,
		       bool whole_frames)
{
	*s = (struct filter_state){.rings = rings,
				   .snaplen = snaplen,
				   .whole_frames = whole_frames,
				   .level = AFXDP_LEVEL_NONE,
				   .text = "no filter"};
	pthread_mutex_init(&s->lock, NULL);
}

static void change_free(struct filter_change *c)
{
	if (c)
		refine_free(c->refine);
	free(c);
}

void filter_state_free(struct filter_state *s)
{
	change_free(s->pending);
	s->pending = NULL;
	refine_free(s->current);
	s->current = NULL;
	free(s->log);
	s->log = NULL;
	free(s->unfit_log);
	s->unfit_log = NULL;
	free(s->unfit_filter);
	s->unfit_filter = NULL;
	pthread_mutex_destroy(&s->lock);
}

/* Write snaplen and mode into the control pages. The caller holds the lock. */
static void apply_mode(struct filter_state *s)
{
	bool all = s->level == AFXDP_LEVEL_USER && !s->kernel_only && !s->narrowed;
	/* User space filters for now, or in addition. */
	bool whole = s->whole_frames || s->unfinished || s->narrowed;
	uint32_t mode = (all ? RING_TAKE_ALL : 0) | (whole ? RING_KEEP_WHOLE : 0);

	for (unsigned i = 0; i < s->rings->controlled; i++) {
		struct ring_control *r = s->rings->ring[i].control;

		__atomic_store_n(&r->snaplen, s->snaplen, __ATOMIC_RELAXED);
		__atomic_store_n(&r->mode, mode, __ATOMIC_RELAXED);
	}
}

void filter_state_begin(struct filter_state *s)
{
	pthread_mutex_lock(&s->lock);
	s->whole_frames = false;
	apply_mode(s);
	pthread_mutex_unlock(&s->lock);
}

/*
 * Would the loader only get the same answer? What is too complex (E2BIG) takes the verifier seconds
 * to find out; but without privilege the kernel gives this answer also to what is merely long.
 */
static bool is_final(int e)
{
	char unused[AFXDP_ERROR_SIZE];

	return !e || e == -EOPNOTSUPP || (e == -E2BIG && caps_missing(unused, sizeof(unused)) == 0);
}

static void write_text(struct filter_state *s, int e, const char *who)
{
	static const char *const in_kernel[] = {
		[AFXDP_LEVEL_FRAGS] = "in the kernel",
		[AFXDP_LEVEL_HELPER] = "in the kernel, each load by helper",
	};

	if (s->level != AFXDP_LEVEL_USER)
		snprintf(s->text, sizeof(s->text), "%s%s", in_kernel[s->level], who);
	else if (s->narrowed)
		snprintf(s->text, sizeof(s->text),
			 "in user space, after %d rounds in the kernel: instruction %d: backward jump",
			 FILTER_TURNS, s->back);
	else if (e == -EPERM)
		snprintf(s->text, sizeof(s->text),
			 "in user space: no privilege to load it, and no loader process");
	else if (e == -EPIPE)
		snprintf(s->text, sizeof(s->text),
			 "in user space: the loader process has ended, or did not answer within 20 s");
	else if (e == -EAGAIN)
		snprintf(s->text, sizeof(s->text),
			 "in user space: too many filters were set without a read between them");
	else if ((e == -EOPNOTSUPP || e == -ETIME || e == -ETIMEDOUT) && s->log)
		snprintf(s->text, sizeof(s->text), "in user space: %.*s",
			 (int)strcspn(s->log, "\n"), s->log);
	else if (e == -E2BIG)
		snprintf(s->text, sizeof(s->text),
			 "in user space: too complex for the kernel's verifier, which follows a million instructions");
	else
		snprintf(s->text, sizeof(s->text), "in user space: the kernel refused it: %s",
			 strerror(-e));
}

/* Finishes what the loader is still doing. This thread holds the lock. */
static int finish(struct filter_state *s, bool wait)
{
	enum afxdp_level level =
		AFXDP_LEVEL_USER; /* on an error the old programs stay, and record all */
	int e = loader_settle(s->loader, wait, &level);

	if (e == -EAGAIN)
		return e;
	__atomic_store_n(&s->unfinished, false, __ATOMIC_RELAXED);
	if (s->narrowed && level != AFXDP_LEVEL_USER) /* user space still does its part */
		level = s->level;
	if (level != s->level || e) {
		s->level = level;
		s->narrowed = false;
		write_text(s, e, ", by the loader");
	}
	apply_mode(s);
	return e;
}

void filter_state_settle(struct filter_state *s, struct merge *m, bool wait)
{
	int e;

	if (!__atomic_load_n(&s->unfinished, __ATOMIC_RELAXED))
		return;
	if (wait)
		pthread_mutex_lock(&s->lock);
	else if (pthread_mutex_trylock(&s->lock))
		return;
	/* Not before the reader has adopted the filter. */
	e = s->unfinished && !s->pending ? finish(s, wait) : -EAGAIN;
	if (!e && s->kernel_sees_all)
		m->settle_after = clock_monotonic() + GRACE_NS;
	pthread_mutex_unlock(&s->lock);
}

/*
 * Until the first filter is in place, all frames are recorded, and user space filters. The same
 * goes on while the loader waits for the kernel's grace period, for which the caller does not wait.
 */
static bool goes_early(const struct filter_state *s, bool first)
{
	const struct image *i = s->images;

	return first && !s->at_once && s->loader->socket >= 0 &&
	       (!s->image_count || (i->place == IMAGE_LINK && i->type == BPF_PROG_TYPE_XDP));
}

static int swap_by_loader(struct filter_state *s, const struct sock_filter *f, unsigned n,
			  bool early)
{
	int e;

	free(s->log);
	s->log = NULL;
	e = loader_swap(s->loader, f, n, s->generation, early, &s->level, &s->log);
	__atomic_store_n(&s->unfinished, s->loader->unfinished, __ATOMIC_RELAXED);
	return e;
}

/* Swap in this process if it has the privilege, else by the loader. */
static int swap(struct filter_state *s, const struct sock_filter *f, unsigned n, bool first,
		const char **who)
{
	int e = -EPERM; /* no images here: the loader has them */
	char missing[AFXDP_ERROR_SIZE];
	/* If this process could do it as well, the loader is not mentioned. */
	const char *loader = caps_missing(missing, sizeof(missing)) ? ", by the loader" : "";

	if (s->unfinished && finish(s, true) == -EPIPE)
		e = -EPIPE; /* and so the user is told that the loader has ended */
	free(s->log);
	s->log = NULL;
	s->level = AFXDP_LEVEL_USER;
	if (goes_early(s, first) || (s->by_loader && s->loader->socket >= 0)) {
		*who = loader;
		e = swap_by_loader(s, f, n, goes_early(s, first));
		if (e != -EPIPE || !s->image_count)
			return e;
	}
	*who = "";
	if (s->image_count)
		e = image_swap_all(s->images, s->image_count, f, n, s->generation, false, &s->level,
				   &s->log, NULL);
	/* Whatever is missing here, privilege, descriptors or namespace, the loader may have it. */
	if (is_final(e) || s->loader->socket < 0)
		return e;
	*who = s->image_count ? ", by the loader" : loader;
	return swap_by_loader(s, f, n, false);
}

/* The same for a cooked link, for which the kernel has some fields under other names. */
static int swap_cooked(struct filter_state *s, const struct sock_filter *f, unsigned n, bool first,
		       const char **who)
{
	struct sock_filter *cooked = calloc(n, sizeof(*cooked));
	char why[128];
	int e = cooked ? filter_cook_skb(f, n, s->link, cooked, why, sizeof(why)) : -ENOMEM;

	if (!e) {
		e = swap(s, cooked, n, first, who);
	} else {
		free(s->log);
		s->log = strdup(why);
		s->level = AFXDP_LEVEL_USER;
	}
	free(cooked);
	return e;
}

/* The reader does not read: generations would wrap around before it has seen the first one. */
static int give_up(struct filter_state *s)
{
	free(s->log);
	s->log = NULL;
	s->level = AFXDP_LEVEL_USER;
	s->narrowed = false;
	return -EAGAIN;
}

static int leave_to_user(struct filter_state *s, const char *why)
{
	free(s->log);
	s->log = why ? strdup(why) : NULL;
	s->level = AFXDP_LEVEL_USER;
	s->narrowed = false;
	return -EOPNOTSUPP;
}

/* Was this filter refused when the capture began? */
static bool is_unfit(const struct filter_state *s, const struct sock_filter *f, unsigned n)
{
	return s->unfit_filter && n == s->unfit_n &&
	       memcmp(f, s->unfit_filter, n * sizeof(*f)) == 0;
}

/* The programs are not exchanged. unfit: they could not be attached with this filter, which has its
 * own reason. */
static int leave_unchanged(struct filter_state *s, bool unfit)
{
	if (!unfit)
		return leave_to_user(s, "each exchange of the program would reset the interface");
	leave_to_user(s, s->unfit_log);
	return s->unfit;
}

/* What the first rounds leave to user space must be recorded whole before the programs change. */
static int exchange(struct filter_state *s, const struct sock_filter *f, unsigned n, bool first,
		    const char **who)
{
	char text[64];
	bool turns, unfit = first && is_unfit(s, f, n);
	int e;

	s->back = filter_turns_back(f, n);
	turns = s->back >= 0;
	/* Pairs with the exchange in filter_state_adopt(). */
	if (s->unadopted >= FILTERS_UNADOPTED && __atomic_load_n(&s->pending, __ATOMIC_ACQUIRE))
		return give_up(s);
	snprintf(text, sizeof(text), "instruction %d: backward jump", s->back);
	/* Frames that the filter rejects must not be kept from the host: so no narrowing. */
	if (turns && (s->kernel_only || s->resets))
		return leave_to_user(s, text);
	if ((s->resets && !s->kernel_only) || (unfit && s->unfit_for_good))
		return leave_unchanged(s, unfit);
	if (turns) {
		s->narrowed = true;
		apply_mode(s);
	}
	e = s->link ? swap_cooked(s, f, n, first, who) : swap(s, f, n, first, who);
	s->narrowed = turns && !e;
	if (s->narrowed)
		s->level = AFXDP_LEVEL_USER;
	return e;
}

/* Pairs with the exchange in filter_state_adopt(): *c was written before. */
static void publish(struct filter_state *s, struct filter_change *c)
{
	struct filter_change *before = __atomic_exchange_n(&s->pending, c, __ATOMIC_ACQ_REL);

	s->unadopted = before ? s->unadopted + 1 : 1;
	change_free(before);
}

/* If the kernel does not run the filter, wrong frames would be kept from the host: the old one
 * stays. */
static int refuse(struct filter_state *s, struct filter_change *c, char *err, size_t size)
{
	snprintf(err, size,
		 "the kernel cannot run this filter, and frames that it does not want would be kept from the host (%s): use engine=tap without after=drop, or add rest=drop",
		 s->text);
	apply_mode(s);
	pthread_mutex_unlock(&s->lock);
	change_free(c);
	return -EOPNOTSUPP;
}

/* It is not a valid filter. libpcap's own check accepts programs that are too long. With
 * -EOPNOTSUPP, err already has the reason. */
static int refuse_invalid(int e, struct filter_change *c, const struct sock_filter *f, unsigned n,
			  char *err, size_t size)
{
	char why[128];

	if (e != -ENOMEM && filter_validate(f, n, why, sizeof(why)))
		snprintf(err, size, "the filter is not a valid BPF program: %s", why);
	else if (e != -EOPNOTSUPP)
		snprintf(err, size, "out of memory");
	free(c);
	return e;
}

int filter_state_set(struct filter_state *s, const struct sock_filter *f, unsigned n, char *err,
		     size_t size)
{
	static const struct sock_filter take_all = {BPF_RET | BPF_K, 0, 0, UINT32_MAX};
	struct filter_change *c = calloc(1, sizeof(*c));
	const char *who = "";
	uint32_t before;
	int e = c ? 0 : -ENOMEM;

	if (!e && n)
		e = s->link ? refine_new_cooked(&c->refine, f, n, s->link, err, size)
			    : refine_new(&c->refine, f, n, s->ifindex, s->tags_beside);
	if (e)
		return refuse_invalid(e, c, f, n, err, size);
	pthread_mutex_lock(&s->lock);
	before = s->generation;
	s->generation = before % GENERATIONS + 1;
	e = exchange(s, n ? f : &take_all, n ? n : 1, !before, &who);
	if (e) /* the old program stays, and the next one must differ from it */
		s->generation = before;
	write_text(s, e, who);
	if (e && s->kernel_only)
		return refuse(s, c, err, size);
	c->generation = e || s->narrowed ? 0 : s->generation;
	apply_mode(s);
	c->not_before =
		s->kernel_sees_all && !s->unfinished ? clock_monotonic() + GRACE_NS : UINT64_MAX;
	publish(s, c);
	pthread_mutex_unlock(&s->lock);
	return 0;
}

void filter_state_refused(struct filter_state *s, int error, char *log, const struct sock_filter *f,
			  unsigned n, bool by_loader)
{
	s->unfit = error;
	s->unfit_log = log;
	s->unfit_filter = calloc(n ? n : 1, sizeof(*f));
	s->unfit_n = n;
	if (s->unfit_filter)
		memcpy(s->unfit_filter, f, n * sizeof(*f));
	s->unfit_for_good = by_loader && error != -ENOMEM && error != -EMFILE && error != -ENFILE &&
			    error != -ETIMEDOUT;
}

int filter_state_know(struct filter_state *s, const struct sock_filter *f, unsigned n,
		      uint32_t generation, enum afxdp_level level, const char *log, const char *who)
{
	struct filter_change *c = calloc(1, sizeof(*c));
	int e = c ? refine_new(&c->refine, f, n, s->ifindex, s->tags_beside) : -ENOMEM;

	if (e) {
		free(c);
		return e;
	}
	pthread_mutex_lock(&s->lock);
	s->generation = c->generation = generation;
	s->level = level;
	s->log = log ? strdup(log) : NULL;
	write_text(s, 0, who);
	apply_mode(s);
	c->not_before = s->kernel_sees_all ? clock_monotonic() : UINT64_MAX;
	publish(s, c);
	pthread_mutex_unlock(&s->lock);
	return 0;
}

void filter_state_adopt(struct filter_state *s, struct merge *m)
{
	struct filter_change *c;

	if (!__atomic_load_n(&s->pending, __ATOMIC_RELAXED)) /* as is nearly always so */
		return;
	c = __atomic_exchange_n(&s->pending, NULL, __ATOMIC_ACQ_REL); /* pairs with publish() */
	if (!c)
		return;
	refine_free(s->current);
	s->current = c->refine;
	m->generation = c->generation;
	m->settle_after = c->not_before;
	for (unsigned i = 0; i < s->rings->count; i++) {
		struct ring *r = &s->rings->ring[i];

		r->refine_below = c->refine ? UINT64_MAX : 0;
		r->distrust_below = r->adopted_head;
		r->adopted_head = ring_head(r);
	}
	free(c);
}
