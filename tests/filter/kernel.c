/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "kernel.h"
#include "filter/splice.h"

#define MARKER 0x46494c5452455348ull

enum { LOG_SIZE = 1 << 20, TAG_PREFIX = 8, ETHER_HEADER = 14, PADDED = 60 };

static int bpf(int command, union bpf_attr *attr)
{
	long rc = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return rc < 0 ? -errno : (int)rc;
}

#define INSN(c, d, s, o, i)                                                                        \
	{                                                                                          \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (int32_t)(i)       \
	}
#define THE_FILTER                                                                                 \
	INSN(BPF_LD | BPF_IMM | BPF_DW, 0, 0, 0, (uint32_t)MARKER), INSN(0, 0, 0, 0, MARKER >> 32)
#define THE_END INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

static const struct bpf_insn plain_host[] = {THE_FILTER, THE_END};

/* Moves the 8 bytes before the frame to where the filter looks for the tag. */
static const struct bpf_insn xdp_tagged_host[] = {
	INSN(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, 0),
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0),
	INSN(BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct xdp_md, data), 0),
	INSN(BPF_LDX | BPF_MEM | BPF_W, 3, 1, offsetof(struct xdp_md, data_end), 0),
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 4, 2, 0, 0),
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, TAG_PREFIX),
	INSN(BPF_JMP | BPF_JGT | BPF_X, 4, 3, 8, 0),
	INSN(BPF_LDX | BPF_MEM | BPF_DW, 4, 2, 0, 0),
	INSN(BPF_STX | BPF_MEM | BPF_DW, 10, 4, TAG_SLOT, 0),
	INSN(BPF_ALU | BPF_MOV | BPF_K, 2, 0, 0, TAG_PREFIX),
	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_xdp_adjust_head),
	INSN(BPF_JMP | BPF_JNE | BPF_K, 0, 0, 3, 0),
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 6, 0, 0),
	THE_FILTER,
	THE_END,
};

/* A test run refuses some short frames: they come with padding, cb[2] says how long they are. */
#define CUT_TAIL                                                                                   \
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0),                                             \
		INSN(BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct __sk_buff, cb[2]), 0),       \
		INSN(BPF_ALU | BPF_MOV | BPF_K, 3, 0, 0, 0),                                       \
		INSN(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, 1, 0),                                       \
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_skb_change_tail),                       \
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 6, 0, 0)

static const struct bpf_insn skb_host[] = {CUT_TAIL, THE_FILTER, THE_END};

static const struct bpf_insn skb_tagged_host[] = {
	CUT_TAIL,
	INSN(BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct __sk_buff, cb[0]), 0),
	INSN(BPF_LDX | BPF_MEM | BPF_W, 3, 1, offsetof(struct __sk_buff, cb[1]), 0),
	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_skb_vlan_push),
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 6, 0, 0),
	THE_FILTER,
	THE_END,
};

/* 10.0-3.0-7.0-7, so that a list of expression_hosts() has it or nearly so. */
#define RANDOM_SOURCE(struct_name)                                                                 \
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0),                                             \
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_prandom_u32),                       \
		INSN(BPF_ALU | BPF_AND | BPF_K, 0, 0, 0, 0x07070300),                              \
		INSN(BPF_ALU | BPF_OR | BPF_K, 0, 0, 0, 0x0a),                                     \
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 6, 0, 0),                                     \
		INSN(BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct struct_name, data), 0),      \
		INSN(BPF_LDX | BPF_MEM | BPF_W, 3, 1, offsetof(struct struct_name, data_end), 0),  \
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 4, 2, 0, 0),                                     \
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, 30),                                    \
		INSN(BPF_JMP | BPF_JGT | BPF_X, 4, 3, 1, 0),                                       \
		INSN(BPF_STX | BPF_MEM | BPF_W, 2, 0, 26, 0)

static const struct bpf_insn xdp_random_host[] = {RANDOM_SOURCE(xdp_md), THE_FILTER, THE_END};
static const struct bpf_insn skb_random_host[] = {RANDOM_SOURCE(__sk_buff), THE_FILTER, THE_END};

