/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "util/clock.h"
#include "util/grace.h"
#include "xdpdump/os/complain.h"
#include "xdpdump/os/signals.h"
#include "xdpdump/spaces/spaces.h"
#include "sources.h"
#include "words.h"

/* Another source may still bring a record that is this much older than the present one, because
 * sources are looked at every 4 ms. */
#define HOLD_NS	 (9 * NS_PER_MS)
#define HOLD_MS	 9
#define AHEAD_NS (100 * NS_PER_MS) /* if a record is further ahead, the clock was set back */
#define LOOK_MS	 1000		   /* how often the interfaces' state is checked */
#define STALL_NS NS_PER_SEC	   /* records that have not come after this long will not */
#define COUNTERS (sizeof(struct afxdp_stats) / sizeof(uint64_t))

static bool has_run(struct source *s)
{
	if (!s->has_run && s->reader)
		s->has_run = afxdp_run(s->reader, &s->run);
	return s->has_run;
}

static struct source *oldest(struct sources *all, uint64_t *until)
{
	struct source *first = NULL;

	*until = UINT64_MAX;
	for (unsigned i = 0; i < all->count; i++) {
		struct source *s = &all->source[i];
		uint64_t time = has_run(s) ? epb_time(s->run.first) : UINT64_MAX;

		if (!s->has_run)
			continue;
		if (!first || time < epb_time(first->run.first)) {
			if (first)
				*until = epb_time(first->run.first);
			first = s;
		} else if (time < *until) {
			*until = time;
		}
	}
	return first;
}

void sources_begin(struct sources *all)
{
	for (unsigned i = 0; i < all->count; i++)
		afxdp_begin(all->source[i].reader);
}

static unsigned list_captures(const struct sources *all, struct afxdp_capture *c[SOURCES_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < all->count; i++)
		if (all->source[i].capture && !all->source[i].lost)
			c[n++] = all->source[i].capture;
	return n;
}

void sources_open_gate(const struct sources *all)
{
	struct afxdp_capture *c[SOURCES_MAX];

	afxdp_gate_open(c, list_captures(all, c));
}

struct source *sources_next(struct sources *all)
{
	uint64_t now = all->count > 1 && !all->stopped ? clock_wall() - HOLD_NS : 0, until, time;
	struct source *s = oldest(all, &until);

	if (!s)
		return NULL;
	time = epb_time(s->run.first);
	if (now && time > now && time - now < AHEAD_NS)
		return NULL;
	if (now && until > now && time <= now)
		until = now;
	if (s->run.until > until)
		s->run.until = until;
	return s;
}

void sources_done(struct source *s, const struct epb_header *next, uint64_t n)
{
	afxdp_run_done(s->reader, &s->run, next);
	s->has_run = false;
	s->read += n;
}

/* Are there records that are held back for their order? */
static bool are_held(const struct sources *all)
{
	for (unsigned i = 0; i < all->count; i++)
		if (all->source[i].has_run)
			return true;
	return false;
}

/* Is it time to check the network namespaces? Once a second. */
static bool look_is_due(struct sources *all)
{
	uint64_t now = clock_monotonic();

	if (now - all->looked < LOOK_MS * (uint64_t)NS_PER_MS)
		return false;
	all->looked = now;
	return true;
}

/* Copy the original's text, which only grows. */
static void copy_change(struct source *s)
{
	/* Pairs with the store in sources_tell_change(). */
	size_t n = __atomic_load_n(&s->of->changed, __ATOMIC_ACQUIRE);

	memcpy(s->change, s->of->change, n);
	s->change[n] = 0;
}

/* Captures that read the same file give the same warning. Was it printed for another source, and
 * this one has not given it before? */
static bool is_told(struct sources *all, const struct source *s, const char *words)
{
	const uint64_t bit = 1ull << (s - all->source);
	unsigned i = 0;
	bool again;

	_Static_assert(SOURCES_MAX <= 64, "a bit for each");
	while (i < SOURCES_TOLD && strcmp(all->told[i].text, words) != 0)
		i++;
	if (i == SOURCES_TOLD) {
		i = all->told_next++ % SOURCES_TOLD;
		snprintf(all->told[i].text, sizeof(all->told[i].text), "%s", words);
		all->told[i].by = 0;
	}
	again = !all->told[i].by || all->told[i].by & bit;
	all->told[i].by = again ? bit : all->told[i].by | bit;
	return !again;
}

