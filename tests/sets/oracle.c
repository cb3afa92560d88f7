/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * oracle SINGLES PREFIXES FRAMES FOLDER [DEVICE]: frames by chance, sent into a veth in a namespace
 * of our own, and sets of addresses and prefixes by chance: is what is captured exactly what was
 * asked for, and by a line of the file that has the frame's address? At each hook, or of DEVICE
 * alone, and by each option; and before, while and after the file is read again with another set.
 * What a frame's addresses are is known here, because they are made here; whether a
 * set has them is found out among its entries, which are sorted and joined.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/afxdpcapture.h"
#include "tests/capture/own_net.h"
#include "tests/random.h"
#include "tests/sets/verified.h"

#define BATCH	      256u
#define FRAME_MAX     200u
#define FILE_NAME     "addresses"
#define PORTS_NAME    "ports"
#define WAIT_MS	      20000
#define VERIFIED_MOST 150000u /* instructions */

struct address {
	uint8_t byte[16];
	bool ipv6;
};

struct entry {
	struct address from, to;
};

/* A frame, and its addresses where they are looked at. */
struct frame {
	uint8_t byte[FRAME_MAX];
	unsigned length;
	struct address source, destination;
	unsigned protocol, source_port, destination_port;
	bool has_addresses, has_ports;
};

/* tcp/1000-1099, udp/2000-2099, 3000-3099 and, of a line of its own, sctp/7 */
#define PORTS "tcp/1000-1099 # a comment\nudp/2000-2099,3000-3099\r\n\nsctp/7\n"

static uint64_t state = RANDOM_SEED;
/* Entries as they are in the file, and sorted and joined. */
struct set {
	struct entry *entries, *joined;
	unsigned count, joined_count;
};

/* Frames, by number: are they wanted? EITHER: the set was exchanged meanwhile. */
enum { NO, YES, EITHER };

static struct set sets[2], *set = sets;
static unsigned singles, prefixes, frames;
static uint8_t *want;
static bool *got;
static unsigned passed, failed, tags_looked_behind;
static bool drops_privileges; /* once a capture is open */
static bool by_call;	      /* the program gives the set, without files */
static bool exchanging;	      /* the set in use is one of the two */
static struct frame batch[BATCH];
static unsigned batch_first; /* number of the first frame in it */
static unsigned lines_wrong;

static unsigned below(unsigned n)
{
	return (unsigned)(random_next(&state) >> 20) % n;
}

static struct address any_address(bool ipv6)
{
	struct address a = {.ipv6 = ipv6};

	for (unsigned i = 0; i < (ipv6 ? 16 : 4); i++)
		a.byte[i] = (uint8_t)below(256);
	if (ipv6) { /* few first halves, so that there are neighbors */
		memcpy(a.byte, "\x20\x01\x0d\xb8\0\0\0\0", 8);
		a.byte[5] = (uint8_t)below(4);
		if (!below(8)) /* the first ones of all, and the last ones */
			memset(a.byte, below(2) ? 255 : 0, 8);
	} else if (below(2)) {
		a.byte[0] = 10;
		a.byte[1] = (uint8_t)below(8);
	}
	return a;
}

static struct address with_bits(struct address a, unsigned from, bool set)
{
	for (unsigned i = from; i < (a.ipv6 ? 128u : 32u); i++)
		if (set)
			a.byte[i / 8] |= (uint8_t)(128 >> i % 8);
		else
			a.byte[i / 8] &= (uint8_t) ~(128 >> i % 8);
	return a;
}

static const char *text_of(const struct address *a, char text[INET6_ADDRSTRLEN])
{
	return inet_ntop(a->ipv6 ? AF_INET6 : AF_INET, a->byte, text, INET6_ADDRSTRLEN);
}

