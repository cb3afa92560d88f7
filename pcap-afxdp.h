/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Prototypes for the functions that pcap.c calls: capture at the XDP layer,
 * devices "xdp:IFACE".
 */

pcap_t *pcap_afxdp_create(const char *device, char *errbuf, int *is_ours);
int pcap_afxdp_findalldevs(pcap_if_list_t *devlistp, char *errbuf);
/*
 * The interface that an "xdp:" device captures on, into name; other devices as
 * they are.
 */
const char *pcap_afxdp_interface(const char *device, char *name, size_t size);
