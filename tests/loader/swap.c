/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Exchanges the filter again and again while numbered frames of FLOWS flows come in (trafgen
 * --flows), and says whether one was lost or handed out that should not have been.
 *
 * Each filter rejects one flow, the next filter another; two flows are never rejected. A frame may
 * be missing only if it arrived, or was not yet handed out, when a filter was set or in force that
 * rejects its flow. A frame whose flow the filter rejects that was last set must not be handed out
 * any more; where another thread sets filters, one may be: in the hands of the reader when the
 * setting returned.
 */
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "testprogs/frame.h"
#include "testprogs/json.h"
#include "swap.h"

#define FLOWS	       8
#define FLOWS_REJECTED 6
#define SEQ_MAX	       (1u << 26)
#define SWAPS_MAX      20000
#define QUIET_MS       400
#define LIMIT_MS       60000
/* Clocks: a time stamp is of the kernel's, a swap of ours. */
#define CLOCK_SLACK_NS 100000

enum how { BY_READER, BY_THREAD, BY_CALLBACK };
enum filters { PLAIN, MIXED };

static struct {
	enum how how;
	enum filters filters;
	unsigned swaps;	      /* to make */
	unsigned interval_us; /* between them */
	uint32_t snaplen;
	struct backend *backend;
} test;

/* One per swap; 0 is the filter set before the traffic. */
static struct swap {
	uint64_t begun, done; /* CLOCK_REALTIME ns of the call; 0: not yet */
	uint64_t position;    /* highest number handed out when it began */
	unsigned late;	      /* frames it rejects that were handed out when it was done */
} swap[SWAPS_MAX];
static atomic_uint state; /* 2 * swap in force, and 1 more while the next is being set */
static uint64_t *time_of; /* by sequence number; 0: not seen */
static struct {
	uint64_t frames, duplicates, corrupt, highest;
	uint64_t last; /* time stamp of the last one */
} seen;

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static unsigned flow_rejected_by(unsigned i)
{
	return i % FLOWS_REJECTED;
}

/* Of two filters after each other one is for user space: it asks for what is not to be had, ... */
static bool is_for_user_space(unsigned i)
{
	return test.filters == MIXED && i % 2;
}

/* ... or jumps backward. */
static bool is_narrowed(unsigned i)
{
	return is_for_user_space(i) && i % 4 == 1;
}

/* Looks at byte 200 as well, which all frames have, beyond the snapshot length. */
static bool is_deep(unsigned i)
{
	return test.filters == MIXED && !is_for_user_space(i);
}

static unsigned make_filter(unsigned i, struct sock_filter *f)
{
	unsigned n = 0;

	if (is_narrowed(i)) {
		f[n++] = (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 1);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 1);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, (__u32)-2);
	} else if (is_for_user_space(i)) {
		f[n++] = (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 1);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						      (__u32)(SKF_AD_OFF + SKF_AD_RANDOM));
	}
	if (is_deep(i)) {
		f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 200);
		f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, frame_filler(200),
						      0, 3);
	}
	f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 34);
	f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
					      FRAME_SPORT_BASE + flow_rejected_by(i), 1, 0);
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, test.snaplen);
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
	return n;
}

static void make_swap(unsigned i)
{
	struct sock_filter f[16];
	unsigned n = make_filter(i, f);

	if (i)
		atomic_store(&state, 2 * (i - 1) + 1);
	swap[i].begun = now(CLOCK_REALTIME);
	swap[i].position = __atomic_load_n(&seen.highest, __ATOMIC_RELAXED);
	backend_set_filter(test.backend, f, n);
	swap[i].done = now(CLOCK_REALTIME);
	atomic_store(&state, 2 * i);
}

/*
 * Frames that a filter with a small snapshot length has cut cannot be asked for more by the next
 * but one: where filters look beyond it, they wait for those that were queued at the swap before.
 */
