/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The loader and what comes over its socket: filters of every kind, which it answers and survives,
 * and what no libpcap sends, at which it ends, by itself and not by its seccomp filter.
 *
 * The capture program here is a marker for the filter and little else, its slot an array of ours.
 * Orphans come to this process, so that the loaders' ends are seen.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "config.h"
#include "capture/attach/program/image.h"
#include "capture/loader/loader.h"
#include "capture/loader/loader_protocol.h"
#include "bpf/marker.h"
#include "tests/capture/own_net.h"
#include "tests/random.h"
#include "programs.h"
#include "result.h"

#define RANDOM_FILTERS 300
#define RANDOM_OPTIONS 60
#define RANDOM_GARBAGE 60
#define END_WITHIN_MS  5000
#define SWAP_WITHIN_MS 20000
#define GARBAGE_MAX    20000

static struct image image;
static const struct attachment no_attachment = {.fd = {-1, -1, -1, -1, -1, -1, -1}};
static char loader[400];

static uint32_t random_number(void)
{
	static uint64_t state = RANDOM_SEED;

	return (uint32_t)(random_next(&state) >> 16);
}

/* A program that gives the filter's verdict to nobody and passes the frame. */
static void make_image(void)
{
	static struct bpf_insn insns[] = {
		{.code = BPF_LD | BPF_IMM | BPF_DW, .imm = (int32_t)FILTER_MARKER},
		{.imm = (int32_t)(FILTER_MARKER >> 32)},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 2},
		{.code = BPF_JMP | BPF_EXIT},
	};

	image = (struct image){.insns = insns,
			       .n = sizeof(insns) / sizeof(insns[0]),
			       .name = "test",
			       .type = BPF_PROG_TYPE_XDP,
			       .flags = BPF_F_XDP_HAS_FRAGS,
			       .place = IMAGE_SLOT};
	image.fd = bpf_map_create(BPF_MAP_TYPE_PROG_ARRAY, "slots", 4, 4, 1, NULL);
}

/* The number of the program in the slot; 0: none. */
static uint32_t in_slot(void)
{
	uint32_t slot = 0, id = 0;

	return bpf_map_lookup_elem(image.fd, &slot, &id) ? 0 : id;
}

static void empty_slot(void)
{
	uint32_t slot = 0;

	bpf_map_delete_elem(image.fd, &slot);
}

/* The exit status of the one child there is, -1: it does not end. */
static int child_ends(void)
{
	long limit = now_ms() + END_WITHIN_MS;
	int status;
	pid_t pid;

	do {
		pid = waitpid(-1, &status, __WALL | WNOHANG);
		if (pid == 0)
			usleep(2000);
	} while (pid == 0 && now_ms() < limit);
	return pid > 0 ? status : -1;
}

/* --- Filters, over loader_swap(). --- */

static struct loader begin(void)
{
	struct loader l;
	char err[512];

	const struct program p = {.images = {image}, .image_count = 1};

	if (loader_start(&l, &no_attachment, &p, err, sizeof(err)) ||
	    loader_started(&l, err, sizeof(err))) {
		printf("FAILED: %s\n", err);
		exit(1);
	}
	return l;
}

/* Leaves loader_stop() nothing to reap: its end is looked at here. */
static void end_well(struct loader *l, const char *name)
{
	int status;

	l->pid = 0;
	close(l->socket);
	l->socket = -1;
	status = child_ends();
	loader_stop(l);
	result(status == 0, "%s: it ends with status 0: %#x", name, (unsigned)status);
}

static const struct {
	const char *name;
	int error; /* 1: any */
	enum afxdp_level level;
} filters[] = {
	{"all", 0, AFXDP_LEVEL_FRAGS},
	{"long:100", 0, AFXDP_LEVEL_FRAGS},
	{"long:4096", 0, AFXDP_LEVEL_FRAGS},
	{"long:5000", 0, AFXDP_LEVEL_FRAGS},
	{"long:262144", -EOPNOTSUPP, AFXDP_LEVEL_USER},
	{"backward", 0, AFXDP_LEVEL_FRAGS},
	{"ancillary", -EOPNOTSUPP, AFXDP_LEVEL_USER},
	{"too-complex:40", 1, AFXDP_LEVEL_USER},
	{"diamonds:300", 1, AFXDP_LEVEL_USER}, /* by the limit of time, or the verifier's own */
	{"division-by-0", -EINVAL, AFXDP_LEVEL_USER},
	{"jump-out", -EINVAL, AFXDP_LEVEL_USER},
	{"unknown-code", -EINVAL, AFXDP_LEVEL_USER},
	{"no-return", -EINVAL, AFXDP_LEVEL_USER},
	{"all", 0, AFXDP_LEVEL_FRAGS},
};

