/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Sends a section as a message whose headers have its label and keys. */
#pragma once

#include "kafka/client.h"
#include "kafka/label.h"
#include "kafka/put/indexer.h"
#include "util/buffer.h"

/*
 * The section must stay valid until the answer comes, which has opaque. *record is freed, and
 * replaced by the section's new index record.
 */
rd_kafka_resp_err_t produce(const struct client *c, const struct indexer *x,
			    const struct buffer *section, const struct label *label, void *opaque,
			    struct indexer_record **record);
