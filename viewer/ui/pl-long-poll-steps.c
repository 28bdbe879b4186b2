/* pl-long-poll-steps.c: how the rows of a list become other rows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row that is removed loses its widget, even when it comes back at once in another place, and GTK lets the widget, with
 * the focus in it, show another row. So rows that somebody is at are kept: only what lies between them is changed.
 */
#include "config.h"

#include "pl-long-poll-steps.h"

/* Rows that come one by one, as polls are recorded, are told one by one: to make all that are looked at anew takes GTK a
 * fifth of a second. More steps than this take longer; in longer lists the walk itself does. */
#define MAX_STEPS 24
#define MAX_WALKED 20000

/* The place of a row before and after. */
typedef struct
{
  guint old;
  guint new;
} Kept;

struct _PlLongPollSteps
{
  PlLongPollRows *rows;
  PlLongPollRows *wanted;
  GArray *kept; /* Kept, in the order of rows, which is the same before and after */
};

/* Between two rows that are kept, or one and an end: what there is, and what it is to become. */
typedef struct
{
  GArray *rows;
  guint from;
  guint n;
  const PlPoll *wanted;
  guint n_wanted;
} Stretch;

/* Makes a stretch what it is to become, and tells @model; only counts the steps without. */
typedef guint (*StretchFunc) (const Stretch *stretch,
                              GListModel    *model);

static guint
hash_poll (gconstpointer key)
{
  const PlPoll *poll = key;

  return g_int64_hash (&poll->start_ns) ^ (guint) poll->worker;
}

static gboolean
equal_polls (gconstpointer a,
             gconstpointer b)
{
  return pl_poll_same (a, b);
}

static GHashTable *
collect_rows (GArray *polls)
{
  GHashTable *known = g_hash_table_new (hash_poll, equal_polls);

  for (guint i = 0; i < polls->len; i++)
    g_hash_table_add (known, &g_array_index (polls, PlPoll, i));
  return known;
}

static void
change (GArray       *rows,
        guint         position,
        guint         n_removed,
        const PlPoll *added,
        guint         n_added,
        GListModel   *model)
{
  if (model == NULL || n_removed + n_added == 0)
    return;
  g_array_remove_range (rows, position, n_removed);
  g_array_insert_vals (rows, position, added, n_added);
  g_list_model_items_changed (model, position, n_removed, n_added);
}

/* Inserts what is new and removes what is in the way, step by step. */
static guint
walk_stretch (const Stretch *stretch,
              GListModel    *model)
{
  g_autoptr(GArray) old = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  g_autoptr(GHashTable) known = NULL;
  const PlPoll *wanted = stretch->wanted;
  guint n_steps = 0;
  guint i = 0;
  guint j = 0;

  g_array_append_vals (old, &g_array_index (stretch->rows, PlPoll, stretch->from), stretch->n);
  known = collect_rows (old);
  while (j < stretch->n_wanted)
    {
      guint n_new = 0;

      if (i < old->len && pl_poll_same (&g_array_index (old, PlPoll, i), &wanted[j]))
        {
          g_hash_table_remove (known, &g_array_index (old, PlPoll, i++));
          j++;
          continue;
        }
      while (j + n_new < stretch->n_wanted && !g_hash_table_contains (known, &wanted[j + n_new]))
        n_new++;
      change (stretch->rows, stretch->from + j, n_new == 0, &wanted[j], n_new, model);
      if (n_new == 0)
        g_hash_table_remove (known, &g_array_index (old, PlPoll, i++));
      j += n_new;
      n_steps++;
    }
  change (stretch->rows, stretch->from + j, old->len - i, NULL, 0, model);
  return n_steps + (i < old->len);
}

static guint
replace_stretch (const Stretch *stretch,
                 GListModel    *model)
{
  change (stretch->rows, stretch->from, stretch->n, stretch->wanted, stretch->n_wanted, model);
  return 1;
}

