/* live.c: from an event of a recording service to the screen of the window that follows it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A demo records in a process of its own; the real window follows it here, in a process that can look at its frames. An
 * event is on screen at the end of the first frame whose snapshot reaches it. event_to_screen_ms_… is over all events at
 * about 100,000 a second, as if they were spread evenly between two snapshots. background_core_share is what this process
 * takes of one core at about 13,000 events a second, while another window has the focus. With a number of GiB the session
 * begins with a history of that size, as after hours of following, and only live_history_ms_… is measured.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "pl-open-request.h"
#include "pl-window-private.h"

#define MS G_GINT64_CONSTANT (1000000)

/* Polls per second; a poll of the demo comes with two and a half to four events, more the idler it is. */
#define RATE_SCREEN "40000"
#define RATE_BACKGROUND "3400"

/* More than a demo can do. */
#define RATE_HISTORY "4000000"

#define WARM_UP_S 4
#define MEASURE_S 20

/* A window that is no further behind has read what was there before. */
#define CAUGHT_UP (1000 * MS)

/* A frame that shows more than the one before: events between @from_ns and @to_ns are on screen at @at_ns. */
typedef struct
{
  gint64 from_ns;
  gint64 to_ns;
  gint64 at_ns;
} Step;

typedef struct
{
  const char *demo;
  double history_gib;
  GtkApplication *application;
  PlWindow *window;
  GArray *steps; /* Step */
  gint64 shown_ns;
} Bench;

