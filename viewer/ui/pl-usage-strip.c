/* pl-usage-strip.c: the disk usage of a watched session, under the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-usage-strip.h"

#include <glib/gi18n.h>

#include "pl-canvas.h"
#include "pl-usage.h"
#include "pl-watch-text.h"

#define MIN_WIDTH 200

struct _PlUsageStrip
{
  GtkWidget parent_instance;

  PlView *view;
  PlWatch *watch;
  GArray *points; /* PlUsagePoint, on the trace's clock */
  GArray *spans;  /* PlUsageSpan */
  PlUsage usage;  /* of the two */
};

G_DEFINE_FINAL_TYPE (PlUsageStrip, pl_usage_strip, GTK_TYPE_WIDGET)

static const PlUsageMood moods[PL_N_VERDICTS] = {
  [PL_VERDICT_UNKNOWN] = PL_USAGE_UNKNOWN,
  [PL_VERDICT_RECORDING] = PL_USAGE_FINE,
  [PL_VERDICT_QUIET] = PL_USAGE_QUIET,
  [PL_VERDICT_PLATEAU] = PL_USAGE_FINE,
  [PL_VERDICT_FINISHED] = PL_USAGE_OVER,
  [PL_VERDICT_KILLED] = PL_USAGE_ALARM,
  [PL_VERDICT_STALLED] = PL_USAGE_ALARM,
};

/* Where the trace does not tell wall-clock time, its clock is taken for this computer's. */
static gint64
to_trace_ns (PlTrace *trace,
             gint64   wall_ns,
             gint64   mono_ns)
{
  gint64 end_ns = pl_trace_get_end_ns (trace);
  gint64 end_wall_ns;
  gint64 at_ns;

  if (!pl_trace_to_wall_ns (trace, end_ns, &end_wall_ns) || __builtin_sub_overflow (wall_ns, end_wall_ns, &at_ns)
      || __builtin_add_overflow (at_ns, end_ns, &at_ns))
    return mono_ns;
  return at_ns;
}

static void
take_points (PlUsageStrip *self,
             PlTrace      *trace)
{
  guint n;
  const PlWatchPoint *points = pl_watch_history_get_points (pl_watch_get_history (self->watch), &n);
  gint64 last_ns = G_MININT64;

  g_array_set_size (self->points, 0);
  for (guint i = 0; i < n; i++)
    {
      gint64 at_ns = to_trace_ns (trace, points[i].wall_ns, points[i].mono_ns);
      PlUsagePoint point;

      /* A clock that was set back. */
      last_ns = MAX (last_ns, at_ns);
      point = (PlUsagePoint) { last_ns, points[i].disk_usage_bytes, points[i].bytes_written, points[i].evicted_bytes };
      g_array_append_val (self->points, point);
    }
}

static void
take_spans (PlUsageStrip *self,
            PlTrace      *trace)
{
  guint n;
  const PlVerdictSpan *spans = pl_watch_history_get_spans (pl_watch_get_history (self->watch), &n);
  gint64 last_ns = G_MININT64;

  g_array_set_size (self->spans, 0);
  for (guint i = 0; i < n; i++)
    {
      gint64 from_ns = to_trace_ns (trace, spans[i].from_wall_ns, spans[i].from_mono_ns);
      PlUsageSpan span;

      last_ns = MAX (last_ns, from_ns);
      span = (PlUsageSpan) { last_ns, moods[spans[i].verdict] };
      g_array_append_val (self->spans, span);
    }
}

