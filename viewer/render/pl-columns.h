/* pl-columns.h: what every pixel column of one lane shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_COLUMNS_H
#define PL_COLUMNS_H

#include "pl-axis.h"
#include "pl-lane.h"
#include "pl-palette.h"

G_BEGIN_DECLS

#define PL_COLUMNS_OF_INSTANT 2 /* how wide a poll of zero length may get */

typedef enum
{
  PL_COLUMN_POLL = 1 << 0,          /* any poll of the main row touches it */
  PL_COLUMN_LONG = 1 << 1,          /* a finished one at or over the threshold does */
  PL_COLUMN_OPEN = 1 << 2,          /* one without an end does */
  PL_COLUMN_NO_DATA = 1 << 3,       /* hatched */
  PL_COLUMN_DETACHED = 1 << 4,      /* like POLL, of the detached row */
  PL_COLUMN_DETACHED_LONG = 1 << 5, /* like LONG, of the detached row */
  PL_COLUMN_DETACHED_OPEN = 1 << 6, /* like OPEN, of the detached row */
} PlColumnFlags;

/**
 * PlColumn:
 * @color: of the band
 * @share: of the time that polls of the main row take, 0 to 1
 * @queue: largest local queue, -1 where none is known
 * @flags: #PlColumnFlags
 */
typedef struct
{
  PlColor color;
  float share;
  gint16 queue;
  guint8 flags;
} PlColumn;

/**
 * PlColumns:
 * @columns: (array length=n_columns): left to right
 * @polling_ns: time in polls of the main row
 * @known_ns: time with data
 * @longest_ns: longest finished poll that touches the view, both rows; -1 when there is none
 * @open_ns: oldest open poll that touches the view, 0 when there is none
 * @max_queue: -1 when none is known
 */
typedef struct
{
  PlColumn *columns;
  int n_columns;
  gint64 polling_ns;
  gint64 known_ns;
  gint64 longest_ns;
  gint64 open_ns;
  int max_queue;
} PlColumns;

/**
 * PlBar: a poll that is wide enough to be seen as one
 * @poll: the poll
 * @first: its first column
 * @end: the column after its last
 */
typedef struct
{
  PlPoll poll;
  int first;
  int end;
} PlBar;

PlColumns *pl_columns_new   (const PlAxis    *axis,
                             const PlLane    *lane,
                             const PlPalette *palette,
                             gint64           threshold_ns,
                             PlLaneSlice     *scratch);
void     pl_columns_free    (PlColumns *self);
GArray  *pl_columns_dup_bars (const PlAxis *axis,
                             const PlLane *lane,
                             int           min_columns,
                             gint64        min_duration_ns);

void     pl_poll_locate     (const PlPoll *poll,
                             const PlAxis *axis,
                             int          *out_first,
                             int          *out_end);

G_END_DECLS

#endif /* PL_COLUMNS_H */
