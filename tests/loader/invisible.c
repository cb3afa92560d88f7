/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * The loader process as the application sees it: not at all. And as the system sees it: with no
 * more than it needs, and gone when its application is.
 *
 * Each case runs in a process of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pcap/pcap.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/capture/own_net.h"
#include "process.h"
#include "testprogs/no_error.h"

#define DEVICE	       "xdp:vb"
#define CASE_LIMIT_S   60
#define FILES	       12 /* pairs: more than a capture leaves numbers free */
#define OPENED_AGAIN   100
#define CAPABILITIES   "000000c000001000" /* CAP_NET_ADMIN, CAP_PERFMON, CAP_BPF */
#define DESCRIPTOR_MAX 512

static int report_fd = 1;
static int failures;
static atomic_int signals_seen;
static char words[] = "/tmp/afxdp-invisible-XXXXXX"; /* what the library says on stderr */

static void say(const char *format, ...)
{
	char text[512];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (write(report_fd, text, (size_t)n) != n)
		_exit(9);
}

static void expect(bool good, const char *what)
{
	if (good)
		return;
	failures++;
	say("   not so: %s\n", what);
}

static void expect_text(const char *what, const char *wanted, const char *got)
{
	if (strcmp(wanted, got) == 0)
		return;
	failures++;
	say("   %s: wanted %s, got %s\n", what, wanted, got);
}

static void on_signal(int number)
{
	(void)number;
	atomic_fetch_add(&signals_seen, 1);
}

/* NULL where it does not open; warnings are none. */
static pcap_t *open_device(const char *device)
{
	char text[PCAP_ERRBUF_SIZE];
	pcap_t *p = pcap_create(device, text);

	no_error(pcap_set_timeout(p, 10));
	if (pcap_activate(p) >= 0)
		return p;
	pcap_close(p);
	return NULL;
}

static pcap_t *open_or_end(const char *device)
{
	pcap_t *p = open_device(device);

	if (!p) {
		say("   does not open\n");
		_exit(1);
	}
	return p;
}

static void set_filter(pcap_t *p)
{
	struct bpf_program program;

	expect(pcap_compile(p, &program, "udp port 7777", 1, PCAP_NETMASK_UNKNOWN) == 0 &&
		       pcap_setfilter(p, &program) == 0,
	       "a filter can be set");
	pcap_freecode(&program);
}

/* Of the last filter set, by what the library said. */
static void expect_level(const char *wanted)
{
	static const char mark[] = ": filter ";
	char line[1024], level[1024] = "none";
	FILE *f = fopen(words, "re");

	while (f && fgets(line, sizeof(line), f)) {
		char *at = strstr(line, mark);

		line[strcspn(line, "\n")] = 0;
		if (at)
			strcpy(level, at + strlen(mark));
	}
	if (f)
		fclose(f);
	expect_text("level", wanted, level);
}

static void drop(void)
{
	expect(setgroups(0, NULL) == 0 && setresgid(65534, 65534, 65534) == 0 &&
		       setresuid(65534, 65534, 65534) == 0,
	       "privileges can be dropped");
}

/* Nothing for wait() in any form, no child in /proc, no signal. */
static void expect_invisible(void)
{
	errno = 0;
	expect(wait(NULL) < 0 && errno == ECHILD, "wait(): ECHILD");
	errno = 0;
	expect(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "waitpid(-1): ECHILD");
	errno = 0;
	expect(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD,
	       "waitpid(-1, __WALL): ECHILD");
	expect(children() == 0, "no child in /proc");
	expect(atomic_load(&signals_seen) == 0, "no SIGCHLD");
}

static void open_filter_close(void)
{
	pcap_t *p = open_or_end(DEVICE);

	expect(loaders(NULL) == 1, "one loader runs");
	expect_invisible();
	drop();
	set_filter(p);
	expect_level("in the kernel, by the loader");
	expect_invisible();
	pcap_close(p);
	expect(loaders_become(0), "none runs after close");
	expect_invisible();
}

static void with_handler(void)
{
	struct sigaction a = {.sa_handler = on_signal};

	sigaction(SIGCHLD, &a, NULL);
	open_filter_close();
}

static void with_signal_ignored(void)
{
	signal(SIGCHLD, SIG_IGN);
	open_filter_close();
}

static void without_zombies(void)
{
	struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_NOCLDWAIT};

	sigaction(SIGCHLD, &a, NULL);
	open_filter_close();
}

static void expect_zero(pid_t pid, const char *name)
{
	char text[128];

	status_line(pid, name, text, sizeof(text));
	expect_text(name, "0000000000000000", text);
}

