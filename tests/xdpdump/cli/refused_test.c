/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/* Command lines are refused, and with the right words: values that are none, and options that do
 * not go together. */
#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "xdpdump/cli/options.h"
#include "xdpdump/os/complain.h"

#define WORDS_MAX 256
#define SEVENTY(word)                                                                              \
	word word word word word word word word word word word word word word word word word word  \
		word word word word word word word word word word word word word word word word    \
			word word word word word word word word word word word word word word word \
				word word word word word word word word word word word word word   \
					word word word word word word word word
#define NOTHING	 ""
#define TO_FILE	 "-i vb -w made "
#define TOGETHER " do not go together"
#define THE_SAME " name the same file: each needs its own"

/* With a value at the %s of the line; NULL: as it is. Empty: nothing was wrong. */
static const char *answer(const char *line, const char *value)
{
	static char text[4096], copy[4096], with_value[64];
	char *words[WORDS_MAX] = {"xdpdump"}, *at = copy;
	struct options o;
	int n = 1;

	snprintf(copy, sizeof(copy), "%s", line);
	for (; at && n < WORDS_MAX - 1; n++) {
		words[n] = strsep(&at, " ");
		if (!value || !strstr(words[n], "%s"))
			continue;
		snprintf(with_value, sizeof(with_value), "%.*s%s", (int)strcspn(words[n], "%"),
			 words[n], value);
		words[n] = with_value;
	}
	text[0] = 0;
	complain_into(text, sizeof(text));
	optind = 0;
	if (options_parse(&o, n, words) == 0)
		text[0] = 0;
	options_free(&o);
	complain_into(NULL, 0);
	return text;
}

static void is_refused(const char *line, const char *value, const char *says)
{
	const char *said = answer(line, value);
	const char *end = strchr(said, '\n');

	if (!strstr(said, says) || !end || end[1])
		fail_msg("%s, %s\n  is answered: %s\n  and not: %s", line,
			 value ? value : "no value", said, says);
}

