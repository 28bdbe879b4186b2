/* pl-window-private.h: what the parts of the window share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_WINDOW_PRIVATE_H
#define PL_WINDOW_PRIVATE_H

#include "pl-window.h"

#include "pl-details.h"
#include "pl-empty-page.h"
#include "pl-error-bar.h"
#include "pl-header.h"
#include "pl-load-bar.h"
#include "pl-loader.h"
#include "pl-long-poll-list.h"
#include "pl-long-poll-model.h"
#include "pl-long-poll-notifier.h"
#include "pl-notice.h"
#include "pl-overview.h"
#include "pl-ruler.h"
#include "pl-sheet.h"
#include "pl-stall-bar.h"
#include "pl-status-bar.h"
#include "pl-timeline.h"
#include "pl-usage-strip.h"
#include "pl-view.h"
#include "pl-watch-set.h"

G_BEGIN_DECLS

/**
 * PlWindowLayout: how the panes lie, by the width of the window
 */
typedef enum
{
  PL_WINDOW_WIDE,   /* details beside everything */
  PL_WINDOW_MEDIUM, /* details over the list */
  PL_WINDOW_NARROW, /* the list a sheet over the lanes */
} PlWindowLayout;

struct _PlWindow
{
  GtkApplicationWindow parent_instance;

  PlView *view;
  PlLongPollModel *model;

  PlHeader *header;
  GtkStack *stack;
  PlLoadBar *load_bar;
  PlErrorBar *error_bar;
  PlStallBar *stall_bar;
  GtkPaned *across;
  PlErrorBar *settings_bar;
  GtkPaned *down;
  PlSheet *sheet;
  GtkWidget *lanes;
  PlOverview *overview;
  PlUsageStrip *usage;
  PlRuler *ruler;
  PlTimeline *timeline;
  PlNotice *notice;
  GtkOverlay *bottom;
  GtkWidget *tabs;
  GtkLabel *tab_count;
  PlLongPollList *list;
  PlDetails *details;
  PlStatusBar *status_bar;
  GtkWidget *drop_hint;

  PlWindowLayout layout;
  int width; /* of the last allocation */
  int height;
  guint layout_id;
  gboolean is_laid_out;
  gboolean details_closed; /* by hand, until something else is selected */

  PlOpenRequest *request; /* that is loading, or was loaded */
  PlLoader *loader;       /* while it loads */
  GCancellable *loading;
  gulong trace_handler;
  PlLoader *detail;       /* that has loaded what is shown, and reads detail of it again */
  gint64 titled_us;       /* when the title was brought up to date while it follows */
  gboolean shows_request; /* whether what is on screen is of @request yet */

  PlWatchSet *sessions;   /* in the directory of @request, if it is one */
  PlWatch *watch;         /* the one of @sessions that is worst */
  gboolean names_session; /* @watch is one of several */
  GCancellable *probing;  /* while it is found out whether it is */
  PlLongPollNotifier *notifier;
};

void     pl_window_add_actions     (PlWindow   *self);
void     pl_window_add_following   (PlWindow   *self);
void     pl_window_begin_following (PlWindow   *self);
void     pl_window_extend_trace    (PlWindow   *self,
                                    PlTrace    *trace);
gboolean pl_window_is_waiting      (PlWindow   *self);
void     pl_window_show_snapshot   (PlWindow   *self,
                                    PlTrace    *trace);
void     pl_window_show_title      (PlWindow   *self,
                                    PlTrace    *trace,
                                    const char *state);
void     pl_window_update_notice   (PlWindow   *self,
                                    PlTrace    *trace);
void     pl_window_add_detail      (PlWindow   *self);
void     pl_window_set_detail      (PlWindow   *self,
                                    PlLoader   *loader);
void     pl_window_add_drop_target (PlWindow   *self);
void     pl_window_add_layout      (PlWindow   *self);
void     pl_window_add_source      (PlWindow   *self);
void     pl_window_save_layout     (PlWindow   *self);
void     pl_window_update_layout   (PlWindow   *self,
                                    int         width,
                                    int         height);
void     pl_window_close_details   (PlWindow   *self);
void     pl_window_choose_files    (PlWindow   *self,
                                    gboolean    folder);
void     pl_window_open_file       (PlWindow   *self,
                                    GFile      *file);
gboolean pl_window_cancel_load     (PlWindow   *self);
void     pl_window_abandon_load    (PlWindow   *self);
void     pl_window_add_notifications (PlWindow *self);
void     pl_window_notify_of       (PlWindow   *self,
                                    PlWatchSet *sessions);
void     pl_window_say_whether_recorded (PlWindow *self);
void     pl_window_begin_watch     (PlWindow   *self);
void     pl_window_end_watch       (PlWindow   *self);

G_END_DECLS

#endif /* PL_WINDOW_PRIVATE_H */