static void write_entry(FILE *f, const struct entry *e, unsigned length)
{
	char from[INET6_ADDRSTRLEN], to[INET6_ADDRSTRLEN];

	text_of(&e->from, from);
	text_of(&e->to, to);
	if (!length)
		fprintf(f, below(4) ? "%s\n" : "  %s # a comment\r\n", from);
	else if (below(4))
		fprintf(f, "%s/%u\n", from, length);
	else
		fprintf(f, "%s-%s\n", from, to);
}

static int compare(const struct address *a, const struct address *b)
{
	return a->ipv6 != b->ipv6 ? a->ipv6 - b->ipv6 : memcmp(a->byte, b->byte, 16);
}

static int compare_entries(const void *a, const void *b)
{
	return compare(&((const struct entry *)a)->from, &((const struct entry *)b)->from);
}

static void join(void)
{
	struct entry *to = set->joined;

	memcpy(to, set->entries, set->count * sizeof(*to));
	qsort(to, set->count, sizeof(*to), compare_entries);
	set->joined_count = 0;
	for (unsigned i = 0; i < set->count; i++) {
		struct entry next = to[i], *last = &to[set->joined_count - (i > 0)];

		if (i && compare(&next.from, &last->to) <= 0) {
			if (compare(&next.to, &last->to) > 0)
				last->to = next.to;
		} else {
			to[set->joined_count++] = next;
		}
	}
}

static void make_set(void)
{
	FILE *f = fopen(FILE_NAME ".new", "w");

	if (!f) {
		perror(FILE_NAME);
		exit(1);
	}
	for (set->count = 0; set->count < singles + prefixes; set->count++) {
		struct entry *e = &set->entries[set->count];
		bool ipv6 = below(2);
		unsigned length = set->count < singles ? 0 : ipv6 ? 40 + below(89) : 12 + below(21);

		e->from = e->to = any_address(ipv6);
		if (length) {
			e->from = with_bits(e->from, length, false);
			e->to = with_bits(e->to, length, true);
		}
		write_entry(f, e, length);
	}
	if (fclose(f) || rename(FILE_NAME ".new", FILE_NAME)) {
		perror(FILE_NAME);
		exit(1);
	}
	join();
}

static void make_ports(void)
{
	FILE *f = fopen(PORTS_NAME, "w");

	if (!f || fputs(PORTS, f) < 0 || fclose(f)) {
		perror(PORTS_NAME);
		exit(1);
	}
}

static bool is_in_set(const struct address *a)
{
	unsigned from = 0, behind = set->joined_count;

	while (behind - from > 1) {
		unsigned middle = from + (behind - from) / 2;

		if (compare(&set->joined[middle].from, a) <= 0)
			from = middle;
		else
			behind = middle;
	}
	return compare(&set->joined[from].from, a) <= 0 && compare(a, &set->joined[from].to) <= 0;
}

/* Half of them are in the set, or next to it. */
static struct address choose_address(bool ipv6)
{
	struct address a = any_address(ipv6);
	const struct entry *e = &set->entries[below(set->count)];

	if (below(3) || e->from.ipv6 != ipv6)
		return a;
	a = below(2) ? e->from : e->to;
	if (!below(4))
		a.byte[ipv6 ? 15 : 3] += below(2) ? 1 : 255;
	return a;
}

static void put(struct frame *f, const void *bytes, unsigned n)
{
	memcpy(f->byte + f->length, bytes, n);
	f->length += n;
}

static void put16(struct frame *f, unsigned n)
{
	put(f, (uint8_t[]){(uint8_t)(n >> 8), (uint8_t)n}, 2);
}

/* Only the header: whether lengths and sums are right nobody looks at. */
static void put_ip(struct frame *f, const struct address *s, const struct address *d,
		   unsigned protocol, unsigned fragment)
{
	if (s->ipv6) {
		put(f, "\x60\0\0\0\0\x20", 6);
		put(f, (uint8_t[]){(uint8_t)protocol, 64}, 2);
		put(f, s->byte, 16);
		put(f, d->byte, 16);
		return;
	}
	put(f, "\x45\0\0\x50\0\0", 6);
	put16(f, fragment);
	put(f, (uint8_t[]){64, (uint8_t)protocol, 0, 0}, 4);
	put(f, s->byte, 4);
	put(f, d->byte, 4);
}

