/* test-cli-overflow.c: rings that really overflow, from the recorder to what the command line says of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>
#include <string.h>

#include "cli-runner.h"
#include "fault-session.h"
#include "recorder-config.h"
#include "ring.h"

/* What buffer and ring hold together, and more. */
#define N_HELD (PLR_MIN_BUFFER_SIZE / sizeof (PlrEvent) + PLR_RING_CAPACITY)
#define N_TOO_MANY ((guint) N_HELD / 2 + 30000)

static gint may_go_on;

typedef struct
{
  guint worker;
  guint n_polls; /* while nobody empties the ring */
} Thread;

/* Polls with the numbers of their tasks, before and after the ring is emptied again. */
static void *
work (void *data)
{
  const Thread *self = data;

  g_assert_cmpint (parklane_thread_attach (self->worker), ==, 0);
  record_polls (self->n_polls);
  g_atomic_int_inc (&may_go_on);
  while (g_atomic_int_get (&may_go_on) >= 0)
    g_usleep (1000);
  record_polls (1000);
  return NULL;
}

typedef struct
{
  guint64 n_events[4]; /* by worker */
  guint64 n_lost[4];
  guint64 n_behind[4]; /* events behind the last gap */
  guint64 last_ns[4];
} Account;

static void
count_gap (Account *account, const Event *gap)
{
  guint64 worker = event_number (gap, "worker_id");

  g_assert_cmpstr (event_text (gap, "cause"), ==, "ring full");
  g_assert_cmpuint (worker, <, 4);
  g_assert_cmpuint (event_number (gap, "from_ns"), >=, account->last_ns[worker]);
  g_assert_cmpuint (event_number (gap, "to_ns"), >=, event_number (gap, "from_ns"));
  account->last_ns[worker] = event_number (gap, "to_ns");
  account->n_lost[worker] += event_number (gap, "dropped");
  account->n_behind[worker] = 0;
}

static Account
count (const Trace *trace)
{
  Account account = { 0 };

  for (guint i = 0; i < trace->events->len; i++)
    {
      const Event *event = trace_get (trace, i);
      guint64 worker;

      if (g_str_equal (event->name, "ParklaneGapEvent"))
        count_gap (&account, event);
      if (!g_str_equal (event->name, "PollStartEvent") && !g_str_equal (event->name, "PollEndEvent"))
        continue;
      worker = event_number (event, "worker_id");
      g_assert_cmpuint (event->time_ns, >=, account.last_ns[worker]); /* also where a gap lies in between */
      account.last_ns[worker] = event->time_ns;
      account.n_events[worker]++;
      account.n_behind[worker]++;
    }
  return account;
}

/* Two threads record more than all memory holds while a write does not return, and one that records little. */
static void
test_every_lost_event_is_told (FaultSession *fixture, gconstpointer data)
{
  const Thread workers[] = { { 1, N_TOO_MANY }, { 2, 2 * N_TOO_MANY }, { 3, 10 } };
  GThread *threads[G_N_ELEMENTS (workers)];
  g_autoptr(Trace) trace = NULL;
  g_autoptr(CliRun) info = NULL;
  guint64 n_dropped;
  Account account;

  stop (fixture);
  fixture->config.buffer_size = PLR_MIN_BUFFER_SIZE;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &fixture->recorder), ==, 0);
  fault_begin (WRITE_STALLS, 0);
  record_polls (1);
  while (fault_count_writes () == 0)
    g_usleep (1000);
  g_atomic_int_set (&may_go_on, 0);
  for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
    threads[i] = g_thread_new ("work", work, (gpointer) &workers[i]);
  while (g_atomic_int_get (&may_go_on) < (gint) G_N_ELEMENTS (workers))
    g_usleep (1000);

  fault_end ();
  flush (fixture);
  g_atomic_int_set (&may_go_on, -1);
  for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
    g_thread_join (threads[i]);
  flush (fixture);
  n_dropped = get_metrics ().dropped_events_total;
  stop (fixture);
  trace = trace_read_session (fixture->dir, "app");
  account = count (trace);

  for (guint i = 0; i < G_N_ELEMENTS (workers); i++)
    {
      guint worker = workers[i].worker;

      g_assert_cmpuint (account.n_events[worker] + account.n_lost[worker], ==, 2 * (workers[i].n_polls + 1000));
      g_assert_cmpuint (account.n_behind[worker], >=, 2000);
    }
  g_assert_cmpuint (account.n_lost[1], >=, 2 * N_TOO_MANY - N_HELD);
  g_assert_cmpuint (account.n_lost[2], >=, 4 * N_TOO_MANY - N_HELD);
  g_assert_cmpuint (account.n_lost[3], ==, 0);
  g_assert_cmpuint (n_dropped, ==, account.n_lost[1] + account.n_lost[2]);

  info = cli_run ("info", "--json", fixture->dir, NULL);
  g_assert_cmpint (info->status, ==, 0);
  g_assert_cmpint (cli_get_number (info->json, "gap_count"), ==, trace_count (trace, "ParklaneGapEvent"));
  g_assert_cmpint (cli_get_number (info->json, "lost_events"), ==, n_dropped);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_FAULT ("/cli/overflow/every-lost-event-is-told", test_every_lost_event_is_told);
  return g_test_run ();
}
