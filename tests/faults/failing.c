/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * To be preloaded: one call of those that the kernel or the allocator may refuse fails, the Nth
 * after failing_arm(), or of a whole program by FAIL_AT. By FAIL_SITES=1 calls count only where no
 * call came from the same place before, by the same way. FAIL_KNOWN=FILE: the first call fails that
 * comes from a place which the file does not have yet, and the file gets it; so each place fails
 * once in all runs together. FAIL_IN=PROGRAM: in no other program than this. FAIL_AS=CALL:ERRNO:
 * only that call fails, and by that error. FAIL_WRITES=BYTES: so much is written to regular files,
 * then EIO. What failed is in the file that FAIL_TO names.
 */
#include "tests/faults/failing.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <grp.h>
#include <net/if.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#define DEPTH	  16
#define SITES_MAX 65536u
#define SKIPPED	  2 /* frames of this file */
#define NEAR	  4 /* frames that make a place the same in all runs */

static unsigned long at, count;
static bool armed, by_site;
static uint64_t sites[SITES_MAX];
static uint64_t *places; /* of FAIL_KNOWN, as many */
static char own[1024], *what = own;
static long long writable = -1;
static char only[32];  /* of FAIL_AS; "": any call */
static int only_error; /* 0: the one that goes with the call */
static __thread bool inside __attribute__((tls_model("initial-exec")));

/* Not this file's own. */
#define REAL(name) ((typeof(name) *)dlsym(RTLD_NEXT, #name))
#define kernel(...)                                                                                \
	({                                                                                         \
		static typeof(syscall) *direct;                                                    \
                                                                                                   \
		if (!direct)                                                                       \
			direct = REAL(syscall);                                                    \
		direct(__VA_ARGS__);                                                               \
	})

static uint64_t mixed(uint64_t hash, uint64_t with)
{
	return (hash ^ with) * 1099511628211u;
}

/* Puts it in. Was it there already? */
static bool is_in(uint64_t *table, uint64_t hash)
{
	hash |= 1;
	for (unsigned k = (unsigned)hash % SITES_MAX, i = 0; i < SITES_MAX; i++) {
		uint64_t *slot = &table[(k + i) % SITES_MAX], empty = 0;

		if (*slot == hash)
			return true;
		if (!*slot && __atomic_compare_exchange_n(slot, &empty, hash, false,
							  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return false;
	}
	return true;
}

/* Has a call come from here already? */
static bool is_known(void *const *frames, int n)
{
	uint64_t hash = 1469598103934665603u;

	for (int i = SKIPPED; i < n; i++)
		hash = mixed(hash, (uintptr_t)frames[i]);
	return is_in(sites, hash);
}

/* Has one failed that came from here, in this run or another? */
static bool has_failed(const char *name, void *const *frames, int n)
{
	uint64_t hash = 1469598103934665603u;

	for (const char *c = name; *c; c++)
		hash = mixed(hash, (unsigned char)*c);
	for (int i = SKIPPED; i < n && i < SKIPPED + NEAR; i++) {
		Dl_info d = {0};

		dladdr(frames[i], &d);
		hash = mixed(hash, (uintptr_t)frames[i] - (uintptr_t)d.dli_fbase);
	}
	return is_in(places, hash);
}

/* Who called, from the inside outwards. */
static void describe(const char *name, void *const *frames, int n)
{
	size_t used = (size_t)snprintf(what, sizeof(own), "%s", name);

	for (int i = SKIPPED; i < n && used < sizeof(own); i++) {
		Dl_info d = {0};
		const char *file;

		if (!dladdr(frames[i], &d) || !d.dli_fname)
			continue;
		file = strrchr(d.dli_fname, '/');
		used += (size_t)snprintf(what + used, sizeof(own) - used, " < %s+0x%lx",
					 d.dli_sname ? d.dli_sname
					 : file	     ? file + 1
						     : d.dli_fname,
					 (unsigned long)((char *)frames[i] -
							 (char *)(d.dli_sname ? d.dli_saddr
									      : d.dli_fbase)));
	}
}

static bool is_failing(const char *name, int error)
{
	void *frames[DEPTH];
	bool fails = false;
	int n;

	if (!armed || inside || (only[0] && strcmp(name, only)))
		return false;
	inside = true;
	n = backtrace(frames, DEPTH);
	if (places)
		fails = !what[0] && !is_known(frames, n) && !has_failed(name, frames, n);
	else if (!by_site || !is_known(frames, n))
		fails = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) == at;
	if (fails)
		describe(name, frames, n);
	inside = false;
	if (fails)
		errno = only_error ? only_error : error;
	return fails;
}

void failing_arm(unsigned long n, bool each_site)
{
	memset(sites, 0, sizeof(sites));
	what[0] = 0;
	at = n;
	count = 0;
	by_site = each_site;
	armed = true;
}

const char *failing_disarm(void)
{
	armed = false;
	return what;
}

/* Memory that is a file: a program may have forbidden itself to write by then. */
static void *map_file(const char *path, size_t size)
{
	int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
	void *p = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, (off_t)size))
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	return p == MAP_FAILED ? NULL : p;
}

