/* pl-decoder-fast.c: the frequent events, in the layouts that recorders write
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nine of ten events of a real trace have one of these layouts. They are read without bounds checks, which
 * PL_WIRE_PADDING allows, and applied once their end is known to lie inside the buffer.
 */
#include "config.h"

#include "pl-decoder-private.h"

#define VARINT_ENDS G_GUINT64_CONSTANT (0x8080808080808080)

/* Of the first eight bytes of an event: tag and type id, and the ns since the event before. */
#define HEAD_OF(word) ((guint32) (word) & 0xffffff)
#define DELTA_OF(word) ((guint32) ((word) >> 24) & 0xffffff)

/* The seventh and the eighth: two varints of one byte each. */
#define SMALL_IDS G_GUINT64_CONSTANT (0x8080000000000000)

/* Reads a varint of up to ten bytes. NULL when it is no valid one. */
static inline const guint8 *
read_varint (const guint8 *p, guint64 *out_value)
{
  guint32 word = trc_read_u32 (p);
  guint32 ends;

  if (G_LIKELY ((word & 0x80) == 0))
    {
      *out_value = word & 0x7f;
      return p + 1;
    }
  ends = ~word & (guint32) VARINT_ENDS;
  if (G_UNLIKELY (ends == 0))
    return trc_read_varint (p, p + TRC_MAX_VARINT_SIZE, out_value);
  /* Of two to four bytes without a branch on how many: task ids of all lengths come mixed. */
  word &= ends ^ (ends - 1);
  *out_value = (word & 0x7f) | (word >> 1 & 0x3f80) | (word >> 2 & 0x1fc000) | (word >> 3 & 0xfe00000);
  return p + __builtin_ctz (ends) / 8 + 1;
}

/* Passes over a varint; the value is not looked at. NULL when it has no end within ten bytes. */
static inline const guint8 *
skip_varint (const guint8 *p)
{
  guint64 word = trc_read_u64 (p);
  guint64 ends = ~word & VARINT_ENDS;

  if (G_LIKELY (ends != 0))
    return p + __builtin_ctzll (ends) / 8 + 1;
  return trc_read_varint (p, p + TRC_MAX_VARINT_SIZE, &word);
}

/* Passes over two of them. */
static inline const guint8 *
skip_two_varints (const guint8 *p)
{
  guint64 word = trc_read_u64 (p);
  guint64 ends = ~word & VARINT_ENDS;

  ends &= ends - 1;
  if (G_LIKELY (ends != 0))
    return p + __builtin_ctzll (ends) / 8 + 1;
  p = skip_varint (p);
  return p != NULL ? skip_varint (p) : NULL;
}

/* worker, queue, cpu time, wait and tid of a park or unpark. NULL when the bytes are not such an event. */
static inline const guint8 *
read_park (const guint8 *p, PlLayout layout, guint64 *out_worker, guint8 *out_queue, guint32 *out_tid)
{
  p = read_varint (p, out_worker);
  if (p == NULL)
    return NULL;
  *out_queue = *p++;
  p = skip_varint (p);
  if (p != NULL && layout == PL_LAYOUT_UNPARK_OPT)
    p = *p == 0 ? p + 1 : skip_varint (p + 1);
  else if (p != NULL && layout == PL_LAYOUT_UNPARK)
    p = skip_varint (p);
  if (p == NULL)
    return NULL;
  *out_tid = trc_read_u32 (p);
  return p + 4;
}

/* The same in the order of our recorder. */
static inline const guint8 *
read_park_ours (const guint8 *p, guint64 *out_worker, guint8 *out_queue, guint32 *out_tid)
{
  p = skip_varint (p);
  if (p != NULL)
    p = read_varint (p, out_worker);
  if (p == NULL)
    return NULL;
  *out_tid = trc_read_u32 (p);
  *out_queue = p[4];
  return p + 5;
}

static inline const guint8 *
read_unpark_ours (const guint8 *p, guint64 *out_worker, guint8 *out_queue, guint32 *out_tid)
{
  *out_queue = *p++;
  p = skip_varint (p);
  if (p != NULL)
    p = *p == 0 ? p + 1 : skip_varint (p + 1);
  if (p != NULL)
    p = read_varint (p, out_worker);
  if (p == NULL)
    return NULL;
  *out_tid = trc_read_u32 (p);
  return p + 4;
}

static inline const guint8 *
read_any_park (const guint8 *p, PlLayout layout, guint64 *out_worker, guint8 *out_queue, guint32 *out_tid)
{
  if (layout == PL_LAYOUT_PARK_OURS)
    return read_park_ours (p, out_worker, out_queue, out_tid);
  if (layout == PL_LAYOUT_UNPARK_OURS)
    return read_unpark_ours (p, out_worker, out_queue, out_tid);
  return read_park (p, layout, out_worker, out_queue, out_tid);
}

