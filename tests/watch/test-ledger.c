/* test-ledger.c: what counts as written, and what does not
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "dir-files.h"
#include "pl-ledger.h"

static void
put (GArray *files, guint64 index, PlForm form, guint64 size)
{
  dir_files_put (files, &(PlDirFile) { .index = index, .form = form, .size = size });
}

static void
test_rename_is_no_writing (void)
{
  g_autoptr(GArray) files = g_array_new (FALSE, FALSE, sizeof (PlDirFile));
  g_autoptr(PlLedger) ledger = pl_ledger_new ();
  PlLedgerChange change;

  put (files, 4, PL_FORM_ACTIVE, 1000);
  pl_ledger_update (ledger, files);
  put (files, 4, PL_FORM_SEALED, 1000);
  dir_files_drop (files, 4, PL_FORM_ACTIVE);
  change = pl_ledger_update (ledger, files);
  g_assert_cmpuint (change.grown_bytes, ==, 0);
  put (files, 4, PL_FORM_PACKED, 200);
  change = pl_ledger_update (ledger, files);
  g_assert_cmpuint (change.grown_bytes, ==, 0);
  g_assert_cmpuint (pl_ledger_get_disk_usage (ledger), ==, 1200);
  dir_files_drop (files, 4, PL_FORM_SEALED);
  change = pl_ledger_update (ledger, files);
  g_assert_cmpuint (change.grown_bytes, ==, 0);
  g_assert_cmpuint (pl_ledger_get_bytes_written (ledger), ==, 1000);
  g_assert_cmpuint (pl_ledger_get_disk_usage (ledger), ==, 200);
  dir_files_drop (files, 4, PL_FORM_PACKED);
  pl_ledger_update (ledger, files);
  g_assert_cmpuint (pl_ledger_get_n_evicted (ledger), ==, 1);
  g_assert_cmpuint (pl_ledger_get_evicted_bytes (ledger), ==, 200);
  g_assert_cmpuint (pl_ledger_get_bytes_written (ledger), ==, 1000);
}

static void
test_cut_file_lowers_nothing (void)
{
  g_autoptr(GArray) files = g_array_new (FALSE, FALSE, sizeof (PlDirFile));
  g_autoptr(PlLedger) ledger = pl_ledger_new ();
  PlLedgerChange change;

  put (files, 0, PL_FORM_ACTIVE, 1000);
  pl_ledger_update (ledger, files);
  put (files, 0, PL_FORM_ACTIVE, 0);
  change = pl_ledger_update (ledger, files);
  g_assert_true (change.is_shrunk);
  g_assert_cmpuint (pl_ledger_get_bytes_written (ledger), ==, 1000);
  put (files, 0, PL_FORM_ACTIVE, 300);
  change = pl_ledger_update (ledger, files);
  g_assert_cmpuint (change.grown_bytes, ==, 300);
  g_assert_cmpuint (pl_ledger_get_bytes_written (ledger), ==, 1300);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watch/ledger/rename-and-compression-are-no-writing", test_rename_is_no_writing);
  g_test_add_func ("/watch/ledger/cut-file-lowers-nothing", test_cut_file_lowers_nothing);
  return g_test_run ();
}