static void values_that_are_none(void **state)
{
	static const struct {
		const char *line, *values, *says; /* values: with | in between */
	} each[] = {
		{TO_FILE "-c %s", "0|-1|x|1x| 1||0x10|1.5|9223372036854775808|99999999999999999999",
		 "--count takes a number from 1 to 9223372036854775807, not "},
		{TO_FILE "-s %s", "-1|262145|x|64K||99999999999999999999",
		 "--snapshot-length takes a number from 0 to 262144, not "},
		{TO_FILE "-C %s", "0|-1|x|1MB||1.5M|99999999999999999999|9999999999G",
		 "--file-size takes a size such as 100M, not "},
		{TO_FILE "-G %s", "0|-1|x|1.5||1000000001",
		 "--file-seconds takes a number from 1 to "},
		{TO_FILE "-b interval:%s", "0|-1|x|1.5||1000000001",
		 "--ring-buffer interval takes a number from 1 to "},
		{TO_FILE "-C 1 -W %s", "0|-1|x|100001|",
		 "--file-count takes a number from 1 to 100000, not "},
		{TO_FILE "-C 1 -a files:%s", "0|-1|x|100001|",
		 "--autostop files takes a number from 1 to 100000, not "},
		{TO_FILE "-a duration:%s", "0|-1|x||1e3|nan|inf|0x1p3|2000000000|1..5|.",
		 "takes seconds from 0.001 to 1000000000, not "},
		{TO_FILE "--stats-interval %s", "0|-1|x||1e3|nan|inf|0x1p3|2000000000|1..5|.",
		 "takes seconds from 0.001 to 1000000000, not "},
		{TO_FILE "-a %s", "duration|nosuch:1||:|duration=1",
		 "--autostop takes duration, filesize, files or packets, a colon and a value"},
		{TO_FILE "-b %s", "duration|nosuch:1||:|duration=1", "a colon and a value"},
		{TO_FILE "--disk-limit %s", "0|x|101%|0%|%|-5%|5%%|", "--disk-limit takes "},
		{TO_FILE "--pre-trigger %s",
		 "0|-1|x|1|1023K||241M|1000000G|99999999999999999999|9999999999G",
		 "--pre-trigger takes a size "},
		{TO_FILE "--sample %s", "0|-1|1K|x|4294967296", ": give a number"},
		{TO_FILE "--slice %s",
		 "l1|l5|L4|l4+|l4+0|l4-1|l4+x|l4+262145|l4+4+4|l2l3l4l2l3l4|+",
		 ": give off, l2, l3 or l4"},
		{TO_FILE "--flow-cutoff %s", "0|-1|x|64KK|99999999999999999999",
		 ": give a number of bytes"},
		{TO_FILE "--flow-table %s", "0|63|16777217|64K|x",
		 ": give a number of flows from 64 to 16777216"},
		{TO_FILE "-Q %s", "both||in,out", "--direction takes inout, in or out, not "},
		{TO_FILE "--ring %s", "0|-1|x|3M|32K|512M|1G|99999999999999999999|64KK",
		 ": give a power of two from 512K to 256M"},
		{TO_FILE "--ring %s", "16M,hook=xdp", "--ring 16M,hook=xdp: give a power of two"},
		{TO_FILE "--ring %s", NOTHING, "--ring : needs a value"},
		{TO_FILE "--ring-total %s", "0|-1|x|32K|99999999999999999999",
		 ": give a size of at least 512K"},
		{TO_FILE "--hook %s", "nosuch", "--hook nosuch: not a value; valid are"},
		{TO_FILE "--xdp-mode %s", "fast", "--xdp-mode fast: not a value; valid are"},
		{TO_FILE "--vlan %s", "x", "--vlan x: not a value; valid are"},
		{TO_FILE "--loader %s", "x", "--loader x: not a value; valid are"},
		{TO_FILE "--hash %s", "x", "--hash x: not a value; valid are"},
		{TO_FILE "--load-xdp-mode %s", "foo",
		 "--load-xdp-mode takes native, skb or unspecified, not \"foo\""},
		{TO_FILE "--trigger %s", " ", "--trigger needs a filter expression"},
		{TO_FILE "-Z %s", NOTHING, "--relinquish-privileges needs the name of a user"},
		{"-i vb -z %s -w made", NOTHING,
		 "--postrotate-command needs the name of a program"},
		{"-i vb -z %s -w made", " ", "-z needs the name of a program"},
		{"-i vb -z %s -w made", "nosuch x",
		 "-z nosuch x: there is no program \"nosuch\" in PATH"},
		{"-i vb -z %s -w made", "'a", "-z 'a: a quote is not closed"},
		{"-i vb -z %s -w made", "gzip \\",
		 "-z gzip \\: a quote is not closed, or nothing follows a backslash"},
		{"-i vb -w %s", NOTHING, "--write needs the name of a file"},
		{TO_FILE "-F %s", NOTHING, "--filter-file needs the name of a file"},
		{"--netns %s -i vb -w made", NOTHING,
		 "--netns needs the name of a network namespace"},
		{"-i vb --decode %s", "tcpdump -nn", "--decode='tcpdump -nn'"},
		{TO_FILE "--cpus %s", "1023", "--cpus 1023: not all of these are there"},
		{TO_FILE "--cpus %s", "4294967296|0-4294967296|1024",
		 "--cpus takes numbers and ranges, as in 2,4-6, not \""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++) {
		char values[256], *at = values;

		snprintf(values, sizeof(values), "%s", each[i].values);
		while (at)
			is_refused(each[i].line, strsep(&at, "|"), each[i].says);
	}
}

static const struct {
	const char *line, *says;
} together[] = {
	{"-w made", "name an interface: -i IFACE ("},
	{"-pni vb",
	 "name an interface: -i IFACE; --program-names (-p) took \"ni\" for the name of an XDP program; promiscuous mode,"},
	{"-i", "-i needs a value"},
	{"--interface", "--interface needs a value"},
	{"-i vb --ring", "--ring needs a value"},
	{"-i vb --count", "--count needs a value"},
	{"-i vb -xw", "-w needs a value"},
	{"--nosuch", "--nosuch: no such option"},
	{"-i vb -R -w made", "-R: no such option"},
	{"-i vb --hex -xR -w made", "-R: no such option"},
	{"--print=3", "--print=3: --print takes no value"},
	{"-i vb --woh", "--woh: no such option; did you mean --who? (see "},
	{"-i vb --hotss=f", "--hotss=f: no such option; did you mean --hosts? (see "},
	{"-i vb --zzzzzz", "--zzzzzz: no such option (see "},
	{"-i vb --who=cmdlin", "--who takes nothing or =cmdline, not \"cmdlin\""},
	{"-i vb --who cmdline",
	 "--who cmdline: the value of --who follows an equals sign: --who=cmdline\n"},
	{"-i vb --ri 1", "--ri stands for several options: --ring-buffer, --ring, --ring-total\n"},
	{"-i vb --process a --process b", "--process is given twice: give all names and numbers"},
	{"-i vb --cgroup a --cgroup b", "--cgroup is given twice, and takes one group"},
	{TO_FILE "--process a --pre-trigger 1M --trigger udp",
	 "--process and --pre-trigger" TOGETHER ": whose a packet is can be known for a minute,"},
	{TO_FILE "--cgroup a --pre-trigger 1M", "--cgroup and --pre-trigger" TOGETHER},
	{"-i vb -i xdp:vb -w made", "vb is named twice"},
	{"-i v* -i xdp:v* -w made", "v* is named twice"},
	{"--netns blue -i vb --netns blue -i vb -w made", "vb is named twice"},
	{"-i 1a -i 2a -i 3a -i 4a -i 5a -i 6a -i 7a -i 8a -i 9a -i aa -i ba -i ca -i da -i ea -i fa -i ga -i ha",
	 "at most 16 interfaces"},
	{TO_FILE SEVENTY("--hook tc "), "there are more than 64 options of this kind"},
	{"-i vb --netns blue -w made", "--netns stands in front of the -i that it is for"},
	{"--netns red --netns blue --drops=only",
	 "--netns red: no -i follows it before --netns blue: give each namespace its -i, or a pattern for both"},
	{"-i vb --netns red --netns blue -i vb -w made", "--netns red: no -i follows it before"},
	{"-J", "--list-time-stamp-types needs one interface: -i IFACE"},
	{"-D udp", "--list-interfaces takes no filter: leave \"udp\" out"},
	{"-J -i vb udp", "--list-time-stamp-types takes no filter: leave \"udp\" out"},
	{"--doctor", "--doctor needs a value: the name of an interface ("},
	{TO_FILE "--report f", "--report needs --doctor"},
	{"-i vb -b printname:", "printname needs a file"},
	{"-i vb -C 1", "new files need a name: --write FILE"},
	{"-i vb -C 1 -w -", "new files need a name: --write FILE"},
	{"-i vb --print-name", "--print-name needs a file: --write FILE"},
	{"-i vb -z true -w -", "--postrotate-command needs a file: --write FILE"},
	{"-i vb --index", "--index needs a file: --write FILE"},
	{"-i vb --index -w -", "--index needs a file: --write FILE"},
	{TO_FILE "--index --use-pcap",
	 "--index and --use-pcap" TOGETHER ": pcapng-find --index makes the indexes"},
	{"-i vb --disk-limit 1M", "--disk-limit needs a file: --write FILE"},
	{TO_FILE "-W 3", "a number of files needs -C, -G or -b"},
	{TO_FILE "-a files:3", "a number of files needs -C, -G or -b"},
	{"-i vb -w f.gz", "f.gz: .gz files are not written"},
	{"-i vb -w f.zst --use-pcap", "f.zst: the older format is not compressed"},
	{"-i vb --files-per-queue",
	 "--files-per-queue needs a file: --write FILE, or --to kafka://BROKER/TOPIC"},
	{"-i vb --files-per-queue -w -", "--files-per-queue needs a file: --write FILE\n"},
	{TO_FILE "--files-per-queue --trigger udp",
	 "--trigger" TOGETHER ", because each file is written alone"},
	{TO_FILE "--files-per-queue --pre-trigger 1M",
	 "--pre-trigger" TOGETHER ", because each file is written alone"},
	{TO_FILE "--files-per-queue --disk-limit 9%",
	 "--disk-limit with a percentage" TOGETHER ", because one file cannot remove"},
	{TO_FILE "--files-per-queue -p all -Q in",
	 "--program-names" TOGETHER ", because XDP programs are not captured by queue"},
	{TO_FILE "--files-per-queue --rx-capture exit",
	 "--rx-capture exit" TOGETHER ", because XDP programs are not captured by queue"},
	{TO_FILE "--files-per-queue --listen 5555",
	 "--listen" TOGETHER ", because readers get all packets in one order"},
	{TO_FILE "--who -j host_lowprec", "leave -j host_lowprec out"},
	{TO_FILE "--files-per-queue --drops",
	 "--drops" TOGETHER ", because drops belong to no queue"},
	{"-i v* -w made --files-per-queue", "v*" TOGETHER ", because interfaces that come later"},
	{"-i v* -w made --files-per-queue --disk-limit 9%",
	 "--disk-limit with a percentage" TOGETHER ", because one file cannot remove"},
	{"-i vb --to kafka://b/t --files-per-queue --print",
	 "--print" TOGETHER ", because there is no order between rings"},
	{TO_FILE "--files-per-queue --print",
	 "--print and --files-per-queue" TOGETHER ", because there is no order between files"},
	{"-i v* -p all -w made", "name it in place of v*"},
	{TO_FILE "--verdict drop", "--verdict needs --rx-capture exit"},
	{TO_FILE "-p all -Q out", "--program-names and --direction" TOGETHER},
	{TO_FILE "--rx-capture exit -Q inout", "--rx-capture exit and --direction" TOGETHER},
	{TO_FILE "--to redis://x/y", "--to takes kafka://BROKER/TOPIC, not \"redis://x/y\"\n"},
	{TO_FILE "--spool folder:1M", "--spool needs --to kafka://BROKER/TOPIC"},
	{TO_FILE "--kafka-conf folder/conf", "--kafka-conf needs --to kafka://BROKER/TOPIC"},
	{TO_FILE "--key flow", "--key needs --to kafka://BROKER/TOPIC"},
	{TO_FILE "--listen-format pcap", "--listen-format needs --listen PORT"},
	{"-i vb --decode --json", "--json and --decode" TOGETHER},
	{"-i vb --decode -x", "--hex and --decode" TOGETHER},
	{"-i vb --decode --hardware", "--hardware and --decode" TOGETHER},
	{"-i vb --decode --format line", "--format and --decode" TOGETHER},
	{"-i vb --decode -t", "-t and --decode" TOGETHER},
	{"-i vb --decode -w -", "--decode and --write -" TOGETHER},
	{"-i vb --print -w -", "--print and --write -" TOGETHER},
	{TO_FILE "-x", "--hex is about lines, and --write prints none"},
	{TO_FILE "-tttt", "-t is about lines, and --write prints none"},
	{"-i vb --listen 5555 --hardware", "--hardware is about lines, and --listen prints none"},
	{"-i vb --to kafka://b/t -x", "--hex is about lines, and --to prints none"},
	{"-i vb --json --format line", "--format is about lines, and --json prints none"},
	{"-i vb --json --hardware", "--hardware is about lines, and --json prints none"},
	{"-i vb --json -t", "-t is about lines, and --json prints none"},
	{"-i vb -p all --hardware", "--hardware is for our own lines"},
	{"-i vb --format xdp-tools -t", "the lines of xdp-tools have their own time"},
	{TO_FILE "--metrics -", "--metrics needs a file, not standard output"},
	{TO_FILE "--stats-file -", "--stats-file needs a file, not standard output"},
	{TO_FILE "--metrics made", "--metrics and --write name the same file"},
	{TO_FILE "--stats-file made", "--stats-file and --write name the same file"},
	{"-i vb --stats-file f --metrics f", "--stats-file and --metrics name the same file"},
	{"-i vb --metrics f -w f.new", "writes FILE.new first: --write needs another name"},
	{"-i vb --metrics f --stats-file f.new",
	 "writes FILE.new first: --stats-file needs another"},
	{TO_FILE "--index --metrics made.idx",
	 "beside the FILE of --write: --metrics needs another"},
	{TO_FILE "--index --stats-file made.idx", "of --write: --stats-file needs another name"},
	{TO_FILE "-C 1 --print --print-name", "--print and --print-name" TOGETHER},
	{TO_FILE "--decode -b printname:stdout", "--decode and --print-name" TOGETHER},
	{TO_FILE "-C 1 -W 3 --hosts ./made0", "FILE0, FILE1 and so on: --hosts needs another"},
	{TO_FILE "-G 1 --stats-file made12", "FILE1 and so on: --stats-file needs another"},
	{TO_FILE "-C 1 --metrics made.part", "writes FILE.part first: --metrics needs another"},
	{TO_FILE "-b printname:made", "--ring-buffer printname and --write" THE_SAME},
	{TO_FILE "-b printname:f --stats-file f",
	 "--ring-buffer printname and --stats-file" THE_SAME},
	{TO_FILE "--stats-file ./made", "--stats-file and --write" THE_SAME},
	{TO_FILE "--metrics ././/made", "--metrics and --write" THE_SAME},
	{TO_FILE "-F made", "--filter-file and --write" THE_SAME},
	{"-i vb -F f --metrics f", "--filter-file and --metrics" THE_SAME},
	{"-i vb -F f.new --metrics f", "writes FILE.new first: --filter-file needs another name"},
	{TO_FILE "--tls-keylog f --stats-file f", "--tls-keylog and --stats-file" THE_SAME},
	{TO_FILE "--to kafka://b/t --kafka-conf made", "--kafka-conf and --write" THE_SAME},
	{TO_FILE "--hosts made", "--hosts and --write" THE_SAME},
	{TO_FILE "--hosts f --not-ports made", "--not-ports and --write" THE_SAME},
	{"-i vb,ring=1M,not-flows=made,hook=tc -w made", "--not-flows and --write" THE_SAME},
	{"-i vb --use-pcap", "--use-pcap needs --write"},
	{TO_FILE "--use-pcap --mixed-links", "--use-pcap and --mixed-links" TOGETHER},
	{TO_FILE "--use-pcap --tls-keylog f", "--tls-keylog and --use-pcap" TOGETHER},
	{"-i vb --tls-keylog f", "--tls-keylog needs --write, or --decode=tshark"},
	{TO_FILE "--tls-keylog made", "--tls-keylog and --write name the same file"},
	{TO_FILE "--drops --use-pcap",
	 "--drops and --use-pcap" TOGETHER ": pcap has no place for the reasons"},
	{TO_FILE "--hosts f --entries --use-pcap",
	 "--entries and --use-pcap" TOGETHER ": pcap has no place for lines of files"},
	{TO_FILE "--hosts f --entries --listen 5555 --listen-format pcap",
	 "--entries and --listen-format pcap" TOGETHER},
	{TO_FILE "--drops --pre-trigger 1M --trigger udp",
	 "--drops, --pre-trigger and --trigger" TOGETHER},
	{TO_FILE "--drops=summary",
	 "--drops=summary counts packets and shows none: leave --write out"},
	{"-i vb --drops=summary --trigger udp", "shows none: leave --trigger out"},
	{TO_FILE "--drop-reasons NO_SOCKET", "--drop-reasons needs --drops"},
	{TO_FILE "--zstd 3", "--zstd 3: the value of --zstd follows an equals sign: --zstd=3\n"},
	{TO_FILE "--zstd seekable", ": --zstd=seekable\n"},
	{TO_FILE "--drops only",
	 "--drops only: the value of --drops follows an equals sign: --drops=only\n"},
	{TO_FILE "-C 1M -a filesize:5M", "is the size of each, as --file-size"},
	{TO_FILE "-C 1 -W 2 -b files:5", "both say how many files to keep"},
	{"-i vb -a filesize:5M", "--autostop filesize needs a file: --write FILE"},
	{"-i vb -w /dev/null --index", "--index is for regular files, and /dev/null is none"},
	{"-i vb --mixed-links", "--mixed-links needs a file: --write FILE"},
	{"-i vb --listen 5555 --listen-format pcap --tls-keylog f",
	 "--tls-keylog and --listen-format pcap" TOGETHER ": pcap has no place for keys"},
	{TO_FILE "--listen 5555 --listen-format pcap --drops",
	 "--drops and --listen-format pcap" TOGETHER ": pcap has no place for the reasons"},
	{"-i vb --decode --tls-keylog f", "tcpdump takes no keys from --tls-keylog"},
	{"-i vb --decode=/usr/bin/tcpdump --tls-keylog f", "tcpdump takes no keys"},
	{"-i vb --drops=only --hosts f", "--hosts has no effect on what the host drops"},
	{"--drops --hook tc", "--hook has no effect on what the host drops"},
	{"-i vb --drops=summary -P", "--promiscuous-mode has no effect"},
	{"-i vb --drops=only -j adapter", "--time-stamp-type has no effect"},
	{"-i vb --drops=only -Q in", "--direction has no effect"},
	{TO_FILE "--file 1",
	 "--file stands for several options: --file-size, --file-seconds, --file-count, --files-per-queue\n"},
	{TO_FILE "--file=1", "--file=1 stands for several options: --file-size"},
	{TO_FILE "--nosuch", "--nosuch: no such option"},
	{"-p -i vb", "--program-names needs the names or ids of XDP programs, not \"-i\""},
	{TO_FILE "-F f udp", "the filter is either in f or on the command line, not both"},
	{TO_FILE "-f udp tcp", "the filter is either in --expression or behind the options"},
};

static void what_does_not_go_together(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(together) / sizeof(together[0]); i++)
		is_refused(together[i].line, NULL, together[i].says);
}