/* r7 is the result's address, which kernel_wire() fills in; the frame is dropped at the end. */
#define WIRE_BEGIN                                                                                 \
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0),                                             \
		INSN(BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct __sk_buff, mark), 0),        \
		INSN(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, 0),                                       \
		INSN(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, 1, WIRE_MARK), THE_END,                      \
		INSN(BPF_LD | BPF_IMM | BPF_DW, 7, BPF_PSEUDO_MAP_VALUE, 0, 0),                    \
		INSN(0, 0, 0, 0, 0),                                                               \
		INSN(BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct __sk_buff, data), 0),        \
		INSN(BPF_LDX | BPF_MEM | BPF_W, 3, 1, offsetof(struct __sk_buff, data_end), 0),    \
		INSN(BPF_ALU64 | BPF_SUB | BPF_X, 3, 2, 0, 0),                                     \
		INSN(BPF_STX | BPF_MEM | BPF_W, 7, 3, offsetof(struct wire_result, linear), 0)
#define WIRE_END                                                                                   \
	INSN(BPF_STX | BPF_MEM | BPF_W, 7, 0, offsetof(struct wire_result, value), 0),             \
		INSN(BPF_LDX | BPF_MEM | BPF_W, 1, 7, offsetof(struct wire_result, runs), 0),      \
		INSN(BPF_ALU | BPF_ADD | BPF_K, 1, 0, 0, 1),                                       \
		INSN(BPF_STX | BPF_MEM | BPF_W, 7, 1, offsetof(struct wire_result, runs), 0),      \
		INSN(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, 2), THE_END
enum { WIRE_ADDRESS = 5 };

static struct bpf_insn wire_host[] = {WIRE_BEGIN, THE_FILTER, WIRE_END};
static struct bpf_insn wire_tagged_host[] = {
	WIRE_BEGIN,
	INSN(BPF_LDX | BPF_MEM | BPF_W, 2, 7, offsetof(struct wire_result, tpid), 0),
	INSN(BPF_LDX | BPF_MEM | BPF_W, 3, 7, offsetof(struct wire_result, tci), 0),
	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_skb_vlan_push),
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 6, 0, 0),
	THE_FILTER,
	WIRE_END,
};

#define HOST(type, flags, insns)                                                                   \
	{                                                                                          \
		type, flags, insns, sizeof(insns) / sizeof((insns)[0])                             \
	}
static const struct {
	enum bpf_prog_type type;
	uint32_t flags;
	const struct bpf_insn *insns;
	unsigned n;
} hosts[] = {
	[HOST_XDP] = HOST(BPF_PROG_TYPE_XDP, BPF_F_XDP_HAS_FRAGS, plain_host),
	[HOST_XDP_TAGGED] = HOST(BPF_PROG_TYPE_XDP, BPF_F_XDP_HAS_FRAGS, xdp_tagged_host),
	[HOST_SKB] = HOST(BPF_PROG_TYPE_SCHED_CLS, 0, skb_host),
	[HOST_SKB_TAGGED] = HOST(BPF_PROG_TYPE_SCHED_CLS, 0, skb_tagged_host),
	[HOST_SOCKET] = HOST(BPF_PROG_TYPE_SOCKET_FILTER, 0, plain_host),
	[HOST_XDP_RANDOM] = HOST(BPF_PROG_TYPE_XDP, BPF_F_XDP_HAS_FRAGS, xdp_random_host),
	[HOST_SKB_RANDOM] = HOST(BPF_PROG_TYPE_SCHED_CLS, 0, skb_random_host),
	[HOST_WIRE] = HOST(BPF_PROG_TYPE_SCHED_CLS, 0, wire_host),
	[HOST_WIRE_TAGGED] = HOST(BPF_PROG_TYPE_SCHED_CLS, 0, wire_tagged_host),
};

enum host host_for(const struct variant *v)
{
	if (v->ctx == FILTER_SKB)
		return v->tagged ? HOST_SKB_TAGGED : HOST_SKB;
	return v->tagged ? HOST_XDP_TAGGED : HOST_XDP;
}

