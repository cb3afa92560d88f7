/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Capture at the XDP layer, devices "xdp:IFACE": the functions that libpcap's
 * own files call. Include pcap-int.h first. errbuf has PCAP_ERRBUF_SIZE bytes,
 * and is written on failure only. Any thread may call these functions.
 */

/*
 * pcap_create() for a device. Sets *is_ours if the device's name begins with
 * "xdp:". Otherwise it returns NULL, and pcap_create() asks the next module.
 * NULL with *is_ours set means failure (no memory, or libafxdpcapture cannot be
 * loaded), and errbuf says why. The caller frees the handle with pcap_close().
 */
pcap_t *pcap_afxdp_create(const char *device, char *errbuf, int *is_ours);
/*
 * With PCAP_AFXDP_LIST=1 in the environment, add an "xdp:" device for each
 * interface that is already in the list. Returns 0, or PCAP_ERROR with errbuf
 * written; the list belongs to the caller in either case.
 */
int pcap_afxdp_findalldevs(pcap_if_list_t *devlistp, char *errbuf);
/*
 * The interface that a device captures on. For an "xdp:" device, the
 * interface's name is written to name (size bytes) and returned. Any other
 * device, NULL, or a device whose interface name does not fit is returned
 * itself. Never fails.
 */
const char *pcap_afxdp_interface(const char *device, char *name, size_t size);
