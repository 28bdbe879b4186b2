/* test-regroup.c: tests of the order in which sealed events are compressed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <glib.h>

#include "encoder.h"
#include "parklane-recorder.h"
#include "regroup.h"
#include "trace-reader.h"

#define N_WORKERS 5

static const PlrEventKind kinds[] = {
  PLR_EVENT_POLL_START,  PLR_EVENT_POLL_END,  PLR_EVENT_PARK, PLR_EVENT_UNPARK,     PLR_EVENT_TASK_SPAWN,
  PLR_EVENT_QUEUE_DEPTH, PLR_EVENT_HEARTBEAT, PLR_EVENT_CLOCK_SYNC, PLR_EVENT_TASK_TERMINATE,
};

/* Batches of events of all kinds and workers, times as they come from rings: mixed, some steps wider than a delta. */
static GByteArray *
make_batches (guint n_batches, guint n_events)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (11);
  GByteArray *bytes = g_byte_array_new ();
  PlrEncoder *encoder = plr_encoder_new ();
  guint64 time_ns = 5;

  for (guint batch = 0; batch < n_batches; batch++)
    {
      plr_encoder_begin_batch (encoder);
      for (guint i = 0; i < n_events; i++)
        {
          PlrEventKind kind = kinds[g_rand_int_range (rand, 0, G_N_ELEMENTS (kinds))];
          PlrEvent event = {
            .time_ns = time_ns += (guint64) g_rand_int_range (rand, 0, i % 50 == 0 ? G_MAXINT : 3000),
            .word = plr_event_word (kind, g_rand_int (rand) % PLR_N_GAP_CAUSES, g_rand_int (rand) % N_WORKERS * 100, 0),
            .payload = (guint64) g_rand_int (rand) << g_rand_int_range (rand, 0, 32),
            .tid = g_rand_int (rand) % 9,
          };

          if (kind == PLR_EVENT_UNPARK && g_rand_boolean (rand))
            plr_encoder_event (encoder, &(PlrEvent) { .time_ns = time_ns, .word = PLR_EVENT_SCHED_WAIT, .payload = i });
          plr_encoder_event (encoder, &event);
          g_byte_array_append (bytes, plr_encoder_get_data (encoder), (guint) plr_encoder_get_size (encoder));
          plr_encoder_reset_buffer (encoder);
        }
    }
  plr_encoder_free (encoder);
  return bytes;
}

static void
test_keeps_every_event_and_value (void)
{
  g_autoptr(GByteArray) raw = make_batches (7, 3000);
  g_autoptr(Trace) before = trace_read (raw->data, raw->len, FALSE);
  PlrRegroup *regroup = plr_regroup_new ();
  PlrRegrouped out;

  /* Twice: nothing of the first time is left over. */
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(Trace) after = NULL;

      g_assert_cmpint (plr_regroup (regroup, raw->data, raw->len, &out), ==, 0);
      after = trace_read (out.data, out.size, FALSE);
      g_assert_cmpuint (after->n_batches, ==, 7);
      g_assert_cmpuint (after->events->len, >=, 7 * 3000); /* and open polls */
      trace_assert_same_events (before, after);
    }
  plr_regroup_free (regroup);
}

/* "polls of 100", "parks of 100", or the name of another event. */
static char *
describe_run (const Event *event)
{
  gboolean is_poll = g_str_equal (event->name, "PollStartEvent") || g_str_equal (event->name, "PollEndEvent");
  gboolean is_park = g_str_equal (event->name, "WorkerParkEvent") || g_str_equal (event->name, "WorkerUnparkEvent");

  if (!is_poll && !is_park)
    return g_strdup (event->name);
  return g_strdup_printf ("%s of %" G_GUINT64_FORMAT, is_poll ? "polls" : "parks", event_number (event, "worker_id"));
}

