/* wreck-sweep.c: removes shared memory of killed sessions that no start will ask for
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A killed session waits in shared memory for the next start with its directory and prefix. When that never comes, it would
 * wait until the next boot; and a service that is killed again and again, each time with another directory, or with a version
 * of the library that is gone, would take all segments that the system has. So what waits is bounded, in time and number.
 *
 * What might be another's, or in use, is never touched: only segments that begin with our magic number, that this very user has
 * made and owns with mode 0600, to which nobody is attached (a living session is attached to all of its own), and whose
 * process is gone. A process of another PID namespace seems gone while it lives; but it is attached, save for the moment
 * between making a segment and attaching it, and nothing that young goes. All segments of a session share a random token,
 * and they go together or not at all: one that is attached or young keeps the others.
 */
#include "wreck-sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "shelter-layout.h"
#include "wreck.h"

/* Nothing younger goes, unless its session had ended. */
#define YOUNG_S 3600

/* What this version cannot read waits so long for somebody who has the other one. */
#define KEEP_OTHER_S 86400

/* Killed sessions that wait, of whatever version; as many services of a user may be killed together, and be started again
 * hours later. At four segments each they take a sixteenth of the 4096 that Linux has by default. */
#define MAX_WAITING 64

typedef struct
{
  PlrShelterHeader header;
  struct shmid_ds segment;
  int id;
  bool is_root;
  PlrWreckSession session; /* as far as this part tells */
} Part;

/* ---- what goes ---- */

static int
compare_ages (const void *a, const void *b)
{
  const PlrWreckSession *first = a;
  const PlrWreckSession *second = b;

  return (first->created_s < second->created_s) - (first->created_s > second->created_s);
}

static bool
is_of_no_use (const PlrWreckSession *self, time_t age_s)
{
  if (self->is_ours && self->is_clean)
    return true;
  if (age_s <= YOUNG_S)
    return false;
  return (self->is_ours && !self->has_root) || self->is_dir_gone || (!self->is_ours && age_s > KEEP_OTHER_S);
}

void
plr_wreck_judge (PlrWreckSession *sessions, size_t n, time_t now_s)
{
  size_t n_waiting = 0;

  qsort (sessions, n, sizeof *sessions, compare_ages); /* the latest first */
  for (size_t i = 0; i < n; i++)
    {
      PlrWreckSession *session = &sessions[i];
      time_t age_s = now_s - session->created_s;

      if (session->is_busy)
        continue;
      session->must_go = is_of_no_use (session, age_s);
      session->is_waiting = !session->must_go;
      if (session->is_waiting && ++n_waiting > MAX_WAITING && age_s > YOUNG_S)
        session->must_go = true;
    }
}

/* ---- what is there ---- */

static bool
is_gone (const char *dir)
{
  struct stat st;

  return lstat (dir, &st) < 0 && errno == ENOENT;
}

static void
look_at_root (Part *part, PlrShelterLabel *label)
{
  part->is_root = true;
  part->session.has_root = true;
  part->session.is_clean = atomic_load_explicit (&label->state, memory_order_relaxed) == PLR_SHELTER_CLEAN;
  part->session.is_dir_gone = is_gone (label->output_dir);
}

/* Whether the segment with the kernel's number @i is one of ours. */
static bool
look_at (int i, Part *part)
{
  PlrShelterLabel label;

  *part = (Part) { .id = shmctl (i, SHM_STAT, &part->segment) };
  if (part->id < 0 || shmctl (part->id, IPC_STAT, &part->segment) < 0
      || !plr_wreck_is_owned_by (&part->segment, geteuid ()) || !plr_wreck_copy_label (part->id, &part->segment, &label))
    return false;

  part->header = label.header;
  part->session = (PlrWreckSession) {
    .created_s = part->segment.shm_ctime,
    .is_busy = part->segment.shm_nattch != 0 || !plr_wreck_is_creator_gone (&part->segment),
    .is_ours = label.header.layout == PLR_SHELTER_LAYOUT,
  };
  if (part->segment.shm_segsz >= sizeof label && label.is_root == PLR_SHELTER_IS_ROOT)
    look_at_root (part, &label);
  return true;
}

