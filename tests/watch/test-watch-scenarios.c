/* test-watch-scenarios.c: hundreds of sessions in virtual time: no false alarm, and none missed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every weather meets every fate, with each kind of writer. The world knows what is true; the judge hears what a look
 * could see.
 */
#include "config.h"

#include <locale.h>

#include "pl-judge.h"
#include "watch-world.h"

#define SEEDS 2

/* Looks come once a second, and the last growth was up to a gap before. */
#define LOOK_SLACK_NS (3 * WORLD_S)

typedef struct
{
  World *world;
  PlJudge *judge;
  PlDirScan scan;
  PlWatchStatus status;
  guint64 last_bytes;
  guint64 unseen_bytes; /* what was gone again before the first look */
} Scenario;

static guint n_scenarios;

static void
scenario_clear (Scenario *self)
{
  g_array_unref (self->scan.files);
  pl_judge_free (self->judge);
  world_free (self->world);
}

static void
describe (Scenario *self)
{
  for (guint i = 0; i < self->status.n_evidence; i++)
    {
      g_autofree char *text = pl_evidence_describe_plain (&self->status.evidence[i]);

      g_test_message ("evidence %s", text);
    }
}

static void
look (Scenario *self)
{
  gint64 next_ns = self->status.at_wall_ns == 0 ? 0 : pl_judge_get_next_ns (self->judge);

  world_pass (self->world, world_get_delay (self->world, next_ns));
  pl_dir_scan_clear (&self->scan);
  world_look (self->world, &self->scan);
  pl_judge_hear (self->judge, &self->scan, &self->status);
  g_assert_cmpuint (self->status.bytes_written, >=, self->last_bytes);
  if (self->last_bytes == 0)
    self->unseen_bytes = self->world->bytes_written - self->status.bytes_written;
  self->last_bytes = self->status.bytes_written;
}

/* No byte is counted twice or not at all, where none can go before it was seen. */
static void
check_bytes (Scenario *self)
{
  WorldWeather weather = self->world->weather;

  if (weather != WEATHER_CUT && weather != WEATHER_PACKING && weather != WEATHER_STOPPED_VIEWER)
    g_assert_cmpuint (self->status.bytes_written, ==, self->world->bytes_written - self->unseen_bytes);
}

static gboolean
is_alarm (Scenario *self)
{
  return self->status.verdict == PL_VERDICT_STALLED || self->status.verdict == PL_VERDICT_KILLED;
}

static void
expect (Scenario *self, gboolean holds, const char *what)
{
  if (holds)
    return;
  describe (self);
  g_test_message ("%s: %s (%s)", what, pl_verdict_get_code (self->status.verdict),
                  pl_verdict_cause_get_code (self->status.cause));
  g_test_fail ();
}

/* No alarm, whatever the weather; and once it has been seen to grow, no doubt either. */
static void
live_well (Scenario *self, gint64 ns)
{
  gint64 until_ns = self->world->mono_ns + ns;
  guint n_looks = 0;

  while (self->world->mono_ns < until_ns && !g_test_failed ())
    {
      look (self);
      expect (self, !is_alarm (self), "false alarm");
      expect (self, self->status.verdict != PL_VERDICT_FINISHED, "not finished");
      if (++n_looks > 45 && self->world->weather != WEATHER_LATE_VIEWER)
        expect (self, self->status.verdict != PL_VERDICT_UNKNOWN, "known by now");
    }
}

/* ---- what has to come ---- */

static PlVerdict
get_expected (World *world, PlVerdictCause *out_cause)
{
  gboolean is_ours = world->writer == WRITER_OURS;

  *out_cause = PL_CAUSE_NONE;
  switch (world->fate)
    {
    case FATE_KILL:
      if (!is_ours && !world->is_visible)
        break;
      *out_cause = PL_CAUSE_PROCESS_GONE;
      return PL_VERDICT_KILLED;
    case FATE_END:
    case FATE_EMPTY_END:
      return PL_VERDICT_FINISHED;
    case FATE_STOP:
    case FATE_STOP_AND_GO:
      if (!world->is_visible)
        break;
      *out_cause = PL_CAUSE_PROCESS_STOPPED;
      return PL_VERDICT_STALLED;
    case FATE_REMOVED:
    case FATE_REMOVED_AND_BACK:
      *out_cause = PL_CAUSE_DIRECTORY_REMOVED;
      return PL_VERDICT_STALLED;
    case FATE_REPLACED:
      *out_cause = PL_CAUSE_DIRECTORY_REPLACED;
      return PL_VERDICT_STALLED;
    case FATE_DISK_FULL:
      *out_cause = PL_CAUSE_DISK_FULL;
      return PL_VERDICT_STALLED;
    case FATE_READ_ONLY:
      *out_cause = PL_CAUSE_READ_ONLY;
      return PL_VERDICT_STALLED;
    case FATE_PERMISSION:
      *out_cause = PL_CAUSE_PERMISSION;
      return PL_VERDICT_STALLED;
    case FATE_QUOTA:
      *out_cause = PL_CAUSE_QUOTA;
      return PL_VERDICT_STALLED;
    case FATE_DEGRADED:
      *out_cause = PL_CAUSE_WRITER_DEGRADED;
      return PL_VERDICT_STALLED;
    case FATE_SEGMENT_REMOVED:
      *out_cause = PL_CAUSE_SEGMENT_REMOVED;
      return PL_VERDICT_STALLED;
    case FATE_PAUSE:
      if (!is_ours)
        break;
      *out_cause = PL_CAUSE_PAUSED;
      return PL_VERDICT_RECORDING;
    case FATE_NONE:
    case N_FATES:
    default:
      return PL_VERDICT_RECORDING;
    }
  *out_cause = is_ours ? PL_CAUSE_NONE : PL_CAUSE_PAUSED_OR_DEAD;
  return PL_VERDICT_STALLED;
}

