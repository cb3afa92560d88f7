/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Filter expressions, compiled by libpcap. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sock_filter;

struct expression {
	struct sock_filter *insns; /* NULL: there is no expression, and every frame is wanted */
	unsigned n;
};

/* The header that frames begin with; LINK_COOKED: LINUX_SLL2. */
enum expression_link { LINK_ETHERNET, LINK_RAW_IP, LINK_COOKED };

/* How to compile an expression. */
struct expression_terms {
	enum expression_link link;
	uint32_t snaplen;
	bool as_written; /* libpcap does not optimize it */
};

/* Compile text, which may be NULL. Call expression_free() after success. Returns 0; -EINVAL, or
 * -ENOMEM, with the expression and what is wrong in err. */
int expression_compile(struct expression *e, const char *text, struct expression_terms terms,
		       char *err, size_t size);
void expression_free(struct expression *e);
/* Append the trigger to *filter, which may be empty: for frames that the filter accepts, the result
 * returns AFXDP_PULLS if the trigger accepts them too, else snaplen. Returns 0; -ENOMEM; or -EINVAL
 * if the programs are not of the form that libpcap generates. On failure *filter stays as it is. */
int expression_pull(struct expression *filter, const struct expression *trigger, uint32_t snaplen);

/* Does the expression test VLAN tags? With a cooked link, filters cannot see them. */
bool expression_asks_for_vlan(const char *text);
/* The message for that. A capture of many interfaces has the tags beside the packets, and libpcap's
 * filters for cooked links do not look there. */
#define EXPRESSION_NO_VLAN                                                                         \
	"no filter for many interfaces sees VLAN tags: leave vlan out, which takes tagged packets as well, or name one interface"

/* Name and version of the library that compiles expressions. */
const char *expression_compiler(void);

/* Returns instruction insns[i] as tcpdump -d prints it, without tabs. Valid until the next call. */
const char *expression_line(const struct sock_filter *insns, unsigned i);

/* Print the compiled expression as tcpdump does. level 1: for people; 2: as C; 3: as numbers.
 * Returns 0, or -errno with the reason in err. */
int expression_dump(const char *text, struct expression_terms terms, int level, char *err,
		    size_t size);

/* Print it beside the eBPF that is made of it for the XDP hook, line by line. The kernel may refuse
 * this eBPF, and then gets a slower form. Returns 0, or -errno with the reason in err; -EOPNOTSUPP:
 * the expression can only run in user space. */
int expression_dump_ebpf(const char *text, struct expression_terms terms, char *err, size_t size);

/* Where filter expressions come from. The caller frees *text; it is NULL if the expression is
 * empty. */
/* Join the words, with a space between them; NULL ends the list. Returns 0, or -errno after telling
 * what is wrong. */
int expression_join(char **text, char **words);
/* Read a file ("-": standard input), leaving out the rest of a line from a # on. Returns 0; or -1
 * or -errno after telling what is wrong. */
int expression_read(char **text, const char *path);
