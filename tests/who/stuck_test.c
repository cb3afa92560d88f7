/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A program that is interrupted while it writes an event, as by its host, keeps those behind it
 * from being read: nothing is known of that time, until they are.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "workers.h"

#define WAIT_MS	    10000
#define DESCRIPTORS 100 /* more than this process has */

static long page;
static int faults = -1, program = -1;
static uint8_t *missing; /* who reads this is interrupted */

/* The ring of the events, by another descriptor. */
static int open_events(void)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		struct bpf_map_info info = {0};
		uint32_t size = sizeof(info);

		if (bpf_obj_get_info_by_fd(fd, &info, &size) == 0 &&
		    info.type == BPF_MAP_TYPE_RINGBUF && strcmp(info.name, "events") == 0)
			return dup(fd);
	}
	return -1;
}

#define INSN(c, d, s, o, i)                                                                        \
	((struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})
#define MOVE(d, s) INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define SET(d, i)  INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define CALL(f)	   INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##f)

/* Takes room for an event, reads where its context says, and gives the room back. */
static int load_program(int events)
{
	const struct bpf_insn code[] = {
		MOVE(BPF_REG_6, BPF_REG_1),
		INSN(BPF_LD | BPF_IMM | BPF_DW, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, events),
		INSN(0, 0, 0, 0, 0),
		SET(BPF_REG_2, 8),
		SET(BPF_REG_3, 0),
		CALL(ringbuf_reserve),
		INSN(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 9, 0),
		MOVE(BPF_REG_7, BPF_REG_0),
		MOVE(BPF_REG_1, BPF_REG_10),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, -8),
		SET(BPF_REG_2, 8),
		INSN(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, BPF_REG_6, 0, 0),
		CALL(copy_from_user),
		MOVE(BPF_REG_1, BPF_REG_7),
		SET(BPF_REG_2, 0),
		CALL(ringbuf_discard),
		SET(BPF_REG_0, 0),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	LIBBPF_OPTS(bpf_prog_load_opts, how, .prog_flags = BPF_F_SLEEPABLE);

	return bpf_prog_load(BPF_PROG_TYPE_SYSCALL, "stuck", "GPL", code,
			     sizeof(code) / sizeof(code[0]), &how);
}

static int open_faults(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register all = {.mode = UFFDIO_REGISTER_MODE_MISSING};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	missing = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);
	all.range.start = (uintptr_t)missing;
	all.range.len = (uint64_t)page;
	return fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &all) ? -1 : fd;
}

static void *run_program(void *nothing)
{
	uint64_t at = (uintptr_t)missing;
	LIBBPF_OPTS(bpf_test_run_opts, how, .ctx_in = &at, .ctx_size_in = sizeof(at));

	bpf_prog_test_run_opts(program, &how);
	return nothing;
}

static void it_is_unknown_what_is_behind(void **state)
{
	struct uffdio_zeropage go = {.range = {(uintptr_t)missing, (uint64_t)page}};
	struct pollfd interrupted = {.fd = faults, .events = POLLIN};
	struct epb_socket s = {.how = EPB_SOCKET_OWN};
	struct who_holders h;
	pthread_t thread;
	uint64_t both;

	(void)state;
	make(0, 0);
	s.cookie_low = (uint32_t)cookie[0];
	s.cookie_high = (uint32_t)(cookie[0] >> 32);
	assert_int_equal(who_read(who, clock_wall()), 0);
	assert_int_equal(pthread_create(&thread, NULL, run_program, NULL), 0);
	assert_int_equal(poll(&interrupted, 1, WAIT_MS), 1);
	hand_over(0, 1, 0, TAKE);
	both = clock_wall();
	leave(1, 0, CLOSE);
	assert_int_equal(who_read(who, clock_wall()), 0);
	who_label(who, &s, both, &h);
	assert_int_equal(h.class, WHO_UNKNOWN);
	assert_int_equal(ioctl(faults, UFFDIO_ZEROPAGE, &go), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(who_read(who, clock_wall()), 0);
	both = clock_wall();
	assert_int_equal(who_read(who, both), 0);
	who_label(who, &s, both, &h);
	assert_int_equal(h.class, WHO_EXACT);
	assert_int_equal(h.process[0]->pid, worker[0].pid);
}

static int begin_stuck(void **state)
{
	int e = begin(state), events = open_events();

	page = sysconf(_SC_PAGESIZE);
	faults = open_faults();
	program = load_program(events);
	if (!e && (faults < 0 || program < 0)) {
		printf("skipped: no program can be interrupted here: %s\n", strerror(errno));
		end(state);
		exit(77);
	}
	return e;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_unknown_what_is_behind),
	};

	return cmocka_run_group_tests(tests, begin_stuck, end);
}
