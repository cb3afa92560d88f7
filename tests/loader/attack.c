/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A user who may run the loader, and wants more than to capture. Speaks its protocol, not
 * libpcap's.
 *
 *	attack LOADER asks INTERFACE
 *		asks for everything that it refuses, and for random captures
 *	attack LOADER holds INTERFACE auto|xdp|tc|packet
 *		opens a capture, tries on each descriptor what it may not do, and then writes into
 *		all memory that it was given until it is killed; says "ready" before
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/loader/loader_protocol.h"
#include "capture/options/options.h"
#include "tests/random.h"

#define ANSWER_WITHIN_NS 20000000000ull
#define RANDOM_CAPTURES	 60

static const char *loader, *interface;
static bool failed;

struct answer {
	struct loader_reply reply;
	char text[AFXDP_ERROR_SIZE];
	struct attachment attachment;
	pid_t child;
	int socket;
};

static void result(bool good, const char *what, const char *why)
{
	printf("%s: %s%s%s\n", good ? "ok" : "FAILED", what, *why ? ": " : "", why);
	failed |= !good;
}

static uint64_t deadline(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec + ANSWER_WITHIN_NS;
}

static uint32_t random_number(void)
{
	static uint64_t state = RANDOM_SEED;

	return (uint32_t)(random_next(&state) >> 16);
}

static struct afxdp_options plain(void)
{
	struct afxdp_options o = {.snaplen = 262144, .ring_size = RING_SIZE_MIN};

	snprintf(o.ifname, sizeof(o.ifname), "%s", interface);
	return o;
}

static void start(struct answer *a)
{
	char number[16], *argv[] = {(char *)loader, number, NULL}, *envp[] = {NULL};
	int pair[2];

	memset(a, 0, sizeof(*a));
	attachment_init(&a->attachment);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		exit(1);
	a->child = fork();
	if (a->child == 0) {
		fcntl(pair[1], F_SETFD, 0);
		snprintf(number, sizeof(number), "%d", pair[1]);
		execve(loader, argv, envp);
		_exit(127);
	}
	close(pair[1]);
	a->socket = pair[0];
}

/* 0 or -errno of the loader; -EPIPE: none came. */
static int ask(struct answer *a, uint32_t task, const void *data, size_t size)
{
	struct loader_setup s = {.task = task, .alive = -1};

	start(a);
	loader_version(s.version);
	if (!loader_send(a->socket, &s, sizeof(s), deadline()) ||
	    !loader_send(a->socket, data, size, deadline()) ||
	    !loader_receive(a->socket, &a->reply, sizeof(a->reply), deadline()) ||
	    a->reply.log_length >= sizeof(a->text) ||
	    !loader_receive(a->socket, a->text, a->reply.log_length, deadline()))
		return -EPIPE;
	if (a->reply.error || task != LOADER_OPEN)
		return a->reply.error;
	return loader_receive_attachment(a->socket, &a->attachment, deadline());
}

static void end(struct answer *a)
{
	close(a->socket);
	for (unsigned i = 0; i < ATTACHMENT_FDS; i++)
		if (a->attachment.fd[i] >= 0)
			close(a->attachment.fd[i]);
	waitpid(a->child, NULL, 0);
}

/* --- What is asked for. --- */

static void refused(const char *what, const struct afxdp_options *o)
{
	struct answer a;
	int e = ask(&a, LOADER_OPEN, o, sizeof(*o));

	result(e < 0 && e != -EPIPE && a.text[0], what, e ? a.text : "opened");
	end(&a);
}

