/* keeper.c: answers on the control socket, keeps it in its place, and tries a failed start again
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * It runs only where a setting asks for it. Whatever it waits for, neither the host nor the recorder's thread does.
 */
#include "keeper.h"

#include <errno.h>

#include "clock.h"
#include "counters.h"
#include "log.h"
#include "spawn.h"

/* How long a directory may be back before its socket is. */
#define LOOK_MS 250

static bool
is_enough (const char *data, size_t size)
{
  PlrControlVerb verb;

  return plr_control_parse (data, size, &verb) != -EAGAIN;
}

static void
serve (PlrKeeper *self, int client)
{
  char answer[PLR_CONTROL_ANSWER_SIZE];
  char request[PLR_CONTROL_REQUEST_SIZE];
  PlrControlStatus status;
  PlrControlVerb verb;
  size_t length;
  int r;

  length = plr_control_socket_read (client, request, sizeof request, is_enough);
  r = plr_control_parse (request, length, &verb);
  if (r == 0)
    r = self->calls->obey (self->session, verb);
  else
    r = -EINVAL; /* what came in time is no request */
  self->calls->tell (self->session, &status);
  length = plr_control_format (answer, r, &status);
  plr_control_socket_answer (client, answer, length);
}

static void
tell_error (PlrKeeper *self, int error)
{
  if (error == self->told_error)
    return;
  self->told_error = error;
  if (error != 0)
    plr_log (self->config->log, self->config->log_data, PARKLANE_LOG_WARNING, "cannot open the control socket %s.sock: %s",
             self->config->file_prefix, plr_describe_error (error));
}

/* Only while the prefix is locked: else its socket may be another process's. */
static void
keep_socket (PlrKeeper *self)
{
  const char *dir = self->config->output_dir;
  const char *prefix = self->config->file_prefix;

  if (!self->config->control || !atomic_load_explicit (&plr_counters.has_directory, memory_order_relaxed)
      || plr_control_socket_is_there (&self->socket, dir, prefix))
    return;
  pthread_mutex_lock (&self->lock);
  tell_error (self, plr_control_socket_renew (&self->socket, dir, prefix));
  pthread_mutex_unlock (&self->lock);
}

static void *
run (void *data)
{
  PlrKeeper *self = data;

  while (!atomic_load_explicit (&self->must_stop, memory_order_acquire))
    {
      self->calls->retry (self->session);
      keep_socket (self);
      if (self->socket.fd < 0)
        (void) plr_await (&self->stop, LOOK_MS * PLR_NS_PER_MS); /* any return is a look */
      else
        {
          int client = plr_control_socket_accept (&self->socket, LOOK_MS);

          if (client >= 0)
            serve (self, client);
        }
    }
  return NULL;
}

int
plr_keeper_start (PlrKeeper *self, const ParklaneConfig *config, const PlrKeeperCalls *calls, void *session)
{
  int r;

  *self = (PlrKeeper) { .config = config, .calls = calls, .session = session, .socket = PLR_CONTROL_SOCKET_CLOSED };
  if (sem_init (&self->stop, 0, 0) < 0)
    return -errno;
  pthread_mutex_init (&self->lock, NULL);
  keep_socket (self); /* here, so that it is there when the start has returned */
  r = plr_spawn (&self->thread, "parklane-keep", run, self);
  if (r < 0)
    {
      plr_control_socket_close (&self->socket, config->output_dir);
      (void) pthread_mutex_destroy (&self->lock); /* nobody waits for it */
      (void) sem_destroy (&self->stop);           /* likewise */
    }
  return r;
}

void
plr_keeper_stop (PlrKeeper *self)
{
  atomic_store_explicit (&self->must_stop, true, memory_order_release);
  pthread_mutex_lock (&self->lock);
  plr_control_socket_interrupt (&self->socket);
  pthread_mutex_unlock (&self->lock);
  sem_post (&self->stop);
  (void) pthread_join (self->thread, NULL); /* ours, joined once */
  plr_control_socket_close (&self->socket, self->config->output_dir);
  (void) pthread_mutex_destroy (&self->lock); /* nobody waits for it */
  (void) sem_destroy (&self->stop);           /* likewise */
}