static void what_goes_together(void **state)
{
	static const char *const lines[] = {
		"-i vb",
		TO_FILE "-a duration:.2",
		TO_FILE "-C 1 -W 3 -z true",
		TO_FILE "--print -x",
		TO_FILE "-C 1 --print -b printname:f",
		TO_FILE "--stats-file made1",
		TO_FILE "-C 1 --stats-file made1x --metrics m0",
		TO_FILE "--listen 5555 --listen-format pcap --tls-keylog f",
		TO_FILE "--decode --tls-keylog f",
		"-i vb --decode=tshark --tls-keylog f",
		"-i vb --drops --hosts f -Q in",
		"-i vb --drops=only --ring 1M --listen 5555",
		TO_FILE "--hosts f --not-hosts f --stats-file s --metrics m -b printname:stderr",
		"-i vb -w /dev/null --stats-file /dev/null -F /dev/null",
		TO_FILE "--format line",
		TO_FILE "--files-per-queue --disk-limit 1M",
		"-i vb --to kafka://b/t --files-per-queue",
		"-i vb -p all",
		"--netns blue --drops",
		"--drops=summary",
		"--drops=only --loader off",
		"--drops=only --pre-trigger 1M",
		"-i any --netns blue -i v* -w made udp",
		"--decode -i vb -w made",
		"-D",
		"-J -i vb",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_string_equal(answer(lines[i], NULL), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_that_are_none),
		cmocka_unit_test(what_does_not_go_together),
		cmocka_unit_test(what_goes_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
