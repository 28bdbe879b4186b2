/* pl-ledger.c: what a session has written, ever, from what lies in its directory now and then
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Segments are told apart by their number and not by their inodes, which some file systems make up anew at each look.
 * What grows is a raw file; that it is renamed, compressed or deleted is no writing.
 */
#include "config.h"

#include "pl-ledger.h"

typedef struct
{
  gboolean is_there[PL_N_FORMS];
  guint64 sizes[PL_N_FORMS];
} Family;

struct _PlLedger
{
  GHashTable *families; /* index → Family */
  guint64 bytes_written;
  guint64 disk_usage_bytes;
  guint64 evicted_bytes;
  guint64 n_evicted;
};

PlLedger *
pl_ledger_new (void)
{
  PlLedger *self = g_new0 (PlLedger, 1);

  self->families = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  return self;
}

void
pl_ledger_free (PlLedger *self)
{
  g_hash_table_unref (self->families);
  g_free (self);
}

static gboolean
is_known (const Family *self)
{
  return self->is_there[PL_FORM_ACTIVE] || self->is_there[PL_FORM_SEALED] || self->is_there[PL_FORM_PACKED];
}

/* Counts what a raw file has now beyond what it had; a shorter one is written anew from where it is. */
static void
grow (PlLedgerChange *change, guint64 index, guint64 before, guint64 now)
{
  if (now >= before)
    change->grown_bytes += now - before;
  else
    {
      change->is_shrunk = TRUE;
      change->shrunk_index = index;
      change->shrunk_size = now;
    }
}

static void
compare (const Family *before, const Family *now, guint64 index, PlLedgerChange *change)
{
  gboolean was_renamed = before->is_there[PL_FORM_ACTIVE] && !now->is_there[PL_FORM_ACTIVE]
                         && (now->is_there[PL_FORM_SEALED] || now->is_there[PL_FORM_PACKED]);

  if (now->is_there[PL_FORM_ACTIVE])
    grow (change, index, before->sizes[PL_FORM_ACTIVE], now->sizes[PL_FORM_ACTIVE]);
  if (now->is_there[PL_FORM_SEALED])
    {
      if (was_renamed)
        /* Perhaps over an older run's file, and perhaps cut to its last whole frame by who adopted it. */
        change->grown_bytes += now->sizes[PL_FORM_SEALED] > before->sizes[PL_FORM_ACTIVE]
                                 ? now->sizes[PL_FORM_SEALED] - before->sizes[PL_FORM_ACTIVE]
                                 : 0;
      else if (before->is_there[PL_FORM_SEALED] || !before->is_there[PL_FORM_PACKED])
        grow (change, index, before->sizes[PL_FORM_SEALED], now->sizes[PL_FORM_SEALED]);
    }
  if (now->is_there[PL_FORM_PACKED] && !is_known (before) && !now->is_there[PL_FORM_SEALED])
    change->grown_bytes += now->sizes[PL_FORM_PACKED];
  if (!is_known (before))
    change->has_new_segment = TRUE;
  if (before->is_there[PL_FORM_ACTIVE] && !now->is_there[PL_FORM_ACTIVE] && !was_renamed)
    {
      change->lost_active = TRUE;
      change->lost_index = index;
      change->lost_size = before->sizes[PL_FORM_ACTIVE];
    }
}

static guint64
get_usage (const Family *self)
{
  return self->sizes[PL_FORM_ACTIVE] + self->sizes[PL_FORM_SEALED] + self->sizes[PL_FORM_PACKED];
}

/* What was sealed and is gone was evicted, by the writer or by anyone else. */
static void
count_gone (PlLedger *self, GHashTable *families, PlLedgerChange *change)
{
  static const Family nothing;
  GHashTableIter iter;
  gpointer index;
  gpointer value;

  g_hash_table_iter_init (&iter, self->families);
  while (g_hash_table_iter_next (&iter, &index, &value))
    {
      const Family *before = value;

      if (g_hash_table_contains (families, index))
        continue;
      compare (before, &nothing, *(guint64 *) index, change);
      if (before->is_there[PL_FORM_ACTIVE])
        continue;
      self->n_evicted++;
      self->evicted_bytes += get_usage (before);
    }
}

/**
 * pl_ledger_update:
 * @files: (element-type PlDirFile): all that are there now
 *
 * At the first time everything that is there counts as written.
 *
 * Returns: what has changed
 */
PlLedgerChange
pl_ledger_update (PlLedger *self, GArray *files)
{
  g_autoptr(GHashTable) families = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  static const Family nothing;
  PlLedgerChange change = { 0 };
  GHashTableIter iter;
  gpointer index;
  gpointer value;

  self->disk_usage_bytes = 0;
  for (guint i = 0; i < files->len; i++)
    {
      const PlDirFile *file = &g_array_index (files, PlDirFile, i);
      Family *family = g_hash_table_lookup (families, &file->index);

      if (family == NULL)
        {
          family = g_new0 (Family, 1);
          g_hash_table_insert (families, g_memdup2 (&file->index, sizeof file->index), family);
        }
      family->is_there[file->form] = TRUE;
      family->sizes[file->form] += file->size;
      self->disk_usage_bytes += file->size;
    }

  g_hash_table_iter_init (&iter, families);
  while (g_hash_table_iter_next (&iter, &index, &value))
    {
      const Family *before = g_hash_table_lookup (self->families, index);

      compare (before != NULL ? before : &nothing, value, *(guint64 *) index, &change);
    }
  count_gone (self, families, &change);

  g_hash_table_unref (self->families);
  self->families = g_steal_pointer (&families);
  self->bytes_written += change.grown_bytes;
  return change;
}

/**
 * pl_ledger_forget_files:
 *
 * What was there is another directory's: it is neither evicted nor continued by what comes.
 */
void
pl_ledger_forget_files (PlLedger *self)
{
  g_hash_table_remove_all (self->families);
  self->disk_usage_bytes = 0;
}

/**
 * pl_ledger_get_bytes_written:
 *
 * Returns: bytes of raw segments that were ever seen; of segments that were packed when they were seen first, as they
 *   lie there. Never falls.
 */
guint64
pl_ledger_get_bytes_written (PlLedger *self)
{
  return self->bytes_written;
}

guint64
pl_ledger_get_disk_usage (PlLedger *self)
{
  return self->disk_usage_bytes;
}

guint64
pl_ledger_get_evicted_bytes (PlLedger *self)
{
  return self->evicted_bytes;
}

guint64
pl_ledger_get_n_evicted (PlLedger *self)
{
  return self->n_evicted;
}
