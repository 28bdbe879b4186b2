/* rescue.c: writes what killed sessions have left in shared memory
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The events that were in the backlog come first, then what is in the rings alone, in the order of time; they go into
 * segments of their own, in the name of the session that recorded them. A write that was going on when the process died
 * counts when the file is as long as it was to become; else the file is cut back to where that write began.
 */
#include "rescue.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "log.h"
#include "merge.h"
#include "recorder-config.h"
#include "wreck-other.h"
#include "wreck-sweep.h"
#include "wreck.h"
#include "writer.h"

/* Events on their way to the file. */
#define BUFFER_BYTES PLR_MIN_BUFFER_SIZE
#define TAKE 8192

/* What all rings and the backlog can come to, in the smallest segments. */
#define MAX_RESCUE_SEGMENTS 1000000

typedef struct
{
  PlrWreck *wreck;
  PlrWriter writer;
  PlrBacklog backlog;
  uint64_t n_events;
} Rescue;

/* Whether a file of the session is there, and how long. */
static bool
find_file (const PlrWreck *wreck, uint32_t index, void (*format) (char *name, const char *prefix, uint32_t index),
           uint64_t *out_size)
{
  char name[PLR_FILE_NAME_SIZE];
  char path[PARKLANE_PATH_SIZE + PLR_FILE_NAME_SIZE];
  struct stat st;

  format (name, wreck->root.config.file_prefix, index);
  snprintf (path, sizeof path, "%s/%s", wreck->root.config.output_dir, name);
  if (lstat (path, &st) < 0 || !S_ISREG (st.st_mode))
    return false;
  *out_size = (uint64_t) st.st_size;
  return true;
}

/* Follows the intent: sets the position up to which events are on file, and where the file must be cut. */
static void
follow_intent (PlrWreck *wreck, PlrCut *out_cut)
{
  uint64_t n = wreck->intent.to - wreck->written;
  uint64_t size;

  *out_cut = (PlrCut) { 0 };
  if (wreck->intent.to == 0)
    return;
  if (find_file (wreck, wreck->intent.index, plr_segment_format_active, &size))
    {
      if (size < wreck->intent.end)
        *out_cut = (PlrCut) { .is_set = true, .index = wreck->intent.index, .size = wreck->intent.offset };
    }
  else if (!find_file (wreck, wreck->intent.index, plr_segment_format_sealed, &size)) /* by a rescue that was killed */
    return;
  if (size < wreck->intent.end)
    return;
  memmove (wreck->events, wreck->events + n, (wreck->taken - wreck->intent.to) * sizeof *wreck->events);
  wreck->written = wreck->intent.to;
}

/* Somebody may have removed or cut the segment, and the kill come before that was told. */
static void
follow_segment (PlrWreck *wreck)
{
  uint64_t size;

  if (wreck->segment.n == 0)
    return;
  if (find_file (wreck, wreck->segment_index, plr_segment_format_active, &size) && size >= wreck->segment_size)
    return;
  if (find_file (wreck, wreck->segment_index, plr_segment_format_sealed, &size) && size >= wreck->segment_size)
    return;
  plr_span_add (&wreck->lost, &wreck->segment);
}

/* Takes back what a rescue before this one has written: it was killed before it was done. */
static void
undo_rescue (const PlrWreck *wreck)
{
  static const char *const suffixes[] = { ".bin.active", ".bin", ".bin.zst", ".bin.zst.tmp" };
  uint32_t first = atomic_load_explicit (&wreck->root.rescue.first, memory_order_relaxed);
  uint32_t last = atomic_load_explicit (&wreck->root.rescue.last, memory_order_relaxed);

  if (first == 0 || last < first || last - first > MAX_RESCUE_SEGMENTS)
    return;
  for (uint32_t number = first; number <= last; number++)
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
      {
        char path[PARKLANE_PATH_SIZE + PLR_FILE_NAME_SIZE];

        snprintf (path, sizeof path, "%s/%s.%u%s", wreck->root.config.output_dir, wreck->root.config.file_prefix, number - 1,
                  suffixes[i]);
        (void) unlink (path); /* most are not there */
      }
  atomic_store_explicit (&wreck->shared->rescue.first, 0, memory_order_release);
}

/* Writes all that the backlog holds. */
static int
write_all (Rescue *self)
{
  uint64_t n_before;

  while ((n_before = plr_backlog_get_n (&self->backlog)) > 0)
    {
      size_t n;
      const PlrEvent *events = plr_backlog_get_oldest (&self->backlog, &n);

      for (size_t i = 0; i < n; i++)
        self->n_events += plr_event_is_recorded (plr_word_kind (events[i].word));
      plr_writer_write (&self->writer, events, n, plr_clock_now ());
      if (plr_backlog_get_n (&self->backlog) == n_before || self->writer.health.is_degraded)
        return self->writer.health.error < 0 ? self->writer.health.error : -EIO;
    }
  return 0;
}

static int
write_backlog (Rescue *self)
{
  const PlrSpan *lost = &self->wreck->lost;
  int r = 0;

  if (lost->n > 0)
    plr_backlog_append (&self->backlog,
                        &(PlrEvent) {
                          .time_ns = lost->last_ns,
                          .word = plr_gap_word (PLR_GAP_OUTPUT, PARKLANE_WORKER_NONE, lost->n),
                          .payload = lost->first_ns,
                        });

  for (uint64_t i = 0; r == 0 && i < self->wreck->taken - self->wreck->written; i++)
    {
      const PlrEvent *event = &self->wreck->events[i];

      if (plr_backlog_get_room (&self->backlog) == 0)
        r = write_all (self);
      if (plr_wreck_is_kept (event->word))
        plr_backlog_append (&self->backlog, event);
    }
  return r == 0 ? write_all (self) : r;
}

