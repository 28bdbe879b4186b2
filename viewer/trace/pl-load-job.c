/* pl-load-job.c: reading all files of a session on several threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-load-job.h"

#include <glib/gstdio.h>

#include "pl-reader.h"
#include "pl-session-files.h"
#include "pl-trace-private.h"

/* How often a growing session is shown anew: often enough to look alive, seldom enough to cost nothing. */
#define SNAPSHOT_INTERVAL_US (100 * 1000)

typedef struct
{
  guint64 disk_offset;
  guint64 n_events;
} FileProgress;

struct _PlLoadJob
{
  GStrv paths;
  guint n_threads;
  PlStrings *strings;
  GCancellable *cancellable;

  GMutex lock;
  GCond changed;
  GPtrArray *pieces;  /* PlPiece, by file and offset */
  GArray *files;      /* PlTraceFile */
  GArray *progress;   /* FileProgress */
  guint64 bytes_total;
  guint n_running;
  gboolean is_dirty;
};

static void
clear_file (gpointer data)
{
  PlTraceFile *file = data;

  g_free (file->path);
  g_clear_error (&file->error);
}

/**
 * pl_load_job_new:
 * @paths: (array zero-terminated=1): files and directories
 * @n_threads: how many to read with, 0 = one for each processor
 *
 * Returns: (transfer full): a job that has not begun
 */
PlLoadJob *
pl_load_job_new (const char *const *paths, guint n_threads)
{
  PlLoadJob *self = g_new0 (PlLoadJob, 1);

  self->paths = g_strdupv ((char **) paths);
  self->n_threads = n_threads > 0 ? n_threads : g_get_num_processors ();
  self->strings = pl_strings_new ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);
  self->files = g_array_new (FALSE, TRUE, sizeof (PlTraceFile));
  g_array_set_clear_func (self->files, clear_file);
  self->progress = g_array_new (FALSE, TRUE, sizeof (FileProgress));
  return self;
}

