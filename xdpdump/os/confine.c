/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <asm/termbits.h> /* on some machines TCGETS contains the size of struct termios */
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

/* clone(2): on s390 the stack is the first argument. */
#if defined(__s390__)
#define CLONE_FLAGS(...) SCMP_A1(__VA_ARGS__)
#else
#define CLONE_FLAGS(...) SCMP_A0(__VA_ARGS__)
#endif

/* Groups of calls that several filters need. */
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

/* Calls that every process needs that may only make listed calls, also reading what is open. */
static const int common[] = {
	CALLS_OF_ALL,
	SCMP_SYS(read),
	SCMP_SYS(gettimeofday),
};

/*
 * A call that is not listed fails with ENOSYS, as on an older kernel: C libraries that use newer
 * calls are prepared for that.
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
	/* threads, time (setting it needs a capability), signals */
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
	/* waiting for the child that --decode has started */
	SCMP_SYS(wait4),
	SCMP_SYS(waitid),
};

/* For a child that reads a pipe, and writes to connections that it accepts. */
static const int serving[] = {
	SCMP_SYS(poll),	    SCMP_SYS(ppoll),	  SCMP_SYS(accept),
	SCMP_SYS(accept4),  SCMP_SYS(setsockopt), SCMP_SYS(recv),
	SCMP_SYS(recvfrom), SCMP_SYS(send),	  SCMP_SYS(sendto),
};

/* For a child that enters network namespaces, opens sockets there, and reports what it finds. */
static const int keeping[] = {
	EVENTS,
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
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

/* Calls that lead to privilege, other processes or the kernel, which no command needs. */
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
	SCMP_SYS(umount), /* on i386 */
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

/* A call that is allowed, or refused, if one argument compares as said. */
struct rule {
	int call;
	struct scmp_arg_cmp argument;
};

/* The kernel uses only the lower 32 bits of a request. */
#define REQUEST(number) SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, number)
/* Only threads. A filter cannot see the flags of clone3(), so that is refused. */
#define NEW_THREAD SCMP_SYS(clone), CLONE_FLAGS(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)
/* Only a thread of this process may be signaled. This is the call of glibc; musl uses tkill(). */
#define OWN_SIGNAL SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())
/* Opening files only for reading. */
#define WRITES	(O_ACCMODE | O_CREAT | O_TRUNC)
#define OPEN	SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, WRITES, O_RDONLY)
#define OPEN_AT SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, WRITES, O_RDONLY)

static int add_rules(scmp_filter_ctx s, uint32_t action, const struct rule *rule, size_t n)
{
	int e = 0;

	for (size_t i = 0; i < n && !e; i++)
		e = seccomp_rule_add_array(s, action, rule[i].call, 1, &rule[i].argument);
	return e;
}

/*
 * Load the filter if all rules were added. Not with the address sanitizer, because its calls at
 * exit would be refused.
 */
static int end(scmp_filter_ctx s, int e)
{
#if !defined(__SANITIZE_ADDRESS__)
	if (!e)
		e = seccomp_load(s);
#endif
	seccomp_release(s);
	return e;
}

/* Allow what is listed, and nothing else. */
static int allow(const int *calls, size_t n, const struct rule *rules, size_t rule_count)
{
	scmp_filter_ctx s = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	int e = s ? calls_add(s, SCMP_ACT_ALLOW, common, COUNT(common)) : -ENOMEM;

	if (!e)
		e = calls_add(s, SCMP_ACT_ALLOW, calls, n);
	return end(s, e ? e : add_rules(s, SCMP_ACT_ALLOW, rules, rule_count));
}

int confine(void)
{
	const struct rule rules[] = {
		/*
		 * what an interface's clock and driver say, and whether a descriptor is a terminal;
		 * none of these types into one
		 */
		{REQUEST(SIOCGIFNAME)},
		{REQUEST(SIOCETHTOOL)},
		{REQUEST(SIOCGHWTSTAMP)},
		{REQUEST(SIOCSHWTSTAMP)},
		{REQUEST(PTP_SYS_OFFSET_PRECISE)},
		{REQUEST(PTP_SYS_OFFSET_EXTENDED)},
		{REQUEST(PTP_SYS_OFFSET)},
		{REQUEST(TCGETS)},
#ifdef TCGETS2
		{REQUEST(TCGETS2)}, /* isatty() since glibc 2.42 */
#endif
		{REQUEST(TIOCGWINSZ)},
		{NEW_THREAD},
		/* is the link still attached? */
		{SCMP_SYS(bpf), SCMP_A0(SCMP_CMP_EQ, BPF_OBJ_GET_INFO_BY_FD)},
		/* a file that others may read, but not write or execute */
		{SCMP_SYS(fchmod), SCMP_A1(SCMP_CMP_MASKED_EQ, 07133, 0)},
		/* a file with TLS keys: only for its owner */
		{SCMP_SYS(fchmod), SCMP_A1(SCMP_CMP_MASKED_EQ, 07077, 0)},
		/* the name of a thread */
		{SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)},
		/* its own limits: those of others could end them */
		{SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_EQ, 0)},
		{OWN_SIGNAL}, /* interrupts a thread in a write */
	};

	return allow(allowed, COUNT(allowed), rules, COUNT(rules));
}

/*
 * A command may be built for 32 bits where we are for 64, or the reverse; system calls have other
 * numbers there.
 */
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
	return allow(serving, COUNT(serving), NULL, 0);
}

int confine_keeping(void)
{
	/* Entering network namespaces, the two kinds of sockets opened there, and reading files. */
	const struct rule rules[] = {
		{SCMP_SYS(setns), SCMP_A1(SCMP_CMP_EQ, CLONE_NEWNET)},
		{SCMP_SYS(socket), SCMP_A0(SCMP_CMP_EQ, AF_PACKET)},
		{SCMP_SYS(socket), SCMP_A0(SCMP_CMP_EQ, AF_NETLINK)},
		{OPEN},
		{OPEN_AT},
		{NEW_THREAD},
		{OWN_SIGNAL},
	};

	return allow(keeping, COUNT(keeping), rules, COUNT(rules));
}

int confine_looking(void)
{
	static const int looking[] = {SCMP_SYS(send), SCMP_SYS(sendto), SCMP_SYS(recv),
				      SCMP_SYS(recvfrom),
				      /* for the names of containers */
				      STATES, SCMP_SYS(getdents), SCMP_SYS(getdents64)};
	const struct rule rules[] = {
		{OPEN},
		{OPEN_AT},
		{SCMP_SYS(bpf), SCMP_A0(SCMP_CMP_EQ, BPF_ITER_CREATE)},
	};

	return allow(looking, COUNT(looking), rules, COUNT(rules));
}

int confine_with_commands(void)
{
	const struct rule rules[] = {
		/* requests that type into a terminal */
		{REQUEST(TIOCSTI)},
		{REQUEST(TIOCLINUX)},
		/* user namespaces; C libraries do without clone3(), whose flags cannot be seen */
		{SCMP_SYS(clone), CLONE_FLAGS(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER)},
	};
	scmp_filter_ctx s = seccomp_init(SCMP_ACT_ALLOW);
	int e = s ? add_machines(s) : -ENOMEM;

	if (!e)
		e = calls_add(s, SCMP_ACT_ERRNO(EPERM), refused, COUNT(refused));
	if (!e)
		e = add_rules(s, SCMP_ACT_ERRNO(EPERM), rules, COUNT(rules));
	if (!e)
		e = seccomp_rule_add(s, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	return end(s, e);
}