static int
write_rings (Rescue *self)
{
  PlrMerge *merge;
  PlrEvent gap;
  size_t n;
  int r;

  if (self->wreck->rings == NULL)
    return 0;
  merge = plr_merge_new (self->wreck->rings);
  if (merge == NULL)
    return -ENOMEM;
  r = plr_merge_begin (merge, UINT64_MAX);
  do
    {
      PlrEvent *places = plr_backlog_get_places (&self->backlog, TAKE, &n);

      n = plr_merge_take (merge, places, n, plr_backlog_get_taken (&self->backlog));
      plr_backlog_publish (&self->backlog, n);
      plr_merge_consume (merge);
      if (r == 0)
        r = write_all (self);
    }
  while (r == 0 && n > 0);

  while (r == 0 && plr_merge_take_gap (merge, true, &gap))
    {
      plr_backlog_append (&self->backlog, &gap);
      r = write_all (self);
    }
  plr_merge_free (merge);
  return r;
}

static PlrSessionInfo
get_info (const PlrWreck *wreck)
{
  PlrSessionInfo info = wreck->root.info;

  info.run_id[sizeof info.run_id - 1] = '\0';
  plr_copy_utf8 (info.run_id, sizeof info.run_id, wreck->root.info.run_id[sizeof info.run_id - 1] == '\0' ? info.run_id : "");
  info.service_name = wreck->root.config.service_name;
  info.budget_bytes = plr_config_get_budget (&wreck->root.config);
  return info;
}

static int
write_wreck (Rescue *self, const PlrCut *cut)
{
  const PlrForeignNames names = {
    .locations = (const char *const *) self->wreck->locations,
    .n_locations = PLR_MAX_LOCATIONS,
    .runtimes = self->wreck->runtimes,
    .n_runtimes = self->wreck->n_runtimes,
  };
  const PlrLegacy legacy = { .note = &self->wreck->shared->rescue, .info = get_info (self->wreck), .cut = *cut };
  int close_result;
  int r;

  /* The file must stay what the intent speaks of, in case this is killed too. The next session compresses it. */
  self->wreck->root.config.compress = PARKLANE_COMPRESS_NONE;
  plr_names_use (&names);
  r = plr_writer_open (&self->writer, &self->wreck->root.config, &self->backlog, &legacy, plr_clock_now ());
  if (r == 0)
    {
      r = write_backlog (self);
      if (r == 0)
        r = write_rings (self);
      close_result = plr_writer_close (&self->writer, plr_clock_now ());
      if (r == 0)
        r = close_result;
    }
  plr_names_use (NULL);
  return r;
}

/* Writes one session's rest. The number of events, or an error: then it is there still. */
static int64_t
rescue_one (PlrWreck *wreck)
{
  Rescue self = { .wreck = wreck };
  PlrCut cut;
  int r;

  if (atomic_load_explicit (&wreck->root.label.state, memory_order_relaxed) != PLR_SHELTER_IN_USE)
    return 0;
  r = plr_wreck_read (wreck);
  if (r < 0)
    return r;
  undo_rescue (wreck);
  follow_intent (wreck, &cut);
  follow_segment (wreck);
  if (wreck->taken == wreck->written && wreck->rings == NULL && wreck->lost.n == 0)
    return 0;
  r = plr_backlog_open (&self.backlog, BUFFER_BYTES);
  if (r < 0)
    return r;
  r = write_wreck (&self, &cut);
  plr_backlog_close (&self.backlog);
  return r < 0 ? r : (int64_t) self.n_events;
}

/* What only another version of this library can write is told of, and left. Its number of sessions. */
static unsigned
tell_others (const char *dir, const char *prefix, ParklaneLogFunc log, void *log_data)
{
  PlrOtherWreck other;
  int cursor = 0;
  unsigned n;

  for (n = 0; plr_other_wreck_find (&other, dir, prefix, &cursor); n++)
    plr_log (log, log_data, PARKLANE_LOG_WARNING,
             "what process %d, which was killed, left in memory is from another version of the recorder (%s; this is %s) and is "
             "not written: use that version's parklane-cli recover within a day",
             (int) other.pid, other.version, PARKLANE_VERSION);
  return n;
}

int64_t
plr_rescue (const char *dir, const char *prefix, ParklaneLogFunc log, void *log_data)
{
  PlrWreck wreck;
  int64_t n_events = 0;
  int64_t error = 0;
  int cursor = 0;

  while (plr_wreck_find (&wreck, dir, prefix, &cursor))
    {
      int64_t n = rescue_one (&wreck);

      if (n > 0)
        plr_log (log, log_data, PARKLANE_LOG_INFO,
                 "%lld events of process %u, which was killed, were in memory and are written", (long long) n,
                 wreck.root.info.pid);
      if (n < 0)
        plr_log (log, log_data, PARKLANE_LOG_WARNING, "cannot write what process %u, which was killed, left in memory: %s",
                 wreck.root.info.pid, plr_describe_error ((int) n));
      if (n >= 0 || n == -EBADMSG) /* which no later try can read either */
        plr_wreck_remove (&wreck);
      plr_wreck_clear (&wreck);
      n_events += n > 0 ? n : 0;
      if (n < 0 && error == 0)
        error = n;
    }
  if (tell_others (dir, prefix, log, log_data) > 0 && error == 0)
    error = -EOPNOTSUPP;
  plr_wreck_sweep (log, log_data);
  return error < 0 ? error : n_events;
}