static void put_arp(struct frame *f)
{
	bool usual = below(8);

	put(f, usual ? "\0\1\x08\0\6\4\0\1" : "\0\1\x08\0\x08\4\0\1", 8);
	put(f, "\2\0\0\0\0\1", 6);
	put(f, f->source.byte, 4);
	put(f, "\2\0\0\0\0\2", 6);
	put(f, f->destination.byte, 4);
	f->has_addresses = f->has_addresses && usual;
}

/* Up to two tags, or more than are looked behind. */
static unsigned put_tags(struct frame *f)
{
	static const unsigned types[] = {0x8100, 0x88a8, 0x9100};
	unsigned tags = below(3) ? 0 : 1 + below(3);

	for (unsigned i = 0; i < tags; i++) {
		put16(f, types[tags > 1 && !i ? below(3) : 0]);
		put16(f, 1 + below(4000));
	}
	return tags;
}

static void put_labels(struct frame *f)
{
	unsigned n = 1 + below(5);

	put16(f, 0x8847);
	for (unsigned i = 0; i < n; i++)
		put(f, (uint8_t[]){0, 1, i + 1 == n, 64}, 4);
	if (n > 4)
		f->has_addresses = false;
}

static unsigned choose_port(void)
{
	return below(4) ? 990 + 1000 * below(4) + below(120) : 7;
}

static void put_packet(struct frame *f)
{
	struct address inner = choose_address(false), other = choose_address(false);
	unsigned fragment;

	f->protocol = (unsigned[]){6, 17, 132, 1}[below(4)];
	f->source_port = choose_port();
	f->destination_port = choose_port();
	if (!below(8)) { /* a tunnel: inside nobody looks */
		put_ip(f, &f->source, &f->destination, 4, 0);
		put_ip(f, &inner, &other, 17, 0);
	} else {
		fragment = below(4) ? 0 : 0x2001;
		put_ip(f, &f->source, &f->destination, f->protocol, fragment);
		put16(f, f->source_port);
		put16(f, f->destination_port);
		f->has_ports =
			f->has_addresses && f->protocol != 1 && (f->source.ipv6 || !fragment);
	}
}

/* Its number in the last four bytes. */
static void make_frame(struct frame *f, unsigned number)
{
	bool ipv6 = below(2), arp = !ipv6 && !below(4), labels;
	unsigned kind = below(20);

	f->length = 0;
	f->has_ports = false;
	put(f, "\2\0\0\0\0\2\2\0\0\0\0\1", 12);
	f->source = choose_address(ipv6);
	f->destination = choose_address(ipv6);
	f->has_addresses = put_tags(f) <= tags_looked_behind;
	labels = !arp && !below(6);
	if (labels)
		put_labels(f);
	else
		put16(f, kind == 0 ? 0x88cc
			 : arp	   ? (below(4) ? 0x0806 : 0x8035)
			 : ipv6	   ? 0x86dd
				   : 0x0800);
	f->has_addresses = f->has_addresses && (labels || kind);
	if (arp)
		put_arp(f);
	else
		put_packet(f);
	while (f->length < 56)
		put(f, "\0", 1);
	put(f,
	    (uint8_t[]){(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8),
			(uint8_t)number},
	    4);
}

static bool is_port_in_set(unsigned protocol, unsigned port)
{
	return (protocol == 6 && port / 100 == 10) || (protocol == 17 && port / 100 == 20) ||
	       port / 100 == 30 || (protocol == 132 && port == 7);
}

