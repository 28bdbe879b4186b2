/* test-kills.c: a kill at any moment loses nothing of a crash-safe session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The demo counts what it has recorded in a mapped file, which a kill leaves as it was: each event there must be in
 * the segments, and none twice.
 */
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "demo/tally.h"
#include "io.h"
#include "recording.h"
#include "shelter-layout.h"
#include "trace-reader.h"

#define N_WORKERS 2

typedef struct
{
  char *dir;
  char *log;
} Fixture;

/* What one run has logged, or what its segments hold. */
typedef struct
{
  guint64 n_polls[N_WORKERS];
  guint64 n_events; /* of all threads */
  guint64 n_lost;   /* inside gaps */
} Account;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->dir = g_dir_make_tmp ("parklane-kills-XXXXXX", NULL);
  fixture->log = g_build_filename (fixture->dir, "log", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_tree (fixture->dir);
  g_free (fixture->log);
  g_free (fixture->dir);
}

static Account
read_log (Fixture *fixture)
{
  g_autofree char *data = NULL;
  Account account = { 0 };
  gsize size = 0;

  if (!g_file_get_contents (fixture->log, &data, &size, NULL) || size < (N_WORKERS + 1) * sizeof (Tally))
    return account;
  for (guint i = 0; i <= N_WORKERS; i++)
    {
      Tally tally;

      memcpy (&tally, data + i * sizeof tally, sizeof tally);
      account.n_events += tally.n_recorded;
      if (i < N_WORKERS)
        account.n_polls[i] = tally.n_polls;
    }
  return account;
}

static GPid
start_demo (Fixture *fixture, const char *rate, const char *crash_safe)
{
  g_autofree char *demo = g_build_filename (g_getenv ("PARKLANE_BUILD_DIR"), "recorder", "demo", "parklane-demo", NULL);
  const char *argv[] = { demo, "--output", fixture->dir, "--prefix", "app", "--workers", G_STRINGIFY (N_WORKERS), "--rate",
                         rate, "--seconds", "600", "--log", fixture->log, NULL };
  g_auto(GStrv) environment = g_environ_setenv (g_get_environ (), "PARKLANE_CRASH_SAFE", crash_safe, TRUE);
  g_autoptr(GError) error = NULL;
  GPid pid;

  environment = g_environ_setenv (environment, "PARKLANE_MAX_FILE_SIZE", "262144", TRUE); /* rotations among the kills */
  environment = g_environ_setenv (environment, "PARKLANE_ROTATION_COUNT", "100000", TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_COMPRESS", "none", TRUE);
  g_unlink (fixture->log);
  g_spawn_async (NULL, (char **) argv, environment,
                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &pid,
                 &error);
  g_assert_no_error (error);
  return pid;
}

/* Kills the demo when it has recorded @n_events or more. What it has logged by then. */
static Account
kill_after (Fixture *fixture, GPid pid, guint64 n_events)
{
  while (read_log (fixture).n_events < n_events)
    {
      g_assert_cmpint (waitpid (pid, NULL, WNOHANG), ==, 0);
      g_usleep (200);
    }
  kill (pid, SIGKILL);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  return read_log (fixture);
}

static void
add_segment (Account *account, const Trace *trace)
{
  for (guint i = 0; i < trace->events->len; i++)
    {
      const Event *event = trace_get (trace, i);

      account->n_events += event_is_recorded (event);
      if (g_str_equal (event->name, "PollEndEvent") && event_number (event, "worker_id") < N_WORKERS)
        account->n_polls[event_number (event, "worker_id")]++;
      if (g_str_equal (event->name, "ParklaneGapEvent"))
        account->n_lost += event_number (event, "dropped");
    }
}

/* What the segments of each process hold, by its number. */
static GHashTable *
read_segments (Fixture *fixture)
{
  GHashTable *accounts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr(GDir) handle = g_dir_open (fixture->dir, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (handle)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->dir, name, NULL);
      g_autoptr(Trace) trace = NULL;
      Account *account;
      gpointer pid;

      if (!g_str_has_suffix (name, ".bin"))
        continue;
      trace = trace_read_file (path, FALSE);
      pid = GINT_TO_POINTER (atoi (g_hash_table_lookup (trace->metadata, "parklane.pid")));
      account = g_hash_table_lookup (accounts, pid);
      if (account == NULL)
        g_hash_table_insert (accounts, pid, account = g_new0 (Account, 1));
      add_segment (account, trace);
    }
  return accounts;
}

