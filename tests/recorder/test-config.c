/* test-config.c: settings from the environment, and what is said of those that cannot be honoured
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "parklane-recorder.h"
#include "recorder-config.h"

#define RUSTFS "RUSTFS_RUNTIME_DIAL9_"
#define OWN "PLTEST_"

static void
collect (ParklaneLogLevel level, const char *message, void *data)
{
  g_assert_cmpint (level, ==, PARKLANE_LOG_WARNING);
  g_ptr_array_add (data, g_strdup (message));
}

static GPtrArray *
read_environment (ParklaneConfig *config, const char *prefix)
{
  GPtrArray *warnings = g_ptr_array_new_with_free_func (g_free);

  g_assert_cmpint (parklane_config_from_env (config, prefix, collect, warnings), ==, warnings->len);
  g_assert_cmpint (plr_config_check (config), ==, 0); /* whatever was said, the result can be used */
  return warnings;
}

static void
clear_environment (void)
{
  g_auto(GStrv) names = g_listenv ();

  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_has_prefix (names[i], RUSTFS) || g_str_has_prefix (names[i], OWN))
      g_unsetenv (names[i]);
}

static void
set (const char *prefix, const char *name, const char *value)
{
  g_autofree char *variable = g_strconcat (prefix, name, NULL);

  g_setenv (variable, value, TRUE);
}

static void
assert_warns (GPtrArray *warnings, guint n, const char *first, const char *second)
{
  g_assert_cmpuint (warnings->len, ==, n);
  for (guint i = 0; i < n; i++)
    if (strstr (g_ptr_array_index (warnings, i), first) && strstr (g_ptr_array_index (warnings, i), second))
      return;
  g_error ("no warning names %s and %s: %s", first, second, n > 0 ? (char *) g_ptr_array_index (warnings, 0) : "(none)");
}

static void
test_rustfs_defaults (void)
{
  g_autoptr(GPtrArray) warnings = NULL;
  ParklaneConfig config;

  clear_environment ();
  warnings = read_environment (&config, RUSTFS);

  g_assert_cmpuint (warnings->len, ==, 0);
  g_assert_cmpuint (config.enabled, ==, 0);
  g_assert_cmpstr (config.output_dir, ==, "/var/log/rustfs/telemetry");
  g_assert_cmpstr (config.file_prefix, ==, "rustfs-tokio");
  g_assert_cmpuint (config.max_file_size, ==, 104857600);
  g_assert_cmpuint (config.rotation_count, ==, 10);
  g_assert_cmpint (config.compress, ==, PARKLANE_COMPRESS_ZSTD);
}

static void
test_every_setting_is_honoured (void)
{
  g_autoptr(GPtrArray) warnings = NULL;
  ParklaneConfig config;

  clear_environment ();
  set (OWN, "ENABLED", "Yes");
  set (OWN, "OUTPUT_DIR", "/srv/traces");
  set (OWN, "FILE_PREFIX", "node.7");
  set (OWN, "MAX_FILE_SIZE", " 1048576 ");
  set (OWN, "ROTATION_COUNT", "4294967295");
  set (OWN, "SERVICE_NAME", "store");
  set (OWN, "MAX_SEGMENT_AGE", "60");
  set (OWN, "DRAIN_INTERVAL", "25");
  set (OWN, "CLOCK", "monotonic");
  set (OWN, "COMPRESS", "None");
  set (OWN, "BUFFER_SIZE", "1048576");
  set (OWN, "CONTROL", "1");
  set (OWN, "CRASH_SAFE", "no");
  set (OWN, "RETRY_START", "5");
  set (OWN, "BUSY", "suffix");
  set (OWN, "TIME_RESOLUTION", "16");
  warnings = read_environment (&config, OWN);

  g_assert_cmpuint (warnings->len, ==, 0);
  g_assert_cmpuint (config.enabled, ==, 1);
  g_assert_cmpstr (config.output_dir, ==, "/srv/traces");
  g_assert_cmpstr (config.file_prefix, ==, "node.7");
  g_assert_cmpuint (config.max_file_size, ==, 1048576);
  g_assert_cmpuint (config.rotation_count, ==, G_MAXUINT32);
  g_assert_cmpstr (config.service_name, ==, "store");
  g_assert_cmpuint (config.max_segment_age_s, ==, 60);
  g_assert_cmpuint (config.drain_interval_ms, ==, 25);
  g_assert_cmpint (config.clock, ==, PARKLANE_CLOCK_MONOTONIC);
  g_assert_cmpint (config.compress, ==, PARKLANE_COMPRESS_NONE);
  g_assert_cmpuint (config.buffer_size, ==, 1048576);
  g_assert_cmpuint (config.control, ==, 1);
  g_assert_cmpuint (config.crash_safe, ==, 0);
  g_assert_cmpuint (config.retry_start_s, ==, 5);
  g_assert_cmpint (config.busy, ==, PARKLANE_BUSY_SUFFIX);
  g_assert_cmpuint (config.time_resolution_ns, ==, 16);
}

