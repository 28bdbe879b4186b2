/* pl-cli-render.c: `parklane-cli render`: the timeline as a PNG, drawn by the window's own code
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-cli-render.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "pl-cli.h"
#include "pl-cli-output.h"
#include "pl-cli-progress.h"
#include "pl-detail.h"
#include "pl-duration.h"
#include "pl-scene.h"

#define COMMAND "render"
#define DEFAULT_WIDTH 1600
#define DEFAULT_THRESHOLD_NS (1000 * 1000)
#define MAX_SIZE 32767 /* cairo's coordinates have 16 bits */
#define MAX_PIXELS (G_GINT64_CONSTANT (1) << 28) /* 1 GiB of picture */

/**
 * Instant: what --from and --to name
 * @is_set: the option was given
 * @is_offset: @ns counts from the start of the session, not in trace time
 */
typedef struct
{
  gboolean is_set;
  gboolean is_offset;
  gint64 ns;
} Instant;

typedef struct
{
  char *output;
  int width;
  int height;
  char *from_text;
  char *to_text;
  char *threshold_text;
  char *theme_text;
  Instant from;
  Instant to;
  gint64 threshold_ns;
  PlTheme theme;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->output);
  g_free (self->from_text);
  g_free (self->to_text);
  g_free (self->threshold_text);
  g_free (self->theme_text);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean G_GNUC_PRINTF (1, 2)
refuse (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr ("parklane-cli " COMMAND ": %s\n", text);
  return FALSE;
}

/* A number alone is trace time, as reports print it; with a sign or a unit it is an offset. */
static gboolean
parse_instant (const char *option, const char *text, Instant *out_instant)
{
  gint64 ns;

  if (text == NULL)
    return TRUE;

  if (g_ascii_isdigit (text[0]) && g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &ns, NULL))
    {
      *out_instant = (Instant){ TRUE, FALSE, ns };
      return TRUE;
    }
  if (!pl_cli_parse_duration (COMMAND, option, text[0] == '+' ? text + 1 : text, &ns))
    return FALSE;
  *out_instant = (Instant){ TRUE, TRUE, ns };
  return TRUE;
}

static gboolean
check_size (const char *option, int size)
{
  if (size >= 1 && size <= MAX_SIZE)
    return TRUE;
  return refuse (_("%s is %d; a picture has 1 to %d pixels each way"), option, size, MAX_SIZE);
}

static gboolean
parse_values (Options *self)
{
  if (!check_size ("--width", self->width) || (self->height != 0 && !check_size ("--height", self->height))
      || !parse_instant ("--from", self->from_text, &self->from)
      || !parse_instant ("--to", self->to_text, &self->to)
      || !pl_cli_parse_duration (COMMAND, "--threshold", self->threshold_text, &self->threshold_ns))
    return FALSE;

  if (g_strcmp0 (self->theme_text, "dark") == 0)
    self->theme = PL_THEME_DARK;
  else if (self->theme_text != NULL && g_strcmp0 (self->theme_text, "light") != 0)
    return refuse (_("--theme is “%s”; write light or dark"), self->theme_text);
  if (self->output == NULL)
    return refuse (_("say with -o OUT.png where to write the picture"));
  return TRUE;
}

static gboolean
parse_options (Options *self, int *argc, char ***argv, int *out_status)
{
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self->output, N_("Where to write the picture"), N_("OUT.png") },
    { "width", 0, 0, G_OPTION_ARG_INT, &self->width, N_("Width in pixels, 1600 by default"), N_("N") },
    { "height", 0, 0, G_OPTION_ARG_INT, &self->height, N_("Height in pixels; by default what all lanes need"),
      N_("N") },
    { "from", 0, 0, G_OPTION_ARG_STRING, &self->from_text, N_("Left edge, by default the start of the session"),
      N_("T") },
    { "to", 0, 0, G_OPTION_ARG_STRING, &self->to_text, N_("Right edge, by default the end of the session"), N_("T") },
    { "threshold", 0, 0, G_OPTION_ARG_STRING, &self->threshold_text,
      N_("Polls of this duration or more are long, 1 ms by default"), N_("DUR") },
    { "theme", 0, 0, G_OPTION_ARG_STRING, &self->theme_text, N_("light or dark, light by default"), N_("THEME") },
    { NULL },
  };

  *self = (Options){ .width = DEFAULT_WIDTH, .threshold_ns = DEFAULT_THRESHOLD_NS };
  return pl_cli_parse (COMMAND, _("PATH…"),
                       _("Draws the timeline of a trace as the window does, and saves it as a PNG.\n\n"
                         "T is a time since the start of the session, such as 1.2s, +350ms or 1min; a number without "
                         "sign and\nunit is the trace's own time in nanoseconds, as reports print it: "
                         "503229939817263.\nDUR is a number with ns, us, µs, ms, s or min.\n\n"
                         "A stretch of a lane that is crossed out is a gap: events were lost there, or recording was "
                         "paused.\nOne with slanted lines has no data."),
                       entries, argc, argv, out_status)
         && parse_values (self);
}

