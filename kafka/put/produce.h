/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A section becomes a message, with what it says of itself in headers. */
#pragma once

#include "kafka/client.h"
#include "kafka/label.h"
#include "kafka/put/indexer.h"
#include "util/buffer.h"

/*
 * The section has to stay until its answer comes, with opaque. *record is that of the index, in
 * place of one that was there before.
 */
rd_kafka_resp_err_t produce(const struct client *c, const struct indexer *x,
			    const struct buffer *section, const struct label *label, void *opaque,
			    struct indexer_record **record);
