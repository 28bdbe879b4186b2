/* pl-load-job.c: reading all files of a session on several threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-load-job.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>

#include "pl-file-load.h"
#include "pl-index.h"
#include "pl-memory.h"
#include "pl-parallel.h"
#include "pl-session-files.h"
#include "pl-trace-error.h"
#include "pl-trace-file.h"
#include "pl-trace-private.h"

/* How often a growing session is shown anew: often enough to look alive, seldom enough to cost nothing. */
#define SNAPSHOT_INTERVAL_US (100 * 1000)

/* What all readers may come to need at most: where less is to be had, detail is given up, and where even a quarter of it is
 * not, the job. */
#define MAX_RESERVE (G_GUINT64_CONSTANT (768) * 1024 * 1024)
#define LEAST_SHARE 4

struct _PlLoadJob
{
  GStrv paths;
  guint n_threads;
  PlStrings *strings;
  GCancellable *cancellable; /* of who runs it, and also when memory runs out */
  gsize reserve;
  gint is_out_of_memory; /* atomic */

  GMutex lock;
  GCond changed;      /* for the thread that makes snapshots */
  GCond work;         /* for those that read */
  GPtrArray *files;   /* PlFileLoad */
  guint next_file;    /* those before it need no further chunk for now */
  guint n_planned;
  GPtrArray *early;   /* PlPiece: of first chunks that are still being read */
  guint64 memory_budget;
  guint64 detail_bytes;
  guint64 bytes_total;
  guint64 raw_bytes;  /* of all files, estimated */
  guint64 bytes_read;
  guint64 n_events;
  guint n_running;    /* threads */
  gboolean is_dirty;
};

/**
 * pl_load_job_new:
 * @paths: (array zero-terminated=1): files and directories
 * @n_threads: how many to read with, 0 = one for each processor
 * @memory_budget: how many bytes of detail to hold; what is more is held as summaries
 *
 * Returns: (transfer full): a job that has not begun
 */
PlLoadJob *
pl_load_job_new (const char *const *paths, guint n_threads, guint64 memory_budget)
{
  PlLoadJob *self = g_new0 (PlLoadJob, 1);

  self->paths = g_strdupv ((char **) paths);
  self->n_threads = n_threads > 0 ? n_threads : g_get_num_processors ();
  self->memory_budget = memory_budget;
  self->reserve = MIN (self->n_threads * PL_MEMORY_READER, MAX_RESERVE);
  self->cancellable = g_cancellable_new ();
  self->strings = pl_strings_new ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_cond_init (&self->work);
  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_file_load_free);
  self->early = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);
  return self;
}

void
pl_load_job_free (PlLoadJob *self)
{
  g_strfreev (self->paths);
  g_object_unref (self->cancellable);
  pl_strings_unref (self->strings);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->early);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_cond_clear (&self->work);
  g_free (self);
}

/* Ends the job when not even what it needs without keeping any detail can be had. */
static void
check_memory (PlLoadJob *self, gsize needed)
{
  if (pl_memory_has_room (needed))
    return;
  g_atomic_int_set (&self->is_out_of_memory, TRUE);
  g_cancellable_cancel (self->cancellable);
}

/* A piece keeps its detail as long as the budget, and the system, have room. */
static PlPiece *
fit_piece (PlPiece *piece, gpointer user_data)
{
  PlLoadJob *self = user_data;
  gsize bytes = pl_piece_get_memory (piece);
  gboolean fits = pl_memory_has_room (self->reserve);
  PlPiece *summary;

  g_mutex_lock (&self->lock);
  fits = fits && self->detail_bytes + bytes <= self->memory_budget;
  if (fits)
    self->detail_bytes += bytes;
  g_mutex_unlock (&self->lock);
  if (fits)
    return piece;
  summary = pl_piece_ref (pl_piece_summarize (piece));
  pl_piece_unref (piece);
  check_memory (self, self->reserve / LEAST_SHARE);
  return summary;
}