static bool is_wanted_by_port(const struct frame *f, const char *option)
{
	bool negated = strncmp(option, "not-", 4) == 0, in = false;

	option += negated ? 4 : 0;
	if (f->has_ports && strncmp(option, "dst", 3) != 0)
		in = is_port_in_set(f->protocol, f->source_port);
	if (f->has_ports && strncmp(option, "src", 3) != 0)
		in = in || is_port_in_set(f->protocol, f->destination_port);
	return in != negated;
}

/* By the name of the option. */
static bool is_wanted(const struct frame *f, const char *option)
{
	bool negated = strncmp(option, "not-", 4) == 0, in = false;

	if (strstr(option, "ports"))
		return is_wanted_by_port(f, option);
	option += negated ? 4 : 0;
	if (f->has_addresses && strncmp(option, "dst", 3) != 0)
		in = is_in_set(&f->source);
	if (f->has_addresses && strncmp(option, "src", 3) != 0)
		in = in || is_in_set(&f->destination);
	return in != negated;
}

static bool has(const struct entry *e, const struct address *a)
{
	return e->from.ipv6 == a->ipv6 && compare(&e->from, a) <= 0 && compare(a, &e->to) <= 0;
}

/* Of a set that may be in use: is this the line that has the address, or is there none? */
static bool is_line_of(const struct address *a, uint32_t line)
{
	return line ? line <= set->count && has(&set->entries[line - 1], a) : !is_in_set(a);
}

static bool are_lines_of(const struct frame *f, const char *option, const struct epb_entries *e)
{
	const uint32_t *line = e->line[0];

	if (!f->has_addresses)
		return !line[0] && !line[1] && !line[2] && !line[3];
	if (strcmp(option, "hosts") == 0)
		return is_line_of(&f->source, line[EPB_ENTRY_BOTH_SOURCE]) &&
		       is_line_of(&f->destination, line[EPB_ENTRY_BOTH_DESTINATION]);
	return strcmp(option, "src-hosts") == 0
		       ? is_line_of(&f->source, line[EPB_ENTRY_SOURCE])
		       : is_line_of(&f->destination, line[EPB_ENTRY_DESTINATION]);
}

/* Of PORTS. */
static uint32_t line_of_port(const struct frame *f, unsigned port)
{
	if (!is_port_in_set(f->protocol, port))
		return 0;
	return port == 7 ? 4 : port / 100 == 10 ? 1 : 2;
}

static bool are_lines_of_ports(const struct frame *f, const char *option,
			       const struct epb_entries *e)
{
	uint32_t source = f->has_ports ? line_of_port(f, f->source_port) : 0;
	uint32_t destination = f->has_ports ? line_of_port(f, f->destination_port) : 0;
	const uint32_t *line = e->line[1];

	if (strcmp(option, "ports") == 0)
		return line[EPB_ENTRY_BOTH_SOURCE] == source &&
		       line[EPB_ENTRY_BOTH_DESTINATION] == destination;
	return strcmp(option, "src-ports") == 0 ? line[EPB_ENTRY_SOURCE] == source
						: line[EPB_ENTRY_DESTINATION] == destination;
}

/* not-forms have none. While the file is exchanged both lines are of one set. */
static bool has_entries(const char *device, const char *option)
{
	return strncmp(option, "not-", 4) != 0 && !strstr(device, "zero-copy");
}

static bool are_lines_right(const struct frame *f, const char *option, const struct epb_entries *e)
{
	bool right;

	if (strstr(option, "ports"))
		return are_lines_of_ports(f, option, e);
	if (!exchanging)
		return are_lines_of(f, option, e);
	set = &sets[0];
	right = are_lines_of(f, option, e);
	set = &sets[1];
	return right || are_lines_of(f, option, e);
}

static void check_lines(const struct epb_header *r, unsigned number, const char *option)
{
	const struct epb_lengths l = {.total = r->total_length, .caplen = r->caplen};
	struct epb_entries e;

	if (number < batch_first || number >= batch_first + BATCH)
		return;
	if (!afxdp_entries_of(r, &l, &e) ||
	    !are_lines_right(&batch[number - batch_first], option, &e))
		lines_wrong++;
}

