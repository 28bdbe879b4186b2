/* scan.c: walks the frames of a trace file, without interpreting them
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Frames have no length, so skipping an event takes its schema. The file may be anything: every length
 * is checked against the bytes that are there, and what does not fit the small tables ends the walk.
 */
#include "scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cursor.h"
#include "trc.h"

#define WINDOW (512 * 1024) /* a frame larger than this is not of this recorder */
#define MAX_TYPES 64
#define MAX_FIELDS 32

typedef struct
{
  uint16_t id;
  uint8_t has_timestamp;
  uint8_t n_fields;
  uint8_t is_recorded;
  uint8_t fields[MAX_FIELDS];
} Type;

typedef struct
{
  Type types[MAX_TYPES];
  unsigned n_types;
  uint64_t n_events;
  uint64_t offset; /* of the window in the file */
  PlrBatchFunc on_batch;
  void *data;
  uint8_t window[WINDOW];
} Walker;

static bool
is_opening (const uint8_t *name, size_t length)
{
  static const char *const names[] = { "ClockSyncEvent", "SegmentMetadataEvent", "ParklaneHeartbeatEvent",
                                       "ParklaneOpenPollEvent", "ParklaneOpenParkEvent" };

  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen (names[i]) == length && memcmp (names[i], name, length) == 0)
      return true;
  return false;
}

static PlrFrameResult
walk_schema (Walker *self, PlrCursor *c)
{
  Type type = { 0 };
  uint16_t length;
  uint16_t n_fields;
  unsigned i;

  if (!plr_cursor_get_u16 (c, &type.id) || !plr_cursor_get_u16 (c, &length) || !plr_cursor_skip (c, length))
    return PLR_FRAME_CUT;
  type.is_recorded = !is_opening (c->p - length, length);
  if (!plr_cursor_skip (c, 1))
    return PLR_FRAME_CUT;
  type.has_timestamp = c->p[-1] != 0;
  if (!plr_cursor_get_u16 (c, &n_fields))
    return PLR_FRAME_CUT;
  if (n_fields > MAX_FIELDS)
    return PLR_FRAME_UNKNOWN;

  type.n_fields = (uint8_t) n_fields;
  for (i = 0; i < n_fields; i++)
    {
      if (!plr_cursor_get_u16 (c, &length) || !plr_cursor_skip (c, (uint64_t) length + 1))
        return PLR_FRAME_CUT;
      type.fields[i] = c->p[-1];
    }

  for (i = 0; i < self->n_types && self->types[i].id != type.id; i++)
    ;
  if (i == MAX_TYPES)
    return PLR_FRAME_UNKNOWN;
  self->types[i] = type;
  if (i == self->n_types)
    self->n_types++;
  return PLR_FRAME_WHOLE;
}

static PlrFrameResult
walk_event (Walker *self, PlrCursor *c)
{
  const Type *type = NULL;
  uint16_t id;

  if (!plr_cursor_get_u16 (c, &id))
    return PLR_FRAME_CUT;
  for (unsigned i = 0; i < self->n_types && type == NULL; i++)
    if (self->types[i].id == id)
      type = &self->types[i];
  if (type == NULL)
    return PLR_FRAME_UNKNOWN;

  if (type->has_timestamp && !plr_cursor_skip (c, 3))
    return PLR_FRAME_CUT;
  for (unsigned i = 0; i < type->n_fields; i++)
    {
      PlrFrameResult result = plr_cursor_skip_value (c, type->fields[i]);

      if (result != PLR_FRAME_WHOLE)
        return result;
    }
  self->n_events += type->is_recorded;
  return PLR_FRAME_WHOLE;
}

/* String pool entries have a unit of 1 byte, stack pool entries of 8. */
static PlrFrameResult
walk_pool (PlrCursor *c, uint64_t unit)
{
  uint32_t n;

  if (!plr_cursor_get_u32 (c, &n))
    return PLR_FRAME_CUT;
  for (; n > 0; n--)
    if (!plr_cursor_skip (c, 4) || !plr_cursor_skip_sized (c, unit))
      return PLR_FRAME_CUT;
  return PLR_FRAME_WHOLE;
}

static PlrFrameResult
walk_header (Walker *self, PlrCursor *c)
{
  size_t n = (size_t) (c->end - c->p);

  if (memcmp (c->p, TRC_MAGIC, n < TRC_MAGIC_SIZE ? n : TRC_MAGIC_SIZE) != 0)
    return PLR_FRAME_UNKNOWN;
  if (n < TRC_HEADER_SIZE)
    return PLR_FRAME_CUT;
  if (c->p[TRC_MAGIC_SIZE] != TRC_VERSION)
    return PLR_FRAME_UNKNOWN;
  if (self->on_batch != NULL && !self->on_batch (self->offset + (uint64_t) (c->p - self->window), self->data))
    return PLR_FRAME_UNKNOWN;
  c->p += TRC_HEADER_SIZE;
  self->n_types = 0;
  return PLR_FRAME_WHOLE;
}

