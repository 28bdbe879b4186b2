/* pl-percentiles.c: exact percentiles of poll durations
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Short durations are counted one by one, longer ones in narrow logarithmic buckets; of the buckets that the wanted ranks
 * fall into the durations are then collected, which summaries hold in full. So detail is looked at once, and no copy of all
 * durations is made.
 */
#include "config.h"

#include "pl-percentiles.h"

#include <math.h>
#include <stdlib.h>

#include "pl-block.h"
#include "pl-detail.h"

/* A poll under the floor of summaries is worth reading a file for only once. */
#define N_EXACT ((guint) PL_SUMMARY_FLOOR_NS)

/* 1,024 buckets for each power of two. */
#define MANTISSA_BITS 10
#define N_BUCKETS (N_EXACT + ((64 - MANTISSA_BITS + 1) << MANTISSA_BITS))

static guint
bucket_of (gint64 duration_ns)
{
  guint64 value = (guint64) duration_ns;
  guint exponent;

  if (value < N_EXACT)
    return (guint) value;
  exponent = 63 - (guint) __builtin_clzll (value) - MANTISSA_BITS;
  return N_EXACT + ((exponent + 1) << MANTISSA_BITS) + (guint) ((value >> exponent) & ((1u << MANTISSA_BITS) - 1));
}

typedef struct
{
  const guint8 *is_wanted;
  GArray *durations; /* of the wanted buckets */
} Collect;

static gboolean
collect_poll (const PlPoll *poll, gpointer user_data)
{
  Collect *collect = user_data;

  if (collect->is_wanted[bucket_of (poll->duration_ns)])
    g_array_append_val (collect->durations, poll->duration_ns);
  return TRUE;
}

static int
compare_durations (gconstpointer a, gconstpointer b)
{
  const gint64 *first = a;
  const gint64 *second = b;

  return (*first > *second) - (*first < *second);
}

/* Nearest rank: the smallest value such that at least this share of all is not larger. From 1. */
static guint64
nearest_rank (guint64 n, double share)
{
  guint64 rank = (guint64) ceil (share * (double) n - 1e-9);

  return CLAMP (rank, 1, n);
}

/* How many durations lie in buckets before the one that holds @rank; that bucket. */
static guint64
find_bucket (const guint64 *counts, guint64 rank, guint *out_bucket)
{
  guint64 before = 0;
  guint bucket = 0;

  while (before + counts[bucket] < rank)
    before += counts[bucket++];
  *out_bucket = bucket;
  return before;
}

/**
 * pl_percentiles_new:
 *
 * Returns: (transfer full): counts of durations, none so far; free with g_free()
 */
PlPercentiles *
pl_percentiles_new (void)
{
  return g_new0 (guint64, N_BUCKETS);
}

void
pl_percentiles_add (PlPercentiles *self, gint64 duration_ns)
{
  self[bucket_of (duration_ns)]++;
}

/* Percentiles in buckets of more than one duration, from the polls themselves. */
static void
find_in_buckets (const PlPercentiles *self, PlTrace *trace, guint64 n_polls, guint n, const double *shares,
                 gint64 *out_ns)
{
  g_autofree guint8 *is_wanted = g_new0 (guint8, N_BUCKETS);
  g_autoptr(GArray) durations = g_array_new (FALSE, FALSE, sizeof (gint64));
  Collect collect = { is_wanted, durations };
  guint bucket;

  for (guint i = 0; i < n; i++)
    {
      find_bucket (self, nearest_rank (n_polls, shares[i]), &bucket);
      is_wanted[bucket] = bucket >= N_EXACT;
    }
  pl_detail_foreach_poll (trace, PL_SUMMARY_FLOOR_NS, collect_poll, &collect, NULL);
  g_array_sort (durations, compare_durations);
  for (guint i = 0; i < n; i++)
    {
      guint64 rank = nearest_rank (n_polls, shares[i]);
      guint64 index = rank - find_bucket (self, rank, &bucket) - 1;

      if (bucket < N_EXACT)
        continue;
      for (guint j = N_EXACT; j < bucket; j++)
        if (is_wanted[j])
          index += self[j];
      if (index < durations->len)
        out_ns[i] = g_array_index (durations, gint64, index);
    }
}

/**
 * pl_percentiles_finish:
 * @self: has counted all finished polls of @trace
 * @n: how many
 * @shares: (array length=n): from 0 to 1, such as 0.99
 * @out_ns: (out) (array length=n): the durations by nearest rank, 0 when there are no polls
 *
 * Exact. Reads nothing that is not in memory.
 */
void
pl_percentiles_finish (const PlPercentiles *self, PlTrace *trace, guint n, const double *shares, gint64 *out_ns)
{
  guint64 n_polls = 0;
  gboolean is_exact = TRUE;

  for (guint i = 0; i < N_BUCKETS; i++)
    n_polls += self[i];
  for (guint i = 0; i < n; i++)
    {
      guint bucket = 0;

      if (n_polls > 0)
        find_bucket (self, nearest_rank (n_polls, shares[i]), &bucket);
      is_exact = is_exact && bucket < N_EXACT;
      out_ns[i] = bucket < N_EXACT ? bucket : 0;
    }
  if (!is_exact)
    find_in_buckets (self, trace, n_polls, n, shares, out_ns);
}

static gboolean
count_poll (const PlPoll *poll, gpointer user_data)
{
  pl_percentiles_add (user_data, poll->duration_ns);
  return TRUE;
}

/**
 * pl_percentiles_of_polls:
 * @n: how many
 * @shares: (array length=n): from 0 to 1, such as 0.99
 * @out_ns: (out) (array length=n): the durations by nearest rank, 0 when there are no polls
 *
 * Exact, over all finished polls. O(polls); not on the main thread.
 */
void
pl_percentiles_of_polls (PlTrace *trace, guint n, const double *shares, gint64 *out_ns)
{
  g_autofree PlPercentiles *counts = pl_percentiles_new ();

  pl_detail_foreach_poll (trace, 0, count_poll, counts, NULL);
  pl_percentiles_finish (counts, trace, n, shares, out_ns);
}
