/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * An application on the pcap API that does what its arguments say, one after the other, and prints
 * what came of it. See the table at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "testprogs/frame.h"

/* Laid out alike; linux/filter.h and pcap/bpf.h can stand beside each other. */
#include "programs.h"
#include "testprogs/no_error.h"

#define TIMEOUT_MS    20
#define WAIT_LIMIT_MS 60000
#define ON_ITS_WAY_MS 300 /* between a sender's end and the reader, on a busy machine */

static pcap_t *pcap;
static int snaplen = 262144;
static int promiscuous;
static struct bpf_program filter; /* the last one set */

static struct {
	unsigned long frames, rejected, corrupt, matched;
	unsigned caplen; /* the largest */
} seen;

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void sleep_ms(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static void set_snaplen(const char *value)
{
	snaplen = atoi(value);
}

static void set_promiscuous(const char *nothing)
{
	(void)nothing;
	promiscuous = 1;
}

static void open_device(const char *device)
{
	char text[PCAP_ERRBUF_SIZE];
	long begun = now_ms();
	int e;

	pcap = pcap_create(device, text);
	if (!pcap) {
		printf("create: %s\n", text);
		exit(1);
	}
	no_error(pcap_set_snaplen(pcap, snaplen));
	no_error(pcap_set_promisc(pcap, promiscuous));
	no_error(pcap_set_timeout(pcap, TIMEOUT_MS));
	e = pcap_activate(pcap);
	printf("activate %d after %ld ms: %s\n", e, now_ms() - begun, pcap_geterr(pcap));
	if (e < 0 || pcap_setnonblock(pcap, 1, text))
		exit(1);
}

static void open_files(const char *count)
{
	for (int i = atoi(count); i > 0; i--)
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			printf("files: %s\n", strerror(errno));
}

static void close_device(const char *nothing)
{
	(void)nothing;
	pcap_close(pcap);
	pcap = NULL;
}

static void become(const char *user)
{
	const struct passwd *p = getpwnam(user);

	if (p && setgroups(0, NULL) == 0 && setresgid(p->pw_gid, p->pw_gid, p->pw_gid) == 0 &&
	    setresuid(p->pw_uid, p->pw_uid, p->pw_uid) == 0)
		return;
	printf("cannot become %s\n", user);
	exit(1);
}

/* Keep of all capabilities only those in this mask (of hexadecimal digits). */
static void keep_capabilities(const char *mask)
{
	unsigned long long keep = strtoull(mask, NULL, 16);
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2] = {{0}};

	data[0].effective = data[0].permitted = (__u32)keep;
	data[1].effective = data[1].permitted = (__u32)(keep >> 32);
	if (syscall(SYS_capset, &head, data) == 0)
		return;
	printf("capset: %s\n", strerror(errno));
	exit(1);
}

static void install(struct bpf_program *program, const char *name)
{
	long begun = now_ms();
	int e = pcap_setfilter(pcap, program);

	printf("setfilter %.40s: %d after %ld ms%s%s\n", name, e, now_ms() - begun,
	       *pcap_geterr(pcap) ? ": " : "", pcap_geterr(pcap));
	if (e) {
		pcap_freecode(program);
		return;
	}
	pcap_freecode(&filter);
	filter = *program;
}

static void set_expression(const char *expression)
{
	struct bpf_program program;

	if (pcap_compile(pcap, &program, expression, 1, PCAP_NETMASK_UNKNOWN)) {
		printf("compile %s: %s\n", expression, pcap_geterr(pcap));
		exit(1);
	}
	install(&program, expression);
}

static void set_program(const char *name)
{
	struct bpf_program program;

	program.bf_insns = (struct bpf_insn *)program_by_name(name, &program.bf_len);
	if (!program.bf_insns) {
		printf("no program %s\n", name);
		exit(1);
	}
	install(&program, name);
}

