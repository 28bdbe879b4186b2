/* watch-world.c: a made-up directory, writer and clock, in which the truth is known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "watch-world.h"

#define MIB (1024 * 1024)
#define OPENING_BYTES 65
#define PERIOD_S 60
#define MAX_SEGMENT_BYTES (16 * MIB)

static const char *const weather_names[N_WEATHERS] = {
  "idle",     "busy",        "plateau",     "packing",        "bursts", "slow-disk",
  "suspends", "clock-steps", "late-viewer", "stopped-viewer", "cut",
};

static const char *const fate_names[N_FATES] = {
  "none",      "kill",      "stop",       "stop-and-go", "end",   "removed",  "removed-and-back", "replaced",
  "disk-full", "read-only", "permission", "quota",       "pause", "degraded", "segment-removed",  "empty-end",
};

const char *
world_name_weather (WorldWeather weather)
{
  return weather_names[weather];
}

const char *
world_name_fate (WorldFate fate)
{
  return fate_names[fate];
}

static gint64
random_ns (World *self, double from_s, double to_s)
{
  return (gint64) (g_rand_double_range (self->rand, from_s, to_s) * WORLD_S);
}

static gint64
get_wall (World *self)
{
  return self->mono_ns + self->asleep_ns + self->wall_offset_ns;
}

/* ---- files ---- */

static PlDirFile *
get_active (World *self)
{
  PlDirFile *last = self->files->len > 0 ? &g_array_index (self->files, PlDirFile, self->files->len - 1) : NULL;

  return last != NULL && last->form == PL_FORM_ACTIVE ? last : NULL;
}

static void
append (World *self, guint64 size)
{
  PlDirFile *active = get_active (self);

  active->size += size;
  active->mtime_wall_ns = get_wall (self);
  self->bytes_written += size;
}

static void
begin_segment (World *self)
{
  PlDirFile file = { .index = self->next_index++, .form = PL_FORM_ACTIVE };

  g_array_append_val (self->files, file);
  append (self, OPENING_BYTES);
}

static void
evict (World *self)
{
  guint64 usage = 0;

  for (guint i = 0; i < self->files->len; i++)
    usage += g_array_index (self->files, PlDirFile, i).size;
  while (usage > self->budget_bytes && self->files->len > 1)
    {
      usage -= g_array_index (self->files, PlDirFile, 0).size;
      g_array_remove_index (self->files, 0);
    }
}

static void
rotate (World *self)
{
  get_active (self)->form = PL_FORM_SEALED;
  begin_segment (self);
  evict (self);
  self->next_rotation_ns = self->mono_ns + PERIOD_S * WORLD_S;
  self->pack_ns = self->mono_ns + random_ns (self, 0.5, 4);
}

static void
pack (World *self)
{
  for (guint i = 0; i < self->files->len; i++)
    {
      PlDirFile *file = &g_array_index (self->files, PlDirFile, i);

      if (file->form != PL_FORM_SEALED)
        continue;
      file->form = PL_FORM_PACKED;
      file->size /= 5;
      file->mtime_wall_ns = get_wall (self);
    }
}

/* ---- the writer ---- */

static gint64
find_next_write (World *self)
{
  switch (self->writer)
    {
    case WRITER_OURS:
      if (self->weather == WEATHER_BUSY || self->weather == WEATHER_PLATEAU)
        return self->mono_ns + random_ns (self, 0.01, 0.2);
      if (self->weather == WEATHER_BURSTS && g_rand_int_range (self->rand, 0, 3) > 0)
        return self->mono_ns + random_ns (self, 0.01, 0.05);
      return self->mono_ns + random_ns (self, 1.0, 1.04);
    case WRITER_HAND_OVER:
      return self->mono_ns + random_ns (self, 29, 31);
    case WRITER_DIAL9:
    default:
      return self->mono_ns + random_ns (self, 1.0, 1.07);
    }
}

static guint64
find_size (World *self)
{
  switch (self->weather)
    {
    case WEATHER_BUSY:
    case WEATHER_PLATEAU:
      return (guint64) g_rand_int_range (self->rand, MIB / 8, MIB);
    case WEATHER_BURSTS:
      return (guint64) g_rand_int_range (self->rand, 100, 8 * MIB);
    default:
      return self->writer == WRITER_OURS ? 40 : 753;
    }
}

static gboolean
is_writing (World *self)
{
  if (self->fated_ns < 0 || self->healed_ns >= 0 || self->fate == FATE_NONE)
    return TRUE;
  if (self->fate == FATE_PAUSE && self->writer == WRITER_OURS)
    return TRUE;
  return self->heals_ns >= 0 && self->mono_ns >= self->heals_ns;
}

static void
heal (World *self)
{
  self->healed_ns = self->mono_ns;
  if (self->fate == FATE_REMOVED_AND_BACK)
    {
      g_array_set_size (self->files, 0);
      self->is_other_dir = TRUE;
      begin_segment (self);
    }
}

