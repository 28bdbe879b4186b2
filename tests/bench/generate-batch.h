/* generate-batch.h: events of the model → frames of a batch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef GENERATE_BATCH_H
#define GENERATE_BATCH_H

#include "generate-model.h"

G_BEGIN_DECLS

/* Of a busy dial9 thread's buffer, and of our recorder's batches. */
#define BATCH_SIZE (1024 * 1024)

/* The longest event with its schema, string and reset. */
#define BATCH_SLACK 2048

typedef enum
{
  LAYOUT_DIAL9,  /* a batch is one thread's buffer */
  LAYOUT_MERGED, /* all threads in order of time, as our recorder writes */
} Layout;

/**
 * Batch:
 * @data: BATCH_SIZE + BATCH_SLACK bytes
 * @p: where the next frame goes
 */
typedef struct
{
  Layout layout;
  guint8 *data;
  guint8 *p;
  guint64 base_ns;
  guint known_types;
  guint n_strings;
  guint32 strings[MODEL_N_LOCATIONS + 1]; /* pool id + 1, 0 = unknown yet; the last is the runtime's name */
} Batch;

void  batch_init         (Batch             *self,
                          Layout             layout);
void  batch_clear        (Batch             *self);
void  batch_begin        (Batch             *self);
void  batch_add          (Batch             *self,
                          const ModelWorker *worker,
                          const ModelEvent  *event);
void  batch_add_sample   (Batch             *self,
                          guint64            at_ns,
                          guint              depth);
void  batch_add_clock    (Batch             *self,
                          guint64            at_ns);
void  batch_add_metadata (Batch             *self,
                          guint64            at_ns,
                          guint              n_workers);

static inline gsize
batch_get_size (const Batch *self)
{
  return (gsize) (self->p - self->data);
}

G_END_DECLS

#endif /* GENERATE_BATCH_H */
