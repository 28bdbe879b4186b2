/* test-writer-sight.c: what is seen of the thread that writes, where it waits for a processor
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The writer is a thread of this process. What the clock says at a look is chosen here; that the thread has waited is what
 * the kernel tells.
 */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pl-writer-sight.h"

#define MS G_GINT64_CONSTANT (1000000)
#define DELAY_MS 50

typedef struct
{
  char *directory;
  int dir_fd;
  int segment_fd;
  PlWriterSight *sight;
  GThread *rival;
  GThread *writer;
  int tid;            /* of the writer; atomic */
  gboolean is_over;   /* atomic */
  GMutex lock;        /* of what follows */
  GCond cond;
  gboolean may_work;
  gboolean may_end;
  gboolean has_worked;
} Fixture;

static void
stay_on_one_processor (void)
{
  cpu_set_t set;

  g_assert_cmpint (sched_getaffinity (0, sizeof set, &set), ==, 0);
  for (int cpu = 0, n = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &set) && n++ > 0)
      CPU_CLR (cpu, &set);
  g_assert_cmpint (sched_setaffinity (0, sizeof set, &set), ==, 0);
}

static gint64
read_delay_ns (int tid)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/schedstat", tid);
  g_autofree char *text = NULL;
  gint64 run_ns;
  gint64 delay_ns;

  if (!g_file_get_contents (path, &text, NULL, NULL)
      || sscanf (text, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, &run_ns, &delay_ns) != 2)
    return -1;
  return delay_ns;
}

static gpointer
compete (gpointer data)
{
  Fixture *self = data;

  stay_on_one_processor ();
  while (!g_atomic_int_get (&self->is_over))
    ;
  return NULL;
}

static void
await (Fixture *self, const gboolean *condition)
{
  g_mutex_lock (&self->lock);
  while (!*condition)
    g_cond_wait (&self->cond, &self->lock);
  g_mutex_unlock (&self->lock);
}

static void
allow (Fixture *self, gboolean *condition)
{
  g_mutex_lock (&self->lock);
  *condition = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

/* Works until it had to wait long enough for the processor that it shares; sleeps before and after. */
static gpointer
write_late (gpointer data)
{
  Fixture *self = data;
  int tid = (int) syscall (SYS_gettid);
  gint64 delay_ns;

  stay_on_one_processor ();
  g_atomic_int_set (&self->tid, tid);
  await (self, &self->may_work);
  delay_ns = read_delay_ns (tid);
  for (gint64 until_ns = delay_ns + DELAY_MS * MS; delay_ns >= 0 && delay_ns < until_ns;)
    delay_ns = read_delay_ns (tid);
  allow (self, &self->has_worked);
  await (self, &self->may_end);
  return NULL;
}

static void
wait_until_asleep (Fixture *self)
{
  g_autofree char *path = NULL;

  while (g_atomic_int_get (&self->tid) == 0)
    g_thread_yield ();
  path = g_strdup_printf ("/proc/self/task/%d/stat", self->tid);
  for (gboolean is_asleep = FALSE; !is_asleep;)
    {
      g_autofree char *text = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      is_asleep = strstr (text, ") S ") != NULL;
    }
}

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autofree char *path = NULL;

  self->directory = g_dir_make_tmp ("parklane-sight-XXXXXX", NULL);
  self->dir_fd = open (self->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  path = g_build_filename (self->directory, "trace.0.bin.active", NULL);
  self->segment_fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  g_assert_cmpint (self->segment_fd, >=, 0);
  self->sight = pl_writer_sight_new ();
  self->rival = g_thread_new ("rival", compete, self);
  self->writer = g_thread_new ("parklane", write_late, self);
  wait_until_asleep (self);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->directory, "trace.0.bin.active", NULL);

  allow (self, &self->may_work);
  allow (self, &self->may_end);
  g_thread_join (self->writer);
  g_atomic_int_set (&self->is_over, TRUE);
  g_thread_join (self->rival);
  pl_writer_sight_free (self->sight);
  close (self->segment_fd);
  close (self->dir_fd);
  g_unlink (path);
  g_rmdir (self->directory);
  g_free (self->directory);
}

