// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
// SPDX-FileCopyrightText: 2026 pcap-afxdp contributors
/*
 * Which process holds which socket: what is there, and what changes it. Every socket that is seen
 * gets its cookie, by which the capture programs then name it.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/verifier.bpf.h"
#include "event.h"

char _license[] SEC("license") = "Dual BSD/GPL";

#define FAMILY_INET  2
#define FAMILY_INET6 10
/* States of TCP; other protocols use the last two for themselves. */
#define PROTOCOL_TCP	6
#define TCP_ESTABLISHED 1
#define TCP_SYN_RECV	3
#define TCP_LISTEN	10
#define KERNEL_THREAD	0x00200000 /* PF_KTHREAD */
#define IO_WORKER	0x00000010 /* PF_IO_WORKER */
#define CALL_OF_32_BITS 2	   /* TS_COMPAT */
#define MODE_KIND	0170000
#define MODE_SOCKET	0140000

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct ns_common {
	unsigned int inum;
};
struct net {
	struct ns_common ns;
};
typedef struct {
	struct net *net;
} possible_net_t;
typedef struct {
	long long counter;
} atomic64_t;
struct sock_common {
	unsigned short skc_family;
	volatile unsigned char skc_state;
	__u16 skc_num;
	possible_net_t skc_net;
	atomic64_t skc_cookie;
};
struct sock {
	struct sock_common __sk_common;
	__u16 sk_protocol;
};
struct file;
struct socket {
	struct file *file;
	struct sock *sk;
};
struct inode {
	unsigned short i_mode;
};
struct file {
	struct inode *f_inode;
	void *private_data;
};
/* Number of references, before Linux 6.13; since then 0 stands for the first one. */
struct file___old {
	atomic64_t f_count;
};
typedef struct {
	atomic64_t refcnt;
} file_ref_t;
struct file___new {
	file_ref_t f_ref;
};
struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};
typedef struct {
	int counter;
} atomic_t;
struct files_struct {
	atomic_t count;
	struct fdtable *fdt;
};
struct io_uring_task;
/* The arguments of a system call, on x86 and on arm64. */
struct pt_regs___x86 {
	unsigned long bx, di, si, orig_ax;
};
struct pt_regs___arm64 {
	__u64 regs[31];
	int syscallno;
};
struct signal_struct {
	atomic_t live;
	int nr_threads;
};
/* On x86: is the system call a 32-bit one? */
struct thread_info {
	__u32 status;
};
struct task_struct {
	struct thread_info thread_info;
	unsigned int flags;
	int pid, tgid;
	__u64 start_boottime;
	char comm[WHO_COMMAND_SIZE];
	struct task_struct *group_leader;
	struct files_struct *files;
	struct signal_struct *signal;
	struct io_uring_task *io_uring;
};
struct bpf_iter__task {
	struct task_struct *task;
};
struct bpf_iter__task_file {
	struct task_struct *task;
	__u32 fd;
	struct file *file;
};
#pragma clang attribute pop

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20);
} events SEC(".maps");

/* Holds the cookie of a listening socket. Each new connection gets a copy, until its event is
 * reported. */
struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC | BPF_F_CLONE);
	__type(key, int);
	__type(value, __u64);
} came_by SEC(".maps");

/* Number of events without room. */
__u64 lost;

static __always_inline struct who_event *event(enum who_event_kind kind)
{
	struct who_event *e = bpf_ringbuf_reserve(&events, sizeof(*e), 0);

	if (!e) {
		__sync_fetch_and_add(&lost, 1);
		return e;
	}
	__builtin_memset(e, 0, sizeof(*e));
	e->time = bpf_ktime_get_ns();
	e->kind = kind;
	return e;
}

/* Nobody sleeps on the ring: it is read when packets are. */
static __always_inline void submit_event(struct who_event *e)
{
	bpf_ringbuf_submit(e, BPF_RB_NO_WAKEUP);
}

static __always_inline void put_task(struct who_event *e, struct task_struct *t)
{
	struct task_struct *leader = t->group_leader;

	e->pid = t->flags & KERNEL_THREAD ? 0 : t->tgid;
	e->start = leader->start_boottime;
	bpf_probe_read_kernel(e->command, sizeof(e->command), leader->comm);
}

