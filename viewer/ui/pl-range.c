/* pl-range.c: spans of time, and how a view zooms and pans inside its bounds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All positions are 64-bit integers; a floating point number only ever holds a distance inside a view, so that a
 * view of a few nanoseconds after days of uptime is as exact as any other.
 */
#include "config.h"

#include "pl-range.h"

#include <math.h>

/* An event that takes no time still gets a view in which its neighbours can be seen. */
#define REVEAL_MIN_NS G_GINT64_CONSTANT (1000000)
#define REVEAL_FACTOR 5
#define REVEAL_AT 0.3

static gint64
add_saturated (gint64 a,
               gint64 b)
{
  gint64 sum;

  if (__builtin_add_overflow (a, b, &sum))
    return b > 0 ? G_MAXINT64 : G_MININT64;
  return sum;
}

/**
 * pl_range_is_empty:
 * @self: a range
 *
 * Tells whether @self covers no time. Any thread.
 */
gboolean
pl_range_is_empty (PlRange self)
{
  return self.to_ns <= self.from_ns;
}

/**
 * pl_range_equal:
 * @a: a range
 * @b: another
 *
 * Tells whether both begin and end at the same instants. Any thread.
 */
gboolean
pl_range_equal (PlRange a,
                PlRange b)
{
  return a.from_ns == b.from_ns && a.to_ns == b.to_ns;
}

/**
 * pl_range_span:
 * @self: a range
 *
 * Returns: how long @self is, in ns; 0 when it is empty, %G_MAXINT64 when it is longer than that
 */
gint64
pl_range_span (PlRange self)
{
  gint64 span;

  if (pl_range_is_empty (self))
    return 0;
  if (__builtin_sub_overflow (self.to_ns, self.from_ns, &span))
    return G_MAXINT64;
  return span;
}

/**
 * pl_range_bounds:
 * @start_ns: first instant of the data
 * @end_ns: last instant of the data
 *
 * Makes the bounds of a view from the range of a trace, which may hold a single instant or nothing. Any thread.
 *
 * Returns: a range of at least %PL_RANGE_MIN_NS
 */
PlRange
pl_range_bounds (gint64 start_ns,
                 gint64 end_ns)
{
  PlRange bounds = { start_ns, end_ns };

  bounds.from_ns = MIN (bounds.from_ns, G_MAXINT64 - PL_RANGE_MIN_NS);
  bounds.to_ns = MAX (bounds.to_ns, bounds.from_ns + PL_RANGE_MIN_NS);
  /* Distances in a view must fit an int64. */
  if (bounds.from_ns < 0 && bounds.to_ns > add_saturated (bounds.from_ns, G_MAXINT64))
    bounds.to_ns = add_saturated (bounds.from_ns, G_MAXINT64);
  return bounds;
}

/**
 * pl_range_clamp:
 * @self: the range that is wanted
 * @bounds: from pl_range_bounds()
 *
 * Moves and, only where it must, shortens or widens @self so that it lies in @bounds and spans at least
 * %PL_RANGE_MIN_NS. Any thread.
 */
PlRange
pl_range_clamp (PlRange self,
                PlRange bounds)
{
  gint64 span = CLAMP (pl_range_span (self), PL_RANGE_MIN_NS, pl_range_span (bounds));
  gint64 from_ns = CLAMP (self.from_ns, bounds.from_ns, bounds.to_ns - span);

  return (PlRange) { from_ns, from_ns + span };
}

/**
 * pl_range_pan:
 * @self: a range in @bounds
 * @delta_ns: how far to move it, later when positive
 * @bounds: from pl_range_bounds()
 *
 * Moves @self and keeps its span; it stops at the ends. Any thread.
 */
PlRange
pl_range_pan (PlRange self,
              gint64  delta_ns,
              PlRange bounds)
{
  gint64 span = pl_range_span (self);
  gint64 from_ns = CLAMP (add_saturated (self.from_ns, delta_ns), bounds.from_ns, bounds.to_ns - span);

  return (PlRange) { from_ns, from_ns + span };
}

/**
 * pl_range_zoom:
 * @self: a range in @bounds
 * @span_ns: the span that is wanted
 * @at_ns: the instant that keeps its place in the view, usually in @self
 * @bounds: from pl_range_bounds()
 *
 * Changes the span of @self around an instant. Any thread.
 */
PlRange
pl_range_zoom (PlRange self,
               double  span_ns,
               gint64  at_ns,
               PlRange bounds)
{
  double longest_ns = (double) pl_range_span (bounds);
  double place;
  gint64 span;
  gint64 from_ns;

  if (!(span_ns < longest_ns)) /* NaN and infinity included */
    return bounds;

  span = MAX (llround (span_ns), PL_RANGE_MIN_NS);
  at_ns = CLAMP (at_ns, self.from_ns, self.to_ns);
  place = (double) (at_ns - self.from_ns) / (double) pl_range_span (self);
  from_ns = add_saturated (at_ns, -llround (place * (double) span));
  return pl_range_clamp ((PlRange) { from_ns, add_saturated (from_ns, span) }, bounds);
}

/**
 * pl_range_around:
 * @start_ns: start of an event
 * @duration_ns: its duration, 0 or more
 * @bounds: from pl_range_bounds()
 *
 * Makes the view that shows an event with what happened before and after it: five times as long as the event and at
 * least a millisecond, the event beginning at 30 % of it. Any thread.
 */
PlRange
pl_range_around (gint64  start_ns,
                 gint64  duration_ns,
                 PlRange bounds)
{
  gint64 span = duration_ns > G_MAXINT64 / REVEAL_FACTOR ? G_MAXINT64 : duration_ns * REVEAL_FACTOR;
  gint64 from_ns;

  span = MAX (span, REVEAL_MIN_NS);
  from_ns = add_saturated (start_ns, -llround (REVEAL_AT * (double) span));
  return pl_range_clamp ((PlRange) { from_ns, add_saturated (from_ns, span) }, bounds);
}
