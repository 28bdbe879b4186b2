/* follow-world.h: a session directory that a made-up writer and others change at random
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef FOLLOW_WORLD_H
#define FOLLOW_WORLD_H

#include "test-trace.h"

G_BEGIN_DECLS

typedef struct _FollowWorld FollowWorld;

/**
 * FollowWorldOptions:
 * @is_merged: all threads share the stream, as our recorder writes
 * @is_unsorted: some events come late
 * @evicts: the oldest segments are deleted
 */
typedef struct
{
  guint32 seed;
  gboolean is_merged;
  gboolean is_unsorted;
  gboolean evicts;
} FollowWorldOptions;

FollowWorld *follow_world_new           (const FollowWorldOptions *options);
void         follow_world_free          (FollowWorld *self);
const char  *follow_world_get_directory (FollowWorld *self);

/* One change: something is written, sealed, compressed, deleted, cut off, or hidden for a while. */
void         follow_world_change        (FollowWorld *self);
void         follow_world_write         (FollowWorld *self,
                                         guint        n_events);
void         follow_world_flush         (FollowWorld *self);
void         follow_world_rotate        (FollowWorld *self);
void         follow_world_compress      (FollowWorld *self,
                                         guint        number,
                                         gboolean     with_gzip);
void         follow_world_evict         (FollowWorld *self,
                                         guint        number);
void         follow_world_hide          (FollowWorld *self,
                                         gboolean     hide);
/* Everything is written, sealed and in sight. */
void         follow_world_finish        (FollowWorld *self);

/* The directory has been looked at and read; what is deleted from now on was seen before. */
void         follow_world_was_seen      (FollowWorld *self);
gboolean     follow_world_has_cut_off    (FollowWorld *self);
gboolean     follow_world_was_cut_off   (FollowWorld *self);

/* What one would see who had kept all that was ever to be seen. */
PlTrace     *follow_world_load          (FollowWorld *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FollowWorld, follow_world_free)

G_END_DECLS

#endif /* FOLLOW_WORLD_H */
