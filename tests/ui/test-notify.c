/* test-notify.c: of which long polls the desktop is told, and how often, in virtual time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-long-poll-notifier.h"
#include "pl-rate-limiter.h"

#include "test-trace.h"

#define MS G_GINT64_CONSTANT (1000000)
#define S G_GINT64_CONSTANT (1000000000)
#define BEGIN (100 * S)

static void
test_once_a_minute (void)
{
  g_autoptr(PlRateLimiter) limiter = pl_rate_limiter_new (60 * S);
  guint n_held = 99;

  g_assert_true (pl_rate_limiter_allow (limiter, "a", 0, &n_held));
  g_assert_cmpuint (n_held, ==, 0);
  for (gint64 second = 1; second < 60; second++)
    g_assert_false (pl_rate_limiter_allow (limiter, "a", second * S, &n_held));
  g_assert_true (pl_rate_limiter_allow (limiter, "b", 30 * S, &n_held));
  g_assert_true (pl_rate_limiter_allow (limiter, "a", 60 * S, &n_held));
  g_assert_cmpuint (n_held, ==, 59);
  g_assert_false (pl_rate_limiter_allow (limiter, "a", 61 * S, &n_held));
  g_assert_false (pl_rate_limiter_allow (limiter, "b", 89 * S, &n_held));
}

/* A year of ever new places: no more at once than are news, and no more memory. */
static void
test_many_subjects (void)
{
  g_autoptr(PlRateLimiter) limiter = pl_rate_limiter_new (60 * S);
  guint n_allowed = 0;
  guint n_held;

  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *place = g_strdup_printf ("src/%u.rs", i);

      n_allowed += pl_rate_limiter_allow (limiter, place, 0, &n_held) ? 1 : 0;
    }
  g_assert_cmpuint (n_allowed, ==, 256);
  g_assert_true (pl_rate_limiter_allow (limiter, "src/later.rs", 60 * S, &n_held));
}

typedef struct
{
  guint n_told;
  guint n_held;
  gint64 start_ns;
} Told;

static void
tell (PlTrace *trace, const PlPoll *poll, guint n_held, gpointer data)
{
  Told *told = data;

  told->n_told++;
  told->n_held = n_held;
  told->start_ns = poll->start_ns;
}

/* Two places in turn; every tenth poll takes 5 ms, one a second, for @seconds. */
static PlTrace *
load (guint seconds)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  for (guint i = 0; i < 10 * seconds; i++)
    test_trace_poll (bytes, 0, 7, i / 10 % 2 == 0 ? "a.rs:1:1" : "b.rs:2:2", BEGIN + i * 100 * MS,
                     i % 10 == 0 ? 5 * MS : MS / 10);
  return test_trace_load (bytes);
}

static void
hear (PlLongPollNotifier *notifier, guint seconds, gint64 threshold_ns)
{
  g_autoptr(PlTrace) trace = load (seconds);

  pl_long_poll_notifier_hear (notifier, trace, threshold_ns, BEGIN + seconds * S);
}

static void
test_only_what_comes_later (void)
{
  Told told = { 0 };
  g_autoptr(PlLongPollNotifier) notifier = pl_long_poll_notifier_new (tell, &told);

  hear (notifier, 10, MS);
  g_assert_cmpuint (told.n_told, ==, 0);
  hear (notifier, 10, MS);
  g_assert_cmpuint (told.n_told, ==, 0);
  hear (notifier, 11, MS);
  g_assert_cmpuint (told.n_told, ==, 1);
  g_assert_cmpint (told.start_ns, ==, BEGIN + 10 * S);
  hear (notifier, 11, MS);
  g_assert_cmpuint (told.n_told, ==, 1);
}

static void
test_each_place_once_a_minute (void)
{
  Told told = { 0 };
  g_autoptr(PlLongPollNotifier) notifier = pl_long_poll_notifier_new (tell, &told);

  for (guint second = 10; second <= 60; second++)
    hear (notifier, second, MS);
  g_assert_cmpuint (told.n_told, ==, 2);
  for (guint second = 61; second <= 72; second++)
    hear (notifier, second, MS);
  g_assert_cmpuint (told.n_told, ==, 4);
  g_assert_cmpuint (told.n_held, ==, 29);
}

static void
test_other_threshold (void)
{
  Told told = { 0 };
  g_autoptr(PlLongPollNotifier) notifier = pl_long_poll_notifier_new (tell, &told);

  hear (notifier, 10, 10 * MS);
  hear (notifier, 11, 10 * MS);
  hear (notifier, 11, MS);
  g_assert_cmpuint (told.n_told, ==, 0);
  hear (notifier, 12, MS);
  g_assert_cmpuint (told.n_told, ==, 1);
}

static void
test_other_trace (void)
{
  Told told = { 0 };
  g_autoptr(PlLongPollNotifier) notifier = pl_long_poll_notifier_new (tell, &told);

  hear (notifier, 10, MS);
  pl_long_poll_notifier_reset (notifier);
  hear (notifier, 20, MS);
  g_assert_cmpuint (told.n_told, ==, 0);
  hear (notifier, 21, MS);
  g_assert_cmpuint (told.n_told, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/rate-limiter/each-subject-once-an-interval", test_once_a_minute);
  g_test_add_func ("/ui/rate-limiter/subjects-are-bounded", test_many_subjects);
  g_test_add_func ("/ui/long-poll-notifier/what-was-recorded-before-is-not-told", test_only_what_comes_later);
  g_test_add_func ("/ui/long-poll-notifier/each-place-is-told-once-a-minute", test_each_place_once_a_minute);
  g_test_add_func ("/ui/long-poll-notifier/another-threshold-makes-no-news-of-old-polls", test_other_threshold);
  g_test_add_func ("/ui/long-poll-notifier/another-trace-begins-anew", test_other_trace);
  return g_test_run ();
}
