/* pl-poll-sort.c: sorting millions of polls by numbers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * By the digits of the keys and not by comparisons: a list of ten million rows is sorted within two seconds. Only 16 bytes
 * a poll are moved in each pass, the polls themselves once, at the end, into another array: along the cycles of a
 * permutation in place each read of memory would have to wait for the one before.
 */
#include "config.h"

#include "pl-poll-sort.h"

#define DIGIT_BITS 11
#define N_DIGITS (1 << DIGIT_BITS)

typedef struct
{
  guint64 key;
  guint32 index;
} Entry;

/* One stable pass. FALSE, and nothing done, when all entries have the same digit. */
static gboolean
sort_by_digit (const Entry *from, Entry *to, guint n, guint shift)
{
  guint32 starts[N_DIGITS] = { 0 };
  guint32 sum = 0;

  for (guint i = 0; i < n; i++)
    starts[from[i].key >> shift & (N_DIGITS - 1)]++;
  if (starts[from[0].key >> shift & (N_DIGITS - 1)] == n)
    return FALSE;
  for (guint digit = 0; digit < N_DIGITS; digit++)
    {
      guint32 count = starts[digit];

      starts[digit] = sum;
      sum += count;
    }
  for (guint i = 0; i < n; i++)
    to[starts[from[i].key >> shift & (N_DIGITS - 1)]++] = from[i];
  return TRUE;
}

/* Swaps the two where that is how it ends. FALSE when it was cancelled. */
static gboolean
sort_by_key (GArray *polls, const PlPollKey *key, Entry **from, Entry **to, GCancellable *cancellable)
{
  for (guint i = 0; i < polls->len; i++)
    {
      Entry *entry = &(*from)[i];
      guint64 number = key->get (&g_array_index (polls, PlPoll, entry->index), key->user_data);

      entry->key = key->descending ? ~number : number;
    }
  for (guint shift = 0; shift < 64; shift += DIGIT_BITS)
    {
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      if (sort_by_digit (*from, *to, polls->len, shift))
        {
          Entry *swap = *from;

          *from = *to;
          *to = swap;
        }
    }
  return TRUE;
}

/**
 * pl_poll_sort:
 * @polls: (element-type PlPoll): in any order
 * @keys: (array length=n_keys): what to sort by, the one that decides last
 * @cancellable: (nullable): ends it soon
 *
 * Stable: polls of equal keys keep their order. Any thread, as long as nobody changes @polls. O(n), with 32 bytes a poll on
 * the side.
 *
 * Returns: (transfer full) (element-type PlPoll): the polls in order; none when it was cancelled
 */
GArray *
pl_poll_sort (GArray *polls, const PlPollKey *keys, guint n_keys, GCancellable *cancellable)
{
  guint n = polls->len;
  GArray *sorted = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  Entry *from = g_new (Entry, n);
  Entry *to = g_new (Entry, n);
  gboolean is_done = TRUE;

  for (guint i = 0; i < n; i++)
    from[i].index = i;
  for (guint i = 0; i < n_keys && n > 0 && is_done; i++)
    is_done = sort_by_key (polls, &keys[i], &from, &to, cancellable);
  g_free (to);
  if (is_done)
    {
      g_array_set_size (sorted, n);
      for (guint i = 0; i < n; i++)
        g_array_index (sorted, PlPoll, i) = g_array_index (polls, PlPoll, from[i].index);
    }
  g_free (from);
  return sorted;
}
