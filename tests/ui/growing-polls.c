/* growing-polls.c: open polls that outgrow others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "growing-polls.h"

#define MS G_GINT64_CONSTANT (1000000)
#define S G_GINT64_CONSTANT (1000000000)

PlTrace *
growing_polls_load (guint  n_growing,
                    gint64 end_ns)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  for (guint i = 1; i <= 40; i++)
    test_trace_poll (bytes, 0, i, "a.rs:1:1", i * 100 * MS, i * MS);
  for (guint i = 1; i <= n_growing; i++)
    test_trace_poll (bytes, i, i, "a.rs:1:1", 5 * S - i * 3 * MS / 2, end_ns - 5 * S + i * 3 * MS / 2);
  return test_trace_load (bytes);
}
