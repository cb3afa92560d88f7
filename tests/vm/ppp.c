/* SPDX-License-Identifier: BSD-3-Clause */
/* SPDX-FileCopyrightText: 2026 pcap-afxdp contributors */
/*
 * ppp NAMESPACE NAMESPACE: a PPP device in each, ppp0, the lines of both connected. Nothing is
 * negotiated: both pass IPv4. Says "ready", and runs until it is killed.
 */
#include <fcntl.h>
#include <linux/ppp-ioctl.h>
#include <linux/ppp_defs.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define CHUNK 4096

static void must(int result, const char *what)
{
	if (result >= 0)
		return;
	perror(what);
	exit(1);
}

static void enter(const char *namespace)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", namespace);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	must(fd, path);
	must(setns(fd, CLONE_NEWNET), "setns");
	close(fd);
}

/* A line that speaks PPP at its far end. Returns the near one. */
static int open_line(int *line)
{
	int discipline = N_PPP, near = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios raw;

	must(near, "posix_openpt");
	must(grantpt(near), "grantpt");
	must(unlockpt(near), "unlockpt");
	*line = open(ptsname(near), O_RDWR | O_NOCTTY | O_CLOEXEC);
	must(*line, "ptsname");
	must(tcgetattr(*line, &raw), "tcgetattr");
	cfmakeraw(&raw);
	must(tcsetattr(*line, TCSANOW, &raw), "tcsetattr");
	must(ioctl(*line, TIOCSETD, &discipline), "TIOCSETD");
	return near;
}

static int open_ppp(void)
{
	int fd = open("/dev/ppp", O_RDWR | O_CLOEXEC);

	must(fd, "/dev/ppp");
	return fd;
}

/* The device of this namespace, on that line. The descriptors live as long as the process. */
static void make_device(int line)
{
	struct npioctl pass = {.protocol = PPP_IP, .mode = NPMODE_PASS};
	int channel_number, unit_number = -1, unit = open_ppp(), channel = open_ppp();

	must(ioctl(line, PPPIOCGCHAN, &channel_number), "PPPIOCGCHAN");
	must(ioctl(channel, PPPIOCATTCHAN, &channel_number), "PPPIOCATTCHAN");
	must(ioctl(unit, PPPIOCNEWUNIT, &unit_number), "PPPIOCNEWUNIT");
	must(ioctl(channel, PPPIOCCONNECT, &unit_number), "PPPIOCCONNECT");
	must(ioctl(unit, PPPIOCSNPMODE, &pass), "PPPIOCSNPMODE");
}

static void carry(int from, int to)
{
	char buf[CHUNK];
	ssize_t n = read(from, buf, sizeof(buf));

	must((int)n, "read");
	must((int)write(to, buf, (size_t)n), "write");
}

int main(int argc, char **argv)
{
	struct pollfd p[2];

	if (argc != 3)
		return 2;
	for (int i = 0; i < 2; i++) {
		int line;

		enter(argv[1 + i]);
		p[i] = (struct pollfd){.fd = open_line(&line), .events = POLLIN};
		make_device(line);
	}
	puts("ready");
	fflush(stdout);
	while (poll(p, 2, -1) > 0)
		for (int i = 0; i < 2; i++)
			if (p[i].revents & POLLIN)
				carry(p[i].fd, p[!i].fd);
	return 1;
}
