/* spawn.c: starts the recorder's own threads, and lets them wait
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "spawn.h"

#include <time.h>

#include "clock.h"

int
plr_spawn (pthread_t *out_thread, const char *name, void *(*run) (void *), void *data)
{
  sigset_t all;
  sigset_t before;
  int r;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  r = -pthread_create (out_thread, NULL, run, data);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (r == 0)
    (void) pthread_setname_np (*out_thread, name); /* only a help in a debugger */
  return r;
}

bool
plr_await (sem_t *semaphore, uint64_t timeout_ns)
{
  struct timespec until;

  clock_gettime (CLOCK_MONOTONIC, &until);
  until.tv_nsec += (long) timeout_ns;
  if (until.tv_nsec >= PLR_NS_PER_S)
    {
      until.tv_nsec -= PLR_NS_PER_S;
      until.tv_sec++;
    }
  return sem_clockwait (semaphore, CLOCK_MONOTONIC, &until) == 0;
}

static void
get_limit_signal (sigset_t *signals)
{
  sigemptyset (signals);
  sigaddset (signals, SIGXFSZ);
}

void
plr_signals_hold (PlrSignals *out_signals)
{
  sigset_t pending;
  sigset_t held;

  get_limit_signal (&held);
  sigpending (&pending);
  out_signals->is_pending = sigismember (&pending, SIGXFSZ) > 0;
  pthread_sigmask (SIG_BLOCK, &held, &out_signals->before);
}

void
plr_signals_let (const PlrSignals *signals)
{
  const struct timespec at_once = { 0 };
  sigset_t held;

  get_limit_signal (&held);
  if (!signals->is_pending)
    (void) sigtimedwait (&held, NULL, &at_once); /* EAGAIN: there was none */
  pthread_sigmask (SIG_SETMASK, &signals->before, NULL);
}
