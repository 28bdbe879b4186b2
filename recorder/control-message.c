/* control-message.c: reads requests and writes answers of the control socket
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "control-message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "log.h"

/* Changes of the answer that a reader must know of raise it; further keys do not. */
#define PROTOCOL 1

static const char *const verbs[PLR_CONTROL_N_VERBS] = {
  [PLR_CONTROL_STATUS] = "status\n", [PLR_CONTROL_PAUSE] = "pause\n", [PLR_CONTROL_RESUME] = "resume\n",
  [PLR_CONTROL_ROTATE] = "rotate\n", [PLR_CONTROL_STOP] = "stop\n",   [PLR_CONTROL_START] = "start\n",
};

int
plr_control_parse (const char *data, size_t size, PlrControlVerb *out_verb)
{
  int r = -EINVAL;

  for (PlrControlVerb verb = 0; verb < PLR_CONTROL_N_VERBS; verb++)
    {
      size_t length = strlen (verbs[verb]);

      if (memcmp (verbs[verb], data, size < length ? size : length) != 0)
        continue;
      if (size == length)
        {
          *out_verb = verb;
          return 0;
        }
      if (size < length)
        r = -EAGAIN;
    }
  return r;
}

typedef struct
{
  char *text;
  size_t length;
} Output;

static void __attribute__ ((format (printf, 2, 3)))
add (Output *self, const char *format, ...)
{
  size_t room = PLR_CONTROL_ANSWER_SIZE - self->length;
  va_list args;
  int n;

  va_start (args, format);
  n = vsnprintf (self->text + self->length, room, format, args);
  va_end (args);
  if (n > 0)
    self->length += (size_t) n < room ? (size_t) n : room - 1;
}

static void
add_number (Output *self, const char *key, uint64_t value)
{
  add (self, "%s=%llu\n", key, (unsigned long long) value);
}

static const char *
describe (int error)
{
  return error == -ESRCH ? "no session runs" : plr_describe_error (error);
}

size_t
plr_control_format (char text[PLR_CONTROL_ANSWER_SIZE], int result, const PlrControlStatus *status)
{
  Output output = { .text = text };

  if (result == 0)
    add (&output, "ok\n");
  else
    add (&output, "error=%s\n", describe (result));

  add_number (&output, "protocol", PROTOCOL);
  add (&output, "version=%s\n", PARKLANE_VERSION);
  add (&output, "prefix=%s\n", status->prefix);
  add_number (&output, "pid", status->pid);
  add (&output, "state=%s\n", status->state);
  add (&output, "health=%s\n", status->is_healthy ? "ok" : "degraded");
  if (status->since_unix_ns != 0)
    add_number (&output, "health_since_unix_ns", status->since_unix_ns);
  if (status->what != NULL && !status->is_healthy)
    add (&output, "cause=cannot %s: %s\n", status->what, describe (status->error));
  if (status->has_segment)
    add_number (&output, "segment", status->segment);
  add_number (&output, "attached_threads", status->n_threads);
  add_number (&output, "events", status->n_events);
  add_number (&output, "dropped_events", status->n_dropped);
  add_number (&output, "bytes_written", status->n_bytes);
  add_number (&output, "disk_usage_bytes", status->disk_bytes);
  add_number (&output, "budget_bytes", status->budget_bytes);
  add_number (&output, "segments_sealed", status->n_sealed);
  add_number (&output, "segments_incomplete", status->n_incomplete);
  add_number (&output, "segments_evicted", status->n_evicted);
  add_number (&output, "errors", status->n_errors);
  if (status->has_written)
    add_number (&output, "last_write_age_ns", status->last_write_age_ns);
  return output.length;
}
