/* pl-pool.h: the string pool of one batch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pool may hold a string for every event (values of spans), of which only spawn locations and names are used: the
 * bytes are kept for the batch and interned at their first use.
 */
#ifndef PL_POOL_H
#define PL_POOL_H

#include "pl-strings.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 offset;
  guint32 length;
  guint32 interned; /* number + 1, 0 = not yet */
  guint32 is_defined;
} PlPoolEntry;

typedef struct
{
  PlStrings *strings;
  GByteArray *bytes;
  GArray *dense;      /* PlPoolEntry by id, for ids without large holes */
  GHashTable *sparse; /* other ids → PlPoolEntry */
  guint64 n_defined;  /* definitions in the batch */
} PlPool;

void    pl_pool_init    (PlPool       *self,
                         PlStrings    *strings);
void    pl_pool_clear   (PlPool       *self);
void    pl_pool_reset   (PlPool       *self);
void    pl_pool_define  (PlPool       *self,
                         guint32       id,
                         const guint8 *bytes,
                         guint32       length);
guint32 pl_pool_resolve_slow (PlPool  *self,
                         guint32       id);

/* The number of the string with this id; 0, the empty string, for an id that the batch has not defined. */
static inline guint32
pl_pool_resolve (PlPool *self, guint32 id)
{
  if (G_LIKELY (id < self->dense->len))
    {
      guint32 interned = g_array_index (self->dense, PlPoolEntry, id).interned;

      if (G_LIKELY (interned != 0))
        return interned - 1;
    }
  return pl_pool_resolve_slow (self, id);
}

G_END_DECLS

#endif /* PL_POOL_H */
