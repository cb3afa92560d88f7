/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* PCAP_AFXDP=NAME[,NAME...]: which plain device names are captured at the XDP layer. */
#include <errno.h>
#include <fnmatch.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "capture/afxdpcapture.h"

/* Nobody writes a longer pattern; matching a long one could take forever. */
#define ELEMENT_MAX 128

/* Get the first element of the list at *list, and move *list behind it. False: there are no
 * more. */
static bool next_element(const char **list, char element[ELEMENT_MAX], size_t *length)
{
	if (!*list)
		return false;
	*length = strcspn(*list, ",");
	snprintf(element, ELEMENT_MAX, "%.*s", *length < ELEMENT_MAX ? (int)*length : 0, *list);
	*list += *length;
	*list = **list ? *list + 1 : NULL;
	return true;
}

static bool is_all(const char *element)
{
	return strcmp(element, "all") == 0;
}

static bool takes(const char *element, const char *device)
{
	return is_all(element) || fnmatch(element, device, 0) == 0;
}

static bool is_any(const char *device)
{
	return strcmp(device, AFXDP_ANY) == 0;
}

/* To capture on all interfaces at once is not to capture on each: only its own name lists it. */
static bool names(const char *element, const char *device)
{
	return is_any(device) ? is_any(element) : takes(element, device);
}

/* False for "any", which libpcap lists as a device but is not an interface, and for names that our
 * devices cannot have. */
static bool may_be_interface(const char *device)
{
	size_t n = strlen(device);

	return n > 0 && n < IFNAMSIZ && !is_any(device) && !strpbrk(device, ",/: ");
}

bool afxdp_is_listed(const char *list, const char *device)
{
	char element[ELEMENT_MAX];
	size_t length;

	if (!list || !*list || (!is_any(device) && !may_be_interface(device)))
		return false;
	while (next_element(&list, element, &length))
		if (element[0] && names(element, device))
			return true;
	return false;
}

static bool takes_any_of(const char *element, const struct if_nameindex *all)
{
	for (; all->if_index; all++)
		if (takes(element, all->if_name))
			return true;
	return false;
}

static bool check_element(const char *element, size_t length, const struct if_nameindex *all,
			  char *text, size_t size)
{
	if (length >= ELEMENT_MAX)
		snprintf(text, size, "a name of %zu characters is too long for an interface",
			 length);
	else if (strncmp(element, AFXDP_PREFIX, strlen(AFXDP_PREFIX)) == 0)
		snprintf(text, size, "%s: name the interface alone, without " AFXDP_PREFIX,
			 element);
	else if (element[0] && !is_all(element) && !is_any(element) && !takes_any_of(element, all))
		snprintf(text, size, "%s: there is no such interface", element);
	else
		return true;
	return false;
}

bool afxdp_check_list(const char *list, char *text, size_t size)
{
	struct if_nameindex *all = if_nameindex();
	char element[ELEMENT_MAX];
	bool good = true;
	size_t length;

	if (!all)
		return true;
	while (good && next_element(&list, element, &length))
		good = check_element(element, length, all, text, size);
	if_freenameindex(all);
	return good;
}
