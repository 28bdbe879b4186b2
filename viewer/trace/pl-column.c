/* pl-column.c: numbers in as few bytes as their range takes, immutable
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-column.h"

/* @differences: all bits in which any of the numbers differs from the first */
static PlColumn
plan (guint64 first, guint64 differences)
{
  if (differences <= G_MAXUINT8)
    return (PlColumn) { .base = first & ~(guint64) G_MAXUINT8, .width = 1 };
  if (differences <= G_MAXUINT16)
    return (PlColumn) { .base = first & ~(guint64) G_MAXUINT16, .width = 2 };
  if (differences <= G_MAXUINT32)
    return (PlColumn) { .base = first & ~(guint64) G_MAXUINT32, .width = 4 };
  return (PlColumn) { .width = 8 };
}

/**
 * pl_column_plan_u32:
 * @numbers: (array length=n): one at least
 *
 * Returns: a column without values, with the base and the width that these numbers take
 */
PlColumn
pl_column_plan_u32 (const guint32 *numbers, guint n)
{
  guint32 differences = 0;

  /* Which, unlike the least and the largest number, any processor finds of many numbers at once. */
  for (guint i = 1; i < n; i++)
    differences |= numbers[i] ^ numbers[0];
  return plan (numbers[0], differences);
}

/**
 * pl_column_plan_u64:
 *
 * Like pl_column_plan_u32().
 */
PlColumn
pl_column_plan_u64 (const guint64 *numbers, guint n)
{
  guint64 differences = 0;

  for (guint i = 1; i < n; i++)
    differences |= numbers[i] ^ numbers[0];
  return plan (numbers[0], differences);
}

/* A loop for each width, which compilers make short work of. */
#define FILL(type)                                                                                                     \
  for (guint i = 0; i < n; i++)                                                                                        \
    ((type *) memory)[i] = (type) (numbers[i] - base)

/**
 * pl_column_fill_u32:
 * @self: as planned for these numbers
 * @memory: @n times its width, aligned to that; has to outlive the column
 */
void
pl_column_fill_u32 (PlColumn *self, void *memory, const guint32 *numbers, guint n)
{
  guint32 base = (guint32) self->base;

  self->values = memory;
  if (self->width == 1)
    FILL (guint8);
  else if (self->width == 2)
    FILL (guint16);
  else
    FILL (guint32);
}

/**
 * pl_column_fill_u64:
 *
 * Like pl_column_fill_u32().
 */
void
pl_column_fill_u64 (PlColumn *self, void *memory, const guint64 *numbers, guint n)
{
  guint64 base = self->base;

  self->values = memory;
  if (self->width == 1)
    FILL (guint8);
  else if (self->width == 2)
    FILL (guint16);
  else if (self->width == 4)
    FILL (guint32);
  else
    FILL (guint64);
}

/**
 * pl_column_find_index:
 * @indices: (array length=n): in rising order
 *
 * Returns: the place of the first one that is @i or more; @n when there is none
 */
guint
pl_column_find_index (const guint16 *indices, guint n, guint i)
{
  guint low = 0;
  guint high = n;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (indices[middle] < i)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}