static int open_sender(const char *name)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex(name)};
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&to, sizeof(to))) {
		perror("oracle: a socket to send by");
		exit(1);
	}
	return fd;
}

/* The file as it is, by a call. */
static void give(struct afxdp_capture *c, const char *option)
{
	char err[AFXDP_ERROR_SIZE] = "", *text = NULL;
	struct afxdp_addresses list = {.option = option};
	FILE *f = fopen(FILE_NAME, "r");

	if (!f || getdelim(&text, &list.length, EOF, f) < 0) {
		perror(FILE_NAME);
		exit(1);
	}
	list.length = strlen(text);
	list.text = text;
	fclose(f);
	if (afxdp_addresses_replace(c, &list, 1, err, sizeof(err))) {
		printf("FAILED: a set by a call: %s\n", err);
		failed++;
	}
	free(text);
}

/* As a program that gives sets: room for all of them, and prefixes take more. */
static void ask_for_lists(struct afxdp_options *o, const char *option)
{
	char room[16], err[AFXDP_ERROR_SIZE];

	snprintf(room, sizeof(room), "%u", singles + 8 * prefixes);
	if (afxdp_options_set(o, "lists", option, err, sizeof(err)) ||
	    afxdp_options_set(o, "set-max", room, err, sizeof(err))) {
		printf("FAILED: lists=%s: %s\n", option, err);
		failed++;
	}
}

static struct afxdp_capture *open_capture(const char *device, const char *option)
{
	char name[256], err[AFXDP_ERROR_SIZE] = "";
	struct afxdp_options *o = afxdp_options_new();
	struct afxdp_capture *c = NULL;

	if (by_call) {
		snprintf(name, sizeof(name), "%s", device);
		ask_for_lists(o, option);
	} else {
		snprintf(name, sizeof(name), "%s,%s=%s", device, option,
			 strstr(option, "ports") ? PORTS_NAME : FILE_NAME);
	}
	if (afxdp_options_device(o, name, err, sizeof(err)) ||
	    afxdp_options_set(o, "immediate", "on", err, sizeof(err)) ||
	    afxdp_options_set(o, "entries", has_entries(device, option) ? "on" : "off", err,
			      sizeof(err)) ||
	    afxdp_open(&c, o, err, sizeof(err))) {
		printf("FAILED: %s: %s\n", name, err);
		failed++;
	}
	afxdp_options_free(o);
	if (c && by_call)
		give(c, option);
	return c;
}

/* Notes the numbers of what was recorded. Returns how many were wanted. option: whose lines they
 * name; NULL: none. */
static unsigned read_some(struct afxdp_reader *r, const char *option)
{
	const struct epb_header *at;
	struct afxdp_run run;
	unsigned n = 0;

	while (afxdp_run(r, &run) > 0) {
		for (at = run.first; afxdp_run_has(&run, at); at = epb_next(at)) {
			const uint8_t *end = epb_frame(at) + at->caplen;
			unsigned number = (unsigned)end[-4] << 24 | (unsigned)end[-3] << 16 |
					  (unsigned)end[-2] << 8 | end[-1];

			if (number >= frames)
				continue;
			if (option)
				check_lines(at, number, option);
			n += want[number] == YES && !got[number];
			got[number] = true;
		}
		afxdp_run_done(r, &run, at);
	}
	return n;
}

/* While the file is read again, either set may be in use. */
static uint8_t wants(const struct frame *f, const char *option)
{
	uint8_t one;

	if (!exchanging)
		return is_wanted(f, option);
	set = &sets[0];
	one = is_wanted(f, option);
	set = &sets[1];
	return is_wanted(f, option) == one ? one : EITHER;
}

