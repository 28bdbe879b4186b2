/* test-editor.c: how a place of a trace becomes arguments of the person's editor
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-editor.h"

static void
check (const char *command,
       const char *folder,
       const char *location,
       const char *expected)
{
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) argv = pl_editor_make_argv (command, folder, location, &error);
  g_autofree char *joined = NULL;

  g_assert_no_error (error);
  joined = g_strjoinv ("|", argv);
  g_assert_cmpstr (joined, ==, expected);
}

static void
test_place_goes_into_the_command (void)
{
  check ("code --goto %f:%l:%c", "/src", "a/b.rs:90:29", "code|--goto|/src/a/b.rs:90:29");
  check ("vi +%l %f", "/src", "a.c:7", "vi|+7|/src/a.c");
  check ("ed", "/src", "a.c:7:1", "ed|/src/a.c");
  check ("e '%% %f'", "/src", "/usr/x.rs:1:2", "e|% /usr/x.rs");
  check ("e %f:%l:%c", "/src", "no-place", "e|/src/no-place:1:1");
  check ("e %f %x %", "/src", "a:b:3", "e|/src/a:b|%x|%");
}

static void
test_trace_gets_no_say_in_the_command (void)
{
  check ("e %f", "/src", "; rm -rf ~:1:2", "e|/src/; rm -rf ~");
  check ("e %f", "/src", "$(reboot) `x` \"':1:2", "e|/src/$(reboot) `x` \"'");
  check ("e %f", "/src", "--eval=x:1:2", "e|/src/--eval=x");
  check ("e %f:%l", "/src", "%f%l:1:2", "e|/src/%f%l:1");
  check ("e %f", "/src", "a\nb:1:2", "e|/src/a\nb");
}

static void
test_no_command_is_an_error (void)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (pl_editor_make_argv ("", "/src", "a.c:7", &error));
  g_assert_error (error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING);
  g_clear_error (&error);
  g_assert_null (pl_editor_make_argv ("code 'open", "/src", "a.c:7", &error));
  g_assert_error (error, G_SHELL_ERROR, G_SHELL_ERROR_BAD_QUOTING);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/ui/editor/place-goes-into-the-command", test_place_goes_into_the_command);
  g_test_add_func ("/ui/editor/trace-gets-no-say-in-the-command", test_trace_gets_no_say_in_the_command);
  g_test_add_func ("/ui/editor/no-command-is-an-error", test_no_command_is_an_error);
  return g_test_run ();
}
