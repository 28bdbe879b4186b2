/* pl-header.h: the window's title bar
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_HEADER_H
#define PL_HEADER_H

#include <gtk/gtk.h>

#include "pl-long-poll-model.h"
#include "pl-watch-set.h"

G_BEGIN_DECLS

#define PL_TYPE_HEADER (pl_header_get_type ())
G_DECLARE_FINAL_TYPE (PlHeader, pl_header, PL, HEADER, GtkWidget)

void pl_header_set_view  (PlHeader        *self,
                          PlView          *view,
                          PlLongPollModel *model);
void pl_header_set_followed (PlHeader     *self,
                             gboolean      followed);
void pl_header_set_title (PlHeader        *self,
                          const char      *title,
                          const char      *summary);
void pl_header_set_watch (PlHeader        *self,
                          PlWatchSet      *sessions,
                          PlWatch         *watch);

G_END_DECLS

#endif /* PL_HEADER_H */
