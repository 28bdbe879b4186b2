/* pl-trace-build.c: pieces → a snapshot
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-trace-private.h"

#include <stdlib.h>
#include <string.h>

#include "pl-lane-lost.h"
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

/* What is known of one worker while a snapshot is built. */
typedef struct
{
  guint64 worker;
  GPtrArray *polls; /* PlBlock, unowned: the pieces keep them */
  GPtrArray *parks;
  GArray *detached;
  GArray *edges;
  gboolean is_merged; /* the last stream that it was in */
} Gathered;

static void
gathered_free (gpointer data)
{
  Gathered *self = data;

  g_ptr_array_unref (self->polls);
  g_ptr_array_unref (self->parks);
  g_array_unref (self->detached);
  g_array_unref (self->edges);
  g_free (self);
}

static Gathered *
get_gathered (GHashTable *workers, guint64 worker)
{
  Gathered *gathered = g_hash_table_lookup (workers, &worker);

  if (gathered == NULL)
    {
      gathered = g_new0 (Gathered, 1);
      gathered->worker = worker;
      gathered->polls = g_ptr_array_new ();
      gathered->parks = g_ptr_array_new ();
      gathered->detached = g_array_new (FALSE, FALSE, sizeof (PlPoll));
      gathered->edges = g_array_new (FALSE, FALSE, sizeof (PlRunEdge));
      g_hash_table_insert (workers, &gathered->worker, gathered);
    }
  return gathered;
}

static void
gather_piece (GHashTable *workers, PlPiece *piece, gboolean is_merged, guint8 stretch)
{
  for (guint i = 0; i < piece->lanes->len; i++)
    {
      PlPieceLane *lane = &g_array_index (piece->lanes, PlPieceLane, i);
      Gathered *gathered;

      if (lane->polls->len == 0 && lane->parks->len == 0 && lane->detached->len == 0)
        continue;
      gathered = get_gathered (workers, lane->worker);
      g_ptr_array_extend (gathered->polls, lane->polls, NULL, NULL);
      g_ptr_array_extend (gathered->parks, lane->parks, NULL, NULL);
      g_array_append_vals (gathered->detached, lane->detached->data, lane->detached->len);
    }
  for (guint i = 0; i < piece->edges->len; i++)
    {
      PlRunEdge edge = g_array_index (piece->edges, PlRunEdge, i);

      if (edge.is_gap && g_hash_table_lookup (workers, &edge.worker) == NULL)
        continue;
      edge.stretch = stretch;
      /* In a stream of all threads a tid tells nothing about whose buffer a batch is, and none lags behind. */
      if (is_merged)
        {
          edge.tid = 0;
          edge.known_to_ns = G_MAXINT64;
        }
      g_array_append_val (get_gathered (workers, edge.worker)->edges, edge);
      get_gathered (workers, edge.worker)->is_merged = is_merged;
    }
}

/* Whatever was open before the piece is cut off by its first gap of all; for what began in the piece its own edges say so. */
static void
gather_gap_of_all (GHashTable *workers, PlPiece *piece, guint8 stretch)
{
  PlRunEdge edge = { .is_gap = TRUE, .stretch = stretch, .first_ns = G_MAXINT64 };
  GHashTableIter iter;
  gpointer value;

  for (guint i = 0; i < piece->gaps->len; i++)
    if (pl_gap_is_of_all (&g_array_index (piece->gaps, PlGap, i)))
      edge.first_ns = MIN (edge.first_ns, g_array_index (piece->gaps, PlGap, i).from_ns);
  if (edge.first_ns == G_MAXINT64)
    return;
  g_hash_table_iter_init (&iter, workers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Gathered *gathered = value;

      edge.worker = gathered->worker;
      g_array_append_val (gathered->edges, edge);
    }
}

static gboolean
is_outlier (const PlTimeSpan *span, const PlTimeSpan *largest)
{
  gboolean is_far = span->from_ns - largest->to_ns > FAR_NS || largest->from_ns - span->to_ns > FAR_NS;

  return span->n_events * OUTLIER_SHARE <= largest->n_events
         && span->n_events <= (is_far ? OUTLIER_EVENTS_FAR : OUTLIER_EVENTS_NEAR);
}

