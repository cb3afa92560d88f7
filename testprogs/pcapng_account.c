/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the blocks of a pcapng file; written from the format's draft (draft-ietf-opsawg-pcapng). */
#include "pcapng_account.h"

#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_SHB      0x0a0d0d0au
#define BLOCK_IDB      1u
#define BLOCK_SPB      3u
#define BLOCK_ISB      5u
#define BLOCK_EPB      6u
#define BYTE_ORDER_OWN 0x1a2b3c4du

enum { EPB_DROPCOUNT = 4 };

struct walk {
	struct pcapng_account *account;
	const uint8_t *data;
	uint64_t size;
	uint64_t at;
	bool swapped;
};

struct block {
	uint32_t type;
	const uint8_t *body;
	uint32_t len; /* of the body */
};

static uint32_t get32(const struct walk *walk, const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return walk->swapped ? bswap_32(value) : value;
}

static uint16_t get16(const struct walk *walk, const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return walk->swapped ? bswap_16(value) : value;
}

static uint64_t get64(const struct walk *walk, const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return walk->swapped ? bswap_64(value) : value;
}

/* Options of eight bytes: of a statistics block the value counts, of packets the sum. */
static const char *read_options(struct walk *walk, const uint8_t *at, const uint8_t *end,
				const struct block *block,
				struct pcapng_interface_account *interface)
{
	while (end - at >= 4) {
		uint16_t code = get16(walk, at), len = get16(walk, at + 2);
		uint32_t padded = (len + 3u) & ~3u;

		at += 4;
		if (!code)
			return len || at != end ? "its end of options is not at the end" : NULL;
		if (padded > end - at)
			return "an option exceeds it";
		if (block->type == BLOCK_EPB && code == EPB_DROPCOUNT && len == 8)
			interface->epb_drops += get64(walk, at);
		if (block->type == BLOCK_ISB && code >= ISB_IFRECV && code < ISB_CODES && len == 8)
			interface->isb[code] = get64(walk, at);
		at += padded;
	}
	return at == end ? NULL : "its options are cut";
}

static const char *read_packet(struct walk *walk, const struct block *block)
{
	uint32_t id, caplen;

	if (block->len < 20)
		return "it is too short for a packet";
	id = get32(walk, block->body);
	caplen = get32(walk, block->body + 12);
	if (id >= walk->account->interface_count)
		return "its interface has no description";
	if (caplen > block->len - 20 || ((caplen + 3u) & ~3u) > block->len - 20)
		return "its packet exceeds it";
	walk->account->packets++;
	walk->account->interface[id].packets++;
	return read_options(walk, block->body + 20 + ((caplen + 3u) & ~3u),
			    block->body + block->len, block, &walk->account->interface[id]);
}

static const char *read_statistics(struct walk *walk, const struct block *block)
{
	uint32_t id;

	if (block->len < 12)
		return "it is too short for statistics";
	id = get32(walk, block->body);
	if (id >= walk->account->interface_count)
		return "its interface has no description";
	walk->account->statistics_blocks++;
	return read_options(walk, block->body + 12, block->body + block->len, block,
			    &walk->account->interface[id]);
}

static void end_section(struct walk *walk)
{
	struct pcapng_account *account = walk->account;

	for (uint32_t i = 0; i < walk->account->interface_count; i++) {
		const struct pcapng_interface_account *interface = &account->interface[i];
		uint64_t isb_drops = interface->isb[ISB_IFDROP] + interface->isb[ISB_OSDROP];

		account->epb_drops += interface->epb_drops;
		account->ifrecv += interface->isb[ISB_IFRECV];
		account->ifdrop += interface->isb[ISB_IFDROP];
		account->filteraccept += interface->isb[ISB_FILTERACCEPT];
		account->osdrop += interface->isb[ISB_OSDROP];
		account->usrdeliv += interface->isb[ISB_USRDELIV];
		account->dropped +=
			interface->epb_drops > isb_drops ? interface->epb_drops : isb_drops;
	}
}

static const char *read_block(struct walk *walk, const struct block *block)
{
	switch (block->type) {
	case BLOCK_SHB:
		end_section(walk);
		memset(walk->account->interface, 0, sizeof(walk->account->interface));
		walk->account->interface_count = 0;
		return block->len < 16 ? "it is too short for a section header" : NULL;
	case BLOCK_IDB:
		if (block->len < 8)
			return "it is too short for an interface description";
		if (walk->account->interface_count == PCAPNG_INTERFACES_MAX)
			return "there are too many interfaces for this program";
		walk->account->interface_count++;
		walk->account->interfaces++;
		return NULL;
	case BLOCK_EPB:
		return read_packet(walk, block);
	case BLOCK_SPB:
		walk->account->packets++;
		return walk->account->interface_count ? NULL : "its interface has no description";
	case BLOCK_ISB:
		return read_statistics(walk, block);
	default:
		return NULL;
	}
}

/* A section header says itself in which byte order it is. */
static const char *take_byte_order(struct walk *walk, const uint8_t *at)
{
	uint32_t magic;

	memcpy(&magic, at + 8, sizeof(magic));
	walk->swapped = magic == bswap_32(BYTE_ORDER_OWN);
	return walk->swapped || magic == BYTE_ORDER_OWN ? NULL : "its byte order is unknown";
}

/* The next whole block; false at the end, at a cut or at a fault. */
static bool next_block(struct walk *walk, struct block *block)
{
	const uint8_t *at = walk->data + walk->at;
	uint64_t left = walk->size - walk->at;
	uint32_t len;

	walk->account->cut_bytes = left;
	if (left < 12)
		return false;
	block->type = get32(walk, at);
	if (block->type == BLOCK_SHB) {
		walk->account->fault = take_byte_order(walk, at);
		if (walk->account->fault)
			return false;
	}
	len = get32(walk, at + 4);
	if (len < 12 || len % 4)
		walk->account->fault = "its length is impossible";
	else if (len <= left && get32(walk, at + len - 4) != len)
		walk->account->fault = "its two lengths differ";
	if (walk->account->fault || len > left)
		return false;
	*block = (struct block){block->type, at + 8, len - 12};
	walk->at += len;
	return true;
}

static void walk_blocks(struct walk *walk)
{
	struct pcapng_account *account = walk->account;
	uint32_t type = 0;
	struct block block;

	if (walk->size >= 12)
		memcpy(&type, walk->data, sizeof(type));
	account->is_pcapng = type == BLOCK_SHB;
	if (!account->is_pcapng)
		return;
	account->fault_at = 0;
	while (next_block(walk, &block)) {
		account->fault = read_block(walk, &block);
		if (account->fault)
			break;
		account->blocks++;
		account->fault_at = walk->at;
	}
	end_section(walk);
}

static int walk_file(int file, struct walk *walk)
{
	struct stat status;
	void *data;

	if (fstat(file, &status))
		return -errno;
	if (!S_ISREG(status.st_mode) || !status.st_size)
		return 0;
	data = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (data == MAP_FAILED)
		return -errno;
	walk->data = data;
	walk->size = status.st_size;
	walk_blocks(walk);
	munmap(data, status.st_size);
	return 0;
}

int pcapng_account_read(const char *path, struct pcapng_account *account)
{
	struct walk walk = {.account = account};
	int file = open(path, O_RDONLY | O_CLOEXEC), err;

	*account = (struct pcapng_account){0};
	if (file < 0)
		return -errno;
	err = walk_file(file, &walk);
	close(file);
	return err;
}
