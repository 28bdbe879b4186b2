/* pl-application.c: the program: command line, windows, theme
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options are checked in the process that was started, where wrong usage is an exit status; the windows belong to the
 * first process of the session. Each command line, and each call of Open on the bus, is one window, its paths one session.
 */
#include "config.h"

#include "pl-application.h"

#include <glib/gi18n.h>

#include "pl-duration.h"
#include "pl-preferences.h"
#include "pl-settings.h"
#include "pl-theme.h"
#include "pl-window.h"

#define EXIT_USAGE 2

struct _PlApplication
{
  GtkApplication parent_instance;

  PlPreferences *preferences; /* while it is open */
};

G_DEFINE_FINAL_TYPE (PlApplication, pl_application, GTK_TYPE_APPLICATION)

static const GOptionEntry options[] = {
  { "threshold", 't', 0, G_OPTION_ARG_STRING, NULL, N_("A poll of this duration or more is long, such as 5ms"),
    N_("DUR") },
  { "at", 0, 0, G_OPTION_ARG_STRING, NULL, N_("Show this moment: +1.5s, 12:34:56.789, a date and time, or nanoseconds"),
    N_("TIME") },
  { "span", 0, 0, G_OPTION_ARG_STRING, NULL, N_("Show this much time"), N_("DUR") },
  { "theme", 0, 0, G_OPTION_ARG_STRING, NULL, N_("Colours: light, dark or system"), N_("NAME") },
  { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Print the version"), NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, N_("[FILE|FOLDER…]") },
  { NULL, 0, 0, 0, NULL, NULL, NULL },
};

static gboolean
read_duration (GVariantDict  *dict,
               const char    *option,
               gboolean      *out_given,
               gint64        *out_ns,
               GError       **error)
{
  const char *text;

  *out_given = g_variant_dict_lookup (dict, option, "&s", &text);
  if (!*out_given)
    return TRUE;
  if (pl_duration_parse (text, out_ns, error))
    return TRUE;
  g_prefix_error (error, "--%s: ", option);
  return FALSE;
}

static PlOpenRequest *
read_options (GVariantDict  *dict,
              GError       **error)
{
  g_autoptr(PlOpenRequest) request = pl_open_request_new ();
  const char *text;

  if (!read_duration (dict, "threshold", &request->has_threshold, &request->threshold_ns, error)
      || !read_duration (dict, "span", &request->has_span, &request->span_ns, error))
    return NULL;

  request->has_at = g_variant_dict_lookup (dict, "at", "&s", &text);
  if (request->has_at && !pl_instant_parse (text, &request->at, error))
    {
      g_prefix_error (error, "--at: ");
      return NULL;
    }

  if (g_variant_dict_lookup (dict, "theme", "&s", &text) && !pl_theme_is_name (text))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _("--theme: “%s” is not light, dark or system"),
                   text);
      return NULL;
    }
  return g_steal_pointer (&request);
}

static gint
pl_application_handle_local_options (GApplication *application,
                                     GVariantDict *dict)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(PlOpenRequest) request = NULL;

  if (g_variant_dict_contains (dict, "version"))
    {
      g_print ("parklane %s\n", PARKLANE_VERSION);
      return EXIT_SUCCESS;
    }

  request = read_options (dict, &error);
  if (request == NULL)
    {
      g_printerr ("parklane: %s\n", error->message);
      return EXIT_USAGE;
    }
  return -1;
}

/* A window that nothing was opened in yet is waiting for just that. */
static PlWindow *
get_window (PlApplication *self)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (PL_IS_WINDOW (active) && pl_window_is_empty (PL_WINDOW (active)))
    return PL_WINDOW (active);
  return pl_window_new (GTK_APPLICATION (self));
}

static void
open_request (PlApplication *self,
              PlOpenRequest *request)
{
  PlWindow *window = get_window (self);

  if (request->paths->len > 0)
    pl_window_open (window, request);
  gtk_window_present (GTK_WINDOW (window));
}

static gint
pl_application_command_line (GApplication            *application,
                             GApplicationCommandLine *command_line)
{
  GVariantDict *dict = g_application_command_line_get_options_dict (command_line);
  g_autoptr(GError) error = NULL;
  g_autoptr(PlOpenRequest) request = read_options (dict, &error);
  g_autofree const char **paths = NULL;
  const char *theme;

  if (request == NULL)
    {
      g_application_command_line_printerr (command_line, "parklane: %s\n", error->message);
      return EXIT_USAGE;
    }

  if (g_variant_dict_lookup (dict, "theme", "&s", &theme))
    pl_theme_set (theme);
  if (g_variant_dict_lookup (dict, G_OPTION_REMAINING, "^a&ay", &paths))
    for (guint i = 0; paths[i] != NULL; i++)
      {
        g_autoptr(GFile) file = g_application_command_line_create_file_for_arg (command_line, paths[i]);

        if (!pl_open_request_add_file (request, file, &error))
          {
            g_application_command_line_printerr (command_line, "parklane: %s\n", error->message);
            return EXIT_FAILURE;
          }
      }

  open_request (PL_APPLICATION (application), request);
  return EXIT_SUCCESS;
}

static void
pl_application_activate (GApplication *application)
{
  g_autoptr(PlOpenRequest) nothing = pl_open_request_new ();

  open_request (PL_APPLICATION (application), nothing);
}

