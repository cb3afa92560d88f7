/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The filter that is known before the attach: the programs are attached with it. Some drivers reset
 * the interface for each program, and so do it once.
 */
#pragma once

#include "program.h"

/* The generation of that filter. */
#define FIRST_GENERATION 1

/*
 * Load the program of each image with the filter of the options, and set p->has_filter. Where there
 * is none, where this hook has another way with filters, or the kernel refuses it, nothing is done:
 * the filter can be set when the capture is open.
 */
void first_load(struct program *p, const struct afxdp_options *o);
/* The one to attach for the image with this number; plain: where there is none. */
int first_fd(const struct program *p, unsigned number, const struct bpf_program *plain);
/* They are attached, or will not be: close them. Again is allowed. */
void first_let_go(struct program *p);