/* A piece that is certain is shown at once. */
static PlPiece *
show_piece (PlPiece *piece, gpointer user_data)
{
  PlLoadJob *self = user_data;

  piece = fit_piece (piece, self);
  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->early, pl_piece_ref (piece));
  self->is_dirty = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  return piece;
}

static void
note_progress (guint64 disk_bytes, guint64 n_events, gpointer user_data)
{
  PlLoadJob *self = user_data;

  g_mutex_lock (&self->lock);
  self->bytes_read += disk_bytes;
  self->n_events += n_events;
  g_mutex_unlock (&self->lock);
}

static const PlChunkClient exact_client = { show_piece, note_progress };
static const PlChunkClient guessed_client = { fit_piece, note_progress };

/* Compressed files hold about this many raw bytes in each byte. */
#define COMPRESSION 4

static guint64
estimate_raw_bytes (const PlTraceFile *info)
{
  return info->size_bytes * (g_str_has_suffix (info->path, ".gz") || g_str_has_suffix (info->path, ".zst")
                             ? COMPRESSION : 1);
}

/* Whether the session is so large that most of it will be held as summaries. */
static gboolean
is_over_budget (const PlLoadJob *self)
{
  return self->raw_bytes / 2 > self->memory_budget;
}

/* Caller holds the lock. Finds a chunk to read, planning files when their turn comes. */
static PlFileLoad *
find_work (PlLoadJob *self, PlChunkRequest *out_request)
{
  for (guint i = self->next_file; i < self->files->len; i++)
    {
      PlFileLoad *file = g_ptr_array_index (self->files, i);

      if (i == self->n_planned)
        {
          self->n_planned++;
          g_mutex_unlock (&self->lock);
          if (!file->info.is_complete)
            pl_file_load_plan (file, self->n_threads, self->raw_bytes, &self->lock);
          g_mutex_lock (&self->lock);
          self->is_dirty = TRUE;
          g_cond_signal (&self->changed);
          g_cond_broadcast (&self->work);
        }
      if (pl_file_load_next (file, out_request))
        return file;
      if (i == self->next_file && file->info.is_complete)
        self->next_file++;
    }
  return NULL;
}

static gboolean
is_all_complete (PlLoadJob *self)
{
  for (guint i = self->next_file; i < self->files->len; i++)
    if (!((PlFileLoad *) g_ptr_array_index (self->files, i))->info.is_complete)
      return FALSE;
  return TRUE;
}

/* The pieces of this file's exact chunk are in the file now. */
static void
forget_early (PlLoadJob *self, guint file)
{
  for (guint i = self->early->len; i > 0; i--)
    if (((PlPiece *) g_ptr_array_index (self->early, i - 1))->file == file)
      g_ptr_array_remove_index (self->early, i - 1);
}

static gpointer
read_chunks (gpointer data)
{
  PlLoadJob *self = data;

  g_mutex_lock (&self->lock);
  while (!g_cancellable_is_cancelled (self->cancellable))
    {
      PlChunkRequest request = { .strings = self->strings, .cancellable = self->cancellable };
      PlFileLoad *file = find_work (self, &request);
      PlChunk *chunk;

      if (file == NULL)
        {
          if (is_all_complete (self))
            break;
          g_cond_wait (&self->work, &self->lock);
          continue;
        }
      g_mutex_unlock (&self->lock);
      chunk = pl_chunk_read (&request, request.is_exact ? &exact_client : &guessed_client, self);
      g_mutex_lock (&self->lock);
      pl_file_load_finished (file, chunk);
      if (request.is_exact)
        forget_early (self, file->file);
      self->is_dirty = TRUE;
      g_cond_signal (&self->changed);
      g_cond_broadcast (&self->work);
    }
  self->n_running--;
  g_cond_signal (&self->changed);
  g_cond_broadcast (&self->work);
  g_mutex_unlock (&self->lock);
  return NULL;
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
      PlFileLoad *file = pl_file_load_new (i, g_ptr_array_index (paths, i));
      GStatBuf info;

      if (g_stat (file->info.path, &info) == 0 && S_ISREG (info.st_mode))
        file->info.size_bytes = (guint64) info.st_size;
      self->bytes_total += file->info.size_bytes;
      self->raw_bytes += estimate_raw_bytes (&file->info);
      g_ptr_array_add (self->files, file);
    }
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static void
copy_pieces (GPtrArray *from, GPtrArray *to)
{
  for (guint i = 0; i < from->len; i++)
    g_ptr_array_add (to, pl_piece_ref (g_ptr_array_index (from, i)));
}

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  const PlPiece *first = *(PlPiece *const *) a;
  const PlPiece *second = *(PlPiece *const *) b;

  if (first->file != second->file)
    return first->file < second->file ? -1 : 1;
  return (first->raw_from > second->raw_from) - (first->raw_from < second->raw_from);
}

