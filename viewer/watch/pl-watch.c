/* pl-watch.c: watches a session directory and says how its writer is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-watch.h"

#include "pl-judge.h"

/* A look that takes longer than this waits for a file system that does not answer. */
#define PATIENCE_NS (G_GINT64_CONSTANT (10) * 1000000000)
#define LOOK_MS 1000

/* Looks get at most one in so many parts of the time. */
#define LOOK_SHARE 5

/* Shared with the thread that looks, one look at a time. */
typedef struct
{
  PlDirScanner scanner;
  PlJudge *judge;
  PlDirScan scan;
} Looker;

/* What one look gave. */
typedef struct
{
  PlWatchStatus status;
  char *prefix;
  GArray *others;
  gint64 mono_ns;
  gint64 next_ns;
} Finding;

struct _PlWatch
{
  GObject parent_instance;
  char *directory;
  char *prefix; /* given, or found */
  GArray *others;
  PlWatchStatus status;
  PlWatchHistory *history;
  Looker *looker;
  GMainContext *context;
  GSource *timer;
  gboolean has_company;
  gboolean is_running;
  gboolean is_looking;
  gint64 looking_since_us;
};

enum
{
  PROP_0,
  PROP_DIRECTORY,
  PROP_PREFIX,
  PROP_VERDICT,
  PROP_CAUSE,
  N_PROPERTIES,
};

enum
{
  SIGNAL_SAMPLED,
  SIGNAL_CHANGED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlWatch, pl_watch, G_TYPE_OBJECT)

static void
looker_free (Looker *self)
{
  self->scanner.klass->free (self->scanner.data);
  pl_judge_free (self->judge);
  g_array_unref (self->scan.files);
  g_free (self);
}

static void
finding_free (Finding *self)
{
  g_free (self->prefix);
  g_clear_pointer (&self->others, g_array_unref);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Finding, finding_free)

/* ---- looking ---- */

static void schedule (PlWatch *self, guint delay_ms);

/* In another thread. */
static void
look (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Looker *looker = data;
  Finding *finding = g_new0 (Finding, 1);

  pl_dir_scan_clear (&looker->scan);
  pl_dir_scanner_look (&looker->scanner, pl_judge_is_frozen (looker->judge), &looker->scan);
  pl_judge_hear (looker->judge, &looker->scan, &finding->status);
  finding->prefix = g_strdup (looker->scan.prefix);
  finding->others = pl_other_sessions_copy (looker->scan.others);
  finding->mono_ns = looker->scan.mono_ns;
  finding->next_ns = pl_judge_get_next_ns (looker->judge);
  g_task_return_pointer (task, finding, (GDestroyNotify) finding_free);
}

static void
publish (PlWatch *self, const PlWatchStatus *status, gint64 mono_ns)
{
  gboolean is_first = self->status.at_wall_ns == 0;
  gboolean has_verdict_changed = self->status.verdict != status->verdict;
  gboolean has_cause_changed = self->status.cause != status->cause;
  PlWatchPoint point = { status->at_wall_ns, mono_ns, status->disk_usage_bytes, status->bytes_written,
                         status->evicted_bytes };
  PlVerdictSpan span = { status->verdict, status->cause, status->at_wall_ns, mono_ns };

  self->status = *status;
  pl_watch_history_add_point (self->history, &point);
  pl_watch_history_add_span (self->history, &span);
  g_signal_emit (self, signals[SIGNAL_SAMPLED], 0);
  if (has_verdict_changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VERDICT]);
  if (has_cause_changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CAUSE]);
  if (is_first || has_verdict_changed || has_cause_changed)
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* As the verdict demands, but no more than a share of the time: there may be a hundred thousand segments. */
static guint
choose_delay_ms (PlWatch *self, const Finding *finding)
{
  gint64 took_us = g_get_monotonic_time () - self->looking_since_us;

  return (guint) MAX (finding->next_ns / 1000000, (LOOK_SHARE - 1) * took_us / 1000);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  PlWatch *self = PL_WATCH (source);
  g_autoptr(Finding) finding = g_task_propagate_pointer (G_TASK (result), NULL);

  self->is_looking = FALSE;
  if (!self->is_running)
    return;
  schedule (self, choose_delay_ms (self, finding));
  if (self->prefix == NULL)
    self->prefix = g_steal_pointer (&finding->prefix);
  g_array_unref (self->others);
  self->others = g_steal_pointer (&finding->others);
  publish (self, &finding->status, finding->mono_ns);
}