/* The running task, for program types without a pointer to it. */
static __always_inline void put_current(struct who_event *e)
{
	struct task_struct *t = (void *)bpf_get_current_task();
	struct task_struct *leader = BPF_CORE_READ(t, group_leader);

	e->pid = BPF_CORE_READ(t, flags) & KERNEL_THREAD ? 0 : BPF_CORE_READ(t, tgid);
	e->start = BPF_CORE_READ(leader, start_boottime);
	BPF_CORE_READ_INTO(&e->command, leader, comm);
	/* More users have the table than the process has threads. */
	e->shares = BPF_CORE_READ(t, files, count.counter) > BPF_CORE_READ(t, signal, nr_threads);
}

static __always_inline int is_internet(__u32 family)
{
	return family == FAMILY_INET || family == FAMILY_INET6;
}

static __always_inline void tell_of(struct bpf_sock *sk, enum who_event_kind kind)
{
	struct who_event *e;
	__u64 cookie = bpf_get_socket_cookie(sk);

	e = event(kind);
	if (!e)
		return;
	e->cookie = cookie;
	put_current(e);
	submit_event(e);
}

SEC("cgroup/sock_create")
int who_created(struct bpf_sock *sk)
{
	if (is_internet(sk->family))
		tell_of(sk, WHO_CREATED);
	return 1;
}

SEC("cgroup/sock_release")
int who_released(struct bpf_sock *sk)
{
	if (is_internet(sk->family))
		tell_of(sk, WHO_RELEASED);
	return 1;
}

/* A socket from TCP Fast Open that listens later has the copy of another listener. */
static __always_inline void note_listener(struct sock *sk, __u64 cookie)
{
	__u64 *by = bpf_sk_storage_get(&came_by, sk, &cookie, BPF_SK_STORAGE_GET_F_CREATE);

	if (by)
		*by = cookie;
}

SEC("tp_btf/inet_sock_set_state")
int who_state(__u64 *ctx)
{
	struct sock *sk = (void *)ctx[0];
	int old = (int)ctx[1], new = (int)ctx[2];
	/* A connection begins as a copy of its listener, which still listens. */
	int is_copy = old == TCP_LISTEN && new == TCP_SYN_RECV;
	enum who_event_kind kind = new == TCP_LISTEN	 ? WHO_LISTENS
				   : is_copy		 ? WHO_NOTHING
				   : old == TCP_LISTEN	 ? WHO_LISTENED
				   : old == TCP_SYN_RECV ? WHO_ACCEPTED
							 : WHO_NOTHING;
	struct who_event *e;
	__u64 cookie, *by, listener = 0;

	if (sk->sk_protocol != PROTOCOL_TCP || kind == WHO_NOTHING ||
	    (kind == WHO_ACCEPTED && new != TCP_ESTABLISHED))
		return 0;
	cookie = bpf_get_socket_cookie(sk);
	if (kind == WHO_LISTENS)
		note_listener(sk, cookie);
	if (kind == WHO_ACCEPTED) {
		by = bpf_sk_storage_get(&came_by, sk, (void *)0, 0);
		listener = by ? *by : 0;
		bpf_sk_storage_delete(&came_by, sk);
	}
	e = event(kind);
	if (!e)
		return 0;
	e->listener = listener;
	e->cookie = cookie;
	e->netns = sk->__sk_common.skc_net.net->ns.inum;
	e->port = sk->__sk_common.skc_num;
	submit_event(e);
	return 0;
}