/* As promised: two heartbeats, or thrice the usual gap and ten seconds at least; on top of it what the weather costs. */
static gint64
get_bound (World *world)
{
  gint64 bound_ns = 10 * WORLD_S;

  if (world->writer == WRITER_HAND_OVER)
    bound_ns = 95 * WORLD_S;
  else if (world->writer == WRITER_OURS && world->is_visible && world->weather != WEATHER_SLOW_DISK)
    bound_ns = 2 * WORLD_S;
  else if (world->weather == WEATHER_SLOW_DISK && world->writer == WRITER_DIAL9)
    bound_ns = 30 * WORLD_S;
  if (world->fate == FATE_SEGMENT_REMOVED && world->writer != WRITER_OURS)
    bound_ns = 70 * WORLD_S;
  if (world->weather == WEATHER_LATE_VIEWER || world->weather == WEATHER_STOPPED_VIEWER
      || world->weather == WEATHER_SUSPENDS)
    bound_ns += 10 * WORLD_S;
  /* A look each six seconds counts for two. */
  return world->weather == WEATHER_LATE_VIEWER ? 3 * bound_ns : bound_ns;
}

static gboolean
is_as_expected (Scenario *self)
{
  PlVerdictCause cause;
  PlVerdict verdict = get_expected (self->world, &cause);
  PlVerdict found = self->status.verdict == PL_VERDICT_PLATEAU ? PL_VERDICT_RECORDING : self->status.verdict;

  /* A paused writer may have to wait for its disk as well. */
  if (verdict == PL_VERDICT_RECORDING && found == PL_VERDICT_QUIET)
    return TRUE;
  return found == verdict && self->status.cause == cause;
}

/* Waits until the verdict has come, and sees that it stays; a writer that heals before is not missed. */
static void
meet_fate (Scenario *self)
{
  gint64 until_ns;

  /* What has less may have ended without an event. */
  while (self->world->fate == FATE_SEGMENT_REMOVED && world_get_active_size (self->world) < 1024)
    look (self);
  world_strike (self->world);
  until_ns = self->world->mono_ns + get_bound (self->world) + LOOK_SLACK_NS;
  while (!is_as_expected (self) && self->world->healed_ns < 0 && self->world->mono_ns < until_ns)
    look (self);
  if (self->world->healed_ns < 0)
    expect (self, is_as_expected (self), "missed");
  for (guint i = 0; i < 30 && self->world->healed_ns < 0; i++)
    {
      look (self);
      if (self->world->healed_ns < 0)
        expect (self, is_as_expected (self), "changed its mind");
    }
}

/* After the writer has come back by itself so does the verdict. */
static void
recover (Scenario *self)
{
  gint64 until_ns = self->world->heals_ns + 70 * WORLD_S;

  while (self->world->healed_ns < 0 && self->world->mono_ns < until_ns)
    look (self);
  look (self);
  look (self);
  expect (self, self->world->healed_ns >= 0 && !is_alarm (self), "recovered");
  live_well (self, 60 * WORLD_S);
}

static gboolean
can_happen (WorldWriter writer, WorldWeather weather, WorldFate fate)
{
  if ((fate == FATE_DEGRADED || fate == FATE_EMPTY_END) && writer != WRITER_OURS)
    return FALSE;
  return weather != WEATHER_PACKING || writer != WRITER_HAND_OVER;
}

static void
run_scenario (WorldWriter writer, WorldWeather weather, WorldFate fate, guint32 seed)
{
  Scenario self = { .judge = pl_judge_new (), .world = world_new (writer, weather, fate, seed) };

  self.scan.files = g_array_new (FALSE, FALSE, sizeof (PlDirFile));
  live_well (&self, g_rand_int_range (self.world->rand, 120, 1200) * WORLD_S);
  check_bytes (&self);
  if (!g_test_failed () && fate != FATE_NONE)
    meet_fate (&self);
  if (!g_test_failed () && self.world->heals_ns >= 0)
    recover (&self);
  if (g_test_failed ())
    g_test_message ("writer %d, weather %s, fate %s, seed %u, %s, %.3f s after the fate", writer,
                    world_name_weather (weather), world_name_fate (fate), seed,
                    self.world->is_visible ? "seen" : "hidden",
                    self.world->fated_ns < 0 ? 0.0 : (double) (self.world->mono_ns - self.world->fated_ns) / WORLD_S);
  n_scenarios++;
  scenario_clear (&self);
}

static void
test_weather (gconstpointer data)
{
  WorldWeather weather = (WorldWeather) GPOINTER_TO_UINT (data);

  for (WorldFate fate = 0; fate < N_FATES; fate++)
    for (WorldWriter writer = WRITER_OURS; writer <= WRITER_HAND_OVER; writer++)
      for (guint32 i = 0; i < SEEDS && can_happen (writer, weather, fate); i++)
        if (!g_test_failed ())
          run_scenario (writer, weather, fate, 1 + i + SEEDS * (writer + 3 * (fate + N_FATES * (guint32) weather)));
}

static void
test_count (void)
{
  g_test_message ("%u scenarios", n_scenarios);
  g_assert_cmpuint (n_scenarios, >=, 200);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  for (WorldWeather weather = 0; weather < N_WEATHERS; weather++)
    {
      g_autofree char *path = g_strdup_printf ("/watch/scenarios/%s/no-false-alarm-and-none-missed",
                                               world_name_weather (weather));

      g_test_add_data_func (path, GUINT_TO_POINTER (weather), test_weather);
    }
  g_test_add_func ("/watch/scenarios/all/at-least-two-hundred", test_count);
  return g_test_run ();
}
