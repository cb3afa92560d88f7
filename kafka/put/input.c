/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
#include <byteswap.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kafka/put/input.h"
#include "pcapng/savefile.h"
#include "pcapng/turn.h"
#include "pcapng/write.h"

#define OF_HEADER(member) offsetof(struct savefile_header, member)
#define OF_RECORD(member) offsetof(struct savefile_record, member)

#define READ_SIZE	 (1u << 20)
#define PCAP_LINK_TYPE	 0xffffu
#define ANNOUNCEMENT_MAX 256
#define NS_PER_S	 1000000000u

void input_init(struct input *in, int fd)
{
	*in = (struct input){.fd = fd};
}

__attribute__((format(printf, 2, 3))) static int fault(struct input *in, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(in->fault, sizeof(in->fault), format, args);
	va_end(args);
	return -EBADMSG;
}

int input_fill(struct input *in)
{
	ssize_t n;
	int e;

	buffer_drop(&in->data, in->taken);
	in->taken = 0;
	e = buffer_reserve(&in->data, READ_SIZE);
	if (e)
		return e;
	n = read(in->fd, in->data.at + in->data.used, in->data.room - in->data.used);
	if (n < 0)
		return -errno;
	in->data.used += (size_t)n;
	in->ended = n == 0;
	return n > 0;
}

static const uint8_t *at(const struct input *in)
{
	return in->data.at + in->taken;
}

size_t input_left(const struct input *in)
{
	return in->data.used - in->taken;
}

static uint32_t number(const struct input *in, size_t from)
{
	return pcapng_u32(at(in) + from, in->swapped);
}

/* The input is no capture: if we know the format, name the program that makes a capture of it. */
static int refuse(struct input *in, uint32_t magic)
{
	static const struct {
		const char *begin, *by;
	} compressed[] = {{"\x28\xb5\x2f\xfd", "zstd"},
			  {"\x1f\x8b", "gzip"},
			  {"\xfd"
			   "7zX",
			   "xz"},
			  {"BZh", "bzip2"},
			  {"\x04\x22\x4d\x18", "lz4"}};

	for (size_t i = 0; i < sizeof(compressed) / sizeof(compressed[0]); i++)
		if (memcmp(at(in), compressed[i].begin, strlen(compressed[i].begin)) == 0)
			return fault(in, "it is compressed: %s -dc FILE | pcapng-kafka put ...",
				     compressed[i].by);
	if (magic == SAVEFILE_MODIFIED || magic == SAVEFILE_NAVTEL)
		return fault(in,
			     "it is a pcap that others have modified: tcpdump -r FILE -w - | pcapng-kafka put ...");
	return fault(in, "it is neither pcapng nor pcap");
}

static int read_pcap_header(struct input *in, uint32_t magic)
{
	if (input_left(in) < sizeof(struct savefile_header))
		return 0;
	in->kind = INPUT_PCAP;
	in->major = pcapng_u16(at(in) + OF_HEADER(major), in->swapped);
	in->minor = pcapng_u16(at(in) + OF_HEADER(minor), in->swapped);
	if (!savefile_is_known(in->major, in->minor))
		return fault(in, "it is pcap of version %u.%u, which is unknown", in->major,
			     in->minor);
	in->fraction = magic == SAVEFILE_NS ? 1 : 1000;
	in->snaplen = number(in, OF_HEADER(snaplen));
	in->link_type = (uint16_t)(number(in, OF_HEADER(link_type)) & PCAP_LINK_TYPE);
	in->taken += sizeof(struct savefile_header);
	return 1;
}

static bool is_savefile(uint32_t magic)
{
	return magic == SAVEFILE_US || magic == SAVEFILE_NS || magic == SAVEFILE_MODIFIED ||
	       magic == SAVEFILE_NAVTEL;
}

static int find_kind(struct input *in)
{
	uint32_t magic, other;

	if (input_left(in) < sizeof(magic))
		return 0;
	memcpy(&magic, at(in), sizeof(magic));
	if (magic == BLOCK_SECTION) {
		in->kind = INPUT_PCAPNG;
		return 1;
	}
	other = bswap_32(magic);
	in->swapped = is_savefile(other);
	magic = in->swapped ? other : magic;
	return magic == SAVEFILE_US || magic == SAVEFILE_NS ? read_pcap_header(in, magic)
							    : refuse(in, magic);
}

