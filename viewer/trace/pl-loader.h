/* pl-loader.h: files and directories → growing snapshots, off the calling thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LOADER_H
#define PL_LOADER_H

#include <gio/gio.h>

#include "pl-follow.h"
#include "pl-trace.h"

G_BEGIN_DECLS

#define PL_TYPE_LOADER (pl_loader_get_type ())
G_DECLARE_FINAL_TYPE (PlLoader, pl_loader, PL, LOADER, GObject)

/* Properties (read-only, notified on the thread-default main context of pl_loader_load_async()):
 *   "trace"     boxed #PlTrace or NULL: the newest snapshot; notified at most every 100 ms while loading, and once at the end
 *   "progress"  double 0..1 of the bytes on disk
 *   "loading"   boolean
 *   "sharp"     boolean: whether "trace" holds all detail that pl_loader_look_at() asked for last; until it does, the
 *               rest is estimated from summaries
 *   "state"     uint #PlFollowState: whether there is anything on disk to follow; %PL_FOLLOW_PRESENT for who does not follow
 */
PlLoader *pl_loader_new             (const char * const  *paths);
void      pl_loader_set_memory_budget (PlLoader          *self,
                                       guint64            bytes);
void      pl_loader_set_follow      (PlLoader            *self,
                                     gboolean             follow);
gboolean  pl_loader_is_following    (PlLoader            *self);
void      pl_loader_set_pace        (PlLoader            *self,
                                     guint                interval_ms);
PlFollowState pl_loader_get_state   (PlLoader            *self);
void      pl_loader_look_at         (PlLoader            *self,
                                     gint64               from_ns,
                                     gint64               to_ns,
                                     guint                n_columns);
gboolean  pl_loader_is_sharp        (PlLoader            *self);
PlTrace  *pl_loader_dup_trace       (PlLoader            *self);
double    pl_loader_get_progress    (PlLoader            *self);
guint64   pl_loader_get_n_events    (PlLoader            *self);
guint64   pl_loader_get_bytes_read  (PlLoader            *self);
guint64   pl_loader_get_bytes_total (PlLoader            *self);
gint64    pl_loader_get_elapsed_us  (PlLoader            *self);

void      pl_loader_load_async      (PlLoader            *self,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
PlTrace  *pl_loader_load_finish     (PlLoader            *self,
                                     GAsyncResult        *result,
                                     GError             **error);
PlTrace  *pl_loader_load_within     (const char * const  *paths,
                                     guint                n_threads,
                                     guint64              memory_budget,
                                     GCancellable        *cancellable,
                                     GError             **error);
PlTrace  *pl_loader_load            (const char * const  *paths,
                                     guint                n_threads,
                                     GCancellable        *cancellable,
                                     GError             **error);

G_END_DECLS

#endif /* PL_LOADER_H */
