/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Frames through a PF_PACKET socket: slower, but of any size the device's MTU allows (live frames
 * end below a page), as skbs, which a veth's peer turns into multi-buffer XDP frames, and by way of
 * the egress hooks, where vlanpush can tag them.
 */
#include "sender.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define BATCH_MAX 64

struct sender {
	const struct traffic_plan *plan;
	int sock;
	uint64_t next_seq;
	uint64_t bytes;
	struct mmsghdr messages[BATCH_MAX];
	struct iovec parts[BATCH_MAX];
	uint8_t frames[BATCH_MAX][FRAME_MAX];
};

static void socket_close(struct sender *sender)
{
	if (!sender)
		return;
	if (sender->sock >= 0)
		close(sender->sock);
	free(sender);
}

/* Protocol 0, because a socket that only sends should receive nothing. */
static int open_socket(const char *iface)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_ifindex = if_nametoindex(iface),
	};
	int sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	int err;

	if (sock < 0)
		return -errno;
	if (!bind(sock, (struct sockaddr *)&address, sizeof(address)))
		return sock;
	err = -errno;
	close(sock);
	return err;
}

static int socket_open(const struct traffic_plan *plan, struct sender **opened)
{
	struct sender *sender = calloc(1, sizeof(*sender));

	if (!sender)
		return -ENOMEM;
	sender->plan = plan;
	sender->next_seq = plan->first_seq;
	sender->sock = open_socket(plan->iface);
	for (int i = 0; i < BATCH_MAX; i++) {
		sender->parts[i].iov_base = sender->frames[i];
		sender->messages[i].msg_hdr.msg_iov = &sender->parts[i];
		sender->messages[i].msg_hdr.msg_iovlen = 1;
	}
	if (sender->sock < 0) {
		int err = sender->sock;

		fprintf(stderr, "trafgen: opening a packet socket: %s\n", strerror(-err));
		socket_close(sender);
		return err;
	}
	*opened = sender;
	return 0;
}

static int send_batch(struct sender *sender, uint32_t count)
{
	int sent;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t seq = sender->next_seq + i;

		sender->parts[i].iov_len = plan_size(sender->plan, seq);
		frame_build(sender->frames[i], sender->parts[i].iov_len, seq, &sender->plan->spec);
	}
	sent = sendmmsg(sender->sock, sender->messages, count, 0);
	if (sent < 0)
		return errno == ENOBUFS || errno == EAGAIN ? 0 : -errno;
	for (int i = 0; i < sent; i++)
		sender->bytes += sender->parts[i].iov_len;
	sender->next_seq += sent;
	return sent;
}

static int socket_send(struct sender *sender, uint64_t count)
{
	uint32_t batch_max = sender->plan->batch < BATCH_MAX ? sender->plan->batch : BATCH_MAX;

	while (count) {
		int sent = send_batch(sender, count < batch_max ? count : batch_max);

		/* If nothing was taken, return to the caller, who decides when to give up. */
		if (sent <= 0)
			return sent == -EINTR ? 0 : sent;
		count -= sent;
	}
	return 0;
}

static void socket_progress(const struct sender *sender, struct traffic_progress *progress)
{
	*progress = (struct traffic_progress){
		.generated = sender->next_seq - sender->plan->first_seq,
		.bytes = sender->bytes,
	};
}

const struct sender_ops socket_sender = {
	.call_max = 4096,
	.open = socket_open,
	.send = socket_send,
	.progress = socket_progress,
	.close = socket_close,
};
