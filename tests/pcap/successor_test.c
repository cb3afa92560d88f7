/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * A capture at XDP that begins as another one ends has its hook, though the kernel keeps the
 * program of the other there for a moment: because its loader is still ending, after kill -9 above
 * all, or because somebody looks at it. While the other goes on, the hook is refused.
 */
#include "testprogs/no_error.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "link_of.h"
#include "live.h"

/* The capture's own program in the hook, that for sockets, and one of somebody's who calls it. */
static const char *const devices[] = {
	"xdp:vb,hook=xdp",
	"xdp:vb,engine=divert",
	"xdp:vb,engine=divert,zero-copy=off",
	"xdp:vb,xdp-obj=testprogs/own_xdp.bpf.o",
};

#define DEVICES (sizeof(devices) / sizeof(devices[0]))
#define LOOK_MS 80
#define ROUNDS	12

static void *look(void *link)
{
	sleep_ms(LOOK_MS);
	close(*(int *)link);
	return NULL;
}

static void has_frames(pcap_t *p)
{
	struct count c = {.frames = 0};

	live_read(p, &c, 1,
		  1); /* until somebody reads, frames that would be diverted are the host's */
	live_send(3, 1);
	live_read(p, &c, 3, PATIENCE);
	assert_int_equal(c.frames, 3);
}

/* Closes p while somebody looks at its program, and has another one of the device. */
static void succeed(pcap_t *p, int link, const struct open_options *o)
{
	pthread_t looker;

	assert_int_equal(pthread_create(&looker, NULL, look, &link), 0);
	live_close(p);
	p = live_open(o);
	pthread_join(looker, NULL);
	has_frames(p);
	live_close(p);
}

static int link_there(void)
{
	int link = link_of("vb");

	assert_true(link >= 0);
	return link;
}

static void while_somebody_looks(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		const struct open_options o = {.device = devices[i % DEVICES]};
		pcap_t *p = live_open(&o);

		succeed(p, link_there(), &o);
	}
}

/* In a child, where no assertion may jump into cmocka. */
static void hold(const struct open_options *o, int told)
{
	pcap_t *p = live_create(o);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pcap_activate(p) < 0 || write(told, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static void after_kill_9(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		const struct open_options o = {.device = devices[i % DEVICES]};
		int told[2];
		char c;
		pid_t pid;

		assert_int_equal(pipe(told), 0);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0)
			hold(&o, told[1]);
		close(told[1]);
		assert_int_equal(read(told[0], &c, 1), 1);
		close(told[0]);
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);

		pcap_t *p = live_open(&o);

		has_frames(p);
		live_close(p);
	}
}

static void while_the_other_goes_on(void **state)
{
	const struct open_options o = {.device = devices[0]};
	pcap_t *p = live_open(&o), *other = live_create(&o);

	(void)state;
	assert_int_equal(pcap_activate(other), PCAP_ERROR);
	assert_non_null(strstr(pcap_geterr(other), "the XDP hook of vb is held by "));
	live_close(other);
	has_frames(p);
	live_close(p);
}

static void give_up_cap_sys_admin(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	/* Root's exec, of the loader here, takes what is in the bounding set. */
	assert_int_equal(prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0), 0);
	assert_int_equal(syscall(SYS_capget, &header, data), 0);
	data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective &= ~CAP_TO_MASK(CAP_SYS_ADMIN);
	data[CAP_TO_INDEX(CAP_SYS_ADMIN)].permitted &= ~CAP_TO_MASK(CAP_SYS_ADMIN);
	assert_int_equal(syscall(SYS_capset, &header, data), 0);
}

/* As the users of group wireshark are, who may not ask what a program is. */
static void without_cap_sys_admin(void **state)
{
	const struct open_options o = {.device = devices[0]};
	pcap_t *p = live_open(&o);
	int link = link_there();

	(void)state;
	give_up_cap_sys_admin();
	succeed(p, link, &o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE_TEST(while_somebody_looks), LIVE_TEST(after_kill_9),
		LIVE_TEST(while_the_other_goes_on),
		LIVE_TEST(without_cap_sys_admin), /* last: it gives the rights up */
	};

	return LIVE_RUN(tests);
}
