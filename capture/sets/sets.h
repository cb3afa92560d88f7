/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The sets of a capture (hosts=FILE): read, and written into the map that its programs look in. */
#ifndef PCAP_AFXDP_SETS_OF_CAPTURE_H
#define PCAP_AFXDP_SETS_OF_CAPTURE_H

#include "entries.h"
#include "capture/options/options.h"

struct sets {
	struct set_entries entries; /* until they are in the map */
	void *map;		    /* of bpf/sets.h; NULL: not mapped */
	uint32_t lines;		    /* of it */
	uint32_t empty;		    /* bits of the files that have nothing */
	bool upper;		    /* the set in use is in its upper half */
};

/*
 * Read the files that o names, with the rights of the user whose process this is, and say in o what
 * the programs need. -errno with err written. Call sets_close() in any case.
 */
int sets_open(struct sets *s, struct afxdp_options *o, char *err, size_t size);
/* Map the map with descriptor fd, and have the programs look in it from here on. -errno with err
 * written. */
int sets_begin(struct sets *s, const struct afxdp_options *o, int fd, char *err, size_t size);
void sets_close(struct sets *s);

#endif
