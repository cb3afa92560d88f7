/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Captures without a kernel: afxdpcapture.h for xdpdump, with rings that a story fills. Linked by
 * --wrap. The clock stands still, and things happen when all was read that is there, so that each
 * run of a story gives the same bytes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define FAKE_RINGS 3

/*
 * events, one after the other, each once nothing is left to read:
 *	m	more records come, in each ring .batch
 *	r	statistics are asked for, as by SIGUSR1
 *	f	a new file is asked for, as by SIGHUP
 *	u	as by SIGUSR2
 *	U	as by SIGUSR2, and the user asks to end before that was seen
 *	g	the interface that was opened last is gone
 *	j, l	of any: an interface joins, the second leaves
 *	w	the captures have something to warn of
 *	i, o	of many network namespaces: an interface joins the first, that of the second leaves
 *	n	that of the first is called otherwise, or, again, its state is told
 *	I, O	a namespace joins, the second leaves
 *	N, A	as m, and in the midst of what is not yet read that of the first got another name;
 *		the second left, and another has its number, which leaves later
 *	E	who tells of them ends
 *	s	a second signal to end, beside the one behind the last event
 * Behind the last one the user asks to end.
 */
struct fake_story {
	const char *events;
	unsigned batch; /* records that a ring has at first, and gets each time */
	unsigned lost;	/* frames lost in full rings, of each ring */
	bool refines;	/* a filter in user space: each third is refused, each other cut */
};

/* Before session_run(). */
void fake_begin(const struct fake_story *s);

/* Of many network namespaces, each ring is of one. */
uint32_t fake_netns(unsigned ring);
/* now: behind the records that there are. */
void fake_spaces_happen(char event, uint64_t now);
