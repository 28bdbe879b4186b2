/* pl-column.h: numbers in as few bytes as their range takes, immutable
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_COLUMN_H
#define PL_COLUMN_H

#include <glib.h>

G_BEGIN_DECLS

/**
 * PlColumn:
 * @base: what they have in common: the least of them, or less
 * @values: (nullable): what each has over @base, not owned; %NULL when there is no column
 * @width: bytes of each value: 1, 2, 4 or 8
 *
 * A column of unsigned numbers. Task ids of one stretch of time lie close together however large they are, and nearly
 * all numbers of spawn locations are small.
 */
typedef struct
{
  guint64 base;
  const void *values;
  guint8 width;
} PlColumn;

PlColumn pl_column_plan_u32 (const guint32 *numbers,
                             guint          n);
PlColumn pl_column_plan_u64 (const guint64 *numbers,
                             guint          n);
void     pl_column_fill_u32 (PlColumn      *self,
                             void          *memory,
                             const guint32 *numbers,
                             guint          n);
void     pl_column_fill_u64 (PlColumn      *self,
                             void          *memory,
                             const guint64 *numbers,
                             guint          n);
guint    pl_column_find_index (const guint16 *indices,
                               guint          n,
                               guint          i);

/* A loop that compilers make short work of. */
static inline guint8
pl_column_max_u8 (const guint8 *numbers, gsize n)
{
  guint8 max = 0;

  for (gsize i = 0; i < n; i++)
    max = numbers[i] > max ? numbers[i] : max;
  return max;
}

/* The number at @i, of a column that has one there. */
static inline guint64
pl_column_get (const PlColumn *self, guint i)
{
  switch (self->width)
    {
    case 1:
      return self->base + ((const guint8 *) self->values)[i];
    case 2:
      return self->base + ((const guint16 *) self->values)[i];
    case 4:
      return self->base + ((const guint32 *) self->values)[i];
    default:
      return self->base + ((const guint64 *) self->values)[i];
    }
}

G_END_DECLS

#endif /* PL_COLUMN_H */
