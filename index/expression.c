/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "index/expression.h"
#include "pcapng/format.h"
#include "pcapng/savefile.h"
#include "util/buffer.h"

struct expression_link {
	char *unfit; /* why it cannot be used for this link type; NULL: it can */
	struct bpf_program program;
};

/*
 * libpcap compiles differently for a file and for a live interface: so it is given a file without
 * packets, and the netmask that tcpdump -r uses. Returns 0, -ENOMEM, or -EINVAL: why says what is
 * wrong.
 */
static int compile(struct bpf_program *to, uint16_t link_type, const char *text,
		   char why[PCAP_ERRBUF_SIZE])
{
	struct savefile_header h = savefile_header(SNAPLEN_MOST, link_type);
	FILE *f = fmemopen(&h, sizeof(h), "r");
	pcap_t *p = f ? pcap_fopen_offline(f, why) : NULL;
	int e;

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

	*x = (struct expression){.text = text};
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++) {
		int n = expression_for(x, common[i]);

		if (n < 0 || !expression_unfit(x, n))
			return n < 0 ? n : 0;
	}
	return -EINVAL;
}

static int add(struct expression *x, uint16_t link_type, uint64_t hash)
{
	struct expression_link *all = buffer_one_more(x->link, x->count, &x->room, sizeof(*all)),
			       *l;
	char why[PCAP_ERRBUF_SIZE] = "";
	int e;

	if (!all)
		return -ENOMEM;
	x->link = all;
	l = &all[x->count];
	*l = (struct expression_link){.unfit = NULL};
	e = x->text ? compile(&l->program, link_type, x->text, why) : 0;
	if (e == -EINVAL) {
		l->unfit = strdup(why);
		e = l->unfit ? 0 : -ENOMEM;
	}
	if (e)
		return e;
	x->count++;
	e = table_put(&x->known, hash, x->count - 1);
	return e ? e : (int)(x->count - 1);
}

static uint64_t hash_of(uint16_t link_type)
{
	struct hash h;

	hash_begin(&h);
	hash_add(&h, &link_type, sizeof(link_type));
	return hash_end(&h);
}

int expression_for(struct expression *x, uint16_t link_type)
{
	uint64_t hash = hash_of(link_type);
	size_t known = table_find(&x->known, hash);

	return known == TABLE_NONE ? add(x, link_type, hash) : (int)known;
}

const char *expression_unfit(const struct expression *x, int number)
{
	return x->link[number].unfit;
}

bool expression_takes(const struct expression *x, int number, const struct pcapng_packet *p)
{
	struct pcap_pkthdr h = {.caplen = p->caplen, .len = p->len};
	const struct expression_link *l = &x->link[number];

	return !l->unfit && (!x->text || pcap_offline_filter(&l->program, &h, p->frame) > 0);
}

bool expression_leaves_out(struct expression *x, uint16_t link_type)
{
	uint64_t hash = hash_of(link_type);

	return table_find(&x->left_out, hash) == TABLE_NONE &&
	       table_put(&x->left_out, hash, 0) == 0 && x->left_out.count <= EXPRESSION_LINKS_TOLD;
}

void expression_close(struct expression *x)
{
	for (size_t i = 0; i < x->count; i++) {
		free(x->link[i].unfit);
		pcap_freecode(&x->link[i].program);
	}
	free(x->link);
	table_free(&x->known);
	table_free(&x->left_out);
	*x = (struct expression){.text = NULL};
}
