/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <asm/termbits.h> /* on some machines TCGETS has the size of the kernel's struct termios */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/ethtool.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "confine.h"
#include "util/calls.h"

#define COUNT(array) (sizeof(array) / sizeof(array[0]))

/* clone(2): there the stack comes first. */
#if defined(__s390__)
#define CLONE_FLAGS(...) SCMP_A1(__VA_ARGS__)
#else
#define CLONE_FLAGS(...) SCMP_A0(__VA_ARGS__)
#endif

/* Groups of calls that several of them need. */
#define EVENTS                                                                                     \
	SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_pwait2), SCMP_SYS(epoll_ctl)
#define STATES                                                                                     \
	SCMP_SYS(fstat), SCMP_SYS(fstat64), SCMP_SYS(newfstatat), SCMP_SYS(fstatat64),             \
		SCMP_SYS(statx)
#define PATHS SCMP_SYS(stat), SCMP_SYS(stat64)
#define FLAGS SCMP_SYS(fcntl), SCMP_SYS(fcntl64)
#define THREADS                                                                                    \
	SCMP_SYS(mprotect), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(clock_nanosleep),  \
		SCMP_SYS(nanosleep), SCMP_SYS(rt_sigprocmask), SCMP_SYS(gettid), SCMP_SYS(getpid)

/* And what is open: of each process that may do only what is listed. */
static const int common[] = {
	CALLS_OF_ALL,
	SCMP_SYS(read),
	SCMP_SYS(gettimeofday),
};

/*
 * What is not listed fails as on a kernel that does not have it: C libraries, which come to use
 * newer calls, are prepared for that.
 */
static const int allowed[] = {
	/* packets: the doorbell, timers, netlink on sockets that are open */
	EVENTS,
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(timerfd_settime),
	SCMP_SYS(eventfd2),
	SCMP_SYS(sendto),
	SCMP_SYS(sendmsg),
	SCMP_SYS(recvfrom),
	SCMP_SYS(recvmsg),
	SCMP_SYS(membarrier),
	SCMP_SYS(getsockname),
	SCMP_SYS(getsockopt),
	/* files */
	SCMP_SYS(open),
	SCMP_SYS(openat),
	SCMP_SYS(write),
	SCMP_SYS(readv),
	SCMP_SYS(writev),
	SCMP_SYS(pread64),
	SCMP_SYS(pwrite64),
	SCMP_SYS(pwritev),
	SCMP_SYS(pwritev2),
	SCMP_SYS(lseek),
	SCMP_SYS(_llseek),
	SCMP_SYS(ftruncate),
	SCMP_SYS(ftruncate64),
	SCMP_SYS(fallocate),
	SCMP_SYS(fsync),
	SCMP_SYS(fdatasync),
	SCMP_SYS(sync_file_range),
	STATES,
	PATHS,
	SCMP_SYS(statfs),
	SCMP_SYS(statfs64),
	SCMP_SYS(fstatfs),
	SCMP_SYS(fstatfs64),
	FLAGS,
	SCMP_SYS(flock),
	SCMP_SYS(getdents64),
	SCMP_SYS(rename),
	SCMP_SYS(renameat),
	SCMP_SYS(renameat2),
	SCMP_SYS(unlink),
	SCMP_SYS(unlinkat),
	SCMP_SYS(access),
	SCMP_SYS(faccessat),
	SCMP_SYS(readlink),
	SCMP_SYS(readlinkat),
	SCMP_SYS(getcwd),
	SCMP_SYS(umask),
	/* threads, time (setting it takes a capability), signals */
	THREADS,
	SCMP_SYS(sched_yield),
	SCMP_SYS(sched_getaffinity),
	SCMP_SYS(sched_setaffinity),
	SCMP_SYS(geteuid),
	SCMP_SYS(geteuid32),
	SCMP_SYS(time),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(sigaltstack),
	SCMP_SYS(setitimer),
	SCMP_SYS(uname),
	/* the end of the child that --decode has started */
	SCMP_SYS(wait4),
	SCMP_SYS(waitid),
};

/* What an interface's clock and driver say; whether it is a terminal. By none of them it is typed
 * into one. */
static const unsigned long requests[] = {
	SIOCGIFNAME,
	SIOCETHTOOL,
	SIOCGHWTSTAMP,
	SIOCSHWTSTAMP,
	PTP_SYS_OFFSET_PRECISE,
	PTP_SYS_OFFSET_EXTENDED,
	PTP_SYS_OFFSET,
	TCGETS,
#ifdef TCGETS2
	TCGETS2, /* of isatty() since glibc 2.42 */
#endif
	TIOCGWINSZ,
};
/* Types into it. */
static const unsigned long typing[] = {TIOCSTI, TIOCLINUX};