static bool reader_has_come_past(unsigned i)
{
	uint64_t last = __atomic_load_n(&seen.last, __ATOMIC_RELAXED);

	return last && (test.filters != MIXED || last > swap[i].done + CLOCK_SLACK_NS);
}

/* By the reader, between reads or within one. */
static void swap_when_due(void)
{
	static uint64_t due;
	unsigned i = atomic_load(&state) / 2;
	uint64_t t = now(CLOCK_MONOTONIC);

	if (i == test.swaps || t < due || !reader_has_come_past(i))
		return;
	make_swap(i + 1);
	due = now(CLOCK_MONOTONIC) + test.interval_us * 1000ull;
}

static void judge(uint64_t seq, unsigned s)
{
	if (s % 2 == 0 && seq % FLOWS == flow_rejected_by(s / 2))
		swap[s / 2].late++;
}

static void on_frame(const uint8_t *data, uint32_t caplen, uint32_t len, uint64_t time)
{
	unsigned s = atomic_load(&state);
	struct frame_info info;
	enum frame_verdict v = frame_check(data, caplen, len, &info);

	if (v == FRAME_FOREIGN || info.seq >= SEQ_MAX)
		return;
	seen.corrupt += v == FRAME_CORRUPT;
	seen.frames++;
	seen.duplicates += time_of[info.seq] != 0;
	time_of[info.seq] = time;
	__atomic_store_n(&seen.last, time, __ATOMIC_RELAXED);
	if (info.seq > seen.highest)
		seen.highest = info.seq;
	judge(info.seq, s);
	if (test.how == BY_CALLBACK)
		swap_when_due();
}

static void *swap_by_thread(void *nothing)
{
	uint64_t limit = now(CLOCK_MONOTONIC) + LIMIT_MS * 1000000ull;

	for (unsigned i = 0; i < test.swaps && now(CLOCK_MONOTONIC) < limit;) {
		if (reader_has_come_past(i))
			make_swap(++i);
		usleep(test.interval_us);
	}
	return nothing;
}

/*
 * Until all swaps are made and nothing comes any more. Says so when it is time to end the traffic.
 */
static void read_all(void)
{
	uint64_t begun = now(CLOCK_MONOTONIC), last = begun, frames = 0, t;
	bool announced = false;

	do {
		backend_read(test.backend, on_frame);
		if (test.how == BY_READER)
			swap_when_due();
		t = now(CLOCK_MONOTONIC);
		if (seen.frames != frames)
			last = t;
		frames = seen.frames;
		if (!announced && atomic_load(&state) / 2 == test.swaps) {
			fprintf(stderr, "all swaps are made\n");
			announced = true;
		}
	} while (t - begun < LIMIT_MS * 1000000ull &&
		 (!announced || t - last < QUIET_MS * 1000000ull));
}

/*
 * Is there a filter that rejects the flow, came before the frame was handed out, and was not yet
 * replaced when it arrived? It was queued then, or came while the filter was in force.
 */
static bool is_explained(uint64_t seq, uint64_t arrived, unsigned *from)
{
	unsigned made = atomic_load(&state) / 2;

	for (unsigned i = *from; i <= made && (!i || swap[i].position < seq); i++) {
		uint64_t replaced = i < made ? swap[i + 1].done : UINT64_MAX / 2;

		if (replaced + CLOCK_SLACK_NS < arrived)
			*from = i; /* frames come in order: no need to look at it again */
		else if (flow_rejected_by(i) == seq % FLOWS)
			return true;
	}
	return false;
}

struct verdict {
	uint64_t missing, unexplained, late;
	unsigned late_most; /* frames too late after one and the same swap */
};

static uint64_t next_time(uint64_t seq)
{
	while (seq < seen.highest && !time_of[seq])
		seq++;
	return time_of[seq];
}