/*
 * What the verifier believes of a register must not contradict itself. Where it does, kernels from
 * 6.16 on print a WARNING, and with this flag, from 6.8 on, refuse with EFAULT.
 */
#ifndef BPF_F_TEST_REG_INVARIANTS
#define BPF_F_TEST_REG_INVARIANTS (1U << 7)
#endif
static bool checks_invariants;

static int load(enum host host, const struct bpf_insn *insns, unsigned n, char *log)
{
	union bpf_attr attr = {0};

	attr.prog_type = hosts[host].type;
	attr.prog_flags = hosts[host].flags | (checks_invariants ? BPF_F_TEST_REG_INVARIANTS : 0);
	attr.insns = (uint64_t)(uintptr_t)insns;
	attr.insn_cnt = n;
	attr.license = (uint64_t)(uintptr_t) "Dual BSD/GPL";
	if (log) {
		attr.log_buf = (uint64_t)(uintptr_t)log;
		attr.log_size = LOG_SIZE;
		attr.log_level = 1;
	}
	return bpf(BPF_PROG_LOAD, &attr);
}

static void keep_log_end(struct loaded *loaded, const char *log)
{
	size_t len = strlen(log), keep = sizeof(loaded->log) - 1;

	if (len > keep)
		log += len - keep;
	memcpy(loaded->log, log, strlen(log) + 1);
}

struct loaded kernel_load(enum host host, const struct filter_code *code)
{
	struct loaded loaded = {.fd = -EINVAL};
	struct bpf_insn *insns;
	int rc = filter_splice(hosts[host].insns, hosts[host].n, MARKER, code, &insns, &loaded.len);

	if (rc) {
		loaded.fd = rc;
		snprintf(loaded.log, sizeof(loaded.log), "splice: %s", strerror(-rc));
		return loaded;
	}
	loaded.fd = load(host, insns, loaded.len, NULL);
	if (loaded.fd < 0) {
		char *log = calloc(1, LOG_SIZE);

		load(host, insns, loaded.len, log);
		keep_log_end(&loaded, log);
		free(log);
	}
	free(insns);
	return loaded;
}

void kernel_unload(struct loaded *loaded)
{
	if (loaded->fd >= 0)
		close(loaded->fd);
	loaded->fd = -EBADF;
}

union context {
	struct xdp_md xdp;
	struct __sk_buff skb;
};

static uint8_t buffer[FRAME_MAX + ETHER_HEADER];

static bool is_xdp(enum host host)
{
	return hosts[host].type == BPF_PROG_TYPE_XDP;
}

/* Socket filters in a test run do not see the Ethernet header: theirs is in front of the frame. */
static uint32_t prefix_of(enum host host)
{
	if (host == HOST_SOCKET)
		return ETHER_HEADER;
	return host == HOST_XDP_TAGGED ? TAG_PREFIX : 0;
}

/* What the kernel is given: bytes, and a context where that says more. */
static void prepare(enum host host, const struct test_frame *t, union bpf_attr *attr,
		    union context *context)
{
	uint32_t prefix = prefix_of(host);
	uint64_t tag = (uint64_t)t->tpid << 16 | t->tci;

	memset(buffer, 0, prefix);
	if (host == HOST_XDP_TAGGED)
		memcpy(buffer, &tag, sizeof(tag));
	memcpy(buffer + prefix, t->frame->data, t->frame->len);
	attr->test.data_in = (uint64_t)(uintptr_t)buffer;
	attr->test.data_size_in = t->frame->len + prefix;
	if (is_xdp(host)) {
		if (t->linear == t->frame->len)
			return;
		context->xdp.data_end = t->linear + prefix;
		attr->test.ctx_size_in = sizeof(context->xdp);
	} else {
		if (host != HOST_SOCKET && t->frame->len < PADDED) {
			memset(buffer + t->frame->len, 0xee, PADDED - t->frame->len);
			attr->test.data_size_in = PADDED;
			context->skb.cb[2] = t->frame->len;
		}
		if (t->linear != t->frame->len)
			context->skb.data_end = t->linear;
		context->skb.cb[0] = (uint16_t)(t->tpid << 8 | t->tpid >> 8);
		context->skb.cb[1] = t->tci;
		attr->test.ctx_size_in = sizeof(context->skb);
	}
	attr->test.ctx_in = (uint64_t)(uintptr_t)context;
}

