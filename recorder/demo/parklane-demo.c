/* parklane-demo.c: parklane-demo: records a little runtime of its own, with stalls on request
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parklane-recorder.h"
#include "runtime.h"
#include "workload.h"

#define MAX_WORKERS 250
#define MAX_SECONDS 1e7
#define ENVIRONMENT "PARKLANE_"

enum
{
  EXIT_NOT_RECORDED = 1,
  EXIT_USAGE = 2,
};

typedef struct
{
  WorkloadOptions workload;
  const char *output_dir;
  const char *prefix;
  const char *log;
} Options;

static volatile int must_stop;

static const char usage[]
  = "Usage: parklane-demo --output DIR [OPTION…]\n"
    "Runs a small work-stealing runtime, records it, and prints what it did as JSON.\n"
    "\n"
    "  --output DIR       directory of the trace segments\n"
    "  --prefix S         name of the segments, S.N.bin (parklane-demo)\n"
    "  --workers N        worker threads (4)\n"
    "  --seconds N        how long to run (5)\n"
    "  --rate N           polls per second, all workers together (20000)\n"
    "  --seed N           start of the random numbers (1)\n"
    "  --long-poll DUR    block a worker inside a poll; repeatable, spread over the run\n"
    "  --starve DUR       let work wait in the global queue while all workers are parked\n"
    "  --idle DUR         give the workers nothing to do\n"
    "  --burst N          spawn N tasks at once\n"
    "  --hog              one poll never returns\n"
    "  --log FILE         count into FILE what each thread has recorded, as it goes (for tests of kills)\n"
    "  --help             this text\n"
    "\n"
    "DUR is a number and a unit: ns, us, ms, s or min, as in 5ms or \"0.4 s\".\n"
    "These set the session where they are present; an option given here wins:\n"
    "  PARKLANE_ENABLED, _OUTPUT_DIR, _FILE_PREFIX, _MAX_FILE_SIZE, _ROTATION_COUNT, _MAX_SEGMENT_AGE,\n"
    "  _DRAIN_INTERVAL, _CLOCK (auto, monotonic), _COMPRESS (none, zst), _BUFFER_SIZE, _CONTROL (true: for\n"
    "  parklane-cli record), _CRASH_SAFE (true), _RETRY_START (seconds), _BUSY (fail, suffix),\n"
    "  _TIME_RESOLUTION (ns, 1)\n";

static void
stop_on_signal (int number)
{
  must_stop = 1;
}

static void __attribute__ ((noreturn))
refuse (const char *option, const char *value)
{
  fprintf (stderr, "parklane-demo: --%s: cannot use \"%s\"\n", option, value);
  exit (EXIT_USAGE);
}

static uint64_t
parse_duration (const char *option, const char *text)
{
  static const struct
  {
    const char *name;
    double ns;
  } units[] = { { "ns", 1 }, { "us", 1e3 }, { "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "min", 60e9 } };
  double number;
  char *unit;

  if (!isdigit ((unsigned char) *text))
    refuse (option, text);
  number = strtod (text, &unit);
  if (*unit == ' ')
    unit++;
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (strcmp (unit, units[i].name) == 0 && isfinite (number) && number * units[i].ns <= MAX_SECONDS * 1e9)
      return (uint64_t) llround (number * units[i].ns);
  refuse (option, text);
}

static uint64_t
parse_number (const char *option, const char *text, uint64_t min, uint64_t max)
{
  unsigned long long number;
  char *end;

  errno = 0;
  number = strtoull (text, &end, 10);
  if (!isdigit ((unsigned char) *text) || *end != '\0' || errno != 0 || number < min || number > max)
    refuse (option, text);
  return number;
}

static uint64_t
parse_seconds (const char *option, const char *text)
{
  double seconds;
  char *end;

  seconds = strtod (text, &end);
  if (!isdigit ((unsigned char) *text) || *end != '\0' || !isfinite (seconds) || seconds > MAX_SECONDS)
    refuse (option, text);
  return (uint64_t) llround (seconds * 1e9);
}

enum
{
  OPTION_OUTPUT = 1,
  OPTION_PREFIX,
  OPTION_WORKERS,
  OPTION_SECONDS,
  OPTION_RATE,
  OPTION_SEED,
  OPTION_LONG_POLL,
  OPTION_STARVE,
  OPTION_IDLE,
  OPTION_BURST,
  OPTION_HOG,
  OPTION_LOG,
  OPTION_HELP,
};

static void
add_long_poll (WorkloadOptions *workload, uint64_t duration_ns)
{
  if (workload->n_long_polls == MAX_LONG_POLLS)
    {
      fprintf (stderr, "parklane-demo: more than %d long polls\n", MAX_LONG_POLLS);
      exit (EXIT_USAGE);
    }
  workload->long_polls_ns[workload->n_long_polls++] = duration_ns;
}

static void
take_option (Options *options, int option, const char *name)
{
  WorkloadOptions *workload = &options->workload;

  switch (option)
    {
    case OPTION_OUTPUT:
      options->output_dir = optarg;
      break;
    case OPTION_PREFIX:
      options->prefix = optarg;
      break;
    case OPTION_WORKERS:
      workload->n_workers = (unsigned) parse_number (name, optarg, 1, MAX_WORKERS);
      break;
    case OPTION_SECONDS:
      workload->duration_ns = parse_seconds (name, optarg);
      break;
    case OPTION_RATE:
      workload->rate = parse_number (name, optarg, 0, 1000000000);
      break;
    case OPTION_SEED:
      workload->seed = parse_number (name, optarg, 0, UINT64_MAX);
      break;
    case OPTION_LONG_POLL:
      add_long_poll (workload, parse_duration (name, optarg));
      break;
    case OPTION_STARVE:
      workload->starve_ns = parse_duration (name, optarg);
      break;
    case OPTION_IDLE:
      workload->idle_ns = parse_duration (name, optarg);
      break;
    case OPTION_BURST:
      workload->burst = parse_number (name, optarg, 0, 100000000);
      break;
    case OPTION_HOG:
      workload->hog = true;
      break;
    case OPTION_LOG:
      options->log = optarg;
      break;
    case OPTION_HELP:
      fputs (usage, stdout);
      exit (EXIT_SUCCESS);
    default:
      fputs (usage, stderr);
      exit (EXIT_USAGE);
    }
}

static Options
parse_options (int argc, char **argv)
{
  static const struct option names[] = {
    { "output", required_argument, NULL, OPTION_OUTPUT },
    { "prefix", required_argument, NULL, OPTION_PREFIX },
    { "workers", required_argument, NULL, OPTION_WORKERS },
    { "seconds", required_argument, NULL, OPTION_SECONDS },
    { "rate", required_argument, NULL, OPTION_RATE },
    { "seed", required_argument, NULL, OPTION_SEED },
    { "long-poll", required_argument, NULL, OPTION_LONG_POLL },
    { "starve", required_argument, NULL, OPTION_STARVE },
    { "idle", required_argument, NULL, OPTION_IDLE },
    { "burst", required_argument, NULL, OPTION_BURST },
    { "hog", no_argument, NULL, OPTION_HOG },
    { "log", required_argument, NULL, OPTION_LOG },
    { "help", no_argument, NULL, OPTION_HELP },
    { NULL, 0, NULL, 0 },
  };
  Options options = {
    .workload = { .n_workers = 4, .duration_ns = UINT64_C (5000000000), .rate = 20000, .seed = 1 },
  };
  int option;
  int index;

  while ((option = getopt_long (argc, argv, "", names, &index)) != -1)
    take_option (&options, option, option == '?' ? "" : names[index].name);
  if (optind < argc)
    {
      fprintf (stderr, "parklane-demo: what is \"%s\"?\n", argv[optind]);
      exit (EXIT_USAGE);
    }
  return options;
}

static void
log_to_stderr (ParklaneLogLevel level, const char *message, void *data)
{
  fprintf (stderr, "parklane-demo: %s\n", message);
}

static void
copy_option (char *to, size_t size, const char *name, const char *value)
{
  if (strlen (value) >= size)
    refuse (name, value);
  strcpy (to, value);
}

/* The environment first, what the command line names over it. Recording is on unless it says otherwise. */
static ParklaneConfig
configure (const Options *options)
{
  ParklaneConfig config;

  (void) parklane_config_from_env (&config, ENVIRONMENT, log_to_stderr, NULL); /* its warnings have been printed */
  if (getenv (ENVIRONMENT "ENABLED") == NULL)
    config.enabled = 1;
  if (getenv (ENVIRONMENT "FILE_PREFIX") == NULL)
    strcpy (config.file_prefix, "parklane-demo");
  strcpy (config.service_name, "parklane-demo");

  if (options->output_dir != NULL)
    copy_option (config.output_dir, sizeof config.output_dir, "output", options->output_dir);
  else if (getenv (ENVIRONMENT "OUTPUT_DIR") == NULL && config.enabled)
    {
      fputs ("parklane-demo: --output is missing\n", stderr);
      exit (EXIT_USAGE);
    }
  if (options->prefix != NULL)
    copy_option (config.file_prefix, sizeof config.file_prefix, "prefix", options->prefix);
  return config;
}

