/* pl-desktop-style.c: the colours that the desktop asks programs for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the settings portal, in and outside of sandboxes, and as they change. Where there is none, or it does not say,
 * GTK's own settings count as they were when the program started, before anybody here changed them.
 */
#include "config.h"

#include "pl-desktop-style.h"

#define PORTAL_NAME "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_INTERFACE "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"

/* The portal's numbers; 0 is "no preference". */
#define PREFERS_DARK 1
#define PREFERS_LIGHT 2
#define PREFERS_CONTRAST 1

struct _PlDesktopStyle
{
  GObject parent_instance;

  GDBusConnection *bus;
  guint subscription;
  GCancellable *reading;

  gboolean gtk_dark;
  gboolean gtk_high_contrast;
  guint color_scheme; /* of the portal */
  guint contrast;
};

enum
{
  PROP_0,
  PROP_DARK,
  PROP_HIGH_CONTRAST,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (PlDesktopStyle, pl_desktop_style, G_TYPE_OBJECT)

static void
take_value (PlDesktopStyle *self,
            const char     *key,
            GVariant       *value)
{
  gboolean is_scheme = g_str_equal (key, "color-scheme");
  guint *known = is_scheme ? &self->color_scheme : &self->contrast;

  if ((!is_scheme && !g_str_equal (key, "contrast")) || !g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32)
      || *known == g_variant_get_uint32 (value))
    return;
  *known = g_variant_get_uint32 (value);
  g_object_notify_by_pspec (G_OBJECT (self), properties[is_scheme ? PROP_DARK : PROP_HIGH_CONTRAST]);
}

static void
setting_changed (GDBusConnection *bus,
                 const char      *sender,
                 const char      *path,
                 const char      *interface,
                 const char      *signal,
                 GVariant        *parameters,
                 gpointer         user_data)
{
  g_autoptr(GVariant) value = NULL;
  const char *group;
  const char *key;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssv)")))
    return;
  g_variant_get (parameters, "(&s&sv)", &group, &key, &value);
  if (g_str_equal (group, APPEARANCE))
    take_value (user_data, key, value);
}

static void
settings_read (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  PlDesktopStyle *self;
  g_autoptr(GError) error = NULL;
  g_autoptr(GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);
  g_autoptr(GVariant) groups = NULL;
  g_autoptr(GVariant) values = NULL;
  GVariantIter iter;
  const char *key;
  GVariant *value;

  if (reply == NULL)
    {
      /* No portal on this computer, or nobody who waits any more. */
      g_debug ("%s", error->message);
      return;
    }
  self = user_data;
  groups = g_variant_get_child_value (reply, 0);
  values = g_variant_lookup_value (groups, APPEARANCE, G_VARIANT_TYPE_VARDICT);
  if (values == NULL)
    return;
  g_variant_iter_init (&iter, values);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    take_value (self, key, value);
}

static void
bus_arrived (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  static const char *const groups[] = { APPEARANCE, NULL };
  PlDesktopStyle *self;
  g_autoptr(GError) error = NULL;
  GDBusConnection *bus = g_bus_get_finish (result, &error);

  if (bus == NULL)
    {
      g_debug ("%s", error->message);
      return;
    }
  self = user_data;
  self->bus = bus;
  self->subscription = g_dbus_connection_signal_subscribe (bus, PORTAL_NAME, PORTAL_INTERFACE, "SettingChanged",
                                                           PORTAL_PATH, APPEARANCE, G_DBUS_SIGNAL_FLAGS_NONE,
                                                           setting_changed, self, NULL);
  g_dbus_connection_call (bus, PORTAL_NAME, PORTAL_PATH, PORTAL_INTERFACE, "ReadAll",
                          g_variant_new ("(^as)", groups), G_VARIANT_TYPE ("(a{sa{sv}})"), G_DBUS_CALL_FLAGS_NONE, -1,
                          self->reading, settings_read, self);
}

static void
read_gtk (PlDesktopStyle *self)
{
  g_autofree char *theme = NULL;

  g_object_get (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", &self->gtk_dark,
                "gtk-theme-name", &theme, NULL);
  self->gtk_dark = self->gtk_dark || g_str_has_suffix (theme, "-dark") || g_str_equal (theme, "HighContrastInverse");
  self->gtk_high_contrast = g_str_has_prefix (theme, "HighContrast");
}

static void
pl_desktop_style_get_property (GObject    *object,
                               guint       prop_id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  PlDesktopStyle *self = PL_DESKTOP_STYLE (object);

  switch (prop_id)
    {
    case PROP_DARK:
      g_value_set_boolean (value, self->color_scheme == PREFERS_DARK
                                    || (self->color_scheme != PREFERS_LIGHT && self->gtk_dark));
      break;
    case PROP_HIGH_CONTRAST:
      g_value_set_boolean (value, self->contrast == PREFERS_CONTRAST || self->gtk_high_contrast);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
pl_desktop_style_dispose (GObject *object)
{
  PlDesktopStyle *self = PL_DESKTOP_STYLE (object);

  g_cancellable_cancel (self->reading);
  if (self->subscription != 0)
    g_dbus_connection_signal_unsubscribe (self->bus, self->subscription);
  self->subscription = 0;
  g_clear_object (&self->bus);
  g_clear_object (&self->reading);

  G_OBJECT_CLASS (pl_desktop_style_parent_class)->dispose (object);
}

static void
pl_desktop_style_class_init (PlDesktopStyleClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = pl_desktop_style_get_property;
  object_class->dispose = pl_desktop_style_dispose;

  properties[PROP_DARK] = g_param_spec_boolean ("dark", NULL, NULL, FALSE, flags);
  properties[PROP_HIGH_CONTRAST] = g_param_spec_boolean ("high-contrast", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
pl_desktop_style_init (PlDesktopStyle *self)
{
  read_gtk (self);
  self->reading = g_cancellable_new ();
  g_bus_get (G_BUS_TYPE_SESSION, self->reading, bus_arrived, self);
}

/**
 * pl_desktop_style_new:
 *
 * Begins to ask the desktop. Main thread, after GTK was initialized and before anybody changed its settings.
 *
 * Returns: (transfer full): what the desktop asks for
 */
PlDesktopStyle *
pl_desktop_style_new (void)
{
  return g_object_new (PL_TYPE_DESKTOP_STYLE, NULL);
}