/* All that is wanted is waited for. */
static void run_batch(struct afxdp_capture *c, int sender, const char *option, bool entries)
{
	const char *told = entries ? option : NULL;
	unsigned wanted = 0, there;

	for (unsigned i = batch_first; i < batch_first + BATCH && i < frames; i++) {
		struct frame *f = &batch[i - batch_first];

		make_frame(f, i);
		want[i] = wants(f, option);
		wanted += want[i] == YES;
		if (send(sender, f->byte, f->length, 0) < 0) {
			perror("oracle: send");
			exit(1);
		}
	}
	there = read_some(afxdp_reader(c), told);
	while (there < wanted && afxdp_wait(afxdp_reader(c), WAIT_MS) == 0) {
		unsigned more = read_some(afxdp_reader(c), told);

		there += more;
		if (!more)
			break;
	}
}

/*
 * The file has another set now: a third of the frames come before that, a third while it is read,
 * and the rest after it has a third one, which counts from the return on.
 */
static void exchange(struct afxdp_capture *c, const char *option, bool wait)
{
	char err[AFXDP_ERROR_SIZE];
	int e;

	set = &sets[!wait];
	make_set();
	exchanging = !wait;
	if (by_call) {
		give(c, option);
		return;
	}
	e = afxdp_addresses_reload(c, wait, err, sizeof(err));
	if (!e)
		return;
	printf("FAILED: the file is read again: %s\n", err);
	failed++;
}

/* All that root has but the files that are his. */
static void drop_privileges(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {{0}};

	if (syscall(SYS_capset, &head, none)) {
		perror("oracle: capset");
		exit(1);
	}
}

static void run_capture(const char *device, const char *option, bool exchanges)
{
	struct afxdp_capture *c = open_capture(device, option);
	bool entries = has_entries(device, option);
	unsigned wrong = 0, wanted = 0;
	int sender;

	if (!c)
		return;
	memset(got, 0, frames);
	memset(want, 0, frames);
	tags_looked_behind = strcmp(device, "any") ? 2 : 1;
	sender = open_sender("va");
	read_some(afxdp_reader(c), NULL); /* from here on it diverts */
	if (drops_privileges)
		drop_privileges();
	lines_wrong = 0;
	for (unsigned third = 0, sent = 0; sent < frames; sent += BATCH) {
		if (exchanges && third < 2 && sent > frames / 3 * (third + 1))
			exchange(c, option, third++);
		batch_first = sent;
		run_batch(c, sender, option, entries);
	}
	exchanging = false;
	set = &sets[0];
	close(sender);
	read_some(afxdp_reader(c), NULL);
	afxdp_close(c);
	for (unsigned i = 0; i < frames; i++) {
		wanted += want[i] == YES;
		wrong += want[i] != EITHER && want[i] != got[i];
	}
	wrong += lines_wrong;
	printf("%s: %s,%s%s: %u of %u frames wanted, %u wrong, %u of them by their lines\n",
	       wrong ? "FAILED" : "ok", device, option,
	       by_call	   ? ", by calls"
	       : exchanges ? ", exchanged"
			   : "",
	       wanted, frames, wrong, lines_wrong);
	fflush(stdout); /* one of 10 million takes minutes */
	if (wrong)
		failed++;
	else
		passed++;
}

/* It takes a million, and seconds for that. */
static void check_verifier(void)
{
	struct afxdp_capture *c = open_capture("vb,hook=xdp,ports=" PORTS_NAME, "hosts");
	uint32_t n = c ? verified() : 0;
	bool is_right = n <= VERIFIED_MOST;

	if (!c)
		return;
	afxdp_close(c);
	printf("%s: the verifier goes through %u instructions\n", is_right ? "ok" : "FAILED", n);
	if (is_right)
		passed++;
	else
		failed++;
}