static void
write_once (World *self)
{
  if (!is_writing (self))
    {
      self->old_dir_grows = self->fate == FATE_REMOVED_AND_BACK || self->fate == FATE_REPLACED;
      return;
    }
  if (self->heals_ns >= 0 && self->healed_ns < 0)
    heal (self);
  if (self->mono_ns >= self->next_rotation_ns || get_active (self)->size >= MAX_SEGMENT_BYTES)
    rotate (self);
  append (self, find_size (self));
  self->n_heartbeats++;
}

static void
advance_writer (World *self, gint64 until_ns)
{
  while (self->next_write_ns <= until_ns)
    {
      self->mono_ns = self->next_write_ns;
      if (self->pack_ns > 0 && self->mono_ns >= self->pack_ns && self->weather == WEATHER_PACKING && is_writing (self))
        {
          pack (self);
          self->pack_ns = 0;
        }
      write_once (self);
      self->next_write_ns = find_next_write (self);
      if (self->weather == WEATHER_SLOW_DISK && self->fated_ns < 0 && self->writer != WRITER_HAND_OVER
          && g_rand_int_range (self->rand, 0, 30) == 0)
        {
          self->slow_from_ns = self->mono_ns;
          self->next_write_ns = self->mono_ns + random_ns (self, 3, 8.5);
        }
    }
  self->mono_ns = until_ns;
}

/**
 * world_new:
 *
 * Starts with a session that has been recorded for some time.
 */
World *
world_new (WorldWriter writer, WorldWeather weather, WorldFate fate, guint32 seed)
{
  World *self = g_new0 (World, 1);

  self->writer = writer;
  self->weather = weather;
  self->fate = fate;
  self->rand = g_rand_new_with_seed (seed);
  self->is_visible = g_rand_boolean (self->rand);
  self->mono_ns = random_ns (self, 100, 1e6);
  self->wall_offset_ns = G_GINT64_CONSTANT (1700000000) * WORLD_S;
  self->files = g_array_new (FALSE, FALSE, sizeof (PlDirFile));
  self->budget_bytes = weather == WEATHER_PLATEAU ? 64 * MIB : G_MAXINT64;
  self->active = PL_ACTIVE_SEGMENT_NONE;
  self->fated_ns = -1;
  self->heals_ns = -1;
  self->healed_ns = -1;
  begin_segment (self);
  self->next_write_ns = self->mono_ns;
  self->next_rotation_ns = self->mono_ns + random_ns (self, 1, PERIOD_S);
  world_pass (self, random_ns (self, 0, 200));
  return self;
}

void
world_free (World *self)
{
  g_array_unref (self->files);
  g_rand_free (self->rand);
  g_free (self);
}

/* Time in which the writer lives. */
void
world_pass (World *self, gint64 ns)
{
  advance_writer (self, self->mono_ns + ns);
}

/* Lets pass what lies between two looks when the next one was to come after @wanted_ns; returns how much that was. */
gint64
world_get_delay (World *self, gint64 wanted_ns)
{
  gint64 delay_ns = wanted_ns + random_ns (self, 0, 0.03);

  if (self->weather == WEATHER_LATE_VIEWER && g_rand_int_range (self->rand, 0, 4) == 0)
    delay_ns = random_ns (self, 1, 6);
  if (self->fated_ns >= 0)
    return delay_ns;
  if (g_rand_int_range (self->rand, 0, 90) != 0)
    return delay_ns;
  if (self->weather == WEATHER_STOPPED_VIEWER)
    delay_ns = random_ns (self, 5, 600);
  else if (self->weather == WEATHER_SUSPENDS)
    {
      /* The writer wakes up with the computer, and its disk takes a while. */
      self->asleep_ns += random_ns (self, 2, 40000);
      self->next_write_ns = MAX (self->next_write_ns, self->mono_ns) + random_ns (self, 0, 5);
    }
  else if (self->weather == WEATHER_CLOCK_STEPS)
    self->wall_offset_ns += random_ns (self, -7200, 7200);
  else if (self->weather == WEATHER_CUT && get_active (self) != NULL)
    get_active (self)->size /= 2;
  return delay_ns;
}

/* ---- what becomes of it ---- */

/* Now. */
void
world_strike (World *self)
{
  self->fated_ns = self->mono_ns;
  switch (self->fate)
    {
    case FATE_STOP_AND_GO:
      self->heals_ns = self->mono_ns + random_ns (self, 100, 200);
      break;
    case FATE_REMOVED_AND_BACK:
      self->heals_ns = self->mono_ns + (self->writer == WRITER_OURS ? random_ns (self, 0.1, 1.0) : random_ns (self, 1, 60));
      break;
    case FATE_DISK_FULL:
    case FATE_READ_ONLY:
    case FATE_PERMISSION:
    case FATE_QUOTA:
      self->has_let_go = self->writer == WRITER_OURS && g_rand_boolean (self->rand);
      if (self->has_let_go && self->is_visible && g_rand_boolean (self->rand))
        get_active (self)->form = PL_FORM_SEALED;
      break;
    case FATE_END:
      get_active (self)->form = PL_FORM_SEALED;
      break;
    case FATE_EMPTY_END:
    case FATE_SEGMENT_REMOVED:
      g_array_set_size (self->files, self->files->len - 1);
      break;
    case FATE_NONE:
      self->fated_ns = -1;
      break;
    default:
      break;
    }
}