void
pl_load_job_free (PlLoadJob *self)
{
  g_strfreev (self->paths);
  pl_strings_unref (self->strings);
  g_ptr_array_unref (self->pieces);
  g_array_unref (self->files);
  g_array_unref (self->progress);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

static gboolean
is_before (const PlPiece *a, const PlPiece *b)
{
  return a->file != b->file ? a->file < b->file : a->raw_from < b->raw_from;
}

static void
take_piece (PlPiece *piece, gpointer user_data)
{
  PlLoadJob *self = user_data;
  guint i;

  g_mutex_lock (&self->lock);
  for (i = self->pieces->len; i > 0; i--)
    if (!is_before (piece, g_ptr_array_index (self->pieces, i - 1)))
      break;
  g_ptr_array_insert (self->pieces, (int) i, piece);
  self->is_dirty = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

static void
note_progress (guint file, guint64 disk_offset, guint64 raw_bytes, guint64 n_events, gpointer user_data)
{
  PlLoadJob *self = user_data;

  g_mutex_lock (&self->lock);
  g_array_index (self->progress, FileProgress, file) = (FileProgress) { disk_offset, n_events };
  g_array_index (self->files, PlTraceFile, file).raw_bytes = raw_bytes;
  g_mutex_unlock (&self->lock);
}

static const PlReaderClient client = { take_piece, note_progress };

static void
read_file (gpointer data, gpointer user_data)
{
  PlLoadJob *self = user_data;
  guint file = GPOINTER_TO_UINT (data) - 1;
  PlTraceFile info = { 0 };

  /* The reader works on its own copy; the array may be read by a snapshot at any time. */
  info.path = g_strdup (g_array_index (self->files, PlTraceFile, file).path);
  if (!g_cancellable_is_cancelled (self->cancellable))
    pl_reader_read_file (&info, file, self->strings, self->cancellable, &client, self);

  g_mutex_lock (&self->lock);
  clear_file (&g_array_index (self->files, PlTraceFile, file));
  g_array_index (self->files, PlTraceFile, file) = info;
  g_array_index (self->progress, FileProgress, file).disk_offset = info.size_bytes;
  self->n_running--;
  self->is_dirty = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

static gboolean
list_files (PlLoadJob *self, GError **error)
{
  g_autoptr(GPtrArray) paths = pl_session_files_list ((const char *const *) self->paths, self->cancellable, error);

  if (paths == NULL)
    return FALSE;
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < paths->len; i++)
    {
      PlTraceFile file = { .path = g_strdup (g_ptr_array_index (paths, i)) };
      GStatBuf info;

      if (g_stat (file.path, &info) == 0)
        file.size_bytes = (guint64) info.st_size;
      self->bytes_total += file.size_bytes;
      g_array_append_val (self->files, file);
    }
  g_array_set_size (self->progress, self->files->len);
  self->n_running = self->files->len;
  g_mutex_unlock (&self->lock);
  return TRUE;
}

/* Caller holds the lock, which is given up while the snapshot is built. */
static PlTrace *
build_snapshot (PlLoadJob *self)
{
  g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);
  g_autoptr(GArray) files = g_array_new (FALSE, FALSE, sizeof (PlTraceFile));
  PlTrace *trace;

  g_array_set_clear_func (files, clear_file);
  for (guint i = 0; i < self->pieces->len; i++)
    g_ptr_array_add (pieces, pl_piece_ref (g_ptr_array_index (self->pieces, i)));
  for (guint i = 0; i < self->files->len; i++)
    {
      PlTraceFile file = g_array_index (self->files, PlTraceFile, i);

      file.path = g_strdup (file.path);
      file.error = file.error != NULL ? g_error_copy (file.error) : NULL;
      g_array_append_val (files, file);
    }
  self->is_dirty = FALSE;
  g_mutex_unlock (&self->lock);
  trace = pl_trace_build (pieces, files, self->strings);
  g_mutex_lock (&self->lock);
  return trace;
}

/* Waits for the readers and shows what they have, first as soon as there is anything. */
static void
follow (PlLoadJob *self, PlLoadJobFunc func, gpointer user_data)
{
  gint64 next = 0;

  g_mutex_lock (&self->lock);
  while (self->n_running > 0)
    {
      gint64 now = g_get_monotonic_time ();
      PlTrace *trace = NULL;

      if (now < next || !self->is_dirty)
        {
          g_cond_wait_until (&self->changed, &self->lock, MAX (next, now + SNAPSHOT_INTERVAL_US));
          if (self->is_dirty && g_get_monotonic_time () < next)
            continue;
        }
      if (self->n_running == 0)
        break;
      if (self->is_dirty && func != NULL)
        trace = build_snapshot (self);
      self->is_dirty = FALSE;
      g_mutex_unlock (&self->lock);
      if (func != NULL)
        func (self, trace, user_data);
      g_clear_pointer (&trace, pl_trace_unref);
      g_mutex_lock (&self->lock);
      next = g_get_monotonic_time () + SNAPSHOT_INTERVAL_US;
    }
  g_mutex_unlock (&self->lock);
}

/**
 * pl_load_job_run:
 * @cancellable: (nullable): ends the reading within 256 KiB
 * @func: (nullable): told of progress
 *
 * Reads everything, blocking the calling thread. A file that is damaged, or no trace at all, does not end the job: its
 * error stands in the snapshot's files.
 *
 * Returns: (transfer full): the final snapshot; %NULL when there is nothing to read or it was cancelled
 */
PlTrace *
pl_load_job_run (PlLoadJob *self, GCancellable *cancellable, PlLoadJobFunc func, gpointer user_data, GError **error)
{
  GThreadPool *pool;
  PlTrace *trace;

  self->cancellable = cancellable;
  if (!list_files (self, error))
    return NULL;

  pool = g_thread_pool_new (read_file, self, (int) MIN (self->n_threads, self->files->len), TRUE, error);
  if (pool == NULL)
    return NULL;
  for (guint i = 0; i < self->files->len; i++)
    g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
  follow (self, func, user_data);
  g_thread_pool_free (pool, FALSE, TRUE);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  g_mutex_lock (&self->lock);
  trace = build_snapshot (self);
  g_mutex_unlock (&self->lock);
  return trace;
}

/**
 * pl_load_job_get_progress:
 * @out_bytes_read: (out): of the files on disk
 * @out_bytes_total: (out): their sizes
 * @out_n_events: (out): events decoded
 *
 * Any thread.
 */
void
pl_load_job_get_progress (PlLoadJob *self, guint64 *out_bytes_read, guint64 *out_bytes_total, guint64 *out_n_events)
{
  g_mutex_lock (&self->lock);
  *out_bytes_read = *out_n_events = 0;
  *out_bytes_total = self->bytes_total;
  for (guint i = 0; i < self->progress->len; i++)
    {
      *out_bytes_read += g_array_index (self->progress, FileProgress, i).disk_offset;
      *out_n_events += g_array_index (self->progress, FileProgress, i).n_events;
    }
  g_mutex_unlock (&self->lock);
}
