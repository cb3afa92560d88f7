/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * Tags what leaves a device while it runs: a TCX egress program on a BPF link, which goes with the
 * process, however that ends. Before Linux 6.6 it is a filter of a clsact qdisc, which stays on the
 * device after a kill -9.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <getopt.h>
#include <linux/if_ether.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "json.h"
#include "options.h"
#include "vlanpush.h"
#include "testprogs/vlanpush.skel.h"

/* BPF_TCX_EGRESS: headers before 6.6 lack it. So does libbpf 1.1, which passes the number on. */
#define ATTACH_TCX_EGRESS 47

#define VLAN_ID_MAX	 4095
#define PRIORITY_SHIFT	 13
#define STATUS_NO_EXEC	 127
#define STATUS_SIGNALLED 128

struct options {
	const char *iface;
	struct vlanpush_config config;
	double seconds;
	char **command; /* NULL: none */
};

enum { KEY_PORT = 256, KEY_TPID, KEY_PRIORITY };

static const struct option_row rows[] = {
	{'i', "interface", "NAME", "device whose outgoing frames are tagged"},
	{'v', "vlan", "ID", "VLAN id, 0 to 4095"},
	{'d', "duration", "SECONDS", "for this time, instead of while a command runs"},
	{KEY_PORT, "match-udp-port", "PORT", "tag only UDP datagrams to PORT"},
	{KEY_TPID, "tpid", "TYPE", "0x8100 (default) or 0x88a8"},
	{KEY_PRIORITY, "priority", "N", "priority, 0 to 7 (0)"},
	{0},
};

static const struct program program = {
	"vlanpush",
	"-i NAME -v ID (-d SECONDS | [--] COMMAND [ARGUMENT]...)",
	"Puts a VLAN tag on frames that leave a device (XDP redirects excepted). Ends with the command's\n"
	"status; counts go to standard error as JSON.",
	rows,
	true,
};

static volatile sig_atomic_t stopped;
static volatile pid_t child;

/* The command gets the signal too, and we end when it ends. */
static void stop(int signal)
{
	int saved = errno;

	stopped = 1;
	if (child > 0)
		kill(child, signal);
	errno = saved;
}

static void take_option(struct options *options, int key)
{
	switch (key) {
	case 'i':
		options->iface = optarg;
		break;
	case 'v':
		options->config.tci |= number_arg(&program, "--vlan", 0, VLAN_ID_MAX);
		break;
	case 'd':
		options->seconds = real_arg(&program, "--duration", 0.001, 3600);
		break;
	case KEY_PORT:
		options->config.udp_port =
			htons(number_arg(&program, "--match-udp-port", 1, UINT16_MAX));
		break;
	case KEY_TPID:
		options->config.tpid = number_arg(&program, "--tpid", 0, UINT16_MAX);
		break;
	case KEY_PRIORITY:
		options->config.tci |= number_arg(&program, "--priority", 0, 7) << PRIORITY_SHIFT;
		break;
	}
}

static void read_options(struct options *options, int argc, char **argv)
{
	bool has_vlan = false;
	int key;

	*options = (struct options){.config = {.tpid = ETH_P_8021Q}};
	while ((key = options_next(&program, argc, argv)) != -1) {
		has_vlan |= key == 'v';
		take_option(options, key);
	}
	options->command = optind < argc ? argv + optind : NULL;
	if (!options->iface || !has_vlan)
		usage_error(&program, "-i NAME and -v ID are needed");
	if (!if_nametoindex(options->iface))
		usage_error(&program, "no device `%s' in this network namespace", options->iface);
	if (!options->command == !options->seconds)
		usage_error(&program, "either -d SECONDS or a command is needed");
	if (options->config.tpid != ETH_P_8021Q && options->config.tpid != ETH_P_8021AD)
		usage_error(&program, "--tpid takes 0x8100 or 0x88a8");
}

/* What is attached: a link, or a filter at hook. */
struct attachment {
	int link; /* -1: a filter */
	struct bpf_tc_hook hook;
	struct bpf_tc_opts filter;
};

static int attach_filter(struct attachment *a, int program, int ifindex)
{
	int err;

	a->hook = (struct bpf_tc_hook){.sz = sizeof(a->hook),
				       .ifindex = ifindex,
				       .attach_point = BPF_TC_EGRESS};
	a->filter = (struct bpf_tc_opts){.sz = sizeof(a->filter), .prog_fd = program};
	err = bpf_tc_hook_create(&a->hook);
	return err && err != -EEXIST ? err : bpf_tc_attach(&a->hook, &a->filter);
}

static void detach(struct attachment *a)
{
	if (a->link >= 0) {
		close(a->link);
		return;
	}
	a->filter.prog_fd = 0;
	a->filter.prog_id = 0;
	a->filter.flags = 0;
	bpf_tc_detach(&a->hook, &a->filter);
	a->hook.attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS; /* the qdisc, too */
	bpf_tc_hook_destroy(&a->hook);
}

/* Returns 0 or -errno. */
static int attach(struct attachment *a, struct vlanpush *skel, const struct options *options)
{
	int err, program, ifindex = if_nametoindex(options->iface);

	memcpy((void *)&skel->rodata->config, &options->config, sizeof(options->config));
	err = vlanpush__load(skel);
	if (err)
		return err;
	program = bpf_program__fd(skel->progs.vlan_push);
	a->link = bpf_link_create(program, ifindex, ATTACH_TCX_EGRESS, NULL);
	if (a->link >= 0)
		return 0;
	return errno == EINVAL ? attach_filter(a, program, ifindex) : -errno;
}

static int run_for(double seconds)
{
	struct timespec left = {.tv_sec = seconds, .tv_nsec = (seconds - (long)seconds) * 1e9};

	while (!stopped && clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		;
	return 0;
}

static void run_child(char **command, pid_t parent)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() == parent)
		execvp(command[0], command);
	fprintf(stderr, "vlanpush: %s: %s\n", command[0], strerror(errno));
	_exit(STATUS_NO_EXEC);
}

/* Runs the command, which is killed if we die. Returns its status as a shell would. */
static int run_command(char **command)
{
	pid_t parent = getpid();
	int status = 0;

	child = fork();
	if (child < 0)
		return STATUS_NO_EXEC;
	if (!child)
		run_child(command, parent);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return STATUS_NO_EXEC;
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNALLED + WTERMSIG(status);
}

static void report(const struct options *options, const struct vlanpush_counts *counts)
{
	struct json json;

	json_open(&json, stderr);
	json_text(&json, "program", program.name);
	json_text(&json, "interface", options->iface);
	json_count(&json, "vlan", options->config.tci & VLAN_ID_MAX);
	json_count(&json, "tagged", counts->tagged);
	json_count(&json, "passed", counts->passed);
	json_count(&json, "failed", counts->failed);
	json_close(&json);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = stop};
	struct options options;
	struct attachment attachment;
	struct vlanpush *skel;
	int err, status;

	read_options(&options, argc, argv);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	skel = vlanpush__open();
	err = skel ? attach(&attachment, skel, &options) : -errno;
	if (err) {
		fprintf(stderr, "vlanpush: attaching to %s: %s (needs root)\n", options.iface,
			strerror(-err));
		vlanpush__destroy(skel);
		return 1;
	}
	status = options.command ? run_command(options.command) : run_for(options.seconds);
	detach(&attachment);
	report(&options, &skel->bss->counts);
	vlanpush__destroy(skel);
	return status;
}
