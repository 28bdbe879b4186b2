/* pl-parallel.c: the same for many things, on all processors
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-parallel.h"

#include "pl-memory.h"

typedef struct
{
  gint next; /* atomic; those before it are taken */
  guint n;
  PlParallelFunc func;
  gpointer user_data;
} Work;

static gpointer
work (gpointer data)
{
  Work *self = data;
  guint i;

  while ((i = (guint) g_atomic_int_add (&self->next, 1)) < self->n)
    self->func (i, self->user_data);
  return NULL;
}

/**
 * pl_parallel_foreach:
 * @n: how many things
 * @n_threads: how many threads may work at once, the calling one included; 0 = one for each processor
 * @func: called for each number below @n, on any of the threads
 *
 * Returns when all is done. The calling thread does its share, and all of it where the system refuses more threads or the
 * memory that they would take.
 */
void
pl_parallel_foreach (guint n, guint n_threads, PlParallelFunc func, gpointer user_data)
{
  guint n_helpers = MIN (n_threads > 0 ? n_threads : g_get_num_processors (), MAX (n, 1)) - 1;
  g_autofree GThread **threads = g_new (GThread *, n_helpers);
  Work shared = { 0, n, func, user_data };
  guint n_started = 0;

  while (n_started < n_helpers && pl_memory_has_room ((n_started + 2) * PL_MEMORY_READER)
         && (threads[n_started] = g_thread_try_new ("helper", work, &shared, NULL)) != NULL)
    n_started++;
  work (&shared);
  for (guint i = 0; i < n_started; i++)
    g_thread_join (threads[i]);
}
