/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The process that serves --listen, on a socket of another family: without a descriptor left, and
 * with a reader that stops in the middle of a packet. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "pcapng/packet.h"
#include "pcapng/write.h"
#include "xdpdump/feed/audience.h"
#include "xdpdump/feed/serve.h"

#define FIRST_FREE 5 /* descriptor of a child: input, output, errors, pipe, listener */

static struct serve_state *state;
static struct sockaddr_un address;
static socklen_t address_length;
static int feeding; /* the writing end */
static pid_t child;
static bool has_seccomp = true;

int __real_confine_serving(void);
int __wrap_confine_serving(void);

int __wrap_confine_serving(void)
{
	return has_seccomp ? __real_confine_serving() : -EINVAL;
}

static void run_child(int pipe, int listener, unsigned descriptors, bool is_pcap)
{
	const struct rlimit limit = {descriptors, descriptors};

	if (dup2(pipe, 64) < 0 || dup2(listener, 65) < 0 || dup2(64, 3) < 0 || dup2(65, 4) < 0)
		_exit(1);
	for (int fd = FIRST_FREE; fd < 1024; fd++)
		close(fd);
	setrlimit(RLIMIT_NOFILE, &limit);
	_exit(serve(3, 4, is_pcap, state) ? 1 : 0);
}

static void start(unsigned descriptors, bool is_pcap)
{
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), fds[2];

	state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	assert_ptr_not_equal(state, MAP_FAILED);
	address = (struct sockaddr_un){.sun_family = AF_UNIX};
	assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof(address.sun_family)),
			 0);
	address_length = sizeof(address);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &address_length), 0);
	assert_int_equal(listen(listener, 8), 0);
	assert_int_equal(pipe(fds), 0);
	feeding = fds[1];
	child = fork();
	if (child == 0)
		run_child(fds[0], listener, descriptors, is_pcap);
	close(fds[0]);
	close(listener);
}

static int join(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_int_equal(connect(fd, (struct sockaddr *)&address, address_length), 0);
	return fd;
}

static void wait_a_moment(void)
{
	const struct timespec moment = {.tv_nsec = 10000000};

	nanosleep(&moment, NULL);
}

static void wait_for(_Atomic uint64_t *number, uint64_t wanted)
{
	for (unsigned i = 0; i < 1000 && *number < wanted; i++)
		wait_a_moment();
	assert_int_equal(*number, wanted);
}

static void give(const struct bytes *b)
{
	assert_int_equal(write(feeding, b->at, b->used), b->used);
}

static void begin_section(void)
{
	uint8_t memory[256];
	struct bytes b = {.at = memory, .room = sizeof(memory)};
	const struct pcapng_section s = {.os = "o"};
	const struct pcapng_interface i = {.link_type = 1, .snaplen = 65535};

	pcapng_put_section(&b, &s);
	pcapng_put_interface(&b, &i);
	give(&b);
}

static void send_packets(unsigned n)
{
	static const uint8_t frame[1500];
	uint8_t memory[2048];

	while (n--) {
		struct bytes b = {.at = memory, .room = sizeof(memory)};
		const struct pcapng_frame f = {0, 1, sizeof(frame), sizeof(frame), frame};

		pcapng_put_frame(&b, &f);
		give(&b);
	}
}

/* Its end, as it should be, and what it took of the processor, in ms. */
static long end(void)
{
	struct rusage used;
	int status;

	close(feeding);
	assert_int_equal(wait4(child, &status, 0, &used), child);
	assert_int_equal(status, 0);
	return used.ru_utime.tv_sec * 1000 + used.ru_utime.tv_usec / 1000 +
	       used.ru_stime.tv_sec * 1000 + used.ru_stime.tv_usec / 1000;
}

/* Up to so many bytes. */
static size_t read_all(int fd, uint8_t *to, size_t room)
{
	size_t used = 0;
	ssize_t n = 1;

	while (used < room && n > 0) {
		n = read(fd, to + used, room - used);
		used += n > 0 ? (size_t)n : 0;
	}
	return used;
}

static uint64_t packets(const uint8_t *p, size_t n)
{
	struct pcapng_reader r = {.at = p, .end = p + n};
	struct pcapng_block b;
	uint64_t sum = 0;

	while (pcapng_next(&r, &b))
		sum += pcapng_is_packet(b.type);
	assert_null(r.fault);
	return sum;
}

/* Who finds no descriptor waits, and costs nothing; once one is free it is served. */
static void without_descriptors_others_wait(void **unused)
{
	static uint8_t got[65536];
	int first, second;

	(void)unused;
	start(FIRST_FREE + 1, false);
	begin_section();
	first = join();
	wait_for(&state->joined, 1);
	second = join();
	for (unsigned i = 0; i < 150; i++)
		wait_a_moment();
	assert_int_equal(state->joined, 1);
	close(first);
	send_packets(1); /* by which it is noticed that the first is gone */
	wait_for(&state->joined, 2);
	send_packets(10);
	assert_true(end() < 300);
	assert_int_equal(packets(got, read_all(second, got, sizeof(got))), 10);
	close(second);
}

