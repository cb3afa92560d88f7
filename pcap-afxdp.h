/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Capture at the XDP layer, devices "xdp:IFACE": the functions that libpcap's
 * own files call. pcap-int.h comes before. errbuf has PCAP_ERRBUF_SIZE bytes,
 * and is written on failure only. Any thread may call these functions.
 */

/*
 * pcap_create() for a device. *is_ours: does its name begin with "xdp:"? If
 * not, NULL, and pcap_create() asks the next module. NULL with *is_ours set:
 * failed (no memory, or libafxdpcapture cannot be loaded), and errbuf says why.
 * The caller frees the handle with pcap_close().
 */
pcap_t *pcap_afxdp_create(const char *device, char *errbuf, int *is_ours);
/*
 * With PCAP_AFXDP_LIST=1 in the environment, add an "xdp:" device for each
 * interface that is in the list already. 0, or PCAP_ERROR with errbuf written;
 * the list is the caller's.
 */
int pcap_afxdp_findalldevs(pcap_if_list_t *devlistp, char *errbuf);
/*
 * The interface that a device captures on: for an "xdp:" device name, where it
 * is written (size bytes). Returns device itself if it is another device, NULL,
 * or an interface name that does not fit. Never fails.
 */
const char *pcap_afxdp_interface(const char *device, char *name, size_t size);
