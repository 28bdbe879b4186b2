/* regroup.c: the events of sealed batches in an order that compresses better
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "regroup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"

#define MAX_TYPES 64
#define MAX_FIELDS 32
#define MAX_GROUPS 1024 /* what Item has bits for */
#define N_SLOTS (2 * MAX_GROUPS)
#define MAX_ITEM_SIZE (1u << 22)

/* An event of six bytes at the least grows by no more than a reset frame of nine. */
#define MAX_GROWTH 3

typedef enum
{
  KIND_POLL,
  KIND_PARK,
  KIND_OTHER,
  KIND_GAP,
} Kind;

typedef struct
{
  uint16_t id;
  uint8_t kind;
  uint8_t worker_field;
  uint8_t n_fields;
  uint8_t fields[MAX_FIELDS];
} Type;

/* An event of the batch: its tag, type and delta are EVENT_HEAD bytes before @offset. */
typedef struct
{
  uint64_t time_ns;
  uint32_t offset;
  uint32_t size : 22;
  uint32_t group : 10;
} Item;

#define EVENT_HEAD 6

typedef struct
{
  uint64_t key; /* kind, then worker or type: groups are written in the order of keys */
  uint32_t n;
  uint32_t next; /* where its next item goes */
} Group;

struct _PlrRegroup
{
  Type types[MAX_TYPES];
  unsigned n_types;
  Group groups[MAX_GROUPS];
  unsigned n_groups;
  uint16_t slots[N_SLOTS]; /* number of the group + 1, by hash of its key */
  Item *items;
  size_t n_items;
  size_t items_capacity;
  uint32_t *order;
  size_t order_capacity;
  uint8_t *out;
  size_t out_capacity;
};

PlrRegroup *
plr_regroup_new (void)
{
  return calloc (1, sizeof (PlrRegroup));
}

void
plr_regroup_free (PlrRegroup *self)
{
  if (self == NULL)
    return;
  free (self->items);
  free (self->order);
  free (self->out);
  free (self);
}

static int
reserve (void **array, size_t *capacity, size_t n, size_t unit)
{
  size_t grown_capacity = n > *capacity * 2 ? n : *capacity * 2;
  void *grown;

  if (n <= *capacity)
    return 0;
  grown = reallocarray (*array, grown_capacity, unit);
  if (grown == NULL)
    return -ENOMEM;
  *array = grown;
  *capacity = grown_capacity;
  return 0;
}

static bool
equals (const uint8_t *bytes, size_t length, const char *text)
{
  return strlen (text) == length && memcmp (bytes, text, length) == 0;
}

static Kind
classify (const uint8_t *name, size_t length)
{
  if (equals (name, length, "PollStartEvent") || equals (name, length, "PollEndEvent"))
    return KIND_POLL;
  if (equals (name, length, "WorkerParkEvent") || equals (name, length, "WorkerUnparkEvent"))
    return KIND_PARK;
  if (equals (name, length, "ParklaneGapEvent"))
    return KIND_GAP;
  return KIND_OTHER;
}

static bool
read_schema (PlrRegroup *self, PlrCursor *c)
{
  Type type = { .worker_field = MAX_FIELDS };
  uint16_t length;
  uint16_t n_fields;

  if (!plr_cursor_get_u16 (c, &type.id) || !plr_cursor_get_u16 (c, &length) || !plr_cursor_skip (c, length))
    return false;
  type.kind = (uint8_t) classify (c->p - length, length);
  if (!plr_cursor_skip (c, 1) || c->p[-1] == 0 || !plr_cursor_get_u16 (c, &n_fields) || n_fields > MAX_FIELDS)
    return false;

  for (unsigned i = 0; i < n_fields; i++)
    {
      if (!plr_cursor_get_u16 (c, &length) || !plr_cursor_skip (c, (uint64_t) length + 1))
        return false;
      type.fields[i] = c->p[-1];
      if (type.fields[i] == TRC_VARINT && equals (c->p - 1 - length, length, "worker_id"))
        type.worker_field = (uint8_t) i;
    }
  type.n_fields = (uint8_t) n_fields;
  if (type.worker_field == MAX_FIELDS && type.kind != KIND_GAP)
    type.kind = KIND_OTHER;

  for (unsigned i = 0; i < self->n_types; i++)
    if (self->types[i].id == type.id)
      return false;
  if (self->n_types == MAX_TYPES)
    return false;
  self->types[self->n_types++] = type;
  return true;
}