static gint64
get_cpu_ns (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return ((gint64) usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 * MS
         + ((gint64) usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

static gboolean
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
run_for (guint seconds)
{
  gboolean is_over = FALSE;

  g_timeout_add_seconds (seconds, set_true, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
}

static void
frame_painted (GdkFrameClock *clock, Bench *self)
{
  PlTrace *trace = pl_view_get_trace (self->window->view);
  Step step = { self->shown_ns, trace != NULL ? pl_trace_get_end_ns (trace) : 0, g_get_monotonic_time () * 1000 };

  if (step.to_ns <= step.from_ns)
    return;
  self->shown_ns = step.to_ns;
  if (step.from_ns > 0)
    g_array_append_val (self->steps, step);
}

/* The share of all events that were on screen within @limit_ns. */
static double
share_within (GArray *steps, gint64 limit_ns)
{
  double within = 0, all = 0;

  for (guint i = 0; i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);
      gint64 from_ns = CLAMP (step->at_ns - limit_ns, step->from_ns, step->to_ns);

      all += (double) (step->to_ns - step->from_ns);
      within += (double) (step->to_ns - from_ns);
    }
  return all > 0 ? within / all : 0;
}

static double
find_quantile_ms (GArray *steps, double share)
{
  gint64 low = 0;
  gint64 high = 60000 * MS;

  while (high - low > MS / 100)
    {
      gint64 middle = (low + high) / 2;

      if (share_within (steps, middle) < share)
        low = middle;
      else
        high = middle;
    }
  return (double) high / MS;
}

static GSubprocess *
start_demo (Bench *self, const char *directory, const char *rate)
{
  g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_autoptr(GError) error = NULL;
  GSubprocess *demo;

  if (self->history_gib > 0)
    {
      g_subprocess_launcher_setenv (launcher, "PARKLANE_ROTATION_COUNT", "1000", TRUE);
      g_subprocess_launcher_setenv (launcher, "PARKLANE_COMPRESS", "none", TRUE);
    }
  demo = g_subprocess_launcher_spawn (launcher, &error, self->demo, "--output", directory, "--rate", rate,
                                      "--workers", "4", "--seconds", "3600", NULL);
  if (demo == NULL)
    g_error ("%s", error->message);
  return demo;
}

static void
make_history (Bench *self, const char *directory)
{
  g_autoptr(GSubprocess) demo = start_demo (self, directory, RATE_HISTORY);
  g_autoptr(GFile) file = g_file_new_for_path (directory);
  guint64 size = 0;

  do
    run_for (1);
  while (g_file_measure_disk_usage (file, G_FILE_MEASURE_NONE, NULL, NULL, NULL, &size, NULL, NULL, NULL)
         && (double) size < self->history_gib * (1 << 30));
  g_subprocess_send_signal (demo, SIGTERM);
  g_subprocess_wait (demo, NULL, NULL);
}

static gboolean
has_caught_up (Bench *self)
{
  PlTrace *trace = pl_view_get_trace (self->window->view);

  return trace != NULL && g_get_monotonic_time () * 1000 - pl_trace_get_end_ns (trace) < CAUGHT_UP;
}

static void
open_session (Bench *self, const char *directory)
{
  g_autoptr(PlOpenRequest) request = pl_open_request_new ();
  g_autoptr(GFile) file = g_file_new_for_path (directory);

  pl_open_request_add_file (request, file, NULL);
  pl_window_open (self->window, request);
  do
    run_for (1);
  while (!has_caught_up (self));
  run_for (WARM_UP_S);
  g_array_set_size (self->steps, 0);
}

static void
remove_session (const char *directory)
{
  g_autoptr(GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      g_unlink (path);
    }
  g_rmdir (directory);
}

static guint64
count_events (Bench *self)
{
  PlTrace *trace = pl_view_get_trace (self->window->view);

  return trace != NULL ? pl_trace_get_n_events (trace) : 0;
}

/* Prints the rate of a phase and what this process takes of one core meanwhile, each under the phase's name. */
static void
measure (Bench *self, const char *phase, const char *rate)
{
  g_autofree char *directory = g_dir_make_tmp ("parklane-live-XXXXXX", NULL);
  g_autoptr(GSubprocess) demo = NULL;
  guint64 n_events;
  gint64 cpu_ns, begin_us;

  if (self->history_gib > 0)
    make_history (self, directory);
  demo = start_demo (self, directory, rate);
  open_session (self, directory);
  n_events = count_events (self);
  cpu_ns = get_cpu_ns ();
  begin_us = g_get_monotonic_time ();
  run_for (MEASURE_S);
  printf ("%s_events_per_s\t%.0f\n", phase,
          (double) (count_events (self) - n_events) / ((double) (g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC));
  printf ("%s_core_share\t%.4f\n", phase,
          (double) (get_cpu_ns () - cpu_ns) / ((double) (g_get_monotonic_time () - begin_us) * 1000));
  g_subprocess_force_exit (demo);
  g_subprocess_wait (demo, NULL, NULL);
  remove_session (directory);
}

/* Follows a session at the rate that has to be on screen in time, and prints under @name how soon it was. */
static void
measure_screen (Bench *self, const char *phase, const char *name)
{
  measure (self, phase, RATE_SCREEN);
  printf ("%s_p50\t%.1f\n", name, find_quantile_ms (self->steps, 0.5));
  printf ("%s_p99\t%.1f\n", name, find_quantile_ms (self->steps, 0.99));
  printf ("%s_max\t%.1f\n", name, find_quantile_ms (self->steps, 1.0));
  printf ("%s_frames_per_s\t%.1f\n", phase, (double) self->steps->len / MEASURE_S);
}

static void
measure_background (Bench *self)
{
  GtkWidget *other = gtk_application_window_new (self->application);

  gtk_window_present (GTK_WINDOW (other));
  run_for (1);
  printf ("the window has the focus: %s\n", gtk_window_is_active (GTK_WINDOW (self->window)) ? "yes" : "no");
  measure (self, "background", RATE_BACKGROUND);
}

static void
activated (GtkApplication *application, Bench *self)
{
  GdkFrameClock *clock;

  self->window = pl_window_new (application);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 1600, 900);
  gtk_window_present (GTK_WINDOW (self->window));
  run_for (1);
  clock = gtk_widget_get_frame_clock (GTK_WIDGET (self->window));
  g_signal_connect (clock, "after-paint", G_CALLBACK (frame_painted), self);

  printf ("the window has the focus: %s\n", gtk_window_is_active (GTK_WINDOW (self->window)) ? "yes" : "no");
  if (self->history_gib > 0)
    measure_screen (self, "history", "live_history_ms");
  else
    {
      measure_screen (self, "screen", "event_to_screen_ms");
      measure_background (self);
    }
  g_application_quit (G_APPLICATION (application));
}

int
main (int argc, char **argv)
{
  Bench self = { .demo = argv[1], .history_gib = argc > 2 ? g_ascii_strtod (argv[2], NULL) : 0 };

  if (argc != 2 && (argc != 3 || self.history_gib <= 0))
    {
      fprintf (stderr, "usage: live DEMO [GIB]\n");
      return 2;
    }
  setvbuf (stdout, NULL, _IOLBF, 0);
  self.steps = g_array_new (FALSE, FALSE, sizeof (Step));
  self.application = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  g_signal_connect (self.application, "activate", G_CALLBACK (activated), &self);
  g_application_run (G_APPLICATION (self.application), 1, argv);
  g_object_unref (self.application);
  g_array_unref (self.steps);
  return EXIT_SUCCESS;
}