/* A child that reads a pipe, and writes to connections that come to a socket it has. */
static const int serving[] = {
	SCMP_SYS(poll),	    SCMP_SYS(ppoll),	  SCMP_SYS(accept),
	SCMP_SYS(accept4),  SCMP_SYS(setsockopt), SCMP_SYS(recv),
	SCMP_SYS(recvfrom), SCMP_SYS(send),	  SCMP_SYS(sendto),
};

/* A child that enters network namespaces, opens sockets there, and tells of what it finds. */
static const int keeping[] = {
	EVENTS,
	SCMP_SYS(epoll_create1),
	SCMP_SYS(inotify_init1),
	SCMP_SYS(inotify_add_watch),
	SCMP_SYS(setsockopt),
	SCMP_SYS(bind),
	SCMP_SYS(send),
	SCMP_SYS(sendto),
	SCMP_SYS(recv),
	SCMP_SYS(recvfrom),
	SCMP_SYS(write),
	STATES,
	PATHS,
	SCMP_SYS(getdents64),
	SCMP_SYS(lseek),
	FLAGS,
	THREADS,
};

/* Ways to privilege, to other processes, and into the kernel, that no command for a file needs. */
static const int refused[] = {
	SCMP_SYS(bpf),
	SCMP_SYS(perf_event_open),
	SCMP_SYS(ptrace),
	SCMP_SYS(process_vm_readv),
	SCMP_SYS(process_vm_writev),
	SCMP_SYS(pidfd_getfd),
	SCMP_SYS(setns),
	SCMP_SYS(unshare),
	SCMP_SYS(mount),
	SCMP_SYS(umount), /* of i386 */
	SCMP_SYS(umount2),
	SCMP_SYS(open_tree),
	SCMP_SYS(move_mount),
	SCMP_SYS(fsopen),
	SCMP_SYS(fsconfig),
	SCMP_SYS(fsmount),
	SCMP_SYS(fspick),
	SCMP_SYS(mount_setattr),
	SCMP_SYS(pivot_root),
	SCMP_SYS(chroot),
	SCMP_SYS(init_module),
	SCMP_SYS(finit_module),
	SCMP_SYS(delete_module),
	SCMP_SYS(kexec_load),
	SCMP_SYS(kexec_file_load),
	SCMP_SYS(reboot),
	SCMP_SYS(swapon),
	SCMP_SYS(swapoff),
	SCMP_SYS(keyctl),
	SCMP_SYS(add_key),
	SCMP_SYS(request_key),
	SCMP_SYS(userfaultfd),
	SCMP_SYS(open_by_handle_at),
	SCMP_SYS(io_uring_setup),
};

/* The kernel looks at the lower half alone. */
static int add_requests(scmp_filter_ctx s, uint32_t action, const unsigned long *request, size_t n)
{
	int e = 0;

	for (size_t i = 0; i < n && !e; i++)
		e = seccomp_rule_add(s, action, SCMP_SYS(ioctl), 1,
				     SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, request[i]));
	return e;
}

#if defined(__SANITIZE_ADDRESS__)
/*
 * What the sanitizers do at the end would be refused: the programs are tested without the filter.
 */
static int load(scmp_filter_ctx s)
{
	(void)s;
	return 0;
}
#else
static int load(scmp_filter_ctx s)
{
	return seccomp_load(s);
}
#endif

/* Threads only; clone3(), whose flags cannot be seen, is refused, and clone() used then. */
static int add_threads(scmp_filter_ctx s)
{
	return seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
				CLONE_FLAGS(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
}

/* A thread of this process alone gets a signal. By glibc: musl would take tkill(). */
static int add_signals(scmp_filter_ctx s)
{
	return seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
				SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
}

/* A call that is allowed where one argument is as it says. */
struct rule {
	int call;
	struct scmp_arg_cmp argument;
};

static int add_rules(scmp_filter_ctx s, const struct rule *rule, size_t n)
{
	int e = 0;

	for (size_t i = 0; i < n && !e; i++)
		e = seccomp_rule_add_array(s, SCMP_ACT_ALLOW, rule[i].call, 1, &rule[i].argument);
	return e;
}

/* What is listed, and nothing else. */
static int begin_list(scmp_filter_ctx *s, const int *calls, size_t n)
{
	int e;

	*s = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	e = *s ? calls_add(*s, SCMP_ACT_ALLOW, common, COUNT(common)) : -ENOMEM;
	return e ? e : calls_add(*s, SCMP_ACT_ALLOW, calls, n);
}

/* From here on, if all rules are in it. */
static int end_list(scmp_filter_ctx s, int e)
{
	if (!e)
		e = load(s);
	seccomp_release(s);
	return e;
}

int confine(void)
{
	const struct rule rules[] = {
		/* is the link still attached? */
		{SCMP_SYS(bpf), SCMP_A0(SCMP_CMP_EQ, BPF_OBJ_GET_INFO_BY_FD)},
		/* a file for others to read, and not to write or to run */
		{SCMP_SYS(fchmod), SCMP_A1(SCMP_CMP_MASKED_EQ, 07133, 0)},
		/* one that has TLS keys: for nobody but its owner */
		{SCMP_SYS(fchmod), SCMP_A1(SCMP_CMP_MASKED_EQ, 07077, 0)},
		/* of a thread */
		{SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)},
		/* its own: limits of others would end these */
		{SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_EQ, 0)},
	};
	scmp_filter_ctx s;
	int e = begin_list(&s, allowed, COUNT(allowed));

	if (!e)
		e = add_requests(s, SCMP_ACT_ALLOW, requests, COUNT(requests));
	if (!e)
		e = add_threads(s);
	if (!e)
		e = add_rules(s, rules, COUNT(rules));
	if (!e) /* it is got out of a write */
		e = add_signals(s);
	return end_list(s, e);
}