__attribute__((constructor)) static void arm_by_environment(void)
{
	const char *n = getenv("FAIL_AT"), *bytes = getenv("FAIL_WRITES"), *in = getenv("FAIL_IN");
	const char *as = getenv("FAIL_AS");
	void *frames[1], *report;

	if (in && strcmp(in, program_invocation_short_name))
		return;
	backtrace(frames, 1); /* loads libgcc, once */
	if (bytes)
		writable = atoll(bytes);
	if (as)
		sscanf(as, "%31[^:]:%d", only, &only_error);
	report = map_file(getenv("FAIL_TO"), sizeof(own));
	if (report)
		what = report;
	places = map_file(getenv("FAIL_KNOWN"), sizeof(sites));
	if (n || places)
		failing_arm(n ? strtoul(n, NULL, 10) : 0, getenv("FAIL_SITES") != NULL);
}

/* Not by dlsym(), which allocates. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

void *malloc(size_t size)
{
	return is_failing("malloc", ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return is_failing("calloc", ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return is_failing("realloc", ENOMEM) ? NULL : __libc_realloc(p, size);
}

#define CALL(type, name, parameters, arguments, error, failure)                                    \
	type name parameters                                                                       \
	{                                                                                          \
		static typeof(name) *real;                                                         \
                                                                                                   \
		if (!real)                                                                         \
			real = REAL(name);                                                         \
		return is_failing(#name, error) ? failure : real arguments;                        \
	}

CALL(int, posix_memalign, (void **p, size_t align, size_t size), (p, align, size), 0, ENOMEM)
CALL(void *, aligned_alloc, (size_t align, size_t size), (align, size), ENOMEM, NULL)
CALL(void *, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t from),
     (p, n, prot, flags, fd, from), ENOMEM, MAP_FAILED)
CALL(void *, mmap64, (void *p, size_t n, int prot, int flags, int fd, off64_t from),
     (p, n, prot, flags, fd, from), ENOMEM, MAP_FAILED)
CALL(int, socket, (int domain, int type, int protocol), (domain, type, protocol), EMFILE, -1)
CALL(int, socketpair, (int domain, int type, int protocol, int pair[2]),
     (domain, type, protocol, pair), EMFILE, -1)
CALL(int, bind, (int fd, const struct sockaddr *to, socklen_t n), (fd, to, n), ENOMEM, -1)
CALL(int, connect, (int fd, const struct sockaddr *to, socklen_t n), (fd, to, n), ECONNREFUSED, -1)
CALL(int, setsockopt, (int fd, int level, int name, const void *p, socklen_t n),
     (fd, level, name, p, n), ENOMEM, -1)
CALL(int, getsockopt, (int fd, int level, int name, void *p, socklen_t *n), (fd, level, name, p, n),
     ENOBUFS, -1)
CALL(int, getsockname, (int fd, struct sockaddr *to, socklen_t *n), (fd, to, n), ENOBUFS, -1)
CALL(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags), ENOBUFS, -1)
CALL(ssize_t, sendto,
     (int fd, const void *p, size_t n, int flags, const struct sockaddr *to, socklen_t m),
     (fd, p, n, flags, to, m), ENOBUFS, -1)
CALL(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags), ENOBUFS, -1)
CALL(ssize_t, recv, (int fd, void *p, size_t n, int flags), (fd, p, n, flags), ECONNRESET, -1)
CALL(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags), ECONNRESET, -1)
CALL(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n), EIO, -1)
CALL(ssize_t, pread, (int fd, void *p, size_t n, off_t from), (fd, p, n, from), EIO, -1)
CALL(int, epoll_create1, (int flags), (flags), EMFILE, -1)
CALL(int, epoll_ctl, (int fd, int what_to, int of, struct epoll_event *e), (fd, what_to, of, e),
     ENOSPC, -1)
CALL(int, epoll_pwait2,
     (int fd, struct epoll_event *e, int n, const struct timespec *t, const sigset_t *s),
     (fd, e, n, t, s), EPERM, -1)
CALL(int, eventfd, (unsigned n, int flags), (n, flags), EMFILE, -1)
CALL(int, timerfd_create, (int clock, int flags), (clock, flags), EMFILE, -1)
CALL(int, timerfd_settime,
     (int fd, int flags, const struct itimerspec *t, struct itimerspec *before),
     (fd, flags, t, before), EINVAL, -1)
CALL(int, signalfd, (int fd, const sigset_t *s, int flags), (fd, s, flags), EMFILE, -1)
CALL(int, inotify_init1, (int flags), (flags), EMFILE, -1)
CALL(int, memfd_create, (const char *name, unsigned flags), (name, flags), EMFILE, -1)
CALL(int, pipe, (int pair[2]), (pair), EMFILE, -1)
CALL(int, pipe2, (int pair[2], int flags), (pair, flags), EMFILE, -1)
CALL(int, dup, (int fd), (fd), EMFILE, -1)
CALL(int, dup2, (int fd, int to), (fd, to), EMFILE, -1)
CALL(int, dup3, (int fd, int to, int flags), (fd, to, flags), EMFILE, -1)
CALL(FILE *, fopen, (const char *path, const char *mode), (path, mode), EMFILE, NULL)
CALL(FILE *, fopen64, (const char *path, const char *mode), (path, mode), EMFILE, NULL)
CALL(FILE *, fdopen, (int fd, const char *mode), (fd, mode), ENOMEM, NULL)
CALL(DIR *, opendir, (const char *path), (path), EMFILE, NULL)
CALL(unsigned, if_nametoindex, (const char *name), (name), EMFILE, 0)
CALL(char *, if_indextoname, (unsigned i, char name[IF_NAMESIZE]), (i, name), EMFILE, NULL)
CALL(pid_t, fork, (void), (), EAGAIN, -1)
CALL(int, setns, (int fd, int type), (fd, type), EPERM, -1)
CALL(int, setgroups, (size_t n, const gid_t *list), (n, list), EPERM, -1)
CALL(int, setresgid, (gid_t r, gid_t e, gid_t s), (r, e, s), EPERM, -1)
CALL(int, setresuid, (uid_t r, uid_t e, uid_t s), (r, e, s), EAGAIN, -1)
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode), ENOSPC, -1)
CALL(int, rename, (const char *from, const char *to), (from, to), EIO, -1)
CALL(int, fstat, (int fd, struct stat *s), (fd, s), EIO, -1)
CALL(int, ftruncate, (int fd, off_t n), (fd, n), EIO, -1)
CALL(int, fsync, (int fd), (fd), EIO, -1)
CALL(int, fdatasync, (int fd), (fd), EIO, -1)
CALL(int, flock, (int fd, int how), (fd, how), ENOLCK, -1)

int pthread_create(pthread_t *thread, const pthread_attr_t *a, void *(*run)(void *), void *p)
{
	static typeof(pthread_create) *real;

	if (!real)
		real = REAL(pthread_create);
	return is_failing("pthread_create", 0) ? EAGAIN : real(thread, a, run, p);
}

/* Further words of a call that takes any number: more than were passed are not looked at. */
#define WORDS(last, words)                                                                         \
	do {                                                                                       \
		va_list args;                                                                      \
                                                                                                   \
		va_start(args, last);                                                              \
		for (size_t i = 0; i < sizeof(words) / sizeof((words)[0]); i++)                    \
			(words)[i] = va_arg(args, long);                                           \
		va_end(args);                                                                      \
	} while (0)

