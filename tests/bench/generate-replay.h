/* generate-replay.h: recorded traces, over and over, with their times moved on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef GENERATE_REPLAY_H
#define GENERATE_REPLAY_H

#include "generate-output.h"

G_BEGIN_DECLS

typedef struct _Replay Replay;

Replay *replay_new          (const char *const *paths,
                             GError           **error);
void    replay_free         (Replay            *self);
void    replay_fill_segment (Replay            *self,
                             Output            *output);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Replay, replay_free)

G_END_DECLS

#endif /* GENERATE_REPLAY_H */
