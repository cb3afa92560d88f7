/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The file of --kafka-conf and the certificates, keys and keytabs that it names, as they change. */
#pragma once

#include "kafka/client.h"

struct settings {
	const char *file;    /* NULL: there is none */
	uint64_t used, seen; /* what tells versions of all of them from each other */
	uint64_t looked;     /* monotonic */
};

/* c has the settings of the file, which is as it is now. */
void settings_begin(struct settings *s, const struct client *c, const char *file);
/* Once for each change, when nobody has written for a second. */
bool settings_have_changed(struct settings *s, const struct client *c);