static void
catch_signals (void)
{
  struct sigaction action = { .sa_handler = stop_on_signal };

  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
}

static uint64_t
get_n_dropped (void)
{
  ParklaneMetrics metrics = { .struct_size = sizeof metrics };

  return parklane_metrics_get (&metrics) == 0 ? metrics.dropped_events_total : 0;
}

static void
start (const ParklaneConfig *config, ParklaneRecorder **recorder, int *status)
{
  int r = config->enabled ? parklane_recorder_start (config, recorder) : 0;

  if (r == 0)
    return;
  *status = EXIT_NOT_RECORDED;
  if (r == -EINVAL)
    fprintf (stderr, "parklane-demo: not recording to %s: a file name cannot begin with the prefix \"%s\"\n",
             config->output_dir, config->file_prefix);
  else
    fprintf (stderr, "parklane-demo: not recording to %s%s: %s\n", config->output_dir,
             *recorder != NULL ? " yet" : "", strerror (-r));
}

static void
stop (ParklaneRecorder *recorder, int *status)
{
  int r = parklane_recorder_stop (recorder);

  if (r == 0)
    return;
  fprintf (stderr, "parklane-demo: the end of the recording is missing: %s\n", strerror (-r));
  *status = EXIT_NOT_RECORDED;
}

int
main (int argc, char **argv)
{
  Options options = parse_options (argc, argv);
  ParklaneConfig config = configure (&options);
  unsigned n_workers = options.workload.n_workers;
  Tally *tallies = tally_new_array (options.log, n_workers + 1); /* the last one is the driver's */
  ParklaneRecorder *recorder = NULL;
  int status = EXIT_SUCCESS;
  Tally total;
  uint64_t n_dropped;
  unsigned n_stuck;
  Runtime *runtime;

  if (tallies == NULL)
    {
      fprintf (stderr, "parklane-demo: cannot count into %s: %s\n", options.log, strerror (errno));
      return EXIT_NOT_RECORDED;
    }
  catch_signals ();
  start (&config, &recorder, &status);

  runtime = runtime_new (n_workers, options.workload.seed, tallies);
  if (runtime == NULL)
    {
      fputs ("parklane-demo: cannot start the workers\n", stderr);
      return EXIT_NOT_RECORDED;
    }
  n_stuck = workload_run (&options.workload, runtime, &tallies[n_workers], &must_stop);
  runtime_stop (runtime, n_stuck);
  total = tallies[n_workers];
  for (unsigned i = 0; i < n_workers; i++)
    tally_add (&total, &tallies[i]);

  (void) parklane_recorder_flush (recorder); /* so that the count of dropped events is complete; stop tells errors */
  n_dropped = get_n_dropped ();
  stop (recorder, &status);
  tally_print (&total, tallies, n_workers, n_dropped);
  return status;
}
