/* test-settings-file.c: files of settings: whole, broken, and none at all
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gstdio.h>

#include "pl-settings-file.h"

typedef struct
{
  char *folder;
  char *path;
  char *aside;
  GSettingsSchema *schema;
} Fixture;

static void
set_up (Fixture      *self,
        gconstpointer data)
{
  g_autofree char *schemas = g_build_filename (g_getenv ("PARKLANE_BUILD_DIR"), "data", NULL);
  g_autoptr(GSettingsSchemaSource) source = g_settings_schema_source_new_from_directory (schemas, NULL, TRUE, NULL);

  g_assert_nonnull (source);
  self->schema = g_settings_schema_source_lookup (source, "org.parklane.Parklane", FALSE);
  g_assert_nonnull (self->schema);
  self->folder = g_dir_make_tmp ("parklane-settings-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "preferences.ini", NULL);
  self->aside = g_strconcat (self->path, ".broken", NULL);
}

static void
tear_down (Fixture      *self,
           gconstpointer data)
{
  g_remove (self->path);
  g_remove (self->aside);
  g_remove (self->folder);
  g_free (self->folder);
  g_free (self->path);
  g_free (self->aside);
  g_settings_schema_unref (self->schema);
}

static GSettings *
open_settings (Fixture *self,
               char   **out_complaint)
{
  g_autoptr(GSettingsBackend) backend = pl_settings_file_open (self->path, self->schema, out_complaint);

  return g_settings_new_full (self->schema, backend, NULL);
}

static void
test_missing_file_is_made (Fixture      *self,
                           gconstpointer data)
{
  g_autofree char *complaint = NULL;
  g_autoptr(GSettings) settings = open_settings (self, &complaint);
  g_autofree char *text = NULL;

  g_assert_null (complaint);
  g_assert_cmpint (g_settings_get_int (settings, "memory-budget"), ==, 512);
  g_settings_set_int (settings, "memory-budget", 100);
  g_assert_true (g_file_get_contents (self->path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "memory-budget=100"));
}

/* Contents, and what is left of them. */
static void
check_broken (Fixture    *self,
              const char *content,
              gssize      length)
{
  g_autofree char *complaint = NULL;
  g_autofree char *kept = NULL;
  gsize expected_length = length < 0 ? strlen (content) : (gsize) length;
  gsize kept_length;
  g_autoptr(GSettings) settings = NULL;

  g_assert_true (g_file_set_contents (self->path, content, length, NULL));
  settings = open_settings (self, &complaint);
  g_assert_nonnull (complaint);
  g_assert_nonnull (strstr (complaint, self->aside));
  g_assert_cmpint (g_settings_get_int (settings, "memory-budget"), ==, 512);
  g_assert_true (g_file_get_contents (self->aside, &kept, &kept_length, NULL));
  g_assert_cmpmem (kept, kept_length, content, expected_length);
}

static void
test_anything_is_set_aside (Fixture      *self,
                            gconstpointer data)
{
  static const char zeros[4096];

  check_broken (self, "no group", -1);
  check_broken (self, "[settings\nmemory-budget=100\n", -1);
  check_broken (self, "[settings]\nmemory-budget=\n", -1);
  check_broken (self, "[settings]\nmemory-budget=1e9\n", -1);
  check_broken (self, "[settings]\nmemory-budget=99999999\n", -1);
  check_broken (self, "[settings]\ntheme='\xff\xfe'\n", -1);
  check_broken (self, "[settings]\ntheme=[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n", -1);
  check_broken (self, zeros, sizeof zeros);
}

static void
test_folder_in_its_place_is_set_aside (Fixture      *self,
                                       gconstpointer data)
{
  g_autofree char *complaint = NULL;
  g_autoptr(GSettings) settings = NULL;

  g_assert_cmpint (g_mkdir (self->path, 0700), ==, 0);
  settings = open_settings (self, &complaint);
  g_assert_nonnull (complaint);
  g_settings_set_int (settings, "memory-budget", 100);
  g_assert_true (g_file_test (self->path, G_FILE_TEST_IS_REGULAR));
}

static void
test_what_cannot_be_moved_is_not_written_over (Fixture      *self,
                                               gconstpointer data)
{
  g_autofree char *complaint = NULL;
  g_autofree char *text = NULL;
  g_autofree char *inside = g_build_filename (self->aside, "file", NULL);
  g_autoptr(GSettings) settings = NULL;

  /* A folder that is not empty is in the way of the name to move to. */
  g_assert_cmpint (g_mkdir (self->aside, 0700), ==, 0);
  g_assert_true (g_file_set_contents (inside, "", 0, NULL));
  g_assert_true (g_file_set_contents (self->path, "no group", -1, NULL));
  settings = open_settings (self, &complaint);
  g_assert_nonnull (complaint);
  g_settings_set_int (settings, "memory-budget", 100);
  g_assert_cmpint (g_settings_get_int (settings, "memory-budget"), ==, 100);
  g_assert_true (g_file_get_contents (self->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "no group");
  g_remove (inside);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, function) g_test_add ("/ui/settings-file/" path, Fixture, NULL, set_up, function, tear_down)
  ADD ("missing-file-is-made", test_missing_file_is_made);
  ADD ("what-cannot-be-read-is-set-aside", test_anything_is_set_aside);
  ADD ("folder-in-its-place-is-set-aside", test_folder_in_its_place_is_set_aside);
  ADD ("what-cannot-be-moved-is-not-written-over", test_what_cannot_be_moved_is_not_written_over);
  return g_test_run ();
}
