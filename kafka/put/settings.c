/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <limits.h>
#include <sys/stat.h>

#include "kafka/put/settings.h"
#include "util/clock.h"
#include "util/table.h"

static void add_file(struct hash *h, const char *file)
{
	struct stat st;

	if (stat(file, &st))
		return;
	hash_add(h, &st.st_dev, sizeof(st.st_dev));
	hash_add(h, &st.st_ino, sizeof(st.st_ino));
	hash_add(h, &st.st_size, sizeof(st.st_size));
	hash_add(h, &st.st_mtim.tv_sec, sizeof(st.st_mtim.tv_sec));
	hash_add(h, &st.st_mtim.tv_nsec, sizeof(st.st_mtim.tv_nsec));
}

static uint64_t version(const struct settings *s, const struct client *c)
{
	/* An old librdkafka does not know the last ones. */
	static const char *const names[] = {"ssl.ca.location",
					    "ssl.certificate.location",
					    "ssl.key.location",
					    "ssl.keystore.location",
					    "ssl.crl.location",
					    "sasl.kerberos.keytab",
					    "https.ca.location",
					    "sasl.oauthbearer.assertion.file",
					    "sasl.oauthbearer.assertion.private.key.file",
					    "sasl.oauthbearer.assertion.jwt.template.file"};
	char path[PATH_MAX];
	struct hash h;

	hash_begin(&h);
	add_file(&h, s->file);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t room = sizeof(path);

		if (rd_kafka_conf_get(c->again, names[i], path, &room) == RD_KAFKA_CONF_OK && *path)
			add_file(&h, path);
	}
	return hash_end(&h);
}

void settings_begin(struct settings *s, const struct client *c, const char *file)
{
	*s = (struct settings){.file = file};
	if (file)
		s->used = s->seen = version(s, c);
}

bool settings_have_changed(struct settings *s, const struct client *c)
{
	uint64_t now, before = s->seen;

	if (!s->file)
		return false;
	now = clock_monotonic();
	if (now - s->looked < (uint64_t)NS_PER_SEC)
		return false;
	s->looked = now;
	s->seen = version(s, c);
	if (s->seen == s->used || s->seen != before)
		return false;
	s->used = s->seen;
	return true;
}