static void run_all(void)
{
	static const char *const devices[] = {"vb,hook=xdp",
					      "vb,hook=tc",
					      "vb,hook=packet",
					      "vb,hook=xdp,xdp-mode=skb",
					      "va,hook=tc",
					      "va,sent-at=packet,hook=packet",
					      "any",
					      "vb,engine=divert,zero-copy=off",
					      "vb,engine=divert",
					      "vb,hook=xdp,after=drop"};
	static const char *const options[] = {"hosts",	   "src-hosts",	    "dst-hosts",
					      "not-hosts", "not-src-hosts", "not-dst-hosts",
					      "ports",	   "src-ports",	    "dst-ports",
					      "not-ports", "not-src-ports", "not-dst-ports"};

	for (unsigned d = 0; d < sizeof(devices) / sizeof(devices[0]); d++)
		for (unsigned i = 0; i < 12; i++)
			if (i >= 6 && (d ? i == (d * 5) % 12 : i % 2))
				run_capture(devices[d], options[i], false);
	for (unsigned d = 0; d < sizeof(devices) / sizeof(devices[0]); d++) {
		set = &sets[0];
		make_set();
		run_capture(devices[d], options[d % 6], true);
	}
}

static void refuses(struct afxdp_capture *c, const struct afxdp_addresses *lists, unsigned n,
		    const char *words)
{
	char err[AFXDP_ERROR_SIZE] = "";
	bool is_right =
		afxdp_addresses_replace(c, lists, n, err, sizeof(err)) < 0 && strstr(err, words);

	printf("%s: refused: %s\n", is_right ? "ok" : "FAILED", is_right ? words : err);
	if (is_right)
		passed++;
	else
		failed++;
}

/* What is wrong with lists that a program gives. */
static void check_refused(void)
{
	const struct afxdp_addresses wrong[] = {
		{"hosts", "192.0.2.1\n192.0.2.256\n", 22},
		{"src-hosts", "", 0},
		{"hosts", "", 0},
		{"hosts", "", 0},
	};
	struct afxdp_capture *c;

	by_call = true;
	c = open_capture("vb,hook=packet", "hosts");
	if (!c)
		return;
	refuses(c, &wrong[0], 1, "hosts, line 2: 192.0.2.256: give an address");
	refuses(c, &wrong[1], 1, "src-hosts is not in lists=");
	refuses(c, &wrong[2], 2, "hosts is not in lists=, or was given twice");
	afxdp_close(c);
	by_call = false;
	c = open_capture("vb,hook=packet", "hosts");
	if (!c)
		return;
	refuses(c, &wrong[2], 1, "no list was asked for");
	afxdp_close(c);
}

static void run_by_calls(void)
{
	check_refused();
	by_call = true;
	set = &sets[0];
	make_set();
	run_capture("vb,hook=xdp", "hosts", true);
	set = &sets[0];
	make_set();
	drops_privileges = true;
	run_capture("vb,hook=packet", "not-dst-hosts", true);
}

int main(int argc, char **argv)
{
	if ((argc != 5 && argc != 6) || chdir(argv[4])) {
		fprintf(stderr, "oracle SINGLES PREFIXES FRAMES FOLDER [DEVICE]\n");
		return 2;
	}
	singles = (unsigned)atoi(argv[1]);
	prefixes = (unsigned)atoi(argv[2]);
	frames = (unsigned)atoi(argv[3]);
	for (unsigned i = 0; i < 2; i++) {
		sets[i].entries = calloc(singles + prefixes, sizeof(*set->entries));
		sets[i].joined = calloc(singles + prefixes, sizeof(*set->joined));
		if (!sets[i].entries || !sets[i].joined)
			return 1;
	}
	want = calloc(frames, 1);
	got = calloc(frames, 1);
	if (!want || !got)
		return 1;
	own_net();
	veth_pair("");
	make_set();
	make_ports();
	if (argc == 6) {
		run_capture(argv[5], "hosts", true);
	} else {
		check_verifier();
		run_all();
		run_by_calls();
	}
	for (unsigned i = 0; i < 2; i++) {
		free(sets[i].entries);
		free(sets[i].joined);
	}
	free(want);
	free(got);
	unlink(FILE_NAME);
	unlink(PORTS_NAME);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
