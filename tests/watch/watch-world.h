/* watch-world.h: a made-up directory, writer and clock, in which the truth is known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef WATCH_WORLD_H
#define WATCH_WORLD_H

#include "pl-dir-scan.h"

G_BEGIN_DECLS

#define WORLD_S G_GINT64_CONSTANT (1000000000)

/* Who writes: our recorder; dial9's; dial9's without queue samples, which hands over every 30 s. */
typedef enum
{
  WRITER_OURS,
  WRITER_DIAL9,
  WRITER_HAND_OVER,
} WorldWriter;

/* What goes on while all is well. */
typedef enum
{
  WEATHER_IDLE,
  WEATHER_BUSY,
  WEATHER_PLATEAU,
  WEATHER_PACKING,
  WEATHER_BURSTS,
  WEATHER_SLOW_DISK,
  WEATHER_SUSPENDS,
  WEATHER_CLOCK_STEPS,
  WEATHER_LATE_VIEWER,
  WEATHER_STOPPED_VIEWER,
  WEATHER_CUT,
  N_WEATHERS,
} WorldWeather;

/* What becomes of the writer in the end. */
typedef enum
{
  FATE_NONE,
  FATE_KILL,
  FATE_STOP,
  FATE_STOP_AND_GO,
  FATE_END,
  FATE_REMOVED,
  FATE_REMOVED_AND_BACK,
  FATE_REPLACED,
  FATE_DISK_FULL,
  FATE_READ_ONLY,
  FATE_PERMISSION,
  FATE_QUOTA,
  FATE_PAUSE,
  FATE_DEGRADED,
  FATE_SEGMENT_REMOVED,
  FATE_EMPTY_END,
  N_FATES,
} WorldFate;

/**
 * World:
 * @is_visible: the writer's process and lock can be seen
 * @mono_ns: all times without "wall" are on this clock
 * @fated_ns: when the fate struck, -1 before
 * @healed_ns: when something was written again, -1 before
 * @bytes_written: really
 */
typedef struct
{
  WorldWriter writer;
  WorldWeather weather;
  WorldFate fate;
  gboolean is_visible;
  GRand *rand;

  gint64 mono_ns;
  gint64 asleep_ns;
  gint64 wall_offset_ns;

  GArray *files; /* PlDirFile */
  guint64 next_index;
  guint64 bytes_written;
  guint64 budget_bytes;
  gint64 next_write_ns;
  gint64 next_rotation_ns;
  gint64 pack_ns;
  gint64 slow_from_ns;
  PlActiveSegment active;
  guint64 n_heartbeats;

  gint64 fated_ns;
  gint64 heals_ns;
  gint64 healed_ns;
  gboolean has_let_go; /* of its lock, since it cannot write */
  gboolean is_other_dir;
  gboolean old_dir_grows;
} World;

World       *world_new          (WorldWriter   writer,
                                 WorldWeather  weather,
                                 WorldFate     fate,
                                 guint32       seed);
void         world_free         (World        *self);
void         world_pass         (World        *self,
                                 gint64        ns);
gint64       world_get_delay    (World        *self,
                                 gint64        wanted_ns);
void         world_strike       (World        *self);
void         world_look         (World        *self,
                                 PlDirScan    *scan);
guint64      world_get_active_size (World     *self);
const char  *world_name_weather (WorldWeather  weather);
const char  *world_name_fate    (WorldFate     fate);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (World, world_free)

G_END_DECLS

#endif /* WATCH_WORLD_H */
