/* test-control.c: what a session answers on its control socket, and to whom
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control-message.h"
#include "control-socket.h"
#include "parklane-recorder.h"
#include "recording.h"
#include "trace-reader.h"

/* ---- the messages ---- */

static void
test_requests_are_one_line (void)
{
  static const char *const verbs[PLR_CONTROL_N_VERBS] = { "status", "pause", "resume", "rotate", "stop", "start" };
  PlrControlVerb verb;

  for (guint i = 0; i < PLR_CONTROL_N_VERBS; i++)
    {
      g_autofree char *line = g_strconcat (verbs[i], "\n", NULL);

      for (gsize size = 0; size < strlen (line); size++)
        g_assert_cmpint (plr_control_parse (line, size, &verb), ==, -EAGAIN);
      g_assert_cmpint (plr_control_parse (line, strlen (line), &verb), ==, 0);
      g_assert_cmpint (verb, ==, i);
    }
}

static void
test_anything_else_is_refused (void)
{
  static const char *const wrong[] = { "\n", "Status\n", "status \n", "status\r\n", "stat\n", "status\nstatus\n", "stop!", "\xff" };
  char junk[PLR_CONTROL_REQUEST_SIZE];
  PlrControlVerb verb;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_cmpint (plr_control_parse (wrong[i], strlen (wrong[i]), &verb), ==, -EINVAL);
  for (guint round = 0; round < 1000; round++)
    {
      for (guint i = 0; i < sizeof junk; i++)
        junk[i] = (char) g_test_rand_int_range (0, 256);
      g_assert_cmpint (plr_control_parse (junk, sizeof junk, &verb), ==, -EINVAL);
    }
}

static void
test_longest_answer_fits (void)
{
  g_autofree char *prefix = g_strnfill (PARKLANE_NAME_SIZE - 1, 'p');
  PlrControlStatus status = { .prefix = prefix, .state = "recording", .what = "find the segment that is being written" };
  char text[PLR_CONTROL_ANSWER_SIZE];
  gsize length;

  memset (&status.n_events, 0xff, sizeof status - G_STRUCT_OFFSET (PlrControlStatus, n_events));
  status.pid = status.segment = status.n_threads = G_MAXUINT32;
  status.since_unix_ns = G_MAXUINT64;
  status.has_segment = status.has_written = true;
  status.error = -ENOTRECOVERABLE;
  length = plr_control_format (text, -EINVAL, &status);

  g_assert_cmpuint (length, ==, strlen (text));
  g_assert_cmpuint (length, <, sizeof text - 1);
  g_assert_true (g_str_has_suffix (text, "last_write_age_ns=18446744073709551615\n"));
}

/* ---- the socket of a session ---- */

typedef struct
{
  char *top;
  char *dir;
  ParklaneConfig config;
  ParklaneRecorder *recorder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->top = g_dir_make_tmp ("parklane-control-XXXXXX", NULL);
  fixture->dir = g_build_filename (fixture->top, "out", NULL);
  init_config (&fixture->config, fixture->dir);
  fixture->config.control = 1;
}

static void
start (Fixture *fixture)
{
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &fixture->recorder), ==, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  parklane_recorder_stop (fixture->recorder);
  remove_tree (fixture->top);
  g_free (fixture->dir);
  g_free (fixture->top);
}

static int
connect_to (const char *dir, const char *prefix)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int dir_fd = open (dir, O_PATH | O_CLOEXEC);
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int r;

  g_snprintf (address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s.sock", dir_fd, prefix);
  r = connect (fd, (const struct sockaddr *) &address, sizeof address);
  close (dir_fd);
  if (r == 0)
    return fd;
  close (fd);
  return -1;
}

/* Sends @size bytes and returns all that comes back; NULL when there is nobody. */
static char *
send_bytes (const char *dir, const char *prefix, const char *data, gsize size)
{
  GString *answer = g_string_new (NULL);
  int fd = connect_to (dir, prefix);
  char buffer[512];
  gssize n;

  if (fd < 0)
    {
      g_string_free (answer, TRUE);
      return NULL;
    }
  (void) !send (fd, data, size, MSG_NOSIGNAL);
  shutdown (fd, SHUT_WR);
  while ((n = recv (fd, buffer, sizeof buffer, 0)) > 0)
    g_string_append_len (answer, buffer, n);
  close (fd);
  return g_string_free (answer, FALSE);
}

