/* pl-writer-sight.c: the process that writes a session, as far as it can be seen
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Found by the lock it holds, or by its descriptor of the segment. That nobody holds the segment proves something only
 * where every process could be asked: as root, outside of containers and sandboxes, on a local disk.
 */
#include "config.h"

#include "pl-writer-sight.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pl-segment-name.h"
#include "pl-session-lock.h"

/* The number of the first process namespace, fixed in the kernel's interface (PROC_PID_INIT_INO). */
#define FIRST_NAMESPACE "pid:[4026531836]"

/* All descriptors of all processes are not looked through more often than this. */
#define SEARCH_NS (G_GINT64_CONSTANT (5) * 1000000000)
#define LEISURE_NS (G_GINT64_CONSTANT (60) * 1000000000)

/* Who waits for a processor for more than this share of the time is kept from writing by others. One that rests or waits
 * for something else has next to none. What was longer ago than twice this span does not count. */
#define DELAY_SHARE 4
#define DELAY_SPAN_NS (G_GINT64_CONSTANT (15) * 1000000000)

/* What our recorder calls the thread that writes. */
#define WRITER_THREAD "parklane"

/* For how long a thread has waited for a processor, ever, and when that was seen: monotonic, 0 = never. */
typedef struct
{
  guint64 delay_ns;
  gint64 seen_ns;
} Delay;

struct _PlWriterSight
{
  PlSessionLock lock;
  guint32 pid;            /* seen to hold the lock or the segment, or 0 */
  guint64 started;        /* when that process began, to know it from a later one of the same number */
  gint64 searched_ns;     /* monotonic; 0 = never */
  gboolean has_seen_all;  /* in the last search */
  gboolean is_first_namespace;
  char *schedstat_path;   /* of the thread that writes, or NULL */
  gboolean was_thread_sought;
  Delay before;           /* of that thread, when it was last seen to write or one to two spans ago */
  Delay next;             /* what comes to be the one before */
  char *lost_path;        /* in /proc, of a segment that was deleted before anybody looked, or NULL */
};

PlWriterSight *
pl_writer_sight_new (void)
{
  PlWriterSight *self = g_new0 (PlWriterSight, 1);
  g_autofree char *name_space = g_file_read_link ("/proc/self/ns/pid", NULL);

  self->is_first_namespace = g_strcmp0 (name_space, FIRST_NAMESPACE) == 0;
  return self;
}

void
pl_writer_sight_free (PlWriterSight *self)
{
  g_free (self->schedstat_path);
  g_free (self->lost_path);
  g_free (self);
}

/* ---- which process ---- */

/* When a process began, in the kernel's ticks; 0 when it is gone. proc(5): the state is the third word, this the 22nd. */
static guint64
read_start (guint32 pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%u/stat", pid);
  g_autofree char *text = NULL;
  g_auto(GStrv) words = NULL;
  const char *name_end;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (name_end = strrchr (text, ')')) == NULL)
    return 0;
  words = g_strsplit (name_end, " ", -1);
  return g_strv_length (words) > 20 ? g_ascii_strtoull (words[20], NULL, 10) : 0;
}

static void
remember (PlWriterSight *self, guint32 pid)
{
  self->pid = pid;
  self->started = read_start (pid);
  g_clear_pointer (&self->schedstat_path, g_free);
  self->was_thread_sought = FALSE;
  self->before.seen_ns = 0;
}

/* ---- who holds the segment ---- */

/* FALSE when the process's descriptors cannot be looked at; one that ends meanwhile has none. */
static gboolean
holds (const char *pid, const struct stat *segment, gboolean *out_holds)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/fd", pid);
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  *out_holds = FALSE;
  if (dir == NULL)
    return access (path, F_OK) < 0 && errno == ENOENT;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *fd_path = g_build_filename (path, name, NULL);
      struct stat link;
      struct stat info;

      /* The link's own mode says what it was opened for: proc(5). Readers, as we are one, do not count. */
      if (lstat (fd_path, &link) == 0 && (link.st_mode & S_IWUSR) != 0 && stat (fd_path, &info) == 0
          && info.st_dev == segment->st_dev && info.st_ino == segment->st_ino)
        {
          *out_holds = TRUE;
          return TRUE;
        }
    }
  return TRUE;
}

