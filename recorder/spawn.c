/* spawn.c: starts the recorder's own threads
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "spawn.h"

#include <signal.h>

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
