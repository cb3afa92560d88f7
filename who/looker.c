/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "looker.h"
#include "proc.h"
#include "process.h"
#include "runtime.h"
#include "util/clock.h"

#define PIECE	  65536
#define TEXT_SIZE 8192

_Static_assert(sizeof(((struct who_room *)NULL)->seen) <= PIECE, "a full room is a piece");

size_t looker_room_max = (size_t)64 << 20;

enum question_kind { LOOK, ASK };

struct question {
	uint32_t kind, pid;
	uint64_t start;
	bool command_line;
};

/* Precedes each piece of an answer; the last piece has size 0. */
struct piece {
	uint32_t size;
	int32_t error;
	uint64_t begin, end, cost; /* of a look */
};

struct looker {
	int socket;
	uint8_t *at;
	size_t room;
};

static int put_all(int fd, const void *data, size_t n)
{
	while (n) {
		ssize_t put = send(fd, data, n, MSG_NOSIGNAL);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return -EPIPE;
		data = (const uint8_t *)data + put;
		n -= (size_t)put;
	}
	return 0;
}

static int get_all(int fd, void *data, size_t n)
{
	while (n) {
		ssize_t got = recv(fd, data, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -EPIPE;
		data = (uint8_t *)data + got;
		n -= (size_t)got;
	}
	return 0;
}

static int put_piece(int fd, const void *data, size_t n)
{
	const struct piece p = {.size = (uint32_t)n};
	int e = n ? put_all(fd, &p, sizeof(p)) : 0;

	return e ? e : put_all(fd, data, n);
}

static int put_end(int fd, struct piece p)
{
	p.size = 0;
	return put_all(fd, &p, sizeof(p));
}

/* Returns a descriptor for go_on(), or -errno. */
static int begin_look(struct looks *l)
{
	bool holds = !l->numbered || l->room->numberless;

	l->numbered = true;
	l->room->n = 0;
	l->room->numberless = 0;
	return bpf_iter_create(holds ? l->holding : l->walking);
}

/* Reads until the room is full and returns 1, or to the end and returns 0. Or -errno. */
static int go_on(int fd)
{
	char none;
	ssize_t n = read(fd, &none, sizeof(none));

	if (n >= 0)
		return n != 0;
	return errno == EAGAIN || errno == EINTR ? 1 : -errno;
}

static int serve_look(int socket, struct looks *l)
{
	struct piece p = {.begin = clock_monotonic(), .cost = clock_thread()};
	int fd = begin_look(l), more = fd < 0 ? fd : 1, e = 0;

	while (more > 0 && !e) {
		more = go_on(fd);
		if (l->room->n)
			e = put_piece(socket, l->room->seen, l->room->n * sizeof(*l->room->seen));
		l->room->n = 0;
	}
	p.error = more < 0 ? more : 0;
	if (fd >= 0)
		close(fd);
	p.end = clock_monotonic();
	p.cost = clock_thread() - p.cost;
	return e ? e : put_end(socket, p);
}

static int count_all(struct looks *l, size_t *seen)
{
	int fd = begin_look(l), more = fd < 0 ? fd : 1;

	for (*seen = 0; more > 0; l->room->n = 0) {
		more = go_on(fd);
		*seen += l->room->n;
	}
	if (fd >= 0)
		close(fd);
	return more;
}

int looker_try(struct looks *l, size_t *seen, uint64_t *ns)
{
	int e = count_all(l, seen); /* the first look also gives cookies */
	uint64_t begin = clock_thread();

	if (!e)
		e = count_all(l, seen);
	*ns = clock_thread() - begin;
	return e;
}

static bool is_process(uint32_t pid, uint64_t start)
{
	struct proc_stat p;

	return proc_stat_of(pid, &p) && p.start == start / proc_tick();
}

static int put_text(int socket, const char *text)
{
	return put_piece(socket, text, strlen(text) + 1);
}

/* Sends three texts, which are empty if it is not that process, both before and after reading
 * them. */
static int serve_question(int socket, const struct question *q)
{
	char group[TEXT_SIZE] = "", line[WHO_COMMAND_LINE_SIZE] = "";
	struct cgroup_names names;
	size_t n = 0;
	bool is = is_process(q->pid, q->start);
	int e;

	if (is)
		proc_read(q->pid, "cgroup", group, sizeof(group));
	if (is && q->command_line)
		n = proc_read(q->pid, "cmdline", line, sizeof(line));
	if (!is_process(q->pid, q->start))
		group[0] = line[0] = 0;
	for (size_t i = 0; i + 1 < n; i++)
		if (!line[i])
			line[i] = ' ';
	cgroup_names_read(&names, group);
	runtime_name("", names.container, names.name, sizeof(names.name));
	e = put_text(socket, group);
	if (!e)
		e = put_text(socket, line);
	if (!e)
		e = put_text(socket, names.name);
	return e ? e : put_end(socket, (struct piece){.error = 0});
}

void looker_serve(int socket, struct looks *l)
{
	struct question q;

	while (get_all(socket, &q, sizeof(q)) == 0)
		if (q.kind == LOOK ? serve_look(socket, l) : serve_question(socket, &q))
			break;
}

int looker_open(struct looker **out, int socket)
{
	struct looker *l = calloc(1, sizeof(*l));

	/* Room for a piece, so that an answer can always be read to its end. */
	if (l)
		l->at = malloc(PIECE);
	if (!l || !l->at) {
		free(l);
		close(socket);
		return -ENOMEM;
	}
	l->room = PIECE;
	l->socket = socket;
	*out = l;
	return 0;
}

void looker_close(struct looker *l)
{
	if (!l)
		return;
	shutdown(l->socket, SHUT_RDWR); /* in case a forked process has it, too */
	close(l->socket);
	free(l->at);
	free(l);
}

static int make_room(struct looker *l, size_t size)
{
	size_t room = l->room ? l->room : PIECE;
	uint8_t *more;

	if (size > looker_room_max)
		return -EMSGSIZE;
	while (room < size)
		room *= 2;
	if (room == l->room)
		return 0;
	more = realloc(l->at, room);
	if (!more)
		return -ENOMEM;
	l->at = more;
	l->room = room;
	return 0;
}

/* Gets all pieces of an answer into l->at. */
static int question(struct looker *l, const struct question *q, struct piece *last, size_t *size)
{
	int e = put_all(l->socket, q, sizeof(*q)), full = 0;

	for (*size = 0; !e;) {
		e = get_all(l->socket, last, sizeof(*last));
		if (!e && last->size > PIECE)
			e = -EPROTO;
		if (e || !last->size)
			break;
		if (!full)
			full = make_room(l, *size + last->size);
		if (full)
			*size = 0; /* the rest is read nevertheless */
		e = get_all(l->socket, l->at + *size, last->size);
		*size += last->size;
	}
	if (e || last->error)
		return e ? e : last->error;
	return full ? -EMSGSIZE : 0;
}

int looker_look(struct looker *l, struct looked *to)
{
	struct piece last;
	int e = question(l, &(struct question){.kind = LOOK}, &last, &to->size);

	if (e && e != -EMSGSIZE)
		return e;
	*to = (struct looked){.begin = last.begin,
			      .end = last.end,
			      .cost = last.cost,
			      .at = l->at,
			      .size = e ? 0 : to->size};
	return e;
}

int looker_ask(struct looker *l, uint32_t pid, uint64_t start, struct cgroup_names *group,
	       char **command_line)
{
	const struct question q = {.kind = ASK,
				   .pid = pid,
				   .start = start,
				   .command_line = command_line != NULL};
	struct piece last;
	const char *line, *name, *end;
	size_t size;
	int e = question(l, &q, &last, &size);

	if (e)
		return e;
	if (size < 3 || l->at[size - 1])
		return -EPROTO;
	end = (const char *)l->at + size;
	line = (const char *)l->at + strlen((const char *)l->at) + 1;
	name = line < end ? line + strlen(line) + 1 : end;
	if (name >= end)
		return -EPROTO;
	cgroup_names_read(group, (const char *)l->at);
	snprintf(group->name, sizeof(group->name), "%s", name);
	if (command_line && *line)
		*command_line = strdup(line);
	return 0;
}
