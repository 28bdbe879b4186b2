/* pl-scene-cache.h: columns of lanes that the next picture can use again
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SCENE_CACHE_H
#define PL_SCENE_CACHE_H

#include "pl-axis.h"
#include "pl-columns.h"
#include "pl-scene.h"

G_BEGIN_DECLS

void             pl_scene_cache_prepare     (PlSceneCache  *self,
                                             const PlScene *scene,
                                             const PlAxis  *axis,
                                             GPtrArray     *lanes);
const PlColumns *pl_scene_cache_get_columns (PlSceneCache  *self,
                                             const PlScene *scene,
                                             const PlAxis  *axis,
                                             const PlLane  *lane);

G_END_DECLS

#endif /* PL_SCENE_CACHE_H */
