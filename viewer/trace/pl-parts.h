/* pl-parts.h: a stretch of time in equal parts, as the pixel columns of a row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_PARTS_H
#define PL_PARTS_H

#include <glib.h>

G_BEGIN_DECLS

/* In whole nanoseconds: parts differ by one where the stretch does not divide evenly, and may be empty. */
typedef struct
{
  gint64 from_ns;
  gint64 step;
  gint64 rest;
  guint n;
} PlParts;

static inline PlParts
pl_parts_of (gint64 from_ns, gint64 to_ns, guint n)
{
  return (PlParts) { from_ns, (to_ns - from_ns) / n, (to_ns - from_ns) % n, n };
}

/* Where part @i begins, and the one before it ends; @i from 0 to the number of parts. */
static inline gint64
pl_parts_start (const PlParts *self, guint i)
{
  return self->from_ns + self->step * i + self->rest * (gint64) i / self->n;
}

G_END_DECLS

#endif /* PL_PARTS_H */