static PlProcessState
look (Fixture *self, gboolean is_frozen, gint64 at_ms)
{
  PlDirScan scan = { .mono_ns = at_ms * MS };

  pl_writer_sight_look (self->sight, self->dir_fd, NULL, self->segment_fd, is_frozen, &scan);
  return scan.process;
}

static gboolean
is_told_delays (Fixture *self)
{
  if (read_delay_ns (self->tid) >= 0)
    return TRUE;
  g_test_skip ("the kernel does not tell for how long a thread has waited");
  return FALSE;
}

static void
work (Fixture *self)
{
  allow (self, &self->may_work);
  await (self, &self->has_worked);
  wait_until_asleep (self);
}

static void
test_sleeper_is_not_starved (Fixture *self, gconstpointer data)
{
  look (self, FALSE, 1000);
  g_assert_cmpint (look (self, TRUE, 2000), ==, PL_PROCESS_RUNS);
  g_assert_cmpint (look (self, TRUE, 2001), ==, PL_PROCESS_RUNS);
}

/* Seen asleep whenever it is looked at, and right after another look. */
static void
test_delay_counts_since_it_wrote (Fixture *self, gconstpointer data)
{
  if (!is_told_delays (self))
    return;
  look (self, FALSE, 1000);
  work (self);
  g_assert_cmpint (look (self, TRUE, 1000 + 2 * DELAY_MS), ==, PL_PROCESS_STARVED);
  g_assert_cmpint (look (self, TRUE, 1001 + 2 * DELAY_MS), ==, PL_PROCESS_STARVED);
  g_assert_cmpint (look (self, TRUE, 1000 + 3 * DELAY_MS), ==, PL_PROCESS_STARVED);
}

static void
test_delay_is_a_share_of_the_time (Fixture *self, gconstpointer data)
{
  if (!is_told_delays (self))
    return;
  look (self, FALSE, 1000);
  work (self);
  g_assert_cmpint (look (self, TRUE, 1000 + 280 * DELAY_MS), ==, PL_PROCESS_RUNS);
}

static void
test_delay_before_it_wrote_is_forgotten (Fixture *self, gconstpointer data)
{
  if (!is_told_delays (self))
    return;
  look (self, FALSE, 1000);
  work (self);
  look (self, FALSE, 1000 + 2 * DELAY_MS);
  /* What it waited for while it wrote may be why it does not any more. */
  g_assert_cmpint (look (self, TRUE, 1001 + 2 * DELAY_MS), ==, PL_PROCESS_STARVED);
  look (self, FALSE, 1002 + 2 * DELAY_MS);
  g_assert_cmpint (look (self, TRUE, 1003 + 2 * DELAY_MS), ==, PL_PROCESS_RUNS);
}

static void
test_delay_of_long_ago_is_forgotten (Fixture *self, gconstpointer data)
{
  if (!is_told_delays (self))
    return;
  look (self, FALSE, 1000);
  work (self);
  g_assert_cmpint (look (self, TRUE, 1000 + 2 * DELAY_MS), ==, PL_PROCESS_STARVED);
  look (self, TRUE, 20000);
  look (self, TRUE, 40000);
  g_assert_cmpint (look (self, TRUE, 40001), ==, PL_PROCESS_RUNS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define CASE(name, function) g_test_add ("/watch/writer-sight/" name, Fixture, NULL, set_up, function, tear_down)
  CASE ("sleeper-is-not-starved", test_sleeper_is_not_starved);
  CASE ("delay-counts-since-it-wrote", test_delay_counts_since_it_wrote);
  CASE ("delay-is-a-share-of-the-time", test_delay_is_a_share_of_the_time);
  CASE ("delay-before-it-wrote-is-forgotten", test_delay_before_it_wrote_is_forgotten);
  CASE ("delay-of-long-ago-is-forgotten", test_delay_of_long_ago_is_forgotten);
#undef CASE
  return g_test_run ();
}
