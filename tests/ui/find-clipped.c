/* find-clipped.c: runs the window, and prints each label that has no room for its words and no tooltip that tells them,
 * and each text beside the lanes that is cut short
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The accessibility bus tells the words of a label, but not whether they are all to be seen. Arguments are those of the
 * program. Ends with 0 where every word is to be seen, with 1 where some are not, with 2 where the window never stood still.
 */
#include "config.h"

#include <dlfcn.h>

#include "pl-application.h"
#include "pl-installation.h"
#include "pl-scene.h"

#define LOOK_INTERVAL_MS 100
/* So many looks alike in a row: what loads has loaded. */
#define LOOKS_ALIKE 10
#define LOOKS_AT_MOST 600

typedef struct
{
  GtkApplication *application;
  guint           looks;
  guint           alike;
  guint           before;
  int             status;
} Search;

/* Of what is drawn, which has no widget: the words beside the lanes that had no room. */
static GHashTable *drawn;

/* Stands before Pango's own: the words of the timeline are drawn by nothing else. */
void
pango_cairo_show_layout_line (cairo_t         *cr,
                              PangoLayoutLine *line)
{
  void (*show) (cairo_t *, PangoLayoutLine *) = dlsym (RTLD_NEXT, "pango_cairo_show_layout_line");
  double x;
  double y;

  cairo_get_current_point (cr, &x, &y);
  if (x < PL_SCENE_GUTTER_WIDTH && pango_layout_is_ellipsized (line->layout))
    g_hash_table_add (drawn, g_strdup (pango_layout_get_text (line->layout)));
  show (cr, line);
}

static guint
print_drawn (void)
{
  GHashTableIter iter;
  gpointer text;

  g_hash_table_iter_init (&iter, drawn);
  while (g_hash_table_iter_next (&iter, &text, NULL))
    g_print ("beside the lanes: %s\n", (const char *) text);
  return g_hash_table_size (drawn);
}

static gboolean
tells_by_tooltip (GtkWidget *widget)
{
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      if (gtk_widget_get_has_tooltip (widget))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_clipped (GtkWidget *widget)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))) && !tells_by_tooltip (widget);
}

/* Goes through WIDGET and all below it. Adds their words to WORDS, and prints the clipped ones if PRINT. Returns how many are. */
static guint
search (GtkWidget *widget,
        guint     *words,
        gboolean   print)
{
  guint n_clipped = 0;

  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget))
    *words = *words * 33 + g_str_hash (gtk_label_get_text (GTK_LABEL (widget)));
  if (is_clipped (widget))
    {
      if (print)
        g_print ("%s\n", gtk_label_get_text (GTK_LABEL (widget)));
      n_clipped++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    n_clipped += search (child, words, print);
  return n_clipped;
}

static gboolean
look (gpointer data)
{
  Search *self = data;
  GtkWindow *window = gtk_application_get_active_window (self->application);
  guint words = 0;

  if (window != NULL)
    search (GTK_WIDGET (window), &words, FALSE);
  self->alike = words != 0 && words == self->before ? self->alike + 1 : 0;
  self->before = words;
  self->looks++;
  if (self->alike < LOOKS_ALIKE && self->looks < LOOKS_AT_MOST)
    return G_SOURCE_CONTINUE;

  if (self->alike < LOOKS_ALIKE)
    self->status = 2;
  else
    self->status = search (GTK_WIDGET (window), &words, TRUE) + print_drawn () > 0;
  g_application_quit (G_APPLICATION (self->application));
  return G_SOURCE_REMOVE;
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr(PlApplication) application = NULL;
  Search self = { 0 };
  int status;

  drawn = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  pl_installation_start_translation ();
  application = pl_application_new ();
  self.application = GTK_APPLICATION (application);
  self.status = 2;
  g_timeout_add (LOOK_INTERVAL_MS, look, &self);
  status = g_application_run (G_APPLICATION (application), argc, argv);
  g_hash_table_unref (drawn);
  return status != 0 ? status : self.status;
}
