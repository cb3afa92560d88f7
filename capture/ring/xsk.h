/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * One AF_XDP socket: the frames of one receive queue, in place. The capture program has written
 * struct divert_meta in front of a frame. The reader overwrites that with the record's header, and
 * writes the options behind the frame: a record as in a ring.
 *
 * Positions count descriptors, from the socket's first one on. A frame has one, or with
 * multi-buffer (MTU beyond a buffer) several; such a frame is copied together in .assembly.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <xdp/xsk.h>

#include "capture/options/options.h"
#include "util/uapi.h"

/* What XDP keeps free in front of a frame (XDP_PACKET_HEADROOM). */
#define XSK_HEADROOM 256u
/* Room behind it for the longest options, and the end. */
#define XSK_TRAILER_MAX                                                                            \
	(sizeof(struct epb_options) + sizeof(struct epb_dropcount) + sizeof(struct epb_nic_time) + \
	 sizeof(struct epb_hash) + sizeof(struct epb_end))
#define XSK_ASSEMBLY_SIZE (XSK_HEADROOM + EPB_PADDED(XDP_SNAPLEN_MAX) + XSK_TRAILER_MAX)

#define XSK_RINGS 4

struct xsk {
	uint32_t queue;
	bool zero_copy;	  /* as the kernel confirms it */
	bool busy_poll;	  /* each look drives the driver */
	bool asks_driver; /* struct divert_hints is in front of frames */
	bool foreign;	  /* the program writes no divert_meta: time and number are the reader's */
	struct xsk_umem *umem;
	struct xsk_socket *socket;
	int fd; /* a borrowed socket instead of these two, xsk_borrowed.h; the owner closes it; 0:
		 * none */
	struct {
		void *at;
		size_t size;
	} borrowed[XSK_RINGS]; /* its rings */
	struct xsk_ring_prod fill, tx;
	struct xsk_ring_cons rx, completion;
	uint8_t *memory; /* the buffers */
	uint64_t mapped; /* bytes of it */
	uint32_t buffer_size, buffer_count;
	uint32_t tx_count;		/* buffers to send, behind these: xsk_tx.h; 0: none */
	uint32_t interface_id, snaplen; /* of the records */
	/* Positions. */
	uint64_t peeked;   /* the kernel has written everything before */
	uint64_t released; /* the kernel has got back everything before */
	uint64_t receive;  /* address: buffers to receive into lie below; set by each look */
	bool corrupted;	   /* its rings hold something that the kernel does not write */
	/* The last record made. */
	uint64_t at; /* its position */
	struct epb_header *record;
	uint32_t length;
	uint32_t taken;		/* number of its descriptors; 0: there is no record */
	uint8_t *assembly;	/* for frames in parts, or without room behind them */
	uint64_t received;	/* frames; atomic */
	uint64_t torn;		/* frames with parts missing */
	uint64_t lost;		/* frames that the kernel lost here, as of the last xsk_count() */
	uint64_t lost_reported; /* of these, already in an epb_dropcount */
};

struct xsk_config {
	const char *ifname;
	uint32_t queue;
	uint64_t memory;    /* bytes of buffers to receive into, a power of two */
	uint32_t frame_max; /* longest frame that the interface receives, tags included */
	bool whole_kib;	    /* the driver gives the card the size of buffers in KiB, rounded down */
	uint32_t interface_id, snaplen;
	enum capture_zero_copy zero_copy;
	bool busy_poll;
	bool asks_driver; /* the program puts struct divert_hints in front of frames */
	bool foreign;	  /* the program writes no divert_meta */
	int fd;		  /* use this socket; 0: open one */
	bool sends;	  /* with buffers and a TX ring to send */
};

/* What the kernel counts per socket: XDP_STATISTICS of linux/if_xdp.h. */
struct xsk_counts {
	uint64_t dropped;    /* no buffer for the frame, or it is too large for one */
	uint64_t ring_full;  /* the receive ring had no room */
	uint64_t fill_empty; /* times a driver found no buffer to receive into */
};

/*
 * Map buffers, give them to the kernel, bind. -errno with err written, and nothing is left open:
 * -ENOMEM, -ENOBUFS: no memory; -EBUSY: the queue has a socket; or of bind().
 */
int xsk_open(struct xsk *x, const struct xsk_config *c, char *err, size_t size);
/* Write what xsk_open() writes for error e. Returns e. */
int xsk_explain(int e, const struct xsk_config *c, char *err, size_t size);
void xsk_close(struct xsk *x);
int xsk_fd(const struct xsk *x);
/* Ask the kernel for its counters. -errno. Any thread may call it. */
int xsk_count(const struct xsk *x, struct xsk_counts *c);

/* Release what is before position, and look. Returns the position behind the last whole frame. */
uint64_t xsk_look(struct xsk *x, uint64_t position);
/* Is there a whole frame from position on? Changes nothing. */
bool xsk_has(const struct xsk *x, uint64_t position);
/* Is the socket readable? Also with only the first parts of a frame. */
bool xsk_is_readable(const struct xsk *x, uint64_t position);
static inline const struct xdp_desc *xsk_descriptor(const struct xsk *x, uint64_t position)
{
	return xsk_ring_cons__rx_desc(&x->rx, (uint32_t)position);
}

/* Does another part of the same frame follow? */
static inline bool xsk_goes_on(const struct xdp_desc *d)
{
	return d->options & XDP_PKT_CONTD;
}

/*
 * Make the record at position, which is before the end that xsk_look() returned. Valid until the
 * next call with another position. NULL: a descriptor of no buffer of ours; x->corrupted.
 */
const struct epb_header *xsk_find(struct xsk *x, uint64_t position);
/* Give the kernel the buffers before position back. */
void xsk_release(struct xsk *x, uint64_t position);