static void
test_runs_are_in_order_of_time (void)
{
  g_autoptr(GByteArray) raw = make_batches (1, 5000);
  g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func (g_free);
  PlrRegroup *regroup = plr_regroup_new ();
  g_autoptr(Trace) trace = NULL;
  guint64 last_ns = 0;
  PlrRegrouped out;

  g_assert_cmpint (plr_regroup (regroup, raw->data, raw->len, &out), ==, 0);
  g_assert_cmpuint (out.n_cuts, ==, 2);
  trace = trace_read (out.data, out.size, FALSE);
  for (guint i = 0; i < trace->events->len; i++)
    {
      const Event *event = trace_get (trace, i);
      char *run = describe_run (event);

      if (runs->len > 0 && g_str_equal (runs->pdata[runs->len - 1], run))
        {
          g_assert_cmpuint (event->time_ns, >=, last_ns);
          g_free (run);
        }
      else
        g_ptr_array_add (runs, run);
      last_ns = event->time_ns;
    }
  plr_regroup_free (regroup);

  for (guint i = 0; i < N_WORKERS; i++)
    {
      g_autofree char *polls = g_strdup_printf ("polls of %u", i * 100);
      g_autofree char *parks = g_strdup_printf ("parks of %u", i * 100);

      g_assert_cmpstr (runs->pdata[i], ==, polls);
      g_assert_cmpstr (runs->pdata[N_WORKERS + i], ==, parks);
    }
  g_assert_cmpuint (runs->len, ==, 2 * N_WORKERS + 6); /* six other types */
}

/* Behind a gap an end may be another poll's than before it. */
static void
test_a_gap_keeps_its_place (void)
{
  PlrEncoder *encoder = plr_encoder_new ();
  PlrRegroup *regroup = plr_regroup_new ();
  PlrRegrouped out;

  plr_encoder_begin_batch (encoder);
  plr_encoder_event (encoder, &(PlrEvent) { .time_ns = 10, .word = plr_event_word (PLR_EVENT_POLL_START, 0, 1, 0) });
  g_assert_cmpint (plr_regroup (regroup, plr_encoder_get_data (encoder), plr_encoder_get_size (encoder), &out), ==, 0);
  plr_encoder_event (encoder, &(PlrEvent) { .time_ns = 30, .word = plr_gap_word (PLR_GAP_RING, 1, 5), .payload = 20 });
  plr_encoder_event (encoder, &(PlrEvent) { .time_ns = 40, .word = plr_event_word (PLR_EVENT_POLL_END, 0, 1, 0) });
  g_assert_cmpint (plr_regroup (regroup, plr_encoder_get_data (encoder), plr_encoder_get_size (encoder), &out), ==,
                   -EPROTO);
  plr_regroup_free (regroup);
  plr_encoder_free (encoder);
}

static void
test_what_is_cut_or_strange_is_refused (void)
{
  g_autoptr(GByteArray) raw = make_batches (2, 40);
  PlrRegroup *regroup = plr_regroup_new ();
  guint n_refused = 0;
  PlrRegrouped out;

  for (guint size = 0; size < raw->len; size++)
    {
      g_autofree guint8 *copy = g_memdup2 (raw->data, size);
      int r = plr_regroup (regroup, copy, size, &out);

      g_assert_true (r == 0 || r == -EPROTO);
      n_refused += r != 0;
      if (r == 0 && size > 0)
        trace_free (trace_read (out.data, out.size, FALSE));
    }
  g_assert_cmpuint (n_refused, >, raw->len / 2);

  for (guint i = 0; i < raw->len; i++)
    {
      g_autofree guint8 *copy = g_memdup2 (raw->data, raw->len);
      int r;

      copy[i] ^= 0x81;
      r = plr_regroup (regroup, copy, raw->len, &out);
      g_assert_true (r == 0 || r == -EPROTO);
    }
  plr_regroup_free (regroup);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/regroup/keeps-every-event-and-value", test_keeps_every_event_and_value);
  g_test_add_func ("/recorder/regroup/runs-are-in-order-of-time", test_runs_are_in_order_of_time);
  g_test_add_func ("/recorder/regroup/a-gap-keeps-its-place", test_a_gap_keeps_its_place);
  g_test_add_func ("/recorder/regroup/what-is-cut-or-strange-is-refused", test_what_is_cut_or_strange_is_refused);
  return g_test_run ();
}
