/* pl-error-bar.c: what could not be read, and why
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-error-bar.h"

#include <glib/gi18n.h>

#include "pl-format.h"

/* More files than this are counted instead of listed. */
#define MAX_LISTED 3

struct _PlErrorBar
{
  GtkWidget parent_instance;

  GtkLabel *message;
  GtkLabel *consequence;

  guint faults;           /* which were told last, 0 = none */
  gboolean shows_losses;
};

G_DEFINE_FINAL_TYPE (PlErrorBar, pl_error_bar, GTK_TYPE_WIDGET)

static void
pl_error_bar_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), PL_TYPE_ERROR_BAR);

  G_OBJECT_CLASS (pl_error_bar_parent_class)->dispose (object);
}

static void
pl_error_bar_class_init (PlErrorBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_error_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-error-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, PlErrorBar, message);
  gtk_widget_class_bind_template_child (widget_class, PlErrorBar, consequence);
  gtk_widget_class_bind_template_callback (widget_class, pl_error_bar_clear);
  gtk_widget_class_set_css_name (widget_class, "errorbar");
}

static void
pl_error_bar_init (PlErrorBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * pl_error_bar_show_message:
 * @self: a bar
 * @message: what went wrong; names file and offset where there are any
 * @consequence: (nullable): what that means for what is shown
 */
void
pl_error_bar_show_message (PlErrorBar *self,
                           const char *message,
                           const char *consequence)
{
  g_return_if_fail (PL_IS_ERROR_BAR (self));

  self->shows_losses = FALSE;
  gtk_label_set_text (self->message, message);
  gtk_label_set_text (self->consequence, consequence != NULL ? consequence : "");
  gtk_widget_set_visible (GTK_WIDGET (self->consequence), consequence != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

/* A number of the files that end early and of the places where they do; 0 for none. Names change while a session goes on. */
static guint
sum_up_faults (PlTrace *trace)
{
  guint n_files;
  const PlTraceFile *files = pl_trace_get_files (trace, &n_files);
  guint sum = 0;

  for (guint i = 0; i < n_files; i++)
    if (files[i].error != NULL)
      sum = (sum * 31 + i + 1) * 31 + g_int64_hash (&files[i].error_offset);
  return sum;
}

static char *
describe_consequence (PlTrace *trace,
                      guint64  lost_bytes,
                      gboolean is_growing)
{
  g_autofree char *lost = g_format_size (lost_bytes);

  if (pl_trace_get_n_events (trace) == 0)
    return g_strdup (_("Nothing of it could be read."));
  if (is_growing)
    return g_strdup (_("What comes before the fault is shown; what is written behind it cannot be read."));
  /* Translators: %s is a size, such as 6.0 MB */
  return g_strdup_printf (_("What comes before the fault is shown; %s were not read."), lost);
}

/**
 * pl_error_bar_show_losses:
 * @self: a bar
 * @trace: a snapshot
 *
 * Tells which files of @trace ended early, and how much of them is missing. Hides the bar when nothing is.
 */
void
pl_error_bar_show_losses (PlErrorBar *self,
                          PlTrace    *trace)
{
  guint n_files;
  const PlTraceFile *files = pl_trace_get_files (trace, &n_files);
  g_autoptr(GString) message = g_string_new (NULL);
  g_autofree char *consequence = NULL;
  guint64 lost_bytes = 0;
  gboolean is_growing = FALSE;
  guint n_broken = 0;

  self->faults = sum_up_faults (trace);

  for (guint i = 0; i < n_files; i++)
    {
      if (files[i].error == NULL)
        continue;
      if (n_broken < MAX_LISTED)
        g_string_append_printf (message, "%s%s", n_broken > 0 ? "\n" : "", files[i].error->message);
      lost_bytes += files[i].lost_bytes;
      is_growing |= files[i].is_growing;
      n_broken++;
    }
  if (n_broken == 0)
    {
      pl_error_bar_clear (self);
      return;
    }
  if (n_broken > MAX_LISTED)
    {
      g_string_append_c (message, '\n');
      g_string_append_printf (message, ngettext ("and %u more file", "and %u more files", n_broken - MAX_LISTED),
                              n_broken - MAX_LISTED);
    }

  consequence = describe_consequence (trace, lost_bytes, is_growing);
  pl_error_bar_show_message (self, message->str, consequence);
  self->shows_losses = TRUE;
}

/**
 * pl_error_bar_update_losses:
 * @self: a bar
 * @trace: a later snapshot of what it told of
 *
 * Tells of files that have come to end early since. What was told before and closed does not come back.
 */
void
pl_error_bar_update_losses (PlErrorBar *self,
                            PlTrace    *trace)
{
  guint faults = sum_up_faults (trace);

  if (faults == self->faults)
    return;
  if (faults != 0 || self->shows_losses)
    pl_error_bar_show_losses (self, trace);
  self->faults = faults;
}

/**
 * pl_error_bar_clear:
 * @self: a bar
 *
 * Hides the bar.
 */
void
pl_error_bar_clear (PlErrorBar *self)
{
  g_return_if_fail (PL_IS_ERROR_BAR (self));

  self->shows_losses = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * pl_error_bar_forget:
 * @self: a bar
 *
 * Hides the bar, for another trace: whatever was told before is new there.
 */
void
pl_error_bar_forget (PlErrorBar *self)
{
  pl_error_bar_clear (self);
  self->faults = 0;
}