/* REFUSED(x): the plain options with that set. */
#define REFUSED(...)                                                                               \
	do {                                                                                       \
		struct afxdp_options o = plain();                                                  \
		__VA_ARGS__;                                                                       \
		refused(#__VA_ARGS__, &o);                                                         \
	} while (0)

static void asks_for_more(void)
{
	REFUSED(o.engine = CAPTURE_ENGINE_DIVERT);
	REFUSED(o.engine = CAPTURE_ENGINE_DIVERT, o.by_ring = true);
	REFUSED(o.engine = CAPTURE_ENGINE_DIVERT, o.xdp_mode = CAPTURE_XDP_SKB);
	REFUSED(o.engine = CAPTURE_ENGINE_DIVERT, o.rest_drop = true);
	REFUSED(o.engine = CAPTURE_ENGINE_DIVERT, o.watchdog = CAPTURE_WATCHDOG_OFF);
	REFUSED(o.engine = CAPTURE_ENGINE_DIVERT, o.queues[0] = 1);
	REFUSED(o.engine = CAPTURE_ENGINE_DIVERT, o.trial = true);
	REFUSED(o.engine = CAPTURE_ENGINE_DIVERT, o.zero_copy = CAPTURE_ZERO_COPY_ON);
	REFUSED(o.engine = CAPTURE_ENGINE_DIVERT, o.busy_poll = true);
	REFUSED(o.engine = (enum capture_engine)2);
	REFUSED(o.after_drop = true);
	REFUSED(o.after_drop = true, o.hook = CAPTURE_HOOK_TC);
	REFUSED(o.after_drop = true, o.rest_drop = true);
	REFUSED(o.after_drop = true, o.full_pass = true);
	REFUSED(memset(&o.after_drop, 255, 1));
	REFUSED(o.rest_drop = true);
	REFUSED(o.join = true);
	REFUSED(o.join = true, o.after_drop = true);
	REFUSED(strcpy(o.xdp_obj, "/etc/passwd"));
	REFUSED(o.sock_fds.count = 1, o.engine = CAPTURE_ENGINE_DIVERT);
	REFUSED(o.prog_fd = 3);
	REFUSED(o.hook = CAPTURE_HOOK_FENTRY, o.program = 1);
	REFUSED(o.hook = CAPTURE_HOOK_FEXIT, o.program = 1);
	REFUSED(o.hook = CAPTURE_HOOK_DROPS);
	REFUSED(o.hook = CAPTURE_HOOK_DROPS, o.namespaces = true);
	REFUSED(o.hook = CAPTURE_HOOK_DROPS, memset(o.drop_reasons, '1', sizeof(o.drop_reasons)));
	REFUSED(strcpy(o.ifname, "any"), o.namespaces = true);
	REFUSED(memset(o.interfaces, '*', sizeof(o.interfaces)));
	REFUSED(memset(o.ifname, 'a', sizeof(o.ifname)));
	REFUSED(strcpy(o.ifname, "any"));
	REFUSED(strcpy(o.ifname, "../vb"));
}

/* A program of our own to be put in, from who has no privilege to load it. */
static void brings_a_program(void)
{
	struct answer a;
	int e = ask(&a, LOADER_SWAP, "", 0);

	result(e == -EACCES, "LOADER_SWAP", a.text);
	end(&a);
}

/* Whatever is opened, its programs only look on, and no descriptor is a socket. */
static bool only_looks_on(const struct attachment *a)
{
	int domain;
	socklen_t size = sizeof(domain);

	for (unsigned i = 0; i < ATTACHMENT_FDS; i++)
		if (a->fd[i] >= 0 &&
		    getsockopt(a->fd[i], SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0)
			return false;
	return !a->plan.keeps_frames && !a->plan.divert && !a->plan.divert_by_ring &&
	       !a->plan.own && !a->plan.join && a->sockets < 0 && a->packet < 0 && a->capture_only;
}

/* Sizes and numbers at the edges of what their members hold. */
static uint64_t random_edge(void)
{
	uint64_t power = 1ull << random_number() % 64;

	return random_number() % 4 ? 0 : power - random_number() % 2;
}

static void set_random_sizes(struct afxdp_options *o)
{
	uint64_t *const sizes[] = {&o->ring_size, &o->ring_total, &o->buffer, &o->pre_trigger,
				   &o->flow_cutoff};
	uint32_t *const numbers[] = {&o->sharers, &o->flow_table, &o->slice.more, &o->program,
				     &o->delay_ms};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		*sizes[i] = random_edge();
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		*numbers[i] = (uint32_t)random_edge();
	o->slice.depth = random_number() % 5;
	o->namespaces = random_number() % 4 == 0;
	memset(o->drop_reasons, (int)(random_number() % 256), sizeof(o->drop_reasons));
	memset(o->function, (int)(random_number() % 256), sizeof(o->function));
}

static void set_random(struct afxdp_options *o)
{
	bool *const flags[] = {&o->no_sent,   &o->promiscuous, &o->vlan_off,   &o->tags_beside,
			       &o->immediate, &o->coarse_time, &o->nic_time,   &o->hash,
			       &o->join,      &o->after_drop,  &o->rest_drop,  &o->full_pass,
			       &o->by_ring,   &o->trial,       &o->nic_synced, &o->busy_poll,
			       &o->who};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		*flags[i] = random_number() % (flags[i] >= &o->join ? 12 : 2) == 0;
	o->engine = (enum capture_engine)(random_number() % 8 == 0);
	o->hook = (enum capture_hook)(random_number() % 4);
	o->xdp_mode = (enum capture_xdp_mode)(random_number() % 2);
	o->sample = random_number() % 3;
	o->watchdog = random_number() % 4 ? 0 : CAPTURE_WATCHDOG_OFF;
	o->filter_follows = (enum capture_follows)(random_number() % 3);
}

static void asks_at_random(void)
{
	unsigned opened = 0, good = 0;
	char text[64];

	for (unsigned i = 0; i < RANDOM_CAPTURES; i++) {
		struct afxdp_options o = plain();
		struct answer a;

		set_random(&o);
		if (i % 2)
			set_random_sizes(&o);
		if (ask(&a, LOADER_OPEN, &o, sizeof(o)) == 0) {
			opened++;
			good += o.trial || only_looks_on(&a.attachment);
		}
		end(&a);
	}
	snprintf(text, sizeof(text), "%u of %u were opened", opened, RANDOM_CAPTURES);
	result(opened > 5 && good == opened, "random captures only look on", text);
}

/* --- What is done with what was given. --- */

static void held(const char *what, int fd, long returned)
{
	char why[96];

	if (returned >= 0)
		snprintf(why, sizeof(why), "descriptor %d: it can", fd);
	else
		snprintf(why, sizeof(why), "descriptor %d: %s", fd, strerror(errno));
	result(returned < 0, what, why);
}

/* As a socket: to send, to bind elsewhere, to change. */
static void tries_as_socket(int fd)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex("lo")};
	struct packet_mreq m = {.mr_ifindex = to.sll_ifindex, .mr_type = PACKET_MR_PROMISC};
	char frame[60] = {0};

	held("sendto", fd, sendto(fd, frame, sizeof(frame), 0, (struct sockaddr *)&to, sizeof(to)));
	held("send", fd, send(fd, frame, sizeof(frame), 0));
	held("write", fd, write(fd, frame, sizeof(frame)));
	held("bind", fd, bind(fd, (struct sockaddr *)&to, sizeof(to)));
	held("setsockopt", fd, setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &m, sizeof(m)));
	held("detach the filter", fd, setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &m, sizeof(m)));
}

