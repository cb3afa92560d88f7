/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * pcap-afxdp-load.c: Finds the functions of libafxdpcapture, which does the
 * work for xdp: devices. The library is loaded by dlopen() when the first such
 * device is created, or libpcap is linked with it if configure was told so.
 */
#include <config.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "pcap-int.h"
#include "pcap-afxdp-int.h"

#include "afxdpcapture.h"

/*
 * The part of the table that this module uses, up to the last member used. A
 * library whose table ends there will do, even if afxdpcapture.h declares more.
 */
#define USED_SIZE                                                              \
	(offsetof(struct afxdp_api, was_told) +                                \
	 sizeof(((struct afxdp_api *)0)->was_told))

#ifdef PCAP_AFXDP_DLOPEN

#define SONAME "libafxdpcapture.so.0"

/*
 * Tells packagers what is loaded here: https://systemd.io/ELF_DLOPEN_METADATA.
 * As with other optional devices, it does not pull in a package that nobody
 * asked for.
 */
#define NOTE                                                                    \
	"[{\"feature\":\"afxdp\",\"description\":\"Capture at the XDP layer\"," \
	"\"priority\":\"suggested\",\"soname\":[\"" SONAME "\"]}]"

static const struct {
	uint32_t owner_size, size, type;
	char owner[4];
	char text[(sizeof(NOTE) + 3) & ~3u];
} note __attribute__((used, aligned(4), section(".note.dlopen"))) = {
    sizeof("FDO"), sizeof(NOTE), 0x407c0c0a, "FDO", NOTE,
};

static int
is_limited(int memory)
{
	struct rlimit r;

	return getrlimit(memory, &r) == 0 && r.rlim_cur != RLIM_INFINITY;
}

static int
lacks_descriptors(void)
{
	int fd = open("/", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno == EMFILE;
	close(fd);
	return 0;
}

/*
 * Load the library by its soname alone: in a program with privileges of its
 * own, the C library then looks in the system's folders only. It is never
 * closed, because handles and descriptors of it may still be in use.
 */
static const struct afxdp_api *
find_api(char *errbuf)
{
	void *library = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
	__typeof__(afxdp_version) *version = NULL;
	__typeof__(afxdp_api) *get = NULL;
	const struct afxdp_api *api;
	const char *why;

	if (!library) {
		/* Only dlerror() says why, in the user's language. */
		why = dlerror();
		snprintf(errbuf, PCAP_ERRBUF_SIZE,
			 "xdp: devices need a library that cannot be loaded: install libafxdpcapture0 (%.150s)%s",
			 why,
			 lacks_descriptors()       ? ", or raise ulimit -n"
			 : is_limited(RLIMIT_AS)   ? ", or raise ulimit -v"
			 : is_limited(RLIMIT_DATA) ? ", or raise ulimit -d"
						   : "");
		return NULL;
	}
	*(void **)&get = dlsym(library, "afxdp_api");
	*(void **)&version = dlsym(library, "afxdp_version");
	api = get ? get(AFXDP_API_VERSION, USED_SIZE) : NULL;
	if (!api)
		snprintf(errbuf, PCAP_ERRBUF_SIZE,
			 "%s (version %.32s) does not fit this libpcap: install a libafxdpcapture0 of the release that this libpcap was built for",
			 SONAME, version ? version() : "unknown");
	return api;
}

#else

static const struct afxdp_api *
find_api(char *errbuf)
{
	const struct afxdp_api *api = afxdp_api(AFXDP_API_VERSION, USED_SIZE);

	if (!api)
		snprintf(errbuf, PCAP_ERRBUF_SIZE,
			 "libafxdpcapture %.32s does not fit this libpcap: install one of the release that this libpcap was built for",
			 afxdp_version());
	return api;
}

#endif

/*
 * Two threads that come here at once find the same table, and a child process
 * inherits its parent's. A library that could not be loaded is tried again,
 * because it may have been installed meanwhile.
 */
const struct afxdp_api *
pcap_load_afxdp(char *errbuf)
{
	/* Store and load pair with each other: the table is constant. */
	static const struct afxdp_api *found;
	const struct afxdp_api *api = __atomic_load_n(&found, __ATOMIC_ACQUIRE);

	if (api)
		return api;
	api = find_api(errbuf);
	if (api)
		__atomic_store_n(&found, api, __ATOMIC_RELEASE);
	return api;
}