static int run(enum host host, const struct loaded *loaded, const struct test_frame *t,
	       unsigned repeat, union bpf_attr *attr)
{
	union context context = {0};
	int rc;

	memset(attr, 0, sizeof(*attr));
	attr->test.prog_fd = (uint32_t)loaded->fd;
	attr->test.repeat = repeat;
	prepare(host, t, attr, &context);
	do
		rc = bpf(BPF_PROG_TEST_RUN, attr);
	while (rc == -EINTR || rc == -EAGAIN);
	return rc;
}

int kernel_run(enum host host, const struct loaded *loaded, const struct test_frame *frame,
	       uint32_t *result)
{
	union bpf_attr attr;
	int rc = run(host, loaded, frame, 1, &attr);

	*result = attr.test.retval;
	return rc;
}

int kernel_time(enum host host, const struct loaded *loaded, const struct test_frame *frame,
		unsigned repeat, uint32_t *ns)
{
	union bpf_attr attr;
	int rc = run(host, loaded, frame, repeat, &attr);

	*ns = attr.test.duration;
	return rc;
}

static struct loaded load_constant(enum host host)
{
	struct bpf_insn insns[] = {INSN(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, 7), THE_END};
	struct filter_code code = {.insns = insns, .len = 2};

	return kernel_load(host, &code);
}

bool kernel_available(void)
{
	struct loaded loaded;
	bool ok;

	checks_invariants = true;
	loaded = load_constant(HOST_XDP);
	if (loaded.fd < 0) {
		checks_invariants = false;
		loaded = load_constant(HOST_XDP);
	}
	ok = loaded.fd >= 0;

	kernel_unload(&loaded);
	return ok;
}

bool kernel_checks_invariants(void)
{
	return checks_invariants;
}

bool kernel_splits(enum host host)
{
	static struct frame frame = {.len = 100};
	struct test_frame t = {.frame = &frame, .linear = 20, .tpid = 0x8100};
	struct loaded loaded = load_constant(host);
	uint32_t result = 0;
	bool ok = loaded.fd >= 0 && kernel_run(host, &loaded, &t, &result) == 0 && result == 7;

	kernel_unload(&loaded);
	return ok;
}

struct wire_result *kernel_wire(void)
{
	union bpf_attr attr = {.map_type = BPF_MAP_TYPE_ARRAY,
			       .key_size = 4,
			       .value_size = sizeof(struct wire_result),
			       .max_entries = 1,
			       .map_flags = BPF_F_MMAPABLE};
	int fd = bpf(BPF_MAP_CREATE, &attr);
	void *at;

	if (fd < 0)
		return NULL;
	at = mmap(NULL, (size_t)getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	wire_host[WIRE_ADDRESS].imm = wire_tagged_host[WIRE_ADDRESS].imm = fd;
	return at == MAP_FAILED ? NULL : at;
}

int classic_open(struct classic_socket *s)
{
	int pair[2], size = 1 << 20;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		return -errno;
	setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	*s = (struct classic_socket){.send = pair[0], .receive = pair[1]};
	return 0;
}

int classic_attach(struct classic_socket *s, const struct program *p)
{
	struct sock_fprog fprog = {.len = (unsigned short)p->n, .filter = p->f};

	if (p->n > BPF_MAXINSNS)
		return -E2BIG;
	if (setsockopt(s->receive, SOL_SOCKET, SO_ATTACH_FILTER, &fprog, sizeof(fprog)))
		return -errno;
	return 0;
}

uint32_t classic_run(struct classic_socket *s, const struct frame *frame)
{
	ssize_t n;

	if (send(s->send, frame->data, frame->len, 0) < 0)
		return UINT32_MAX;
	n = recv(s->receive, buffer, sizeof(buffer), MSG_DONTWAIT);
	return n < 0 ? 0 : (uint32_t)n;
}

void classic_close(struct classic_socket *s)
{
	close(s->send);
	close(s->receive);
}