static void
test_a_resolution_out_of_range_is_one_with_a_warning (void)
{
  static const char *const values[] = { "0", "1000001", "-16", "16ns", "1.6", "4294967312" };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr(GPtrArray) warnings = NULL;
      ParklaneConfig config;

      clear_environment ();
      set (OWN, "TIME_RESOLUTION", values[i]);
      warnings = read_environment (&config, OWN);
      assert_warns (warnings, 1, OWN "TIME_RESOLUTION", values[i]);
      g_assert_cmpuint (config.time_resolution_ns, ==, 1);
    }
}

static void
test_numbers_that_are_none_keep_the_default (void)
{
  static const char *const sizes[] = { "1e6", "0x100000", "-1", "0", "NaN", "inf", "18446744073709551616", "100MB", "+5", "1.5",
                                       "9223372036854775808" };
  static const char *const counts[] = { "0", "4294967296", "-1", "ten" };
  ParklaneConfig config;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr(GPtrArray) warnings = NULL;

      clear_environment ();
      set (RUSTFS, "MAX_FILE_SIZE", sizes[i]);
      warnings = read_environment (&config, RUSTFS);
      assert_warns (warnings, 1, "RUSTFS_RUNTIME_DIAL9_MAX_FILE_SIZE=\"", "using 104857600");
      g_assert_nonnull (strstr (g_ptr_array_index (warnings, 0), sizes[i]));
      g_assert_cmpuint (config.max_file_size, ==, 104857600);
    }
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr(GPtrArray) warnings = NULL;

      clear_environment ();
      set (RUSTFS, "ROTATION_COUNT", counts[i]);
      warnings = read_environment (&config, RUSTFS);
      assert_warns (warnings, 1, "ROTATION_COUNT", "using 10");
      g_assert_cmpuint (config.rotation_count, ==, 10);
    }
}

static void
test_small_file_size_is_taken_as_the_smallest (void)
{
  g_autoptr(GPtrArray) warnings = NULL;
  ParklaneConfig config;

  clear_environment ();
  set (RUSTFS, "MAX_FILE_SIZE", "1");
  warnings = read_environment (&config, RUSTFS);
  assert_warns (warnings, 1, "MAX_FILE_SIZE=\"1\"", "using 65536");
  g_assert_cmpuint (config.max_file_size, ==, 65536);
}

static void
test_empty_is_unset (void)
{
  static const char *const names[] = { "ENABLED", "OUTPUT_DIR", "FILE_PREFIX", "MAX_FILE_SIZE", "ROTATION_COUNT", "S3_BUCKET",
                                       "WHATEVER" };
  g_autoptr(GPtrArray) warnings = NULL;
  ParklaneConfig config;

  clear_environment ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    set (RUSTFS, names[i], "");
  warnings = read_environment (&config, RUSTFS);
  g_assert_cmpuint (warnings->len, ==, 0);
  g_assert_cmpstr (config.file_prefix, ==, "rustfs-tokio");
}

static void
test_settings_without_effect_are_named (void)
{
  g_autoptr(GPtrArray) warnings = NULL;
  ParklaneConfig config;

  clear_environment ();
  set (RUSTFS, "ENABLED", "true");
  set (RUSTFS, "S3_BUCKET", "bucket-x");
  set (RUSTFS, "S3_PREFIX", "prefix-y");
  set (RUSTFS, "SAMPLING_RATE", "0.1");
  set (RUSTFS, "TASK_DUMP_ENABLED", "true");
  set (RUSTFS, "CLOCK", "monotonic"); /* exactly the known ones under this prefix */
  warnings = read_environment (&config, RUSTFS);

  assert_warns (warnings, 5, "S3_BUCKET=\"bucket-x\"", "fetch");
  assert_warns (warnings, 5, "S3_PREFIX=\"prefix-y\"", "upload is not built in");
  assert_warns (warnings, 5, "SAMPLING_RATE=\"0.1\"", "no effect");
  assert_warns (warnings, 5, "TASK_DUMP_ENABLED=\"true\"", "no effect");
  assert_warns (warnings, 5, "CLOCK=\"monotonic\"", "no effect");
  g_assert_cmpuint (config.enabled, ==, 1);
  g_assert_cmpint (config.clock, ==, PARKLANE_CLOCK_AUTO);
}

