/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * What is said of the processes behind packets, each text made once. Who labels a record puts the
 * number of its label into the record's struct epb_socket.
 */
#pragma once

#include "capture/afxdpcapture.h"
#include "who/decide.h"

#define LABELS_MAX	  65536u /* 40 to 80 MB */
#define LABEL_NAME_MAX	  512	 /* with the 0, as all of these */
#define LABEL_COMMENT_MAX 1024
#define LABEL_JSON_MAX	  (64u << 10)

struct label {
	enum who_class class;
	bool has_pid;
	uint32_t pid;
	char *text;    /* "curl[1234]"; "": nothing is known */
	char *name;    /* of the process block: "curl"; "": none */
	char *comment; /* NULL: none */
	char *json;    /* an object */
};

struct label_book;

int label_book_open(struct label_book **b);
void label_book_close(struct label_book *b);
/*
 * Its number; 0, which is unknown, also where there is no memory. ask: called for each process of
 * a new label, before it is written.
 */
typedef void label_ask(void *of, struct process *p);
uint32_t label_number(struct label_book *b, const struct who_holders *h, uint64_t time,
		      label_ask *ask, void *of);
const struct label *label_at(const struct label_book *b, uint32_t number);
unsigned label_index(const struct label_book *b, const struct label *l);
unsigned label_count(const struct label_book *b);
/* A label found no room. */
bool label_book_is_full(const struct label_book *b);

/* In a record: the number is in its struct epb_socket. */
#define EPB_SOCKET_LABELED 0xffffu /* .how */
void label_put(const struct epb_header *r, const struct epb_lengths *l, uint32_t number);
/* NULL: it has none, or b is NULL. */
const struct label *label_of_record(const struct label_book *b, const struct epb_header *r,
				    const struct epb_lengths *l);
/* The same of a record in memory of our own. */
const struct label *label_of(const struct label_book *b, const struct epb_header *r);
