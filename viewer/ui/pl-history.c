/* pl-history.c: the views one can go back and forward through
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two stacks of ranges; the range on screen is in neither. A continuous movement (a wheel, a drag, a held key) counts
 * as one step: its first change is recorded, the rest only moves on until it is settled.
 */
#include "config.h"

#include "pl-history.h"

/* Nobody walks back further; it keeps hours of work from growing without bound. */
#define MAX_STEPS 200

struct _PlHistory
{
  GArray *back;
  GArray *forward;
  gboolean in_movement;
};

/**
 * pl_history_new:
 *
 * Creates an empty history. It belongs to one thread.
 */
PlHistory *
pl_history_new (void)
{
  PlHistory *self = g_new0 (PlHistory, 1);

  self->back = g_array_new (FALSE, FALSE, sizeof (PlRange));
  self->forward = g_array_new (FALSE, FALSE, sizeof (PlRange));
  return self;
}

/**
 * pl_history_free:
 * @self: (transfer full): a history
 */
void
pl_history_free (PlHistory *self)
{
  g_array_unref (self->back);
  g_array_unref (self->forward);
  g_free (self);
}

/**
 * pl_history_clear:
 * @self: a history
 *
 * Forgets everything, as for a new trace.
 */
void
pl_history_clear (PlHistory *self)
{
  g_array_set_size (self->back, 0);
  g_array_set_size (self->forward, 0);
  self->in_movement = FALSE;
}

static void
push (GArray *stack,
      PlRange range)
{
  if (stack->len == MAX_STEPS)
    g_array_remove_index (stack, 0);
  g_array_append_val (stack, range);
}

static PlRange
pop (GArray *stack)
{
  PlRange range = g_array_index (stack, PlRange, stack->len - 1);

  g_array_set_size (stack, stack->len - 1);
  return range;
}

/**
 * pl_history_leave:
 * @self: a history
 * @left: the range that is being left
 * @continuous: whether this is part of a movement that pl_history_settle() ends
 *
 * Records that the view leaves @left for a new range. What lay ahead is forgotten.
 */
void
pl_history_leave (PlHistory *self,
                  PlRange    left,
                  gboolean   continuous)
{
  if (!continuous || !self->in_movement)
    push (self->back, left);
  self->in_movement = continuous;
  g_array_set_size (self->forward, 0);
}

/**
 * pl_history_settle:
 * @self: a history
 *
 * Ends a continuous movement: the next change is a step of its own.
 */
void
pl_history_settle (PlHistory *self)
{
  self->in_movement = FALSE;
}

/**
 * pl_history_can_go_back:
 * @self: a history
 */
gboolean
pl_history_can_go_back (PlHistory *self)
{
  return self->back->len > 0;
}

/**
 * pl_history_can_go_forward:
 * @self: a history
 */
gboolean
pl_history_can_go_forward (PlHistory *self)
{
  return self->forward->len > 0;
}

/**
 * pl_history_go_back:
 * @self: a history with pl_history_can_go_back()
 * @left: the range on screen, to which pl_history_go_forward() returns
 *
 * Returns: the range to show
 */
PlRange
pl_history_go_back (PlHistory *self,
                    PlRange    left)
{
  g_return_val_if_fail (self->back->len > 0, left);

  push (self->forward, left);
  self->in_movement = FALSE;
  return pop (self->back);
}

/**
 * pl_history_go_forward:
 * @self: a history with pl_history_can_go_forward()
 * @left: the range on screen, to which pl_history_go_back() returns
 *
 * Returns: the range to show
 */
PlRange
pl_history_go_forward (PlHistory *self,
                       PlRange    left)
{
  g_return_val_if_fail (self->forward->len > 0, left);

  push (self->back, left);
  self->in_movement = FALSE;
  return pop (self->forward);
}
