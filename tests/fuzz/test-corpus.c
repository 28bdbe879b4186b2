/* test-corpus.c: what a fuzzer once found stays found, without a fuzzer; the argument names the target
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib.h>

#include "fuzz-target.h"

static void
test_file (gconstpointer data)
{
  const char *path = data;
  g_autoptr(GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize size;

  g_file_get_contents (path, &bytes, &size, &error);
  g_assert_no_error (error);
  g_assert_cmpint (LLVMFuzzerTestOneInput ((const guint8 *) bytes, size), ==, 0);
}

/* Every file below @directory, directories in no particular depth. */
static void
add_files (const char *directory, const char *group)
{
  g_autoptr(GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      char *path = g_build_filename (directory, name, NULL);
      g_autofree char *test = g_strdup_printf ("%s/%s", group, name);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          add_files (path, test);
          g_free (path);
        }
      else
        g_test_add_data_func_full (test, path, test_file, g_free);
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *corpus = NULL;
  g_autofree char *group = NULL;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  corpus = g_test_build_filename (G_TEST_DIST, "fuzz", "corpus", argv[1], NULL);
  group = g_strconcat ("/fuzz/", argv[1], "/corpus", NULL);
  add_files (corpus, group);
  if (g_str_equal (argv[1], "decoder"))
    add_files (g_getenv ("PARKLANE_TEST_DATA"), "/fuzz/decoder/traces");
  return g_test_run ();
}
