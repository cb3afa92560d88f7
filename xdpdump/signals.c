/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stddef.h>

#include "capture.h"
#include "signals.h"

volatile sig_atomic_t signals_stop;
static struct capture *volatile sleeper;

static void on_stop(int number)
{
	int saved = errno;

	(void)number;
	if (signals_stop < 2)
		signals_stop++;
	if (sleeper)
		capture_wake(sleeper);
	errno = saved;
}

static void catch (int number, void (*handler)(int))
{
	/* Without SA_RESTART: a write to a pipe that nobody empties must end. */
	struct sigaction a = {.sa_handler = handler};

	sigemptyset(&a.sa_mask);
	sigaddset(&a.sa_mask, SIGINT);
	sigaddset(&a.sa_mask, SIGTERM);
	sigaddset(&a.sa_mask, SIGHUP);
	sigaction(number, &a, NULL);
}

void signals_catch(void)
{
	struct sigaction before;

	catch (SIGINT, on_stop);
	catch (SIGTERM, on_stop);
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		catch (SIGHUP, on_stop);
	catch (SIGPIPE, SIG_IGN);
}

void signals_wake(struct capture *c)
{
	sleeper = c;
}
