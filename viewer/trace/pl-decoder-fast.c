/* pl-decoder-fast.c: the frequent events, in the layouts that recorders write
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nine of ten events of a real trace have one of these layouts. They are read without bounds checks, which
 * PL_WIRE_PADDING allows, and applied once their end is known to lie inside the buffer.
 */
#include "config.h"

#include "pl-decoder-private.h"

/* Reads a varint of up to ten bytes. NULL when it is no valid one. */
static inline const guint8 *
read_varint (const guint8 *p, guint64 *out_value)
{
  guint64 value = *p;

  if (G_LIKELY (value < 0x80))
    {
      *out_value = value;
      return p + 1;
    }
  value = (value & 0x7f) | (guint64) p[1] << 7;
  if (G_LIKELY (p[1] < 0x80))
    {
      *out_value = value;
      return p + 2;
    }
  return trc_read_varint (p, p + TRC_MAX_VARINT_SIZE, out_value);
}

/* Passes over a varint; the value is not looked at. NULL when it has no end within ten bytes. */
static inline const guint8 *
skip_varint (const guint8 *p)
{
  guint64 word;
  guint64 ends;

  memcpy (&word, p, sizeof word);
  ends = ~GUINT64_FROM_LE (word) & G_GUINT64_CONSTANT (0x8080808080808080);
  if (G_LIKELY (ends != 0))
    return p + __builtin_ctzll (ends) / 8 + 1;
  return trc_read_varint (p, p + TRC_MAX_VARINT_SIZE, &word);
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
  PlRuns *runs = self->runs;
  guint64 base = self->base;
  guint64 n_events = 0;
  guint64 worker;
  guint64 task;
  guint32 tid;
  guint8 queue;

  while (p < end && *p == TRC_TAG_EVENT)
    {
      PlSchema *schema = self->types[trc_read_u16 (p + 1)];
      guint64 at;
      const guint8 *q = p + 6;
      PlRun *run;

      if (G_UNLIKELY (schema == NULL || schema->layout == PL_LAYOUT_ANY))
        break;
      at = base + trc_read_u24 (p + 3);

      if (schema->layout == PL_LAYOUT_WAKE)
        {
          q = skip_varint (q);
          q = G_LIKELY (q != NULL) ? skip_varint (q) : NULL;
          if (G_UNLIKELY (q == NULL || q + 1 > end))
            break;
          q++;
        }
      else if (schema->layout == PL_LAYOUT_POLL_START || schema->layout == PL_LAYOUT_POLL_START_OURS)
        {
          gboolean is_ours = schema->layout == PL_LAYOUT_POLL_START_OURS;

          q = read_varint (q, is_ours ? &task : &worker);
          if (G_UNLIKELY (q == NULL))
            break;
          queue = *q;
          q = read_varint (q + 1, is_ours ? &worker : &task);
          if (G_UNLIKELY (q == NULL || q + 4 > end || (run = pl_runs_lookup (runs, worker)) == NULL))
            break;
          pl_run_poll_start (run, (gint64) at, task, pl_pool_resolve (&self->pool, trc_read_u32 (q)), queue);
          q += 4;
        }
      else if (schema->layout == PL_LAYOUT_POLL_END)
        {
          q = read_varint (q, &worker);
          if (G_UNLIKELY (q == NULL || q > end || (run = pl_runs_lookup (runs, worker)) == NULL))
            break;
          pl_run_poll_end (run, (gint64) at);
        }
      else
        {
          if (schema->layout == PL_LAYOUT_PARK_OURS)
            q = read_park_ours (q, &worker, &queue, &tid);
          else if (schema->layout == PL_LAYOUT_UNPARK_OURS)
            q = read_unpark_ours (q, &worker, &queue, &tid);
          else
            q = read_park (q, schema->layout, &worker, &queue, &tid);
          if (G_UNLIKELY (q == NULL || q > end || (run = pl_runs_lookup (runs, worker)) == NULL))
            break;
          if (schema->layout == PL_LAYOUT_PARK || schema->layout == PL_LAYOUT_PARK_OURS)
            pl_run_park (run, (gint64) at, tid, queue);
          else
            pl_run_unpark (run, (gint64) at, tid, queue);
        }

      schema->n_events++;
      n_events++;
      base = at;
      p = q;
    }

  self->base = base;
  self->n_events += n_events;
  return p;
}