static void expect_privileges(pid_t pid)
{
	static const char *const same[] = {"CapPrm", "CapEff"};
	static const char *const none[] = {"CapInh", "CapAmb", "SigBlk"};
	char text[128];

	for (int i = 0; i < 2; i++) {
		status_line(pid, same[i], text, sizeof(text));
		expect_text(same[i], CAPABILITIES, text);
	}
	for (int i = 0; i < 3; i++)
		expect_zero(pid, none[i]);
	status_line(pid, "NoNewPrivs", text, sizeof(text));
	expect_text("NoNewPrivs", "1", text);
	status_line(pid, "Seccomp", text, sizeof(text));
	expect_text("Seccomp", "2", text);
	status_line(pid, "Uid", text, sizeof(text));
	expect_text("Uid", "65534\t65534\t65534\t65534", text);
	status_line(pid, "Gid", text, sizeof(text));
	expect_text("Gid", "65534\t65534\t65534\t65534", text);
	status_line(pid, "Groups", text, sizeof(text));
	expect_text("Groups", "", text);
}

static void expect_null(pid_t pid)
{
	char text[256];

	for (int fd = 0; fd < 3; fd++) {
		descriptor_of(pid, fd, text, sizeof(text));
		expect_text("its descriptors 0 to 2", "/dev/null", text);
	}
}

/*
 * Its socket, the one by which it hears of filters at tc, where the capture is, the pipe by which
 * its end is seen, and BPF objects.
 */
static void expect_descriptors(pid_t pid)
{
	int sockets = 0, pipes = 0;
	char text[256];

	expect_null(pid);
	for (int fd = 3; fd < DESCRIPTOR_MAX; fd++) {
		if (!descriptor_of(pid, fd, text, sizeof(text)))
			continue;
		if (strncmp(text, "socket:", 7) == 0)
			sockets++;
		else if (strncmp(text, "pipe:", 5) == 0)
			pipes++;
		else if (strncmp(text, "anon_inode:bpf", 14) && strcmp(text, "anon_inode:btf") != 0)
			expect_text("a descriptor of it", "BPF", text);
	}
	expect(sockets == 2, "it has two sockets");
	expect(pipes == 1, "it has one pipe");
}

static void is_confined(void)
{
	int left_open = open("/etc/passwd", O_RDONLY), pair[2];
	pid_t pid = 0;
	pcap_t *p;

	expect(left_open >= 0 && pipe(pair) == 0, "it has descriptors to inherit");
	setenv("LD_DEBUG_OUTPUT", "/nowhere", 1);
	p = open_or_end(DEVICE);
	expect(loaders(&pid) == 1, "one loader runs");
	expect_privileges(pid);
	expect_descriptors(pid);
	expect(environment_size(pid) == 0, "its environment is empty");
	expect(getsid(pid) == pid, "it has a session of its own");
	pcap_close(p);
}

/* A process that opens, says so, and does what is asked. */
static pid_t open_in_child(void (*then)(pcap_t *))
{
	int said[2];
	char c;
	pid_t pid;

	if (pipe(said))
		return -1;
	pid = fork();
	if (pid == 0) {
		pcap_t *p = open_or_end(DEVICE);

		if (write(said[1], "", 1) != 1)
			_exit(1);
		then(p);
		_exit(0);
	}
	close(said[1]);
	expect(read(said[0], &c, 1) == 1, "the other process has opened");
	close(said[0]);
	return pid;
}

static void wait_for_ever(pcap_t *p)
{
	(void)p;
	pause();
}

static void ends_when_killed(void)
{
	pid_t pid = open_in_child(wait_for_ever);

	expect(loaders(NULL) == 1, "one loader runs");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	expect(loaders_become(0), "none runs a second after SIGKILL");
}

static void look_at_no_packet(u_char *user, const struct pcap_pkthdr *h, const u_char *data)
{
	(void)user;
	(void)h;
	(void)data;
}

/*
 * A filter that comes meanwhile finds it gone. What the application opens then has the numbers that
 * are free, and the reader leaves it alone.
 */
static void loader_is_killed(void)
{
	pcap_t *p = open_or_end(DEVICE);
	char text[64] = "the application's";
	char err[PCAP_ERRBUF_SIZE] = "";
	int files[FILES][2], left;
	pid_t pid = 0;

	expect(pcap_setnonblock(p, 1, err) == 0, "the handle does not block");
	expect(loaders(&pid) == 1, "one loader runs");
	kill(pid, SIGKILL);
	expect(loaders_become(0), "none runs after SIGKILL");
	set_filter(p);
	for (int i = 0; i < 2 * FILES; i++)
		expect((i % 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, files[i / 2]) == 0) &&
			       write(files[i / 2][i % 2], text, sizeof(text)) == sizeof(text),
		       "the application writes into a socket");
	for (time_t end = time(NULL) + 3; time(NULL) < end;) { /* once a second it looks */
		expect(pcap_dispatch(p, -1, look_at_no_packet, NULL) >= 0, "the capture goes on");
		usleep(10000);
	}
	for (int i = 0; i < 2 * FILES; i++)
		expect(ioctl(files[i / 2][i % 2], FIONREAD, &left) == 0 && left == sizeof(text),
		       "what is in the socket stays there");
	pcap_close(p);
}