static void
take_history (PlUsageStrip *self)
{
  PlTrace *trace = self->view != NULL ? pl_view_get_trace (self->view) : NULL;

  self->usage = (PlUsage) { 0 };
  if (self->watch != NULL && trace != NULL && pl_trace_get_n_lanes (trace) > 0)
    {
      take_points (self, trace);
      take_spans (self, trace);
      self->usage.points = (const PlUsagePoint *) (void *) self->points->data;
      self->usage.n_points = self->points->len;
      self->usage.spans = (const PlUsageSpan *) (void *) self->spans->data;
      self->usage.n_spans = self->spans->len;
      self->usage.budget_bytes = pl_watch_get_status (self->watch)->budget_bytes;
    }
  if (self->usage.n_points > 0)
    self->usage.now_ns = self->usage.points[self->usage.n_points - 1].at_ns;
  gtk_widget_set_visible (GTK_WIDGET (self), self->usage.n_points > 1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
describe (PlUsageStrip *self)
{
  const PlWatchStatus *status = pl_watch_get_status (self->watch);
  g_autofree char *title = pl_watch_text_title (self->watch);
  g_autofree char *since = pl_watch_text_since (status);
  g_autofree char *usage = g_format_size (status->disk_usage_bytes);
  g_autofree char *budget = g_format_size (status->budget_bytes);
  g_autofree char *written = g_format_size (status->bytes_written);
  g_autofree char *evicted = g_format_size (status->evicted_bytes);
  g_autofree char *of_budget = NULL;
  g_autofree char *text = NULL;

  /* Translators: how much is on disk, and how much there may be */
  of_budget = status->budget_bytes > 0 ? g_strdup_printf (_("%s of %s"), usage, budget) : g_strdup (usage);
  /* Translators: verdict, since when; sizes on disk, written ever, evicted ever */
  text = g_strdup_printf (_("%s, %s. On disk %s; written %s, evicted %s."), title, since, of_budget, written, evicted);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static const PlUsagePoint *
find_point (PlUsageStrip *self,
            gint64        at_ns)
{
  const PlUsagePoint *found = NULL;

  for (guint i = 0; i < self->usage.n_points && self->usage.points[i].at_ns <= at_ns; i++)
    found = &self->usage.points[i];
  return found;
}

static gboolean
query_tooltip (PlUsageStrip *self,
               int           x,
               int           y,
               gboolean      is_keyboard,
               GtkTooltip   *tooltip)
{
  const PlUsagePoint *point;
  g_autofree char *usage = NULL;
  g_autofree char *written = NULL;
  g_autofree char *evicted = NULL;
  g_autofree char *text = NULL;
  PlScene scene;

  if (self->usage.n_points == 0 || is_keyboard)
    return FALSE;
  pl_canvas_fill_scene (GTK_WIDGET (self), self->view, &scene);
  point = find_point (self, pl_scene_usage_x_to_time (&scene, &self->usage, gtk_widget_get_width (GTK_WIDGET (self)), x));
  if (point == NULL)
    {
      gtk_tooltip_set_text (tooltip, _("Not watched yet"));
      return TRUE;
    }
  usage = g_format_size (point->usage_bytes);
  written = g_format_size (point->written_bytes);
  evicted = g_format_size (point->evicted_bytes);
  /* Translators: sizes at one moment */
  text = g_strdup_printf (_("On disk %s\nWritten %s\nEvicted %s"), usage, written, evicted);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
pl_usage_strip_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : (int) PL_USAGE_HEIGHT;
}

static void
pl_usage_strip_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  PlUsageStrip *self = PL_USAGE_STRIP (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  PlScene scene;
  cairo_t *cr;

  if (self->usage.n_points == 0 || width <= 0)
    return;

  pl_canvas_fill_scene (widget, self->view, &scene);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  pl_scene_draw_usage (&scene, &self->usage, cr, width, height);
  cairo_destroy (cr);
}

static void
pl_usage_strip_dispose (GObject *object)
{
  PlUsageStrip *self = PL_USAGE_STRIP (object);

  pl_usage_strip_set_watch (self, NULL);
  g_clear_object (&self->view);

  G_OBJECT_CLASS (pl_usage_strip_parent_class)->dispose (object);
}

static void
pl_usage_strip_finalize (GObject *object)
{
  PlUsageStrip *self = PL_USAGE_STRIP (object);

  g_array_unref (self->points);
  g_array_unref (self->spans);

  G_OBJECT_CLASS (pl_usage_strip_parent_class)->finalize (object);
}

static void
pl_usage_strip_class_init (PlUsageStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_usage_strip_dispose;
  G_OBJECT_CLASS (klass)->finalize = pl_usage_strip_finalize;
  widget_class->measure = pl_usage_strip_measure;
  widget_class->snapshot = pl_usage_strip_snapshot;

  gtk_widget_class_set_css_name (widget_class, "usagestrip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
pl_usage_strip_init (PlUsageStrip *self)
{
  self->points = g_array_new (FALSE, FALSE, sizeof (PlUsagePoint));
  self->spans = g_array_new (FALSE, FALSE, sizeof (PlUsageSpan));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Disk usage"), -1);
}

/**
 * pl_usage_strip_set_view:
 * @self: a strip
 * @view: whose time axis it has; set once
 */
void
pl_usage_strip_set_view (PlUsageStrip *self,
                         PlView       *view)
{
  g_return_if_fail (PL_IS_USAGE_STRIP (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (take_history), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_GROWTH, G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

/**
 * pl_usage_strip_set_watch:
 * @self: a strip
 * @watch: (nullable): whose history to show; without one the strip is hidden
 */
void
pl_usage_strip_set_watch (PlUsageStrip *self,
                          PlWatch      *watch)
{
  g_return_if_fail (PL_IS_USAGE_STRIP (self));

  if (self->watch != NULL)
    g_signal_handlers_disconnect_by_data (self->watch, self);
  g_set_object (&self->watch, watch);
  take_history (self);
  if (watch == NULL)
    return;
  g_signal_connect_object (watch, "sampled", G_CALLBACK (take_history), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (watch, "changed", G_CALLBACK (describe), self, G_CONNECT_SWAPPED);
  if (pl_watch_get_status (watch)->at_wall_ns != 0)
    describe (self);
}
