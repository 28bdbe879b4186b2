/* test-cli-render.c: `parklane-cli render`: the picture it saves, and what it refuses
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "pl-palette.h"
#include "test-trace.h"

#define MS (G_GINT64_CONSTANT (1000) * 1000)

typedef struct
{
  int status;
  char *output;
  char *error;
} Result;

static void
result_clear (Result *self)
{
  g_free (self->output);
  g_free (self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

/* Runs `parklane-cli render` with the arguments up to NULL. */
static void G_GNUC_NULL_TERMINATED
run (Result *result, const char *first, ...)
{
  g_autofree char *program = g_build_filename (g_getenv ("PARKLANE_BUILD_DIR"), "viewer", "cli", "parklane-cli", NULL);
  g_autoptr(GPtrArray) argv = g_ptr_array_new ();
  g_autoptr(GSubprocess) process = NULL;
  g_autoptr(GError) error = NULL;
  va_list args;

  g_ptr_array_add (argv, program);
  g_ptr_array_add (argv, (char *) "render");
  va_start (args, first);
  for (const char *arg = first; arg != NULL; arg = va_arg (args, const char *))
    g_ptr_array_add (argv, (char *) arg);
  va_end (args);
  g_ptr_array_add (argv, NULL);

  process = g_subprocess_newv ((const char *const *) argv->pdata,
                               G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &result->output, &result->error, &error));
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  result->status = g_subprocess_get_exit_status (process);
}

static void
assert_says (const Result *result, const char *part)
{
  if (strstr (result->error, part) == NULL)
    g_error ("“%s” is not in: %s", part, result->error);
}

/* A hundred milliseconds that begin at 1 s of trace time, with a poll of 20 ms in the middle. */
static TestTrace *
make_trace (void)
{
  TestTrace *bytes = test_trace_new ();

  test_trace_poll (bytes, 0, 7, "src/main.rs:1:2", 1000 * MS, MS / 10);
  test_trace_poll (bytes, 0, 7, "src/main.rs:1:2", 1040 * MS, 20 * MS);
  test_trace_poll (bytes, 0, 7, "src/main.rs:1:2", 1100 * MS - MS / 10, MS / 10);
  return bytes;
}

static char *
get_output (const char *name)
{
  return g_build_filename (test_trace_directory (), name, NULL);
}

static guint
count_color (const char *path, int *out_width, int *out_height, PlColor color)
{
  cairo_surface_t *surface = cairo_image_surface_create_from_png (path);
  guint n = 0;

  g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
  *out_width = cairo_image_surface_get_width (surface);
  *out_height = cairo_image_surface_get_height (surface);
  for (int y = 0; y < *out_height; y++)
    {
      const guint8 *row = cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface);

      for (int x = 0; x < *out_width; x++)
        n += (((const guint32 *) (gconstpointer) row)[x] & 0xffffff) == color;
    }
  cairo_surface_destroy (surface);
  return n;
}

static void
test_saves_a_picture (void)
{
  g_autoptr(TestTrace) bytes = make_trace ();
  g_autofree char *path = test_trace_save (bytes, "render.bin");
  g_autofree char *output = get_output ("light.png");
  g_autofree char *dark = get_output ("dark.png");
  g_auto(Result) first = { 0 };
  g_auto(Result) second = { 0 };
  int width, height;

  run (&first, "-o", output, "--width", "700", "--height", "333", path, NULL);
  g_assert_cmpstr (first.error, ==, "");
  g_assert_cmpint (first.status, ==, 0);
  g_assert_cmpuint (count_color (output, &width, &height, pl_palette_get (PL_THEME_LIGHT)->over), >, 1000);
  g_assert_cmpint (width, ==, 700);
  g_assert_cmpint (height, ==, 333);

  run (&second, "--theme=dark", "--output", dark, path, NULL);
  g_assert_cmpint (second.status, ==, 0);
  g_assert_cmpuint (count_color (dark, &width, &height, pl_palette_get (PL_THEME_DARK)->over), >, 1000);
  g_assert_cmpint (width, ==, 1600);
}

/* Offsets carry a sign or a unit, trace time neither; both ways name the same view, in which the long poll is not. */
static void
test_times_both_ways (void)
{
  static const struct
  {
    const char *from;
    const char *to;
    gboolean shows_long;
  } cases[] = {
    { "45ms", "50ms", TRUE },
    { "+0.045s", "+50 ms", TRUE },
    { "1045000000", "1050000000", TRUE },
    { "1045000000", "50ms", TRUE },
    { "0", "1030000000", FALSE },
    { "65ms", "1h", FALSE },
    { "65ms", "1min", FALSE },
  };
  g_autoptr(TestTrace) bytes = make_trace ();
  g_autofree char *path = test_trace_save (bytes, "render.bin");
  g_autofree char *output = get_output ("times.png");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto(Result) result = { 0 };
      int width, height;
      guint n;

      run (&result, "-o", output, "--from", cases[i].from, "--to", cases[i].to, path, NULL);
      if (g_str_equal (cases[i].to, "1h"))
        {
          g_assert_cmpint (result.status, ==, 2);
          assert_says (&result, "1h");
          continue;
        }
      g_assert_cmpint (result.status, ==, 0);
      n = count_color (output, &width, &height, pl_palette_get (PL_THEME_LIGHT)->over);
      /* The overview always has it; the lane only where it is in view, and then fills it. */
      if (cases[i].shows_long)
        g_assert_cmpuint (n, >, 30000);
      else
        g_assert_cmpuint (n, <, 15000);
    }
}

