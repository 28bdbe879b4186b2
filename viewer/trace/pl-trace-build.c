/* pl-trace-build.c: pieces → a snapshot
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-trace-private.h"

#include <stdlib.h>
#include <string.h>

#include "pl-parallel.h"
#include "pl-segment-gaps.h"
#include "pl-trace-file.h"
#include "recorder/trc.h"

/* A stretch of time apart from the rest is an outlier when it holds at most this share of the events of the largest and no
 * more than damage makes. A year away that may be many. Nearer it is a single one: a worker that wakes after hours tells at
 * least of the end of its poll and of its next park, and that is recorded work. */
#define OUTLIER_SHARE 10
#define OUTLIER_EVENTS_FAR 100
#define OUTLIER_EVENTS_NEAR 1
#define FAR_NS (365 * 24 * 3600 * G_GINT64_CONSTANT (1000000000))

/* So many blocks and edges are looked at in about the time that it takes to start a thread, as long as none has to be taken
 * apart. */
#define MIN_PARALLEL 2048

/* Recorders whose threads each write a stream of their own may be that late with it. */
#define LAG_NS (60 * G_GINT64_CONSTANT (1000000000))

static gboolean
is_outlier (const PlTimeSpan *span, const PlTimeSpan *largest)
{
  gboolean is_far = span->from_ns - largest->to_ns > FAR_NS || largest->from_ns - span->to_ns > FAR_NS;

  return span->n_events * OUTLIER_SHARE <= largest->n_events
         && span->n_events <= (is_far ? OUTLIER_EVENTS_FAR : OUTLIER_EVENTS_NEAR);
}

/* The range that the view fits: all stretches of time but those that are next to nothing beside the largest. */
static void
find_range (PlTrace *self, const PlGathered *gathered, const PlGathered *rest)
{
  g_autoptr(GArray) spans = g_array_copy (gathered->spans);
  guint largest = 0;

  for (guint i = 0; i < rest->spans->len; i++)
    {
      const PlTimeSpan *span = &g_array_index (rest->spans, PlTimeSpan, i);

      pl_time_spans_add (spans, span->from_ns, span->to_ns, span->n_events);
    }
  for (guint i = 1; i < spans->len; i++)
    if (g_array_index (spans, PlTimeSpan, i).n_events > g_array_index (spans, PlTimeSpan, largest).n_events)
      largest = i;
  for (guint i = 0; i < spans->len; i++)
    {
      const PlTimeSpan *span = &g_array_index (spans, PlTimeSpan, i);

      if (is_outlier (span, &g_array_index (spans, PlTimeSpan, largest)))
        {
          self->n_outliers += span->n_events;
          continue;
        }
      if (self->start_ns == 0)
        self->start_ns = span->from_ns;
      self->end_ns = span->to_ns;
    }
}

static void
add_lane (PlTrace *self, PlLane *lane)
{
  self->totals.n_polls += pl_lane_get_n_polls (lane);
  self->totals.n_open += lane->open->len;
  self->totals.n_unpaired += lane->n_unpaired;
  self->totals.total_ns += pl_lane_total_ns (lane);
  self->totals.max_ns = MAX (self->totals.max_ns, pl_lane_max_ns (lane));
  if (lane->worker == TRC_WORKER_BLOCKING || lane->worker == TRC_WORKER_NONE)
    g_ptr_array_add (self->no_lanes, lane);
  else
    g_ptr_array_add (self->lanes, lane);
}

static gboolean
has_growing (GArray *files)
{
  for (guint i = 0; i < files->len; i++)
    if (g_array_index (files, PlTraceFile, i).is_growing)
      return TRUE;
  return FALSE;
}

/* A lane to be made from what is gathered of it and its rest. */
typedef struct
{
  const PlGatheredLane *gathered;
  const PlGatheredLane *rest;
  PlLaneGaps gaps;
  PlLane *lane;
} LaneWork;

typedef struct
{
  GArray *work; /* LaneWork */
  const PlLaneRange *range;
} LaneWorks;

