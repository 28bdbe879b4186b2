/* fuzz-decoder.c: any bytes at all, as a file, give a trace that does not contradict itself
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "check-trace.h"
#include "fuzz-file.h"
#include "fuzz-target.h"

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  const char *const paths[] = { fuzz_file_write (bytes, size), NULL };
  g_autoptr(PlTrace) trace = check_load (paths, 1);
  guint n_files;

  g_assert_nonnull (trace);
  g_assert_cmpuint (pl_trace_get_files (trace, &n_files)->size_bytes, ==, size);
  g_assert_cmpuint (n_files, ==, 1);
  return 0;
}
