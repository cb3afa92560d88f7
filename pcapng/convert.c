/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pcapng/convert.h"
#include "pcapng/write.h"

#define INTERFACE_FIXED 8
#define SECRETS_FIXED	8
#define BLOCK_HEADER	8
#define BLOCK_MORE	128 /* at most, besides copied bytes and texts */
#define TEXT_MAX	512
#define NIC_TIME	0x8101 /* bpf/record.h, as is DROP, which is three numbers, then text */
#define DROP		0x8102
#define VERDICT_TC	1 /* the kind of a verdict: one byte, followed by a 64-bit value */
#define VERDICT_XDP	2

/* Which bytes of an option's value are numbers: count numbers of width 4 or 8 bytes each, starting
 * at offset at. The other bytes keep their order. */
struct numbers {
	uint16_t code; /* OPT_END ends the table and stands for every other option */
	unsigned width, count, at;
};

static const struct numbers none[] = {{.code = OPT_END}};

/* Files of older versions have the NIC's time stamp in an 8-byte EPB_PROCESS; now NIC_TIME has it.
 */
static const struct numbers of_packet[] = {
	{EPB_FLAGS, 4, 1, 0},	{EPB_DROPCOUNT, 8, 1, 0}, {EPB_PACKETID, 8, 1, 0},
	{EPB_QUEUE, 4, 1, 0},	{EPB_VERDICT, 8, 1, 1},	  {EPB_THREAD, 4, 2, 0},
	{EPB_PROCESS, 4, 1, 0}, {EPB_PROCESS, 8, 1, 0},	  {EPB_PROCESS_FOR, 4, 1, 0},
	{NIC_TIME, 8, 1, 0},	{DROP, 4, 3, 0},	  {.code = OPT_END},
};

static const struct numbers of_interface[] = {
	{IF_SPEED, 8, 1, 0},   {IF_TZONE, 4, 1, 0},   {IF_TSOFFSET, 8, 1, 0},
	{IF_TXSPEED, 8, 1, 0}, {IF_RXSPEED, 8, 1, 0}, {.code = OPT_END},
};

static bool is_custom(uint16_t code)
{
	return code == OPT_TEXT || code == OPT_BYTES || code == OPT_TEXT_HERE ||
	       code == OPT_BYTES_HERE;
}

/* An option whose length differs from that of its numbers is treated as bytes only. After the
 * numbers of a drop there is text. */
static const struct numbers *numbers_of(const struct numbers *n, const struct pcapng_option *o)
{
	static const struct numbers enterprise = {.width = 4, .count = 1};

	if (is_custom(o->code) && o->length >= sizeof(uint32_t))
		return &enterprise;
	for (; n->code != OPT_END; n++) {
		size_t size = n->at + n->count * n->width;

		if (n->code != o->code || o->length < size || (o->length > size && n->code != DROP))
			continue;
		if (n->code != EPB_VERDICT || o->value[0] == VERDICT_TC ||
		    o->value[0] == VERDICT_XDP)
			break;
	}
	return n;
}

/* Swap the byte order of the number at this place. */
static void turn(uint8_t *at, unsigned width)
{
	uint32_t four = pcapng_u32(at, true);
	uint64_t eight = width == 8 ? pcapng_u64(at, true) : 0;

	memcpy(at, width == 8 ? (const void *)&eight : &four, width);
}

/* Copy all options but those with the code except. The end of options is not copied. */
static void put_options(struct bytes *to, struct pcapng_options *options, uint16_t except,
			const struct numbers *all)
{
	struct pcapng_option o;

	while (pcapng_next_option(options, &o)) {
		const struct numbers *n = options->swapped ? numbers_of(all, &o) : none;
		size_t value = to->used + 2 * sizeof(uint16_t) + n->at;

		if (o.code == except)
			continue;
		block_option(to, o.code, o.value, o.length);
		for (unsigned i = 0; i < n->count && !to->overflow; i++)
			turn(to->at + value + i * n->width, n->width);
	}
}

static void put_text(struct bytes *to, uint16_t code, const char *text)
{
	block_option(to, code, text, strlen(text));
}

/* Begin a block of this type after the contents of the buffer, with room for most + BLOCK_MORE
 * bytes. */
static struct bytes begin(struct buffer *to, uint32_t type, size_t most)
{
	struct bytes b = {.overflow = buffer_reserve(to, most + BLOCK_MORE) != 0};

	b.at = b.overflow ? NULL : to->at + to->used;
	b.room = b.overflow ? 0 : to->room - to->used;
	block_begin(&b, type);
	return b;
}

static int end(struct buffer *to, struct bytes *b)
{
	block_end_options(b, 0);
	to->used += b->used;
	return b->overflow ? -ENOMEM : 0;
}

static void put_description(struct bytes *to, const struct pcapng_block *b, const char *host)
{
	struct pcapng_options options = pcapng_options(b, INTERFACE_FIXED);
	struct pcapng_option o;
	char text[TEXT_MAX];
	int n = snprintf(text, sizeof(text), "%s", host);

	while (pcapng_next_option(&options, &o))
		if (o.code == IF_DESCRIPTION)
			n = snprintf(text, sizeof(text), "%s: %.*s", host,
				     o.length < 200 ? (int)o.length : 200, (const char *)o.value);
	block_option(to, IF_DESCRIPTION, text, (size_t)n < sizeof(text) ? (size_t)n : 0);
}

