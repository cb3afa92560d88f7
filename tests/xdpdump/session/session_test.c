/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Captures from rings in memory: what is said, the closing statistics, JSON, figures and each block
 * of the files are those of stories.txt, to the byte. What was meant to change is told by
 *
 *	tests/xdpdump/session/session_test --print > tests/xdpdump/session/stories.txt
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_capture.h"
#include "pcapng/read.h"
#include "xdpdump/cli/options.h"
#include "xdpdump/session/session.h"

#define WORDS_MAX 40

enum {
	REFINES = 1,
	BY_CHANCE = 2 /* which file a packet is in */
};

struct story {
	const char *name, *words, *events;
	unsigned batch, lost, flags;
};

static const struct story stories[] = {
	{"a file", "-i a -w f", "rmr", 20, 3, 0},
	{"a file, in JSON", "-i a -w f --json", "rm", 20, 3, 0},
	{"all rows", "-i a -w f -v", "m", 20, 3, 0},
	{"quiet", "-i a -w f -q", "m", 20, 3, 0},
	{"the older format", "-i a -w f --use-pcap", "m", 4, 0, 0},
	{"lines", "-i a", "m", 3, 1, 0},
	{"lines and a file", "-i a -w f --print", "m", 3, 1, 0},
	{"objects", "-i a --json", "r", 3, 1, 0},
	{"a count", "-i a -w f -c 37", "m", 20, 3, 0},
	{"a count of lines", "-i a -c 4", "m", 20, 3, 0},
	{"a second signal", "-i a -w f", "ms", 20, 0, 0},
	{"files by packets", "-i a -w f -b packets:25", "m", 20, 3, 0},
	{"files by size", "-i a -w f -b filesize:2", "m", 20, 3, 0},
	{"two files of a ring", "-i a -w f -b packets:25 -b files:2 --json", "rm", 20, 3, 0},
	{"files by signal", "-i a -w f -W 4 -G 3600", "fmfm", 5, 0, 0},
	{"so many files", "-i a -w f -b packets:9 -a files:3", "m", 20, 0, 0},
	{"files by time", "-i a -w f -b interval:60", "", 20, 0, 0},
	{"a disk that is full", "-i a -w f --disk-limit 20K", "mmm", 20, 0, 0},
	{"the oldest files go", "-i a -w f -b packets:25 --disk-limit 12K", "mm", 20, 0, 0},
	{"received frames", "-i a -w f -Q in", "", 20, 0, 0},
	{"figures", "-i a -w f --metrics metrics --stats-file stats", "m", 20, 3, 0},
	{"a filter in user space", "-i a -w f ip", "rm", 20, 3, REFINES},
	{"cut and counted", "-i a -w f -c 11 ip", "m", 20, 3, REFINES},
	{"two interfaces", "-i a -i b -w f", "rm", 20, 3, 0},
	{"two interfaces, in JSON", "-i a -i b -w f --json", "rm", 20, 3, 0},
	{"one of two is gone", "-i a -i b -w f", "gm", 20, 3, 0},
	{"one of two is gone, and that is the end", "-i a -i b -w f --stop-when-gone", "gm", 20, 3,
	 0},
	{"it is gone", "-i a -w f", "mg", 20, 3, 0},
	{"one of two is gone, files", "-i a -i b -w f -b packets:50", "gm", 20, 3, 0},
	{"a trigger that comes by signal", "-i a -w f --trigger ip6", "rum", 20, 3, 0},
	{"a trigger that does not come", "-i a -w f --trigger ip6", "m", 20, 3, 0},
	{"a trigger that matches", "-i a -w f --trigger ether[0]=0x8f", "m", 20, 3, 0},
	{"kept until a signal", "-i a -w f --pre-trigger 1M --json", "rum", 20, 3, 0},
	{"kept until a signal and the end, which come together", "-i a -w f --pre-trigger 1M", "U",
	 20, 3, 0},
	{"kept for nothing", "-i a -w f --pre-trigger 1M", "m", 20, 3, 0},
	{"any", "-i any -w f", "rmjlm", 8, 1, 0},
	{"any, files", "-i any -w f -b packets:7", "mjlm", 8, 1, 0},
	{"any, but two packets", "-i any -w f -c 2", "m", 8, 1, 0},
	{"any and an interface", "-i any -i b -w f --json", "jlm", 8, 1, 0},
	{"by names", "-i m* -w f", "rmjlm", 8, 1, 0},
	{"by names, files", "-i m* -i n? -w f -b packets:7", "mjlm", 8, 1, 0},
	{"by names, and an interface", "-i m* -i b -w f --json", "jlm", 8, 1, 0},
	{"by names, cut and counted", "-i m* -w f -c 11", "jlm", 8, 1, REFINES},
	{"any is gone", "-i any -i b -w f", "jmgm", 8, 1, 0},
	{"any, by interfaces, a signal", "-i any -w f -W 9 -G 3600", "fmjfmlf", 5, 0, 0},
	{"drops", "-i a --drops=only -w f", "m", 8, 1, 0},
	{"an interface and its drops", "-i a --drops -w f --json", "rm", 8, 1, 0},
	{"drops by names", "-i m* --drops=only -w f", "m", 8, 1, 0},
	{"namespaces", "--netns all -i any -w f", "rmioIm", 8, 1, 0},
	{"namespaces, in JSON", "--netns all -i any -w f --json", "mIm", 8, 1, 0},
	{"namespaces by names", "--netns [br]* -i m* -w f", "mIOm", 8, 1, 0},
	{"namespaces, interfaces by names", "--netns all -i m2 -i m9 -w f", "mioIm", 8, 1, 0},
	{"namespaces, files", "--netns all -i any -w f -b packets:7", "mioIOm", 8, 1, 0},
	{"namespaces, cut and counted", "--netns all -i any -w f -c 30", "mIm", 8, 1, REFINES},
	{"namespaces, lines", "--netns all -i any", "IOm", 2, 0, 0},
	{"namespaces, quiet", "--netns all -i any -w f -q", "mioIOm", 8, 1, 0},
	{"namespaces and an interface", "-i b --netns all -i any -w f", "mioIOm", 8, 1, 0},
	{"namespaces, nobody tells", "--netns all -i any -w f", "mEm", 8, 1, 0},
	{"namespaces, another name", "--netns all -i any -w f", "mnmnm", 8, 1, 0},
	{"namespaces, a name that is not wanted", "--netns all -i m1 -i m2 -w f --json", "mnmnm", 8,
	 1, 0},
	{"namespaces, another name that is heard of late", "--netns all -i any -w f", "mNm", 8, 1,
	 0},
	{"namespaces, another of its number that is heard of late", "--netns all -i any -w f", "mA",
	 8, 1, 0},
	{"namespaces, another of its number that is heard of late, lines", "--netns [br]* -i any",
	 "mA", 4, 0, 0},
	{"namespaces and drops, another of its number that is heard of late",
	 "--netns [br]* -i any --drops -w f", "mA", 8, 1, 0},
	{"namespaces and drops", "--netns all -i m* --drops -w f", "mioIOm", 8, 1, 0},
	{"drops of namespaces", "--netns [br]* -i any --drops=only -w f", "mioIOm", 8, 1, 0},
	{"a warning", "-i a -w f", "mwm", 8, 0, 0},
	{"a warning of two", "-i a -i b -w f --json", "mwm", 8, 0, 0},
	{"by rings, a warning", "-i a -w f --files-per-queue --json", "mwm", 8, 0, 0},
	{"by rings", "-i a -w f --files-per-queue", "mrm", 20, 3, 0},
	{"by rings, all rows", "-i a -w f --files-per-queue -v", "mm", 20, 3, 0},
	{"by rings, in JSON", "-i a -w f --files-per-queue --json", "rm", 20, 3, 0},
	{"by rings, quiet", "-i a -w f --files-per-queue -q", "m", 20, 3, 0},
	{"by rings, files", "-i a -w f --files-per-queue -b packets:9", "m", 20, 3, 0},
	{"by rings, a filter in user space", "-i a -w f --files-per-queue ip", "m", 20, 3, REFINES},
	{"by rings, two interfaces", "-i a -i b -w f --files-per-queue", "rm", 20, 3, 0},
	{"by rings, two interfaces, in JSON", "-i a -i b -w f --files-per-queue --json", "rm", 20,
	 3, 0},
	{"by rings, one of two is gone", "-i a -i b -w f --files-per-queue", "gm", 20, 3, 0},
	{"by rings, one of two is gone, and that is the end",
	 "-i a -i b -w f --files-per-queue --stop-when-gone", "g", 20, 3, 0},
	{"by rings, what one that is gone has refused", "-i a -i b -w f --files-per-queue --json",
	 "gr", 20, 3, REFINES},
	{"by rings, it is gone", "-i a -w f --files-per-queue", "mg", 20, 3, 0},
	{"by rings, a count", "-i a -w f --files-per-queue -c 37", "", 20, 3, BY_CHANCE},
	{"by rings, figures", "-i a -w f --files-per-queue --metrics metrics --stats-file stats",
	 "m", 20, 3, 0},
	{"by rings, names that are the same", "-i a -i a -w f --files-per-queue", "", 20, 3, 0},
	{"no place for the file", "-i a -w no/f", "", 20, 3, 0},
	{"by rings, no place for the files", "-i a -w no/f --files-per-queue", "", 20, 3, 0},
	{"a device that is full", "-i a -w /dev/full", "m", 20, 3, 0},
};

