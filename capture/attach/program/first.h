/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The filter that is known before the programs are attached: they are attached with it. Some
 * drivers reset the interface for each new program, and this way do it only once.
 */
#pragma once

#include "program.h"

/* The generation of that filter. */
#define FIRST_GENERATION 1

/*
 * Load the program of each image with the filter of the options, and set p->has_filter. Does
 * nothing if there is no filter, if this hook handles filters in another way, or if the kernel
 * refuses it: the filter can be set when the capture is open.
 */
void first_load(struct program *p, const struct afxdp_options *o);
/* The program to attach for the image with this number; if there is none, that of plain. */
int first_fd(const struct program *p, unsigned number, const struct bpf_program *plain);
/* The programs are attached, or will not be: close them. May be called again. */
void first_let_go(struct program *p);