void sources_tell_change(struct sources *all, struct source *s)
{
	size_t used = s->changed;
	char words[AFXDP_ERROR_SIZE];
	const char *text;

	if (s->of) {
		copy_change(s);
		return;
	}
	text = s->capture ? afxdp_warning(s->capture) : NULL;
	if (!text || text == s->warned)
		return;
	s->warned = text;
	words_of_command(text, words, sizeof(words));
	if (!is_told(all, s, words))
		complain("warning: %s", words);
	snprintf(s->change + used, sizeof(s->change) - used, "%s%s", used ? "; " : "", words);
	/* Pairs with the load in copy_change(). */
	__atomic_store_n(&s->changed, used + strlen(s->change + used), __ATOMIC_RELEASE);
}

static bool has_files(const struct source *s)
{
	static const char *const names[] = {"hosts",	 "src-hosts",	  "dst-hosts",
					    "not-hosts", "not-src-hosts", "not-dst-hosts",
					    "ports",	 "src-ports",	  "dst-ports",
					    "not-ports", "not-src-ports", "not-dst-ports",
					    "not-flows"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!afxdp_options_have(s->options, names[i], NULL))
			return true;
	return false;
}

bool sources_have_files(const struct sources *all)
{
	for (unsigned i = 0; i < all->count; i++)
		if (has_files(&all->source[i]))
			return true;
	return false;
}

void sources_reload(struct sources *all)
{
	char err[AFXDP_ERROR_SIZE], text[AFXDP_ERROR_SIZE];

	for (unsigned i = 0; i < all->count; i++) {
		struct source *s = &all->source[i];

		if (s->capture && !s->lost && has_files(s) &&
		    afxdp_addresses_reload(s->capture, false, err, sizeof(err)) &&
		    !is_told(all, s, words_of_command(err, text, sizeof(text))))
			complain("warning: the old addresses and ports stay: %s", text);
	}
}

static int look(struct sources *all, const struct source **which)
{
	bool due = look_is_due(all);

	for (unsigned i = 0; i < all->count; i++) {
		struct source *s = &all->source[i];
		int e = s->lost		? 0
			: all->by_rings ? afxdp_attend(s->reader)
					: afxdp_poll(s->reader);

		*which = s;
		sources_tell_change(all, s);
		if (!e && !s->lost && s->spaces && spaces_ended(s->spaces))
			e = -EOWNERDEAD;
		if (!e && due && !s->lost && source_lacks_netns(s))
			e = -ENONET;
		if (e)
			return e;
	}
	return 0;
}

static int wait_for_one(struct sources *all, int timeout_ms)
{
	int e = afxdp_wait(all->source->reader, timeout_ms);

	sources_tell_change(all, all->source);
	if (source_judge(e) || !look_is_due(all) || !source_lacks_netns(all->source))
		return e;
	return -ENONET;
}

/* The descriptor of the keeper's news; -1: there is no keeper. There is one at most. */
static int news_of(const struct sources *all)
{
	for (unsigned i = 0; i < all->count; i++)
		if (all->source[i].spaces && !all->source[i].lost)
			return spaces_fd(all->source[i].spaces);
	return -1;
}

/* List what to poll: the last two are the pipe, for POLLERR, and the keeper's news. A source that
 * is lost has nothing to wake us. */
static void list_descriptors(struct sources *all, struct pollfd *fds)
{
	for (unsigned i = 0; i < all->count; i++) {
		struct source *s = &all->source[i];

		fds[i] = (struct pollfd){.fd = -1, .events = POLLIN};
		if (s->lost)
			continue;
		if (!all->by_rings)
			afxdp_rest(s->reader);
		fds[i].fd = afxdp_fd(s->reader);
	}
	fds[all->count] = (struct pollfd){.fd = all->pipe};
	fds[all->count + 1] = (struct pollfd){.fd = news_of(all), .events = POLLIN};
}