/* --- What is left of a story, in words. --- */

static void print_value(FILE *to, const struct pcapng_option *o)
{
	if (o->length == 8)
		fprintf(to, " %u=%" PRIu64, o->code, pcapng_u64(o->value, false));
}

static void print_statistics(FILE *to, const struct pcapng_block *b)
{
	struct pcapng_options all = pcapng_options(b, 12);
	struct pcapng_option o;

	fprintf(to, "  statistics of %u:", pcapng_u32(b->body, false));
	while (pcapng_next_option(&all, &o))
		print_value(to, &o);
	fputc('\n', to);
}

static void print_interface(FILE *to, const struct pcapng_block *b)
{
	struct pcapng_options all = pcapng_options(b, 8);
	struct pcapng_option o;

	fprintf(to, "  interface, link %u, at most %u", pcapng_u16(b->body, false),
		pcapng_u32(b->body + 4, false));
	while (pcapng_next_option(&all, &o))
		if (o.code == 2 || o.code == 3)
			fprintf(to, ", %.*s", o.length, (const char *)o.value);
	fputc('\n', to);
}

static uint64_t digest(uint64_t so_far, const uint8_t *at, size_t n)
{
	while (n--)
		so_far = (so_far ^ *at++) * 0x100000001b3u;
	return so_far;
}