static void
build_lane (guint i, gpointer user_data)
{
  const LaneWorks *works = user_data;
  LaneWork *work = &g_array_index (works->work, LaneWork, i);

  work->lane = pl_gathered_lane_build (work->gathered, work->rest, work->gaps, works->range);
}

/* Returns how many blocks and edges have to be looked at for all of them. */
static gsize
list_lanes (PlTrace *self, PlGathered *gathered, PlGathered *rest, const PlGatheredLane *nothing, GArray *work)
{
  GHashTableIter iter;
  gpointer worker;
  gpointer value;
  gsize n = 0;

  g_hash_table_iter_init (&iter, rest->lanes);
  while (g_hash_table_iter_next (&iter, &worker, NULL))
    pl_gathered_get_lane (gathered, *(const guint64 *) worker);
  g_hash_table_iter_init (&iter, gathered->lanes);
  while (g_hash_table_iter_next (&iter, &worker, &value))
    {
      const PlGatheredLane *added = g_hash_table_lookup (rest->lanes, worker);
      LaneWork lane = { value, added != NULL ? added : nothing,
                        pl_gap_index_get (self->gap_index, *(const guint64 *) worker), NULL };

      n += pl_gathered_lane_count (lane.gathered) + pl_gathered_lane_count (lane.rest);
      g_array_append_val (work, lane);
    }
  return n;
}

static gboolean
build_lanes (PlTrace *self, PlGathered *gathered, PlGathered *rest, const PlLaneRange *range)
{
  g_autoptr(PlGatheredLane) nothing = pl_gathered_lane_new (0);
  g_autoptr(GArray) work = g_array_new (FALSE, FALSE, sizeof (LaneWork));
  LaneWorks works = { work, range };
  gsize n = list_lanes (self, gathered, rest, nothing, work);
  gboolean are_whole = TRUE;

  pl_parallel_foreach (work->len, n >= MIN_PARALLEL ? 0 : 1, build_lane, &works);
  for (guint i = 0; i < work->len; i++)
    {
      PlLane *lane = g_array_index (work, LaneWork, i).lane;

      if (lane != NULL)
        add_lane (self, lane);
      else
        are_whole = FALSE;
    }
  return are_whole;
}

/* A runtime as the metadata name it: "runtime.NAME" = "0,1". */
typedef struct
{
  const char *name;
  guint64 first_worker;
  guint order;
} Claim;

static int
compare_claims (gconstpointer a, gconstpointer b)
{
  const Claim *first = a;
  const Claim *second = b;

  return (first->first_worker > second->first_worker) - (first->first_worker < second->first_worker);
}

static GHashTable *
index_lanes (PlTrace *self)
{
  GHashTable *by_worker = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < self->lanes->len; i++)
    {
      PlLane *lane = g_ptr_array_index (self->lanes, i);

      g_hash_table_insert (by_worker, &lane->worker, lane);
    }
  return by_worker;
}

/* Marks the lanes that the list of worker ids names with @runtime. Returns the smallest id, G_MAXUINT64 for none. */
static guint64
claim_lanes (GHashTable *by_worker, const char *list, guint runtime)
{
  guint64 smallest = G_MAXUINT64;
  g_auto(GStrv) ids = g_strsplit (list, ",", -1);

  for (guint i = 0; ids[i] != NULL; i++)
    {
      PlLane *lane;
      guint64 id;

      if (!g_ascii_string_to_unsigned (g_strstrip (ids[i]), 10, 0, G_MAXUINT64 - 1, &id, NULL))
        continue;
      lane = g_hash_table_lookup (by_worker, &id);
      if (lane == NULL)
        continue;
      lane->runtime = runtime;
      smallest = MIN (smallest, id);
    }
  return smallest;
}

static int
compare_lanes (gconstpointer a, gconstpointer b)
{
  const PlLane *first = *(PlLane *const *) a;
  const PlLane *second = *(PlLane *const *) b;

  if (first->runtime != second->runtime)
    return first->runtime < second->runtime ? -1 : 1;
  return (first->worker > second->worker) - (first->worker < second->worker);
}