static void
assert_nothing_lost (const Account *logged, const Account *found)
{
  g_assert_cmpuint (found->n_lost, ==, 0);
  g_assert_cmpuint (found->n_events, >=, logged->n_events);
  g_assert_cmpuint (found->n_events, <=, logged->n_events + N_WORKERS + 1); /* recorded, and killed before it was logged */
  for (guint i = 0; i < N_WORKERS; i++)
    {
      g_assert_cmpuint (found->n_polls[i], >=, logged->n_polls[i]);
      g_assert_cmpuint (found->n_polls[i], <=, logged->n_polls[i] + 1);
    }
}

static void
recover (Fixture *fixture)
{
  g_assert_cmpint (parklane_recover (fixture->dir, NULL, NULL, NULL), >=, 0);
  g_assert_cmpint (parklane_recover (fixture->dir, NULL, NULL, NULL), ==, 0); /* it is gone from memory */
}

static void
test_crash_safe_kills_lose_nothing (Fixture *fixture, gconstpointer data)
{
  const guint n_kills = 200;
  g_autofree Account *logged = g_new0 (Account, n_kills);
  g_autofree GPid *pids = g_new0 (GPid, n_kills);
  g_autoptr(GHashTable) accounts = NULL;
  guint64 n_events = 0;

  for (guint i = 0; i < n_kills; i++)
    {
      pids[i] = start_demo (fixture, i % 4 == 0 ? "1000000" : "100000", "true");
      logged[i] = kill_after (fixture, pids[i], (guint64) g_test_rand_int_range (1, i % 4 == 0 ? 20000 : 2000));
      n_events += logged[i].n_events;
    }
  recover (fixture);
  accounts = read_segments (fixture);

  for (guint i = 0; i < n_kills; i++)
    {
      const Account *found = g_hash_table_lookup (accounts, GINT_TO_POINTER (pids[i]));

      g_assert_nonnull (found);
      assert_nothing_lost (&logged[i], found);
    }
  g_test_message ("%" G_GUINT64_FORMAT " events in %u killed runs", n_events, n_kills);
}

/* Without shared memory: what is in the file reads, nothing is there twice, and the next start adopts it. */
static void
test_other_kills_double_nothing (Fixture *fixture, gconstpointer data)
{
  const guint n_kills = 20;
  Account logged[20];
  GPid pids[20];
  g_autoptr(GHashTable) accounts = NULL;

  for (guint i = 0; i < n_kills; i++)
    {
      pids[i] = start_demo (fixture, "200000", "false");
      logged[i] = kill_after (fixture, pids[i], (guint64) g_test_rand_int_range (1, 10000));
    }
  kill_after (fixture, start_demo (fixture, "1000", "false"), 1); /* adopts the last one */
  accounts = read_segments (fixture);

  for (guint i = 0; i < n_kills; i++)
    {
      const Account *found = g_hash_table_lookup (accounts, GINT_TO_POINTER (pids[i]));

      if (found != NULL)
        g_assert_cmpuint (found->n_events, <=, logged[i].n_events + N_WORKERS + 1);
    }
}

static gint writes_left;

static ssize_t
write_or_die (int fd, const void *data, size_t size, off_t offset)
{
  if (--writes_left < 0)
    raise (SIGKILL);
  return pwrite (fd, data, size, offset);
}

