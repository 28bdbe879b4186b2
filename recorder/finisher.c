/* finisher.c: syncs and compresses sealed segments at the lowest priority
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Only this thread waits for the disk. It works on open files alone: names, the budget and every decision stay with the
 * recorder's thread, which never waits for this one and shares no lock with it.
 */
#include "finisher.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io.h"
#include "spawn.h"

enum
{
  STATE_IDLE,
  STATE_BUSY,
  STATE_DONE,
};

static int
sync_file (const PlrFile *file)
{
  int r = plr_file_check (file);

  if (r == 0 && plr_io.fdatasync (file->fd) < 0 && errno != EINVAL && errno != ENOSYS) /* a file system without sync */
    r = -errno;
  return r;
}

static void
work (PlrFinisher *self)
{
  const PlrFinishJob *job = &self->job;
  PlrFinishResult result = { 0 };

  if (job->must_sync)
    result.sync_error = sync_file (&job->in);
  if (job->out.fd >= 0)
    {
      result.compress_error = plr_compress (&job->in, &job->out, job->effort, job->limit, &self->is_cancelled,
                                            &result.size);
      if (result.compress_error == 0)
        result.compress_error = sync_file (&job->out);
    }
  plr_io_close (job->in.fd, job->in.device, job->in.inode);
  plr_io_close (job->out.fd, job->out.device, job->out.inode);
  self->result = result;
}

static void *
run (void *data)
{
  const struct sched_param param = { 0 };
  PlrFinisher *self = data;

  /* Both, since a thread of SCHED_IDLE may go back to the ordinary policy only as nice as this. */
  (void) setpriority (PRIO_PROCESS, (id_t) gettid (), 19);
  (void) pthread_setschedparam (pthread_self (), SCHED_IDLE, &param); /* where refused, it is nice at least */

  for (;;)
    {
      while (sem_wait (&self->wake) < 0)
        ;
      if (atomic_load_explicit (&self->state, memory_order_acquire) == STATE_BUSY)
        {
          work (self);
          atomic_store_explicit (&self->state, STATE_DONE, memory_order_release);
        }
      if (atomic_load_explicit (&self->must_stop, memory_order_acquire))
        return NULL;
    }
}

int
plr_finisher_start (PlrFinisher *self)
{
  int r;

  *self = (PlrFinisher) { .job = { .in = PLR_FILE_NONE, .out = PLR_FILE_NONE } };
  if (sem_init (&self->wake, 0, 0) < 0)
    return -errno;
  r = plr_spawn (&self->thread, "parklane-finish", run, self);
  if (r < 0)
    (void) sem_destroy (&self->wake); /* nobody waits on it */
  return r;
}

void
plr_finisher_stop (PlrFinisher *self)
{
  const struct sched_param param = { 0 };

  plr_finisher_cancel (self);
  atomic_store_explicit (&self->must_stop, true, memory_order_release);
  (void) pthread_setschedparam (self->thread, SCHED_OTHER, &param); /* somebody waits for it now */
  sem_post (&self->wake);
  (void) pthread_join (self->thread, NULL); /* ours, joined once */
  (void) sem_destroy (&self->wake);         /* nobody waits on it */
}

bool
plr_finisher_is_idle (PlrFinisher *self)
{
  return atomic_load_explicit (&self->state, memory_order_acquire) == STATE_IDLE;
}

void
plr_finisher_submit (PlrFinisher *self, const PlrFinishJob *job)
{
  self->job = *job;
  atomic_store_explicit (&self->is_cancelled, false, memory_order_relaxed);
  atomic_store_explicit (&self->state, STATE_BUSY, memory_order_release);
  sem_post (&self->wake);
}

void
plr_finisher_cancel (PlrFinisher *self)
{
  atomic_store_explicit (&self->is_cancelled, true, memory_order_relaxed);
}

bool
plr_finisher_collect (PlrFinisher *self, PlrFinishResult *out_result)
{
  if (atomic_load_explicit (&self->state, memory_order_acquire) != STATE_DONE)
    return false;
  *out_result = self->result;
  atomic_store_explicit (&self->state, STATE_IDLE, memory_order_relaxed);
  return true;
}
