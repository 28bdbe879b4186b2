/* pl-watch-set.c: watches all sessions of a directory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One watch finds the session that was written to last, and names the others; each of them gets a watch of its own. An
 * unsealed segment that was written to last before the first session began is an older run's, and its end is nobody's
 * stall: its session counts only once it grows or its writer is seen.
 */
#include "config.h"

#include "pl-watch-set.h"

/* Of a directory to which new sessions come for ever, what is over is given up first. */
#define MAX_SESSIONS 16

/* An older run's segment that has lain there for so long does not grow any more: a recorder hands over within 45 s. */
#define FROZEN_NS (G_GINT64_CONSTANT (60) * 1000000000)

/**
 * Member:
 * @counts: its verdict is of interest
 * @is_recent: it was written to while the first session was recorded
 */
typedef struct
{
  PlWatchSet *set;
  PlWatch *watch;
  gboolean is_recent;
  gboolean counts;
  PlVerdict told;
  PlVerdictCause told_cause;
} Member;

struct _PlWatchSet
{
  GObject parent_instance;
  char *directory;
  GPtrArray *members; /* Member; the first one names the others */
  PlWatch *worst;
  gboolean is_running;
};

enum
{
  SIGNAL_SAMPLED,
  SIGNAL_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PlWatchSet, pl_watch_set, G_TYPE_OBJECT)

/* The order of exit statuses; where all is well, what goes on before what is over. */
static const int ranks[PL_N_VERDICTS] = {
  [PL_VERDICT_STALLED] = 5,
  [PL_VERDICT_KILLED] = 4,
  [PL_VERDICT_UNKNOWN] = 3,
  [PL_VERDICT_QUIET] = 2,
  [PL_VERDICT_RECORDING] = 1,
  [PL_VERDICT_PLATEAU] = 1,
  [PL_VERDICT_FINISHED] = 0,
};

static Member *
get_member (PlWatchSet *self, guint i)
{
  return g_ptr_array_index (self->members, i);
}

static gboolean
is_over (Member *member)
{
  PlVerdict verdict = pl_watch_get_verdict (member->watch);

  return verdict == PL_VERDICT_FINISHED || verdict == PL_VERDICT_KILLED;
}

/* ---- which sessions ---- */

static void add_member (PlWatchSet *self, const char *prefix, gboolean is_recent);

static Member *
find_member (PlWatchSet *self, const char *prefix)
{
  for (guint i = 0; i < self->members->len; i++)
    if (g_strcmp0 (pl_watch_get_prefix (get_member (self, i)->watch), prefix) == 0)
      return get_member (self, i);
  return NULL;
}

/* Never the first: it names the others. */
static gboolean
make_room (PlWatchSet *self)
{
  for (guint i = 1; i < self->members->len && self->members->len >= MAX_SESSIONS; i++)
    if (is_over (get_member (self, i)))
      g_ptr_array_remove_index (self->members, i);
  return self->members->len < MAX_SESSIONS;
}

static void
take_others (PlWatchSet *self, PlWatch *first)
{
  const GArray *others = pl_watch_get_others (first);

  for (guint i = 0; i < others->len; i++)
    {
      const PlOtherSession *other = &g_array_index (others, PlOtherSession, i);
      Member *member = find_member (self, other->prefix);

      if (member != NULL)
        member->is_recent |= !other->is_older;
      else if (make_room (self))
        add_member (self, other->prefix, !other->is_older);
    }
}

/* ---- what they say ---- */

/* Of several that are as bad the one that is shown stays. */
static void
find_worst (PlWatchSet *self)
{
  PlWatch *worst = NULL;

  for (guint i = 0; i < self->members->len; i++)
    {
      Member *member = get_member (self, i);
      int by;

      if (!member->counts)
        continue;
      by = worst == NULL ? 1 : ranks[pl_watch_get_verdict (member->watch)] - ranks[pl_watch_get_verdict (worst)];
      if (by > 0 || (by == 0 && member->watch == self->worst))
        worst = member->watch;
    }
  self->worst = worst;
}

static void
tell_company (PlWatchSet *self)
{
  gboolean has_company = pl_watch_set_get_n (self) > 1;

  for (guint i = 0; i < self->members->len; i++)
    pl_watch_tell_company (get_member (self, i)->watch, has_company);
}

static void
on_sampled (PlWatch *watch, gpointer data)
{
  Member *member = data;
  g_autoptr(PlWatchSet) self = g_object_ref (member->set);
  const PlWatchStatus *status = pl_watch_get_status (watch);
  gboolean is_first = member == get_member (self, 0);
  gboolean is_new;

  if (is_first && self->is_running)
    take_others (self, watch);
  is_new = !member->counts && (is_first || member->is_recent || status->has_shown_life);
  member->counts |= is_new;
  is_new |= status->verdict != member->told || status->cause != member->told_cause;
  member->told = status->verdict;
  member->told_cause = status->cause;
  if (member->counts)
    {
      find_worst (self);
      tell_company (self);
      g_signal_emit (self, signals[SIGNAL_SAMPLED], 0, watch);
      if (is_new)
        g_signal_emit (self, signals[SIGNAL_CHANGED], 0, watch);
    }
}

