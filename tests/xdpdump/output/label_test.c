/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* A book of labels has room for 65,536, and knows when one found none; a label has the group and
 * the command of its time, and says where there is no process. Entries are whole, whatever their
 * lines. The text of a packet is as long as it is said to be at most, also where its network
 * namespace has the longest name.
 */
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "xdpdump/output/entries.h"
#include "xdpdump/output/label.h"
#include "xdpdump/output/packet_text.h"
#include "xdpdump/source/source.h"

#define ROOM  65536u
#define NETNS 7
#define FRAME 76 /* Ethernet, IPv6, TCP, and two bytes */

const char *__wrap_netns_list_name(struct netns_list *l, uint32_t inode, uint64_t time);

/* What a name of a file may be. */
const char *__wrap_netns_list_name(struct netns_list *l, uint32_t inode, uint64_t time)
{
	static char name[256];

	(void)l;
	(void)time;
	assert_int_equal(inode, NETNS);
	return memset(name, 1, sizeof(name) - 1);
}

FILE *__real_open_memstream(char **text, size_t *n);
FILE *__wrap_open_memstream(char **text, size_t *n);
int __real_fclose(FILE *f);
int __wrap_fclose(FILE *f);

static char **written; /* by the last stream in memory */
static bool has_no_memory;

FILE *__wrap_open_memstream(char **text, size_t *n)
{
	written = text;
	return __real_open_memstream(text, n);
}

/* As glibc's, whose realloc() of the text finds no memory. */
int __wrap_fclose(FILE *f)
{
	int e = __real_fclose(f);

	if (has_no_memory) {
		free(*written);
		*written = NULL;
	}
	return e;
}

static void ask(void *of, struct process *p)
{
	(void)p;
	++*(unsigned *)of;
}

static uint32_t label(struct label_book *b, uint32_t pid, unsigned *asked)
{
	struct process p = {.pid = pid, .command = {"x"}};
	const struct who_holders h = {.class = WHO_EXACT, .n = 1, .process = {&p}};

	return label_number(b, &h, 1, ask, asked);
}

static void it_says_when_it_is_full(void **state)
{
	struct label_book *b;
	unsigned asked = 0;

	(void)state;
	assert_int_equal(label_book_open(&b), 0);
	for (uint32_t pid = 1; pid < ROOM; pid++)
		assert_int_equal(label(b, pid, &asked), pid);
	assert_false(label_book_is_full(b));
	assert_int_equal(label(b, 7, &asked), 7);
	assert_int_equal(asked, ROOM - 1);
	assert_int_equal(label(b, ROOM, &asked), 0);
	assert_true(label_book_is_full(b));
	assert_int_equal(label(b, ROOM - 1, &asked), ROOM - 1);
	assert_int_equal(label_count(b), ROOM);
	label_book_close(b);
}

static void ask_group(void *of, struct process *p)
{
	snprintf(p->group.unit, sizeof(p->group.unit), "%s", (const char *)of);
}

static const char *label_in(struct label_book *b, struct process *p, uint64_t time, char *group)
{
	const struct who_holders h = {.class = WHO_EXACT, .n = 1, .process = {p}};

	return label_at(b, label_number(b, &h, time, ask_group, group))->json;
}

static void it_has_the_group_of_its_time(void **state)
{
	struct process p = {.pid = 7, .command = {"x"}};
	char first[] = "a.service", second[] = "b.service";
	struct label_book *b;

	(void)state;
	assert_int_equal(label_book_open(&b), 0);
	assert_non_null(strstr(label_in(b, &p, 10, first), "\"unit\":\"a.service\""));
	p.moved = 20;
	assert_non_null(strstr(label_in(b, &p, 30, second), "\"unit\":\"b.service\""));
	assert_null(strstr(label_in(b, &p, 10, second), "unit"));
	label_book_close(b);
}

static const char *text_at(struct label_book *b, struct process *p, uint64_t time)
{
	const struct who_holders h = {.class = WHO_EXACT, .n = 1, .process = {p}};
	unsigned asked = 0;

	return label_at(b, label_number(b, &h, time, ask, &asked))->text;
}

static void without_memory_it_is_unknown(void **state)
{
	struct label_book *b;
	unsigned asked = 0;

	(void)state;
	assert_int_equal(label_book_open(&b), 0);
	has_no_memory = true;
	assert_int_equal(label(b, 7, &asked), 0);
	has_no_memory = false;
	assert_int_equal(label(b, 7, &asked), 1);
	label_book_close(b);
}