static PlrFrameResult
walk_frame (Walker *self, PlrCursor *c)
{
  uint8_t tag = *c->p;

  if (tag == TRC_TAG_HEADER)
    return walk_header (self, c);

  c->p++;
  switch (tag)
    {
    case TRC_TAG_SCHEMA:
      return walk_schema (self, c);
    case TRC_TAG_EVENT:
      return walk_event (self, c);
    case TRC_TAG_STRING_POOL:
      return walk_pool (c, 1);
    case TRC_TAG_STACK_POOL:
      return walk_pool (c, 8);
    case TRC_TAG_RESET:
      return plr_cursor_skip (c, 8) ? PLR_FRAME_WHOLE : PLR_FRAME_CUT;
    default:
      return PLR_FRAME_UNKNOWN;
    }
}

/* Walks whole frames from the start of the window and returns how many bytes they take. */
static size_t
walk_window (Walker *self, size_t size, PlrFrameResult *out_result)
{
  PlrCursor c = { self->window, self->window + size };
  const uint8_t *frame = c.p;
  PlrFrameResult result = PLR_FRAME_WHOLE;

  while (frame < c.end)
    {
      result = walk_frame (self, &c);
      if (result != PLR_FRAME_WHOLE)
        break;
      frame = c.p;
    }
  *out_result = result;
  return (size_t) (frame - self->window);
}

static int
walk_file (Walker *self, int fd, uint64_t limit, PlrScan *scan)
{
  PlrFrameResult result = PLR_FRAME_WHOLE;
  size_t held = 0;

  for (;;)
    {
      uint64_t left = limit - self->offset - held;
      size_t room = sizeof self->window - held;
      ssize_t n = pread (fd, self->window + held, room < left ? room : (size_t) left, (off_t) (self->offset + held));
      size_t walked;

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -errno;
      if (n == 0)
        break;

      held += (size_t) n;
      walked = walk_window (self, held, &result);
      self->offset += walked;
      held -= walked;
      memmove (self->window, self->window + walked, held);
      if (result == PLR_FRAME_UNKNOWN || held == sizeof self->window)
        break;
    }

  scan->end = self->offset;
  scan->n_events = self->n_events;
  scan->is_understood = result != PLR_FRAME_UNKNOWN && held < sizeof self->window;
  return 0;
}

/* Whether from @end on nothing is left of what had been there: when the power goes, what a file system has not written yet
 * may read as zeros. @end may be within a few bytes of it: of a frame that begins with a tag, or a header, and goes on so. */
static int
is_wiped (Walker *self, int fd, uint64_t end, uint64_t limit)
{
  uint64_t offset = end;

  while (offset < limit)
    {
      size_t room = limit - offset < sizeof self->window ? (size_t) (limit - offset) : sizeof self->window;
      ssize_t n = pread (fd, self->window, room, (off_t) offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -errno;
      if (n == 0)
        break;
      for (ssize_t i = 0; i < n; i++)
        if (self->window[i] != 0 && offset + (uint64_t) i >= end + TRC_MAGIC_SIZE)
          return 0;
      offset += (uint64_t) n;
    }
  return offset > end + TRC_MAGIC_SIZE;
}

static int
scan_file (int fd, uint64_t limit, PlrBatchFunc func, void *data, PlrScan *out_scan)
{
  PlrScan scan = { 0 };
  struct stat st;
  Walker *walker;
  int r;

  if (fstat (fd, &st) < 0)
    return -errno;
  scan.size = (uint64_t) st.st_size;

  walker = malloc (sizeof *walker);
  if (walker == NULL)
    return -ENOMEM;
  walker->n_types = 0;
  walker->n_events = 0;
  walker->offset = 0;
  walker->on_batch = func;
  walker->data = data;
  r = walk_file (walker, fd, limit, &scan);
  if (r == 0 && !scan.is_understood)
    {
      r = is_wiped (walker, fd, scan.end, limit < scan.size ? limit : scan.size);
      scan.is_understood = r > 0;
    }
  free (walker);

  if (r >= 0)
    *out_scan = scan;
  return r < 0 ? r : 0;
}

int
plr_scan (int fd, uint64_t limit, PlrScan *out_scan)
{
  return scan_file (fd, limit, NULL, NULL, out_scan);
}

int
plr_scan_batches (int fd, PlrBatchFunc func, void *data, PlrScan *out_scan)
{
  return scan_file (fd, UINT64_MAX, func, data, out_scan);
}
