/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Labels: texts about the processes behind packets, each made once. label_put() stores the number
 * of a label in the struct epb_socket of a record.
 */
#pragma once

#include "capture/afxdpcapture.h"
#include "who/decide.h"

#define LABELS_MAX	  65536u /* 40 to 80 MB */
#define LABEL_NAME_MAX	  512	 /* including the final 0, as for the next two */
#define LABEL_COMMENT_MAX 1024
#define LABEL_JSON_MAX	  (64u << 10)

struct label {
	enum who_class class;
	bool has_pid;
	uint32_t pid;
	char *text;    /* "curl[1234]"; "": nothing is known */
	char *name;    /* for the process block: "curl"; "": none */
	char *comment; /* "": none */
	char *json;    /* an object */
};

struct label_book;

int label_book_open(struct label_book **b);
void label_book_close(struct label_book *b);
/*
 * Returns the number of the label for these holders, making it if it is new. Returns 0, the label
 * for unknown processes, also if there is no memory or room. Calls ask for each process of a new
 * label before writing the label.
 */
typedef void label_ask(void *of, struct process *p);
uint32_t label_number(struct label_book *b, const struct who_holders *h, uint64_t time,
		      label_ask *ask, void *of);
const struct label *label_at(const struct label_book *b, uint32_t number);
unsigned label_index(const struct label_book *b, const struct label *l);
unsigned label_count(const struct label_book *b);
/* Has there been no room for some label? */
bool label_book_is_full(const struct label_book *b);

/* The value of epb_socket.how in a record that has the number of a label there. */
#define EPB_SOCKET_LABELED 0xffffu /* .how */
void label_put(const struct epb_header *r, const struct epb_lengths *l, uint32_t number);
/* Returns NULL if the record has no label, or if b is NULL. */
const struct label *label_of_record(const struct label_book *b, const struct epb_header *r,
				    const struct epb_lengths *l);
/* The same for a record in our own memory, whose lengths nobody else can change. */
const struct label *label_of(const struct label_book *b, const struct epb_header *r);