/* The process that holds the segment, or 0. */
static guint32
search (PlWriterSight *self, const struct stat *segment)
{
  g_autoptr(GDir) dir = g_dir_open ("/proc", 0, NULL);
  guint32 found = 0;
  const char *name;

  /* Where processes of others are hidden, the first is as well. */
  self->has_seen_all = self->is_first_namespace && access ("/proc/1/stat", R_OK) == 0;
  while (dir != NULL && found == 0 && (name = g_dir_read_name (dir)) != NULL)
    {
      gboolean holds_it;
      guint64 pid;

      if (!g_ascii_string_to_unsigned (name, 10, 1, G_MAXINT32, &pid, NULL))
        continue;
      if (!holds (name, segment, &holds_it))
        self->has_seen_all = FALSE;
      if (holds_it)
        found = (guint32) pid;
    }
  return found;
}

/* ---- what it does ---- */

/* State and name of a thread or process; FALSE when it is gone. */
static gboolean
read_stat (const char *path, char *out_state, gboolean *out_is_writer)
{
  g_autofree char *text = NULL;
  const char *from;
  const char *to;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  from = strchr (text, '(');
  to = strrchr (text, ')');
  if (from == NULL || to == NULL || to[1] != ' ' || to[2] == '\0')
    return FALSE;
  *out_state = to[2];
  *out_is_writer = to - from - 1 == (gssize) strlen (WRITER_THREAD)
                   && strncmp (from + 1, WRITER_THREAD, strlen (WRITER_THREAD)) == 0;
  return TRUE;
}

/* Linux's sched-stats: the second number is the time spent ready to run. It is added once the thread runs again. */
static gboolean
read_delay (const PlWriterSight *self, gint64 mono_ns, Delay *out_delay)
{
  g_autofree char *text = NULL;
  guint64 run_ns;

  out_delay->seen_ns = mono_ns;
  return self->schedstat_path != NULL && g_file_get_contents (self->schedstat_path, &text, NULL, NULL)
         && sscanf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, &run_ns, &out_delay->delay_ns) == 2;
}

/* Whether the thread that writes had to wait for a processor for much of the time since it last wrote. Its state shows that
 * only while it waits, and who is late by a second may be seen asleep a moment before the next; so may the time since the
 * last look be a moment without any delay. */
static gboolean
was_delayed (PlWriterSight *self, gint64 mono_ns)
{
  Delay now;

  if (!read_delay (self, mono_ns, &now))
    return FALSE;
  if (self->before.seen_ns == 0)
    self->before = self->next = now;
  if (mono_ns - self->next.seen_ns > DELAY_SPAN_NS)
    {
      self->before = self->next;
      self->next = now;
    }
  return now.delay_ns > self->before.delay_ns
         && now.delay_ns - self->before.delay_ns > (guint64) (mono_ns - self->before.seen_ns) / DELAY_SHARE;
}

/* Seeks the thread that writes, once for each process: it may have many. */
static void
seek_thread (PlWriterSight *self)
{
  g_autofree char *path = g_strdup_printf ("/proc/%u/task", self->pid);
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  self->was_thread_sought = TRUE;
  while (dir != NULL && self->schedstat_path == NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *stat_path = g_build_filename (path, name, "stat", NULL);
      gboolean is_writer;
      char state;

      if (read_stat (stat_path, &state, &is_writer) && is_writer)
        self->schedstat_path = g_build_filename (path, name, "schedstat", NULL);
    }
}

/* The last look saw it write: what it had to wait for before that is over. */
static void
forget_delay (PlWriterSight *self, gint64 mono_ns)
{
  Delay now;

  if (self->pid != 0 && !self->was_thread_sought)
    seek_thread (self);
  if (!read_delay (self, mono_ns, &now))
    return;
  self->before = self->before.seen_ns == 0 ? now : self->next;
  self->next = now;
}

