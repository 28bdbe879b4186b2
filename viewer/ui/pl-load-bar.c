/* pl-load-bar.c: how far loading has come, and a button that ends it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-load-bar.h"

#include <glib/gi18n.h>

#include "pl-duration.h"
#include "pl-format.h"

struct _PlLoadBar
{
  GtkWidget parent_instance;

  PlLoader *loader;
  gulong progress_handler;
  GtkLabel *text;
  GtkProgressBar *bar;
};

G_DEFINE_FINAL_TYPE (PlLoadBar, pl_load_bar, GTK_TYPE_WIDGET)

static void
update (PlLoadBar *self)
{
  double progress = CLAMP (pl_loader_get_progress (self->loader), 0, 1);
  guint64 n_events = pl_loader_get_n_events (self->loader);
  g_autofree char *read = pl_format_bytes (pl_loader_get_bytes_read (self->loader));
  g_autofree char *total = pl_format_bytes (pl_loader_get_bytes_total (self->loader));
  g_autofree char *events = pl_format_count (n_events);
  g_autofree char *text = NULL;

  /* Translators: percentage, MB read, MB in all, number of events read so far */
  text = g_strdup_printf (ngettext ("Loading: %.0f %% · %s of %s MB · %s event",
                                    "Loading: %.0f %% · %s of %s MB · %s events", (gulong) n_events),
                          100 * progress, read, total, events);
  gtk_label_set_text (self->text, text);
  gtk_progress_bar_set_fraction (self->bar, progress);
}

static void
pl_load_bar_dispose (GObject *object)
{
  PlLoadBar *self = PL_LOAD_BAR (object);

  g_clear_signal_handler (&self->progress_handler, self->loader);
  g_clear_object (&self->loader);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_LOAD_BAR);

  G_OBJECT_CLASS (pl_load_bar_parent_class)->dispose (object);
}

static void
pl_load_bar_class_init (PlLoadBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_load_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-load-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, PlLoadBar, text);
  gtk_widget_class_bind_template_child (widget_class, PlLoadBar, bar);
  gtk_widget_class_set_css_name (widget_class, "loadbar");
}

static void
pl_load_bar_init (PlLoadBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * pl_load_bar_set_loader:
 * @self: a bar
 * @loader: (nullable): whose progress to show, or %NULL when nothing loads: the bar is hidden then
 */
void
pl_load_bar_set_loader (PlLoadBar *self,
                        PlLoader  *loader)
{
  g_return_if_fail (PL_IS_LOAD_BAR (self));

  g_clear_signal_handler (&self->progress_handler, self->loader);
  g_set_object (&self->loader, loader);
  gtk_widget_set_visible (GTK_WIDGET (self), loader != NULL);
  if (loader == NULL)
    return;
  self->progress_handler = g_signal_connect_swapped (loader, "notify::progress", G_CALLBACK (update), self);
  update (self);
}
