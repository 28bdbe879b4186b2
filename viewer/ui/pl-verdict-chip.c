/* pl-verdict-chip.c: how the writer of a session is, in a word
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Word, icon and colour say the same. Pressed, it tells what the verdict rests on. A screen reader is told of another
 * verdict, and not of the numbers in it that change each second.
 */
#include "config.h"

#include "pl-verdict-chip.h"

#include <glib/gi18n.h>

#include "pl-watch-text.h"

#define SPACING 6

struct _PlVerdictChip
{
  GtkWidget parent_instance;

  PlWatchSet *sessions;
  PlWatch *watch; /* the one of them that is shown */
  GtkMenuButton *button;
  GtkWidget *popover;
  GtkWidget *content;
  GtkImage *icon;
  GtkLabel *word;
  GtkLabel *title;
  GtkLabel *since;
  GtkLabel *evidence;
  GtkLabel *remedy;
  GtkLabel *others;
  const char *css_class; /* of the verdict that is shown, or NULL */
};

G_DEFINE_FINAL_TYPE (PlVerdictChip, pl_verdict_chip, GTK_TYPE_WIDGET)

static const char *const css_classes[PL_N_VERDICTS] = {
  [PL_VERDICT_RECORDING] = "alive",
  [PL_VERDICT_PLATEAU] = "alive",
  [PL_VERDICT_KILLED] = "alarm",
  [PL_VERDICT_STALLED] = "alarm",
};

static void
show_style (PlVerdictChip *self)
{
  const PlWatchStatus *status = pl_watch_get_status (self->watch);

  if (self->css_class != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self), self->css_class);
  self->css_class = status->cause != PL_CAUSE_PAUSED ? css_classes[status->verdict] : NULL;
  if (self->css_class != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), self->css_class);
}