static gint64
resolve (const Instant *instant, gint64 start_ns, gint64 end_ns, gint64 otherwise_ns)
{
  gint64 at_ns = instant->ns;

  if (!instant->is_set)
    return otherwise_ns;
  if (instant->is_offset && __builtin_add_overflow (start_ns, instant->ns, &at_ns))
    at_ns = G_MAXINT64;
  return CLAMP (at_ns, start_ns, end_ns);
}

static gboolean
set_up_scene (const Options *options, PlTrace *trace, PlScene *out_scene)
{
  gint64 start_ns = pl_trace_get_start_ns (trace);
  gint64 end_ns = MAX (pl_trace_get_end_ns (trace), start_ns + 1);

  *out_scene = (PlScene){
    .trace = trace,
    .theme = options->theme,
    .from_ns = resolve (&options->from, start_ns, end_ns, start_ns),
    .to_ns = resolve (&options->to, start_ns, end_ns, end_ns),
    .threshold_ns = options->threshold_ns,
    .cursor_ns = G_MININT64,
    .device_scale = 1.0,
  };
  if (out_scene->from_ns < out_scene->to_ns)
    return TRUE;
  return refuse (_("--from and --to leave nothing to draw; the session goes from %" PRId64
                   " to %" PRId64),
                 start_ns, end_ns);
}

static gboolean
choose_height (const Options *options, const PlScene *scene, int *out_height)
{
  double natural = ceil (PL_SCENE_OVERVIEW_HEIGHT + PL_SCENE_RULER_HEIGHT + pl_scene_get_content_height (scene));

  if (options->height == 0 && natural > MAX_SIZE)
    return refuse (_("all lanes need a height of %.0f pixels, a picture has at most %d; choose a --height"), natural,
                   MAX_SIZE);

  *out_height = options->height != 0 ? options->height : (int) natural;
  if ((gint64) *out_height * options->width > MAX_PIXELS)
    return refuse (_("%d × %d is too large a picture; each side has at most %d pixels, all of it %" PRId64),
                   options->width, *out_height, MAX_SIZE, MAX_PIXELS);
  return TRUE;
}

typedef struct
{
  PlCliOutput *output;
  GError *error;
} Png;

static cairo_status_t
write_png (void *closure, const unsigned char *bytes, unsigned int size)
{
  Png *png = closure;

  return pl_cli_output_write (png->output, bytes, size, &png->error) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_status_t
write_surface (cairo_surface_t *surface, const char *path, GError **error)
{
  Png png = { pl_cli_output_open (path, error), NULL };
  cairo_status_t status = CAIRO_STATUS_WRITE_ERROR;

  if (png.output == NULL)
    return status;
  status = cairo_surface_write_to_png_stream (surface, write_png, &png);
  if (status == CAIRO_STATUS_SUCCESS && !pl_cli_output_finish (png.output, &png.error))
    status = CAIRO_STATUS_WRITE_ERROR;
  if (png.error != NULL)
    g_propagate_error (error, png.error);
  pl_cli_output_free (png.output);
  return status;
}

static cairo_status_t
draw_and_write (const PlScene *scene, int width, int height, const char *path, GError **error)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  pl_scene_draw (scene, cr, width, height);
  status = cairo_status (cr);
  if (status == CAIRO_STATUS_SUCCESS)
    status = write_surface (surface, path, error);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return status;
}

/* The picture of a trace over the memory budget, which is held as a summary, shows the real thing. */
static gboolean
save_picture (PlScene *scene, const Options *options, int height)
{
  PlCliProgress *progress = pl_cli_progress_begin (NULL, NULL);
  g_autoptr(PlTrace) sharp = pl_detail_sharpen (scene->trace, scene->from_ns, scene->to_ns, (guint) options->width,
                                                pl_cli_get_memory (), NULL);
  g_autoptr(GError) error = NULL;
  cairo_status_t status;

  scene->trace = sharp;
  status = draw_and_write (scene, options->width, height, options->output, &error);
  pl_cli_progress_end (progress);
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  return refuse (_("%s was not written: %s"), options->output,
                 error != NULL ? error->message : cairo_status_to_string (status));
}

/**
 * pl_cli_render:
 * @argc: number of arguments, the verb included
 * @argv: the arguments, `render` first
 *
 * Draws a trace into a PNG. What could be read of a broken trace is drawn all the same.
 *
 * Returns: the exit status
 */
int
pl_cli_render (int argc, char **argv)
{
  g_auto(Options) options = { 0 };
  g_autoptr(PlTrace) trace = NULL;
  int status = PL_CLI_USAGE_ERROR;
  PlScene scene;
  int height = 0;

  if (!parse_options (&options, &argc, &argv, &status))
    return status;

  trace = pl_cli_load (argv + 1);
  if (trace == NULL)
    return PL_CLI_INPUT_ERROR;
  /* A picture of nothing would look like an answer. */
  if (pl_trace_get_n_events (trace) == 0 && pl_trace_has_losses (trace))
    return pl_cli_report_losses (trace);
  if (!set_up_scene (&options, trace, &scene) || !choose_height (&options, &scene, &height))
    return PL_CLI_USAGE_ERROR;
  if (!save_picture (&scene, &options, height))
    return PL_CLI_INPUT_ERROR;
  return pl_cli_report_losses (trace);
}