static int next_pcapng(struct input *in, struct pcapng_block *b)
{
	in->reader.at = at(in);
	in->reader.end = in->data.at + in->data.used;
	if (pcapng_next(&in->reader, b)) {
		in->taken = (size_t)(in->reader.at - in->data.at);
		return 1;
	}
	if (in->reader.fault)
		return fault(in, "a block is broken: %s", in->reader.fault);
	if (input_left(in) >= BLOCK_LENGTH_MIN &&
	    pcapng_u32(at(in) + 4, in->reader.swapped) > INPUT_BLOCK_MAX)
		return fault(in, "a block claims to be longer than %u bytes", INPUT_BLOCK_MAX);
	return 0;
}

/* Hands out the block that was made. */
static int hand_out(struct input *in, const struct bytes *made, struct pcapng_block *b)
{
	struct pcapng_reader r = {.at = made->at, .end = made->at + made->used};

	if (made->overflow || !pcapng_next(&r, b))
		return fault(in, "a packet of it cannot be put into a block");
	return 1;
}

/* Hands out a section header, then an interface. */
static int announce(struct input *in, struct pcapng_block *b)
{
	const struct pcapng_section section = {.application = NULL};
	const struct pcapng_interface interface = {.snaplen = in->snaplen,
						   .link_type = in->link_type};
	struct bytes made = {.room = ANNOUNCEMENT_MAX};
	int e = buffer_reserve(&in->made, ANNOUNCEMENT_MAX);

	if (e)
		return e;
	made.at = in->made.at;
	if (in->announced++ == 0)
		pcapng_put_section(&made, &section);
	else
		pcapng_put_interface(&made, &interface);
	return hand_out(in, &made, b);
}

/* Turns the frame to this machine's byte order, which its block has. */
static int turn_frame(struct input *in, struct pcapng_frame *f)
{
	struct pcapng_packet p = {.caplen = f->caplen, .len = f->len, .frame = f->data};
	int e = turn_packet(&p, in->link_type, &in->turned);

	f->data = p.frame;
	return e;
}

static int next_pcap(struct input *in, struct pcapng_block *b)
{
	struct pcapng_frame f = {.interface_id = 0};
	struct bytes made;
	int e;

	if (in->announced < 2)
		return announce(in, b);
	if (input_left(in) < sizeof(struct savefile_record))
		return 0;
	f.caplen = number(in, OF_RECORD(caplen));
	f.len = number(in, OF_RECORD(len));
	if (savefile_turns_lengths(in->major, in->minor, f.caplen, f.len)) {
		f.len = f.caplen;
		f.caplen = number(in, OF_RECORD(len));
	}
	if (f.caplen > INPUT_BLOCK_MAX - PCAPNG_FRAME_SIZE(0))
		return fault(in, "a packet claims to have %u bytes", f.caplen);
	if (input_left(in) - sizeof(struct savefile_record) < f.caplen)
		return 0;
	f.time = (uint64_t)number(in, OF_RECORD(seconds)) * NS_PER_S +
		 (uint64_t)number(in, OF_RECORD(fraction)) * in->fraction;
	f.data = at(in) + sizeof(struct savefile_record);
	e = in->swapped ? turn_frame(in, &f) : 0;
	if (e)
		return e;
	e = buffer_reserve(&in->made, PCAPNG_FRAME_SIZE(f.caplen));
	if (e)
		return e;
	made = (struct bytes){.at = in->made.at, .room = in->made.room};
	pcapng_put_frame(&made, &f);
	in->taken += sizeof(struct savefile_record) + f.caplen;
	return hand_out(in, &made, b);
}

int input_next(struct input *in, struct pcapng_block *b)
{
	int n = in->kind == INPUT_UNKNOWN ? find_kind(in) : 1;

	if (n <= 0)
		return n;
	return in->kind == INPUT_PCAPNG ? next_pcapng(in, b) : next_pcap(in, b);
}

void input_free(struct input *in)
{
	buffer_free(&in->data);
	buffer_free(&in->made);
	buffer_free(&in->turned);
}
