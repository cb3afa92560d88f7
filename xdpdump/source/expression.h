/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Filter expressions, compiled by libpcap. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sock_filter;

struct expression {
	struct sock_filter *insns; /* NULL: no expression, every frame is wanted */
	unsigned n;
};

/* What the frames begin with. */
enum expression_link { LINK_ETHERNET, LINK_RAW_IP, LINK_COOKED };

/* How it is compiled. */
struct expression_terms {
	enum expression_link link;
	uint32_t snaplen;
	bool as_written; /* libpcap does not optimise it */
};

/* -EINVAL with err written: what is wrong, and with which expression. text may be NULL. */
int expression_compile(struct expression *e, const char *text, struct expression_terms terms,
		       char *err, size_t size);
void expression_free(struct expression *e);
/*
 * *filter, which may be none, goes on to the trigger with what it takes: AFXDP_PULLS where that
 * takes it too, else snaplen. -ENOMEM; -EINVAL: they are not as libpcap makes them.
 */
int expression_pull(struct expression *filter, const struct expression *trigger, uint32_t snaplen);

/* Does it ask for VLAN tags? A cooked link has none that a filter sees. */
bool expression_asks_for_vlan(const char *text);
/* ... of many interfaces: tags are beside the packets there, and libpcap's filters for such a link
 * do not look for them. */
#define EXPRESSION_NO_VLAN                                                                         \
	"no filter for many interfaces sees VLAN tags: leave vlan out, which takes tagged packets as well, or name one interface"

/* Name and version of the library that compiles them. */
const char *expression_compiler(void);

/* Instruction insns[i] as tcpdump -d prints it, without tabs. Valid until the next call. */
const char *expression_line(const struct sock_filter *insns, unsigned i);

/* Print the compiled expression as tcpdump does: 1 for people, 2 as C, 3 as numbers. */
int expression_dump(const char *text, struct expression_terms terms, int level, char *err,
		    size_t size);

/*
 * The same beside the eBPF that is made of it for the XDP hook, line by line; the kernel may
 * refuse it, and get a slower form. -EOPNOTSUPP: it can only run in user space, and err says why.
 */
int expression_dump_ebpf(const char *text, struct expression_terms terms, char *err, size_t size);

/* Where filter expressions come from. *text is the caller's to free, NULL for an empty one. */
/* The words, one blank between them; words ends with NULL. -1 after telling what is wrong. */
int expression_join(char **text, char **words);
/* A file ("-": standard input), without what follows a # in a line. -1 likewise. */
int expression_read(char **text, const char *path);
