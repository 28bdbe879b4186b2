/* pl-instant.h: a moment as a person names it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_INSTANT_H
#define PL_INSTANT_H

#include "pl-trace.h"

G_BEGIN_DECLS

/**
 * PlInstantKind:
 * @PL_INSTANT_OFFSET: since the start of the trace
 * @PL_INSTANT_RAW: as the trace itself counts
 * @PL_INSTANT_WALL: since 1970
 * @PL_INSTANT_TIME_OF_DAY: since midnight of the day the trace began, local time
 */
typedef enum
{
  PL_INSTANT_OFFSET,
  PL_INSTANT_RAW,
  PL_INSTANT_WALL,
  PL_INSTANT_TIME_OF_DAY,
} PlInstantKind;

/**
 * PlInstant:
 * @kind: what @ns counts from
 * @ns: nanoseconds
 */
typedef struct
{
  PlInstantKind kind;
  gint64 ns;
} PlInstant;

gboolean pl_instant_parse   (const char      *text,
                             PlInstant       *out_instant,
                             GError         **error);
gboolean pl_instant_resolve (const PlInstant *self,
                             PlTrace         *trace,
                             gint64          *out_at_ns);

G_END_DECLS

#endif /* PL_INSTANT_H */