/* The rescue is killed in its turn, again and again: the one that comes through writes each event once. */
static void
test_killed_rescues_double_nothing (Fixture *fixture, gconstpointer data)
{
  g_autoptr(Trace) trace = NULL;
  Account found = { 0 };
  Account logged;
  GPid pid;

  SKIP_WITHOUT_FORK;
  pid = start_demo (fixture, "1000000", "true");
  logged = kill_after (fixture, pid, 50000);
  for (guint i = 1; i < 4; i++)
    {
      int status;
      pid_t child = fork ();

      if (child == 0)
        {
          writes_left = (gint) i;
          plr_io.pwrite = write_or_die;
          _exit (parklane_recover (fixture->dir, NULL, NULL, NULL) >= 0 ? 0 : 1); /* it may have had less to write */
        }
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      g_assert_true (status == 0 || (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL));
    }
  g_assert_cmpint (parklane_recover (fixture->dir, NULL, NULL, NULL), >=, 0);

  trace = trace_read_session (fixture->dir, "app");
  add_segment (&found, trace);
  assert_nothing_lost (&logged, &found);
}

/* Whatever lies in shared memory under the right size is looked at, and found wanting. */
static void
test_foreign_memory_is_left_alone (Fixture *fixture, gconstpointer data)
{
  int id = shmget (IPC_PRIVATE, sizeof (PlrShelterRoot), IPC_CREAT | 0600);
  guint8 *memory;

  if (id < 0)
    {
      g_test_skip ("no System V shared memory here");
      return;
    }
  memory = shmat (id, NULL, 0);
  for (gsize i = 0; i < sizeof (PlrShelterRoot); i++)
    memory[i] = (guint8) g_test_rand_int ();
  g_assert_cmpint (shmdt (memory), ==, 0);
  g_assert_cmpint (parklane_recover (fixture->dir, NULL, NULL, NULL), ==, 0);
  g_assert_cmpint (shmctl (id, IPC_RMID, NULL), ==, 0); /* it is there still */
}

/* Turns some bytes of what a process left into others, most of them where counts and positions lie. Or removes it. */
static void
corrupt_memory (pid_t pid, time_t begin_s, gboolean removes)
{
  struct shm_info info;
  int last = shmctl (0, SHM_INFO, (struct shmid_ds *) &info);

  for (int i = 0; i <= last; i++)
    {
      struct shmid_ds segment;
      int id = shmctl (i, SHM_STAT, &segment);
      guint8 *memory;

      if (id < 0 || segment.shm_cpid != pid || segment.shm_ctime < begin_s)
        continue;
      if (removes)
        {
          g_assert_cmpint (shmctl (id, IPC_RMID, NULL), ==, 0);
          continue;
        }
      memory = shmat (id, NULL, 0);
      for (guint k = 0; k < 40; k++)
        {
          gsize span = g_test_rand_bit () ? 8192 : segment.shm_segsz;

          /* past the header, which tells strangers from ours */
          memory[g_test_rand_int_range (sizeof (PlrShelterHeader), (gint32) MIN (span, segment.shm_segsz))]
            = (guint8) g_test_rand_int_range (0, 256);
        }
      g_assert_cmpint (shmdt (memory), ==, 0);
    }
}

/* Makes the memory of a process look as if another version had left it, whose layout nobody here knows. */
static void
age_memory (pid_t pid, time_t begin_s)
{
  struct shm_info info;
  int last = shmctl (0, SHM_INFO, (struct shmid_ds *) &info);

  for (int i = 0; i <= last; i++)
    {
      struct shmid_ds segment;
      int id = shmctl (i, SHM_STAT, &segment);
      PlrShelterLabel *label;

      if (id < 0 || segment.shm_cpid != pid || segment.shm_ctime < begin_s)
        continue;
      label = shmat (id, NULL, 0);
      label->header.layout ^= 1;
      if (label->is_root == PLR_SHELTER_IS_ROOT)
        g_strlcpy (label->version, "0.0.7", sizeof label->version);
      g_assert_cmpint (shmdt (label), ==, 0);
    }
}