/* Each packet comes right before an exec, and is labeled behind it. */
static void it_has_the_command_of_its_time(void **state)
{
	struct process p = {.pid = 7, .command = {"one"}, .named = 1};
	struct label_book *b;

	(void)state;
	assert_int_equal(label_book_open(&b), 0);
	process_executed(&p, 20, "two");
	assert_string_equal(text_at(b, &p, 19), "one[7]");
	process_executed(&p, 40, "three");
	assert_string_equal(text_at(b, &p, 39), "two[7]");
	assert_string_equal(text_at(b, &p, 10), "?[7]");
	/* Since when it has this name nothing tells. */
	process_named(&p, 50, "three");
	process_named(&p, 60, "four");
	assert_string_equal(text_at(b, &p, 45), "three[7]");
	assert_string_equal(text_at(b, &p, 55), "?[7]");
	process_named(&p, 80, "five");
	assert_string_equal(text_at(b, &p, 60), "four[7]");
	assert_string_equal(text_at(b, &p, 79), "?[7]");
	assert_string_equal(text_at(b, &p, 80), "five[7]");
	label_book_close(b);
}

static const char *comment_of(struct label_book *b, enum who_class class, struct process *p)
{
	const struct who_holders h = {.class = class, .n = p != NULL, .process = {p}};
	unsigned asked = 0;

	return label_at(b, label_number(b, &h, 1, ask, &asked))->comment;
}

static void it_says_that_there_is_no_process(void **state)
{
	struct process p = {.pid = 7, .command = {"x"}};
	struct label_book *b;

	(void)state;
	assert_int_equal(label_book_open(&b), 0);
	assert_string_equal(comment_of(b, WHO_CLOSED, &p), "process x[7] (closed)");
	assert_string_equal(comment_of(b, WHO_CLOSED, NULL), "no process (closed)");
	assert_string_equal(comment_of(b, WHO_FORWARDED, NULL), "no process (forwarded)");
	assert_string_equal(comment_of(b, WHO_UNKNOWN, NULL), "");
	label_book_close(b);
}

static void entries_of_all_lines_are_whole(void **state)
{
	char text[ENTRIES_TEXT_MAX];
	struct epb_entries e;

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		for (unsigned k = 0; k < EPB_ENTRY_KINDS; k++)
			e.line[i][k] = UINT32_MAX - k;
	entries_text(text, "\",\"", &e);
	assert_string_equal(text,
			    "hosts:4294967295\",\"hosts:4294967294\",\"src-hosts:4294967293\",\""
			    "dst-hosts:4294967292\",\"ports:4294967295\",\"ports:4294967294\",\""
			    "src-ports:4294967293\",\"dst-ports:4294967292");
}

struct drop {
	struct epb_header head;
	uint8_t frame[FRAME];
	struct epb_options options;
	uint32_t option;
	struct epb_drop_named drop;
	char words[332]; /* reason, place, interface */
	struct epb_end end;
};

static void a_name_of_a_namespace_has_room(void **state)
{
	static char text[ROOM];
	static struct drop d = {.head = {.total_length = sizeof(d), .caplen = FRAME, .len = FRAME},
				.options = {.packetid_low = UINT32_MAX},
				.option = EPB_OPTION(EPB_OPT_DROP_CODE,
						     sizeof(d.drop) + sizeof(d.words)),
				.drop = {.ifindex = UINT32_MAX, .netns = NETNS}};
	static struct source s = {.drops = true, .ifname = "\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1"};
	struct packet_style style = {.json = true};

	(void)state;
	memset(d.frame, 0xff, sizeof(d.frame));
	d.frame[12] = 0x86;
	d.frame[13] = 0xdd;
	d.frame[14] = 0x60;
	d.frame[20] = IPPROTO_TCP;
	memset(d.words, 'x', sizeof(d.words) - 3);
	d.words[60] = d.words[312] = 0;
	s.names = (void *)text; /* not looked at */
	assert_true(packet_text(text, sizeof(text), &style, &s, &d.head, FRAME) <
		    packet_text_size(&style, &s, FRAME));
	assert_non_null(strstr(text, "\"drop_netns\":7"));
	s.names = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_says_when_it_is_full),
		cmocka_unit_test(it_has_the_group_of_its_time),
		cmocka_unit_test(it_has_the_command_of_its_time),
		cmocka_unit_test(without_memory_it_is_unknown),
		cmocka_unit_test(it_says_that_there_is_no_process),
		cmocka_unit_test(entries_of_all_lines_are_whole),
		cmocka_unit_test(a_name_of_a_namespace_has_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