static void
test_bad_texts_keep_the_default (void)
{
  static const char *const prefixes[] = { ".hidden", "a/b", "../x", "a\nb" };
  g_autofree char *endless = g_strnfill (3000, 'd');
  g_autoptr(GPtrArray) warnings = NULL;
  ParklaneConfig config;

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      g_autoptr(GPtrArray) said = NULL;

      clear_environment ();
      set (OWN, "FILE_PREFIX", prefixes[i]);
      said = read_environment (&config, OWN);
      assert_warns (said, 1, "FILE_PREFIX", "using parklane");
      g_assert_cmpstr (config.file_prefix, ==, "parklane");
    }

  clear_environment ();
  set (OWN, "OUTPUT_DIR", endless);
  set (OWN, "FILE_PREFIX", endless);
  set (OWN, "SERVICE_NAME", endless);
  set (OWN, "ENABLED", "perhaps");
  set (OWN, "CLOCK", "sundial");
  warnings = read_environment (&config, OWN);
  assert_warns (warnings, 5, "OUTPUT_DIR", "using /var/log/parklane");
  assert_warns (warnings, 5, "ENABLED=\"perhaps\"", "using false");
  assert_warns (warnings, 5, "CLOCK=\"sundial\"", "using auto");
  g_assert_cmpuint (config.enabled, ==, 0);
}

static void
test_fields_out_of_range_are_refused (void)
{
  ParklaneConfig good;
  ParklaneConfig bad;

  parklane_config_init (&good);
  g_assert_cmpint (plr_config_check (&good), ==, 0);
  bad = good;
  bad.struct_size--;
  g_assert_cmpint (plr_config_check (&bad), ==, -EINVAL);
  bad = good;
  bad.max_file_size = 65535;
  g_assert_cmpint (plr_config_check (&bad), ==, -EINVAL);
  bad = good;
  bad.rotation_count = 0;
  g_assert_cmpint (plr_config_check (&bad), ==, -EINVAL);
  bad = good;
  bad.drain_interval_ms = 0;
  g_assert_cmpint (plr_config_check (&bad), ==, -EINVAL);
  bad = good;
  bad.time_resolution_ns = 0;
  g_assert_cmpint (plr_config_check (&bad), ==, -EINVAL);
  bad.time_resolution_ns = PLR_MAX_TIME_RESOLUTION_NS + 1;
  g_assert_cmpint (plr_config_check (&bad), ==, -EINVAL);
  bad = good;
  memset (bad.file_prefix, 'x', sizeof bad.file_prefix);
  g_assert_cmpint (plr_config_check (&bad), ==, -EINVAL);
  bad = good;
  bad.output_dir[0] = '\0';
  g_assert_cmpint (plr_config_check (&bad), ==, -EINVAL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/config/rustfs-defaults", test_rustfs_defaults);
  g_test_add_func ("/recorder/config/every-setting-is-honoured", test_every_setting_is_honoured);
  g_test_add_func ("/recorder/config/a-resolution-out-of-range-is-one-with-a-warning",
                   test_a_resolution_out_of_range_is_one_with_a_warning);
  g_test_add_func ("/recorder/config/numbers-that-are-none-keep-the-default", test_numbers_that_are_none_keep_the_default);
  g_test_add_func ("/recorder/config/small-file-size-is-taken-as-the-smallest",
                   test_small_file_size_is_taken_as_the_smallest);
  g_test_add_func ("/recorder/config/empty-is-unset", test_empty_is_unset);
  g_test_add_func ("/recorder/config/settings-without-effect-are-named", test_settings_without_effect_are_named);
  g_test_add_func ("/recorder/config/bad-texts-keep-the-default", test_bad_texts_keep_the_default);
  g_test_add_func ("/recorder/config/fields-out-of-range-are-refused", test_fields_out_of_range_are_refused);
  return g_test_run ();
}