/* Caller holds the lock, which is given up while the snapshot is built. */
static PlTrace *
build_snapshot (PlLoadJob *self)
{
  g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);
  g_autoptr(GArray) files = pl_trace_files_new ();
  PlTrace *trace;

  for (guint i = 0; i < self->files->len; i++)
    {
      PlFileLoad *load = g_ptr_array_index (self->files, i);
      const PlTraceFile *info;

      copy_pieces (pl_file_load_get_shown (load, &info), pieces);
      pl_trace_files_add (files, info);
    }
  for (guint i = 0; i < self->early->len; i++)
    if (!pl_file_load_is_previewed (self->files->pdata[((PlPiece *) self->early->pdata[i])->file]))
      g_ptr_array_add (pieces, pl_piece_ref (self->early->pdata[i]));
  g_ptr_array_sort (pieces, compare_pieces);
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
      now = g_get_monotonic_time ();
      if (self->is_dirty && func != NULL)
        trace = build_snapshot (self);
      self->is_dirty = FALSE;
      g_mutex_unlock (&self->lock);
      if (func != NULL)
        func (self, trace, user_data);
      g_clear_pointer (&trace, pl_trace_unref);
      g_mutex_lock (&self->lock);
      /* Snapshots of a large trace take longer to make: they get at most a fifth of the time. */
      next = g_get_monotonic_time () + MAX (SNAPSHOT_INTERVAL_US, 4 * (g_get_monotonic_time () - now));
    }
  g_mutex_unlock (&self->lock);
}

static void
recall_file (guint i, gpointer user_data)
{
  PlLoadJob *self = user_data;

  if (!g_cancellable_is_cancelled (self->cancellable))
    pl_file_load_recall (self->files->pdata[i], self->strings, is_over_budget (self));
}

/* Shows what the index knows, unless nothing is left to be read and the last snapshot is as near. */
static void
show_recalled (PlLoadJob *self, PlLoadJobFunc func, gpointer user_data)
{
  PlTrace *trace = NULL;
  guint n_known = 0;
  guint n_complete = 0;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->files->len; i++)
    {
      const PlFileLoad *file = self->files->pdata[i];

      n_known += file->is_remembered;
      n_complete += file->info.is_complete;
      if (file->info.is_complete)
        self->bytes_read += file->info.size_bytes;
    }
  if (func != NULL && n_known > 0 && n_complete < self->files->len)
    trace = build_snapshot (self);
  g_mutex_unlock (&self->lock);
  if (trace != NULL)
    func (self, trace, user_data);
  g_clear_pointer (&trace, pl_trace_unref);
}

/* Returns how many readers were started; what the system refuses, the others do, and without any the caller. */
static guint
start_readers (PlLoadJob *self, GThread **threads)
{
  guint n = 0;

  self->n_running = self->n_threads;
  while (n < self->n_threads && (threads[n] = g_thread_try_new ("reader", read_chunks, self, NULL)) != NULL)
    n++;
  g_mutex_lock (&self->lock);
  self->n_running -= self->n_threads - n;
  g_mutex_unlock (&self->lock);
  if (n == 0)
    {
      self->n_running = 1;
      read_chunks (self);
    }
  return n;
}

