/* test-verdict.c: a word, a code and a sentence for all that a judge may say
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <locale.h>

#include "pl-verdict.h"

#define S G_GINT64_CONSTANT (1000000000)

static void
test_every_word_is_there (void)
{
  for (PlVerdict verdict = 0; verdict < PL_N_VERDICTS; verdict++)
    {
      g_assert_nonnull (pl_verdict_get_code (verdict));
      g_assert_nonnull (pl_verdict_get_word (verdict));
      g_assert_nonnull (pl_verdict_get_icon_name (verdict));
    }
  for (PlVerdictCause cause = PL_CAUSE_NONE + 1; cause < PL_N_CAUSES; cause++)
    {
      g_assert_nonnull (pl_verdict_cause_get_code (cause));
      g_assert_nonnull (pl_verdict_cause_get_word (cause));
      g_assert_nonnull (pl_verdict_get_remedy (PL_VERDICT_STALLED, cause));
    }
  for (PlEvidenceKind kind = 0; kind < PL_N_EVIDENCES; kind++)
    {
      PlEvidence evidence = { kind, { 5 * S, 7 } };
      g_autofree char *text = pl_evidence_describe_plain (&evidence);
      g_autofree char *start = g_strconcat (pl_evidence_get_code (kind), ": ", NULL);

      g_assert_true (g_str_has_prefix (text, start));
      g_assert_true (g_str_has_suffix (text, "."));
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watch/verdict/every-word-is-there", test_every_word_is_there);
  return g_test_run ();
}
