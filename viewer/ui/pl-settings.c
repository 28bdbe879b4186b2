/* pl-settings.c: preferences and window state, with or without an installed schema
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The properties are bound to GSettings keys of the same name. Where no schema is installed, as in a build tree, they
 * start from the same defaults and are forgotten at the end. Preferences are in the user's configuration folder; what the
 * window remembers by itself is in the one for state.
 */
#include "config.h"

#include "pl-settings.h"

#include "pl-installation.h"
#include "pl-settings-file.h"

#define SCHEMA_ID "org.parklane.Parklane"

enum
{
  PROP_0,
  PROP_THRESHOLD_NS,
  PROP_MEMORY_BUDGET,
  PROP_THEME,
  PROP_PALETTE,
  PROP_TIME_FORMAT,
  PROP_EDITOR_COMMAND,
  PROP_SOURCE_FOLDER,
  PROP_FOLLOW_BY_DEFAULT,
  PROP_NOTIFY_STALLS,
  PROP_NOTIFY_LONG_POLLS,
  FIRST_WINDOW_PROP,
  PROP_WIDTH = FIRST_WINDOW_PROP,
  PROP_HEIGHT,
  PROP_DETAILS_WIDTH,
  PROP_LIST_HEIGHT,
  PROP_MAXIMIZED,
  PROP_LAST_FOLDER,
  N_PROPS
};

struct _PlSettings
{
  GObject parent_instance;

