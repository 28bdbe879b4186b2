/* pl-scene-cache.c: columns of lanes that the next picture can use again
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two time axes are drawn at a time, that of the view and that of the overview; each has a slot. A slot forgets
 * everything when anything its columns depend on changes. At full range both axes are the same one, and so is the slot.
 */
#include "config.h"

#include "pl-scene-cache.h"

#include "pl-columns-batch.h"

#define N_SLOTS 2
#define MAX_LANES 4096 /* in a slot: some 70 MB at worst, of a trace that names thousands of workers */

/**
 * Slot: the columns of one axis
 * @trace: (nullable): the snapshot that the lanes belong to
 * @columns: (element-type PlLane PlColumns): what is known so far
 * @used: when it was asked last, in questions
 */
typedef struct
{
  PlTrace *trace;
  PlAxis axis;
  gint64 threshold_ns;
  PlTheme theme;
  GHashTable *columns;
  guint64 used;
} Slot;

struct _PlSceneCache
{
  Slot slots[N_SLOTS];
  GThreadPool *pool;
  guint64 now;
};

/**
 * pl_scene_cache_new:
 *
 * Makes a cache for the pictures of one window. It belongs to the thread that draws.
 *
 * Returns: (transfer full): the cache, for #PlScene.cache
 */
PlSceneCache *
pl_scene_cache_new (void)
{
  PlSceneCache *self = g_new0 (PlSceneCache, 1);

  self->pool = pl_columns_batch_pool_new ();
  for (int i = 0; i < N_SLOTS; i++)
    self->slots[i].columns = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) pl_columns_free);
  return self;
}

/**
 * pl_scene_cache_free:
 *
 * Frees the cache; it keeps up to two snapshots alive until then.
 */
void
pl_scene_cache_free (PlSceneCache *self)
{
  for (int i = 0; i < N_SLOTS; i++)
    {
      g_hash_table_unref (self->slots[i].columns);
      g_clear_pointer (&self->slots[i].trace, pl_trace_unref);
    }
  /* Nobody waits: what is still queued has nothing to do any more. */
  g_thread_pool_free (self->pool, FALSE, FALSE);
  g_free (self);
}

static gboolean
slot_suits (const Slot *slot, const PlScene *scene, const PlAxis *axis)
{
  return slot->trace == scene->trace && pl_axis_equal (&slot->axis, axis) && slot->threshold_ns == scene->threshold_ns
         && slot->theme == scene->theme;
}

static Slot *
find_slot (PlSceneCache *self, const PlScene *scene, const PlAxis *axis)
{
  Slot *oldest = &self->slots[0];

  for (int i = 0; i < N_SLOTS; i++)
    {
      if (slot_suits (&self->slots[i], scene, axis))
        return &self->slots[i];
      if (self->slots[i].used < oldest->used)
        oldest = &self->slots[i];
    }

  g_hash_table_remove_all (oldest->columns);
  g_clear_pointer (&oldest->trace, pl_trace_unref);
  oldest->trace = pl_trace_ref (scene->trace);
  oldest->axis = *axis;
  oldest->threshold_ns = scene->threshold_ns;
  oldest->theme = scene->theme;
  return oldest;
}

static void
make_columns (PlSceneCache *self, Slot *slot, GPtrArray *lanes)
{
  g_autofree PlColumns **columns = g_new0 (PlColumns *, lanes->len);

  pl_columns_batch_run (self->pool, &slot->axis, pl_palette_get (slot->theme), slot->threshold_ns, lanes->len,
                        (const PlLane *const *) lanes->pdata, columns);

  if (g_hash_table_size (slot->columns) + lanes->len > MAX_LANES)
    g_hash_table_remove_all (slot->columns);
  for (guint i = 0; i < lanes->len; i++)
    g_hash_table_insert (slot->columns, lanes->pdata[i], columns[i]);
}

/**
 * pl_scene_cache_prepare:
 * @scene: what is drawn
 * @axis: on which time axis
 * @lanes: (element-type PlLane): lanes of the scene's trace that will be asked for
 *
 * Makes what is missing of several lanes at once, on all cores.
 */
void
pl_scene_cache_prepare (PlSceneCache *self, const PlScene *scene, const PlAxis *axis, GPtrArray *lanes)
{
  Slot *slot = find_slot (self, scene, axis);
  g_autoptr(GPtrArray) missing = g_ptr_array_new ();

  slot->used = ++self->now;
  for (guint i = 0; i < lanes->len && missing->len < MAX_LANES; i++)
    if (!g_hash_table_contains (slot->columns, lanes->pdata[i]))
      g_ptr_array_add (missing, lanes->pdata[i]);
  if (missing->len > 0)
    make_columns (self, slot, missing);
}

/**
 * pl_scene_cache_get_columns:
 * @scene: what is drawn
 * @axis: on which time axis
 * @lane: a lane of the scene's trace
 *
 * O(columns × log polls) when they are not there yet.
 *
 * Returns: (transfer none): the columns, valid until the next question
 */
const PlColumns *
pl_scene_cache_get_columns (PlSceneCache *self, const PlScene *scene, const PlAxis *axis, const PlLane *lane)
{
  Slot *slot = find_slot (self, scene, axis);
  const PlColumns *columns = g_hash_table_lookup (slot->columns, lane);
  g_autoptr(GPtrArray) one = NULL;

  slot->used = ++self->now;
  if (columns != NULL)
    return columns;

  one = g_ptr_array_new ();
  g_ptr_array_add (one, (gpointer) lane);
  make_columns (self, slot, one);
  return g_hash_table_lookup (slot->columns, lane);
}
