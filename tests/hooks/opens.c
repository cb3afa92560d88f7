/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/filter.h>
#include <stdio.h>
#include <stdlib.h>

#include "opens.h"

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

static char *other;
static size_t other_size;

/* The library finds programs, maps and variables by the skeleton: the bytes alone are another's. */
int __real_bpf_object__open_skeleton(struct bpf_object_skeleton *s,
				     const struct bpf_object_open_opts *opts);
int __wrap_bpf_object__open_skeleton(struct bpf_object_skeleton *s,
				     const struct bpf_object_open_opts *opts);
int __wrap_bpf_object__open_skeleton(struct bpf_object_skeleton *s,
				     const struct bpf_object_open_opts *opts)
{
	if (other) {
		s->data = other;
		s->data_sz = other_size;
	}
	return __real_bpf_object__open_skeleton(s, opts);
}

int opens_use(const char *object)
{
	FILE *in = fopen(object, "re");
	FILE *out = open_memstream(&other, &other_size);
	char piece[4096];
	size_t n;

	if (!in || !out)
		return -errno;
	while ((n = fread(piece, 1, sizeof(piece), in)) > 0)
		fwrite(piece, 1, n, out);
	fclose(in);
	return fclose(out) ? -errno : 0;
}

bool opens(const char *device, struct afxdp_options o)
{
	struct afxdp_capture *c = NULL;
	char err[AFXDP_ERROR_SIZE] = "";
	bool ok = false;

	if (afxdp_options_device(&o, device, err, sizeof(err)) ||
	    afxdp_open(&c, &o, err, sizeof(err)) ||
	    afxdp_set_filter(c, web, sizeof(web) / sizeof(web[0]), err, sizeof(err))) {
		printf("%s: %s\n", device, err);
	} else if (afxdp_filter_level(c) == AFXDP_LEVEL_USER) {
		printf("%s: %s\n%s\n", device, afxdp_filter_text(c),
		       afxdp_filter_log(c) ? afxdp_filter_log(c) : "");
	} else {
		ok = true;
	}
	afxdp_close(c);
	return ok;
}
