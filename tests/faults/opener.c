/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Opens a device again and again, with failing.so preloaded: each time another call fails. Then the
 * open fails and says why, or the capture works all the same; and in either case nothing is left.
 *
 *	opener each|all DEVICE FILTER [CALL]
 *
 * each: one call from each place; all: each call. CALL: this one alone. The filter lets type 0x88b5
 * through. The pair va and vb is in a namespace of its own.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/capture/own_net.h"
#include "tests/faults/failing.h"
#include "tests/faults/hooked.h"
#include "testprogs/no_error.h"

#define ATTEMPTS_MAX 100000
#define FRAMES	     5
#define WRONG_MAX    20
#define TAKES_MAX_S  15
#define WAIT_MS	     2000
#define LARGE	     (256ul << 10) /* what the allocator maps by itself, and more */

/* How an attempt ends; the status of its process. */
enum outcome { REFUSED, WORKS, NOTHING_FAILED, WRONG };

struct belongings {
	unsigned descriptors;
	unsigned long mapped; /* bytes that are no part of a program and no heap */
	unsigned hooked;
};

static const char *device;
static bool each_site;
static struct bpf_program filter;
static failing_arm_fn *arm;
static failing_disarm_fn *disarm;
static int sender = -1;
static unsigned here; /* vb */

static void nap(void)
{
	struct timespec ms = {.tv_nsec = 1000000};

	nanosleep(&ms, NULL);
}

static unsigned long count_mapped(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to, sum = 0;
	char line[512], name[256];

	while (maps && fgets(line, sizeof(line), maps)) {
		name[0] = 0;
		if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %255s", &from, &to, name) < 2)
			continue;
		if (strncmp(name, "anon_inode:", 11) == 0 || strncmp(name, "socket:", 7) == 0 ||
		    (!name[0] && to - from >= LARGE))
			sum += to - from;
	}
	if (maps)
		fclose(maps);
	return sum;
}

static struct belongings look(void)
{
	return (struct belongings){count_descriptors(), count_mapped(), hooked(here)};
}

static void open_sender(void)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex("va")};

	sender = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (sender < 0 || bind(sender, (struct sockaddr *)&to, sizeof(to))) {
		perror("va");
		exit(2);
	}
}

static void send_frames(void)
{
	static unsigned char frame[64] = {0x02, 1, 1, 1, 1, 1, 0x02, 2, 2, 2, 2, 2, 0x88, 0xb5};

	for (int i = 0; i < FRAMES; i++)
		if (send(sender, frame, sizeof(frame), 0) != sizeof(frame))
			perror("send");
}

static void on_frame(u_char *user, const struct pcap_pkthdr *h, const u_char *frame)
{
	(void)h;
	(void)frame;
	++*(int *)user;
}

/* Does the capture have what is sent, or count it? */
static bool captures(pcap_t *p)
{
	struct pollfd fd = {.fd = pcap_get_selectable_fd(p), .events = POLLIN};
	char err[PCAP_ERRBUF_SIZE] = "";
	struct pcap_stat s = {0};
	int got = 0, status = pcap_setnonblock(p, 1, err);

	if (status == 0) /* diverts from here on */
		status = pcap_dispatch(p, 0, on_frame, (u_char *)&got);
	send_frames();
	for (int i = 0; i < WAIT_MS / 50 && got < FRAMES && status >= 0; i++) {
		poll(&fd, 1, 50);
		status = pcap_dispatch(p, -1, on_frame, (u_char *)&got);
	}
	/* Of a CPU that came online since the open the frames are counted. */
	if (got == FRAMES || (pcap_stats(p, &s) == 0 && got + (int)s.ps_drop == FRAMES))
		return true;
	printf("# %d frames of %d, %u lost: %s\n", got, FRAMES, s.ps_drop,
	       *err	    ? err
	       : status < 0 ? pcap_geterr(p)
			    : "no error");
	return false;
}

/* What a user is told is a sentence of its own. */
static bool is_said(const char *text)
{
	return text[0] && !strstr(text, "Success") && !strstr(text, "Generic error") &&
	       !strstr(text, "(null)") && !strstr(text, "Unknown error");
}

/* The calls that open and set a filter; one of them fails. The statuses in *said. */
static pcap_t *try_to_open(unsigned long n, int *status, char *said, const char **failed)
{
	pcap_t *p;

	said[0] = 0;
	arm(n, each_site);
	p = pcap_create(device, said);
	*status = p ? 0 : PCAP_ERROR;
	if (p) {
		no_error(pcap_set_timeout(p, 50));
		no_error(pcap_set_immediate_mode(p, 1));
		no_error(pcap_set_promisc(p, 1));
		*status = pcap_activate(p);
	}
	if (p && *status >= 0)
		*status = pcap_setfilter(p, &filter) ? PCAP_ERROR : *status;
	*failed = disarm();
	if (p && *status < 0)
		snprintf(said, PCAP_ERRBUF_SIZE, "%s", pcap_geterr(p));
	return p;
}

/* The kernel, and a loader process, may take a moment to let go. libxdp's xsk_umem__create() leaves
 * the fill ring mapped where it cannot map the completion ring. */