static gboolean
is_struck (World *self)
{
  return self->fated_ns >= 0 && self->healed_ns < 0;
}

static gboolean
is_name_gone (World *self)
{
  return is_struck (self)
         && (self->fate == FATE_REMOVED || self->fate == FATE_REMOVED_AND_BACK || self->fate == FATE_REPLACED);
}

static void
look_at_process (World *self, PlDirScan *scan)
{
  gboolean is_dead = is_struck (self)
                     && (self->fate == FATE_KILL || self->fate == FATE_END || self->fate == FATE_EMPTY_END);
  gboolean has_segment = get_active (self) != NULL;

  if (self->writer == WRITER_OURS)
    scan->lock = is_dead || self->has_let_go ? PL_LOCK_FREE : PL_LOCK_HELD;
  if (!self->is_visible)
    {
      scan->process = has_segment ? PL_PROCESS_HIDDEN : PL_PROCESS_NOT_SOUGHT;
      if (self->writer == WRITER_OURS && !is_dead && !self->has_let_go)
        scan->lock = PL_LOCK_UNKNOWN;
      return;
    }
  scan->pid = 4711;
  if (is_dead)
    scan->process = PL_PROCESS_GONE;
  else if (is_struck (self) && (self->fate == FATE_STOP || self->fate == FATE_STOP_AND_GO))
    scan->process = PL_PROCESS_STOPPED;
  else if (self->slow_from_ns > 0 && self->mono_ns < self->next_write_ns && self->mono_ns - self->slow_from_ns < 10 * WORLD_S)
    scan->process = PL_PROCESS_ON_DISK;
  else
    scan->process = PL_PROCESS_RUNS;
}

static void
look_at_segment (World *self, PlDirScan *scan)
{
  pl_dir_scan_find_current (scan, &self->active);
  if (scan->current == NULL)
    return;
  scan->has_tail = TRUE;
  scan->tail_index = scan->current->index;
  scan->is_understood = TRUE;
  scan->n_recorded = 100;
  scan->facts = (PlWriterFacts) { .n_framing = 3, .pid = 4711 };
  if (self->writer == WRITER_OURS)
    {
      scan->facts.heartbeat_period_ns = WORLD_S;
      scan->facts.n_heartbeats = self->n_heartbeats;
      scan->facts.health = PL_WRITER_HEALTH_OK;
    }
  else if (self->writer == WRITER_DIAL9)
    scan->facts.n_queue_samples = 100;
  if (is_struck (self) && self->writer == WRITER_OURS && self->fate == FATE_PAUSE)
    scan->facts.health = PL_WRITER_HEALTH_PAUSED;
  if (is_struck (self) && self->fate == FATE_DEGRADED)
    {
      scan->facts.health = PL_WRITER_HEALTH_DEGRADED;
      scan->facts.n_degraded = 3;
    }
}

static void
look_at_space (World *self, PlDirScan *scan)
{
  scan->has_space = TRUE;
  scan->total_bytes = G_GUINT64_CONSTANT (1) << 40;
  scan->free_bytes = is_struck (self) && self->fate == FATE_DISK_FULL ? 0 : scan->total_bytes / 3;
  scan->is_read_only = is_struck (self) && self->fate == FATE_READ_ONLY;
  scan->may_not_write = is_struck (self) && self->fate == FATE_PERMISSION;
  scan->is_over_quota = is_struck (self) && self->fate == FATE_QUOTA;
}

guint64
world_get_active_size (World *self)
{
  const PlDirFile *active = get_active (self);

  return active != NULL ? active->size : 0;
}

/* Fills a cleared scan. */
void
world_look (World *self, PlDirScan *scan)
{
  scan->mono_ns = self->mono_ns;
  scan->boot_ns = self->mono_ns + self->asleep_ns;
  scan->wall_ns = get_wall (self);
  if (is_name_gone (self))
    {
      scan->dir = self->fate == FATE_REPLACED ? PL_DIR_REPLACED : PL_DIR_MISSING;
      scan->old_dir_grows = self->old_dir_grows;
      self->old_dir_grows = FALSE;
      return;
    }
  scan->is_other_dir = self->is_other_dir;
  self->is_other_dir = FALSE;
  g_array_append_vals (scan->files, self->files->data, self->files->len);
  look_at_process (self, scan);
  look_at_segment (self, scan);
  look_at_space (self, scan);
}
