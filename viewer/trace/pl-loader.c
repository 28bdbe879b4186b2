/* pl-loader.c: files and directories → growing snapshots, off the calling thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-loader-private.h"

#include "pl-detail.h"

enum
{
  PROP_TRACE = 1,
  PROP_PROGRESS,
  PROP_LOADING,
  PROP_SHARP,
  PROP_STATE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (PlLoader, pl_loader, G_TYPE_OBJECT)

/* On its way from the job's thread to the context that loading was begun on. */
typedef struct
{
  PlLoader *loader;
  PlTrace *trace;
} News;

void
pl_loader_set_trace (PlLoader *self, PlTrace *trace)
{
  g_clear_pointer (&self->trace, pl_trace_unref);
  self->trace = pl_trace_ref (trace);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TRACE]);
}

static gboolean
deliver_news (gpointer data)
{
  News *news = data;

  if (news->loader->is_loading)
    {
      if (news->trace != NULL)
        pl_loader_set_trace (news->loader, news->trace);
      g_object_notify_by_pspec (G_OBJECT (news->loader), properties[PROP_PROGRESS]);
    }
  return G_SOURCE_REMOVE;
}

static void
news_free (gpointer data)
{
  News *news = data;

  g_clear_pointer (&news->trace, pl_trace_unref);
  g_object_unref (news->loader);
  g_free (news);
}

static void
send_news (PlLoadJob *job, PlTrace *trace, gpointer user_data)
{
  News *news = g_new0 (News, 1);

  news->loader = g_object_ref (user_data);
  news->trace = trace != NULL ? pl_trace_ref (trace) : NULL;
  g_main_context_invoke_full (news->loader->context, G_PRIORITY_DEFAULT_IDLE, deliver_news, news, news_free);
}

/* Files that were named are there and do not grow, as a rule; a directory is a session. So is what is not there yet, unless
 * it is called as a file. */
static gboolean
is_session (const char *path)
{
  static const char *const suffixes[] = { ".bin", ".active", ".gz", ".zst" };

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return g_file_test (path, G_FILE_TEST_IS_DIR);
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (path, suffixes[i]))
      return FALSE;
  return TRUE;
}

static gboolean
has_session (PlLoader *self)
{
  for (gsize i = 0; self->paths[i] != NULL; i++)
    if (is_session (self->paths[i]))
      return TRUE;
  return FALSE;
}

/* What was loaded, as far as the session has grown meanwhile. Without anything on disk there is nothing to load yet. */
static PlTrace *
load_to_follow (PlLoader *self, GCancellable *cancellable, GError **error)
{
  g_autoptr(PlFollow) follow = pl_load_job_hand_over (self->job);

  pl_follow_scan (follow);
  if (pl_follow_get_state (follow) == PL_FOLLOW_PRESENT)
    {
      g_autoptr(PlTrace) loaded = pl_load_job_run (self->job, cancellable, send_news, self, error);

      if (loaded == NULL)
        return NULL;
      g_clear_pointer (&follow, pl_follow_free);
      follow = pl_load_job_hand_over (self->job);
      pl_follow_step (follow);
    }
  self->follow = g_steal_pointer (&follow);
  return pl_follow_build (self->follow);
}

static void
load_in_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  PlLoader *self = source_object;
  GError *error = NULL;
  PlTrace *trace;

  if (self->follows && has_session (self))
    trace = load_to_follow (self, cancellable, &error);
  else
    trace = pl_load_job_run (self->job, cancellable, send_news, self, &error);
  if (trace == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_task_return_pointer (task, trace, (GDestroyNotify) pl_trace_unref);
}

static void
remember_in_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  PlLoader *self = source_object;

  pl_load_job_remember (self->job);
  g_task_return_boolean (task, TRUE);
}

/* Who follows gives pieces up one after the other, which the job must not keep. */
static void
remembered (GObject *object, GAsyncResult *result, gpointer user_data)
{
  PlLoader *self = PL_LOADER (object);

  if (self->thread != NULL)
    g_clear_pointer (&self->job, pl_load_job_free);
}

/* Writes the index for the next time, after everybody has got what was loaded. The task keeps the loader alive. */
static void
remember (PlLoader *self)
{
  g_autoptr(GTask) task = g_task_new (self, NULL, remembered, NULL);

  g_task_set_priority (task, G_PRIORITY_LOW);
  g_task_run_in_thread (task, remember_in_thread);
}