static void
append_message (ParklaneLogLevel level, const char *message, void *data)
{
  g_string_append_printf (data, "%s\n", message);
}

/* It cannot be read, so it is neither passed over in silence nor taken away from whoever can. */
static void
test_memory_of_another_version_is_told_of (Fixture *fixture, gconstpointer data)
{
  g_autoptr(GString) messages = g_string_new (NULL);
  g_autoptr(GString) others = g_string_new (NULL);
  g_autofree char *process = NULL;
  time_t begin_s = time (NULL);
  GPid pid = start_demo (fixture, "100000", "true");
  guint n_segments;

  kill_after (fixture, pid, 100);
  n_segments = count_shared_memory (pid, begin_s);
  if (n_segments == 0)
    {
      g_test_skip ("no System V shared memory here");
      return;
    }
  age_memory (pid, begin_s);
  g_assert_cmpint (parklane_recover (fixture->dir, NULL, append_message, messages), ==, -EOPNOTSUPP);
  process = g_strdup_printf ("process %d,", pid);
  g_assert_nonnull (strstr (messages->str, process));
  g_assert_nonnull (strstr (messages->str, "another version of the recorder (0.0.7;"));
  g_assert_cmpint (parklane_recover (fixture->dir, "other", append_message, others), ==, 0);
  g_assert_cmpstr (others->str, ==, "");
  g_assert_cmpuint (count_shared_memory (pid, begin_s), ==, n_segments);

  age_memory (pid, begin_s); /* back into this version's */
  g_assert_cmpint (parklane_recover (fixture->dir, "app", NULL, NULL), >=, 0);
  g_assert_cmpuint (count_shared_memory (pid, begin_s), ==, 0);
}

/* Whatever somebody has made of the memory: no crash, no endless work, and the next start is free of it. */
static void
test_corrupt_memory_is_survived (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 30; i++)
    {
      time_t begin_s = time (NULL);
      GPid pid = start_demo (fixture, "100000", "true");

      kill_after (fixture, pid, 100);
      corrupt_memory (pid, begin_s, FALSE);
      (void) parklane_recover (fixture->dir, NULL, NULL, NULL); /* an error or a number */
      g_assert_cmpint (parklane_recover (fixture->dir, "other", NULL, NULL), ==, 0);
      corrupt_memory (pid, begin_s, TRUE); /* what was not known as ours any more */
    }
}

/* A process that ends in order leaves no shared memory behind, with or without a stop and a new start in between. */
static void
test_end_in_order_leaves_no_memory (Fixture *fixture, gconstpointer data)
{
  time_t begin_s = time (NULL);
  GPid pid = start_demo (fixture, "1000", "true");
  int status;

  while (read_log (fixture).n_events == 0)
    g_usleep (200);
  g_assert_cmpuint (count_shared_memory (pid, begin_s), >, 0);
  kill (pid, SIGTERM);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpuint (count_shared_memory (pid, begin_s), ==, 0);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/recorder/kills/crash-safe-kills-lose-nothing", test_crash_safe_kills_lose_nothing);
  ADD ("/recorder/kills/other-kills-double-nothing", test_other_kills_double_nothing);
  ADD ("/recorder/kills/killed-rescues-double-nothing", test_killed_rescues_double_nothing);
  ADD ("/recorder/kills/foreign-memory-is-left-alone", test_foreign_memory_is_left_alone);
  ADD ("/recorder/kills/memory-of-another-version-is-told-of", test_memory_of_another_version_is_told_of);
  ADD ("/recorder/kills/corrupt-memory-is-survived", test_corrupt_memory_is_survived);
  ADD ("/recorder/kills/end-in-order-leaves-no-memory", test_end_in_order_leaves_no_memory);
  return g_test_run ();
}
