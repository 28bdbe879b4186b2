/* pl-histogram.c: a task's polls by duration, a bar per power of ten
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colours come from the style: the foreground for usual bars, the named colour of long polls for the rest.
 */
#include "config.h"

#include "pl-histogram.h"

#include <glib/gi18n.h>
#include <math.h>

#define BAR_HEIGHT 54
#define LABEL_HEIGHT 20
#define BAR_GAP 6
#define NATURAL_WIDTH 300
/* A bucket with a single poll among millions still shows that it is not empty. */
#define MIN_BAR 3.0

struct _PlHistogram
{
  GtkWidget parent_instance;

  guint64 counts[PL_TASK_SUMMARY_N_BUCKETS];
  gint64 threshold_ns;
};

static const char *bucket_names[PL_TASK_SUMMARY_N_BUCKETS]
    = { "<1µs", "1µs", "10µs", "0.1ms", "1ms", "10ms", "0.1s", "1s" };

G_DEFINE_FINAL_TYPE (PlHistogram, pl_histogram, GTK_TYPE_WIDGET)

/* Where bucket @bucket begins, in ns; see PL_TASK_SUMMARY_N_BUCKETS. */
static gint64
bucket_start (guint bucket)
{
  gint64 start_ns = 1000;

  if (bucket == 0)
    return 0;
  for (guint i = 1; i < bucket; i++)
    start_ns *= 10;
  return start_ns;
}

static void
pl_histogram_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = PL_TASK_SUMMARY_N_BUCKETS * (BAR_GAP + 1);
      *natural = NATURAL_WIDTH;
    }
  else
    *minimum = *natural = BAR_HEIGHT + LABEL_HEIGHT;
}

static void
draw_name (PlHistogram   *self,
           GtkSnapshot   *snapshot,
           const char    *name,
           double         x,
           double         width,
           const GdkRGBA *color)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), name);
  g_autoptr(PangoAttrList) attributes = pango_attr_list_new ();
  int text_width;

  pango_attr_list_insert (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_get_pixel_size (layout, &text_width, NULL);
  if (text_width > width)
    return;

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) (x + (width - text_width) / 2), BAR_HEIGHT + 3));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

static void
pl_histogram_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  PlHistogram *self = PL_HISTOGRAM (widget);
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  double width = MIN (gtk_widget_get_width (widget), NATURAL_WIDTH);
  double step = (width + BAR_GAP) / PL_TASK_SUMMARY_N_BUCKETS;
  guint64 most = 1;
  GdkRGBA bar;
  GdkRGBA long_bar;
  GdkRGBA text;

  gtk_style_context_get_color (style, &text);
  if (!gtk_style_context_lookup_color (style, "pl_poll", &bar)
      || !gtk_style_context_lookup_color (style, "pl_long", &long_bar))
    bar = long_bar = text;

  for (guint i = 0; i < PL_TASK_SUMMARY_N_BUCKETS; i++)
    most = MAX (most, self->counts[i]);

  for (guint i = 0; i < PL_TASK_SUMMARY_N_BUCKETS; i++)
    {
      double height = floor (BAR_HEIGHT * (double) self->counts[i] / (double) most);
      double x = floor (i * step);
      double bar_width = floor (step) - BAR_GAP;

      height = self->counts[i] > 0 ? MAX (height, MIN_BAR) : 1;
      gtk_snapshot_append_color (snapshot,
                                 bucket_start (i) >= self->threshold_ns ? &long_bar : &bar,
                                 &GRAPHENE_RECT_INIT ((float) x, (float) (BAR_HEIGHT - height), (float) bar_width,
                                                      (float) height));
      draw_name (self, snapshot, bucket_names[i], x, step, &text);
    }
}

static void
pl_histogram_class_init (PlHistogramClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = pl_histogram_measure;
  widget_class->snapshot = pl_histogram_snapshot;
  gtk_widget_class_set_css_name (widget_class, "histogram");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
pl_histogram_init (PlHistogram *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("Polls by duration"), -1);
}

/**
 * pl_histogram_set_counts:
 * @self: a histogram
 * @counts: %PL_TASK_SUMMARY_N_BUCKETS counts, as in #PlTaskSummary
 * @threshold_ns: buckets that begin at or over it are in the colour of long polls
 *
 * Changes what is drawn.
 */
void
pl_histogram_set_counts (PlHistogram   *self,
                         const guint64 *counts,
                         gint64         threshold_ns)
{
  g_autoptr(GString) text = g_string_new (NULL);

  g_return_if_fail (PL_IS_HISTOGRAM (self));

  for (guint i = 0; i < PL_TASK_SUMMARY_N_BUCKETS; i++)
    {
      self->counts[i] = counts[i];
      g_string_append_printf (text, "%s%s: %" G_GUINT64_FORMAT, i > 0 ? ", " : "", bucket_names[i], counts[i]);
    }
  self->threshold_ns = threshold_ns;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