static char *
ask (const char *dir, const char *prefix, const char *line)
{
  return send_bytes (dir, prefix, line, strlen (line));
}

static void
assert_line (const char *answer, const char *line)
{
  g_autofree char *framed = g_strconcat ("\n", line, "\n", NULL);
  g_autofree char *text = g_strconcat ("\n", answer, NULL);

  if (strstr (text, framed) == NULL)
    g_error ("no line \"%s\" in:\n%s", line, answer);
}

/* Asks again until the answer has @line. */
static void
await_line (Fixture *fixture, const char *line)
{
  g_autofree char *framed = g_strconcat ("\n", line, "\n", NULL);

  for (;;)
    {
      g_autofree char *answer = ask (fixture->dir, "app", "status\n");

      if (answer != NULL && strstr (answer, framed) != NULL)
        return;
      g_usleep (1000);
    }
}

static void
request (Fixture *fixture, const char *line, const char *state)
{
  g_autofree char *answer = ask (fixture->dir, "app", line);
  g_autofree char *expected = g_strconcat ("state=", state, NULL);

  g_assert_true (g_str_has_prefix (answer, "ok\n"));
  assert_line (answer, expected);
}

static void
test_off_unless_configured (Fixture *fixture, gconstpointer data)
{
  g_autofree char *files = NULL;

  fixture->config.control = 0;
  start (fixture);
  files = list_directory (fixture->dir);

  g_assert_cmpstr (files, ==, "app.0.bin.active app.lock");
}

static void
test_status_tells_the_session (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->dir, "app.sock", NULL);
  g_autofree char *pid = g_strdup_printf ("pid=%d", (int) getpid ());
  g_autofree char *answer = NULL;
  GStatBuf st;

  start (fixture);
  parklane_thread_attach (0);
  record_polls (10);
  g_assert_cmpint (parklane_recorder_flush (fixture->recorder), ==, 0);
  answer = ask (fixture->dir, "app", "status\n");
  parklane_thread_detach ();

  g_assert_true (g_str_has_prefix (answer, "ok\n"));
  assert_line (answer, "state=recording");
  assert_line (answer, "health=ok");
  assert_line (answer, "events=20");
  assert_line (answer, "dropped_events=0");
  assert_line (answer, "segment=0");
  assert_line (answer, "attached_threads=1");
  assert_line (answer, pid);
  g_assert_cmpint (g_lstat (path, &st), ==, 0);
  g_assert_cmpuint (st.st_mode & 07777, ==, 0600);
}

static void
test_steers_the_session (Fixture *fixture, gconstpointer data)
{
  g_autofree char *second = g_build_filename (fixture->dir, "app.1.bin", NULL);
  g_autoptr(Trace) trace = NULL;
  g_autofree char *files = NULL;

  start (fixture);
  parklane_thread_attach (0);
  record_polls (3);
  request (fixture, "pause\n", "paused");
  g_assert_cmpuint (parklane_poll_start (1, 0, 0), ==, 0);
  request (fixture, "resume\n", "recording");
  request (fixture, "rotate\n", "recording");
  await_line (fixture, "segment=1");
  record_polls (2);
  request (fixture, "stop\n", "stopped");
  g_assert_cmpuint (parklane_poll_start (1, 0, 0), ==, 0);
  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.0.bin app.1.bin app.lock app.sock");
  trace = trace_read_file (second, FALSE);
  g_assert_cmpuint (trace_count (trace, "PollStartEvent"), ==, 2);

  request (fixture, "start\n", "recording");
  g_assert_cmpuint (parklane_poll_start (1, 0, 0), !=, 0);
  parklane_thread_detach ();
}

/* The host knows nothing of it: all its calls stay harmless, and its own stop is the end. */
static void
test_host_may_go_on_after_a_stop_from_outside (Fixture *fixture, gconstpointer data)
{
  ParklaneMetrics metrics = { .struct_size = sizeof metrics };
  g_autofree char *refused = NULL;
  g_autofree char *files = NULL;

  start (fixture);
  request (fixture, "stop\n", "stopped");
  g_assert_cmpint (parklane_recorder_pause (fixture->recorder), ==, 0);
  g_assert_cmpint (parklane_recorder_resume (fixture->recorder), ==, 0);
  g_assert_cmpint (parklane_recorder_rotate (fixture->recorder), ==, 0);
  g_assert_cmpint (parklane_recorder_flush (fixture->recorder), ==, 0);
  g_assert_cmpuint (parklane_poll_start (1, 0, 0), ==, 0);
  g_assert_cmpint (parklane_metrics_get (&metrics), ==, 0);
  g_assert_cmpuint (metrics.active_sessions, ==, 0);
  refused = ask (fixture->dir, "app", "pause\n");
  g_assert_true (g_str_has_prefix (refused, "error="));
  g_assert_cmpint (parklane_recorder_stop (fixture->recorder), ==, 0);
  fixture->recorder = NULL;

  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.lock");
}

