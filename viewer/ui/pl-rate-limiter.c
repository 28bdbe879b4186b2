/* pl-rate-limiter.c: not more often than so often, for each of many subjects
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-rate-limiter.h"

/* More subjects than this at once are no news any more; also what bounds the memory. */
#define MAX_SUBJECTS 256

typedef struct
{
  gint64 allowed_ns;
  guint n_held;
} Subject;

struct _PlRateLimiter
{
  gint64 interval_ns;
  GHashTable *subjects; /* char * → Subject */
};

/**
 * pl_rate_limiter_new:
 * @interval_ns: between two of the same subject
 *
 * Returns: (transfer full): a limiter, which knows no clock but is told the time
 */
PlRateLimiter *
pl_rate_limiter_new (gint64 interval_ns)
{
  PlRateLimiter *self = g_new0 (PlRateLimiter, 1);

  self->interval_ns = interval_ns;
  self->subjects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
pl_rate_limiter_free (PlRateLimiter *self)
{
  g_hash_table_unref (self->subjects);
  g_free (self);
}

static gboolean
is_over (PlRateLimiter *self,
         const Subject *subject,
         gint64         now_ns)
{
  return now_ns - subject->allowed_ns >= self->interval_ns;
}

static void
forget_old (PlRateLimiter *self,
            gint64         now_ns)
{
  GHashTableIter iter;
  gpointer subject;

  g_hash_table_iter_init (&iter, self->subjects);
  while (g_hash_table_iter_next (&iter, NULL, &subject))
    if (is_over (self, subject, now_ns))
      g_hash_table_iter_remove (&iter);
}

/**
 * pl_rate_limiter_allow:
 * @self: a limiter
 * @subject: what it is about
 * @now_ns: monotonic time, not before that of the last question
 * @out_n_held: (out): when it is allowed, how many of @subject were not since the last one that was
 *
 * Returns: whether it is time for another one of @subject
 */
gboolean
pl_rate_limiter_allow (PlRateLimiter *self,
                       const char    *subject,
                       gint64         now_ns,
                       guint         *out_n_held)
{
  Subject *known = g_hash_table_lookup (self->subjects, subject);

  if (known != NULL && !is_over (self, known, now_ns))
    {
      known->n_held++;
      return FALSE;
    }
  *out_n_held = known != NULL ? known->n_held : 0;
  if (known == NULL)
    {
      if (g_hash_table_size (self->subjects) >= MAX_SUBJECTS)
        forget_old (self, now_ns);
      if (g_hash_table_size (self->subjects) >= MAX_SUBJECTS)
        return FALSE;
      known = g_new0 (Subject, 1);
      g_hash_table_insert (self->subjects, g_strdup (subject), known);
    }
  *known = (Subject) { now_ns, 0 };
  return TRUE;
}