  GSettings *preferences;
  GSettings *window;
  GPtrArray *complaints; /* of char *, not told yet */
  GValue values[N_PROPS];
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (PlSettings, pl_settings, G_TYPE_OBJECT)

static void
pl_settings_get_property (GObject    *object,
                          guint       prop_id,
                          GValue     *value,
                          GParamSpec *pspec)
{
  PlSettings *self = PL_SETTINGS (object);

  if (prop_id < N_PROPS)
    g_value_copy (&self->values[prop_id], value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
pl_settings_set_property (GObject      *object,
                          guint         prop_id,
                          const GValue *value,
                          GParamSpec   *pspec)
{
  PlSettings *self = PL_SETTINGS (object);

  if (prop_id >= N_PROPS)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      return;
    }
  if (!G_IS_VALUE (&self->values[prop_id]))
    g_value_init (&self->values[prop_id], pspec->value_type);
  g_value_copy (value, &self->values[prop_id]);
}

/* The schema of the tree that the program lies in comes before one that the session knows: that may be another version's. */
static GSettingsSchemaSource *
find_schemas (void)
{
  GSettingsSchemaSource *known = g_settings_schema_source_get_default ();
  GSettingsSchemaSource *own = NULL;
  const char *data_dir = pl_installation_get_data_dir ();

  if (data_dir != NULL)
    {
      g_autofree char *folder = g_build_filename (data_dir, "glib-2.0", "schemas", NULL);

      own = g_settings_schema_source_new_from_directory (folder, known, FALSE, NULL);
    }
  if (own != NULL)
    return own;
  return known != NULL ? g_settings_schema_source_ref (known) : NULL;
}

static GSettings *
open_settings (PlSettings      *self,
               GSettingsSchema *schema,
               const char      *folder,
               const char      *name)
{
  g_autofree char *path = g_build_filename (folder, "parklane", name, NULL);
  g_autofree char *complaint = NULL;
  g_autoptr(GSettingsBackend) backend = NULL;

  /* Tests and whoever wants another backend say so as for any program. */
  if (g_getenv ("GSETTINGS_BACKEND") != NULL)
    return g_settings_new_full (schema, NULL, NULL);

  backend = pl_settings_file_open (path, schema, &complaint);
  if (complaint != NULL)
    g_ptr_array_add (self->complaints, g_steal_pointer (&complaint));
  return g_settings_new_full (schema, backend, NULL);
}

static void
bind_schemas (PlSettings *self)
{
  g_autoptr(GSettingsSchemaSource) source = find_schemas ();
  g_autoptr(GSettingsSchema) preferences = NULL;
  g_autoptr(GSettingsSchema) window = NULL;

  if (source != NULL)
    {
      preferences = g_settings_schema_source_lookup (source, SCHEMA_ID, TRUE);
      window = g_settings_schema_source_lookup (source, SCHEMA_ID ".Window", TRUE);
    }
  if (preferences == NULL || window == NULL)
    {
      g_debug ("no schema %s is installed: settings last as long as the program", SCHEMA_ID);
      return;
    }

  self->preferences = open_settings (self, preferences, g_get_user_config_dir (), "preferences.ini");
  self->window = open_settings (self, window, g_get_user_state_dir (), "window.ini");
  for (guint i = 1; i < N_PROPS; i++)
    g_settings_bind (i < FIRST_WINDOW_PROP ? self->preferences : self->window, properties[i]->name,
                     self, properties[i]->name, G_SETTINGS_BIND_DEFAULT);
}

static void
pl_settings_constructed (GObject *object)
{
  G_OBJECT_CLASS (pl_settings_parent_class)->constructed (object);

  bind_schemas (PL_SETTINGS (object));
}

static void
pl_settings_finalize (GObject *object)
{
  PlSettings *self = PL_SETTINGS (object);

  g_clear_object (&self->preferences);
  g_clear_object (&self->window);
  g_ptr_array_unref (self->complaints);
  for (guint i = 1; i < N_PROPS; i++)
    g_value_unset (&self->values[i]);

  G_OBJECT_CLASS (pl_settings_parent_class)->finalize (object);
}

static void
pl_settings_class_init (PlSettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS;

  object_class->get_property = pl_settings_get_property;
  object_class->set_property = pl_settings_set_property;
  object_class->constructed = pl_settings_constructed;
  object_class->finalize = pl_settings_finalize;

  /* Defaults as in the schema. */
  properties[PROP_THRESHOLD_NS] = g_param_spec_int64 ("threshold-ns", NULL, NULL, 0, G_MAXINT64, 1000000, flags);
  properties[PROP_MEMORY_BUDGET] = g_param_spec_int ("memory-budget", NULL, NULL, 16, 1024 * 1024, 512, flags);
  properties[PROP_THEME] = g_param_spec_string ("theme", NULL, NULL, "system", flags);
  properties[PROP_PALETTE] = g_param_spec_string ("palette", NULL, NULL, "standard", flags);
  properties[PROP_TIME_FORMAT] = g_param_spec_string ("time-format", NULL, NULL, "relative", flags);
  properties[PROP_EDITOR_COMMAND] = g_param_spec_string ("editor-command", NULL, NULL, "", flags);
  properties[PROP_SOURCE_FOLDER] = g_param_spec_string ("source-folder", NULL, NULL, "", flags);
  properties[PROP_FOLLOW_BY_DEFAULT] = g_param_spec_boolean ("follow-by-default", NULL, NULL, TRUE, flags);
  properties[PROP_NOTIFY_STALLS] = g_param_spec_boolean ("notify-stalls", NULL, NULL, TRUE, flags);
  properties[PROP_NOTIFY_LONG_POLLS] = g_param_spec_boolean ("notify-long-polls", NULL, NULL, FALSE, flags);
  properties[PROP_WIDTH] = g_param_spec_int ("width", NULL, NULL, 1, G_MAXINT, 1280, flags);
  properties[PROP_HEIGHT] = g_param_spec_int ("height", NULL, NULL, 1, G_MAXINT, 800, flags);
  properties[PROP_DETAILS_WIDTH] = g_param_spec_int ("details-width", NULL, NULL, 1, G_MAXINT, 363, flags);
  properties[PROP_LIST_HEIGHT] = g_param_spec_int ("list-height", NULL, NULL, 1, G_MAXINT, 332, flags);
  properties[PROP_MAXIMIZED] = g_param_spec_boolean ("maximized", NULL, NULL, FALSE, flags);
  properties[PROP_LAST_FOLDER] = g_param_spec_string ("last-folder", NULL, NULL, "", flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
pl_settings_init (PlSettings *self)
{
  self->complaints = g_ptr_array_new_with_free_func (g_free);
}

/**
 * pl_settings_get_default:
 *
 * Returns the settings of this process. Main thread only.
 *
 * Returns: (transfer none): the settings
 */
PlSettings *
pl_settings_get_default (void)
{
  static PlSettings *settings;

  if (settings == NULL)
    settings = g_object_new (PL_TYPE_SETTINGS, NULL);
  return settings;
}

/**
 * pl_settings_take_complaint:
 * @self: the settings
 *
 * Tells what was wrong with the files of the settings, once.
 *
 * Returns: (transfer full) (nullable): sentences for people, a line each; %NULL when all is well or was told before
 */
char *
pl_settings_take_complaint (PlSettings *self)
{
  g_autofree char *complaint = NULL;

  g_return_val_if_fail (PL_IS_SETTINGS (self), NULL);

  if (self->complaints->len == 0)
    return NULL;
  g_ptr_array_add (self->complaints, NULL);
  complaint = g_strjoinv ("\n", (char **) self->complaints->pdata);
  g_ptr_array_set_size (self->complaints, 0);
  return g_steal_pointer (&complaint);
}