/* Packets one behind the other are a line. */
static void print_packets(FILE *to, unsigned *n, uint64_t *sum)
{
	if (*n)
		fprintf(to, "  %u packets, %016" PRIx64 "\n", *n, *sum);
	*n = 0;
	*sum = 0xcbf29ce484222325u;
}

static void print_blocks(FILE *to, const uint8_t *at, size_t size)
{
	struct pcapng_reader r = {.at = at, .end = at + size};
	struct pcapng_block b;
	unsigned n = 0;
	uint64_t sum;

	print_packets(to, &n, &sum);
	while (pcapng_next(&r, &b)) {
		if (b.type == BLOCK_ENHANCED_PACKET) {
			sum = digest(sum, b.body, b.length);
			n++;
			continue;
		}
		print_packets(to, &n, &sum);
		if (b.type == BLOCK_STATISTICS)
			print_statistics(to, &b);
		else if (b.type == BLOCK_INTERFACE)
			print_interface(to, &b);
		else
			fprintf(to, "  block %08x\n", b.type);
	}
	print_packets(to, &n, &sum);
	if (r.at != r.end)
		fprintf(to, "  and %zu bytes that are none\n", (size_t)(r.end - r.at));
}

/*
 * While a capture goes on, its output is written by a thread, and a report may be ahead of that. Is
 * the number that stands at this place of such a report none of the story's?
 */
static bool is_of_chance(const char *line, const char *at)
{
	static const char *const before[] = {"\"captured\":", "\"received\":", "\"bytes\":",
					     "\"sent_received\":"};

	if (strstr(line, " packets captured, ") && strstr(line, " left"))
		return true;
	for (unsigned i = 0; i < sizeof(before) / sizeof(*before); i++) {
		size_t n = strlen(before[i]);

		if (strstr(line, "\"final\":false") && (size_t)(at - line) >= n &&
		    memcmp(at - n, before[i], n) == 0)
			return true;
	}
	return false;
}

/* New counters are 0, and not of the story. How long a member of an object, or a figure of a line,
 * is that says 0 and stands here. */
static size_t zero_at(const char *at)
{
	int n = 0;

	if (*at == ',')
		sscanf(at, ",\"%*[a-z_]\":0%n", &n);
	return n && (at[n] == ',' || at[n] == '}') ? (size_t)n : 0;
}

static void print_line(FILE *to, const char *text)
{
	const char *line = text;

	if ((strncmp(line, "0 ", 2) == 0 && !is_of_chance(line, line)) ||
	    (strstr(line, "{capture=") && strstr(line, "} 0")))
		return;
	fputs("  ", to);
	while (*line) {
		size_t digits = strspn(line, "0123456789"), none = zero_at(line);

		if (none && is_of_chance(text, line + none - 1))
			none = 0;
		if (digits && is_of_chance(text, line))
			fputc('#', to);
		else if (!none)
			fprintf(to, "%.*s", digits ? (int)digits : 1, line);
		line += none ? none : digits ? digits : 1;
	}
	fputc('\n', to);
}

/* It ends with a zero, and is changed. */
static void print_text(FILE *to, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		if ((text || *line) && line[0] != '#')
			print_line(to, line);
}