/* A command may have words of another width than we: system calls have other numbers there. */
static int add_machines(scmp_filter_ctx s)
{
	static const uint32_t machines[] = {
#if defined(__x86_64__) || defined(__i386__)
		SCMP_ARCH_X86_64,
		SCMP_ARCH_X86,
#elif defined(__aarch64__) || defined(__arm__)
		SCMP_ARCH_AARCH64,
		SCMP_ARCH_ARM,
#endif
		SCMP_ARCH_NATIVE,
	};
	int e = 0;

	for (size_t i = 0; i < COUNT(machines) && !e; i++) {
		e = seccomp_arch_add(s, machines[i]);
		if (e == -EEXIST)
			e = 0;
	}
	return e;
}

int confine_serving(void)
{
	scmp_filter_ctx s;
	int e = begin_list(&s, serving, COUNT(serving));

	return end_list(s, e);
}

/* Files, to read. */
static int add_reading(scmp_filter_ctx s)
{
	const scmp_datum_t writes = O_ACCMODE | O_CREAT | O_TRUNC;
	const struct rule rules[] = {
		{SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, writes, O_RDONLY)},
		{SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, writes, O_RDONLY)},
	};

	return add_rules(s, rules, COUNT(rules));
}

/* Network namespaces, the two kinds of sockets that are opened there, and files to read. */
static int add_spaces(scmp_filter_ctx s)
{
	const struct rule rules[] = {
		{SCMP_SYS(setns), SCMP_A1(SCMP_CMP_EQ, CLONE_NEWNET)},
		{SCMP_SYS(socket), SCMP_A0(SCMP_CMP_EQ, AF_PACKET)},
		{SCMP_SYS(socket), SCMP_A0(SCMP_CMP_EQ, AF_NETLINK)},
	};
	int e = add_rules(s, rules, COUNT(rules));

	return e ? e : add_reading(s);
}

int confine_keeping(void)
{
	scmp_filter_ctx s;
	int e = begin_list(&s, keeping, COUNT(keeping));

	if (!e)
		e = add_spaces(s);
	if (!e)
		e = add_threads(s);
	if (!e)
		e = add_signals(s);
	return end_list(s, e);
}

int confine_looking(void)
{
	static const int looking[] = {SCMP_SYS(send), SCMP_SYS(sendto), SCMP_SYS(recv),
				      SCMP_SYS(recvfrom),
				      /* names of containers */
				      STATES, SCMP_SYS(getdents), SCMP_SYS(getdents64)};
	scmp_filter_ctx s;
	int e = begin_list(&s, looking, COUNT(looking));

	if (!e)
		e = add_reading(s);
	if (!e)
		e = seccomp_rule_add(s, SCMP_ACT_ALLOW, SCMP_SYS(bpf), 1,
				     SCMP_A0(SCMP_CMP_EQ, BPF_ITER_CREATE));
	return end_list(s, e);
}

int confine_with_commands(void)
{
	scmp_filter_ctx s = seccomp_init(SCMP_ACT_ALLOW);
	int e = s ? add_machines(s) : -ENOMEM;

	if (!e)
		e = calls_add(s, SCMP_ACT_ERRNO(EPERM), refused, COUNT(refused));
	if (!e)
		e = add_requests(s, SCMP_ACT_ERRNO(EPERM), typing, COUNT(typing));
	/* User namespaces; the flags of clone3() cannot be seen, and C libraries do without it. */
	if (!e)
		e = seccomp_rule_add(s, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
				     CLONE_FLAGS(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
	if (!e)
		e = seccomp_rule_add(s, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	return end_list(s, e);
}
