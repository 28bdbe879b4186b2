/* pl-percentiles.c: exact percentiles of poll durations
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two passes over the columns: the first counts durations in narrow logarithmic buckets, the second collects only
 * those of the buckets that the wanted ranks fall into. No copy of all durations is made.
 */
#include "config.h"

#include "pl-percentiles.h"

#include <math.h>
#include <stdlib.h>

#include "pl-detail.h"

/* 1,024 buckets for each power of two. */
#define MANTISSA_BITS 10
#define N_BUCKETS ((64 - MANTISSA_BITS + 1) << MANTISSA_BITS)

static guint
bucket_of (gint64 duration_ns)
{
  guint64 value = (guint64) duration_ns;
  guint exponent;

  if (value < (1u << MANTISSA_BITS))
    return (guint) value;
  exponent = 63 - (guint) __builtin_clzll (value) - MANTISSA_BITS;
  return ((exponent + 1) << MANTISSA_BITS) + (guint) ((value >> exponent) & ((1u << MANTISSA_BITS) - 1));
}

typedef struct
{
  guint64 *counts;
  guint8 *is_wanted;
  GArray *durations; /* of the wanted buckets */
} Passes;

static gboolean
count_poll (const PlPoll *poll, gpointer user_data)
{
  Passes *passes = user_data;

  passes->counts[bucket_of (poll->duration_ns)]++;
  return TRUE;
}

static gboolean
collect_poll (const PlPoll *poll, gpointer user_data)
{
  Passes *passes = user_data;

  if (passes->is_wanted[bucket_of (poll->duration_ns)])
    g_array_append_val (passes->durations, poll->duration_ns);
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
 * pl_percentiles_of_polls:
 * @n: how many
 * @shares: (array length=n): from 0 to 1, such as 0.99
 * @out_ns: (out) (array length=n): the durations by nearest rank, 0 when there are no polls
 *
 * Exact, over all finished polls. O(polls), twice; not on the main thread.
 */
void
pl_percentiles_of_polls (PlTrace *trace, guint n, const double *shares, gint64 *out_ns)
{
  guint64 n_polls = 0;
  g_autofree guint64 *counts = g_new0 (guint64, N_BUCKETS);
  g_autofree guint8 *is_wanted = g_new0 (guint8, N_BUCKETS);
  g_autoptr(GArray) durations = g_array_new (FALSE, FALSE, sizeof (gint64));
  Passes passes = { counts, is_wanted, durations };
  guint bucket;

  for (guint i = 0; i < n; i++)
    out_ns[i] = 0;
  pl_detail_foreach_poll (trace, 0, count_poll, &passes, NULL);
  for (guint i = 0; i < N_BUCKETS; i++)
    n_polls += counts[i];
  if (n_polls == 0)
    return;
  for (guint i = 0; i < n; i++)
    {
      find_bucket (counts, nearest_rank (n_polls, shares[i]), &bucket);
      is_wanted[bucket] = 1;
    }
  pl_detail_foreach_poll (trace, 0, collect_poll, &passes, NULL);
  g_array_sort (durations, compare_durations);

  for (guint i = 0; i < n; i++)
    {
      guint64 rank = nearest_rank (n_polls, shares[i]);
      guint64 index = rank - find_bucket (counts, rank, &bucket) - 1;

      for (guint j = 0; j < bucket; j++)
        if (is_wanted[j])
          index += counts[j];
      /* Fewer than counted when a file went away between the two passes. */
      if (index < durations->len)
        out_ns[i] = g_array_index (durations, gint64, index);
    }
}