static void print_file(FILE *to, const char *name, unsigned flags)
{
	static const uint8_t section[] = {0x0a, 0x0d, 0x0d, 0x0a},
			     older[] = {0x4d, 0x3c, 0xb2, 0xa1};
	static uint8_t data[1 << 20];
	FILE *f = fopen(name, "r");
	size_t size = f ? fread(data, 1, sizeof(data) - 1, f) : 0;

	if (f)
		fclose(f);
	if (!size && (strcmp(name, "said") == 0 || strcmp(name, "printed") == 0))
		return;
	fprintf(to, "%s:\n", name);
	if (size >= 4 && memcmp(data, section, 4) == 0) {
		if (!(flags & BY_CHANCE))
			print_blocks(to, data, size);
	} else if (size >= 4 && memcmp(data, older, 4) == 0) {
		fprintf(to, "  %zu bytes, %016" PRIx64 "\n", size, digest(0, data, size));
	} else {
		data[size] = 0;
		print_text(to, (char *)data);
	}
}

static void print_folder(FILE *to, unsigned flags)
{
	struct dirent **list;
	int n = scandir(".", &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		if (list[i]->d_name[0] != '.') {
			print_file(to, list[i]->d_name, flags);
			unlink(list[i]->d_name);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

/* --- A story. --- */

static void be_xdpdump(const struct story *s)
{
	char line[256], *words[WORDS_MAX] = {"xdpdump"}, *at = line;
	struct options o;
	int n = 1, status = 2;

	if (!freopen("said", "w", stderr) || !freopen("printed", "w", stdout))
		_exit(3);
	program_invocation_short_name = words[0];
	snprintf(line, sizeof(line), "%s", s->words);
	for (; at && n < WORDS_MAX - 1; n++)
		words[n] = strsep(&at, " ");
	fake_begin(&(struct fake_story){.events = s->events,
					.batch = s->batch,
					.lost = s->lost,
					.refines = s->flags & REFINES});
	if (options_parse(&o, n, words) == 0)
		status = session_run(&o);
	options_free(&o);
	exit(status);
}

static void tell(FILE *to, const struct story *s)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0)
		be_xdpdump(s);
	waitpid(child, &status, 0);
	fprintf(to, "== %s: xdpdump %s: ", s->name, s->words);
	if (WIFEXITED(status))
		fprintf(to, "status %d\n", WEXITSTATUS(status));
	else
		fprintf(to, "signal %d\n", WTERMSIG(status));
	print_folder(to, s->flags);
}

/* --- What it was to be. --- */

static char *read_all(const char *name)
{
	char *text = calloc(1, 1 << 20);
	FILE *f = fopen(name, "r");

	if (!f || !text || !fread(text, 1, (1 << 20) - 1, f)) {
		perror(name);
		exit(2);
	}
	fclose(f);
	return text;
}

static bool is_told(const struct story *s, const char *wanted)
{
	char *text, heading[128];
	const char *from, *next;
	size_t length, size;
	FILE *f = open_memstream(&text, &size);
	bool same;

	if (!f)
		exit(2);
	tell(f, s);
	fclose(f);
	snprintf(heading, sizeof(heading), "== %s: ", s->name);
	from = strstr(wanted, heading);
	next = from ? strstr(from, "\n== ") : NULL;
	length = !from ? 0 : next ? (size_t)(next + 1 - from) : strlen(from);
	same = length == size && memcmp(from, text, size) == 0;
	printf("%s: %s\n", same ? "ok" : "FAILED", s->name);
	if (!same)
		printf("wanted:\n%.*s\ngot:\n%s\n", (int)length, from ? from : "", text);
	free(text);
	return same;
}

static void enter_folder(char *folder)
{
	if (!mkdtemp(folder) || chdir(folder)) {
		perror(folder);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	const char *srcdir = getenv("srcdir");
	char folder[] = "/tmp/session_test.XXXXXX", name[PATH_MAX];
	unsigned n = sizeof(stories) / sizeof(*stories), passed = 0;
	bool prints = argc > 1 && strcmp(argv[1], "--print") == 0;
	char *wanted = NULL;

	snprintf(name, sizeof(name), "%s/tests/xdpdump/session/stories.txt", srcdir ? srcdir : ".");
	if (!prints)
		wanted = read_all(name);
	setenv("TZ", "UTC", 1);
	enter_folder(folder);
	if (prints)
		printf("# SPDX-License-Identifier: BSD-3-Clause\n# SPDX-FileCopyrightText: 2026 pcap-afxdp contributors\n");
	for (unsigned i = 0; i < n; i++) {
		if (prints)
			tell(stdout, &stories[i]);
		else
			passed += is_told(&stories[i], wanted);
	}
	free(wanted);
	if (chdir("/") || rmdir(folder))
		perror(folder);
	if (prints)
		return 0;
	printf("%u passed, %u failed, 0 skipped\n", passed, n - passed);
	return passed != n;
}
