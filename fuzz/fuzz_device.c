/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Device names with options, and options by name. A refusal has a reason. */
#include <errno.h>

#include "capture/afxdpcapture.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct afxdp_options *o = afxdp_options_new();
	char err[AFXDP_ERROR_SIZE] = "", *text = text_of(data, size), *value;

	must(o != NULL, "no memory");
	if (afxdp_options_device(o, text, err, sizeof(err)))
		must(err[0] && strnlen(err, sizeof(err)) < sizeof(err), "no reason given");
	must(strlen(afxdp_options_interface(o)) < 16, "an interface's name is too long");
	value = strchr(text, '=');
	if (value)
		*value++ = 0;
	err[0] = 0;
	if (afxdp_options_set(o, text, value ? value : "", err, sizeof(err)))
		must(err[0] && strnlen(err, sizeof(err)) < sizeof(err), "no reason given");
	else
		must(afxdp_options_have(o, text, value ? value : ""), "what was set is not there");
	afxdp_is_listed(text, "eth0");
	afxdp_check_list(text, err, sizeof(err));
	free(text);
	afxdp_options_free(o);
	return 0;
}