static const Type *
find_type (const PlrRegroup *self, uint16_t id)
{
  for (unsigned i = 0; i < self->n_types; i++)
    if (self->types[i].id == id)
      return &self->types[i];
  return NULL;
}

/* Returns MAX_GROUPS when there are too many. */
static unsigned
find_group (PlrRegroup *self, uint64_t key)
{
  unsigned slot = (unsigned) ((key * UINT64_C (0x9e3779b97f4a7c15)) >> 32) % N_SLOTS;

  while (self->slots[slot] != 0 && self->groups[self->slots[slot] - 1].key != key)
    slot = (slot + 1) % N_SLOTS;
  if (self->slots[slot] != 0)
    return self->slots[slot] - 1u;
  if (self->n_groups == MAX_GROUPS)
    return MAX_GROUPS;
  self->groups[self->n_groups] = (Group) { .key = key };
  self->slots[slot] = (uint16_t) ++self->n_groups;
  return self->n_groups - 1;
}

static int
read_event (PlrRegroup *self, PlrCursor *c, const uint8_t *batch, uint64_t *base_ns)
{
  const uint8_t *values;
  const Type *type;
  uint64_t worker = 0;
  unsigned group;
  uint16_t id;
  int r;

  type = plr_cursor_get_u16 (c, &id) ? find_type (self, id) : NULL;
  if (type == NULL || type->kind == KIND_GAP || !plr_cursor_skip (c, 3))
    return -EPROTO;
  *base_ns += trc_read_u24 (c->p - 3);

  values = c->p;
  for (unsigned i = 0; i < type->n_fields; i++)
    {
      const uint8_t *value = c->p;

      if (plr_cursor_skip_value (c, type->fields[i]) != PLR_FRAME_WHOLE)
        return -EPROTO;
      if (i == type->worker_field && trc_read_varint (value, c->p, &worker) == NULL)
        return -EPROTO;
    }

  if (worker > UINT32_MAX || (size_t) (c->p - values) >= MAX_ITEM_SIZE)
    return -EPROTO;
  group = find_group (self, (uint64_t) type->kind << 32 | (type->kind == KIND_OTHER ? id : worker));
  if (group == MAX_GROUPS)
    return -EPROTO;

  r = reserve ((void **) &self->items, &self->items_capacity, self->n_items + 1, sizeof *self->items);
  if (r < 0)
    return r;
  self->items[self->n_items++] = (Item) {
    .time_ns = *base_ns,
    .offset = (uint32_t) (values - batch),
    .size = (uint32_t) (c->p - values),
    .group = group,
  };
  self->groups[group].n++;
  return 0;
}

static bool
skip_pool (PlrCursor *c, uint64_t unit)
{
  uint32_t n;

  if (!plr_cursor_get_u32 (c, &n))
    return false;
  for (; n > 0; n--)
    if (!plr_cursor_skip (c, 4) || !plr_cursor_skip_sized (c, unit))
      return false;
  return true;
}

static void
append (PlrRegrouped *out, uint8_t *data, const uint8_t *bytes, size_t size)
{
  memcpy (data + out->size, bytes, size);
  out->size += size;
}