static void swap_one(struct loader *l, size_t i)
{
	uint32_t before = in_slot();
	enum afxdp_level level;
	struct sock_filter *f;
	long begun = now_ms();
	char *log = NULL;
	unsigned n = 0;
	bool good;
	int e;

	f = program_by_name(filters[i].name, &n);
	e = loader_swap(l, f, n, (uint32_t)i + 1, false, &level, &log);
	good = filters[i].error == 1 ? e < 0 : e == filters[i].error;
	good = good && e != -EPIPE && level == filters[i].level;
	good = good && (e == 0) == (in_slot() != before);
	good = good && (!e || (log && *log)) && now_ms() - begun < SWAP_WITHIN_MS;
	result(good, "%s (%u instructions): %s on level %d in %ld ms, %zu bytes of log",
	       filters[i].name, n, e ? strerror(-e) : "done", level, now_ms() - begun,
	       log ? strlen(log) : 0);
	free(log);
	free(f);
}

static void answers_every_filter(void)
{
	struct loader l = begin();

	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
		swap_one(&l, i);
	end_well(&l, "filters of every kind");
}

/* Mostly valid: jumps within, memory within; the rest is the loader's to find. */
static unsigned random_filter(struct sock_filter *f, unsigned max)
{
	static const uint16_t codes[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0c, 0x14,
					 0x15, 0x16, 0x1c, 0x1d, 0x20, 0x24, 0x25, 0x28, 0x2c, 0x30,
					 0x34, 0x35, 0x3c, 0x40, 0x44, 0x45, 0x48, 0x4c, 0x4d, 0x50,
					 0x54, 0x5c, 0x60, 0x61, 0x64, 0x6c, 0x74, 0x7c, 0x80, 0x81,
					 0x84, 0x87, 0x94, 0x9c, 0xa4, 0xac, 0xb1};
	unsigned n = random_number() % max + 2;

	for (unsigned i = 0; i + 1 < n; i++) {
		unsigned left = n - i - 2 > 255 ? 255 : n - i - 2;

		f[i].code = codes[random_number() % (sizeof(codes) / sizeof(codes[0]))];
		f[i].k = random_number() % 4 ? random_number() % 64 : random_number();
		if (f[i].code == 0x05)
			f[i].k = random_number() % (left + 1);
		if (f[i].code >= 0x60 || f[i].code == 0x02 || f[i].code == 0x03)
			f[i].k %= 16;
		f[i].jt = (uint8_t)(random_number() % (left + 1));
		f[i].jf = (uint8_t)(random_number() % (left + 1));
	}
	f[n - 1] = (struct sock_filter){.code = BPF_RET | BPF_A};
	return n;
}

static void survives_random_filters(void)
{
	static struct sock_filter f[600];
	unsigned taken = 0, refused = 0, gone = 0, torn = 0;
	struct loader l = begin();
	long slowest = 0;

	for (unsigned i = 0; i < RANDOM_FILTERS; i++) {
		unsigned n = random_filter(f, i % 10 ? 60 : 590);
		uint32_t before = in_slot();
		enum afxdp_level level;
		long begun = now_ms();
		char *log = NULL;
		int e = loader_swap(&l, f, n, i + 1, false, &level, &log);

		free(log);
		taken += e == 0;
		refused += e != 0;
		gone += e == -EPIPE;
		torn += (e == 0) != (in_slot() != before);
		if (now_ms() - begun > slowest)
			slowest = now_ms() - begun;
	}
	result(!gone && !torn && taken > RANDOM_FILTERS / 4,
	       "%u random filters: %u taken, %u refused, at most %ld ms each", RANDOM_FILTERS,
	       taken, refused, slowest);
	end_well(&l, "random filters");
}

/* --- What no libpcap sends. --- */

/* The loader as a child, with its end of the socket and the slot; our end in *fd. */
static pid_t start_raw(int *fd)
{
	char number[16], *argv[] = {loader, number, NULL}, *envp[] = {NULL};
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		exit(1);
	pid = fork();
	if (pid == 0) {
		fcntl(pair[1], F_SETFD, 0);
		fcntl(image.fd, F_SETFD, 0);
		snprintf(number, sizeof(number), "%d", pair[1]);
		execve(loader, argv, envp);
		_exit(127);
	}
	close(pair[1]);
	*fd = pair[0];
	return pid;
}

/* It has ended by itself: whatever its status, no signal, and above all not SIGSYS. */
static bool ended_by_itself(int fd)
{
	int status;

	shutdown(fd, SHUT_WR);
	status = child_ends();
	close(fd);
	if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) < 3)
		return true;
	printf("   status %#x\n", (unsigned)status);
	for (pid_t pid = 0; status < 0 && (pid = waitpid(-1, NULL, WNOHANG)) > 0;)
		;
	return false;
}

