/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/types.h>
#include <stdlib.h>
#include <unistd.h>

#include "bpf/words.skel.h"
#include "util/log.h"
#include "words.h"

bool words_listen(struct words *w)
{
	__u64 nothing[1] = {0};
	LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = nothing, .ctx_size_in = sizeof(nothing));

	w->link = -1;
	log_begin();
	w->bpf = words_bpf__open_and_load();
	free(log_end());
	if (!w->bpf)
		return false;
	if (bpf_prog_test_run_opts(bpf_program__fd(w->bpf->progs.note_words), &run) == 0)
		w->link = bpf_raw_tracepoint_open("bpf_xdp_link_attach_failed",
						  bpf_program__fd(w->bpf->progs.note_words));
	if (w->link >= 0)
		return true;
	words_end(w);
	return false;
}

const char *words_text(const struct words *w)
{
	return w->bpf ? w->bpf->bss->words : "";
}

void words_end(struct words *w)
{
	if (w->link >= 0)
		close(w->link);
	w->link = -1;
	words_bpf__destroy(w->bpf);
	w->bpf = NULL;
}
