/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols.h"

#define READ_SIZE 65536u

struct symbol {
	uint64_t at;
	uint32_t name; /* offset in names */
};

void symbols_open(struct symbols *s)
{
	*s = (struct symbols){.fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC)};
}

static void forget(struct symbols *s)
{
	free(s->symbols);
	free(s->names);
	*s = (struct symbols){.fd = s->fd};
}

void symbols_close(struct symbols *s)
{
	forget(s);
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

static int add_symbol(struct symbols *s, uint64_t at, const char *name, size_t length)
{
	if (s->count == s->room) {
		size_t room = s->room ? s->room * 2 : 65536;
		struct symbol *more = realloc(s->symbols, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		s->symbols = more;
		s->room = room;
	}
	if (s->names_room - s->used <= length) {
		size_t room = s->names_room ? s->names_room * 2 : 1u << 20;
		char *more = realloc(s->names, room);

		if (!more)
			return -ENOMEM;
		s->names = more;
		s->names_room = room;
	}
	s->symbols[s->count++] = (struct symbol){.at = at, .name = (uint32_t)s->used};
	memcpy(s->names + s->used, name, length);
	s->names[s->used + length] = 0;
	s->used += length + 1;
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *p = a, *q = b;

	return p->at < q->at ? -1 : p->at > q->at;
}

/* Reads a hexadecimal number; strtoull() takes three times as long. */
static const char *read_address(const char *text, const char *end, uint64_t *at)
{
	for (*at = 0; text < end && *text != ' '; text++)
		*at = *at << 4 | (uint64_t)((*text & 0xf) + (*text > '9' ? 9 : 0));
	return text;
}

/* A line is "ffffffff81000000 T _stext"; for a module its name follows after a tab. */
static int add_line(struct symbols *s, const char *line, const char *end)
{
	uint64_t at;
	const char *kind = read_address(line, end, &at), *name = kind + 3, *tab;
	size_t length;

	if (!at || end - kind < 4 || !strchr("tTwW", kind[1]))
		return 0;
	tab = memchr(name, '\t', (size_t)(end - name));
	length = (size_t)((tab ? tab : end) - name);
	return add_symbol(s, at, name, length < SYMBOL_CHARS ? length : SYMBOL_CHARS);
}

/* Add the whole lines of the text; *used: how many bytes they are. */
static int add_lines(struct symbols *s, const char *text, size_t length, size_t *used)
{
	const char *line = text, *end;
	int e = 0;

	while (!e && (end = memchr(line, '\n', length - (size_t)(line - text)))) {
		e = add_line(s, line, end);
		line = end + 1;
	}
	*used = (size_t)(line - text);
	return e;
}

static int read_lines(struct symbols *s, char *text)
{
	size_t have = 0, used = 0;
	ssize_t more = 1;
	int e = 0;

	while (!e && more > 0 && have < READ_SIZE) {
		more = read(s->fd, text + have, READ_SIZE - have);
		have += more > 0 ? (size_t)more : 0;
		e = add_lines(s, text, have, &used);
		have -= used;
		memmove(text, text + used, have);
	}
	return more < 0 ? -errno : e;
}

/* Reads all symbols or none: with half of them, addresses would get wrong names. */
static void read_all(struct symbols *s)
{
	char *text = malloc(READ_SIZE);

	if (!text || read_lines(s, text))
		forget(s);
	free(text);
	close(s->fd);
	s->fd = -1;
	if (s->count)
		qsort(s->symbols, s->count, sizeof(*s->symbols), by_address);
}

/* The last symbol at or below this address. */
static const struct symbol *find_symbol(const struct symbols *s, uint64_t at)
{
	size_t from = 0, to = s->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (s->symbols[middle].at <= at)
			from = middle + 1;
		else
			to = middle;
	}
	return from ? &s->symbols[from - 1] : NULL;
}

void symbols_name(struct symbols *s, uint64_t at, char text[SYMBOL_SIZE])
{
	const struct symbol *found;

	if (s->fd >= 0)
		read_all(s);
	found = find_symbol(s, at);
	*text = 0;
	if (found && at - found->at <= UINT32_MAX)
		snprintf(text, SYMBOL_SIZE, "%s+0x%" PRIx64, s->names + found->name,
			 at - found->at);
}

/* Offsets on the program's stack. */
#define NAME_WORDS 8
#define NAME_AT	   (-40)
#define FOUND_AT   (-8)

/* The end of the program: it calls the helper, and writes the result to its context (register
 * 6). */
static const struct bpf_insn look[] = {
	{.code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = 10, .off = FOUND_AT},
	{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1, .src_reg = 10},
	{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 1, .imm = NAME_AT},
	{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3},
	{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 4, .src_reg = 10},
	{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 4, .imm = FOUND_AT},
	{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_kallsyms_lookup_name},
	{.code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 1, .src_reg = 10, .off = FOUND_AT},
	{.code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = 6, .src_reg = 1},
	{.code = BPF_JMP | BPF_EXIT},
};
#define LOOK_INSNS (sizeof(look) / sizeof(look[0]))

/* Loads a program that is run once, and not attached. Returns its descriptor, or less than 0. */
static int load_program(const char *name)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_flags = BPF_F_SLEEPABLE);
	struct bpf_insn insns[2 + NAME_WORDS + LOOK_INSNS] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 6, .src_reg = 1},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = (int)strlen(name) + 1},
	};
	int32_t words[NAME_WORDS] = {0};

	if (strlen(name) >= sizeof(words))
		return -ENAMETOOLONG;
	memcpy(words, name, strlen(name));
	for (int i = 0; i < NAME_WORDS; i++)
		insns[2 + i] = (struct bpf_insn){.code = BPF_ST | BPF_MEM | BPF_W,
						 .dst_reg = 10,
						 .off = (int16_t)(NAME_AT + 4 * i),
						 .imm = words[i]};
	memcpy(&insns[2 + NAME_WORDS], look, sizeof(look));
	return bpf_prog_load(BPF_PROG_TYPE_SYSCALL, "symbol", "GPL", insns,
			     sizeof(insns) / sizeof(insns[0]), &opts);
}

uint64_t symbols_address(const char *name)
{
	uint64_t at = 0;
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &at, .ctx_size_in = sizeof(at));
	int fd = load_program(name);

	if (fd < 0)
		return 0;
	if (bpf_prog_test_run_opts(fd, &opts))
		at = 0;
	close(fd);
	return at;
}