static void put(int fd, const void *data, size_t size)
{
	if (send(fd, data, size, MSG_NOSIGNAL) < 0)
		return; /* it has ended already, as it should */
}

static void random_bytes(uint8_t *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (uint8_t)random_number();
}

static void put_garbage(int fd)
{
	static uint8_t garbage[GARBAGE_MAX];
	size_t n = random_number() % sizeof(garbage);

	random_bytes(garbage, n);
	put(fd, garbage, n);
}

static void put_setup(int fd, uint32_t task, uint32_t count)
{
	struct loader_setup s = {.task = task, .count = count, .alive = -1};

	loader_version(s.version);
	put(fd, &s, sizeof(s));
}

static void put_image(int fd)
{
	struct loader_image m = {.name = "test",
				 .n = image.n,
				 .type = image.type,
				 .flags = image.flags,
				 .place = image.place,
				 .fd = image.fd};

	put(fd, &m, sizeof(m));
	put(fd, image.insns, image.n * sizeof(*image.insns));
}

static void put_nothing(int fd)
{
	(void)fd;
}

static void put_other_version(int fd)
{
	struct loader_setup s = {.version = "0.0.0", .task = LOADER_SWAP, .count = 1, .alive = -1};

	put(fd, &s, sizeof(s));
	put_image(fd);
}

static void put_version_without_end(int fd)
{
	struct loader_setup s = {.task = LOADER_SWAP, .count = 1};

	memset(s.version, '0', sizeof(s.version));
	put(fd, &s, sizeof(s));
}

static void put_unknown_task(int fd)
{
	put_setup(fd, 77, 1);
	put_garbage(fd);
}

static void put_many_images(int fd)
{
	put_setup(fd, LOADER_SWAP, UINT32_MAX);
	put_garbage(fd);
}

static void put_large_image(int fd)
{
	struct loader_image m = {.n = UINT32_MAX};

	put_setup(fd, LOADER_SWAP, 1);
	put(fd, &m, sizeof(m));
	put_garbage(fd);
}

static void put_random_image(int fd)
{
	struct loader_image m;

	put_setup(fd, LOADER_SWAP, 2);
	random_bytes((uint8_t *)&m, sizeof(m));
	m.n %= 600;
	put(fd, &m, sizeof(m));
	put_garbage(fd);
}

static void put_no_image(int fd)
{
	put_setup(fd, LOADER_SWAP, 0);
	put_garbage(fd);
}

static void put_request(int fd, uint32_t n, uint32_t sent)
{
	struct loader_request r = {.n = n, .generation = 1};
	struct sock_filter f = {.code = BPF_RET | BPF_K, .k = 1};

	put_setup(fd, LOADER_SWAP, 1);
	put_image(fd);
	put(fd, &r, sizeof(r));
	for (uint32_t i = 0; i < sent; i++)
		put(fd, &f, sizeof(f));
}

static void put_empty_filter(int fd)
{
	put_request(fd, 0, 5);
}

static void put_filter_too_long(int fd)
{
	put_request(fd, 262145, 100);
}

static void put_filter_cut_off(int fd)
{
	put_request(fd, 1000, 999);
}

static void put_random_requests(int fd)
{
	put_setup(fd, LOADER_SWAP, 1);
	put_image(fd);
	put_garbage(fd);
}

static void put_random_options(int fd)
{
	struct afxdp_options o;

	put_setup(fd, LOADER_OPEN, 0);
	random_bytes((uint8_t *)&o, sizeof(o));
	if (random_number() % 2)
		strcpy(o.ifname, "vb");
	if (random_number() % 2)
		o.hook = (enum capture_hook)(random_number() % 4);
	put(fd, &o, sizeof(o));
	put_garbage(fd);
}

/* Good options, that say n instructions. */
static void put_opening(int fd, unsigned n, unsigned sent)
{
	struct afxdp_options o = {.ifname = "vb",
				  .snaplen = 262144,
				  .ring_size = RING_SIZE_MIN,
				  .hook = CAPTURE_HOOK_XDP,
				  .filter = (const struct sock_filter *)8,
				  .filter_n = n};
	struct sock_filter f = {.code = BPF_RET | BPF_K, .k = 1};

	put_setup(fd, LOADER_OPEN, 0);
	put(fd, &o, sizeof(o));
	for (unsigned i = 0; i < sent; i++)
		put(fd, &f, sizeof(f));
}

static void put_opening_too_long(int fd)
{
	put_opening(fd, UINT32_MAX, 100);
}

