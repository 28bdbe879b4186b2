/* control-message.h: what goes over the control socket, as text
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A request is one line: a verb and a line feed. The answer is "ok" or "error=TEXT", then KEY=VALUE lines, and the
 * connection is closed. Pure functions: nothing is read or written here.
 */
#ifndef PLR_CONTROL_MESSAGE_H
#define PLR_CONTROL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No request is longer, its line feed included. */
#define PLR_CONTROL_REQUEST_SIZE 64

/* Holds any answer. */
#define PLR_CONTROL_ANSWER_SIZE 2048

typedef enum
{
  PLR_CONTROL_STATUS,
  PLR_CONTROL_PAUSE,
  PLR_CONTROL_RESUME,
  PLR_CONTROL_ROTATE,
  PLR_CONTROL_STOP,
  PLR_CONTROL_START,
  PLR_CONTROL_N_VERBS,
} PlrControlVerb;

/* A session as it tells itself to the outside. */
typedef struct
{
  const char *prefix;
  uint32_t pid;
  const char *state;         /* "recording", "paused", "stopped" or "waiting" for a start to succeed */
  bool is_healthy;
  uint64_t since_unix_ns;    /* wall clock, when the health became what it is; 0: unknown */
  const char *what;          /* that cannot be done, as in "open a segment"; NULL while healthy */
  int error;                 /* why not, a negative errno */
  bool has_segment;
  uint32_t segment;          /* number of the one being written */
  uint32_t n_threads;
  uint64_t n_events;
  uint64_t n_dropped;
  uint64_t n_bytes;
  uint64_t disk_bytes;
  uint64_t budget_bytes;
  uint64_t n_sealed;
  uint64_t n_incomplete;     /* of them: not all threads were drained */
  uint64_t n_evicted;
  uint64_t n_errors;
  bool has_written;
  uint64_t last_write_age_ns;
} PlrControlStatus;

/* Reads a request from the first @size bytes that came, whatever they are. 0; -EAGAIN when more may come; -EINVAL when
 * nothing that follows makes it one. */
int plr_control_parse (const char *data, size_t size, PlrControlVerb *out_verb);

/* Writes an answer and returns its length. @result: 0 or why the request was refused. */
size_t plr_control_format (char text[PLR_CONTROL_ANSWER_SIZE], int result, const PlrControlStatus *status);

#endif /* PLR_CONTROL_MESSAGE_H */