/* In the place of another program, by what else was given. */
static void tries_as_program(const struct attachment *a, int fd)
{
	uint32_t slot = 0;

	for (unsigned i = 0; i < ATTACHMENT_FDS; i++) {
		if (a->fd[i] < 0)
			continue;
		held("BPF_LINK_UPDATE", fd, bpf_link_update(fd, a->fd[i], NULL));
		if (a->fd[i] == a->slots[0] || a->fd[i] == a->slots[1])
			held("a program of ours in the slot", fd,
			     bpf_map_update_elem(a->fd[i], &slot, &fd, BPF_ANY));
	}
	held("BPF_LINK_CREATE", fd,
	     bpf_link_create(fd, (int)if_nametoindex(interface), BPF_XDP, NULL));
	held("pin it", fd, bpf_obj_pin(fd, "/sys/fs/bpf/afxdp-attack"));
}

/* To have the programs themselves, by their numbers. */
static void tries_by_id(int fd)
{
	struct bpf_link_info info = {0};
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &size) || !info.prog_id)
		return;
	held("BPF_PROG_GET_FD_BY_ID", fd, bpf_prog_get_fd_by_id(info.prog_id));
}

static void tries_the_process(const struct answer *a)
{
	int pid = a->reply.pid, pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	char path[64];
	bool all = true;

	for (int fd = 0; fd < 64; fd++)
		all = all && syscall(SYS_pidfd_getfd, pidfd, fd, 0) < 0;
	result(all && pidfd >= 0, "pidfd_getfd", strerror(errno));
	held("ptrace", pid, ptrace(PTRACE_SEIZE, pid, NULL, NULL));
	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	held("/proc/PID/fd", pid, open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	held("/proc/PID/mem", pid, open(path, O_RDWR | O_CLOEXEC));
}

static void scribble(const struct attachment *a)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	size_t stride = (RING_VALUE_SIZE(a->place.size) + page_size - 1) & ~(page_size - 1);
	uint32_t *page[64];
	unsigned count = 0, map = 0;

	for (uint32_t i = 0; i < a->place.count && count < 64; i++) {
		const struct ring_maps *m = &a->place.maps;
		void *p;

		while (map + 1 < m->count && i >= m->first[map + 1])
			map++;
		p = mmap(NULL, stride, PROT_READ | PROT_WRITE, MAP_SHARED, a->rings[map],
			 (off_t)((i - m->first[map]) * stride));
		if (p != MAP_FAILED)
			page[count++] = p;
	}
	result(count > 0, "rings to write to", "");
	printf("ready\n");
	if (!count)
		return;
	for (unsigned i = 0;; i++) {
		uint32_t *word = page[i % count] + random_number() % 1024;

		*word = i & 64 ? random_number() : i & 128 ? ~0u : random_number() % 16;
		if (i % 1024 == 0)
			usleep(100);
	}
}

static enum capture_hook hook_named(const char *name)
{
	static const char *const names[] = {"auto", "xdp", "tc", "packet"};
	unsigned i = 0;

	while (i < 3 && strcmp(names[i], name) != 0)
		i++;
	return (enum capture_hook)i;
}

static void holds(const char *hook)
{
	struct afxdp_options o = plain();
	struct answer a;
	int e;

	o.promiscuous = true;
	o.hook = hook_named(hook);
	e = ask(&a, LOADER_OPEN, &o, sizeof(o));
	result(e == 0 && only_looks_on(&a.attachment), hook, e ? a.text : "opened");
	if (e)
		return;
	for (unsigned i = 0; i < ATTACHMENT_FDS; i++) {
		if (a.attachment.fd[i] < 0)
			continue;
		tries_as_socket(a.attachment.fd[i]);
		tries_as_program(&a.attachment, a.attachment.fd[i]);
		tries_by_id(a.attachment.fd[i]);
	}
	tries_the_process(&a);
	printf("loader %d\n", a.reply.pid);
	scribble(&a.attachment);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc < 4)
		return 2;
	loader = argv[1];
	interface = argv[3];
	if (strcmp(argv[2], "asks") == 0) {
		asks_for_more();
		brings_a_program();
		asks_at_random();
	} else if (argc == 5) {
		holds(argv[4]);
	}
	return failed;
}
