/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A capture that the loader opens with a filter: the programs are attached with it, whatever it is
 * the capture opens, and who translates it has no privilege, reaches nobody by a system call, and
 * is not waited for without end.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/capture_private.h"
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

/* Opens a capture of vb with this filter; what became of it is in *p. It stays until this child has
 * ended, if there is one, whose status is in *status then. */
static int open_until(const struct sock_filter *f, unsigned n, struct program *p, pid_t child,
		      int *status)
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
	if (child)
		waitpid(child, status, 0);
	if (e) {
		printf("   %s\n", err);
		return e;
	}
	attachment_close(&a);
	loader_stop(&l);
	return 0;
}

static int open_with(const struct sock_filter *f, unsigned n, struct program *p)
{
	return open_until(f, n, p, 0, NULL);
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
						      (wanted && (p.filter_error == -ETIME ||
								  p.filter_error == -ETIMEDOUT)));
		good = good && (!p.filter_error || (p.filter_log && *p.filter_log));
		result(good, "opened with %s: %s, the filter is %s: %s", filters[i].name,
		       strerror(-e), p.has_filter ? "in" : "not in", strerror(-p.filter_error));
		free(p.filter_log);
		free(f);
	}
}

/* --- Who is apart is stopped, or the loader: by a child that traces both. --- */

#define TRACE_AT "pcap-afxdp-apart" /* an abstract name, of this network namespace */

static struct sockaddr_un trace_at(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};

	memcpy(at.sun_path + 1, TRACE_AT, sizeof(TRACE_AT));
	return at;
}

/* In place of the loader: waits for who traces it, and becomes it. */
static int be_traced(char **argv)
{
	struct sockaddr_un at = trace_at();
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char go;

	if (fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0 &&
	    read(fd, &go, 1) == 1)
		execv("pcap-afxdp-loader", argv);
	return 1;
}

/* The number that /proc/PID/status has behind this word. -1: there is none. */
static long long number_of(pid_t pid, const char *word, int base)
{
	char path[64], line[128];
	long long n = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, word, strlen(word)) == 0)
			n = strtoll(line + strlen(word), NULL, base);
	if (f)
		fclose(f);
	return n;
}

/* It has nothing, and nobody looks into it. */
static bool has_nothing(pid_t apart)
{
	char path[64];
	bool none = number_of(apart, "CapPrm:", 16) == 0 && number_of(apart, "CapEff:", 16) == 0 &&
		    number_of(apart, "NoNewPrivs:", 10) == 1;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)apart);
	become_nobody();
	return none && open(path, O_RDWR | O_CLOEXEC) < 0;
}

struct traced {
	pid_t loader, apart;
	bool stays_stopped; /* who is apart, once seccomp is there; */
	unsigned held_ms;   /* or the loader, behind each of those */
	bool none;
};

#define OPTIONS (PTRACE_O_TRACEFORK | PTRACE_O_TRACESYSGOOD)

static int meet(struct traced *t, int listener)
{
	struct ucred who;
	socklen_t size = sizeof(who);
	int fd = accept(listener, NULL, NULL);

	if (fd < 0 || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) ||
	    ptrace(PTRACE_SEIZE, who.pid, 0, OPTIONS) || write(fd, "x", 1) != 1)
		return -1;
	t->loader = who.pid;
	return 0;
}

static void hold(const struct traced *t)
{
	struct timespec time = {t->held_ms / 1000, t->held_ms % 1000 * 1000000l};

	while (nanosleep(&time, &time))
		;
}

/* One of the two is stopped. */
static void go_on(struct traced *t, pid_t pid, int status)
{
	int signal = status >> 16 || WSTOPSIG(status) & 0x80 ? 0 : WSTOPSIG(status);

	if (pid == t->loader) {
		if (signal == SIGCHLD)
			hold(t);
		ptrace(PTRACE_CONT, pid, 0, signal);
		return;
	}
	t->apart = pid;
	if (t->stays_stopped && number_of(pid, "Seccomp:", 10) == 2)
		t->none = has_nothing(pid);
	else
		ptrace(t->stays_stopped ? PTRACE_SYSCALL : PTRACE_CONT, pid, 0, signal);
}

/* The status of the child: 0: who was to be stopped had nothing, and was killed by the loader. */
static int trace(int listener, struct traced t)
{
	int status;
	pid_t pid;

	alarm(WITHIN_MS / 500);
	if (meet(&t, listener))
		return 4;
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status)) {
			go_on(&t, pid, status);
			continue;
		}
		if (pid == t.loader)
			return t.held_ms ? 0 : 8;
		if (t.stays_stopped)
			return (t.none ? 0 : 1) |
			       (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 0 : 2);
	}
	return 16;
}