static void
test_malformed_messages_are_harmless (Fixture *fixture, gconstpointer data)
{
  g_autofree char *junk = g_strnfill (100000, 'x');
  int silent;

  start (fixture);
  silent = connect_to (fixture->dir, "app"); /* and says nothing */
  g_assert_cmpint (silent, >=, 0);
  for (guint i = 0; i < 20; i++)
    {
      static const char *const messages[] = { "x", "\n", "status", "stop\nstop\n", "\0\0\0", "statusstatus\n" };
      const char *message = messages[i % G_N_ELEMENTS (messages)];
      g_autofree char *answer = send_bytes (fixture->dir, "app", message, 1 + strlen (message));
      g_autofree char *other = send_bytes (fixture->dir, "app", junk, (gsize) g_test_rand_int_range (1, 100000));

      if (*answer != '\0')
        g_assert_true (g_str_has_prefix (answer, "error="));
    }
  close (silent);
  request (fixture, "status\n", "recording");
}

static void
test_stale_socket_is_replaced (Fixture *fixture, gconstpointer data)
{
  PlrControlSocket stale = PLR_CONTROL_SOCKET_CLOSED;

  g_assert_cmpint (g_mkdir (fixture->dir, 0750), ==, 0);
  g_assert_cmpint (plr_control_socket_open (&stale, fixture->dir, "app"), ==, 0);
  close (stale.fd); /* as a kill does */
  g_assert_cmpint (connect_to (fixture->dir, "app"), ==, -1);
  start (fixture);

  request (fixture, "status\n", "recording");
}

static void
test_file_of_that_name_is_left_alone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->dir, "app.sock", NULL);
  g_autofree char *text = NULL;
  g_autofree char *files = NULL;

  g_assert_cmpint (g_mkdir (fixture->dir, 0750), ==, 0);
  g_assert_true (g_file_set_contents (path, "theirs", -1, NULL));
  start (fixture);
  g_assert_cmpint (parklane_recorder_stop (fixture->recorder), ==, 0);
  fixture->recorder = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "theirs");
  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.lock app.sock");
}

static void
test_comes_back_with_the_directory (Fixture *fixture, gconstpointer data)
{
  start (fixture);
  remove_tree (fixture->dir);
  await_line (fixture, "health=ok");

  request (fixture, "status\n", "recording");
}

/* Somebody puts a link in the place of the directory, which the recorder does not follow. Who does reaches it still. */
static void
test_answers_while_the_directory_is_another (Fixture *fixture, gconstpointer data)
{
  g_autofree char *moved = g_build_filename (fixture->top, "moved", NULL);

  start (fixture);
  g_assert_cmpint (g_rename (fixture->dir, moved), ==, 0);
  g_assert_cmpint (symlink (moved, fixture->dir), ==, 0);
  await_line (fixture, "health=degraded");
  for (guint i = 0; i < 3; i++) /* looks of the keeper */
    {
      g_usleep (300 * 1000);
      await_line (fixture, "health=degraded");
    }
  g_assert_cmpint (g_unlink (fixture->dir), ==, 0);
  await_line (fixture, "health=ok");
  request (fixture, "status\n", "recording");
}

