/* metadata.c: what the host says about itself in the metadata of each segment
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Entries are for the life of the process. Texts are replaced, never changed or freed, so that readers need no lock.
 */
#include "metadata.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "parklane-recorder.h"

typedef struct
{
  const char *key;
  _Atomic (const char *) value;
} Entry;

static Entry entries[PLR_MAX_METADATA];
static _Atomic uint32_t n_entries;
static _Atomic uint32_t version;

static char *
copy_text (const char *text)
{
  char *copy = malloc (PLR_MAX_METADATA_TEXT + 1);

  if (copy != NULL)
    plr_copy_utf8 (copy, PLR_MAX_METADATA_TEXT + 1, text);
  return copy;
}

static int
set (const char *key, const char *value)
{
  uint32_t n = atomic_load_explicit (&n_entries, memory_order_relaxed);
  uint32_t i = 0;
  char *value_copy;
  char *key_copy;

  while (i < n && strcmp (entries[i].key, key) != 0)
    i++;
  if (i < n && strcmp (atomic_load_explicit (&entries[i].value, memory_order_relaxed), value) == 0)
    return 0;
  if (i == PLR_MAX_METADATA)
    return -ENOSPC;

  value_copy = copy_text (value);
  key_copy = i == n ? copy_text (key) : NULL;
  if (value_copy == NULL || (i == n && key_copy == NULL))
    {
      free (value_copy);
      free (key_copy);
      return -ENOMEM;
    }
  if (i == n)
    entries[i].key = key_copy;
  /* both pair with the acquires of the readers */
  atomic_store_explicit (&entries[i].value, value_copy, memory_order_release);
  atomic_store_explicit (&n_entries, i == n ? n + 1 : n, memory_order_release);
  atomic_fetch_add_explicit (&version, 1, memory_order_release);
  return 0;
}

int
parklane_metadata_set (const char *key, const char *value)
{
  int r;

  if (key == NULL || value == NULL || key[0] == '\0' || strlen (key) > PLR_MAX_METADATA_TEXT
      || strlen (value) > PLR_MAX_METADATA_TEXT)
    return -EINVAL;
  plr_names_lock (); /* which a fork leaves free in the child */
  r = set (key, value);
  plr_names_unlock ();
  return r;
}

uint32_t
plr_metadata_get_n (void)
{
  return atomic_load_explicit (&n_entries, memory_order_acquire);
}

PlrMetadata
plr_metadata_get (uint32_t i)
{
  return (PlrMetadata) { entries[i].key, atomic_load_explicit (&entries[i].value, memory_order_acquire) };
}

uint32_t
plr_metadata_get_version (void)
{
  return atomic_load_explicit (&version, memory_order_acquire);
}