/* From the bus: a double click where the desktop file says DBusActivatable. */
static void
pl_application_open (GApplication  *application,
                     GFile        **files,
                     int            n_files,
                     const char    *hint)
{
  PlWindow *window = get_window (PL_APPLICATION (application));
  g_autoptr(GListStore) list = g_list_store_new (G_TYPE_FILE);

  for (int i = 0; i < n_files; i++)
    g_list_store_append (list, files[i]);
  pl_window_open_files (window, G_LIST_MODEL (list));
  gtk_window_present (GTK_WINDOW (window));
}

static void
new_window (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  gtk_window_present (GTK_WINDOW (pl_window_new (GTK_APPLICATION (user_data))));
}

static void
show_preferences (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       user_data)
{
  PlApplication *self = user_data;

  if (self->preferences == NULL)
    {
      self->preferences = pl_preferences_new (gtk_application_get_active_window (GTK_APPLICATION (self)));
      g_object_add_weak_pointer (G_OBJECT (self->preferences), (gpointer *) &self->preferences);
    }
  gtk_window_present (GTK_WINDOW (self->preferences));
}

/* What a notification was about; its window may be closed by now. */
static void
show_window (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  GtkWindow *window = gtk_application_get_window_by_id (GTK_APPLICATION (user_data), g_variant_get_uint32 (parameter));

  if (window != NULL)
    gtk_window_present (window);
}

static void
show_about (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  gtk_show_about_dialog (gtk_application_get_active_window (GTK_APPLICATION (user_data)),
                         "program-name", "Parklane",
                         "version", PARKLANE_VERSION,
                         "comments", _("What held the worker threads of an async runtime, and for how long"),
                         "license-type", GTK_LICENSE_GPL_3_0,
                         "logo-icon-name", "org.parklane.Parklane",
                         NULL);
}

static void
quit (GSimpleAction *action,
      GVariant      *parameter,
      gpointer       user_data)
{
  GList *windows = g_list_copy (gtk_application_get_windows (GTK_APPLICATION (user_data)));

  for (GList *l = windows; l != NULL; l = l->next)
    gtk_window_close (l->data);
  g_list_free (windows);
}

static void
add_actions (PlApplication *self)
{
  static const GActionEntry entries[] = {
    { "new-window", new_window, NULL, NULL, NULL, { 0 } },
    { "preferences", show_preferences, NULL, NULL, NULL, { 0 } },
    { "show-window", show_window, "u", NULL, NULL, { 0 } },
    { "about", show_about, NULL, NULL, NULL, { 0 } },
    { "quit", quit, NULL, NULL, NULL, { 0 } },
  };
  static const char *const accels[][3] = {
    { "win.open", "<Control>o", NULL },     { "win.open-folder", "<Control><Shift>o", NULL },
    { "app.new-window", "<Control>n", NULL }, { "window.close", "<Control>w", NULL },
    { "app.preferences", "<Control>comma", NULL }, { "win.open-source", "<Control>e", NULL },
    { "app.quit", "<Control>q", NULL },     { "win.copy-report", "<Control><Shift>c", NULL },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i][0], accels[i] + 1);
}

static void
apply_theme (PlSettings *settings)
{
  g_autofree char *theme = NULL;
  g_autofree char *palette = NULL;

  g_object_get (settings, "theme", &theme, "palette", &palette, NULL);
  if (pl_theme_is_name (theme))
    pl_theme_set (theme);
  pl_theme_set_high_contrast (g_strcmp0 (palette, "high-contrast") == 0);
}

static void
pl_application_startup (GApplication *application)
{
  PlSettings *settings;

  G_APPLICATION_CLASS (pl_application_parent_class)->startup (application);

  settings = pl_settings_get_default ();
  pl_theme_start ();
  apply_theme (settings);
  g_signal_connect (settings, "notify::theme", G_CALLBACK (apply_theme), NULL);
  g_signal_connect (settings, "notify::palette", G_CALLBACK (apply_theme), NULL);
  add_actions (PL_APPLICATION (application));
}

static void
pl_application_dispose (GObject *object)
{
  PlApplication *self = PL_APPLICATION (object);

  if (self->preferences != NULL)
    g_object_remove_weak_pointer (G_OBJECT (self->preferences), (gpointer *) &self->preferences);
  self->preferences = NULL;

  G_OBJECT_CLASS (pl_application_parent_class)->dispose (object);
}

static void
pl_application_class_init (PlApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_application_dispose;
  application_class->startup = pl_application_startup;
  application_class->activate = pl_application_activate;
  application_class->open = pl_application_open;
  application_class->handle_local_options = pl_application_handle_local_options;
  application_class->command_line = pl_application_command_line;
}

static void
pl_application_init (PlApplication *self)
{
  GApplication *application = G_APPLICATION (self);

  g_application_add_main_option_entries (application, options);
  g_application_set_option_context_parameter_string (application, "");
  g_application_set_option_context_summary (application,
                                            _("Shows what held the worker threads of an async runtime. Several files, "
                                              "or a folder of segments, are one session in one window."));
}

/**
 * pl_application_new:
 *
 * Returns: (transfer full): the application, to be run once
 */
PlApplication *
pl_application_new (void)
{
  return g_object_new (PL_TYPE_APPLICATION,
                       "application-id", "org.parklane.Parklane",
                       "flags", G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_HANDLES_OPEN,
                       "resource-base-path", "/org/parklane/Parklane",
                       NULL);
}