SEC("tp_btf/sched_process_fork")
int who_forked(__u64 *ctx)
{
	struct task_struct *parent = (void *)ctx[0], *child = (void *)ctx[1];
	struct who_event *e;

	if (child->pid != child->tgid)
		return 0;
	e = event(WHO_FORKED);
	if (!e)
		return 0;
	put_task(e, child);
	e->parent = parent->tgid;
	e->parent_start = parent->group_leader->start_boottime;
	e->shares = child->files == parent->files;
	submit_event(e);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int who_executed(__u64 *ctx)
{
	struct who_event *e = event(WHO_EXECUTED);

	if (!e)
		return 0;
	put_task(e, (void *)ctx[0]);
	submit_event(e);
	return 0;
}

/* Its descriptors are closed after this. */
SEC("tp_btf/sched_process_exit")
int who_exited(__u64 *ctx)
{
	struct task_struct *t = (void *)ctx[0];
	struct who_event *e;

	if (t->signal->live.counter)
		return 0;
	e = event(WHO_EXITED);
	if (!e)
		return 0;
	put_task(e, t);
	submit_event(e);
	return 0;
}

/* Called for each thread of a process; /proc shows the group of the first thread. */
SEC("tp_btf/cgroup_attach_task")
int who_moved(__u64 *ctx)
{
	struct task_struct *t = (void *)ctx[2];
	struct who_event *e;

	if (t->pid != t->tgid)
		return 0;
	e = event(WHO_MOVED);
	if (!e)
		return 0;
	put_task(e, t);
	submit_event(e);
	return 0;
}

/* The file at that place in a task's table; NULL: none. */
static __always_inline struct file *file_at(struct task_struct *t, __u64 fd)
{
	struct fdtable *table = BPF_CORE_READ(t, files, fdt);
	struct file *file = (void *)0;

	if (fd < BPF_CORE_READ(table, max_fds))
		bpf_probe_read_kernel(&file, sizeof(file), BPF_CORE_READ(table, fd) + fd);
	return file;
}

/* ---- a look at all descriptors: a program that returns 1 is called again for the same one ---- */

struct who_room room;

/* NULL: it is full. */
static __always_inline struct who_seen *next_seen(void)
{
	__u32 n = room.n;

	if (n >= WHO_ROOM)
		return (void *)0;
	AT_MOST(n, WHO_ROOM - 1);
	return &room.seen[n];
}

static __always_inline void put_process(struct who_seen *seen, struct task_struct *t)
{
	struct task_struct *leader = t->group_leader;

	seen->pid = t->tgid;
	seen->start = leader->start_boottime;
	bpf_probe_read_kernel(seen->command, sizeof(seen->command), leader->comm);
}

/* Every socket gets its cookie. The kernel holds the file meanwhile: if it is closed just then,
 * that only takes effect after this. */
SEC("iter/task_file")
int who_look(struct bpf_iter__task_file *ctx)
{
	struct task_struct *t = ctx->task;
	struct file *file = ctx->file;
	struct who_seen *seen;
	struct socket *socket;
	struct sock *sk;

	if (!t || !file)
		return 0;
	socket = bpf_sock_from_file(file);
	sk = socket ? socket->sk : (void *)0;
	if (!sk || !is_internet(sk->__sk_common.skc_family))
		return 0;
	seen = next_seen();
	if (!seen)
		return 1;
	put_process(seen, t);
	seen->time = bpf_ktime_get_ns();
	seen->cookie = bpf_get_socket_cookie(sk);
	seen->netns = sk->__sk_common.skc_net.net->ns.inum;
	seen->port = sk->__sk_common.skc_num;
	seen->listens = sk->sk_protocol == PROTOCOL_TCP && sk->__sk_common.skc_state == TCP_LISTEN;
	if (seen->listens)
		note_listener(sk, seen->cookie);
	room.n++;
	return 0;
}

/* The socket of a file; NULL: it is not an Internet socket. */
static __always_inline struct sock *internet_socket_of(struct file *file)
{
	struct socket *socket;
	struct sock *sk;

	if ((BPF_CORE_READ(file, f_inode, i_mode) & MODE_KIND) != MODE_SOCKET)
		return (void *)0;
	socket = BPF_CORE_READ(file, private_data);
	if (!socket || BPF_CORE_READ(socket, file) != file)
		return (void *)0;
	sk = BPF_CORE_READ(socket, sk);
	return sk && is_internet(BPF_CORE_READ(sk, __sk_common.skc_family)) ? sk : (void *)0;
}

struct walk {
	struct task_struct *task;
	struct files_struct *files;
	struct file **at;     /* its descriptors */
	struct who_seen seen; /* the members that describe the process */
	__u32 from, stopped;
};

/* Where a walk stopped because the room was full. */
int stopped_task;
__u32 stopped_at;

__u64 order;

/* Does the process still have the file? Only then was what was read meanwhile about this file. */
static __always_inline int is_still_at(const struct walk *w, __u32 fd, const struct file *file)
{
	struct task_struct *t = w->task;

	/* Pairs with the kernel's fput(), after which the memory may be another file's: the
	 * descriptor is gone before that, so what was read of another is not found there. */
	__sync_lock_test_and_set(&order, 1);
	return BPF_CORE_READ(t, files) == w->files && file_at(t, fd) == file;
}

static long walk_descriptor(__u32 i, struct walk *w)
{
	__u32 fd = w->from + i;
	struct task_struct *t = w->task;
	struct file *file;
	struct who_seen *seen;
	struct sock *sk;

	if (bpf_probe_read_kernel(&file, sizeof(file), w->at + fd) || !file)
		return 0;
	sk = internet_socket_of(file);
	if (!sk)
		return 0;
	seen = next_seen();
	if (!seen) {
		stopped_task = BPF_CORE_READ(t, pid);
		stopped_at = fd;
		w->stopped = 1;
		return 1;
	}
	*seen = w->seen;
	seen->time = bpf_ktime_get_ns();
	seen->cookie = (__u64)BPF_CORE_READ(sk, __sk_common.skc_cookie.counter);
	seen->netns = BPF_CORE_READ(sk, __sk_common.skc_net.net, ns.inum);
	seen->port = BPF_CORE_READ(sk, __sk_common.skc_num);
	seen->listens = BPF_CORE_READ(sk, sk_protocol) == PROTOCOL_TCP &&
			BPF_CORE_READ(sk, __sk_common.skc_state) == TCP_LISTEN;
	if (!is_still_at(w, fd, file))
		return 0;
	if (seen->cookie)
		room.n++;
	else
		room.numberless++;
	return 0;
}

/* The same without holding a file. */
SEC("iter/task")
int who_walk(struct bpf_iter__task *ctx)
{
	struct task_struct *t = ctx->task;
	struct files_struct *files = t ? t->files : (void *)0;
	struct fdtable *table;
	struct walk w = {.task = t, .files = files};
	__u32 n;

	/* Threads usually have the table of their process. */
	if (!files || (t != t->group_leader && files == t->group_leader->files))
		return 0;
	put_process(&w.seen, t);
	table = BPF_CORE_READ(files, fdt);
	w.at = BPF_CORE_READ(table, fd);
	if (stopped_task == t->pid)
		w.from = stopped_at;
	stopped_task = 0;
	n = BPF_CORE_READ(table, max_fds);
	if (n > w.from)
		bpf_loop(n - w.from, walk_descriptor, &w, 0);
	return w.stopped ? 1 : 0;
}

/* ---- descriptors that a process gets, if a program can attach to a function ---- */

static __always_inline int is_new(const struct file *file)
{
	const struct file___old *old = (const void *)file;
	const struct file___new *new = (const void *)file;

	if (bpf_core_field_exists(old->f_count))
		return BPF_CORE_READ(old, f_count.counter) == 1;
	if (bpf_core_field_exists(new->f_ref))
		return BPF_CORE_READ(new, f_ref.refcnt.counter) == 0;
	return 0;
}

/* The first argument of a system call, as an int. */
static __always_inline __u32 first_argument_x86(struct task_struct *t, struct pt_regs___x86 *x86)
{
	if (bpf_core_field_exists(t->thread_info.status) &&
	    BPF_CORE_READ(t, thread_info.status) & CALL_OF_32_BITS)
		return (__u32)BPF_CORE_READ(x86, bx);
	return (__u32)BPF_CORE_READ(x86, di);
}

/* For dup() and fcntl(): the process already has what their first argument names. */
static __always_inline int is_copied(const struct file *file)
{
	struct task_struct *t = bpf_get_current_task_btf();
	struct pt_regs___x86 *x86 = (void *)bpf_task_pt_regs(t);
	struct pt_regs___arm64 *arm64 = (void *)x86;

	if (bpf_core_field_exists(x86->di))
		return file_at(t, first_argument_x86(t, x86)) == file;
	if (bpf_core_field_exists(arm64->syscallno))
		return file_at(t, (__u32)BPF_CORE_READ(arm64, regs[0])) == file;
	return 0;
}

static __always_inline void tell_installed(struct file *file)
{
	struct socket *socket;
	struct who_event *e;
	struct sock *sk;
	__u64 cookie;
	int is_taken;

	if ((file->f_inode->i_mode & MODE_KIND) != MODE_SOCKET)
		return;
	socket = bpf_sock_from_file(file);
	sk = socket ? socket->sk : (void *)0;
	if (!sk || !is_internet(sk->__sk_common.skc_family))
		return;
	is_taken = is_new(file);
	if (!is_taken && is_copied(file))
		return;
	cookie = bpf_get_socket_cookie(sk);
	e = event(is_taken ? WHO_TAKEN : WHO_RECEIVED);
	if (!e)
		return;
	e->cookie = cookie;
	put_current(e);
	submit_event(e);
}

/* By accept(), in messages, by pidfd_getfd(), from seccomp and io_uring: all call this. */
SEC("fentry/fd_install")
int who_installed(__u64 *ctx)
{
	tell_installed((void *)ctx[1]);
	return 0;
}

/* Replaces another descriptor, from seccomp. */
SEC("fexit/receive_fd_replace")
int who_replaced(__u64 *ctx)
{
	if ((int)ctx[3] >= 0)
		tell_installed((void *)ctx[1]);
	return 0;
}

/* ---- otherwise: sockets that come in a message of a Unix socket (Linux 6.3) ---- */

#define FAMILY_UNIX 1
#define SOL_SOCKET  1
#define SCM_RIGHTS  1
#define CONTROLS    4 /* how many control messages are examined */
#define DESCRIPTORS 32

struct user_message {
	__u64 name;
	__u32 name_length, zero;
	__u64 parts, part_count, control, control_length;
};

struct user_control {
	__u64 length;
	__u32 level, type;
};

/* By numbers of system calls; for a 32-bit task they have other meanings, none of these. */
enum call { CALL_PLAIN, CALL_MESSAGE, CALL_OTHER };

static __always_inline enum call which_call(struct task_struct *t, __u64 *argument)
{
	struct pt_regs___x86 *x86 = (void *)bpf_task_pt_regs(t);
	struct pt_regs___arm64 *arm64 = (void *)x86;

	if (t->flags & (KERNEL_THREAD | IO_WORKER) || t->io_uring)
		return CALL_OTHER; /* not the system call's arguments say what it was asked for */
	if (bpf_core_field_exists(x86->orig_ax)) {
		__u64 n = BPF_CORE_READ(x86, orig_ax);

		*argument = BPF_CORE_READ(x86, si);
		/* recvmsg; read, readv, recvfrom */
		return n == 47			      ? CALL_MESSAGE
		       : n == 0 || n == 19 || n == 45 ? CALL_PLAIN
						      : CALL_OTHER;
	}
	if (bpf_core_field_exists(arm64->syscallno)) {
		int n = BPF_CORE_READ(arm64, syscallno);

		*argument = BPF_CORE_READ(arm64, regs[1]);
		return n == 212				? CALL_MESSAGE
		       : n == 63 || n == 65 || n == 207 ? CALL_PLAIN
							: CALL_OTHER;
	}
	return CALL_OTHER;
}

static __always_inline void doubt(void)
{
	struct who_event *e = event(WHO_DOUBTED);

	if (e)
		submit_event(e);
}

/* Whatever the message says, this is what the descriptor is. */
static __always_inline void tell_descriptor(struct task_struct *t, __u32 fd)
{
	struct file *file = file_at(t, fd);
	struct sock *sk = file ? internet_socket_of(file) : (void *)0;
	struct who_event *e;
	__u64 cookie;

	if (!sk)
		return;
	cookie = (__u64)BPF_CORE_READ(sk, __sk_common.skc_cookie.counter);
	if (!cookie)
		return;
	e = event(WHO_RECEIVED);
	if (!e)
		return;
	e->cookie = cookie;
	put_current(e);
	submit_event(e);
}

static __always_inline void look_at_descriptors(struct task_struct *t, __u64 at, __u64 n)
{
	__u32 fd;

	if (n > DESCRIPTORS)
		doubt();
	for (__u32 i = 0; i < DESCRIPTORS && i < n; i++)
		if (bpf_probe_read_user(&fd, sizeof(fd), (void *)(at + i * sizeof(fd))) == 0)
			tell_descriptor(t, fd);
}

SEC("tp_btf/sock_recv_length")
int who_received(__u64 *ctx)
{
	struct sock *sk = (void *)ctx[0];
	struct task_struct *t;
	struct user_message m = {};
	struct user_control c;
	__u64 argument = 0;
	enum call call;

	if (sk->__sk_common.skc_family != FAMILY_UNIX || (int)ctx[1] < 0)
		return 0;
	t = bpf_get_current_task_btf();
	call = which_call(t, &argument);
	if (call == CALL_OTHER)
		doubt();
	if (call != CALL_MESSAGE || bpf_probe_read_user(&m, sizeof(m), (void *)argument))
		return 0;
	for (int i = 0; i < CONTROLS && m.control_length >= sizeof(c); i++) {
		__u64 length;

		if (bpf_probe_read_user(&c, sizeof(c), (void *)m.control) || c.length < sizeof(c) ||
		    c.length > m.control_length)
			break;
		if (c.level == SOL_SOCKET && c.type == SCM_RIGHTS)
			look_at_descriptors(t, m.control + sizeof(c),
					    (c.length - sizeof(c)) / sizeof(__u32));
		length = (c.length + 7) & ~7ull;
		if (length >= m.control_length)
			break;
		m.control += length;
		m.control_length -= length;
	}
	return 0;
}