static inline const guint8 *
decode_park (PlDecoder *self, PlLayout layout, const guint8 *p, const guint8 *end, guint64 at)
{
  guint64 worker;
  guint32 tid;
  guint8 queue;
  PlRun *run;

  p = read_any_park (p, layout, &worker, &queue, &tid);
  if (G_UNLIKELY (p == NULL || p > end || (run = pl_runs_lookup (self->runs, worker)) == NULL))
    return NULL;
  if (layout == PL_LAYOUT_PARK || layout == PL_LAYOUT_PARK_OURS)
    pl_run_park (run, (gint64) at, tid, queue);
  else
    pl_run_unpark (run, (gint64) at, tid, queue);
  return p;
}

static inline const guint8 *
decode_poll_end (PlDecoder *self, const guint8 *p, const guint8 *end, guint64 at)
{
  guint64 worker;
  PlRun *run;

  p = read_varint (p, &worker);
  if (G_UNLIKELY (p == NULL || p > end || (run = pl_runs_lookup (self->runs, worker)) == NULL))
    return NULL;
  pl_run_poll_end (run, (gint64) at);
  return p;
}

/* A poll's start, and its end too when that is the next event, as it mostly is: then @at becomes the time of that. */
static G_ALWAYS_INLINE inline const guint8 *
decode_poll_start (PlDecoder *self, gboolean is_ours, guint32 end_head, const guint8 *p, const guint8 *end, guint64 *at,
                   guint64 *n_ends)
{
  guint64 start = *at;
  guint64 worker;
  guint64 task;
  guint64 next;
  guint32 loc;
  guint8 queue;
  PlRun *run;

  p = read_varint (p, is_ours ? &task : &worker);
  if (G_UNLIKELY (p == NULL))
    return NULL;
  queue = *p;
  p = read_varint (p + 1, is_ours ? &worker : &task);
  if (G_UNLIKELY (p == NULL || p + 4 > end || (run = pl_runs_lookup (self->runs, worker)) == NULL))
    return NULL;
  loc = pl_pool_resolve (&self->pool, trc_read_u32 (p));
  p += 4;

  next = trc_read_u64 (p);
  if (G_LIKELY (HEAD_OF (next) == end_head && (next >> 48 & 0xff) == worker && worker < 0x80 && p + 7 <= end))
    {
      guint64 end_at = start + DELTA_OF (next);

      if (G_LIKELY (pl_run_poll (run, (gint64) start, (gint64) end_at, task, loc, queue)))
        {
          *at = end_at;
          ++*n_ends;
          return p + 7;
        }
    }
  pl_run_poll_start (run, (gint64) start, task, loc, queue);
  return p;
}

static const guint8 *
decode_spawn (PlDecoder *self, PlLayout layout, const guint8 *p, const guint8 *end, guint64 at)
{
  PlTaskEvent event = { .at_ns = (gint64) at };
  guint32 loc;

  p = read_varint (p, &event.task_id);
  if (p == NULL)
    return NULL;
  loc = trc_read_u32 (p);
  p += 5;
  if (layout == PL_LAYOUT_SPAWN)
    p = *p == 0 ? p + 1 : skip_varint (p + 1);
  if (p == NULL || p > end)
    return NULL;
  event.spawn_loc = pl_pool_resolve (&self->pool, loc);
  g_array_append_val (self->spawns, event);
  return p;
}

static const guint8 *
decode_terminate (PlDecoder *self, const guint8 *p, const guint8 *end, guint64 at)
{
  PlTaskEvent event = { .at_ns = (gint64) at };

  p = read_varint (p, &event.task_id);
  if (p == NULL || p > end)
    return NULL;
  g_array_append_val (self->ends, event);
  return p;
}

/* @word: the first eight bytes of the event. Small task ids, as nearly all wakes then have the same size: where the next
 * event begins is known without waiting for the bytes of this one. */
static G_ALWAYS_INLINE inline const guint8 *
decode_wake (guint64 word, const guint8 *p, const guint8 *end)
{
  p = (word & SMALL_IDS) == 0 ? p + 8 : skip_two_varints (p + 6);
  return G_LIKELY (p != NULL && p + 1 <= end) ? p + 1 : NULL;
}

/* Any event of a known layout; of a poll its start alone. */
static G_NO_INLINE const guint8 *
decode_event (PlDecoder *self, PlLayout layout, const guint8 *p, const guint8 *end, guint64 at)
{
  guint64 n_ends = 0;

  switch (layout)
    {
    case PL_LAYOUT_POLL_START:
      return decode_poll_start (self, FALSE, PL_NO_HEAD, p, end, &at, &n_ends);
    case PL_LAYOUT_POLL_START_OURS:
      return decode_poll_start (self, TRUE, PL_NO_HEAD, p, end, &at, &n_ends);
    case PL_LAYOUT_POLL_END:
      return decode_poll_end (self, p, end, at);
    case PL_LAYOUT_WAKE:
      return decode_wake (trc_read_u64 (p - 6), p - 6, end);
    case PL_LAYOUT_SPAWN:
    case PL_LAYOUT_SPAWN_OURS:
      return decode_spawn (self, layout, p, end, at);
    case PL_LAYOUT_TERMINATE:
      return decode_terminate (self, p, end, at);
    case PL_LAYOUT_ANY:
    case PL_N_LAYOUTS:
      return NULL;
    case PL_LAYOUT_PARK:
    case PL_LAYOUT_PARK_OURS:
    case PL_LAYOUT_UNPARK:
    case PL_LAYOUT_UNPARK_OPT:
    case PL_LAYOUT_UNPARK_OURS:
    default:
      return decode_park (self, layout, p, end, at);
    }
}