static bool is_left(struct belongings before, const char *failed)
{
	struct belongings after = look();

	for (int i = 0; i < WAIT_MS && after.hooked != before.hooked; i++) {
		nap();
		after = look();
	}
	if (strstr(failed, "mmap") && strstr(failed, "xsk_umem__create"))
		after.mapped = before.mapped;
	if (after.descriptors == before.descriptors && after.mapped == before.mapped &&
	    after.hooked == before.hooked)
		return false;
	printf("# left: %d descriptors, %ld bytes mapped, %d programs attached\n",
	       (int)(after.descriptors - before.descriptors), (long)(after.mapped - before.mapped),
	       (int)(after.hooked - before.hooked));
	return true;
}

static enum outcome attempt(unsigned long n)
{
	struct belongings before = look();
	char said[PCAP_ERRBUF_SIZE];
	enum outcome o = REFUSED;
	const char *failed;
	bool wrong = false;
	pcap_t *p;
	int status;

	p = try_to_open(n, &status, said, &failed);
	if (status >= 0)
		o = failed[0] ? WORKS : NOTHING_FAILED;
	if (status >= 0 && !captures(p))
		wrong = true;
	if (status < 0 && !is_said(said))
		wrong = true;
	if (p)
		pcap_close(p);
	wrong = is_left(before, failed) || wrong;
	if (wrong || getenv("OPENER_VERBOSE"))
		printf("%s: call %lu of %s, %s: status %d: %s\n", wrong ? "FAILED" : "#", n, device,
		       failed, status, said);
	return wrong ? WRONG : o;
}

/* What has become ours because its parent ended, a loader process, ends by itself. */
static bool all_ended(void)
{
	for (int i = 0; i < WAIT_MS; i++) {
		if (waitpid(-1, NULL, __WALL | WNOHANG) < 0 && errno == ECHILD)
			return true;
		nap();
	}
	return false;
}

static enum outcome attempt_in_child(unsigned long n)
{
	enum outcome o;
	pid_t child;
	int status;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		alarm(TAKES_MAX_S);
		o = attempt(n);
		fflush(stdout);
		_exit((int)o);
	}
	waitpid(child, &status, 0);
	o = WIFEXITED(status) ? (enum outcome)WEXITSTATUS(status) : WRONG;
	if (!WIFEXITED(status))
		printf("FAILED: call %lu of %s: killed by signal %d\n", n, device,
		       WTERMSIG(status));
	if (all_ended())
		return o;
	printf("FAILED: call %lu of %s: a process is left\n", n, device);
	return WRONG;
}

static void compile(const char *expression)
{
	pcap_t *p = pcap_open_dead(DLT_EN10MB, 65535);

	if (!p || pcap_compile(p, &filter, expression, 1, PCAP_NETMASK_UNKNOWN)) {
		fprintf(stderr, "opener: %s is no filter\n", expression);
		exit(2);
	}
	pcap_close(p);
}

/* Loads what a process keeps; without it the first attempt would be unlike the others. */
static void warm_up(void)
{
	char said[PCAP_ERRBUF_SIZE];
	pcap_t *p = pcap_create(device, said);

	if (!p || pcap_activate(p) < 0) {
		printf("FAILED: %s does not open: %s\n", device, p ? pcap_geterr(p) : said);
		exit(1);
	}
	pcap_close(p);
	all_ended();
}

static int try_all(unsigned long first, unsigned long last)
{
	unsigned counts[WRONG + 1] = {0};
	enum outcome o = REFUSED;
	unsigned long n;

	for (n = first; o != NOTHING_FAILED && n <= last && counts[WRONG] < WRONG_MAX; n++) {
		o = attempt_in_child(n);
		counts[o]++;
	}
	if (last == ATTEMPTS_MAX && o != NOTHING_FAILED)
		counts[WRONG]++;
	printf("%s: %s: of %lu calls that failed once each, %u refused the open, %u did not, %u were wrong\n",
	       counts[WRONG] ? "FAILED" : "ok", device, n - first - (o == NOTHING_FAILED),
	       counts[REFUSED], counts[WORKS], counts[WRONG]);
	return counts[WRONG] != 0;
}

int main(int argc, char **argv)
{
	if (argc < 4 || (strcmp(argv[1], "each") && strcmp(argv[1], "all"))) {
		fprintf(stderr, "usage: opener each|all DEVICE FILTER [CALL]\n");
		return 2;
	}
	arm = (failing_arm_fn *)dlsym(RTLD_DEFAULT, "failing_arm");
	disarm = (failing_disarm_fn *)dlsym(RTLD_DEFAULT, "failing_disarm");
	if (!arm || !disarm) {
		fprintf(stderr, "opener: failing.so is not preloaded\n");
		return 2;
	}
	each_site = strcmp(argv[1], "each") == 0;
	device = argv[2];
	own_net();
	veth_pair("");
	here = if_nametoindex("vb");
	open_sender();
	compile(argv[3]);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	warm_up();
	return argc > 4 ? try_all(strtoul(argv[4], NULL, 10), strtoul(argv[4], NULL, 10))
			: try_all(1, ATTEMPTS_MAX);
}