int convert_interface(struct buffer *to, const struct pcapng_block *b, const char *host,
		      const char *comment)
{
	const uint16_t link[2] = {pcapng_u16(b->body, b->swapped), 0}; /* and 16 reserved bits */
	struct pcapng_options options = pcapng_options(b, INTERFACE_FIXED);
	struct bytes made = begin(to, BLOCK_INTERFACE, b->length + TEXT_MAX + strlen(comment));

	block_put(&made, link, sizeof(link));
	block_u32(&made, SNAPLEN_MOST);
	if (host)
		put_description(&made, b, host);
	if (*comment)
		put_text(&made, OPT_COMMENT, comment);
	put_options(&made, &options, host ? IF_DESCRIPTION : OPT_END, of_interface);
	return end(to, &made);
}

void convert_set_link(struct buffer *b, size_t at, uint16_t link_type)
{
	memcpy(b->at + at + BLOCK_HEADER, &link_type, sizeof(link_type));
}

uint32_t convert_flags(const struct pcapng_block *b, const struct pcapng_packet *p)
{
	struct pcapng_options options = pcapng_options(b, p->options_from);
	struct pcapng_option o;

	while (pcapng_next_option(&options, &o))
		if (o.code == EPB_FLAGS && o.length == 4)
			return pcapng_u32(o.value, b->swapped);
	return 0;
}

static uint32_t changed_length(uint32_t n, const struct convert_head *h)
{
	return h->length + (n > h->replaced ? n - h->replaced : 0);
}

bool convert_cuts(const struct pcapng_packet *p, const struct convert_head *head)
{
	return (head ? changed_length(p->caplen, head) : p->caplen) > SNAPLEN_MOST;
}

int convert_packet(struct buffer *to, const struct pcapng_block *b, const struct pcapng_packet *p,
		   uint32_t interface_id, const struct convert_head *head,
		   const struct convert_mark *mark)
{
	static const struct convert_head same = {.at = NULL};
	const struct convert_head *h = head ? head : &same;
	const char *comment = mark ? mark->comment : NULL;
	uint32_t all = changed_length(p->caplen, h), n = all < SNAPLEN_MOST ? all : SNAPLEN_MOST;
	struct pcapng_options options = pcapng_options(b, p->options_from);
	/* The frame need not be in the block: a packet of a pcap file has none. */
	struct bytes made =
		begin(to, BLOCK_ENHANCED_PACKET,
		      n + (size_t)(options.end - options.at) + (comment ? strlen(comment) : 0));

	block_u32(&made, interface_id);
	block_time(&made, p->stamp);
	block_u32(&made, n);
	block_u32(&made, changed_length(p->len, h));
	block_put(&made, h->at, h->length);
	if (n > h->length)
		block_put(&made, p->frame + h->replaced, n - h->length);
	block_padding(&made, n);
	put_options(&made, &options, mark ? EPB_DROPCOUNT : OPT_END, of_packet);
	if (mark && mark->dropcount)
		block_count(&made, EPB_DROPCOUNT, mark->dropcount);
	if (comment)
		put_text(&made, OPT_COMMENT, comment);
	return end(to, &made);
}

int convert_statistics(struct buffer *to, const struct convert_statistics *s)
{
	struct bytes made = begin(to, BLOCK_STATISTICS, s->comment ? strlen(s->comment) : 0);

	block_u32(&made, s->interface_id);
	block_time(&made, s->last);
	if (s->comment)
		put_text(&made, OPT_COMMENT, s->comment);
	block_time_option(&made, ISB_STARTTIME, s->first);
	block_time_option(&made, ISB_ENDTIME, s->last);
	block_count(&made, ISB_OSDROP, s->dropped);
	block_count(&made, ISB_USRDELIV, s->delivered);
	return end(to, &made);
}

/* A secrets block has a type and a length, then bytes. Records of a name block have the form of
 * options. */
int convert_names(struct buffer *to, const struct pcapng_block *b)
{
	struct pcapng_options records = pcapng_options(b, 0);
	bool is_names = b->type == BLOCK_NAMES;
	struct bytes made;
	uint32_t length;

	if (!is_names && (b->length < SECRETS_FIXED ||
			  pcapng_u32(b->body + 4, b->swapped) > b->length - SECRETS_FIXED))
		return -EBADMSG;
	made = begin(to, b->type, b->length);
	if (is_names) {
		put_options(&made, &records, OPT_END, none);
		return end(to, &made);
	}
	length = pcapng_u32(b->body + 4, b->swapped);
	block_u32(&made, pcapng_u32(b->body, b->swapped));
	block_u32(&made, length);
	block_put(&made, b->body + SECRETS_FIXED, length);
	block_padding(&made, length);
	return end(to, &made);
}

int convert_process(struct buffer *to, const struct pcapng_block *b)
{
	struct pcapng_options options = pcapng_options(b, sizeof(uint32_t));
	struct bytes made;

	if (b->length < sizeof(uint32_t))
		return -EBADMSG;
	made = begin(to, b->type, b->length);
	block_u32(&made, pcapng_u32(b->body, b->swapped));
	put_options(&made, &options, OPT_END, none);
	return end(to, &made);
}
