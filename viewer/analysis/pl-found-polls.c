/* pl-found-polls.c: the long polls of a session that grows, each piece of it searched once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Under the floor of summaries a search reads the files again: twice a second, while a session is followed, that would be
 * all of them. What was found in a piece stays found as long as the piece is there, in whatever form it is held.
 */
#include "config.h"

#include "pl-found-polls.h"

#include "pl-detail-private.h"
#include "pl-trace-private.h"

/* What tells a piece from others of the same session. */
typedef struct
{
  guint file;
  guint64 raw_from;
  guint64 raw_to;
  guint64 n_events;
} Place;

/**
 * PlFoundPolls:
 * @lock: held while it is searched
 * @strings: (nullable): of the session
 * @start_ns: of its sane range then
 * @n_outliers: beyond it
 * @places: Place: where was searched
 * @polls: (element-type PlPoll): what was found there, in any order
 */
struct _PlFoundPolls
{
  gatomicrefcount ref_count;
  GMutex lock;
  PlStrings *strings;
  gint64 threshold_ns;
  gint64 start_ns;
  guint64 n_outliers;
  GHashTable *places;
  GArray *polls;
  guint64 n_searched;
};

static guint
hash_place (gconstpointer data)
{
  const Place *place = data;

  return g_int64_hash (&place->raw_from) ^ (place->file * 2654435761u);
}

static gboolean
equal_places (gconstpointer a, gconstpointer b)
{
  const Place *first = a;
  const Place *second = b;

  return first->file == second->file && first->raw_from == second->raw_from && first->raw_to == second->raw_to
         && first->n_events == second->n_events;
}

/**
 * pl_found_polls_new:
 *
 * Returns: (transfer full): nothing found yet
 */
PlFoundPolls *
pl_found_polls_new (void)
{
  PlFoundPolls *self = g_new0 (PlFoundPolls, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->places = g_hash_table_new_full (hash_place, equal_places, g_free, NULL);
  self->polls = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  return self;
}

PlFoundPolls *
pl_found_polls_ref (PlFoundPolls *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
pl_found_polls_unref (PlFoundPolls *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->strings, pl_strings_unref);
  g_hash_table_unref (self->places);
  g_array_unref (self->polls);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static Place
get_place (const PlPiece *piece)
{
  return (Place) { piece->file, piece->raw_from, piece->raw_to, piece->n_events };
}

static gboolean
is_known (PlFoundPolls *self, const PlPiece *piece)
{
  Place place = get_place (piece);

  return !piece->may_grow && g_hash_table_contains (self->places, &place);
}

/* Whether all that was found is still to be found. */
static gboolean
still_holds (PlFoundPolls *self, PlTrace *trace, gint64 threshold_ns)
{
  guint n = 0;

  if (self->strings != trace->strings || self->threshold_ns != threshold_ns || self->start_ns != trace->start_ns
      || self->n_outliers != trace->n_outliers)
    return FALSE;
  for (guint i = 0; i < trace->pieces->len; i++)
    n += is_known (self, trace->pieces->pdata[i]);
  return n == g_hash_table_size (self->places);
}

static void
begin_anew (PlFoundPolls *self, PlTrace *trace, gint64 threshold_ns)
{
  g_hash_table_remove_all (self->places);
  g_array_set_size (self->polls, 0);
  g_clear_pointer (&self->strings, pl_strings_unref);
  self->strings = pl_strings_ref (trace->strings);
  self->threshold_ns = threshold_ns;
  self->start_ns = trace->start_ns;
  self->n_outliers = trace->n_outliers;
}

typedef struct
{
  PlFoundPolls *found;
  PlTrace *trace;
  GArray *new_places; /* Place; @found's are asked by several threads meanwhile */
  GArray *passing;    /* PlPoll: of what may still grow, or could not be searched */
} Search;

/* What is no longer on disk is tried in vain. */
static gboolean
is_to_be_read (PlPiece *piece, gpointer user_data)
{
  const Search *search = user_data;

  return search->found->threshold_ns < PL_SUMMARY_FLOOR_NS
         && !g_array_index (search->trace->files, PlTraceFile, piece->file).is_gone && !is_known (search->found, piece);
}

static gboolean
add_poll (const PlPoll *poll, gpointer user_data)
{
  g_array_append_val ((GArray *) user_data, *poll);
  return TRUE;
}

static gboolean
search_piece (PlPiece *piece, gpointer user_data)
{
  Search *search = user_data;
  gboolean is_whole = !piece->is_summary || search->found->threshold_ns >= PL_SUMMARY_FLOOR_NS;
  Place place = get_place (piece);

  if (is_known (search->found, piece))
    return TRUE;
  search->found->n_searched++;
  if (piece->may_grow || !is_whole)
    return pl_detail_foreach_poll_of_piece (search->trace, piece, search->found->threshold_ns, add_poll, search->passing);
  g_array_append_val (search->new_places, place);
  return pl_detail_foreach_poll_of_piece (search->trace, piece, search->found->threshold_ns, add_poll,
                                          search->found->polls);
}

/**
 * pl_found_polls_find:
 * @trace: a snapshot; another one of the same session, or with other pieces, costs what is new
 * @threshold_ns: a poll of this duration or more is long; another one than before begins anew
 * @order: what to sort by
 * @descending: largest first
 * @cancellable: (nullable): ends the search early, with some of the polls or none
 *
 * As pl_long_polls_find(). Any thread but the main one; one search waits for the other.
 *
 * Returns: (transfer full) (element-type PlPoll): the polls in that order
 */
GArray *
pl_found_polls_find (PlFoundPolls *self, PlTrace *trace, gint64 threshold_ns, PlLongPollsOrder order,
                     gboolean descending, GCancellable *cancellable)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  g_autoptr(GArray) new_places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_autoptr(GArray) passing = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  Search search = { self, trace, new_places, passing };
  guint n_found;
  GArray *sorted;

  if (!still_holds (self, trace, threshold_ns))
    begin_anew (self, trace, threshold_ns);
  pl_detail_foreach_piece (trace, is_to_be_read, search_piece, &search, cancellable);
  for (guint i = 0; i < new_places->len; i++)
    g_hash_table_add (self->places, g_memdup2 (&g_array_index (new_places, Place, i), sizeof (Place)));
  pl_detail_foreach_joined_poll (trace, threshold_ns, add_poll, passing);
  pl_long_polls_add_growing (trace, threshold_ns, passing);

  /* There may be millions, of which another copy would have to be made to put all into one array. */
  n_found = self->polls->len;
  g_array_append_vals (self->polls, passing->data, passing->len);
  sorted = pl_long_polls_sort (trace, self->polls, order, descending, cancellable);
  g_array_set_size (self->polls, n_found);
  return sorted;
}

/**
 * pl_found_polls_get_n_searched:
 *
 * Returns: how often a piece was looked through so far
 */
guint64
pl_found_polls_get_n_searched (PlFoundPolls *self)
{
  return self->n_searched;
}