/* What is to be said of the other sessions of the directory, a line each; NULL when there are none. */
static char *
describe_others (PlVerdictChip *self)
{
  g_autoptr(GString) text = g_string_new (NULL);
  guint n = pl_watch_set_get_n (self->sessions);

  for (guint i = 0; i < n; i++)
    {
      PlWatch *other = pl_watch_set_get (self->sessions, i);
      g_autofree char *title = pl_watch_text_title (other);
      g_autofree char *since = pl_watch_text_since (pl_watch_get_status (other));

      if (other != self->watch)
        g_string_append_printf (text, "%s%s, %s", text->len > 0 ? "\n" : "", title, since);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
show_evidence (PlVerdictChip *self)
{
  const PlWatchStatus *status = pl_watch_get_status (self->watch);
  const char *remedy = pl_verdict_get_remedy (status->verdict, status->cause);
  g_autofree char *since = pl_watch_text_since (status);
  g_autofree char *evidence = pl_watch_text_evidence (status);
  g_autofree char *others = describe_others (self);

  gtk_label_set_text (self->since, since);
  gtk_label_set_text (self->evidence, evidence);
  gtk_widget_set_visible (GTK_WIDGET (self->evidence), *evidence != '\0');
  gtk_label_set_text (self->remedy, remedy != NULL ? remedy : "");
  gtk_widget_set_visible (GTK_WIDGET (self->remedy), remedy != NULL);
  gtk_label_set_text (self->others, others != NULL ? others : "");
  gtk_widget_set_visible (GTK_WIDGET (self->others), others != NULL);
}

static void
tell_accessible (PlVerdictChip *self)
{
  const PlWatchStatus *status = pl_watch_get_status (self->watch);
  g_autofree char *title = pl_watch_text_title (self->watch);
  g_autofree char *since = pl_watch_text_since (status);
  g_autofree char *evidence = pl_watch_text_evidence (status);
  g_autofree char *others = describe_others (self);
  g_autofree char *description = others != NULL ? g_strconcat (evidence, "\n", others, NULL) : g_strdup (evidence);
  /* Translators: what is written to the session: verdict, since when */
  g_autofree char *name = g_strdup_printf (_("Recording status: %s, %s"), title, since);

  g_strdelimit (description, "\n", ' ');
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

static void
sampled (PlVerdictChip *self)
{
  if (gtk_widget_get_visible (self->popover))
    show_evidence (self);
}

static void
verdict_changed (PlVerdictChip *self)
{
  g_autofree char *title = pl_watch_text_title (self->watch);
  g_autofree char *word = pl_watch_text_word (self->watch);

  gtk_image_set_from_icon_name (self->icon, pl_watch_text_icon_name (self->watch));
  gtk_label_set_text (self->word, word);
  gtk_label_set_text (self->title, title);
  show_style (self);
  show_evidence (self);
  tell_accessible (self);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

static void
popover_shown (PlVerdictChip *self)
{
  if (self->watch == NULL)
    return;
  show_evidence (self);
  tell_accessible (self);
}

static gboolean
query_tooltip (PlVerdictChip *self,
               int            x,
               int            y,
               gboolean       is_keyboard,
               GtkTooltip    *tooltip)
{
  g_autofree char *title = NULL;
  g_autofree char *evidence = NULL;
  g_autofree char *text = NULL;

  if (self->watch == NULL)
    return FALSE;
  title = pl_watch_text_title (self->watch);
  evidence = pl_watch_text_evidence (pl_watch_get_status (self->watch));
  text = *evidence != '\0' ? g_strdup_printf ("%s\n%s", title, evidence) : g_strdup (title);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static int
get_natural_width (GtkWidget *widget)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

/* Where there is no room for the word the icon stands alone. */
static void
measure_content (GtkWidget      *widget,
                 GtkOrientation  orientation,
                 int             for_size,
                 int            *minimum,
                 int            *natural,
                 int            *minimum_baseline,
                 int            *natural_baseline)
{
  GtkWidget *icon = gtk_widget_get_first_child (widget);
  GtkWidget *word = gtk_widget_get_last_child (widget);
  int icon_height;
  int word_height;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = get_natural_width (icon);
      *natural = *minimum + SPACING + get_natural_width (word);
      return;
    }
  gtk_widget_measure (icon, orientation, -1, NULL, &icon_height, NULL, NULL);
  gtk_widget_measure (word, orientation, -1, NULL, &word_height, NULL, NULL);
  *minimum = *natural = MAX (icon_height, word_height);
}

static void
allocate_content (GtkWidget *widget,
                  int        width,
                  int        height,
                  int        baseline)
{
  GtkWidget *icon = gtk_widget_get_first_child (widget);
  GtkWidget *word = gtk_widget_get_last_child (widget);
  int icon_width = get_natural_width (icon);
  int word_width = get_natural_width (word);
  gboolean has_room = width >= icon_width + SPACING + word_width;

  gtk_widget_set_child_visible (word, has_room);
  gtk_widget_size_allocate (icon, &(GtkAllocation) { has_room ? 0 : (width - icon_width) / 2, 0, icon_width, height }, -1);
  if (has_room)
    gtk_widget_size_allocate (word, &(GtkAllocation) { icon_width + SPACING, 0, word_width, height }, -1);
}

static void
pl_verdict_chip_dispose (GObject *object)
{
  PlVerdictChip *self = PL_VERDICT_CHIP (object);

  if (self->button != NULL)
    pl_verdict_chip_set_watch (self, NULL, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_VERDICT_CHIP);

  G_OBJECT_CLASS (pl_verdict_chip_parent_class)->dispose (object);
}

static void
pl_verdict_chip_class_init (PlVerdictChipClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_verdict_chip_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-verdict-chip.ui");
  gtk_widget_class_bind_template_child (widget_class, PlVerdictChip, button);
  gtk_widget_class_bind_template_child (widget_class, PlVerdictChip, popover);
  gtk_widget_class_bind_template_child (widget_class, PlVerdictChip, content);
  gtk_widget_class_bind_template_child (widget_class, PlVerdictChip, icon);
  gtk_widget_class_bind_template_child (widget_class, PlVerdictChip, word);
  gtk_widget_class_bind_template_child (widget_class, PlVerdictChip, title);
  gtk_widget_class_bind_template_child (widget_class, PlVerdictChip, since);
  gtk_widget_class_bind_template_child (widget_class, PlVerdictChip, evidence);
  gtk_widget_class_bind_template_child (widget_class, PlVerdictChip, remedy);
  gtk_widget_class_bind_template_child (widget_class, PlVerdictChip, others);
  gtk_widget_class_bind_template_callback (widget_class, popover_shown);
  gtk_widget_class_bind_template_callback (widget_class, query_tooltip);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "verdictchip");
}

static void
pl_verdict_chip_init (PlVerdictChip *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_layout_manager (self->content, gtk_custom_layout_new (NULL, measure_content, allocate_content));
}

/**
 * pl_verdict_chip_set_watch:
 * @self: a chip
 * @sessions: (nullable): all that are watched
 * @watch: (nullable): that of them whose verdict to show; without one, or before its first look, the chip is hidden
 */
void
pl_verdict_chip_set_watch (PlVerdictChip *self,
                           PlWatchSet    *sessions,
                           PlWatch       *watch)
{
  g_return_if_fail (PL_IS_VERDICT_CHIP (self));

  if (self->watch != NULL)
    g_signal_handlers_disconnect_by_data (self->watch, self);
  g_set_object (&self->sessions, sessions);
  g_set_object (&self->watch, watch);
  gtk_menu_button_popdown (self->button);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  if (watch == NULL)
    return;
  g_signal_connect_object (watch, "sampled", G_CALLBACK (sampled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (watch, "changed", G_CALLBACK (verdict_changed), self, G_CONNECT_SWAPPED);
  if (pl_watch_get_status (watch)->at_wall_ns != 0)
    verdict_changed (self);
}