/* Lanes sorted by runtime and worker become the runtimes' contiguous blocks. */
static void
make_runtimes (PlTrace *self, GArray *claims)
{
  for (guint i = 0; i < self->lanes->len; i++)
    {
      PlLane *lane = g_ptr_array_index (self->lanes, i);
      PlRuntime *last = self->runtimes->len > 0
                        ? &g_array_index (self->runtimes, PlRuntime, self->runtimes->len - 1) : NULL;
      PlRuntime added = { lane->runtime < claims->len ? g_array_index (claims, Claim, lane->runtime).name : "", i, 1 };

      if (last != NULL && strcmp (last->name, added.name) == 0)
        last->n_lanes++;
      else
        g_array_append_val (self->runtimes, added);
      lane->runtime = self->runtimes->len - 1;
    }
}

static void
group_lanes (PlTrace *self)
{
  g_autoptr(GArray) claims = g_array_new (FALSE, FALSE, sizeof (Claim));
  g_autoptr(GHashTable) by_worker = index_lanes (self);
  g_autofree guint *place = NULL;

  for (guint i = 0; i < self->metadata->len; i++)
    {
      const PlMetadata *entry = &g_array_index (self->metadata, PlMetadata, i);
      Claim claim = { NULL, 0, claims->len };

      if (!g_str_has_prefix (entry->key, "runtime.") || claims->len >= PL_MAX_RUNTIMES)
        continue;
      claim.name = entry->key + strlen ("runtime.");
      claim.first_worker = claim_lanes (by_worker, entry->value, claims->len + 1);
      g_array_append_val (claims, claim);
    }

  /* Runtimes in the order of their first workers; lanes that none claims (0 so far) last. */
  g_array_sort (claims, compare_claims);
  place = g_new (guint, claims->len + 1);
  place[0] = claims->len;
  for (guint i = 0; i < claims->len; i++)
    place[g_array_index (claims, Claim, i).order + 1] = i;
  for (guint i = 0; i < self->lanes->len; i++)
    {
      PlLane *lane = g_ptr_array_index (self->lanes, i);

      lane->runtime = place[lane->runtime];
    }
  g_ptr_array_sort (self->lanes, compare_lanes);
  make_runtimes (self, claims);
}

static int
compare_metadata (gconstpointer a, gconstpointer b)
{
  return strcmp (((const PlMetadata *) a)->key, ((const PlMetadata *) b)->key);
}

static void
build_metadata (PlTrace *self, const PlGathered *gathered, const PlGathered *rest)
{
  const PlGathered *parts[] = { gathered, rest };
  g_autoptr(GHashTable) latest = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_hash_table_iter_init (&iter, parts[i]->metadata);
      while (g_hash_table_iter_next (&iter, &key, &value))
        {
          const PlPieceMetadata *known = g_hash_table_lookup (latest, key);

          if (known == NULL || ((const PlPieceMetadata *) value)->at_ns >= known->at_ns)
            g_hash_table_insert (latest, key, value);
        }
    }
  g_hash_table_iter_init (&iter, latest);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const PlPieceMetadata *last = value;
      PlMetadata entry = { pl_strings_get (self->strings, last->key), pl_strings_get (self->strings, last->value) };

      g_array_append_val (self->metadata, entry);
    }
  g_array_sort (self->metadata, compare_metadata);
}

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  return strcmp (((const PlEventCount *) a)->name, ((const PlEventCount *) b)->name);
}

static guint64
get_count (const PlGathered *gathered, gpointer name)
{
  const guint64 *count = g_hash_table_lookup (gathered->counts, name);

  return count != NULL ? *count : 0;
}

static void
add_count (PlTrace *self, gpointer name, guint64 count)
{
  PlEventCount added = { pl_strings_get (self->strings, GPOINTER_TO_UINT (name)), count };

  g_array_append_val (self->counts, added);
}