int sources_wait(struct sources *all, int timeout_ms, const struct source **which)
{
	struct pollfd fds[SOURCES_MAX + 2];
	int n;

	*which = all->source;
	if (all->count == 1 && all->pipe < 0 && !all->source->spaces && !all->by_rings)
		return wait_for_one(all, timeout_ms);
	list_descriptors(all, fds);
	if (are_held(all) && (timeout_ms < 0 || timeout_ms > HOLD_MS))
		timeout_ms = HOLD_MS;
	if (timeout_ms < 0 || timeout_ms > LOOK_MS)
		timeout_ms = LOOK_MS;
	n = poll(fds, all->count + 2, timeout_ms);
	if (n < 0)
		return -errno;
	if (n > 0 && fds[all->count].revents & POLLERR)
		return -EPIPE;
	return look(all, which);
}

/* Does what ended s also end the other? Each XDP program of an interface is a source. */
static bool goes_with(const struct source *s, const struct source *other, int e)
{
	if (s->spaces && other->spaces == s->spaces) /* nobody reads the news for the other one */
		return true;
	if (other->netns != s->netns || strcmp(other->ifname, s->ifname) != 0)
		return other == s;
	return other == s || e == -ENODEV || e == -ENONET || (s->program && other->program);
}

/* The first source that is not lost. */
static struct source *first_of(const struct sources *all)
{
	for (unsigned i = 0; i < all->count; i++)
		if (!all->source[i].lost)
			return &all->source[i];
	return NULL;
}

bool sources_lose(struct sources *all, const struct source *s, int e, bool stop)
{
	const struct source *first;

	for (unsigned i = 0; i < all->count; i++) {
		struct source *other = &all->source[i];

		if (other->lost || !goes_with(s, other, e))
			continue;
		other->lost = e;
		other->lost_time = clock_monotonic();
		source_stop(other);
		all->leaving++;
	}
	first = first_of(all);
	source_explain(s, e, first && !stop);
	if (first)
		signals_wake(first->reader); /* nobody waits for the lost one any more */
	return stop || !first;
}

bool sources_may_release(struct source *s, uint64_t now)
{
	return s->lost && s->reader && (source_is_empty(s) || now - s->lost_time > STALL_NS);
}

void sources_release(struct sources *all, struct source *s)
{
	const struct source *first = first_of(all);

	signals_wake(NULL); /* returns when no signal handler uses the reader */
	signals_wake(first ? first->reader : NULL);
	source_release(s);
	all->leaving--;
}

void sources_stop(struct sources *all)
{
	struct afxdp_capture *c[SOURCES_MAX];

	if (all->stopped)
		return;
	afxdp_gate_close(c, list_captures(all, c));
	for (unsigned i = 0; i < all->count; i++)
		if (!all->source[i].lost)
			source_detach(&all->source[i]);
	grace_wait();
	all->stopped = true;
}

bool sources_are_empty(struct sources *all)
{
	for (unsigned i = 0; i < all->count; i++)
		if (!source_is_empty(&all->source[i]))
			return false;
	return true;
}

void sources_stats(const struct sources *all, struct afxdp_stats each[], struct afxdp_stats *sum)
{
	*sum = (struct afxdp_stats){0};
	for (unsigned i = 0; i < all->count; i++) {
		source_stats(&all->source[i], &each[i]);
		stats_add(sum, &each[i]);
	}
}

void stats_add(struct afxdp_stats *sum, const struct afxdp_stats *more)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)more;

	for (unsigned k = 0; k < COUNTERS; k++)
		to[k] += from[k];
}

void stats_subtract(struct afxdp_stats *now, const struct afxdp_stats *before)
{
	uint64_t *to = (uint64_t *)now;
	const uint64_t *from = (const uint64_t *)before;

	for (unsigned k = 0; k < COUNTERS; k++)
		to[k] -= from[k];
}

const char *sources_slow_filter(const struct sources *s)
{
	const char *slow = NULL;

	for (unsigned i = 0; i < s->count && !slow; i++)
		slow = source_slow_filter(&s->source[i]);
	return slow;
}