static Stretch
get_stretch (PlLongPollSteps *self,
             guint            index)
{
  const Kept *before = index > 0 ? &g_array_index (self->kept, Kept, index - 1) : NULL;
  const Kept *behind = index < self->kept->len ? &g_array_index (self->kept, Kept, index) : NULL;
  guint from = before != NULL ? before->old + 1 : 0;
  guint to = behind != NULL ? behind->old : self->rows->polls->len;
  guint wanted_from = before != NULL ? before->new + 1 : 0;
  guint wanted_to = behind != NULL ? behind->new : self->wanted->polls->len;

  return (Stretch) {
    .rows = self->rows->polls,
    .from = from,
    .n = to - from,
    .wanted = &g_array_index (self->wanted->polls, PlPoll, wanted_from),
    .n_wanted = wanted_to - wanted_from,
  };
}

/* The last stretch comes first: the places of those before it do not change meanwhile. */
static guint
change_stretches (PlLongPollSteps *self,
                  StretchFunc      func,
                  GListModel      *model)
{
  guint n_steps = 0;

  for (guint i = self->kept->len + 1; i-- > 0;)
    {
      Stretch stretch = get_stretch (self, i);

      n_steps += func (&stretch, model);
    }
  return n_steps;
}

/**
 * pl_long_poll_steps_needed:
 * @rows: the rows of a list
 * @wanted: others
 *
 * Returns: whether they are not the same polls in the same order, as far as that is soon told
 */
gboolean
pl_long_poll_steps_needed (PlLongPollRows *rows,
                           PlLongPollRows *wanted)
{
  guint n = rows->polls->len;

  if (wanted->polls->len != n || n > MAX_WALKED)
    return TRUE;
  for (guint i = 0; i < n; i++)
    if (!pl_poll_same (&g_array_index (rows->polls, PlPoll, i), &g_array_index (wanted->polls, PlPoll, i)))
      return TRUE;
  return FALSE;
}

/**
 * pl_long_poll_steps_new:
 * @rows: the rows of a list
 * @wanted: what they are to become
 *
 * Returns: (transfer full): the steps from @rows to @wanted, both of which have to live as long
 */
PlLongPollSteps *
pl_long_poll_steps_new (PlLongPollRows *rows,
                        PlLongPollRows *wanted)
{
  PlLongPollSteps *self = g_new0 (PlLongPollSteps, 1);

  self->rows = rows;
  self->wanted = wanted;
  self->kept = g_array_new (FALSE, FALSE, sizeof (Kept));
  return self;
}

void
pl_long_poll_steps_free (PlLongPollSteps *self)
{
  g_array_unref (self->kept);
  g_free (self);
}

/**
 * pl_long_poll_steps_keep:
 * @self: steps not taken yet
 * @poll: a poll
 *
 * Lets no step remove the row of @poll. O(rows).
 *
 * Returns: whether it can be kept: it is there before and after, and on the same side of those that are kept already
 */
gboolean
pl_long_poll_steps_keep (PlLongPollSteps *self,
                         const PlPoll    *poll)
{
  const Kept *kept = (const Kept *) self->kept->data;
  Kept row;
  guint i = 0;

  if (!pl_long_poll_rows_find_poll (self->rows, poll, &row.old)
      || !pl_long_poll_rows_find_poll (self->wanted, poll, &row.new))
    return FALSE;
  while (i < self->kept->len && kept[i].old < row.old)
    if (kept[i++].new > row.new)
      return FALSE;
  if (i < self->kept->len && kept[i].old == row.old)
    return TRUE;
  if (i < self->kept->len && kept[i].new < row.new)
    return FALSE;
  g_array_insert_val (self->kept, i, row);
  return TRUE;
}

/**
 * pl_long_poll_steps_take:
 * @self: steps
 * @model: the list whose rows they are
 *
 * Makes the rows what is wanted, and emits "items-changed" at each step.
 *
 * Returns: %FALSE, with nothing done, where it is best to replace all rows at once
 */
gboolean
pl_long_poll_steps_take (PlLongPollSteps *self,
                         GListModel      *model)
{
  guint n_steps = MAX_STEPS + 1;

  if (MAX (self->rows->polls->len, self->wanted->polls->len) <= MAX_WALKED)
    n_steps = change_stretches (self, walk_stretch, NULL);
  if (n_steps > MAX_STEPS && self->kept->len == 0)
    return FALSE;
  change_stretches (self, n_steps <= MAX_STEPS ? walk_stretch : replace_stretch, model);
  return TRUE;
}
