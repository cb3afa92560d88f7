/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What a section says about itself, in an option of its header and in the headers of its message.
 * The option has code 0x8001, which the format leaves to local use. It is text: "pcapng-kafka 1",
 * then a line "name=value" for each member. Numbers have a fixed width, so its length does not
 * depend on them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LABEL_OPTION   0x8001
#define LABEL_ROOM     2048 /* for the text with a final 0 */
#define LABEL_NOT_SAID UINT64_MAX

struct label {
	char host[256], session[65], writer[17], interface[1024];
	uint64_t stream;      /* an input has one stream, or one for each bucket of flows */
	uint64_t sequence;    /* counts the writer's sections of a stream, lost ones too */
	uint64_t first, last; /* ns since 1970, of packets */
	uint64_t packets, bytes;
	uint64_t lost; /* packets lost between the section before and this one */
	/* Older writers do not say these. */
	uint64_t before;  /* packets of the stream before this section, including the lost ones */
	uint64_t dropped; /* packets that the host dropped, as the input says */
	uint64_t behind;  /* packets lost because the writer was too slow, or not running */
};

/* Called for each member, in the order of the text. value has room for LABEL_ROOM bytes. */
typedef void label_field(void *context, const char *name, const char *value);
void label_fields(const struct label *l, label_field *field, void *context);
/* Writes the text, and returns its length. */
size_t label_format(const struct label *l, char to[LABEL_ROOM]);
/* Writes the label in few bytes instead of as text, as docs/index-format.md has it. Returns the
 * length, which depends on the values. */
size_t label_pack(const struct label *l, uint8_t to[LABEL_ROOM]);
/* Reads what label_pack() wrote. Returns its length, or 0 if this is no label. */
size_t label_unpack(struct label *l, const uint8_t *from, size_t size);
/* Reads the text. Returns false if it is no label, or one of another version. */
bool label_parse(struct label *l, const char *text, size_t length);
/* Reads the label of the section that begins there. Returns false if it has none. */
bool label_find(struct label *l, const uint8_t *section, size_t length);
/* Does the section have a label of a later version? */
bool label_is_later(const uint8_t *section, size_t length);
/* Writes host/session/stream, which is the key of a message. */
size_t label_key(const struct label *l, char *to, size_t room);
/* Copies a name as labels have it: without control characters, and cut to the room. Returns false
 * if nothing is left. */
bool label_name(char *to, size_t room, const char *from);