static void
build_counts (PlTrace *self, const PlGathered *gathered, const PlGathered *rest)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, gathered->counts);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    add_count (self, name, get_count (gathered, name) + get_count (rest, name));
  g_hash_table_iter_init (&iter, rest->counts);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (gathered->counts, name))
      add_count (self, name, get_count (rest, name));
  g_array_sort (self->counts, compare_counts);
}

/* Traces from before clock anchors have the wall time of their metadata, about that of their first event. */
static void
build_anchors_and_gaps (PlTrace *self, const PlGathered *gathered, const PlGathered *rest, gint64 paused_ns)
{
  PlGap pause = { paused_ns, self->end_ns, 0, TRC_WORKER_NONE, 0, PL_GAP_PAUSED };
  gint64 legacy_wall_ns = gathered->legacy_wall_ns != 0 ? gathered->legacy_wall_ns : rest->legacy_wall_ns;

  g_array_append_vals (self->anchors, gathered->anchors->data, gathered->anchors->len);
  g_array_append_vals (self->anchors, rest->anchors->data, rest->anchors->len);
  g_array_append_vals (self->gaps, gathered->gaps->data, gathered->gaps->len);
  g_array_append_vals (self->gaps, rest->gaps->data, rest->gaps->len);
  /* A pause is told of when it is over. */
  if (paused_ns < self->end_ns)
    g_array_append_val (self->gaps, pause);
  pl_gathered_sort (self->anchors, self->gaps);
  if (self->anchors->len == 0 && legacy_wall_ns != 0)
    {
      PlClockAnchor anchor = { self->start_ns, legacy_wall_ns };

      g_array_append_val (self->anchors, anchor);
    }
  for (guint i = 0; i < self->gaps->len; i++)
    if (__builtin_add_overflow (self->n_lost, g_array_index (self->gaps, PlGap, i).n_lost, &self->n_lost))
      self->n_lost = G_MAXUINT64;
  self->gap_index = pl_gap_index_new (self->gaps,
                                      g_hash_table_size (gathered->lanes) + g_hash_table_size (rest->lanes));
}

static PlTrace *
trace_new (GPtrArray *pieces, PlStrings *strings)
{
  PlTrace *self = g_new0 (PlTrace, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->strings = pl_strings_ref (strings);
  self->pieces = g_ptr_array_new_full (pieces->len, (GDestroyNotify) pl_piece_unref);
  for (guint i = 0; i < pieces->len; i++)
    g_ptr_array_add (self->pieces, pl_piece_ref (g_ptr_array_index (pieces, i)));
  self->lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_lane_free);
  self->no_lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_lane_free);
  self->runtimes = g_array_new (FALSE, FALSE, sizeof (PlRuntime));
  self->anchors = g_array_new (FALSE, FALSE, sizeof (PlClockAnchor));
  self->metadata = g_array_new (FALSE, FALSE, sizeof (PlMetadata));
  self->counts = g_array_new (FALSE, FALSE, sizeof (PlEventCount));
  self->gaps = g_array_new (FALSE, FALSE, sizeof (PlGap));
  self->files = pl_trace_files_new ();
  return self;
}

/* What may still grow goes to @rest. */
static void
gather (PlGathered *gathered, PlGathered *rest, GPtrArray *pieces, const guint8 *stretches)
{
  gboolean is_merged = FALSE;
  guint last_file = 0;

  for (guint i = 0; i < pieces->len; i++)
    {
      PlPiece *piece = g_ptr_array_index (pieces, i);

      /* Metadata stand at the beginning of a file; its later pieces may have none. */
      if (i == 0 || piece->file != last_file || piece->is_merged)
        is_merged = piece->is_merged;
      last_file = piece->file;
      if (piece->may_grow)
        pl_gathered_add (rest, piece, is_merged, stretches[piece->file]);
      else if (!pl_gathered_has (gathered, piece))
        pl_gathered_add (gathered, piece, is_merged, stretches[piece->file]);
    }
}

