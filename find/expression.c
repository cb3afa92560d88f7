/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <byteswap.h>
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find/expression.h"
#include "pcapng/format.h"
#include "pcapng/savefile.h"
#include "util/buffer.h"
#include "util/command/say.h"

/* Their packets begin with numbers in the byte order of who captured. */
#define LINKTYPE_NULL	  0
#define LINKTYPE_ENC	  109
#define LINKTYPE_PFLOG	  117
#define LINKTYPE_USB	  189
#define LINKTYPE_USB_MMAP 220
#define LINKTYPE_NFLOG	  239

struct expression_link {
	bool is_unfit; /* it means nothing there */
	struct bpf_program program;
};

static void turn(struct savefile_header *h)
{
	h->magic = bswap_32(h->magic);
	h->major = bswap_16(h->major);
	h->minor = bswap_16(h->minor);
	h->snaplen = bswap_32(h->snaplen);
	h->link_type = bswap_32(h->link_type);
}

/*
 * libpcap compiles another program for a file than for a link: so it is given a file, of no
 * packets. Then the netmask is what tcpdump -r has. -EINVAL: why tells.
 */
static int compile(struct bpf_program *to, uint16_t link_type, bool is_swapped, const char *text,
		   char why[PCAP_ERRBUF_SIZE])
{
	struct savefile_header h = savefile_header(SNAPLEN_MOST, link_type);
	FILE *f = fmemopen(&h, sizeof(h), "r");
	pcap_t *p;
	int e;

	if (is_swapped)
		turn(&h);
	p = f ? pcap_fopen_offline(f, why) : NULL;
	if (!p) {
		if (!f)
			return -ENOMEM;
		fclose(f);
		return -EINVAL;
	}
	e = pcap_compile(p, to, text, 1, 0);
	if (e)
		snprintf(why, PCAP_ERRBUF_SIZE, "%s", pcap_geterr(p));
	pcap_close(p);
	return e ? -EINVAL : 0;
}

int expression_open(struct expression *x, const char *text)
{
	static const uint16_t common[] = {LINKTYPE_ETHERNET, LINKTYPE_LINUX_SLL2, LINKTYPE_RAW};
	char why[PCAP_ERRBUF_SIZE] = "", unused[PCAP_ERRBUF_SIZE];
	struct bpf_program program;

	*x = (struct expression){.text = text, .is_search = true};
	if (!text)
		return 0;
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (compile(&program, common[i], false, text, i ? unused : why) == 0) {
			pcap_freecode(&program);
			return 0;
		}
	complain("the filter '%s': %s", text, why);
	return -1;
}

/* libpcap turns these headers as it reads them, and we do not. */
static bool is_turned(uint16_t link_type)
{
	return link_type == LINKTYPE_PFLOG || link_type == LINKTYPE_USB ||
	       link_type == LINKTYPE_USB_MMAP || link_type == LINKTYPE_NFLOG;
}

/* Of some only: whoever makes up interfaces makes up link types, too. */
static bool is_to_be_told(struct expression *x)
{
	return x->left_out++ < EXPRESSION_LINKS_TOLD;
}

static int add(struct expression *x, uint16_t link_type, bool is_swapped, uint64_t hash,
	       const char *file)
{
	struct expression_link *all = buffer_one_more(x->link, x->count, &x->room, sizeof(*all)),
			       *l;
	char why[PCAP_ERRBUF_SIZE] = "";
	int e;

	if (!all)
		return -ENOMEM;
	x->link = all;
	l = &all[x->count];
	*l = (struct expression_link){.is_unfit = is_swapped && is_turned(link_type)};
	e = x->text && !l->is_unfit ? compile(&l->program, link_type, is_swapped, x->text, why) : 0;
	if (e == -ENOMEM)
		return e;
	if (l->is_unfit && x->is_search && is_to_be_told(x))
		complain("%s: packets of link type %u are not searched, because their headers are in the other byte order: tcpdump -r FILE -w FILE writes them in this one",
			 file, link_type);
	if (e && is_to_be_told(x))
		complain("%s: packets of link type %u are not searched, because the filter '%s' cannot be used for them: %s",
			 file, link_type, x->text, why);
	l->is_unfit |= e != 0;
	e = table_put(&x->known, hash, x->count);
	return e ? e : (int)x->count++;
}

int expression_for(struct expression *x, uint16_t link_type, bool is_swapped, const char *file)
{
	struct hash h;
	uint64_t hash;
	size_t known;

	is_swapped &=
		link_type == LINKTYPE_NULL || link_type == LINKTYPE_ENC || is_turned(link_type);
	hash_begin(&h);
	hash_add(&h, &link_type, sizeof(link_type));
	hash_add(&h, &is_swapped, sizeof(is_swapped));
	hash = hash_end(&h);
	known = table_find(&x->known, hash);
	return known == TABLE_NONE ? add(x, link_type, is_swapped, hash, file) : (int)known;
}

bool expression_takes(struct expression *x, int number, const struct pcapng_packet *p)
{
	struct pcap_pkthdr h = {.caplen = p->caplen, .len = p->len};
	const struct expression_link *l = &x->link[number];

	return !l->is_unfit && (!x->text || pcap_offline_filter(&l->program, &h, p->frame) > 0);
}

void expression_close(struct expression *x)
{
	for (size_t i = 0; i < x->count; i++)
		pcap_freecode(&x->link[i].program);
	free(x->link);
	table_free(&x->known);
	*x = (struct expression){.text = NULL};
}
