/* pl-settings.c: preferences and window state, with or without an installed schema
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The properties are bound to GSettings keys of the same name. Where no schema is installed, as in a build tree, they
 * start from the same defaults and are forgotten at the end.
 */
#include "config.h"

#include "pl-settings.h"

#include "pl-installation.h"

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
static GSettingsSchema *
find_schema (void)
{
  GSettingsSchemaSource *known = g_settings_schema_source_get_default ();
  g_autoptr(GSettingsSchemaSource) source = known != NULL ? g_settings_schema_source_ref (known) : NULL;
  const char *data_dir = pl_installation_get_data_dir ();

  if (data_dir != NULL)
    {
      g_autofree char *folder = g_build_filename (data_dir, "glib-2.0", "schemas", NULL);
      GSettingsSchemaSource *own = g_settings_schema_source_new_from_directory (folder, known, FALSE, NULL);

      if (own != NULL)
        {
          g_clear_pointer (&source, g_settings_schema_source_unref);
          source = own;
        }
    }
  return source != NULL ? g_settings_schema_source_lookup (source, SCHEMA_ID, TRUE) : NULL;
}

static void
bind_schema (PlSettings *self)
{
  g_autoptr(GSettingsSchema) schema = find_schema ();

  if (schema == NULL)
    {
      g_debug ("no schema %s is installed: settings last as long as the program", SCHEMA_ID);
      return;
    }

  self->preferences = g_settings_new_full (schema, NULL, NULL);
  self->window = g_settings_get_child (self->preferences, "window");
  for (guint i = 1; i < N_PROPS; i++)
    g_settings_bind (i < FIRST_WINDOW_PROP ? self->preferences : self->window, properties[i]->name,
                     self, properties[i]->name, G_SETTINGS_BIND_DEFAULT);
}

static void
pl_settings_constructed (GObject *object)
{
  G_OBJECT_CLASS (pl_settings_parent_class)->constructed (object);

  bind_schema (PL_SETTINGS (object));
}

static void
pl_settings_finalize (GObject *object)
{
  PlSettings *self = PL_SETTINGS (object);

  g_clear_object (&self->preferences);
  g_clear_object (&self->window);
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
