/* test-gaps.c: tests of what the engine makes of gaps that the recorder tells of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>

#include "encoder.h"
#include "parklane-recorder.h"
#include "test-trace.h"

/* One event as the recorder passes it to its encoder. */
typedef struct
{
  gint64 at_ns;
  PlrEventKind kind;
  guint worker;
} Step;

typedef struct
{
  PlrGapCause cause;
  guint worker;
  guint tid;
  guint64 n_lost;
  gint64 from_ns;
  gint64 to_ns;
} Loss;

static void
add_step (PlrEncoder *encoder, const Step *step)
{
  plr_encoder_event (encoder, &(PlrEvent) { .time_ns = (guint64) step->at_ns,
                                            .word = plr_event_word (step->kind, 0, step->worker, 0),
                                            .payload = 7,
                                            .tid = step->worker + 1 });
}

static void
add_loss (PlrEncoder *encoder, const Loss *loss)
{
  plr_encoder_event (encoder, &(PlrEvent) { .time_ns = (guint64) loss->to_ns,
                                            .word = plr_gap_word (loss->cause, loss->worker, loss->n_lost),
                                            .payload = (guint64) loss->from_ns,
                                            .tid = loss->tid });
}

static PlrEncoder *
begin (void)
{
  PlrEncoder *encoder = plr_encoder_new ();

  plr_encoder_begin_batch (encoder);
  return encoder;
}

static TestTrace *
end (PlrEncoder *encoder)
{
  TestTrace *bytes = test_trace_new_empty ();

  test_trace_bytes (bytes, plr_encoder_get_data (encoder), plr_encoder_get_size (encoder));
  plr_encoder_free (encoder);
  return bytes;
}

static void
assert_told (PlTrace *trace)
{
  const PlGap *gaps;
  guint64 n_lost;
  guint n;

  gaps = pl_trace_get_gaps (trace, &n, &n_lost);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (n_lost, ==, 42);
  g_assert_cmpint (gaps[0].from_ns, ==, 2000);
  g_assert_cmpint (gaps[0].to_ns, ==, 3000);
  g_assert_cmpuint (gaps[0].n_lost, ==, 40);
  g_assert_cmpuint (gaps[0].worker, ==, 1);
  g_assert_cmpuint (gaps[0].tid, ==, 77);
  g_assert_cmpint (gaps[0].cause, ==, PL_GAP_RING_FULL);
  g_assert_false (pl_gap_is_of_all (&gaps[0]));
  g_assert_cmpint (gaps[1].from_ns, ==, 5000);
  g_assert_cmpuint (gaps[1].n_lost, ==, 2);
  g_assert_cmpint (gaps[1].cause, ==, PL_GAP_OUTPUT);
  g_assert_true (pl_gap_is_of_all (&gaps[1]));
}

static TestTrace *
two_gaps (void)
{
  PlrEncoder *encoder = begin ();

  add_step (encoder, &(Step) { 1000, PLR_EVENT_POLL_START, 1 });
  add_step (encoder, &(Step) { 1100, PLR_EVENT_POLL_END, 1 });
  add_loss (encoder, &(Loss) { PLR_GAP_RING, 1, 77, 40, 2000, 3000 });
  add_step (encoder, &(Step) { 4000, PLR_EVENT_POLL_START, 1 });
  add_step (encoder, &(Step) { 4100, PLR_EVENT_POLL_END, 1 });
  add_loss (encoder, &(Loss) { PLR_GAP_OUTPUT, PARKLANE_WORKER_NONE, 0, 2, 5000, 6000 });
  add_step (encoder, &(Step) { 7000, PLR_EVENT_POLL_START, 1 });
  add_step (encoder, &(Step) { 7100, PLR_EVENT_POLL_END, 1 });
  return end (encoder);
}

static void
test_all_are_told (void)
{
  g_autoptr(TestTrace) bytes = two_gaps ();
  g_autoptr(PlTrace) trace = test_trace_load (bytes);

  assert_told (trace);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/gaps/all-are-told", test_all_are_told);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
