/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Blocks of any strings and numbers: what is written is read again, block by block. */
#include "capture/afxdpcapture.h"
#include "fuzz.h"
#include "pcapng/read.h"
#include "pcapng/write.h"

#define ROOM (512u << 10)

/* A string of the input, ended by a 0; NULL where it says so. */
static const char *string(char **at, const char *end)
{
	const char *s = *at;

	*at += *at < end ? strlen(*at) + 1 : 0;
	return s < end && *s != 1 ? s : NULL;
}

static bool put_record(struct bytes *b, const char *frame, size_t n, uint32_t keep)
{
	static union {
		struct epb_header header;
		uint8_t room[64u << 10];
	} record;
	struct epb_lengths l = {.caplen = (uint32_t)(n > 60000 ? 60000 : n)};

	l.total = (uint32_t)EPB_LENGTH_MIN + EPB_PADDED(l.caplen);
	record.header = (struct epb_header){EPB_TYPE, l.total, 0, 1, 2, l.caplen, l.caplen};
	memcpy(record.room + sizeof(record.header), frame, l.caplen);
	memset(record.room + sizeof(record.header) + l.caplen, 0,
	       sizeof(record.room) - sizeof(record.header) - l.caplen);
	pcapng_put_record(b, &record.header, &l, keep < l.caplen ? keep : l.caplen, NULL, 0);
	return !b->overflow;
}

static unsigned put_all(struct bytes *b, char *text, size_t size, uint64_t number)
{
	char *at = text, *end = text + size;
	struct pcapng_section s = {string(&at, end), string(&at, end), string(&at, end),
				   string(&at, end)};
	struct pcapng_interface i = {.name = string(&at, end),
				     .description = string(&at, end),
				     .filter = string(&at, end),
				     .os = string(&at, end),
				     .hardware = string(&at, end),
				     .mac = number & 1 ? (const uint8_t *)"\1\2\3\4\5\6" : NULL,
				     .speed = number,
				     .snaplen = (uint32_t)number};
	const struct pcapng_statistics counts = {.time = number, .received = number};

	pcapng_put_section(b, &s);
	pcapng_put_interface(b, &i);
	put_record(b, text, size, (uint32_t)number % 2000);
	pcapng_put_statistics(b, &counts);
	return 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t room[ROOM];
	uint64_t number = take(&data, &size, 8), packets = 0;
	char *text = text_of(data, size);
	struct bytes b = {.at = room, .room = number % 5 ? sizeof(room) : (size_t)(number % 4096)};
	unsigned wanted = put_all(&b, text, size, number), n = 0;
	struct pcapng_reader r = {.at = room, .end = room + b.used};
	struct pcapng_block block;
	struct pcapng_option option;

	while (pcapng_next(&r, &block)) {
		struct pcapng_options o = pcapng_options(&block, 0);

		n++;
		if (block.type == BLOCK_INTERFACE)
			o = pcapng_options(&block, 8);
		while (block.type == BLOCK_INTERFACE && pcapng_next_option(&o, &option))
			;
		must(block.type != BLOCK_INTERFACE || !o.fault, "options that cannot be read");
	}
	must(!r.fault && r.at == r.end, "what was written cannot be read");
	must(b.overflow || n == wanted, "another number of blocks");
	must(pcapng_whole_blocks(room, b.used, &packets) == b.used, "blocks that are not whole");
	free(text);
	return 0;
}
