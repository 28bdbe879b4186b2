/* pl-columns-batch.c: the columns of several lanes, made on all cores
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking at ten million events waits for memory, not for arithmetic, so that every further core helps. The caller takes
 * part and waits for the columns, never for a helper: one that comes too late finds nothing left to do.
 */
#include "config.h"

#include "pl-columns-batch.h"

#define MAX_HELPERS 7

/**
 * Batch: one question, shared by the caller and its helpers
 * @lock: of all that follows; it also hands over the lanes to the helpers and the columns to the caller
 * @next: the lane to take next
 * @n_made: lanes that are done
 */
typedef struct
{
  gatomicrefcount ref_count;
  PlAxis axis;
  const PlPalette *palette;
  gint64 threshold_ns;
  guint n_lanes;
  const PlLane *const *lanes;
  PlColumns **columns;
  GMutex lock;
  GCond all_made;
  guint next;
  guint n_made;
} Batch;

static void
batch_unref (Batch *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->all_made);
  g_free (self);
}

/* Says how many lanes were made since the last time, and takes another; FALSE when there is none. */
static gboolean
take (Batch *self, guint n_made, guint *out_lane)
{
  gboolean has_lane;

  g_mutex_lock (&self->lock);
  self->n_made += n_made;
  if (self->n_made == self->n_lanes)
    g_cond_signal (&self->all_made);
  has_lane = self->next < self->n_lanes;
  if (has_lane)
    *out_lane = self->next++;
  g_mutex_unlock (&self->lock);
  return has_lane;
}

static void
work (Batch *self)
{
  g_autofree PlLaneSlice *scratch = NULL;
  guint n_made = 0;
  guint i;

  while (take (self, n_made, &i))
    {
      if (scratch == NULL)
        scratch = g_new (PlLaneSlice, self->axis.n_slices);
      self->columns[i] = pl_columns_new (&self->axis, self->lanes[i], self->palette, self->threshold_ns, scratch);
      n_made = 1;
    }
}

static void
help (gpointer data, gpointer user_data)
{
  Batch *self = data;

  work (self);
  batch_unref (self);
}

/**
 * pl_columns_batch_pool_new:
 *
 * Returns: (transfer full): helpers for pl_columns_batch_run(); they hold no thread while there is nothing to do
 */
GThreadPool *
pl_columns_batch_pool_new (void)
{
  return g_thread_pool_new (help, NULL, MAX_HELPERS, FALSE, NULL);
}

/**
 * pl_columns_batch_run:
 * @pool: helpers
 * @axis: the time axis
 * @palette: the colours
 * @threshold_ns: see #PlScene
 * @n_lanes: number of lanes
 * @lanes: (array length=n_lanes): the lanes, which stay until this returns
 * @out_columns: (out) (array length=n_lanes) (transfer full): their columns
 */
void
pl_columns_batch_run (GThreadPool         *pool,
                      const PlAxis        *axis,
                      const PlPalette     *palette,
                      gint64               threshold_ns,
                      guint                n_lanes,
                      const PlLane *const *lanes,
                      PlColumns          **out_columns)
{
  Batch *batch = g_new0 (Batch, 1);
  guint n_helpers = MIN (MIN (n_lanes, g_get_num_processors ()), MAX_HELPERS + 1);

  g_atomic_ref_count_init (&batch->ref_count);
  g_mutex_init (&batch->lock);
  g_cond_init (&batch->all_made);

  g_mutex_lock (&batch->lock);
  batch->axis = *axis;
  batch->palette = palette;
  batch->threshold_ns = threshold_ns;
  batch->n_lanes = n_lanes;
  batch->lanes = lanes;
  batch->columns = out_columns;
  g_mutex_unlock (&batch->lock);

  for (guint i = 1; i < n_helpers; i++)
    {
      g_atomic_ref_count_inc (&batch->ref_count);
      /* Without a thread to be had it waits in the queue and finds everything done. */
      g_thread_pool_push (pool, batch, NULL);
    }
  work (batch);

  g_mutex_lock (&batch->lock);
  while (batch->n_made < n_lanes)
    g_cond_wait (&batch->all_made, &batch->lock);
  g_mutex_unlock (&batch->lock);
  batch_unref (batch);
}