static int open_traced(const char *filter, struct program *p, struct traced t, int *status)
{
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), e;
	const char *loader = getenv("PCAP_AFXDP_LOADER");
	struct sockaddr_un at = trace_at();
	struct sock_filter *f;
	unsigned n = 0;
	pid_t tracer;

	f = program_by_name(filter, &n);
	if (bind(listener, (struct sockaddr *)&at, sizeof(at)) || listen(listener, 1))
		return -errno;
	fflush(stdout);
	tracer = fork();
	if (tracer == 0)
		_exit(trace(listener, t));
	close(listener);
	setenv("PCAP_AFXDP_LOADER", "/proc/self/exe", 1);
	e = open_until(f, n, p, t.stays_stopped ? tracer : 0, status);
	setenv("PCAP_AFXDP_LOADER", loader, 1);
	if (!t.stays_stopped)
		waitpid(tracer, status, 0);
	free(f);
	return e;
}

/* The capture begins without the filter. */
static void does_not_wait_for_who_is_apart(void)
{
	struct program p = {.bpf = NULL};
	int status = -1, e;

	e = open_traced("all", &p, (struct traced){.stays_stopped = true}, &status);
	result(e == 0 && !p.has_filter && p.filter_error == -ETIMEDOUT,
	       "who translates is stopped: the capture opens without its filter: %s, %s",
	       strerror(-e), p.filter_log ? p.filter_log : "");
	result(WIFEXITED(status) && !(WEXITSTATUS(status) & ~2),
	       "it had no capability, and seccomp: %#x", (unsigned)status);
	result(WIFEXITED(status) && !(WEXITSTATUS(status) & ~1),
	       "and the loader has killed it: %#x", (unsigned)status);
	free(p.filter_log);
}

/* Each alone may take so long, both not: the application waits 20 s, of which a carrier may
 * take 10. */
static void all_programs_have_one_limit(void)
{
	struct program p = {.bpf = NULL};
	int status = -1, e;

	e = open_traced("all", &p, (struct traced){.held_ms = 8500}, &status);
	result(e == 0 && !p.has_filter && p.filter_error == -ETIMEDOUT && status == 0,
	       "a loader that has no CPU for long opens without the filter: %s, %s", strerror(-e),
	       p.filter_log ? p.filter_log : "");
	free(p.filter_log);
}

/* All but the right to end a loader, which has other capabilities by root's exec. */
static void drop_capabilities(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct few[2] = {{0}};

	few[0].permitted = few[0].effective = 1u << CAP_KILL;
	if (syscall(SYS_capset, &head, few))
		exit(1);
}

/* The status of the child: 0: a filter that was refused keeps its reason, without the loader. */
static int set_again(const struct sock_filter *f, unsigned n)
{
	struct afxdp_options *o = afxdp_options_new();
	struct afxdp_capture *c = NULL;
	char err[AFXDP_ERROR_SIZE] = "", wanted[AFXDP_ERROR_SIZE];
	int e;

	drop_capabilities();
	afxdp_options_filter(o, f, n);
	e = afxdp_options_device(o, "vb,hook=xdp", err, sizeof(err));
	if (!e)
		e = afxdp_open(&c, o, err, sizeof(err));
	if (e) {
		printf("   %s\n", err);
		return 1;
	}
	kill(c->loader.pid, SIGKILL);
	snprintf(wanted, sizeof(wanted), "%s", c->reading.filter.unfit_log);
	e = afxdp_set_filter(c, f, n, err, sizeof(err));
	printf("   %s\n", afxdp_filter_text(c));
	e = e || !wanted[0] || strcmp(afxdp_filter_log(c), wanted) != 0;
	afxdp_close(c);
	afxdp_options_free(o);
	return e;
}

static void is_not_tried_again(void)
{
	struct sock_filter *f;
	int status = -1;
	unsigned n = 0;
	pid_t child;

	f = program_by_name("too-complex:40", &n);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		status = set_again(f, n);
		fflush(stdout);
		_exit(status);
	}
	waitpid(child, &status, 0);
	result(status == 0, "a filter refused as the capture opened is not tried again");
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

int main(int argc, char **argv)
{
	char loader[400];

	if (argc == 2)
		return be_traced(argv);
	own_net();
	veth_pair("");
	if (!getcwd(loader, sizeof(loader) - 32))
		return 1;
	strcat(loader, "/pcap-afxdp-loader");
	setenv("PCAP_AFXDP_LOADER", loader, 1);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	opens_with_every_filter();
	does_not_wait_for_who_is_apart();
	all_programs_have_one_limit();
	is_not_tried_again();
	if (!IS_SANITIZED)
		reaches_nobody();
	else
		puts("skipped: what seccomp leaves: a sanitizer makes calls of its own");
	return result_sum(IS_SANITIZED);
}
