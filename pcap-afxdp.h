/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The functions that pcap.c calls: capture at the XDP layer, devices
 * "xdp:IFACE".
 */

/*
 * pcap_create() for a device. *is_ours: is it a device of this module? If not,
 * pcap_create() goes on with the next module. NULL with *is_ours: failed, and
 * errbuf (PCAP_ERRBUF_SIZE bytes) says why. The caller closes the handle by
 * pcap_close().
 */
pcap_t *pcap_afxdp_create(const char *device, char *errbuf, int *is_ours);
/*
 * Add "xdp:" devices to the list, if PCAP_AFXDP_LIST=1 is in the environment.
 * 0, or -1 with errbuf written.
 */
int pcap_afxdp_findalldevs(pcap_if_list_t *devlistp, char *errbuf);
/*
 * The interface that a device captures on. For "xdp:" devices it is written
 * into name, of size bytes; of others device itself is returned.
 */
const char *pcap_afxdp_interface(const char *device, char *name, size_t size);