/* For whoever has to find out why: between which swaps it came. */
static void describe_loss(uint64_t seq, uint64_t before, uint64_t after)
{
	unsigned made = atomic_load(&state) / 2, i = made;

	while (i && swap[i].begun > before)
		i--;
	fprintf(stderr,
		"lost: frame %llu of flow %llu, within %lld us, %lld us after swap %u began, which took %lld us; the next began %lld us later\n",
		(unsigned long long)seq, (unsigned long long)seq % FLOWS,
		(long long)(after - before) / 1000, (long long)(before - swap[i].begun) / 1000, i,
		(long long)(swap[i].done - swap[i].begun) / 1000,
		i < made ? (long long)(swap[i + 1].begun - before) / 1000 : -1);
}

static void look_for_losses(struct verdict *v)
{
	uint64_t before = 0;
	unsigned from = 0;

	for (uint64_t seq = 0; seq < seen.highest; seq++) {
		if (time_of[seq]) {
			before = time_of[seq];
			continue;
		}
		v->missing++;
		if (is_explained(seq, before, &from))
			continue;
		if (v->unexplained++ < 5)
			describe_loss(seq, before, next_time(seq));
	}
}

static void look_for_late(struct verdict *v)
{
	for (unsigned i = 0; i <= test.swaps; i++) {
		v->late += swap[i].late;
		if (swap[i].late > v->late_most)
			v->late_most = swap[i].late;
	}
}

static void report(const struct verdict *v)
{
	struct json json;

	json_open(&json, stdout);
	json_count(&json, "swaps", atomic_load(&state) / 2);
	json_count(&json, "frames", seen.frames);
	json_count(&json, "highest", seen.highest);
	json_count(&json, "duplicates", seen.duplicates);
	json_count(&json, "corrupt", seen.corrupt);
	json_count(&json, "missing", v->missing);
	json_count(&json, "unexplained", v->unexplained);
	json_count(&json, "late", v->late);
	json_count(&json, "late_most", v->late_most);
	json_count(&json, "lost", backend_lost(test.backend));
	json_close(&json);
}

static void become(const char *user)
{
	const struct passwd *p = getpwnam(user);

	if (strcmp(user, "root") == 0)
		return;
	if (p && setgroups(0, NULL) == 0 && setresgid(p->pw_gid, p->pw_gid, p->pw_gid) == 0 &&
	    setresuid(p->pw_uid, p->pw_uid, p->pw_uid) == 0)
		return;
	fprintf(stderr, "cannot become %s\n", user);
	exit(1);
}

static int word(const char *given, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], given) == 0)
			return i;
	fprintf(stderr, "`%s' is not to be had\n", given);
	exit(2);
}

static void read_arguments(char **argv)
{
	static const char *const hows[] = {"reader", "thread", "callback", NULL};
	static const char *const filters[] = {"plain", "mixed", NULL};

	test.how = (enum how)word(argv[3], hows);
	test.filters = (enum filters)word(argv[4], filters);
	test.swaps = (unsigned)atoi(argv[5]) % SWAPS_MAX;
	test.interval_us = (unsigned)atoi(argv[6]);
	test.snaplen = (uint32_t)atoi(argv[7]);
}

int main(int argc, char **argv)
{
	struct verdict v = {0};
	pthread_t thread;

	if (argc != 8) {
		fprintf(stderr,
			"swap DEVICE USER reader|thread|callback plain|mixed SWAPS INTERVAL-US SNAPLEN\n");
		return 2;
	}
	read_arguments(argv);
	time_of = mmap(NULL, SEQ_MAX * sizeof(*time_of), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	test.backend = backend_open(argv[1], test.snaplen);
	become(argv[2]);
	make_swap(0);
	fprintf(stderr, "ready\n");
	if (test.how == BY_THREAD)
		pthread_create(&thread, NULL, swap_by_thread, NULL);
	read_all();
	if (test.how == BY_THREAD)
		pthread_join(thread, NULL);
	look_for_losses(&v);
	look_for_late(&v);
	report(&v);
	backend_close(test.backend);
	return 0;
}
