/* pl-judge.h: looks at a directory, one after another → the verdict on its writer
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_JUDGE_H
#define PL_JUDGE_H

#include "pl-dir-scan.h"
#include "pl-watch-status.h"

G_BEGIN_DECLS

typedef struct _PlJudge PlJudge;

PlJudge  *pl_judge_new       (void);
void      pl_judge_free      (PlJudge         *self);
void      pl_judge_hear      (PlJudge         *self,
                              const PlDirScan *scan,
                              PlWatchStatus   *out_status);
gboolean  pl_judge_is_frozen (PlJudge         *self);
gint64    pl_judge_get_next_ns (PlJudge       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlJudge, pl_judge_free)

G_END_DECLS

#endif /* PL_JUDGE_H */