static PlProcessState
look_at_threads (PlWriterSight *self, gint64 mono_ns)
{
  g_autofree char *path = g_strdup_printf ("/proc/%u/task", self->pid);
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  gboolean are_all_stopped = TRUE;
  gboolean is_any_on_disk = FALSE;
  gboolean has_writer = FALSE;
  gboolean is_writer_on_disk = FALSE;
  gboolean is_writer_ready = FALSE;
  const char *name;

  if (dir == NULL)
    return PL_PROCESS_RUNS;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *stat_path = g_build_filename (path, name, "stat", NULL);
      gboolean is_writer;
      char state;

      if (!read_stat (stat_path, &state, &is_writer))
        continue;
      are_all_stopped &= state == 'T' || state == 't';
      is_any_on_disk |= state == 'D';
      has_writer |= is_writer;
      is_writer_on_disk |= is_writer && state == 'D';
      is_writer_ready |= is_writer && state == 'R';
      if (is_writer && self->schedstat_path == NULL)
        self->schedstat_path = g_build_filename (path, name, "schedstat", NULL);
    }
  if (are_all_stopped)
    return PL_PROCESS_STOPPED;
  if (was_delayed (self, mono_ns) || is_writer_ready)
    return PL_PROCESS_STARVED;
  return is_writer_on_disk || (!has_writer && is_any_on_disk) ? PL_PROCESS_ON_DISK : PL_PROCESS_RUNS;
}

static PlProcessState
look_at_process (PlWriterSight *self, gint64 mono_ns)
{
  g_autofree char *path = g_strdup_printf ("/proc/%u/stat", self->pid);
  gboolean is_writer;
  char state;

  if (!read_stat (path, &state, &is_writer))
    return access ("/proc/self/stat", R_OK) == 0 ? PL_PROCESS_GONE : PL_PROCESS_HIDDEN;
  if (state == 'Z' || state == 'X' || read_start (self->pid) != self->started)
    return PL_PROCESS_GONE;
  return look_at_threads (self, mono_ns);
}

/* Whether the process known from before still holds the segment; where that cannot be seen, it does. */
static gboolean
still_holds (PlWriterSight *self, const struct stat *segment)
{
  g_autofree char *name = g_strdup_printf ("%u", self->pid);
  gboolean holds_it;

  return !holds (name, segment, &holds_it) || holds_it;
}

/* Seeks who holds the segment. One that held it before may be between two, or have given it up. */
static PlProcessState
find_holder (PlWriterSight *self, const struct stat *segment, gboolean is_frozen, gint64 mono_ns)
{
  gint64 pause_ns = is_frozen ? SEARCH_NS : LEISURE_NS;
  guint32 found = 0;

  if (self->pid != 0 && still_holds (self, segment))
    return look_at_process (self, mono_ns);
  if (self->searched_ns == 0 || mono_ns - self->searched_ns >= pause_ns)
    {
      self->searched_ns = mono_ns;
      found = search (self, segment);
    }
  if (found != 0)
    remember (self, found);
  if (self->pid != 0)
    return look_at_process (self, mono_ns);
  return self->has_seen_all ? PL_PROCESS_GONE : PL_PROCESS_HIDDEN;
}

/**
 * pl_writer_sight_look:
 * @dir_fd: the session's directory
 * @prefix: (nullable): of its segments
 * @segment_fd: the segment that is being written, -1 when there is none
 * @is_frozen: nothing was written lately; else there is no need to know more than who it is
 * @scan: gets the lock's and the process's state
 */
void
pl_writer_sight_look (PlWriterSight *self, int dir_fd, const char *prefix, int segment_fd, gboolean is_frozen,
                      PlDirScan *scan)
{
  gboolean is_shared = pl_session_lock_is_shared_fs (dir_fd);
  guint32 holder = 0;
  struct stat segment;

  self->lock.was_tried &= is_frozen;
  if (!is_frozen)
    forget_delay (self, scan->mono_ns);
  if (prefix != NULL && is_frozen)
    scan->lock = pl_session_lock_look (&self->lock, dir_fd, prefix, scan->wall_ns, &holder);
  if (holder != 0)
    {
      if (holder != self->pid)
        remember (self, holder);
      scan->pid = holder;
      scan->process = look_at_process (self, scan->mono_ns);
      return;
    }
  /* Nothing is held: there is no segment, or its writer has closed it and waits until it can write. */
  if (is_frozen && self->pid != 0 && (segment_fd < 0 || scan->lock == PL_LOCK_FREE))
    {
      scan->process = look_at_process (self, scan->mono_ns);
      scan->pid = self->pid;
      return;
    }
  if (segment_fd < 0 || fstat (segment_fd, &segment) < 0 || (!is_frozen && self->searched_ns != 0))
    return;

  scan->process = find_holder (self, &segment, is_frozen, scan->mono_ns);
  scan->pid = self->pid;
  /* On a disk that others use too, that nobody here holds the segment says nothing. */
  if (scan->process == PL_PROCESS_GONE && is_shared)
    scan->process = PL_PROCESS_HIDDEN;
}

