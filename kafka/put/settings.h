/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Notices changes of the --kafka-conf file and of the certificates, keys and keytabs that it
 * names. */
#pragma once

#include "kafka/client.h"

struct settings {
	const char *file;    /* NULL: there is none */
	uint64_t used, seen; /* hashes that tell versions of these files apart */
	uint64_t looked;     /* time of the last look, monotonic */
};

/* Call this when c has the settings that the file has now. */
void settings_begin(struct settings *s, const struct client *c, const char *file);
/* Returns true once for each change, when nobody has written for a second. */
bool settings_have_changed(struct settings *s, const struct client *c);
