/* metadata.c: what the host says about itself in the metadata of each segment
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Entries are for the life of the process, and so is their memory: a value that is set again and again takes no more.
 * Values are read rarely, so a lock guards them.
 */
#include "metadata.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "names.h"
#include "parklane-recorder.h"

static PlrMetadata entries[PLR_MAX_METADATA];
static _Atomic uint32_t n_entries;
static _Atomic uint32_t version;

static int
set (const char *key, const char *value)
{
  char valid_key[PLR_MAX_METADATA_TEXT + 1];
  char valid_value[PLR_MAX_METADATA_TEXT + 1];
  uint32_t n = atomic_load_explicit (&n_entries, memory_order_relaxed);
  uint32_t i = 0;

  plr_copy_utf8 (valid_key, sizeof valid_key, key);
  plr_copy_utf8 (valid_value, sizeof valid_value, value);
  while (i < n && strcmp (entries[i].key, valid_key) != 0)
    i++;
  if (i < n && strcmp (entries[i].value, valid_value) == 0)
    return 0;
  if (i == PLR_MAX_METADATA)
    return -ENOSPC;

  memcpy (entries[i].key, valid_key, sizeof valid_key);
  memcpy (entries[i].value, valid_value, sizeof valid_value);
  /* both pair with the acquires of the readers */
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

void
plr_metadata_get (uint32_t i, PlrMetadata *out_entry)
{
  plr_names_lock ();
  *out_entry = entries[i];
  plr_names_unlock ();
}

uint32_t
plr_metadata_get_version (void)
{
  return atomic_load_explicit (&version, memory_order_acquire);
}
