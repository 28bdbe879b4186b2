/* merge.h: takes what the rings hold, in the order of time
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_MERGE_H
#define PLR_MERGE_H

#include <stddef.h>

#include "thread.h"

typedef struct _PlrMerge PlrMerge;

/* @rings: the first of those to merge; NULL: all of this process, also those made later */
PlrMerge *plr_merge_new (PlrRing *rings);
void      plr_merge_free (PlrMerge *self);

/* Throws away what the rings hold from before the session, and its account of drops. */
void plr_merge_discard (PlrMerge *self);

/* Looks at what each ring has published by now. Events later than @until_ns stay for the next time: an
 * earlier one of another thread may still be on its way. -ENOMEM leaves out the rings there is no room for. */
int plr_merge_begin (PlrMerge *self, uint64_t until_ns);

/* Copies up to @max events, oldest first, and returns how many; 0 when there are no more. @position: of the
 * first one in the backlog. The rings keep them until plr_merge_consume(), and say which: as long as the backlog
 * has not taken more than @position, nothing of them counts as taken. So a kill between the two neither loses nor
 * doubles an event. */
size_t plr_merge_take (PlrMerge *self, PlrEvent *events, size_t max, uint64_t position);

/* Hands what was copied back to the threads, after the backlog has taken it. */
void plr_merge_consume (PlrMerge *self);

/* Frees rings whose threads are gone. Returns the number of events dropped by full rings since the last time. */
uint64_t plr_merge_end (PlrMerge *self);

/* Takes a drop that no event tells, of a thread that is gone or, when @is_last, of any. False when there
 * are no more. */
bool plr_merge_take_gap (PlrMerge *self, bool is_last, PlrEvent *event);

#endif /* PLR_MERGE_H */
