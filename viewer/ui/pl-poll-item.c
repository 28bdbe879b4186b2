/* pl-poll-item.c: one poll as the row of a list
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Made when a row is looked at, never for a whole list.
 */
#include "config.h"

#include "pl-poll-item.h"

struct _PlPollItem
{
  GObject parent_instance;

  PlPoll poll;
};

G_DEFINE_FINAL_TYPE (PlPollItem, pl_poll_item, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
pl_poll_item_class_init (PlPollItemClass *klass)
{
  /**
   * PlPollItem::changed:
   *
   * The poll, which was open, is longer than before, or has ended.
   */
  signals[CHANGED] = g_signal_new ("changed", PL_TYPE_POLL_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
pl_poll_item_init (PlPollItem *self)
{
}

/**
 * pl_poll_item_new:
 * @poll: a poll, copied
 *
 * Returns: (transfer full): a row
 */
PlPollItem *
pl_poll_item_new (const PlPoll *poll)
{
  PlPollItem *self = g_object_new (PL_TYPE_POLL_ITEM, NULL);

  self->poll = *poll;
  return self;
}

/**
 * pl_poll_item_update:
 * @self: a row
 * @poll: the same poll, as it is known now
 */
void
pl_poll_item_update (PlPollItem   *self,
                     const PlPoll *poll)
{
  if (self->poll.duration_ns == poll->duration_ns && self->poll.flags == poll->flags)
    return;
  self->poll = *poll;
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * pl_poll_item_get_poll:
 * @self: a row
 *
 * Returns: (transfer none): its poll, as long as @self lives
 */
const PlPoll *
pl_poll_item_get_poll (PlPollItem *self)
{
  return &self->poll;
}
