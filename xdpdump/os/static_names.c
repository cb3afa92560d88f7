/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Only for the static program, which looks up users, hosts and services in /etc and by DNS with the
 * C library inside it. nsswitch.conf may also name modules. They belong to the system's C library,
 * whose version may differ, so none of them is loaded.
 */
#include <features.h>

#ifdef __GLIBC__ /* musl has no such modules */
#include <nss.h>

__attribute__((constructor)) static void look_up_without_modules(void)
{
	static const char *const databases[] = {"ethers", "group",     "initgroups", "networks",
						"passwd", "protocols", "services"};

	for (unsigned i = 0; i < sizeof(databases) / sizeof(databases[0]); i++)
		__nss_configure_lookup(databases[i], "files");
	__nss_configure_lookup("hosts", "files dns");
}
#endif