static void
test_threshold_decides_what_is_long (void)
{
  g_autoptr(TestTrace) bytes = make_trace ();
  g_autofree char *path = test_trace_save (bytes, "render.bin");
  g_autofree char *output = get_output ("threshold.png");
  g_auto(Result) result = { 0 };
  int width, height;

  run (&result, "-o", output, "--threshold", "21 ms", path, NULL);
  g_assert_cmpint (result.status, ==, 0);
  g_assert_cmpuint (count_color (output, &width, &height, pl_palette_get (PL_THEME_LIGHT)->over), ==, 0);
}

/* H32: refused with the limit in the message. */
static void
test_sizes_beyond_the_limit (void)
{
  g_autoptr(TestTrace) bytes = make_trace ();
  g_autofree char *path = test_trace_save (bytes, "render.bin");
  g_autofree char *output = get_output ("large.png");
  static const char *const sizes[][2] = {
    { "--width=40000", "--height=400" }, { "--width=400", "--height=32768" }, { "--width=-5", "--height=400" },
    { "--width=0", "--height=400" },     { "--width=32767", "--height=32767" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_auto(Result) result = { 0 };

      run (&result, "-o", output, sizes[i][0], sizes[i][1], path, NULL);
      g_assert_cmpint (result.status, ==, 2);
      assert_says (&result, "32767");
      g_assert_false (g_file_test (output, G_FILE_TEST_EXISTS));
    }
}

static void
test_wrong_usage (void)
{
  g_autoptr(TestTrace) bytes = make_trace ();
  g_autofree char *path = test_trace_save (bytes, "render.bin");
  g_autofree char *output = get_output ("usage.png");
  const struct
  {
    const char *arguments[4];
    const char *says;
  } cases[] = {
    { { path, NULL }, "-o" },
    { { "-o", output, NULL }, "missing" },
    { { "-o", output, "--from=3x", path }, "--from" },
    { { "-o", output, "--to=-3", path }, "--to" },
    { { "-o", output, "--threshold=1", path }, "--threshold" },
    { { "-o", output, "--theme=blue", path }, "blue" },
    { { "-o", output, "--from=1s", path }, "nothing to draw" },
    { { "-o", output, "--wide", path }, "--wide" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto(Result) result = { 0 };

      run (&result, cases[i].arguments[0], cases[i].arguments[1], cases[i].arguments[2], cases[i].arguments[3], NULL);
      g_assert_cmpint (result.status, ==, 2);
      g_assert_cmpstr (result.output, ==, "");
      assert_says (&result, cases[i].says);
    }
}

static void
test_broken_file_is_drawn_and_said (void)
{
  g_autoptr(TestTrace) bytes = make_trace ();
  g_autofree char *output = get_output ("broken.png");
  g_autofree char *path = NULL;
  g_autofree char *offset = g_strdup_printf ("%" G_GSIZE_FORMAT, test_trace_get_size (bytes));
  g_auto(Result) result = { 0 };
  int width, height;

  test_trace_bytes (bytes, "\x7f???", 4);
  path = test_trace_save (bytes, "broken.bin");
  run (&result, "-o", output, path, NULL);

  g_assert_cmpint (result.status, ==, 1);
  assert_says (&result, "broken.bin");
  assert_says (&result, offset);
  g_assert_cmpuint (count_color (output, &width, &height, pl_palette_get (PL_THEME_LIGHT)->over), >, 1000);
}

static void
test_missing_file_is_an_input_error (void)
{
  g_autofree char *output = get_output ("missing.png");
  g_auto(Result) result = { 0 };

  run (&result, "-o", output, "/nonexistent/trace.bin", NULL);
  g_assert_cmpint (result.status, ==, 1);
  assert_says (&result, "/nonexistent/trace.bin");
  g_assert_false (g_file_test (output, G_FILE_TEST_EXISTS));
}

static void
test_picture_that_cannot_be_written (void)
{
  g_autoptr(TestTrace) bytes = make_trace ();
  g_autofree char *path = test_trace_save (bytes, "render.bin");
  g_auto(Result) result = { 0 };

  run (&result, "-o", "/nonexistent/out.png", path, NULL);
  g_assert_cmpint (result.status, ==, 1);
  assert_says (&result, "/nonexistent/out.png");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/cli/saves-a-picture", test_saves_a_picture);
  g_test_add_func ("/render/cli/times-both-ways", test_times_both_ways);
  g_test_add_func ("/render/cli/threshold-decides-what-is-long", test_threshold_decides_what_is_long);
  g_test_add_func ("/render/cli/sizes-beyond-the-limit", test_sizes_beyond_the_limit);
  g_test_add_func ("/render/cli/wrong-usage", test_wrong_usage);
  g_test_add_func ("/render/cli/broken-file-is-drawn-and-said", test_broken_file_is_drawn_and_said);
  g_test_add_func ("/render/cli/missing-file-is-an-input-error", test_missing_file_is_an_input_error);
  g_test_add_func ("/render/cli/picture-that-cannot-be-written", test_picture_that_cannot_be_written);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
