/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* The version of the library, and its functions as a table for programs that load it by
 * dlopen(). */
#include <config.h>

#include "capture/afxdpcapture.h"

static const struct afxdp_api table = {
	.version = afxdp_version,
	.options_new = afxdp_options_new,
	.options_free = afxdp_options_free,
	.options_device = afxdp_options_device,
	.options_set = afxdp_options_set,
	.options_have = afxdp_options_have,
	.options_offer_nic_time = afxdp_options_offer_nic_time,
	.is_listed = afxdp_is_listed,
	.check_list = afxdp_check_list,
	.open = afxdp_open,
	.stop = afxdp_stop,
	.close = afxdp_close,
	.warning = afxdp_warning,
	.hooks = afxdp_hooks,
	.sockets = afxdp_sockets,
	.has_nic_time = afxdp_has_nic_time,
	.is_promiscuous = afxdp_is_promiscuous,
	.has_link_header = afxdp_has_link_header,
	.has_tags_beside = afxdp_has_tags_beside,
	.set_directions = afxdp_set_directions,
	.set_filter = afxdp_set_filter,
	.filter_level = afxdp_filter_level,
	.filter_text = afxdp_filter_text,
	.filter_log = afxdp_filter_log,
	.reader = afxdp_reader,
	.run = afxdp_run,
	.run_seen = afxdp_run_seen,
	.gather = afxdp_gather,
	.run_done = afxdp_run_done,
	.refine = afxdp_refine,
	.time = afxdp_time,
	.wait = afxdp_wait,
	.poll = afxdp_poll,
	.rest = afxdp_rest,
	.fd = afxdp_fd,
	.wake = afxdp_wake,
	.set_blocking = afxdp_set_blocking,
	.stats = afxdp_stats,
	.inject = afxdp_inject,
	.diverted_to = afxdp_diverted_to,
	.is_cooked = afxdp_is_cooked,
	.set_link = afxdp_set_link,
	.cook = afxdp_cook,
	.was_told = afxdp_was_told,
};

const struct afxdp_api *afxdp_api(unsigned version, size_t size)
{
	return version == AFXDP_API_VERSION && size <= sizeof(table) ? &table : NULL;
}

const char *afxdp_version(void)
{
	return PACKAGE_VERSION;
}
