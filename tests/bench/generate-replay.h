/* generate-replay.h: recorded traces, over and over, with their times moved on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef GENERATE_REPLAY_H
#define GENERATE_REPLAY_H

#include "generate-output.h"

G_BEGIN_DECLS

gboolean replay_write (const char *const *paths,
                       Output            *output,
                       GError           **error);

G_END_DECLS

#endif /* GENERATE_REPLAY_H */
