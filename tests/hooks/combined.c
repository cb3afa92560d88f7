/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * combined IFACE: opens a capture with every combination of what is left out, at every hook, and
 * sets a filter. What keeps that from running in the kernel is said; status 1 if there was any.
 */
#include <linux/filter.h>
#include <stdio.h>
#include <string.h>

#include "capture.h"

/* ip and tcp dst port 80, the shape of most filters: a variable offset, and loads behind it. */
static const struct sock_filter web[] = {
	BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 12),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x0800, 0, 8),
	BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 23),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 6, 0, 6),
	BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 20),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x1fff, 4, 0),
	BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 14),
	BPF_STMT(BPF_LD | BPF_H | BPF_IND, 16),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 80, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, 262144),
	BPF_STMT(BPF_RET | BPF_K, 0),
};

static const char *const hooks[] = {"hook=xdp", "hook=xdp,vlan=off", "hook=tc", "hook=packet"};
static const char *const slices[] = {"off", "l2", "l3", "l4", "l4+64"};
static const char *const cutoffs[] = {"off", "64K"};
static const char *const samples[] = {"1", "10"};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* False, and said why. */
static bool open_one(const char *device)
{
	struct capture_options o = {.hook = CAPTURE_HOOK_AUTO};
	struct capture *c = NULL;
	char err[CAPTURE_ERROR_SIZE] = "";
	bool ok = false;

	if (capture_parse_device(device, &o, err, sizeof(err)) ||
	    capture_open(&c, &o, err, sizeof(err)) ||
	    capture_set_filter(c, web, COUNT(web), err, sizeof(err))) {
		printf("%s: %s\n", device, err);
	} else if (capture_filter_rung(c) == CAPTURE_RUNG_USER) {
		printf("%s: %s\n%s\n", device, capture_filter_text(c),
		       capture_filter_log(c) ? capture_filter_log(c) : "");
	} else {
		ok = true;
	}
	capture_close(c);
	return ok;
}

int main(int argc, char **argv)
{
	const size_t all = COUNT(hooks) * COUNT(slices) * COUNT(cutoffs) * COUNT(samples);
	size_t good = 0;
	char device[128];

	if (argc != 2)
		return 2;
	for (size_t i = 0; i < all; i++) {
		size_t n = i;

		snprintf(device, sizeof(device),
			 "xdp:%s,ring=512K,loader=off,%s,slice=%s,flow-cutoff=%s,sample=%s",
			 argv[1], hooks[n % COUNT(hooks)], slices[n / COUNT(hooks) % COUNT(slices)],
			 cutoffs[n / COUNT(hooks) / COUNT(slices) % COUNT(cutoffs)],
			 samples[n / COUNT(hooks) / COUNT(slices) / COUNT(cutoffs)]);
		good += open_one(device);
	}
	printf("%zu of %zu\n", good, all);
	return good != all;
}
