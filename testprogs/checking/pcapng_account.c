/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include "pcapng_account.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pcapng/read.h"

/* Reads options of eight bytes: the values of a statistics block, and the sum of packets' drop
 * counts. */
static const char *read_options(const struct pcapng_block *block, uint32_t from,
				struct pcapng_interface_account *interface)
{
	struct pcapng_options options = pcapng_options(block, from);
	struct pcapng_option o;

	while (pcapng_next_option(&options, &o)) {
		if (o.length != 8)
			continue;
		if (block->type == BLOCK_ENHANCED_PACKET && o.code == EPB_DROPCOUNT)
			interface->epb_drops += pcapng_u64(o.value, block->swapped);
		if (block->type == BLOCK_STATISTICS && o.code >= ISB_IFRECV && o.code < ISB_CODES)
			interface->isb[o.code] = pcapng_u64(o.value, block->swapped);
	}
	return options.fault;
}

static const char *read_packet(struct pcapng_account *account, const struct pcapng_block *block)
{
	uint32_t id, caplen;

	if (block->length < 20)
		return "it is too short for a packet";
	id = pcapng_u32(block->body, block->swapped);
	caplen = pcapng_u32(block->body + 12, block->swapped);
	if (id >= account->interface_count)
		return "its interface has no description";
	if (caplen > block->length - 20)
		return "its packet exceeds it";
	account->packets++;
	account->interface[id].packets++;
	return read_options(block, 20 + ((caplen + 3u) & ~3u), &account->interface[id]);
}

static const char *read_statistics(struct pcapng_account *account, const struct pcapng_block *block)
{
	uint32_t id;

	if (block->length < 12)
		return "it is too short for statistics";
	id = pcapng_u32(block->body, block->swapped);
	if (id >= account->interface_count)
		return "its interface has no description";
	account->statistics_blocks++;
	return read_options(block, 12, &account->interface[id]);
}

static void end_section(struct pcapng_account *account)
{
	for (uint32_t i = 0; i < account->interface_count; i++) {
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

static const char *read_block(struct pcapng_account *account, const struct pcapng_block *block)
{
	switch (block->type) {
	case BLOCK_SECTION:
		end_section(account);
		memset(account->interface, 0, sizeof(account->interface));
		account->interface_count = 0;
		return block->length < 16 ? "it is too short for a section header" : NULL;
	case BLOCK_INTERFACE:
		if (block->length < 8)
			return "it is too short for an interface description";
		if (account->interface_count == PCAPNG_INTERFACES_MAX)
			return "there are too many interfaces for this program";
		account->interface_count++;
		account->interfaces++;
		return NULL;
	case BLOCK_ENHANCED_PACKET:
		return read_packet(account, block);
	case BLOCK_SIMPLE_PACKET:
		account->packets++;
		return account->interface_count ? NULL : "its interface has no description";
	case BLOCK_STATISTICS:
		return read_statistics(account, block);
	default:
		return NULL;
	}
}

static void walk_blocks(struct pcapng_account *account, const uint8_t *data, size_t size)
{
	struct pcapng_reader r = {.at = data, .end = data + size};
	struct pcapng_block block;

	account->is_pcapng = size >= BLOCK_LENGTH_MIN && pcapng_u32(data, false) == BLOCK_SECTION;
	if (!account->is_pcapng)
		return;
	while (!account->fault && pcapng_next(&r, &block)) {
		account->fault = read_block(account, &block);
		account->blocks += !account->fault;
		if (!account->fault)
			account->fault_at = (uint64_t)(r.at - data);
	}
	if (r.fault)
		account->fault = r.fault;
	account->cut_bytes = size - account->fault_at;
	end_section(account);
}

static int walk_file(int file, struct pcapng_account *account)
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
	walk_blocks(account, data, status.st_size);
	munmap(data, status.st_size);
	return 0;
}

int pcapng_account_read(const char *path, struct pcapng_account *account)
{
	int file = open(path, O_RDONLY | O_CLOEXEC), err;

	*account = (struct pcapng_account){0};
	if (file < 0)
		return -errno;
	err = walk_file(file, account);
	close(file);
	return err;
}
