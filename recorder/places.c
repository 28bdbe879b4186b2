/* places.c: places in the host's program, known by address until the recorder's thread asks for their text
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * An open hash table of addresses that only grows: a slot is taken with one compare-and-swap and never changes hands, so
 * that its index is a number for the address. Finding one allocates nothing and waits for nobody.
 */
#include "places.h"

#include <stdatomic.h>
#include <stddef.h>

#include "names.h"
#include "parklane-recorder.h"

/* Programs have some hundred call sites that spawn. Untouched pages of the table cost nothing. */
#define N_SLOTS UINT32_C (16384)
#define MAX_PROBES 64

typedef struct
{
  _Atomic (const void *) address;
  _Atomic uint32_t location; /* 0 until it is named */
} Slot;

static Slot slots[N_SLOTS];
static _Atomic bool is_used;
static _Atomic (ParklaneDescribeFunc) describe;

void
parklane_place_set_describe (ParklaneDescribeFunc func)
{
  /* pairs with the acquire in plr_places_name() */
  atomic_store_explicit (&describe, func, memory_order_release);
}

static bool
take_slot (Slot *slot, const void *address)
{
  const void *found = NULL;

  /* The address alone is published: what it points to was there before the program began. */
  if (!atomic_compare_exchange_strong_explicit (&slot->address, &found, address, memory_order_relaxed, memory_order_relaxed))
    return found == address;
  atomic_store_explicit (&is_used, true, memory_order_relaxed);
  return true;
}

uint32_t
plr_places_find (const void *address)
{
  /* Fibonacci hashing: such addresses are multiples of a word, near each other */
  uint32_t start = (uint32_t) ((uint64_t) (uintptr_t) address * UINT64_C (0x9e3779b97f4a7c15) >> 50);

  if (address == NULL)
    return PARKLANE_LOCATION_UNKNOWN;
  for (uint32_t i = 0; i < MAX_PROBES; i++)
    {
      uint32_t index = (start + i) % N_SLOTS;
      const void *found = atomic_load_explicit (&slots[index].address, memory_order_relaxed);
      uint32_t location;

      if (found != address && (found != NULL || !take_slot (&slots[index], address)))
        continue;
      location = atomic_load_explicit (&slots[index].location, memory_order_relaxed);
      return location != 0 ? location : PLR_PLACE_BIT | index;
    }
  return PARKLANE_LOCATION_UNKNOWN;
}

uint32_t
plr_places_name (uint32_t location)
{
  /* pairs with the release in parklane_place_set_describe() */
  ParklaneDescribeFunc func = atomic_load_explicit (&describe, memory_order_acquire);
  Slot *slot = &slots[location % N_SLOTS];
  char file[PLR_LOCATION_SIZE] = "";
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t id;

  if (!(location & PLR_PLACE_BIT))
    return location;
  id = atomic_load_explicit (&slot->location, memory_order_relaxed);
  if (id != 0)
    return id;
  if (func == NULL)
    return PARKLANE_LOCATION_UNKNOWN;

  func (atomic_load_explicit (&slot->address, memory_order_relaxed), file, sizeof file, &line, &column);
  file[sizeof file - 1] = '\0';
  if (file[0] == '\0')
    return PARKLANE_LOCATION_UNKNOWN;
  id = parklane_location_register (file, line, column);
  atomic_store_explicit (&slot->location, id, memory_order_relaxed); /* who sees it has it through a ring, or asks the names */
  return id;
}

bool
plr_places_is_used (void)
{
  return atomic_load_explicit (&is_used, memory_order_relaxed);
}