/* The verdict of before would be a guess by now. */
static void
tell_no_answer (PlWatch *self, gint64 since_ns)
{
  PlWatchStatus status = self->status;

  status.verdict = PL_VERDICT_UNKNOWN;
  status.cause = PL_CAUSE_NONE;
  status.at_wall_ns = g_get_real_time () * 1000;
  status.since_wall_ns = status.at_wall_ns - since_ns;
  status.writer_healthy = -1;
  status.n_evidence = 1;
  status.evidence[0] = (PlEvidence) { PL_EVIDENCE_NO_ANSWER, { since_ns } };
  publish (self, &status, g_get_monotonic_time () * 1000);
}

static gboolean
on_timer (gpointer data)
{
  PlWatch *self = data;

  g_clear_pointer (&self->timer, g_source_unref);
  if (self->is_looking)
    {
      gint64 since_ns = (g_get_monotonic_time () - self->looking_since_us) * 1000;

      schedule (self, LOOK_MS);
      if (since_ns > PATIENCE_NS)
        tell_no_answer (self, since_ns);
    }
  else
    {
      g_autoptr(GTask) task = g_task_new (self, NULL, on_looked, NULL);

      self->is_looking = TRUE;
      self->looking_since_us = g_get_monotonic_time ();
      schedule (self, LOOK_MS);
      g_task_set_task_data (task, self->looker, NULL);
      g_task_run_in_thread (task, look);
    }
  return G_SOURCE_REMOVE;
}

static void
unschedule (PlWatch *self)
{
  if (self->timer != NULL)
    g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
}

static void
schedule (PlWatch *self, guint delay_ms)
{
  unschedule (self);
  self->timer = g_timeout_source_new (delay_ms);
  g_source_set_callback (self->timer, on_timer, self, NULL);
  g_source_attach (self->timer, self->context);
}

/* ---- the object ---- */

static void
pl_watch_constructed (GObject *object)
{
  PlWatch *self = PL_WATCH (object);

  G_OBJECT_CLASS (pl_watch_parent_class)->constructed (object);
  self->looker = g_new0 (Looker, 1);
  self->looker->scanner = pl_dir_scanner_new (self->directory, self->prefix);
  self->looker->judge = pl_judge_new ();
  self->looker->scan.files = g_array_new (FALSE, FALSE, sizeof (PlDirFile));
}

static void
pl_watch_dispose (GObject *object)
{
  pl_watch_stop (PL_WATCH (object));
  G_OBJECT_CLASS (pl_watch_parent_class)->dispose (object);
}