/* Since when nobody who writes records; G_MAXINT64 while somebody does. */
static gint64
find_paused_ns (GPtrArray *pieces)
{
  gint64 paused_ns = G_MININT64;

  for (guint i = 0; i < pieces->len; i++)
    {
      const PlPiece *piece = g_ptr_array_index (pieces, i);

      if (piece->may_grow)
        paused_ns = MAX (paused_ns, piece->paused_ns);
    }
  return paused_ns > G_MININT64 ? paused_ns : G_MAXINT64;
}

/* Before what is still growing nothing more is to be expected. */
static gint64
find_settled_ns (PlTrace *self, const PlGathered *rest)
{
  gint64 at_ns = self->end_ns;

  if (rest->spans->len > 0)
    at_ns = MIN (at_ns, g_array_index (rest->spans, PlTimeSpan, 0).from_ns);
  return rest->is_lagging ? MIN (at_ns, self->end_ns - LAG_NS) : at_ns;
}

static gboolean
fill (PlTrace *self, PlGathered *gathered, PlGathered *rest, gboolean settles, GArray *files)
{
  PlLaneRange range;

  find_range (self, gathered, rest);
  range = (PlLaneRange) { self->start_ns, self->end_ns, find_settled_ns (self, rest), has_growing (files),
                          find_paused_ns (self->pieces) };
  if (settles && !pl_gathered_settle (gathered, &range))
    return FALSE;
  build_anchors_and_gaps (self, gathered, rest, range.paused_ns);
  if (!build_lanes (self, gathered, rest, &range))
    return FALSE;
  build_metadata (self, gathered, rest);
  build_counts (self, gathered, rest);
  group_lanes (self);
  self->totals.n_unpaired += gathered->n_unpaired + rest->n_unpaired;
  self->n_outliers += gathered->n_outliers + rest->n_outliers;
  self->n_events = gathered->n_events + rest->n_events;
  self->queues = pl_queues_build (self->pieces);
  for (guint i = 0; i < files->len; i++)
    pl_trace_files_add (self->files, &g_array_index (files, PlTraceFile, i));
  return TRUE;
}

static PlTrace *
build (PlGathered *gathered, gboolean settles, GPtrArray *pieces, GArray *files, PlStrings *strings,
       const guint8 *stretches)
{
  g_autoptr(PlGathered) rest = pl_gathered_new (gathered);
  g_autoptr(PlTrace) self = trace_new (pieces, strings);

  gather (gathered, rest, pieces, stretches);
  return fill (self, gathered, rest, settles, files) ? g_steal_pointer (&self) : NULL;
}

/**
 * pl_trace_build_on:
 * @gathered: of the snapshots before of the same session
 * @pieces: (element-type PlPiece): by file and offset; references are taken
 * @files: (element-type PlTraceFile): copied
 * @strings: the strings of the pieces
 *
 * Makes a snapshot that shares with those before what is settled. O(what is new), and O(all) where something is not as it
 * was. One thread at a time for each @gathered.
 *
 * Returns: (transfer full): the snapshot
 */
PlTrace *
pl_trace_build_on (PlGathered *gathered, GPtrArray *pieces, GArray *files, PlStrings *strings)
{
  g_autofree guint8 *stretches = pl_segment_gaps_get_stretches (files);
  PlTrace *self = NULL;

  if (pl_gathered_update (gathered, pieces, stretches))
    self = build (gathered, TRUE, pieces, files, strings, stretches);
  if (self != NULL)
    return self;
  pl_gathered_clear (gathered);
  return build (gathered, FALSE, pieces, files, strings, stretches);
}

/**
 * pl_trace_build:
 * @pieces: (element-type PlPiece): by file and offset; references are taken
 * @files: (element-type PlTraceFile): copied
 * @strings: the strings of the pieces
 *
 * Makes a snapshot. Any thread; O(blocks log blocks), events are not looked at.
 *
 * Returns: (transfer full): the snapshot
 */
PlTrace *
pl_trace_build (GPtrArray *pieces, GArray *files, PlStrings *strings)
{
  g_autoptr(PlGathered) gathered = pl_gathered_new (NULL);
  g_autofree guint8 *stretches = pl_segment_gaps_get_stretches (files);

  return build (gathered, FALSE, pieces, files, strings, stretches);
}
