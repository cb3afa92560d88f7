/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * client STEP...: what an application does with libpcap, a line for each step, and whether the
 * library behind xdp: devices is loaded then. Status 1: a step failed.
 *
 *	list		pcap_findalldevs()
 *	create=DEVICE	pcap_create(), in place of the handle before
 *	threads=DEVICE	the same by many threads at once; one handle is kept
 *	confine		from here on no file becomes code: nothing can be loaded
 *	fork		the steps behind it are done by the child, then by the parent
 *	activate	pcap_activate()
 *	read=N		N packets
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pcap/pcap.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 16

static char err[PCAP_ERRBUF_SIZE];
static pcap_t *pcap;

/* By name: where it came from is the script's to know. */
static bool is_loaded(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	bool found = false;
	char line[4096];

	while (maps && fgets(line, sizeof(line), maps))
		found |= strstr(line, "libafxdpcapture") != NULL;
	if (maps)
		fclose(maps);
	return found;
}

static int list(void)
{
	pcap_if_t *all;

	if (pcap_findalldevs(&all, err))
		return -1;
	pcap_freealldevs(all);
	return 0;
}

static int create(const char *device)
{
	if (pcap)
		pcap_close(pcap);
	pcap = pcap_create(device, err);
	return pcap ? 0 : -1;
}

static pthread_barrier_t barrier;
static char thread_err[THREADS][PCAP_ERRBUF_SIZE];
static pcap_t *handle[THREADS];
static const char *shared_device;

static void *create_at_once(void *argument)
{
	size_t i = (size_t)argument;

	pthread_barrier_wait(&barrier);
	handle[i] = pcap_create(shared_device, thread_err[i]);
	return NULL;
}

static int create_by_threads(const char *device)
{
	pthread_t thread[THREADS];
	int status = 0;

	shared_device = device;
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, create_at_once, (void *)i))
			exit(3);
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		if (!handle[i]) {
			memcpy(err, thread_err[i], sizeof(err));
			status = -1;
		} else if (i) {
			pcap_close(handle[i]);
		}
	}
	pcap = handle[0];
	return status;
}

/* mmap() and mprotect() have what is allowed as their third argument, of which the lower half. */
static int confine(void)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 0, 2),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	struct sock_fprog program = {.len = sizeof(f) / sizeof(f[0]), .filter = f};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* The parent goes on when the child has ended, well. */
static int fork_here(void)
{
	pid_t child = fork();
	int status;

	if (child <= 0)
		return child;
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void ignore(u_char *user, const struct pcap_pkthdr *h, const u_char *bytes)
{
	(void)user;
	(void)h;
	(void)bytes;
}

static int fails(int status)
{
	if (status < 0)
		snprintf(err, sizeof(err), "%s: %s", pcap_statustostr(status), pcap_geterr(pcap));
	return status < 0 ? -1 : 0;
}

static int activate(void)
{
	if (pcap_set_immediate_mode(pcap, 1) || pcap_set_snaplen(pcap, 128))
		return -1;
	return fails(pcap_activate(pcap));
}

static int step(const char *name, const char *value)
{
	if (!strcmp(name, "list"))
		return list();
	if (!strcmp(name, "create"))
		return create(value);
	if (!strcmp(name, "threads"))
		return create_by_threads(value);
	if (!strcmp(name, "confine"))
		return confine();
	if (!strcmp(name, "fork"))
		return fork_here();
	if (!strcmp(name, "activate"))
		return activate();
	if (!strcmp(name, "read"))
		return fails(pcap_loop(pcap, atoi(value), ignore, NULL));
	exit(2);
}

int main(int argc, char **argv)
{
	int failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (value)
			*value++ = 0;
		err[0] = 0;
		if (step(argv[i], value ? value : "")) {
			printf("%s: failed: %s\n", argv[i], err);
			failed = 1;
			continue;
		}
		printf("%s: %sloaded\n", argv[i], is_loaded() ? "" : "not ");
	}
	if (pcap)
		pcap_close(pcap);
	return failed;
}
