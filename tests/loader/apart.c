/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A capture that the loader opens with a filter: the programs are attached with it, whatever it is
 * the capture opens, and who translates it has no privilege, reaches nobody by a system call, and
 * is not waited for without end.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/loader/confine.h"
#include "capture/loader/loader.h"
#include "tests/capture/own_net.h"
#include "programs.h"
#include "result.h"

#define WITHIN_MS 20000

static const struct {
	const char *name;
	int error; /* 1: any */
} filters[] = {
	{"all", 0},
	{"long:4096", 0},
	{"long:262144", -EOPNOTSUPP},
	{"backward", 0},
	{"ancillary", -EOPNOTSUPP},
	{"too-complex:40", 1},
	{"diamonds:300", 1}, /* by the limit of time, or the verifier's own */
	{"division-by-0", -EINVAL},
	{"jump-out", -EINVAL},
	{"unknown-code", -EINVAL},
	{"no-return", -EINVAL},
	{"all", 0},
};

/* Opens a capture of vb with this filter; what became of it is in *p. */
static int open_with(const struct sock_filter *f, unsigned n, struct program *p)
{
	struct afxdp_options o = {.ifname = "vb",
				  .snaplen = 262144,
				  .ring_size = RING_SIZE_MIN,
				  .hook = CAPTURE_HOOK_XDP,
				  .filter = f,
				  .filter_n = n};
	struct attachment a;
	struct loader l;
	char err[512] = "";
	int e;

	*p = (struct program){.bpf = NULL};
	e = loader_open(&l, &o, &a, p, err, sizeof(err));
	if (e) {
		printf("   %s\n", err);
		return e;
	}
	attachment_close(&a);
	loader_stop(&l);
	return 0;
}

/* Whatever the filter is, the capture opens; and what the kernel cannot have is said. */
static void opens_with_every_filter(void)
{
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		int wanted = filters[i].error;
		bool tried = strcmp(filters[i].name, "backward") != 0; /* user space helps there */
		struct program p;
		struct sock_filter *f;
		unsigned n = 0;
		bool good;
		int e;

		f = program_by_name(filters[i].name, &n);
		e = open_with(f, n, &p);
		good = e == 0 && p.has_filter == (tried && wanted == 0);
		good = good && (!p.has_filter || p.level == AFXDP_LEVEL_FRAGS);
		/* What takes long is given up, on a busy machine earlier than elsewhere. */
		good = good && (wanted == 1 ? p.filter_error < 0
					    : p.filter_error == wanted ||
						      (wanted && p.filter_error == -ETIME));
		good = good && (!p.filter_error || (p.filter_log && *p.filter_log));
		result(good, "opened with %s: %s, the filter is %s: %s", filters[i].name,
		       strerror(-e), p.has_filter ? "in" : "not in", strerror(-p.filter_error));
		free(p.filter_log);
		free(f);
	}
}

/* The number that /proc/PID/FILE has behind this word. -1: there is none. */
static long long number_of(const char *pid, const char *word, int base)
{
	char path[64], line[128];
	long long n = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, word, strlen(word)) == 0)
			n = strtoll(line + strlen(word), NULL, base);
	if (f)
		fclose(f);
	return n;
}