static void just_exit(pcap_t *p)
{
	(void)p;
}

static void ends_at_exit(void)
{
	pid_t pid = open_in_child(just_exit);

	waitpid(pid, NULL, 0);
	expect(loaders_become(0), "none runs a second after exit");
}

static void exec_sleep(pcap_t *p)
{
	(void)p;
	execl("/bin/sleep", "sleep", "20", (char *)NULL);
}

static void ends_at_exec(void)
{
	pid_t pid = open_in_child(exec_sleep);

	expect(loaders_become(0), "none runs a second after exec");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* A daemon's parent closes what the daemon goes on with. */
static void stays_for_a_forked_child(void)
{
	pcap_t *p = open_or_end(DEVICE);
	pid_t pid = fork();
	struct timespec a, b;

	if (pid == 0) {
		pause();
		_exit(0);
	}
	clock_gettime(CLOCK_MONOTONIC, &a);
	pcap_close(p);
	clock_gettime(CLOCK_MONOTONIC, &b);
	expect((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 < 1000,
	       "close takes less than a second");
	expect(loaders(NULL) == 1, "the loader stays for the other process");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	expect(loaders_become(0), "and ends with it");
	expect_invisible();
}

static void is_not_started(void)
{
	pcap_t *p = open_or_end(DEVICE ",loader=off");

	expect(loaders(NULL) == 0, "no loader runs");
	set_filter(p);
	expect_level("in the kernel");
	drop();
	set_filter(p);
	expect_level("in user space: no privilege to load it, and no loader process");
	pcap_close(p);
}

static int open_descriptors(void)
{
	char text[256];
	int n = 0;

	for (int fd = 0; fd < DESCRIPTOR_MAX; fd++)
		n += descriptor_of(getpid(), fd, text, sizeof(text));
	return n;
}

static void again_and_again(void)
{
	struct sigaction a = {.sa_handler = on_signal};
	int before = 0, opened = 0;

	sigaction(SIGCHLD, &a, NULL);
	for (int i = 0; i < OPENED_AGAIN; i++) {
		pcap_t *p = open_or_end(DEVICE);

		set_filter(p);
		opened += loaders_become(1); /* the one before may still be ending */
		pcap_close(p);
		if (i == 0)
			before = open_descriptors();
	}
	expect(opened == OPENED_AGAIN, "one loader ran each time");
	expect(loaders_become(0), "none is left");
	expect(open_descriptors() == before, "no descriptor is left");
	expect_invisible();
}

static atomic_bool done;

/* Memory, children of its own, and waiting for any: what threads do meanwhile. */
static void *keep_busy(void *nothing)
{
	while (!atomic_load(&done)) {
		void *memory = malloc(100000);
		pid_t pid = fork(), got;

		if (pid == 0)
			_exit(7);
		got = waitpid(pid, NULL, 0);
		if (got != pid)
			atomic_fetch_add(&signals_seen, 1);
		free(memory);
	}
	return nothing;
}

static void with_threads(void)
{
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, keep_busy, NULL);
	for (int i = 0; i < 10; i++) {
		pcap_t *p = open_or_end(DEVICE);

		expect(loaders(NULL) >= 1, "a loader runs");
		set_filter(p);
		pcap_close(p);
	}
	atomic_store(&done, true);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	expect(loaders_become(0), "none is left");
	expect_invisible();
}

static void limit_descriptors(int n)
{
	struct rlimit limit = {(rlim_t)n, 4096};

	setrlimit(RLIMIT_NOFILE, &limit);
}

enum outcome { CLOSED, OPENED, HELPED, WRONG };

static enum outcome open_with_room(int room)
{
	pid_t pid = 0;
	bool helped;
	pcap_t *p;

	limit_descriptors(open_descriptors() + room);
	p = open_device(DEVICE);
	limit_descriptors(4096);
	if (!p)
		return CLOSED;
	helped = loaders(&pid) == 1;
	if (helped)
		expect_null(pid);
	pcap_close(p);
	expect(loaders_become(0), "none is left");
	expect_invisible();
	return failures ? WRONG : helped ? HELPED : OPENED;
}

/* With ever more room: it fails, or opens with or without a loader that is as it should be. */
static void with_few_descriptors(void)
{
	int outcomes[WRONG + 1] = {0}, status;

	for (int room = 0; room < 40; room++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit((int)open_with_room(room));
		waitpid(pid, &status, 0);
		outcomes[WIFEXITED(status) ? WEXITSTATUS(status) : WRONG]++;
	}
	expect(outcomes[CLOSED] > 0, "there were too few");
	expect(outcomes[HELPED] > 0, "there were enough for a loader");
	expect(outcomes[WRONG] == 0, "nothing was wrong");
	/* What failed for want of descriptors works later, in the same process. */
	expect(open_with_room(8) == CLOSED && open_with_room(200) == HELPED,
	       "it opens once there are enough");
}

/* All descriptors are taken when the filter is set: this process can load nothing. */
static void with_no_descriptor_left(void)
{
	pcap_t *p = open_or_end(DEVICE);

	set_filter(p);
	limit_descriptors(64);
	while (dup(0) >= 0)
		;
	set_filter(p);
	limit_descriptors(4096);
	expect_level("in the kernel"); /* the loader's work, which is not said where there is the
					  privilege */
	pcap_close(p);
}

static void with_standard_descriptors_closed(void)
{
	pid_t pid = 0;
	pcap_t *p;

	for (int fd = 0; fd < 3; fd++)
		close(fd);
	p = open_or_end(DEVICE);
	expect(loaders(&pid) == 1, "one loader runs");
	expect_descriptors(pid);
	drop();
	set_filter(p);
	pcap_close(p);
	expect(loaders_become(0), "none runs after close");
	expect_invisible();
}

/* It inherits orphans, the loader too: that much can be seen. But nothing stays behind. */
static void as_heir_of_orphans(void)
{
	if (getpid() != 1)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (int i = 0; i < 5; i++) {
		pcap_t *p = open_or_end(DEVICE);

		if (i == 4)
			drop();
		set_filter(p);
		pcap_close(p);
		errno = 0;
		expect(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD,
		       "nothing to wait for after close");
	}
	expect_level("in the kernel, by the loader");
}

static void as_first_process(void)
{
	int status = 1;
	pid_t pid;

	if (unshare(CLONE_NEWPID)) {
		say("   cannot make a PID namespace\n");
		failures++;
		return;
	}
	pid = fork();
	if (pid == 0) {
		as_heir_of_orphans();
		_exit(failures != 0);
	}
	waitpid(pid, &status, 0);
	expect(status == 0, "as process 1 of a namespace");
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{"an application with a SIGCHLD handler", with_handler},
	{"an application that ignores SIGCHLD", with_signal_ignored},
	{"an application with SA_NOCLDWAIT", without_zombies},
	{"privileges, descriptors, environment, session", is_confined},
	{"the application is killed", ends_when_killed},
	{"the loader is killed before a filter comes", loader_is_killed},
	{"the application exits without closing", ends_at_exit},
	{"the application executes another program", ends_at_exec},
	{"the application forks", stays_for_a_forked_child},
	{"loader=off", is_not_started},
	{"100 times opened and closed", again_and_again},
	{"an application with threads and children", with_threads},
	{"an application short of descriptors", with_few_descriptors},
	{"an application out of descriptors", with_no_descriptor_left},
	{"an application without standard input and output", with_standard_descriptors_closed},
	{"an application that is a subreaper", as_heir_of_orphans},
	{"an application that is process 1", as_first_process},
};

static void redirect_words(void)
{
	int fd = open(words, O_WRONLY | O_TRUNC | O_APPEND | O_CLOEXEC);

	report_fd = fcntl(1, F_DUPFD_CLOEXEC, 100);
	dup2(fd, 2);
	close(fd);
}

static bool run_case(size_t i)
{
	int status = 1;
	pid_t pid = fork();

	if (pid == 0) {
		redirect_words();
		alarm(CASE_LIMIT_S);
		cases[i].run();
		_exit(failures != 0);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status))
		printf("   ended by signal %d\n", WTERMSIG(status));
	printf("%s: %s\n", status ? "FAILED" : "ok", cases[i].name);
	fflush(stdout);
	return status == 0;
}

int main(int argc, char **argv)
{
	size_t passed = 0, n = sizeof(cases) / sizeof(cases[0]), run_count = 0;
	char path[4096];

	own_net();
	veth_pair("");
	if (!getcwd(path, sizeof(path) - 32) || fchmod(mkstemp(words), 0644))
		return 1;
	strcat(path, "/pcap-afxdp-loader");
	setenv("PCAP_AFXDP_LOADER", path, 1);
	setenv("PCAP_AFXDP_DEBUG", "1", 1);
	setenv("PCAP_AFXDP_OPTIONS", "veth=xdp", 1);
	for (size_t i = 0; i < n; i++) {
		if (argc > 1 && !strstr(cases[i].name, argv[1]))
			continue;
		run_count++;
		passed += run_case(i);
	}
	unlink(words);
	printf("%zu passed, %zu failed, 0 skipped\n", passed, run_count - passed);
	return passed != run_count;
}