static void
member_free (Member *self)
{
  g_signal_handlers_disconnect_by_data (self->watch, self);
  pl_watch_stop (self->watch);
  if (self->set->worst == self->watch)
    self->set->worst = NULL;
  g_object_unref (self->watch);
  g_free (self);
}

static void
add_member (PlWatchSet *self, const char *prefix, gboolean is_recent)
{
  Member *member = g_new0 (Member, 1);

  member->set = self;
  member->watch = pl_watch_new (self->directory, prefix);
  member->is_recent = is_recent;
  g_signal_connect (member->watch, "sampled", G_CALLBACK (on_sampled), member);
  g_ptr_array_add (self->members, member);
  if (self->is_running)
    pl_watch_start (member->watch);
}

/* ---- the object ---- */

static void
pl_watch_set_finalize (GObject *object)
{
  PlWatchSet *self = PL_WATCH_SET (object);

  g_ptr_array_unref (self->members);
  g_free (self->directory);
  G_OBJECT_CLASS (pl_watch_set_parent_class)->finalize (object);
}

static void
pl_watch_set_class_init (PlWatchSetClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pl_watch_set_finalize;
  signals[SIGNAL_SAMPLED] = g_signal_new ("sampled", PL_TYPE_WATCH_SET, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, PL_TYPE_WATCH);
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", PL_TYPE_WATCH_SET, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, PL_TYPE_WATCH);
}

static void
pl_watch_set_init (PlWatchSet *self)
{
  self->members = g_ptr_array_new_with_free_func ((GDestroyNotify) member_free);
}

/**
 * pl_watch_set_new:
 * @directory: need not exist yet
 * @prefix: (nullable): the one session to watch; %NULL for all
 *
 * Returns: (transfer full): a set that does nothing before pl_watch_set_start()
 */
PlWatchSet *
pl_watch_set_new (const char *directory, const char *prefix)
{
  PlWatchSet *self = g_object_new (PL_TYPE_WATCH_SET, NULL);

  self->directory = g_strdup (directory);
  add_member (self, prefix, TRUE);
  return self;
}

/**
 * pl_watch_set_start:
 *
 * Looks at the directory now and then once a second, until pl_watch_set_stop() or the set's end.
 */
void
pl_watch_set_start (PlWatchSet *self)
{
  self->is_running = TRUE;
  for (guint i = 0; i < self->members->len; i++)
    pl_watch_start (get_member (self, i)->watch);
}

/**
 * pl_watch_set_stop:
 *
 * No signal comes after this. What was seen stays.
 */
void
pl_watch_set_stop (PlWatchSet *self)
{
  self->is_running = FALSE;
  for (guint i = 0; i < self->members->len; i++)
    pl_watch_stop (get_member (self, i)->watch);
}

/**
 * pl_watch_set_get_n:
 *
 * Returns: how many sessions count; none before the first look
 */
guint
pl_watch_set_get_n (PlWatchSet *self)
{
  guint n = 0;

  for (guint i = 0; i < self->members->len; i++)
    n += get_member (self, i)->counts;
  return n;
}

/**
 * pl_watch_set_get:
 * @position: below pl_watch_set_get_n()
 *
 * Returns: (transfer none): a session that counts
 */
PlWatch *
pl_watch_set_get (PlWatchSet *self, guint position)
{
  for (guint i = 0; i < self->members->len; i++)
    if (get_member (self, i)->counts && position-- == 0)
      return get_member (self, i)->watch;
  g_return_val_if_reached (NULL);
}

/**
 * pl_watch_set_get_worst:
 *
 * Returns: (transfer none) (nullable): the session with the worst verdict: stalled, killed, not known, quiet, recording or
 *   at plateau, finished; %NULL before the first look
 */
PlWatch *
pl_watch_set_get_worst (PlWatchSet *self)
{
  return self->worst;
}

static gboolean
is_settled (Member *member)
{
  const PlWatchStatus *status = pl_watch_get_status (member->watch);

  if (status->at_wall_ns == 0)
    return FALSE;
  return member->counts || status->verdict != PL_VERDICT_UNKNOWN || status->since_growth_ns >= FROZEN_NS;
}

/**
 * pl_watch_set_is_settled:
 *
 * Returns: whether each session that lies there was looked at and is known to count or not
 */
gboolean
pl_watch_set_is_settled (PlWatchSet *self)
{
  for (guint i = 0; i < self->members->len; i++)
    if (!is_settled (get_member (self, i)))
      return FALSE;
  return TRUE;
}