/* The parts of a session one after the other, its root last. */
static int
compare_parts (const void *a, const void *b)
{
  const Part *first = a;
  const Part *second = b;
  int order = memcmp (&first->header, &second->header, sizeof first->header);

  return order != 0 ? order : first->is_root - second->is_root;
}

/* The session of the parts from @first on, as they tell of it together. */
static void
gather (const Part *parts, size_t n, size_t first, PlrWreckSession *out_session)
{
  size_t i;

  *out_session = parts[first].session;
  for (i = first + 1; i < n && memcmp (&parts[i].header, &parts[first].header, sizeof parts[i].header) == 0; i++)
    {
      const PlrWreckSession *more = &parts[i].session;

      if (more->created_s > out_session->created_s)
        out_session->created_s = more->created_s;
      out_session->is_busy |= more->is_busy;
      out_session->has_root |= more->has_root;
      out_session->is_clean |= more->is_clean;
      out_session->is_dir_gone |= more->is_dir_gone;
    }
  out_session->first = first;
  out_session->n_parts = i - first;
}

/* ---- and how ---- */

static bool
is_as_before (const Part *part, unsigned long n_attached)
{
  struct shmid_ds segment;

  return shmctl (part->id, IPC_STAT, &segment) == 0 && plr_wreck_is_owned_by (&segment, geteuid ())
         && segment.shm_ctime == part->segment.shm_ctime && segment.shm_nattch == n_attached;
}

/* The root is held meanwhile, so that no other start reads what goes; and goes last, so that a kill leaves no part unknown. */
static bool
remove_parts (const Part *parts, size_t n)
{
  const Part *root = parts[n - 1].is_root ? &parts[n - 1] : NULL;
  const void *memory = root != NULL ? shmat (root->id, NULL, 0) : NULL;
  bool may_go = memory != (void *) -1 && (root == NULL || is_as_before (root, 1));

  for (size_t i = 0; may_go && i < n; i++)
    if (is_as_before (&parts[i], &parts[i] == root))
      (void) shmctl (parts[i].id, IPC_RMID, NULL); /* best effort: the next start finds it */
  if (memory != NULL && memory != (void *) -1)
    (void) shmdt (memory); /* cannot fail on an address of ours */
  return may_go;
}

static size_t
find_parts (Part *parts, size_t max)
{
  size_t n = 0;

  for (size_t i = 0; i < max; i++)
    n += look_at ((int) i, &parts[n]);
  qsort (parts, n, sizeof *parts, compare_parts);
  return n;
}

static size_t
find_sessions (const Part *parts, size_t n, PlrWreckSession *sessions)
{
  size_t n_sessions = 0;

  for (size_t i = 0; i < n; i += sessions[n_sessions++].n_parts)
    gather (parts, n, i, &sessions[n_sessions]);
  return n_sessions;
}

void
plr_wreck_sweep (ParklaneLogFunc log, void *log_data)
{
  size_t max = (size_t) plr_wreck_get_last () + 1; /* -1: the system has none */
  Part *parts = calloc (max + 1, sizeof *parts);
  PlrWreckSession *sessions = calloc (max + 1, sizeof *sessions);
  size_t n_removed = 0;
  size_t n = 0;

  if (parts != NULL && sessions != NULL)
    n = find_sessions (parts, find_parts (parts, max), sessions);
  plr_wreck_judge (sessions, n, time (NULL));
  for (size_t i = 0; i < n; i++)
    if (sessions[i].must_go && remove_parts (parts + sessions[i].first, sessions[i].n_parts))
      n_removed += sessions[i].is_waiting;
  if (n_removed > 0)
    plr_log (log, log_data, PARKLANE_LOG_WARNING,
             "what %zu killed sessions left in memory is removed: nobody has asked for it, and no more than %d wait", n_removed,
             MAX_WAITING);
  free (sessions);
  free (parts);
}