static void
pl_loader_finalize (GObject *object)
{
  PlLoader *self = PL_LOADER (object);

  g_clear_pointer (&self->thread, pl_follow_thread_stop);
  g_clear_pointer (&self->follow, pl_follow_free);
  g_clear_pointer (&self->paths, g_strfreev);
  g_clear_pointer (&self->job, pl_load_job_free);
  g_clear_pointer (&self->trace, pl_trace_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
  G_OBJECT_CLASS (pl_loader_parent_class)->finalize (object);
}

static void
pl_loader_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  PlLoader *self = PL_LOADER (object);

  switch (prop_id)
    {
    case PROP_TRACE:
      g_value_set_boxed (value, self->trace);
      break;
    case PROP_PROGRESS:
      g_value_set_double (value, pl_loader_get_progress (self));
      break;
    case PROP_LOADING:
      g_value_set_boolean (value, self->is_loading);
      break;
    case PROP_SHARP:
      g_value_set_boolean (value, pl_loader_is_sharp (self));
      break;
    case PROP_STATE:
      g_value_set_uint (value, self->state);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
pl_loader_class_init (PlLoaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = pl_loader_finalize;
  object_class->get_property = pl_loader_get_property;
  properties[PROP_TRACE] = g_param_spec_boxed ("trace", NULL, NULL, PL_TYPE_TRACE,
                                               G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, 0, 1, 0,
                                                   G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_LOADING] = g_param_spec_boolean ("loading", NULL, NULL, FALSE,
                                                   G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHARP] = g_param_spec_boolean ("sharp", NULL, NULL, TRUE,
                                                 G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_STATE] = g_param_spec_uint ("state", NULL, NULL, PL_FOLLOW_PRESENT, PL_FOLLOW_UNREADABLE,
                                              PL_FOLLOW_PRESENT, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
pl_loader_init (PlLoader *self)
{
  self->memory_budget = PL_DETAIL_DEFAULT_BUDGET;
}

/**
 * pl_loader_new:
 * @paths: (array zero-terminated=1): files and directories
 *
 * Returns: (transfer full): a loader, for one load
 */
PlLoader *
pl_loader_new (const char *const *paths)
{
  PlLoader *self = g_object_new (PL_TYPE_LOADER, NULL);

  self->paths = g_strdupv ((char **) paths);
  return self;
}

/**
 * pl_loader_set_memory_budget:
 * @bytes: how much detail snapshots may hold; 512 MiB if it is not set
 *
 * Before loading begins.
 */
void
pl_loader_set_memory_budget (PlLoader *self, guint64 bytes)
{
  self->memory_budget = bytes;
}

/**
 * pl_loader_dup_trace:
 *
 * Returns: (transfer full) (nullable): the newest snapshot
 */
PlTrace *
pl_loader_dup_trace (PlLoader *self)
{
  return self->trace != NULL ? pl_trace_ref (self->trace) : NULL;
}

/**
 * pl_loader_get_progress:
 *
 * Returns: share of the bytes on disk that has been read, 0 to 1
 */
double
pl_loader_get_progress (PlLoader *self)
{
  guint64 total = pl_loader_get_bytes_total (self);

  return total > 0 ? MIN (1.0, (double) pl_loader_get_bytes_read (self) / (double) total) : 0;
}

guint64
pl_loader_get_n_events (PlLoader *self)
{
  guint64 read = 0, total = 0, n_events = 0;

  if (self->job != NULL)
    pl_load_job_get_progress (self->job, &read, &total, &n_events);
  return n_events;
}

guint64
pl_loader_get_bytes_read (PlLoader *self)
{
  guint64 read = 0, total = 0, n_events = 0;

  if (self->job != NULL)
    pl_load_job_get_progress (self->job, &read, &total, &n_events);
  return read;
}

guint64
pl_loader_get_bytes_total (PlLoader *self)
{
  guint64 read = 0, total = 0, n_events = 0;

  if (self->job != NULL)
    pl_load_job_get_progress (self->job, &read, &total, &n_events);
  return total;
}

/**
 * pl_loader_get_elapsed_us:
 *
 * Returns: microseconds that loading has taken so far, or took
 */
gint64
pl_loader_get_elapsed_us (PlLoader *self)
{
  return self->is_loading ? g_get_monotonic_time () - self->started_us : self->elapsed_us;
}

/**
 * pl_loader_load_async:
 * @cancellable: (nullable): ends loading soon; snapshots delivered until then stay valid
 * @callback: called on the current thread-default main context
 *
 * Begins to load. Once per loader.
 */
void
pl_loader_load_async (PlLoader *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr(GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_return_if_fail (self->context == NULL);

  self->job = pl_load_job_new ((const char *const *) self->paths, 0, self->memory_budget);
  self->context = g_main_context_ref_thread_default ();
  self->is_loading = TRUE;
  self->started_us = g_get_monotonic_time ();
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
  /* The job looks at the cancellable itself, and its thread uses what the loader owns. */
  g_task_set_return_on_cancel (task, FALSE);
  g_task_run_in_thread (task, load_in_thread);
}

static void
take_growth (PlTrace *trace, PlFollowState state, gpointer user_data)
{
  g_autoptr(PlLoader) self = g_object_ref (user_data);
  gboolean was_awaited = self->awaits_detail;
  gboolean has_changed = self->state != state;

  self->awaits_detail = FALSE;
  self->state = state;
  pl_loader_set_trace (self, trace);
  if (has_changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
  if (was_awaited)
    {
      g_object_notify (G_OBJECT (self), "sharp");
      pl_loader_sharpen (self);
    }
}

static void
begin_following (PlLoader *self)
{
  self->state = pl_follow_get_state (self->follow);
  self->thread = pl_follow_thread_start (g_steal_pointer (&self->follow), take_growth, self);
  if (self->thread != NULL)
    pl_follow_thread_set_pace (self->thread, self->pace_ms);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
}

/**
 * pl_loader_set_follow:
 * @follow: whether to go on with what is recorded after loading
 *
 * Before loading begins. A loader that follows makes new snapshots as the session grows, for as long as it lives, and
 * waits for one that is not there yet. Files that are named one by one are not followed.
 */
void
pl_loader_set_follow (PlLoader *self, gboolean follow)
{
  self->follows = follow;
}

/**
 * pl_loader_is_following:
 *
 * Returns: whether it has loaded, and new snapshots come as the session grows
 */
gboolean
pl_loader_is_following (PlLoader *self)
{
  return self->thread != NULL;
}

/**
 * pl_loader_set_pace:
 * @interval_ms: how often to look for growth; 0 for often enough that events are seen as they happen
 *
 * For who follows.
 */
void
pl_loader_set_pace (PlLoader *self, guint interval_ms)
{
  self->pace_ms = interval_ms;
  if (self->thread != NULL)
    pl_follow_thread_set_pace (self->thread, interval_ms);
}

PlFollowState
pl_loader_get_state (PlLoader *self)
{
  return self->state;
}

/**
 * pl_loader_load_finish:
 *
 * Returns: (transfer full): the final snapshot; %NULL with an error when there was nothing to read or it was cancelled.
 *   Damaged files are no error here: see pl_trace_get_files().
 */
PlTrace *
pl_loader_load_finish (PlLoader *self, GAsyncResult *result, GError **error)
{
  PlTrace *trace = g_task_propagate_pointer (G_TASK (result), error);

  self->elapsed_us = g_get_monotonic_time () - self->started_us;
  self->is_loading = FALSE;
  if (trace != NULL)
    {
      pl_loader_set_trace (self, trace);
      remember (self);
    }
  if (self->follow != NULL)
    begin_following (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROGRESS]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
  pl_loader_sharpen (self);
  return trace;
}

/**
 * pl_loader_load_within:
 * @paths: (array zero-terminated=1): files and directories
 * @n_threads: how many to read with, 0 = one for each processor
 * @memory_budget: how many bytes of detail to hold
 * @cancellable: (nullable): a cancellable
 *
 * Loads on the calling thread and those it starts, for programs without a main loop.
 *
 * Returns: (transfer full): the snapshot; %NULL as for pl_loader_load_finish()
 */
PlTrace *
pl_loader_load_within (const char *const *paths, guint n_threads, guint64 memory_budget, GCancellable *cancellable,
                       GError **error)
{
  PlLoadJob *job = pl_load_job_new (paths, n_threads, memory_budget);
  PlTrace *trace = pl_load_job_run_once (job, cancellable, error);

  pl_load_job_free (job);
  return trace;
}

/**
 * pl_loader_load:
 *
 * pl_loader_load_within() the default budget.
 *
 * Returns: (transfer full): the snapshot; %NULL as for pl_loader_load_finish()
 */
PlTrace *
pl_loader_load (const char *const *paths, guint n_threads, GCancellable *cancellable, GError **error)
{
  return pl_loader_load_within (paths, n_threads, PL_DETAIL_DEFAULT_BUDGET, cancellable, error);
}
