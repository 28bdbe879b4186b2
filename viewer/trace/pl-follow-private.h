/* pl-follow-private.h: what the parts of following share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FOLLOW_PRIVATE_H
#define PL_FOLLOW_PRIVATE_H

#include "pl-follow.h"
#include "pl-follow-segment.h"
#include "pl-gathered.h"

G_BEGIN_DECLS

struct _PlFollow
{
  GStrv paths;
  PlStrings *strings;
  guint64 memory_budget;
  gint64 view_from_ns;
  gint64 view_to_ns;
  GPtrArray *segments;  /* PlFollowSegment, by their place in the snapshots */
  GHashTable *by_key;   /* key → PlFollowSegment, unowned: the latest of each */
  PlGathered *gathered; /* for the next snapshot */
  PlFollowState state;
};

PlFollowState pl_follow_list (const char *const *paths,
                              GArray            *entries);
gboolean      pl_follow_trim (PlFollow          *self);
gboolean      pl_follow_grant_wishes (PlFollow  *self,
                                      gboolean   waits);

G_END_DECLS

#endif /* PL_FOLLOW_PRIVATE_H */