static void
test_any_path_and_prefix_has_a_socket (Fixture *fixture, gconstpointer data)
{
  g_autofree char *name = g_strnfill (200, 'd');
  g_autofree char *prefix = g_strnfill (100, 'p');
  g_autofree char *answer = NULL;
  g_autofree char *path = NULL;
  g_autofree char *line = g_strconcat ("prefix=", prefix, NULL);
  GStatBuf st;

  g_free (fixture->dir);
  fixture->dir = g_build_filename (fixture->top, name, name, NULL);
  g_strlcpy (fixture->config.output_dir, fixture->dir, sizeof fixture->config.output_dir);
  g_strlcpy (fixture->config.file_prefix, prefix, sizeof fixture->config.file_prefix);
  start (fixture);

  path = g_strdup_printf ("%s/%s.sock", fixture->dir, prefix);
  g_assert_cmpint (g_lstat (path, &st), ==, 0);
  g_assert_true (S_ISSOCK (st.st_mode));
  g_assert_cmpint (g_chdir (fixture->dir), ==, 0);
  {
    g_autofree char *relative = g_strconcat (prefix, ".sock", NULL);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    g_strlcpy (address.sun_path, relative, sizeof address.sun_path);
    g_assert_cmpint (connect (fd, (const struct sockaddr *) &address, sizeof address), ==, 0);
    g_assert_cmpint (send (fd, "status\n", 7, 0), ==, 7);
    answer = g_malloc0 (PLR_CONTROL_ANSWER_SIZE);
    g_assert_cmpint (recv (fd, answer, PLR_CONTROL_ANSWER_SIZE - 1, 0), >, 0);
    close (fd);
  }
  assert_line (answer, line);
  g_assert_cmpint (g_chdir ("/"), ==, 0);
}

/* Even where somebody has opened the socket's mode, the peer's user decides. */
static void
test_other_users_are_turned_away (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->dir, "app.sock", NULL);
  int status;
  pid_t pid;

  if (geteuid () != 0)
    {
      g_test_skip ("needs root, to be another user");
      return;
    }
  start (fixture);
  g_assert_cmpint (g_chmod (fixture->top, 0755), ==, 0);
  g_assert_cmpint (g_chmod (fixture->dir, 0755), ==, 0);
  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      char buffer[16];
      int fd;

      if (setgid (65534) != 0 || setuid (65534) != 0)
        _exit (2);
      fd = connect_to (fixture->dir, "app");
      if (fd < 0)
        _exit (3);
      (void) !send (fd, "stop\n", 5, MSG_NOSIGNAL);
      _exit (recv (fd, buffer, sizeof buffer, 0) <= 0 ? 0 : 1);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);

  request (fixture, "status\n", "recording");
}

/* A child of a fork that lives on neither answers nor keeps the socket. */
static void
test_child_of_a_fork_does_not_hold_the_socket (Fixture *fixture, gconstpointer data)
{
  int hold[2];
  pid_t pid;

  g_assert_cmpint (pipe (hold), ==, 0);
  start (fixture);
  pid = fork ();
  if (pid == 0)
    {
      char byte;

      close (hold[1]);
      (void) !read (hold[0], &byte, 1);
      _exit (0);
    }
  close (hold[0]);
  g_assert_cmpint (parklane_recorder_stop (fixture->recorder), ==, 0);
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &fixture->recorder), ==, 0); /* nor the lock */
  request (fixture, "status\n", "recording");
  close (hold[1]);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/control/requests-are-one-line", test_requests_are_one_line);
  g_test_add_func ("/recorder/control/anything-else-is-refused", test_anything_else_is_refused);
  g_test_add_func ("/recorder/control/longest-answer-fits", test_longest_answer_fits);
  ADD ("/recorder/control/off-unless-configured", test_off_unless_configured);
  ADD ("/recorder/control/status-tells-the-session", test_status_tells_the_session);
  ADD ("/recorder/control/steers-the-session", test_steers_the_session);
  ADD ("/recorder/control/host-may-go-on-after-a-stop-from-outside", test_host_may_go_on_after_a_stop_from_outside);
  ADD ("/recorder/control/malformed-messages-are-harmless", test_malformed_messages_are_harmless);
  ADD ("/recorder/control/stale-socket-is-replaced", test_stale_socket_is_replaced);
  ADD ("/recorder/control/file-of-that-name-is-left-alone", test_file_of_that_name_is_left_alone);
  ADD ("/recorder/control/comes-back-with-the-directory", test_comes_back_with_the_directory);
  ADD ("/recorder/control/answers-while-the-directory-is-another", test_answers_while_the_directory_is_another);
  ADD ("/recorder/control/any-path-and-prefix-has-a-socket", test_any_path_and_prefix_has_a_socket);
  ADD ("/recorder/control/other-users-are-turned-away", test_other_users_are_turned_away);
  ADD ("/recorder/control/child-of-a-fork-does-not-hold-the-socket", test_child_of_a_fork_does_not_hold_the_socket);
  return g_test_run ();
}
