/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <stdbool.h>
#include <stddef.h>

#include "pcapng/format.h"
#include "pcapng/turn.h"

#define LINKTYPE_NULL	  0
#define LINKTYPE_ENC	  109
#define LINKTYPE_PFLOG	  117
#define LINKTYPE_USB	  189
#define LINKTYPE_USB_MMAP 220
#define LINKTYPE_NFLOG	  239

#define SLL_PROTOCOL  14
#define SLL_HEADER    16
#define SLL2_PROTOCOL 0
#define SLL2_HEADER   20
#define PROTOCOL_CAN  0x0c
#define PROTOCOL_FD   0x0d
#define PROTOCOL_XL   0x0e
#define NFLOG_HEADER  4
#define NFLOG_TLV     4
#define USB_TRANSFER  9
#define ISOCHRONOUS   0
#define USB_COUNT     60 /* of descriptors */
#define USB_HEADER    64
#define DESCRIPTOR    16

struct frame {
	uint8_t *at;
	uint32_t length;
};

struct link {
	uint16_t type;
	void (*turn)(const struct frame *f, const struct link *l);
	uint32_t protocol, header; /* of a cooked header: the protocol's offset; the length */
};

static bool has(const struct frame *f, uint32_t at, uint32_t n)
{
	return at <= f->length && f->length - at >= n;
}

/* Reverse width bytes at offset at. Returns false if they are cut off. */
static bool turn(const struct frame *f, uint32_t at, uint32_t width)
{
	uint8_t *p = f->at + at;

	if (!has(f, at, width))
		return false;
	for (uint32_t i = 0; i < width / 2; i++) {
		uint8_t kept = p[i];

		p[i] = p[width - 1 - i];
		p[width - 1 - i] = kept;
	}
	return true;
}

static void turn_words(const struct frame *f, uint32_t at, unsigned n)
{
	for (; n && turn(f, at, 4); n--)
		at += 4;
}

/* The first 4 bytes are the address family. */
static void turn_null(const struct frame *f, const struct link *l)
{
	turn(f, 0, 4);
	if (l->type == LINKTYPE_ENC)
		turn(f, 8, 4); /* flags */
}

/* The first byte of the header is its length. */
static void turn_pflog(const struct frame *f, const struct link *l)
{
	uint32_t least = f->length && f->at[0] < f->length ? f->at[0] : f->length;
	const struct frame header = {f->at, least};

	(void)l;
	turn_words(&header, 44, 4); /* users and processes */
}

/* The kernel's usbmon header: Documentation/usb/usbmon.rst. */
static void turn_usb(const struct frame *f, const struct link *l)
{
	bool is_isochronous = has(f, USB_TRANSFER, 1) && f->at[USB_TRANSFER] == ISOCHRONOUS;
	uint32_t count;

	turn(f, 0, 8);	/* its number */
	turn(f, 12, 2); /* of the bus */
	turn(f, 16, 8); /* seconds */
	turn_words(f, 24, is_isochronous ? 6 : 4);
	if (l->type != LINKTYPE_USB_MMAP)
		return;
	turn_words(f, 48, 4);
	if (!is_isochronous || !has(f, 0, USB_HEADER))
		return;
	count = pcapng_u32(f->at + USB_COUNT, false);
	for (uint32_t at = USB_HEADER; count-- && has(f, at, 4); at += DESCRIPTOR)
		turn_words(f, at, 3);
}

/* Each attribute has a length and a type in host byte order, and a value in network byte order. */
static void turn_nflog(const struct frame *f, const struct link *l)
{
	uint32_t at = NFLOG_HEADER, n;

	(void)l;
	if (!has(f, 0, NFLOG_HEADER) || f->at[1] != 0) /* another version */
		return;
	for (; has(f, at, NFLOG_TLV); at += n) {
		turn(f, at, 2);
		turn(f, at + 2, 2);
		n = (pcapng_u16(f->at + at, false) + 3u) & ~3u;
		if (n < NFLOG_TLV || !has(f, at, n))
			return;
	}
}

/* A CAN frame after a cooked header: the kernel's struct can_frame, canfd_frame or canxl_frame. */
static void turn_can(const struct frame *f, const struct link *l)
{
	uint32_t at = l->header;
	unsigned protocol;

	if (!has(f, 0, at))
		return;
	protocol = (unsigned)f->at[l->protocol] << 8 | f->at[l->protocol + 1];
	if (protocol == PROTOCOL_CAN || protocol == PROTOCOL_FD || protocol == PROTOCOL_XL)
		turn(f, at, 4);
	if (protocol != PROTOCOL_XL)
		return;
	turn(f, at + 6, 2);
	turn(f, at + 8, 4);
}

static const struct link links[] = {
	{.type = LINKTYPE_NULL, .turn = turn_null},
	{.type = LINKTYPE_ENC, .turn = turn_null},
	{.type = LINKTYPE_PFLOG, .turn = turn_pflog},
	{LINKTYPE_LINUX_SLL, turn_can, SLL_PROTOCOL, SLL_HEADER},
	{LINKTYPE_LINUX_SLL2, turn_can, SLL2_PROTOCOL, SLL2_HEADER},
	{.type = LINKTYPE_USB, .turn = turn_usb},
	{.type = LINKTYPE_USB_MMAP, .turn = turn_usb},
	{.type = LINKTYPE_NFLOG, .turn = turn_nflog},
};

/* Returns NULL if headers of this link type have no numbers to turn. */
static const struct link *find_link(uint16_t type)
{
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (links[i].type == type)
			return &links[i];
	return NULL;
}

int turn_packet(struct pcapng_packet *p, uint16_t link_type, struct buffer *room)
{
	const struct link *l = find_link(link_type);
	int e;

	if (!p->caplen || !l)
		return 0;
	room->used = 0;
	e = buffer_append(room, p->frame, p->caplen);
	if (e)
		return e;
	p->frame = room->at;
	l->turn(&(struct frame){room->at, p->caplen}, l);
	return 0;
}