/* ---- a session that was deleted before anybody looked ---- */

/* The kernel names what a descriptor leads to by where it was, with this behind it: proc_pid_fd(5). */
#define DELETED " (deleted)"

/* Whether the link is of a deleted segment of @directory that is being written. */
static gboolean
is_lost_segment (const char *link, const char *directory, guint64 *out_index)
{
  g_autofree char *target = g_file_read_link (link, NULL);
  g_autofree char *folder = NULL;
  g_autofree char *name = NULL;
  PlSegmentName segment;
  gboolean is_active;

  if (target == NULL || !g_str_has_suffix (target, DELETED))
    return FALSE;
  target[strlen (target) - strlen (DELETED)] = '\0';
  folder = g_path_get_dirname (target);
  name = g_path_get_basename (target);
  if (strcmp (folder, directory) != 0 || !pl_segment_name_parse (name, &segment))
    return FALSE;
  is_active = strcmp (segment.suffix, ".bin.active") == 0;
  *out_index = segment.index;
  pl_segment_name_clear (&segment);
  return is_active;
}

/* Of @pid: its descriptor of such a segment, or NULL. */
static char *
find_lost_of (const char *pid, const char *directory)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/fd", pid);
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *link = g_build_filename (path, name, NULL);
      guint64 index;

      if (is_lost_segment (link, directory, &index))
        return g_steal_pointer (&link);
    }
  return NULL;
}

static void
search_lost (PlWriterSight *self, const char *directory)
{
  g_autoptr(GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while (dir != NULL && self->lost_path == NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      guint64 pid;

      if (!g_ascii_string_to_unsigned (name, 10, 1, G_MAXINT32, &pid, NULL))
        continue;
      self->lost_path = find_lost_of (name, directory);
      if (self->lost_path != NULL)
        remember (self, (guint32) pid);
    }
}

/* As the kernel would name it: what leads there may be a link, and it itself may be gone. */
static char *
resolve (const char *directory)
{
  g_autofree char *absolute = g_canonicalize_filename (directory, NULL);
  g_autofree char *parent = g_path_get_dirname (absolute);
  g_autofree char *name = g_path_get_basename (absolute);
  g_autofree char *real = realpath (absolute, NULL);
  g_autofree char *real_parent = realpath (parent, NULL);

  if (real != NULL)
    return g_steal_pointer (&real);
  return g_build_filename (real_parent != NULL ? real_parent : parent, name, NULL);
}

/* A directory that is younger than the segment is not the one that it lay in. */
static gboolean
is_younger (const char *directory, const char *segment)
{
  struct statx first;
  struct statx second;

  if (statx (AT_FDCWD, directory, 0, STATX_BTIME, &first) < 0 || statx (AT_FDCWD, segment, 0, STATX_BTIME, &second) < 0
      || (first.stx_mask & second.stx_mask & STATX_BTIME) == 0)
    return TRUE;
  return first.stx_btime.tv_sec != second.stx_btime.tv_sec ? first.stx_btime.tv_sec > second.stx_btime.tv_sec
                                                           : first.stx_btime.tv_nsec > second.stx_btime.tv_nsec;
}

/**
 * pl_writer_sight_seek_lost:
 * @directory: in which there is no segment, if it exists at all
 * @scan: gets what is found
 *
 * Seeks a process that goes on writing a segment of @directory that somebody deleted before anybody looked.
 */
void
pl_writer_sight_seek_lost (PlWriterSight *self, const char *directory, PlDirScan *scan)
{
  g_autofree char *real = resolve (directory);

  if (self->lost_path != NULL && !is_lost_segment (self->lost_path, real, &scan->lost_index))
    g_clear_pointer (&self->lost_path, g_free);
  if (self->lost_path == NULL && (self->searched_ns == 0 || scan->mono_ns - self->searched_ns >= SEARCH_NS))
    {
      self->searched_ns = scan->mono_ns;
      search_lost (self, real);
    }
  if (self->lost_path == NULL || !is_lost_segment (self->lost_path, real, &scan->lost_index))
    return;
  scan->has_lost_session = TRUE;
  scan->is_lost_dir = is_younger (real, self->lost_path);
  scan->process = look_at_process (self, scan->mono_ns);
  scan->pid = self->pid;
}