/* The range that the view fits: all stretches of time but those that are next to nothing beside the largest. */
static void
find_range (PlTrace *self)
{
  g_autoptr(GArray) spans = g_array_new (FALSE, FALSE, sizeof (PlTimeSpan));
  guint largest = 0;

  for (guint i = 0; i < self->pieces->len; i++)
    {
      PlPiece *piece = g_ptr_array_index (self->pieces, i);

      for (guint j = 0; j < piece->spans->len; j++)
        {
          const PlTimeSpan *span = &g_array_index (piece->spans, PlTimeSpan, j);

          pl_time_spans_add (spans, span->from_ns, span->to_ns, span->n_events);
        }
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
build_lane (PlTrace *self, Gathered *gathered, gboolean is_growing)
{
  PlJoined joined;
  PlLane *lane;

  pl_join_run (gathered->edges, &joined);
  lane = pl_lane_build (&(PlLaneInput) {
    .worker = gathered->worker,
    .poll_blocks = gathered->polls,
    .park_blocks = gathered->parks,
    .detached = gathered->detached,
    .joined_polls = joined.polls,
    .joined_parks = joined.parks,
    .open_polls = joined.open_polls,
    .open_park_ns = joined.open_park_ns,
    .open_park_queue = joined.open_park_queue,
    .first_ns = joined.first_ns,
    .frontier_ns = joined.frontier_ns,
    .is_watched = is_growing && gathered->is_merged,
    .is_lagging = is_growing && !gathered->is_merged,
    .from_ns = self->start_ns,
    .to_ns = self->end_ns,
  });
  lane->n_unpaired = joined.n_unpaired;
  pl_lane_build_lost (lane, pl_gap_index_get (self->gap_index, gathered->worker), joined.holes);
  pl_join_clear (&joined);

  self->totals.n_polls += pl_lane_get_n_polls (lane);
  self->totals.n_open += lane->open->len;
  self->totals.n_unpaired += lane->n_unpaired;
  self->totals.total_ns += pl_lane_total_ns (lane);
  self->totals.max_ns = MAX (self->totals.max_ns, pl_lane_max_ns (lane));
  if (gathered->worker == TRC_WORKER_BLOCKING || gathered->worker == TRC_WORKER_NONE)
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

static void
build_lanes (PlTrace *self, GArray *files)
{
  g_autofree guint8 *stretches = pl_segment_gaps_get_stretches (files);
  g_autoptr(GHashTable) workers = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, gathered_free);
  GHashTableIter iter;
  gpointer value;
  gboolean is_merged = FALSE;
  guint last_file = 0;

  for (guint i = 0; i < self->pieces->len; i++)
    {
      PlPiece *piece = g_ptr_array_index (self->pieces, i);

      /* Metadata stand at the beginning of a file; its later pieces may have none. */
      if (i == 0 || piece->file != last_file || piece->is_merged)
        is_merged = piece->is_merged;
      last_file = piece->file;
      gather_piece (workers, piece, is_merged, piece->file < files->len ? stretches[piece->file] : 0);
      gather_gap_of_all (workers, piece, piece->file < files->len ? stretches[piece->file] : 0);
      self->totals.n_unpaired += piece->n_unpaired;
      self->n_outliers += piece->n_outliers;
      self->n_events += piece->n_events;
    }
  g_hash_table_iter_init (&iter, workers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    build_lane (self, value, has_growing (files));
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

/* By time and not by place: files may have been named in any order. */
static void
build_metadata (PlTrace *self)
{
  g_autoptr(GHashTable) latest = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer value;

  for (guint i = 0; i < self->pieces->len; i++)
    {
      PlPiece *piece = g_ptr_array_index (self->pieces, i);

      for (guint j = 0; j < piece->metadata->len; j++)
        {
          PlPieceMetadata *entry = &g_array_index (piece->metadata, PlPieceMetadata, j);
          const PlPieceMetadata *known = g_hash_table_lookup (latest, GUINT_TO_POINTER (entry->key));

          if (known == NULL || entry->at_ns >= known->at_ns)
            g_hash_table_insert (latest, GUINT_TO_POINTER (entry->key), entry);
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

static void
build_counts (PlTrace *self)
{
  g_autoptr(GHashTable) sums = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  for (guint i = 0; i < self->pieces->len; i++)
    {
      PlPiece *piece = g_ptr_array_index (self->pieces, i);

      for (guint j = 0; j < piece->counts->len; j++)
        {
          const PlPieceCount *count = &g_array_index (piece->counts, PlPieceCount, j);
          guint64 *sum = g_hash_table_lookup (sums, GUINT_TO_POINTER (count->name));

          if (sum == NULL)
            {
              sum = g_new0 (guint64, 1);
              g_hash_table_insert (sums, GUINT_TO_POINTER (count->name), sum);
            }
          *sum += count->count;
        }
    }
  g_hash_table_iter_init (&iter, sums);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      PlEventCount count = { pl_strings_get (self->strings, GPOINTER_TO_UINT (key)), *(guint64 *) value };

      g_array_append_val (self->counts, count);
    }
  g_array_sort (self->counts, compare_counts);
}

static int
compare_anchors (gconstpointer a, gconstpointer b)
{
  const PlClockAnchor *first = a;
  const PlClockAnchor *second = b;

  return (first->at_ns > second->at_ns) - (first->at_ns < second->at_ns);
}

/* Traces from before clock anchors have the wall time of their metadata, about that of their first event. */
static void
build_anchors (PlTrace *self)
{
  gint64 legacy_wall_ns = 0;

  for (guint i = 0; i < self->pieces->len; i++)
    {
      PlPiece *piece = g_ptr_array_index (self->pieces, i);

      g_array_append_vals (self->anchors, piece->anchors->data, piece->anchors->len);
      if (legacy_wall_ns == 0)
        legacy_wall_ns = piece->legacy_wall_ns;
    }
  if (self->anchors->len == 0 && legacy_wall_ns != 0)
    {
      PlClockAnchor anchor = { self->start_ns, legacy_wall_ns };

      g_array_append_val (self->anchors, anchor);
    }
  g_array_sort (self->anchors, compare_anchors);
}

static int
compare_gaps (gconstpointer a, gconstpointer b)
{
  const PlGap *first = a;
  const PlGap *second = b;

  if (first->from_ns != second->from_ns)
    return first->from_ns > second->from_ns ? 1 : -1;
  if (first->to_ns != second->to_ns)
    return first->to_ns > second->to_ns ? 1 : -1;
  return (first->tid > second->tid) - (first->tid < second->tid);
}

static void
build_gaps (PlTrace *self)
{
  for (guint i = 0; i < self->pieces->len; i++)
    {
      PlPiece *piece = g_ptr_array_index (self->pieces, i);

      g_array_append_vals (self->gaps, piece->gaps->data, piece->gaps->len);
    }
  g_array_sort (self->gaps, compare_gaps);
  for (guint i = 0; i < self->gaps->len; i++)
    if (__builtin_add_overflow (self->n_lost, g_array_index (self->gaps, PlGap, i).n_lost, &self->n_lost))
      self->n_lost = G_MAXUINT64;
  self->gap_index = pl_gap_index_new (self->gaps);
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
  PlTrace *self = g_new0 (PlTrace, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->strings = pl_strings_ref (strings);
  self->pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);
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

  find_range (self);
  build_metadata (self);
  build_counts (self);
  build_anchors (self);
  build_gaps (self);
  build_lanes (self, files);
  group_lanes (self);
  self->queues = pl_queues_build (self->pieces);
  for (guint i = 0; i < files->len; i++)
    pl_trace_files_add (self->files, &g_array_index (files, PlTraceFile, i));
  return self;
}