/* It has a part of one, which it never gets whole; that one and all behind it are lost for it. */
static void what_is_begun_is_not_had(void **unused)
{
	static uint8_t got[1 << 20];
	uint64_t had;
	int reader;

	(void)unused;
	start(64, false);
	begin_section();
	reader = join();
	wait_for(&state->joined, 1);
	send_packets(20000); /* more than is kept for it */
	end();
	had = packets(got, read_all(reader, got, sizeof(got)));
	assert_true(state->lost > 0);
	assert_int_equal(had + state->lost, 20000);
	close(reader);
}

/* Packets, and the counter of what is missing: each block adds to it what its text says. */
static uint64_t had_or_told(const uint8_t *p, size_t n)
{
	struct pcapng_reader r = {.at = p, .end = p + n};
	uint64_t sum = 0, counter = 0, here;
	struct pcapng_options options;
	struct pcapng_option o;
	struct pcapng_block b;

	while (pcapng_next(&r, &b)) {
		sum += pcapng_is_packet(b.type);
		if (b.type != BLOCK_STATISTICS)
			continue;
		options = pcapng_options(&b, 12);
		here = 0;
		while (pcapng_next_option(&options, &o)) {
			if (o.code == OPT_COMMENT)
				here = strtoull((const char *)o.value, NULL, 10);
			if (o.code == ISB_OSDROP)
				assert_int_equal(pcapng_u64(o.value, false), counter + here);
		}
		counter += here;
	}
	assert_null(r.fault);
	return sum + counter;
}

static void tell_gap(uint64_t all, const char *text)
{
	uint8_t memory[256];
	struct bytes b = {.at = memory, .room = sizeof(memory)};

	pcapng_put_gap(&b, 0, 1, all, text);
	give(&b);
}

/* Before a reader was too slow, while it was, and when it is no more, others were, too. */
static void there_is_one_counter_of_what_is_missing(void **unused)
{
	static uint8_t got[48 << 20];
	size_t used = 0;
	ssize_t n;
	int reader;

	(void)unused;
	start(64, false);
	begin_section();
	reader = join();
	wait_for(&state->joined, 1);
	tell_gap(5, "5 packets are missing here: a");
	send_packets(10000);
	tell_gap(9, "4 packets are missing here: b");
	send_packets(15000);
	while (had_or_told(got, used) < 9 + 25000) {
		n = read(reader, got + used, sizeof(got) - used);
		assert_true(n > 0);
		used += (size_t)n;
	}
	assert_true(packets(got, used) < 25000);
	tell_gap(11, "2 packets are missing here: c");
	send_packets(1);
	end();
	used += read_all(reader, got + used, sizeof(got) - used);
	assert_int_equal(had_or_told(got, used), 11 + 25001);
	close(reader);
}

/* Before there is any packet: the section and its interface. */
static void who_joins_has_the_beginning(void **unused)
{
	static uint8_t got[256];
	struct pollfd fd = {.events = POLLIN};

	(void)unused;
	start(64, false);
	begin_section();
	fd.fd = join();
	assert_int_equal(poll(&fd, 1, 10000), 1);
	assert_true(read(fd.fd, got, sizeof(got)) > 28);
	end();
	close(fd.fd);
}

/* It warns; who captures is not confined there, either. */
static void without_seccomp_it_serves(void **unused)
{
	has_seccomp = false;
	who_joins_has_the_beginning(unused);
	has_seccomp = true;
}

/* Nothing is sent by which it could be noticed that they are gone. */
static void places_of_who_may_be_gone_are_free(void **unused)
{
	int fds[CLIENTS_MAX], one;

	(void)unused;
	start(64, false);
	begin_section();
	for (unsigned i = 0; i < CLIENTS_MAX; i++) {
		fds[i] = join();
		wait_for(&state->joined, i + 1);
		shutdown(fds[i], SHUT_WR);
	}
	for (unsigned i = 0; i < 520; i++) /* 5 s and more */
		wait_a_moment();
	one = join();
	wait_for(&state->joined, CLIENTS_MAX + 1);
	end();
	for (unsigned i = 0; i < CLIENTS_MAX; i++)
		close(fds[i]);
	close(one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_descriptors_others_wait),
		cmocka_unit_test(what_is_begun_is_not_had),
		cmocka_unit_test(there_is_one_counter_of_what_is_missing),
		cmocka_unit_test(who_joins_has_the_beginning),
		cmocka_unit_test(without_seccomp_it_serves),
		cmocka_unit_test(places_of_who_may_be_gone_are_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