/* Frames too short for the filter are not judged: it saw them whole. */
static int is_rejected(const struct pcap_pkthdr *h, const u_char *data)
{
	return filter.bf_insns && h->caplen == h->len && !pcap_offline_filter(&filter, h, data);
}

static void on_frame(u_char *user, const struct pcap_pkthdr *h, const u_char *data)
{
	struct frame_info info;

	(void)user;
	seen.frames++;
	seen.rejected += is_rejected(h, data);
	seen.corrupt += frame_check(data, h->caplen, h->len, &info) == FRAME_CORRUPT;
	seen.matched += info.dport == 7777;
	if (h->caplen > seen.caplen)
		seen.caplen = h->caplen;
}

/* Until nothing has come for so many ms; where there is a file to wait for, from when that is
 * there. */
static void read_until(const char *path, long quiet)
{
	long limit = now_ms() + WAIT_LIMIT_MS, last = now_ms();
	struct pollfd fd = {.fd = pcap_get_selectable_fd(pcap), .events = POLLIN};
	bool waits = path;
	int n = 0;

	while (n >= 0 && now_ms() < limit && (waits || now_ms() - last < quiet)) {
		waits = waits && access(path, F_OK);
		poll(&fd, 1, TIMEOUT_MS);
		n = pcap_dispatch(pcap, -1, on_frame, NULL);
		if (n > 0 || waits)
			last = now_ms();
	}
	if (n < 0)
		printf("dispatch: %s\n", pcap_geterr(pcap));
}

static void read_frames(const char *quiet)
{
	read_until(NULL, atol(quiet));
}

/* All of what has been sent when the file is there. */
static void read_all(const char *path)
{
	read_until(path, ON_ITS_WAY_MS);
}

static void report(const char *name)
{
	printf("%s: frames=%lu matched=%lu rejected=%lu corrupt=%lu caplen=%u\n", name, seen.frames,
	       seen.matched, seen.rejected, seen.corrupt, seen.caplen);
	memset(&seen, 0, sizeof(seen));
}

static void report_stats(const char *name)
{
	struct pcap_stat s = {0};

	no_error(pcap_stats(pcap, &s));
	printf("%s: received=%u dropped=%u\n", name, s.ps_recv, s.ps_drop);
}

static void touch(const char *path)
{
	FILE *f = fopen(path, "w");

	if (f)
		fclose(f);
}

static void wait_for_file(const char *path)
{
	long limit = now_ms() + WAIT_LIMIT_MS;

	while (access(path, F_OK) && now_ms() < limit)
		sleep_ms(5);
}

static void wait_ms(const char *ms)
{
	sleep_ms(atol(ms));
}

static void ignore(int signal)
{
	(void)signal;
}

/* A signal every so many ms, from here on. */
static void set_alarm(const char *ms)
{
	struct sigaction a = {.sa_handler = ignore};
	struct itimerval t = {{0, atoi(ms) * 1000}, {0, atoi(ms) * 1000}};

	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
}

static const struct {
	const char *name;
	void (*run)(const char *value);
} steps[] = {
	{"snaplen", set_snaplen},   {"promiscuous", set_promiscuous},
	{"open", open_device},	    {"close", close_device},
	{"become", become},	    {"keep", keep_capabilities},
	{"filter", set_expression}, {"program", set_program},
	{"read", read_frames},	    {"report", report},
	{"stats", report_stats},    {"touch", touch},
	{"wait", wait_for_file},    {"sleep", wait_ms},
	{"alarm", set_alarm},	    {"read-all", read_all},
	{"files", open_files},
};

static int run_step(const char *step)
{
	size_t length = strcspn(step, "=");

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (strncmp(steps[i].name, step, length) || steps[i].name[length])
			continue;
		steps[i].run(step[length] ? step + length + 1 : "");
		return 0;
	}
	printf("no step %s\n", step);
	return 2;
}

int main(int argc, char **argv)
{
	int e = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc && !e; i++)
		e = run_step(argv[i]);
	if (pcap)
		pcap_close(pcap);
	pcap_freecode(&filter);
	return e;
}