static void put_opening_cut_off(int fd)
{
	put_opening(fd, 1000, 999);
}

static void put_options_cut_off(int fd)
{
	put_setup(fd, LOADER_OPEN, 0);
	put(fd, "vb", 2);
}

/* What the loader answers to an image and a filter that takes everything; 1: nothing. */
static int answer_to_image(void)
{
	struct loader_reply setup = {.error = 1}, swap = {.error = 1};
	int fd;

	empty_slot();
	start_raw(&fd);
	put_request(fd, 1, 1);
	if (recv(fd, &setup, sizeof(setup), MSG_WAITALL) == sizeof(setup) && setup.error == 0)
		recv(fd, &swap, sizeof(swap), MSG_WAITALL);
	if (!ended_by_itself(fd))
		return 1;
	return setup.error ? setup.error : swap.error;
}

/*
 * With capabilities of its own file it may be anybody's: it loads no instructions for them. The
 * same bytes are taken from those who had the privilege to start it with.
 */
static void takes_no_images_from_anybody(void)
{
	char own[] = "/tmp/afxdp-protocol-XXXXXX";
	char before[sizeof(loader)];
	int status = 1, e;
	pid_t pid;

	e = answer_to_image();
	result(e == 0 && in_slot(), "an image from root: taken: %s", strerror(-e));
	close(mkstemp(own));
	run("cp %s %s && chmod 755 %s && setcap cap_bpf,cap_net_admin,cap_net_raw,cap_perfmon+ep %s",
	    loader, own, own, own);
	empty_slot();
	strcpy(before, loader);
	strcpy(loader, own);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_CHILD_SUBREAPER, 1);
		become_nobody();
		_exit(answer_to_image() == -EACCES ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	result(status == 0 && !in_slot(), "an image from anybody, by file capabilities: refused");
	strcpy(loader, before);
	unlink(own);
}

static const struct {
	const char *name;
	void (*put)(int fd);
	unsigned times;
} lies[] = {
	{"nothing", put_nothing, 1},
	{"random bytes", put_garbage, RANDOM_GARBAGE},
	{"another version", put_other_version, 1},
	{"a version without end", put_version_without_end, 1},
	{"an unknown task", put_unknown_task, 1},
	{"4 billion images", put_many_images, 1},
	{"an image of 4 billion instructions", put_large_image, 1},
	{"random images", put_random_image, RANDOM_GARBAGE},
	{"no image", put_no_image, 5},
	{"a filter without instructions", put_empty_filter, 1},
	{"a filter of 262145 instructions", put_filter_too_long, 1},
	{"a filter that is cut off", put_filter_cut_off, 1},
	{"random requests", put_random_requests, RANDOM_GARBAGE},
	{"options that are cut off", put_options_cut_off, 1},
	{"options with 4 billion instructions", put_opening_too_long, 1},
	{"options with a filter that is cut off", put_opening_cut_off, 1},
	{"random options", put_random_options, RANDOM_OPTIONS},
};

static void ends_at_lies(void)
{
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		unsigned good = 0;

		empty_slot();
		for (unsigned k = 0; k < lies[i].times; k++) {
			int fd;

			start_raw(&fd);
			lies[i].put(fd);
			good += ended_by_itself(fd);
		}
		result(good == lies[i].times && in_slot() == 0,
		       "%s: it ends, and has put nothing into the slot (%u of %u)", lies[i].name,
		       good, lies[i].times);
	}
}

/* Started by hand: not with a socket, or with none at all. */
static int status_of(const char *argument)
{
	char *argv[] = {loader, (char *)argument, NULL}, *envp[] = {NULL};
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		for (int fd = 0; fd < 3; fd++)
			dup2(null, fd);
		execve(loader, argv, envp);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return status;
}

static void is_of_no_use_by_hand(void)
{
	static const char *const arguments[] = {NULL, "", "x", "-1", "0", "2", "99", "4294967299"};

	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++) {
		int status = status_of(arguments[i]);

		result(WIFEXITED(status) && (WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == 2),
		       "by hand with `%s': it ends, with status %d",
		       arguments[i] ? arguments[i] : "no argument", WEXITSTATUS(status));
	}
}

int main(void)
{
	own_net();
	veth_pair("");
	if (!getcwd(loader, sizeof(loader) - 32))
		return 1;
	strcat(loader, "/pcap-afxdp-loader");
	setenv("PCAP_AFXDP_LOADER", loader, 1);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	make_image();
	answers_every_filter();
	survives_random_filters();
	takes_no_images_from_anybody();
	ends_at_lies();
	is_of_no_use_by_hand();
	return result_sum(0);
}