/* Returns NULL when it was cancelled. */
static PlTrace *
read_files (PlLoadJob *self, PlLoadJobFunc func, gpointer user_data)
{
  g_autofree GThread **threads = g_new (GThread *, self->n_threads);
  guint n_started;
  PlTrace *trace;

  /* Before anything is read of a file: the whole session is there at once where all of it is known. */
  pl_parallel_foreach (self->files->len, self->n_threads, recall_file, self);
  show_recalled (self, func, user_data);
  n_started = start_readers (self, threads);
  follow (self, func, user_data);
  for (guint i = 0; i < n_started; i++)
    g_thread_join (threads[i]);

  if (g_cancellable_is_cancelled (self->cancellable))
    return NULL;
  g_mutex_lock (&self->lock);
  trace = build_snapshot (self);
  g_mutex_unlock (&self->lock);
  return trace;
}

static void
stop (GCancellable *cancellable, gpointer user_data)
{
  PlLoadJob *self = user_data;

  g_cancellable_cancel (self->cancellable);
}

/**
 * pl_load_job_run:
 * @cancellable: (nullable): ends the reading within 256 KiB
 * @func: (nullable): told of progress
 *
 * Reads everything, blocking the calling thread. A file that is damaged, or no trace at all, does not end the job: its
 * error stands in the snapshot's files. Memory that the system refuses is made do without as long as that is possible.
 *
 * Returns: (transfer full): the final snapshot; %NULL when there is nothing to read, it was cancelled or even summaries
 *   find no room
 */
PlTrace *
pl_load_job_run (PlLoadJob *self, GCancellable *cancellable, PlLoadJobFunc func, gpointer user_data, GError **error)
{
  gulong handler = cancellable != NULL ? g_cancellable_connect (cancellable, G_CALLBACK (stop), self, NULL) : 0;
  PlTrace *trace = NULL;

  check_memory (self, self->reserve / 2);
  if (list_files (self, error))
    {
      trace = read_files (self, func, user_data);
      if (trace == NULL)
        g_cancellable_set_error_if_cancelled (self->cancellable, error);
    }
  g_cancellable_disconnect (cancellable, handler);
  if (!g_atomic_int_get (&self->is_out_of_memory))
    return trace;
  g_clear_pointer (&trace, pl_trace_unref);
  g_clear_error (error);
  g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_TOO_LARGE,
               _("there is too little memory to read this: the system refuses %" PRIu64 " MiB more"),
               (guint64) self->reserve / LEAST_SHARE / (1024 * 1024));
  return NULL;
}

/**
 * pl_load_job_hand_over:
 *
 * Makes somebody who goes on from here: with what was read, or with nothing if the job was not run.
 *
 * Returns: (transfer full): the same session, to be followed
 */
PlFollow *
pl_load_job_hand_over (PlLoadJob *self)
{
  PlFollow *follow = pl_follow_new ((const char *const *) self->paths, self->strings, self->memory_budget);

  for (guint i = 0; i < self->files->len; i++)
    {
      const PlFileLoad *load = g_ptr_array_index (self->files, i);

      pl_follow_adopt (follow, &load->info, load->pieces);
    }
  return follow;
}

/**
 * pl_load_job_remember:
 *
 * Writes summaries of what was read to the user's index, so that it is there at once the next time. After
 * pl_load_job_run(); may take a while, not on the main thread.
 */
void
pl_load_job_remember (PlLoadJob *self)
{
  for (guint i = 0; i < self->files->len; i++)
    pl_file_load_remember (self->files->pdata[i], self->strings);
  pl_index_prune ();
}

/**
 * pl_load_job_run_once:
 *
 * pl_load_job_run() for a program that only asks once: it would pay more for an index than it gains, unless the session is
 * huge.
 *
 * Returns: (transfer full): as pl_load_job_run()
 */
PlTrace *
pl_load_job_run_once (PlLoadJob *self, GCancellable *cancellable, GError **error)
{
  PlTrace *trace = pl_load_job_run (self, cancellable, NULL, NULL, error);

  if (trace != NULL && pl_trace_is_summary (trace))
    pl_load_job_remember (self);
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
  *out_bytes_read = MIN (self->bytes_read, self->bytes_total);
  *out_bytes_total = self->bytes_total;
  *out_n_events = self->n_events;
  g_mutex_unlock (&self->lock);
}
