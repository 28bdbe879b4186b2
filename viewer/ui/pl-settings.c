/* pl-settings.c: preferences and window state, with or without an installed schema
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The properties are bound to GSettings keys of the same name. Where no schema is installed, as in a build tree, they
 * start from the same defaults and are forgotten at the end.
 */
#include "config.h"

#include "pl-settings.h"

#define SCHEMA_ID "org.parklane.Parklane"

struct _PlSettings
{
  GObject parent_instance;

  GSettings *preferences;
  GSettings *window;

  gint64 threshold_ns;
  int memory_budget;
  char *theme;
  char *time_format;
  int width;
  int height;
  int details_width;
  int list_height;
  gboolean maximized;
};

G_DEFINE_FINAL_TYPE (PlSettings, pl_settings, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_THRESHOLD_NS,
  PROP_MEMORY_BUDGET,
  PROP_THEME,
  PROP_TIME_FORMAT,
  FIRST_WINDOW_PROP,
  PROP_WIDTH = FIRST_WINDOW_PROP,
  PROP_HEIGHT,
  PROP_DETAILS_WIDTH,
  PROP_LIST_HEIGHT,
  PROP_MAXIMIZED,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void
pl_settings_get_property (GObject    *object,
                          guint       prop_id,
                          GValue     *value,
                          GParamSpec *pspec)
{
  PlSettings *self = PL_SETTINGS (object);

  switch (prop_id)
    {
    case PROP_THRESHOLD_NS:
      g_value_set_int64 (value, self->threshold_ns);
      break;
    case PROP_MEMORY_BUDGET:
      g_value_set_int (value, self->memory_budget);
      break;
    case PROP_THEME:
      g_value_set_string (value, self->theme);
      break;
    case PROP_TIME_FORMAT:
      g_value_set_string (value, self->time_format);
      break;
    case PROP_WIDTH:
      g_value_set_int (value, self->width);
      break;
    case PROP_HEIGHT:
      g_value_set_int (value, self->height);
      break;
    case PROP_DETAILS_WIDTH:
      g_value_set_int (value, self->details_width);
      break;
    case PROP_LIST_HEIGHT:
      g_value_set_int (value, self->list_height);
      break;
    case PROP_MAXIMIZED:
      g_value_set_boolean (value, self->maximized);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
pl_settings_set_property (GObject      *object,
                          guint         prop_id,
                          const GValue *value,
                          GParamSpec   *pspec)
{
  PlSettings *self = PL_SETTINGS (object);

  switch (prop_id)
    {
    case PROP_THRESHOLD_NS:
      self->threshold_ns = g_value_get_int64 (value);
      break;
    case PROP_MEMORY_BUDGET:
      self->memory_budget = g_value_get_int (value);
      break;
    case PROP_THEME:
      g_free (self->theme);
      self->theme = g_value_dup_string (value);
      break;
    case PROP_TIME_FORMAT:
      g_free (self->time_format);
      self->time_format = g_value_dup_string (value);
      break;
    case PROP_WIDTH:
      self->width = g_value_get_int (value);
      break;
    case PROP_HEIGHT:
      self->height = g_value_get_int (value);
      break;
    case PROP_DETAILS_WIDTH:
      self->details_width = g_value_get_int (value);
      break;
    case PROP_LIST_HEIGHT:
      self->list_height = g_value_get_int (value);
      break;
    case PROP_MAXIMIZED:
      self->maximized = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      return;
    }
}

static void
bind_schema (PlSettings *self)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr(GSettingsSchema) schema = NULL;

  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, SCHEMA_ID, TRUE);
  if (schema == NULL)
    {
      g_debug ("no schema %s is installed: settings last as long as the program", SCHEMA_ID);
      return;
    }

  self->preferences = g_settings_new (SCHEMA_ID);
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
  g_free (self->theme);
  g_free (self->time_format);

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
  properties[PROP_TIME_FORMAT] = g_param_spec_string ("time-format", NULL, NULL, "relative", flags);
  properties[PROP_WIDTH] = g_param_spec_int ("width", NULL, NULL, 1, G_MAXINT, 1280, flags);
  properties[PROP_HEIGHT] = g_param_spec_int ("height", NULL, NULL, 1, G_MAXINT, 800, flags);
  properties[PROP_DETAILS_WIDTH] = g_param_spec_int ("details-width", NULL, NULL, 1, G_MAXINT, 363, flags);
  properties[PROP_LIST_HEIGHT] = g_param_spec_int ("list-height", NULL, NULL, 1, G_MAXINT, 332, flags);
  properties[PROP_MAXIMIZED] = g_param_spec_boolean ("maximized", NULL, NULL, FALSE, flags);
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
