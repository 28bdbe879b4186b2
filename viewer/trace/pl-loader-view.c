/* pl-loader-view.c: reads the detail of what is looked at, off the calling thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-detail.h"
#include "pl-loader-private.h"

/* A view of a snapshot that is to be sharpened. */
typedef struct
{
  PlTrace *trace;
  gint64 from_ns;
  gint64 to_ns;
  guint n_columns;
} Look;

static void
sharpen_in_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  PlLoader *self = source_object;
  const Look *look = task_data;

  g_task_return_pointer (task, pl_detail_sharpen (look->trace, look->from_ns, look->to_ns, look->n_columns,
                                                  self->memory_budget, cancellable),
                         (GDestroyNotify) pl_trace_unref);
}

static void
look_free (gpointer data)
{
  Look *self = data;

  pl_trace_unref (self->trace);
  g_free (self);
}

static void
finish_sharpening (GObject *object, GAsyncResult *result, gpointer user_data)
{
  PlLoader *self = PL_LOADER (object);
  const Look *look = g_task_get_task_data (G_TASK (result));
  g_autoptr(PlTrace) trace = g_task_propagate_pointer (G_TASK (result), NULL);
  gboolean was_cancelled = g_cancellable_is_cancelled (self->sharpening);

  g_clear_object (&self->sharpening);
  if (trace != look->trace && self->thread != NULL)
    {
      pl_follow_thread_offer_detail (self->thread, trace);
      self->awaits_detail = TRUE;
      return;
    }
  if (trace != look->trace)
    pl_loader_set_trace (self, trace);
  g_object_notify (G_OBJECT (self), "sharp");

  /* The view has moved on meanwhile. A file that cannot be read again is not asked for twice. */
  if (was_cancelled || look->from_ns != self->view_from_ns || look->to_ns != self->view_to_ns)
    pl_loader_sharpen (self);
}

void
pl_loader_sharpen (PlLoader *self)
{
  g_autoptr(GTask) task = NULL;
  Look *look;

  if (self->is_loading || self->sharpening != NULL || self->awaits_detail || pl_loader_is_sharp (self))
    return;
  look = g_new (Look, 1);
  *look = (Look) { pl_trace_ref (self->trace), self->view_from_ns, self->view_to_ns, self->view_columns };
  self->sharpening = g_cancellable_new ();
  task = g_task_new (self, self->sharpening, finish_sharpening, NULL);
  g_task_set_task_data (task, look, look_free);
  g_task_set_return_on_cancel (task, FALSE);
  g_task_set_check_cancellable (task, FALSE);
  g_task_run_in_thread (task, sharpen_in_thread);
  g_object_notify (G_OBJECT (self), "sharp");
}

/**
 * pl_loader_look_at:
 * @from_ns: start of the view
 * @to_ns: its end, after @from_ns
 * @n_columns: pixel columns that it is drawn in
 *
 * Tells which part of the trace is looked at. Where the trace is held as a summary and its detail would show, it is
 * decoded in the background and becomes part of the next "trace". Cheap; call it for every change of the view.
 */
void
pl_loader_look_at (PlLoader *self, gint64 from_ns, gint64 to_ns, guint n_columns)
{
  self->view_from_ns = from_ns;
  self->view_to_ns = to_ns;
  self->view_columns = n_columns;
  if (self->thread != NULL)
    pl_follow_thread_look_at (self->thread, from_ns, to_ns);
  if (self->sharpening != NULL)
    g_cancellable_cancel (self->sharpening);
  else
    pl_loader_sharpen (self);
}

/**
 * pl_loader_is_sharp:
 *
 * Returns: whether the newest snapshot holds all detail that is looked at
 */
gboolean
pl_loader_is_sharp (PlLoader *self)
{
  return self->trace == NULL || self->view_from_ns >= self->view_to_ns
         || pl_detail_is_sharp (self->trace, self->view_from_ns, self->view_to_ns, self->view_columns);
}