/* Layouts of one event, of which a batch has one. */
static const PlLayout park_layouts[] = { PL_LAYOUT_PARK, PL_LAYOUT_PARK_OURS, PL_LAYOUT_ANY };
static const PlLayout unpark_layouts[] = {
  PL_LAYOUT_UNPARK_OPT, PL_LAYOUT_UNPARK, PL_LAYOUT_UNPARK_OURS, PL_LAYOUT_ANY,
};

/* The first of them that the batch has; PL_LAYOUT_ANY, which has no head of its own, when it has none. */
static PlLayout
find_layout (const PlDecoder *self, const PlLayout *layouts)
{
  while (*layouts != PL_LAYOUT_ANY && self->heads[*layouts] == PL_NO_HEAD)
    layouts++;
  return *layouts;
}

static void
count (PlDecoder *self, PlLayout layout, guint64 n_events)
{
  if (n_events == 0)
    return;
  self->types[self->heads[layout] >> 8]->n_events += n_events;
  self->n_events += n_events;
}

/* @is_ours is constant wherever this is called: there is a loop for each order of a poll's fields. */
static G_ALWAYS_INLINE inline const guint8 *
decode_events (PlDecoder *self, gboolean is_ours, const guint8 *p, const guint8 *end)
{
  PlLayout start_layout = is_ours ? PL_LAYOUT_POLL_START_OURS : PL_LAYOUT_POLL_START;
  guint32 start_head = self->heads[start_layout];
  guint32 end_head = self->heads[PL_LAYOUT_POLL_END];
  guint32 wake_head = self->heads[PL_LAYOUT_WAKE];
  PlLayout park_layout = find_layout (self, park_layouts);
  PlLayout unpark_layout = find_layout (self, unpark_layouts);
  guint32 park_head = self->heads[park_layout];
  guint32 unpark_head = self->heads[unpark_layout];
  guint64 base = self->base;
  guint64 n_starts = 0;
  guint64 n_ends = 0;
  guint64 n_wakes = 0;
  guint64 n_parks = 0;
  guint64 n_unparks = 0;
  guint64 n_others = 0;

  /* Nearly all events are one of these five, known by their first bytes; the others go by the batch's types. */
  while (p < end)
    {
      guint64 word = trc_read_u64 (p);
      guint32 head = HEAD_OF (word);
      guint64 at = base + DELTA_OF (word);
      const guint8 *q;

      if (head == start_head)
        {
          q = decode_poll_start (self, is_ours, end_head, p + 6, end, &at, &n_ends);
          n_starts += q != NULL;
        }
      else if (head == wake_head)
        {
          q = decode_wake (word, p, end);
          n_wakes += q != NULL;
        }
      else if (head == end_head)
        {
          q = decode_poll_end (self, p + 6, end, at);
          n_ends += q != NULL;
        }
      else if (head == park_head)
        {
          q = decode_park (self, park_layout, p + 6, end, at);
          n_parks += q != NULL;
        }
      else if (head == unpark_head)
        {
          q = decode_park (self, unpark_layout, p + 6, end, at);
          n_unparks += q != NULL;
        }
      else
        {
          PlSchema *schema = *p == TRC_TAG_EVENT ? self->types[head >> 8] : NULL;

          q = schema != NULL ? decode_event (self, schema->layout, p + 6, end, at) : NULL;
          if (q == NULL)
            break;
          schema->n_events++;
          n_others++;
        }
      if (G_UNLIKELY (q == NULL))
        break;
      base = at;
      p = q;
    }

  count (self, start_layout, n_starts);
  count (self, PL_LAYOUT_POLL_END, n_ends);
  count (self, PL_LAYOUT_WAKE, n_wakes);
  count (self, park_layout, n_parks);
  count (self, unpark_layout, n_unparks);
  self->n_events += n_others;
  self->base = base;
  return p;
}

/**
 * pl_decoder_fast_events:
 * @p: at a frame
 * @end: end of the bytes, with %PL_WIRE_PADDING readable bytes behind
 *
 * Decodes events for as long as they have a known layout and lie wholly before @end. Whatever it cannot decode, for
 * whatever reason, is left to pl_decoder_event(), which says why.
 *
 * Returns: the first byte that was not decoded
 */
const guint8 *
pl_decoder_fast_events (PlDecoder *self, const guint8 *p, const guint8 *end)
{
  return self->heads[PL_LAYOUT_POLL_START] == PL_NO_HEAD ? decode_events (self, TRUE, p, end)
                                                         : decode_events (self, FALSE, p, end);
}
