/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kafka/processes.h"
#include "kafka/shorten.h"
#include "pcapng/packet.h"

#define PROCESS_FIXED 4

struct known_process {
	size_t at, size;  /* where its block is */
	uint64_t filling; /* number of the body that has it */
	uint32_t id;	  /* its number there */
};

bool processes_next(struct pcapng_options *o, struct pcapng_option *option)
{
	while (pcapng_next_option(o, option))
		if ((option->code == EPB_PROCESS || option->code == EPB_PROCESS_FOR) &&
		    option->length == sizeof(uint32_t))
			return true;
	return false;
}

/* Appends the block, shortened if necessary, to the others. */
static int keep(struct processes *p, struct known_process *one, const struct pcapng_block *b,
		size_t most)
{
	int e;

	one->at = p->blocks.used;
	e = shorten(&p->blocks, b, PROCESS_FIXED, most);
	one->size = p->blocks.used - one->at;
	return e;
}

int processes_take(struct processes *p, const struct pcapng_block *b, size_t most)
{
	size_t size = b->length + BLOCK_LENGTH_MIN;
	struct known_process *all;
	int e;

	if (p->blocks.used + (size < most ? size : most) > PROCESSES_MOST)
		return -E2BIG;
	all = buffer_one_more(p->at, p->count, &p->room, sizeof(*all));
	if (!all)
		return -ENOMEM;
	p->at = all;
	p->at[p->count] = (struct known_process){.at = 0};
	e = keep(p, &p->at[p->count], b, most);
	p->count += e >= 0;
	return e;
}

int processes_resize(struct processes *p, size_t most, bool swapped)
{
	struct buffer old = p->blocks;
	struct pcapng_reader r = {.at = old.at, .end = old.at + old.used, .swapped = swapped};
	struct pcapng_block b;
	int e = 0, shorter = 0;

	p->blocks = (struct buffer){.at = NULL};
	for (size_t i = 0; e >= 0 && i < p->count; i++) {
		e = pcapng_next(&r, &b) ? keep(p, &p->at[i], &b, most) : -EBADMSG;
		shorter |= e == 1;
	}
	buffer_free(&old);
	return e < 0 ? e : shorter;
}

/* Returns NULL if no process has that number. */
static struct known_process *find_process(const struct processes *p, const struct pcapng_option *o,
					  bool swapped)
{
	uint32_t number = pcapng_u32(o->value, swapped);

	return number < p->count ? &p->at[number] : NULL;
}

size_t processes_lacking(const struct processes *p, uint64_t filling,
			 const struct pcapng_options *of)
{
	struct pcapng_options options;
	struct pcapng_option o;
	size_t size = 0;

	if (!p->count)
		return 0;
	options = *of;
	while (processes_next(&options, &o)) {
		const struct known_process *one = find_process(p, &o, options.swapped);

		size += one && one->filling != filling ? one->size : 0;
	}
	return size;
}

int processes_describe(struct processes *p, uint64_t filling, struct buffer *body,
		       const struct pcapng_options *of)
{
	struct pcapng_options options;
	struct pcapng_option o;
	int e = 0;

	if (p->filling != filling)
		p->described = 0;
	p->filling = filling;
	if (!p->count)
		return 0;
	options = *of;
	while (!e && processes_next(&options, &o)) {
		struct known_process *one = find_process(p, &o, options.swapped);

		if (!one || one->filling == filling)
			continue;
		e = buffer_append(body, p->blocks.at + one->at, one->size);
		one->filling = filling;
		one->id = p->described++;
	}
	return e;
}

/* options: lie in the buffer. */
static void renumber(struct buffer *to, struct pcapng_options options, process_number *number,
		     const void *context)
{
	struct pcapng_option o;

	while (processes_next(&options, &o)) {
		struct buffer place = {.at = to->at + (o.value - to->at), .room = sizeof(uint32_t)};
		uint32_t old = pcapng_u32(o.value, options.swapped);

		buffer_u32(&place, number(context, old), options.swapped);
	}
}

void processes_renumber(struct buffer *to, size_t from, bool swapped, process_number *number,
			const void *context)
{
	struct pcapng_reader r = {.at = to->at + from,
				  .end = to->at + to->used,
				  .swapped = swapped};
	struct pcapng_packet p;
	struct pcapng_block b;

	if (pcapng_next(&r, &b) && pcapng_packet_read(&p, &b))
		renumber(to, pcapng_options(&b, p.options_from), number, context);
}

static uint32_t number_here(const void *context, uint32_t number)
{
	const struct processes *p = context;

	return number < p->count ? p->at[number].id : PROCESSES_NOBODY;
}

void processes_number(const struct processes *p, struct buffer *body, struct pcapng_options options)
{
	renumber(body, options, number_here, p);
}

void processes_forget(struct processes *p)
{
	buffer_free(&p->blocks);
	free(p->at);
	*p = (struct processes){.filling = p->filling};
}
