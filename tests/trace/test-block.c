/* test-block.c: what a block says of the intervals that it was filled with, whatever width its columns have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-block-builder.h"

#define N_POLLS 1000
#define NEAR_NS 60000
#define FAR_NS 70000

typedef guint64 (*NumberFunc) (guint i);

static guint64
zero (G_GNUC_UNUSED guint i)
{
  return 0;
}

static guint64
under_256 (guint i)
{
  return i * 7 % 256;
}

static guint64
just_256 (guint i)
{
  return i == 999 ? 256 : 0;
}

static guint64
under_65536 (guint i)
{
  return i * 65;
}

/* A range of 16 bits that no column of 16 bits from a multiple of 65,536 can hold. */
static guint64
across_65536 (guint i)
{
  return 65536 - 500 + i;
}

static guint64
of_32_bits (guint i)
{
  return i % 2 == 0 ? G_MAXUINT32 : i;
}

static guint64
large_and_close (guint i)
{
  return (G_GUINT64_CONSTANT (0x123456789a) << 20) + i % 256;
}

static guint64
of_64_bits (guint i)
{
  return i == 500 ? G_MAXUINT64 : i;
}

static PlPoll
make_poll (guint i, gint64 start_ns, gint64 duration_ns, NumberFunc task, NumberFunc loc)
{
  return (PlPoll) {
    .start_ns = start_ns,
    .duration_ns = duration_ns,
    .task_id = task (i),
    .worker = 3,
    .spawn_loc = (guint32) loc (i),
    .local_queue = (guint8) i,
  };
}

/* As one block. */
static PlBlock *
make_block (const PlPoll *polls, guint n)
{
  PlBlockBuilder *builder = pl_block_builder_new (PL_BLOCK_POLLS);
  g_autoptr(GPtrArray) blocks = NULL;

  for (guint i = 0; i < n; i++)
    pl_block_builder_add_poll (builder, polls[i].start_ns, polls[i].duration_ns, polls[i].task_id, polls[i].spawn_loc,
                               polls[i].local_queue);
  blocks = pl_block_builder_take (builder);
  pl_block_builder_free (builder);
  g_assert_cmpuint (blocks->len, ==, 1);
  return pl_block_ref (blocks->pdata[0]);
}

static void
assert_poll (const PlPoll *found, const PlPoll *expected)
{
  g_assert_cmpint (found->start_ns, ==, expected->start_ns);
  g_assert_cmpint (found->duration_ns, ==, expected->duration_ns);
  g_assert_cmpuint (found->task_id, ==, expected->task_id);
  g_assert_cmpuint (found->worker, ==, expected->worker);
  g_assert_cmpuint (found->spawn_loc, ==, expected->spawn_loc);
  g_assert_cmpuint (found->local_queue, ==, expected->local_queue);
}

/* Each poll, the sum before it, and the longest of the forty from it on. */
static void
assert_holds (const PlBlock *block, const PlPoll *polls, guint n)
{
  gint64 sum = 0;

  g_assert_true (pl_block_is_sound (block));
  g_assert_cmpuint (block->n, ==, n);
  for (guint i = 0; i < n; i++)
    {
      guint to = MIN (i + 40, n);
      gint64 max = 0;
      PlPoll poll;

      pl_block_get_poll (block, i, polls[i].worker, &poll);
      assert_poll (&poll, &polls[i]);
      for (guint j = i; j < to; j++)
        max = MAX (max, polls[j].duration_ns);
      g_assert_cmpint (pl_block_sum_until (block, i), ==, sum);
      g_assert_cmpint (pl_block_max_between (block, i, to), ==, max);
      sum += polls[i].duration_ns;
    }
  g_assert_cmpint (pl_block_sum_until (block, n), ==, sum);
}

static PlBlock *
fill (PlPoll *polls, guint n_far, NumberFunc task, NumberFunc loc)
{
  gint64 at = 1000;

  for (guint i = 0; i < N_POLLS; i++)
    {
      gboolean is_far = n_far > 0 && i % (N_POLLS / n_far) == 0 && i / (N_POLLS / n_far) < n_far;

      polls[i] = make_poll (i, at, is_far ? FAR_NS + i : NEAR_NS + i, task, loc);
      at += polls[i].duration_ns + 1000;
    }
  return make_block (polls, N_POLLS);
}

static void
test_numbers (void)
{
  const struct
  {
    NumberFunc numbers;
    guint width;
  } columns[] = {
    { zero, 1 }, { under_256, 1 }, { just_256, 2 }, { under_65536, 2 }, { across_65536, 4 }, { of_32_bits, 4 },
    { large_and_close, 1 }, { of_64_bits, 8 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      PlPoll polls[N_POLLS];
      PlBlock *block = fill (polls, 0, columns[i].numbers, zero);

      assert_holds (block, polls, N_POLLS);
      g_assert_cmpuint (block->task.width, ==, columns[i].width);
      pl_block_unref (block);

      block = fill (polls, 0, zero, columns[i].numbers);
      assert_holds (block, polls, N_POLLS);
      g_assert_cmpuint (block->loc.width, ==, MIN (columns[i].width, 4));
      pl_block_unref (block);
    }
}

static void
test_durations (void)
{
  const struct
  {
    guint n_far;
    gboolean is_near;
  } cases[] = { { 0, TRUE }, { 1, TRUE }, { N_POLLS / 16, TRUE }, { N_POLLS / 16 + 1, FALSE }, { N_POLLS, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      PlPoll polls[N_POLLS];
      PlBlock *block = fill (polls, cases[i].n_far, zero, zero);

      assert_holds (block, polls, N_POLLS);
      g_assert_cmpint (block->near_duration != NULL, ==, cases[i].is_near);
      g_assert_cmpuint (block->n_far, ==, cases[i].is_near ? cases[i].n_far : 0);
      pl_block_unref (block);
    }
}

/* Where 16 bits end, and 32. */
static void
test_limits (void)
{
  const gint64 durations[] = {
    0, G_MAXUINT16 - 1, G_MAXUINT16, G_MAXUINT16 + 1, G_MAXUINT32, G_MAXUINT32 + G_GINT64_CONSTANT (1),
  };

  for (guint i = 0; i < G_N_ELEMENTS (durations); i++)
    {
      gboolean is_alone = durations[i] > G_MAXUINT32;
      PlPoll polls[40];
      gint64 at = 1000;
      PlBlock *block;

      for (guint j = 0; j < G_N_ELEMENTS (polls); j++)
        {
          polls[j] = make_poll (j, at, j == 39 || is_alone ? durations[i] : 5, zero, zero);
          at += polls[j].duration_ns + 1000;
        }
      block = make_block (polls, is_alone ? 1 : G_N_ELEMENTS (polls));
      assert_holds (block, polls, is_alone ? 1 : G_N_ELEMENTS (polls));
      pl_block_unref (block);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/block/tasks-and-locations-of-any-range", test_numbers);
  g_test_add_func ("/trace/block/long-durations-among-short-ones", test_durations);
  g_test_add_func ("/trace/block/durations-at-the-limits-of-columns", test_limits);
  return g_test_run ();
}
