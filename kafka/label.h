/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What a section says of itself: in an option of its header, and in the headers of its message. The
 * option has code 0x8001, which the format leaves to local use, and is text: "pcapng-kafka 1", then
 * a line "name=value" for each member. Its length does not depend on the numbers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LABEL_OPTION   0x8001
#define LABEL_ROOM     2048 /* of the text, with a final 0 */
#define LABEL_NOT_SAID UINT64_MAX

struct label {
	char host[256], session[65], writer[17], interface[1024];
	uint64_t stream;      /* one input has one, or one for each bucket of flows */
	uint64_t sequence;    /* counts the sections of a stream of a writer, the lost ones too */
	uint64_t first, last; /* ns since 1970, of packets */
	uint64_t packets, bytes;
	uint64_t lost; /* packets between the section before and this one */
	/* Of writers that say it. */
	uint64_t before;  /* packets of the stream in front of it, the lost ones too */
	uint64_t dropped; /* before they came to the writer, as its input says: by the host */
	uint64_t behind;  /* the same, because the writer was too slow, or not there */
};

/* In the order of the text. value has room for LABEL_ROOM. */
typedef void label_field(void *context, const char *name, const char *value);
void label_fields(const struct label *l, label_field *field, void *context);
/* The text: its length. */
size_t label_format(const struct label *l, char to[LABEL_ROOM]);
/* Not as text, in few bytes, as docs/index-format.md has it: its length depends on what it says. */
size_t label_pack(const struct label *l, uint8_t to[LABEL_ROOM]);
/* Its length; 0 where it is none. */
size_t label_unpack(struct label *l, const uint8_t *from, size_t size);
/* False where it is not such a text, or one of another version. */
bool label_parse(struct label *l, const char *text, size_t length);
/* Of the section that begins there. */
bool label_find(struct label *l, const uint8_t *section, size_t length);
/* It has one, of a later version. */
bool label_is_later(const uint8_t *section, size_t length);
/* host/session/stream: the key of a message. */
size_t label_key(const struct label *l, char *to, size_t room);
/* A name as labels have it: no control characters, cut to its room. False: nothing is left. */
bool label_name(char *to, size_t room, const char *from);
