/* pl-watch-text.h: what a watch says, in sentences for the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_WATCH_TEXT_H
#define PL_WATCH_TEXT_H

#include "pl-watch.h"

G_BEGIN_DECLS

gboolean    pl_watch_text_is_alarm     (const PlWatchStatus *status);
char       *pl_watch_text_word         (PlWatch             *watch);
const char *pl_watch_text_icon_name    (PlWatch             *watch);
char       *pl_watch_text_title        (PlWatch             *watch);
char       *pl_watch_text_since        (const PlWatchStatus *status);
char       *pl_watch_text_evidence     (const PlWatchStatus *status);
char       *pl_watch_text_clock        (gint64               wall_ns);

G_END_DECLS

#endif /* PL_WATCH_TEXT_H */