#define OPEN(name)                                                                                 \
	int name(const char *path, int flags, ...)                                                 \
	{                                                                                          \
		long mode[1];                                                                      \
                                                                                                   \
		WORDS(flags, mode);                                                                \
		if (is_failing(#name, EMFILE))                                                     \
			return -1;                                                                 \
		return (int)kernel(SYS_openat, AT_FDCWD, path, flags, mode[0]);                    \
	}
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
	int name(int folder, const char *path, int flags, ...)                                     \
	{                                                                                          \
		long mode[1];                                                                      \
                                                                                                   \
		WORDS(flags, mode);                                                                \
		if (is_failing(#name, EMFILE))                                                     \
			return -1;                                                                 \
		return (int)kernel(SYS_openat, folder, path, flags, mode[0]);                      \
	}
OPENAT(openat)
OPENAT(openat64)

#define FCNTL(name)                                                                                \
	int name(int fd, int command, ...)                                                         \
	{                                                                                          \
		long word[1];                                                                      \
                                                                                                   \
		WORDS(command, word);                                                              \
		if (is_failing(#name, command == F_DUPFD_CLOEXEC ? EMFILE : EINVAL))               \
			return -1;                                                                 \
		return (int)kernel(SYS_fcntl, fd, command, word[0]);                               \
	}
FCNTL(fcntl)
FCNTL(fcntl64)

int ioctl(int fd, unsigned long request, ...)
{
	long word[1];

	WORDS(request, word);
	if (is_failing("ioctl", EIO))
		return -1;
	return (int)kernel(SYS_ioctl, fd, request, word[0]);
}

int prctl(int option, ...)
{
	long w[4];

	WORDS(option, w);
	if (is_failing("prctl", EINVAL))
		return -1;
	return (int)kernel(SYS_prctl, option, w[0], w[1], w[2], w[3]);
}

static int refusal(long number)
{
	switch (number) {
	case SYS_bpf:
		return ENOMEM;
	case SYS_clone:
		return EAGAIN;
	default:
		return EPERM;
	}
}

long syscall(long number, ...)
{
	long w[6];

	WORDS(number, w);
	if (is_failing(number == SYS_bpf     ? "bpf"
		       : number == SYS_clone ? "clone"
					     : "syscall",
		       refusal(number)))
		return -1;
	return kernel(number, w[0], w[1], w[2], w[3], w[4], w[5]);
}

/* A medium that fails after so many bytes. */
static bool is_worn(int fd, size_t n)
{
	struct stat s;

	if (writable < 0 || inside || kernel(SYS_fstat, fd, &s) || !S_ISREG(s.st_mode))
		return false;
	if (__atomic_sub_fetch(&writable, (long long)n, __ATOMIC_RELAXED) >= 0)
		return false;
	__atomic_store_n(&writable, 0, __ATOMIC_RELAXED);
	errno = EIO;
	return true;
}

ssize_t write(int fd, const void *p, size_t n)
{
	if (is_worn(fd, n) || is_failing("write", EIO))
		return -1;
	return kernel(SYS_write, fd, p, n);
}

ssize_t pwrite64(int fd, const void *p, size_t n, off64_t to)
{
	if (is_worn(fd, n) || is_failing("pwrite", EIO))
		return -1;
	return kernel(SYS_pwrite64, fd, p, n, to);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t to)
{
	return pwrite64(fd, p, n, to);
}

static size_t length_of(const struct iovec *v, int n)
{
	size_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += v[i].iov_len;
	return sum;
}

ssize_t writev(int fd, const struct iovec *v, int n)
{
	if (is_worn(fd, length_of(v, n)) || is_failing("writev", EIO))
		return -1;
	return kernel(SYS_writev, fd, v, n);
}

ssize_t pwritev64(int fd, const struct iovec *v, int n, off64_t to)
{
	if (is_worn(fd, length_of(v, n)) || is_failing("pwritev", EIO))
		return -1;
	return kernel(SYS_pwritev, fd, v, n, to, 0);
}

ssize_t pwritev(int fd, const struct iovec *v, int n, off_t to)
{
	return pwritev64(fd, v, n, to);
}

ssize_t pwritev64v2(int fd, const struct iovec *v, int n, off64_t to, int flags)
{
	if (is_worn(fd, length_of(v, n)) || is_failing("pwritev2", EIO))
		return -1;
	return kernel(SYS_pwritev2, fd, v, n, to, 0, flags);
}

ssize_t pwritev2(int fd, const struct iovec *v, int n, off_t to, int flags)
{
	return pwritev64v2(fd, v, n, to, flags);
}
