/* recording.c: a session in a directory of its own, for tests that record through the public calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "recording.h"

#include <sys/shm.h>

#include "trace-reader.h"

void
init_config (ParklaneConfig *config, const char *dir)
{
  parklane_config_init (config);
  g_strlcpy (config->output_dir, dir, sizeof config->output_dir);
  g_strlcpy (config->file_prefix, "app", sizeof config->file_prefix);
  config->compress = PARKLANE_COMPRESS_NONE;
}

void
recording_set_up (Recording *self, gconstpointer data)
{
  self->dir = g_dir_make_tmp ("parklane-recording-XXXXXX", NULL);
  g_assert_nonnull (self->dir);
  init_config (&self->config, self->dir);
}

void
recording_tear_down (Recording *self, gconstpointer data)
{
  remove_tree (self->dir);
  g_free (self->dir);
}

ParklaneRecorder *
recording_start (Recording *self)
{
  ParklaneRecorder *recorder = NULL;

  g_assert_cmpint (parklane_recorder_start (&self->config, &recorder), ==, 0);
  g_assert_nonnull (recorder);
  return recorder;
}

void
record_polls (guint n_polls)
{
  for (guint i = 0; i < n_polls; i++)
    {
      parklane_poll_start (i, 0, 0);
      parklane_poll_end ();
    }
}

void
record_located_polls (guint n_polls)
{
  guint location = parklane_location_register ("src/loop.rs", 1, 1);

  for (guint i = 0; i < n_polls; i++)
    {
      parklane_poll_start (i, location, 0);
      parklane_poll_end ();
    }
}

ParklaneMetrics
get_metrics (void)
{
  ParklaneMetrics metrics = { .struct_size = sizeof metrics };

  g_assert_cmpint (parklane_metrics_get (&metrics), ==, 0);
  return metrics;
}

guint
count_shared_memory (pid_t pid, time_t begin_s)
{
  struct shm_info info;
  int last = shmctl (0, SHM_INFO, (struct shmid_ds *) &info);
  guint n = 0;

  for (int i = 0; i <= last; i++)
    {
      struct shmid_ds segment;

      n += shmctl (i, SHM_STAT, &segment) >= 0 && segment.shm_cpid == pid && segment.shm_ctime >= begin_s;
    }
  return n;
}