/* Reads the frames of a batch to the next header. Schemas and pools are copied, events noted. */
static int
read_batch (PlrRegroup *self, PlrCursor *c, PlrRegrouped *out)
{
  const uint8_t *batch = c->p;
  uint64_t base_ns = 0;

  self->n_types = 0;
  self->n_groups = 0;
  self->n_items = 0;
  memset (self->slots, 0, sizeof self->slots);

  if (!plr_cursor_skip (c, TRC_HEADER_SIZE) || memcmp (batch, TRC_MAGIC, TRC_MAGIC_SIZE) != 0)
    return -EPROTO;
  append (out, self->out, batch, TRC_HEADER_SIZE);

  while (c->p < c->end && *c->p != TRC_TAG_HEADER)
    {
      const uint8_t *frame = c->p++;
      bool is_whole = true;
      int r;

      switch (*frame)
        {
        case TRC_TAG_EVENT:
          r = read_event (self, c, batch, &base_ns);
          if (r < 0)
            return r;
          continue;
        case TRC_TAG_RESET:
          is_whole = plr_cursor_skip (c, 8);
          if (is_whole)
            base_ns = trc_read_u64 (c->p - 8);
          break;
        case TRC_TAG_SCHEMA:
          is_whole = read_schema (self, c);
          break;
        case TRC_TAG_STRING_POOL:
          is_whole = skip_pool (c, 1);
          break;
        case TRC_TAG_STACK_POOL:
          is_whole = skip_pool (c, 8);
          break;
        default:
          return -EPROTO;
        }
      if (!is_whole)
        return -EPROTO;
      if (*frame != TRC_TAG_RESET)
        append (out, self->out, frame, (size_t) (c->p - frame));
    }
  return 0;
}

static int
compare_keys (const void *a, const void *b)
{
  const Group *left = *(const Group *const *) a;
  const Group *right = *(const Group *const *) b;

  return (left->key > right->key) - (left->key < right->key);
}

static int
sort_items (PlrRegroup *self)
{
  Group *sorted[MAX_GROUPS];
  uint32_t position = 0;
  int r;

  r = reserve ((void **) &self->order, &self->order_capacity, self->n_items, sizeof *self->order);
  if (r < 0)
    return r;

  for (unsigned i = 0; i < self->n_groups; i++)
    sorted[i] = &self->groups[i];
  qsort (sorted, self->n_groups, sizeof *sorted, compare_keys);
  for (unsigned i = 0; i < self->n_groups; i++)
    {
      sorted[i]->next = position;
      position += sorted[i]->n;
    }
  for (uint32_t i = 0; i < self->n_items; i++)
    self->order[self->groups[self->items[i].group].next++] = i;
  return 0;
}

static void
write_events (PlrRegroup *self, const uint8_t *batch, PlrRegrouped *out)
{
  uint64_t kind = KIND_POLL;
  uint64_t base_ns = 0;

  for (size_t i = 0; i < self->n_items; i++)
    {
      const Item *item = &self->items[self->order[i]];
      uint64_t delta = item->time_ns - base_ns;
      uint8_t *p = self->out + out->size;

      if (self->groups[item->group].key >> 32 != kind)
        {
          kind = self->groups[item->group].key >> 32;
          if (out->n_cuts < PLR_REGROUP_MAX_CUTS)
            out->cuts[out->n_cuts++] = out->size;
        }
      if (delta > TRC_MAX_DELTA) /* a step back is a huge unsigned difference */
        {
          *p++ = TRC_TAG_RESET;
          p = trc_write_u64 (p, item->time_ns);
          delta = 0;
        }
      base_ns = item->time_ns;
      memcpy (p, batch + item->offset - EVENT_HEAD, EVENT_HEAD - 3);
      p = trc_write_u24 (p + EVENT_HEAD - 3, (uint32_t) delta);
      memcpy (p, batch + item->offset, item->size);
      out->size = (size_t) (p + item->size - self->out);
    }
}

int
plr_regroup (PlrRegroup *self, const uint8_t *raw, size_t size, PlrRegrouped *out)
{
  PlrCursor c;
  int r;

  *out = (PlrRegrouped) { 0 };
  if (size == 0)
    return 0; /* @raw may be NULL then, which nothing can be added to */
  if (size > UINT32_MAX)
    return -EPROTO;
  c = (PlrCursor) { raw, raw + size };
  r = reserve ((void **) &self->out, &self->out_capacity, size * MAX_GROWTH, 1);
  while (r == 0 && c.p < c.end)
    {
      const uint8_t *batch = c.p;

      r = read_batch (self, &c, out);
      if (r == 0)
        r = sort_items (self);
      if (r == 0)
        write_events (self, batch, out);
    }
  out->data = self->out;
  return r;
}
