/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Prototypes for the functions that pcap.c calls: interfaces by their plain
 * names, as PCAP_AFXDP lists them.
 */

pcap_t *pcap_afxdp_plain_create(const char *device, char *errbuf, int *is_ours);
int pcap_afxdp_plain_findalldevs(pcap_if_list_t *devlistp, char *errbuf);
