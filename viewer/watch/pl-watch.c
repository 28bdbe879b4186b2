/* pl-watch.c: watches a session directory and says how its writer is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-watch.h"

struct _PlWatch
{
  GObject parent_instance;
  char *directory;
  char *prefix;
  PlWatchStatus status;
  PlWatchHistory *history;
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

  g_free (self->directory);
  g_free (self->prefix);
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
  self->status = PL_WATCH_STATUS_NONE;
}

/**
 * pl_watch_new:
 * @directory: need not exist yet
 * @prefix: (nullable): of the segments' names; %NULL for the session that was written to last
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
  g_signal_emit (self, signals[SIGNAL_SAMPLED], 0);
}

/**
 * pl_watch_stop:
 *
 * No signal comes after this. What was seen stays.
 */
void
pl_watch_stop (PlWatch *self)
{
}

/**
 * pl_watch_look:
 *
 * Looks soon instead of at the next full second: for who has been told that the directory changed.
 */
void
pl_watch_look (PlWatch *self)
{
}

const char *
pl_watch_get_directory (PlWatch *self)
{
  return self->directory;
}

/**
 * pl_watch_get_prefix:
 *
 * Returns: (nullable): what pl_watch_new() was given
 */
const char *
pl_watch_get_prefix (PlWatch *self)
{
  return self->prefix;
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