static void
pl_watch_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  PlWatch *self = PL_WATCH (object);

  switch (id)
    {
    case PROP_DIRECTORY:
      g_value_set_string (value, self->directory);
      break;
    case PROP_PREFIX:
      g_value_set_string (value, self->prefix);
      break;
    case PROP_VERDICT:
      g_value_set_uint (value, self->status.verdict);
      break;
    case PROP_CAUSE:
      g_value_set_uint (value, self->status.cause);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
pl_watch_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PlWatch *self = PL_WATCH (object);

  switch (id)
    {
    case PROP_DIRECTORY:
      self->directory = g_value_dup_string (value);
      break;
    case PROP_PREFIX:
      self->prefix = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
pl_watch_finalize (GObject *object)
{
  PlWatch *self = PL_WATCH (object);

  looker_free (self->looker);
  g_main_context_unref (self->context);
  g_free (self->directory);
  g_free (self->prefix);
  g_array_unref (self->others);
  pl_watch_history_free (self->history);
  G_OBJECT_CLASS (pl_watch_parent_class)->finalize (object);
}

static void
pl_watch_class_init (PlWatchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags construct = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
  const GParamFlags read_only = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = pl_watch_get_property;
  object_class->set_property = pl_watch_set_property;
  object_class->constructed = pl_watch_constructed;
  object_class->dispose = pl_watch_dispose;
  object_class->finalize = pl_watch_finalize;
  properties[PROP_DIRECTORY] = g_param_spec_string ("directory", NULL, NULL, NULL, construct);
  properties[PROP_PREFIX] = g_param_spec_string ("prefix", NULL, NULL, NULL, construct);
  properties[PROP_VERDICT]
    = g_param_spec_uint ("verdict", NULL, NULL, 0, PL_N_VERDICTS - 1, PL_VERDICT_UNKNOWN, read_only);
  properties[PROP_CAUSE] = g_param_spec_uint ("cause", NULL, NULL, 0, PL_N_CAUSES - 1, PL_CAUSE_NONE, read_only);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  signals[SIGNAL_SAMPLED] = g_signal_new ("sampled", PL_TYPE_WATCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 0);
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", PL_TYPE_WATCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 0);
}

static void
pl_watch_init (PlWatch *self)
{
  self->history = pl_watch_history_new ();
  self->others = pl_other_sessions_copy (NULL);
  self->status = PL_WATCH_STATUS_NONE;
  self->context = g_main_context_ref_thread_default ();
}

/**
 * pl_watch_new:
 * @directory: need not exist yet
 * @prefix: (nullable): of the segments' names; %NULL for the session that was written to last when there was one first
 *
 * For all sessions of a directory there is #PlWatchSet.
 *
 * Returns: (transfer full): a watch that does nothing before pl_watch_start()
 */
PlWatch *
pl_watch_new (const char *directory, const char *prefix)
{
  return g_object_new (PL_TYPE_WATCH, "directory", directory, "prefix", prefix, NULL);
}

/**
 * pl_watch_start:
 *
 * Looks at the directory now and then once a second, in a thread of its own, until pl_watch_stop() or the watch's end.
 */
void
pl_watch_start (PlWatch *self)
{
  if (self->is_running)
    return;
  self->is_running = TRUE;
  schedule (self, 0);
}

/**
 * pl_watch_stop:
 *
 * No signal comes after this. What was seen stays.
 */
void
pl_watch_stop (PlWatch *self)
{
  self->is_running = FALSE;
  unschedule (self);
}

const char *
pl_watch_get_directory (PlWatch *self)
{
  return self->directory;
}

/**
 * pl_watch_get_prefix:
 *
 * Returns: (nullable): of the session that is watched: what pl_watch_new() was given, or what was found
 */
const char *
pl_watch_get_prefix (PlWatch *self)
{
  return self->prefix;
}

/**
 * pl_watch_get_others:
 *
 * Returns: (transfer none) (element-type PlOtherSession): further sessions that lay there at the last look; none where the
 *   prefix was given
 */
const GArray *
pl_watch_get_others (PlWatch *self)
{
  return self->others;
}

/**
 * pl_watch_has_company:
 *
 * Returns: whether it is one of several sessions of a directory, so that a verdict has to say of which it is
 */
gboolean
pl_watch_has_company (PlWatch *self)
{
  return self->has_company;
}

/**
 * pl_watch_tell_company:
 *
 * For who watches several.
 */
void
pl_watch_tell_company (PlWatch *self, gboolean has_company)
{
  self->has_company = has_company;
}

PlVerdict
pl_watch_get_verdict (PlWatch *self)
{
  return self->status.verdict;
}

PlVerdictCause
pl_watch_get_cause (PlWatch *self)
{
  return self->status.cause;
}

/**
 * pl_watch_get_status:
 *
 * Returns: (transfer none): what was found last; valid until the next `sampled`
 */
const PlWatchStatus *
pl_watch_get_status (PlWatch *self)
{
  return &self->status;
}

/**
 * pl_watch_get_history:
 *
 * Returns: (transfer none): usage and verdicts since the watch began
 */
PlWatchHistory *
pl_watch_get_history (PlWatch *self)
{
  return self->history;
}

/**
 * pl_watch_dup_evidence:
 *
 * Returns: (transfer full): the evidence in translated sentences, most telling first
 */
char **
pl_watch_dup_evidence (PlWatch *self)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < self->status.n_evidence; i++)
    {
      g_autofree char *sentence = pl_evidence_describe (&self->status.evidence[i]);

      g_strv_builder_add (builder, sentence);
    }
  return g_strv_builder_end (builder);
}