static bool is_loader(const char *pid)
{
	char path[64], name[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	f = fopen(path, "re");
	if (f && !fgets(name, sizeof(name), f))
		name[0] = 0;
	if (f)
		fclose(f);
	return strncmp(name, "pcap-afxdp-load", 15) == 0;
}

/* A loader whose parent is one of this process's: apart. It translates, once seccomp is there. */
static pid_t find_apart(long long above)
{
	DIR *d = opendir("/proc");
	const struct dirent *entry;
	pid_t found = 0;

	while (d && !found && (entry = readdir(d))) {
		char parent[32];

		if (atoi(entry->d_name) <= 0 || !is_loader(entry->d_name))
			continue;
		snprintf(parent, sizeof(parent), "%lld", number_of(entry->d_name, "PPid:", 10));
		if (is_loader(parent) && number_of(parent, "PPid:", 10) == above &&
		    number_of(entry->d_name, "Seccomp:", 10) == 2)
			found = atoi(entry->d_name);
	}
	closedir(d);
	return found;
}

/* Stops the process that translates. Its status: whether that has nothing, and nobody looks into
 * it. */
static int stop_apart(pid_t above)
{
	long limit = now_ms() + WITHIN_MS;
	char pid[16], path[64];
	pid_t apart = 0;
	bool none;

	while (!apart && now_ms() < limit)
		apart = find_apart(above);
	if (!apart || kill(apart, SIGSTOP))
		return 2;
	snprintf(pid, sizeof(pid), "%d", (int)apart);
	none = number_of(pid, "CapPrm:", 16) == 0 && number_of(pid, "CapEff:", 16) == 0 &&
	       number_of(pid, "NoNewPrivs:", 10) == 1;
	snprintf(path, sizeof(path), "/proc/%s/mem", pid);
	become_nobody();
	return none && open(path, O_RDWR | O_CLOEXEC) < 0 ? 0 : 1;
}

/* It is slow with this one, and stopped in its midst: the capture begins without the filter. */
static void does_not_wait_for_who_is_apart(void)
{
	pid_t above = getpid(), observer;
	struct program p = {.bpf = NULL};
	struct sock_filter *f;
	int status = -1, e;
	unsigned n = 0;
	long begun = now_ms();

	f = program_by_name("long:262144", &n);
	fflush(stdout);
	observer = fork();
	if (observer == 0)
		_exit(stop_apart(above));
	e = open_with(f, n, &p);
	begun = now_ms() - begun;
	waitpid(observer, &status, 0);
	result(status == 0, "the process that translates has no capability, and seccomp: %#x",
	       (unsigned)status);
	result(e == 0 && !p.has_filter && p.filter_error == -ETIME && begun < WITHIN_MS,
	       "it is stopped: the capture opens without its filter: %s, %s after %ld ms",
	       strerror(-e), p.filter_log ? p.filter_log : "", begun);
	result(find_apart(above) == 0, "and it is gone");
	free(p.filter_log);
	free(f);
}

/* --- What seccomp leaves to who handles what users send. --- */

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

struct attempt {
	const char *name;
	long number;
	long arguments[4];
	bool allowed;
};

/* The signal that ends a confined process which tries this; 0: it went on. */
static int ended_by(const struct attempt *a, int fd)
{
	scmp_filter_ctx s;
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		s = confine_to(fd);
		if (!s || seccomp_load(s))
			_exit(1);
		syscall(a->number, a->arguments[0], a->arguments[1], a->arguments[2],
			a->arguments[3]);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : status;
}

static void reaches_nobody(void)
{
	struct rlimit limit = {0, 0};
	int pair[2], other[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, other)) {
		result(false, "sockets: %s", strerror(errno));
		return;
	}
	const struct attempt attempts[] = {
		{"its own limits", SYS_prlimit64, {0, RLIMIT_CORE, 0, (long)&limit}, true},
		{"limits of its parent",
		 SYS_prlimit64,
		 {getpid(), RLIMIT_CORE, 0, (long)&limit},
		 false},
		{"its socket", SYS_sendto, {pair[1], (long)"x", 1, MSG_NOSIGNAL}, true},
		{"another socket", SYS_sendto, {other[1], (long)"x", 1, MSG_NOSIGNAL}, false},
		{"a signal", SYS_kill, {getpid(), 0}, false},
		{"a file", SYS_openat, {-1, (long)"/", O_RDONLY}, false},
		{"a process", SYS_clone, {0}, false},
		{"a program", SYS_execve, {(long)"/bin/true"}, false},
		{"bpf()", SYS_bpf, {0}, false},
	};

	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
		int by = ended_by(&attempts[i], pair[1]);

		result(by == (attempts[i].allowed ? 0 : SIGSYS), "confined: %s: %s",
		       attempts[i].name, by ? strsignal(by) : "allowed");
	}
	close(pair[0]);
	close(pair[1]);
	close(other[0]);
	close(other[1]);
}

int main(void)
{
	char loader[400];

	own_net();
	veth_pair("");
	if (!getcwd(loader, sizeof(loader) - 32))
		return 1;
	strcat(loader, "/pcap-afxdp-loader");
	setenv("PCAP_AFXDP_LOADER", loader, 1);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	opens_with_every_filter();
	does_not_wait_for_who_is_apart();
	if (!IS_SANITIZED)
		reaches_nobody();
	else
		puts("skipped: what seccomp leaves: a sanitizer makes calls of its own");
	return result_sum(IS_SANITIZED);
}
