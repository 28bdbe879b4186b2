/* pl-cli-record.c: `parklane-cli record`: asks and steers a running recorder through the socket in its directory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The answer's lines are shown as they are understood; keys that this version does not know go into the JSON all the
 * same.
 */
#include "config.h"

#include "pl-cli-record.h"

#include <fcntl.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "pl-cli.h"
#include "pl-cli-json.h"
#include "pl-duration.h"
#include "pl-session-lock.h"

#define SUFFIX ".sock"

/* A stop seals and syncs before it answers. */
#define TIMEOUT_S 10

/* No recorder answers at such length. */
#define MAX_ANSWER (64 * 1024)

static const char *const verbs[] = { "status", "pause", "resume", "rotate", "stop", "start", NULL };

typedef struct
{
  char *prefix;
  char *refusal;      /* why the request was not granted; NULL: it was */
  GHashTable *values; /* key → value */
  GPtrArray *keys;    /* in the answer's order */
  GError *error;      /* instead of an answer */
} Answer;

static void
answer_free (Answer *self)
{
  g_free (self->prefix);
  g_free (self->refusal);
  g_hash_table_unref (self->values);
  g_ptr_array_unref (self->keys);
  g_clear_error (&self->error);
  g_free (self);
}

static const char *
get (const Answer *self, const char *key)
{
  const char *value = g_hash_table_lookup (self->values, key);

  return value != NULL ? value : "";
}

static guint64
get_number (const Answer *self, const char *key)
{
  return g_ascii_strtoull (get (self, key), NULL, 10);
}

static gboolean
is_answer (const char *text)
{
  return g_str_has_prefix (text, "ok\n") || g_str_has_prefix (text, "error=");
}

static void
read_lines (Answer *self, const char *text)
{
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);

  if (g_str_has_prefix (lines[0], "error="))
    self->refusal = g_strdup (lines[0] + strlen ("error="));
  for (guint i = 1; lines[0] != NULL && lines[i] != NULL; i++)
    {
      const char *equals = strchr (lines[i], '=');

      if (equals == NULL)
        continue;
      g_ptr_array_add (self->keys, g_strndup (lines[i], equals - lines[i]));
      g_hash_table_replace (self->values, g_strdup (g_ptr_array_index (self->keys, self->keys->len - 1)),
                            g_strdup (equals + 1));
    }
}

/* The whole answer, up to the end that the recorder makes. */
static char *
exchange (GSocketConnection *connection, const char *verb, GError **error)
{
  g_autofree char *request = g_strconcat (verb, "\n", NULL);
  g_autoptr(GString) answer = g_string_new (NULL);
  GInputStream *input = g_io_stream_get_input_stream (G_IO_STREAM (connection));

  if (!g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), request, strlen (request), NULL,
                                  NULL, error))
    return NULL;
  for (;;)
    {
      char buffer[4096];
      gssize n = g_input_stream_read (input, buffer, sizeof buffer, NULL, error);

      if (n < 0)
        return NULL;
      if (n == 0 || answer->len > MAX_ANSWER)
        break;
      g_string_append_len (answer, buffer, n);
    }
  if (!is_answer (answer->str) || !g_utf8_validate (answer->str, (gssize) answer->len, NULL))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s", _("what answers is no recorder"));
      return NULL;
    }
  return g_string_free (g_steal_pointer (&answer), FALSE);
}

/* Nobody listens on the socket of @prefix in the current directory. Only the lock tells whether its process lives. */
static const char *
explain_refusal (const char *prefix)
{
  PlSessionLock lock = { 0 };
  guint32 pid = 0;

  switch (pl_session_lock_look (&lock, AT_FDCWD, prefix, g_get_real_time () * 1000, &pid))
    {
    case PL_LOCK_FREE:
      return _("the socket is left over: its process is gone");
    case PL_LOCK_HELD:
      return _("nobody listens on the socket, but the session's lock is held: its process lives and may have lost its "
               "directory");
    case PL_LOCK_NONE:
    case PL_LOCK_UNKNOWN:
    default:
      return _("nobody listens on the socket: its process is gone or has lost its directory");
    }
}

/* The name is relative to the current directory: an address holds no long path. */
static Answer *
ask (const char *prefix, const char *verb)
{
  g_autofree char *name = g_strconcat (prefix, SUFFIX, NULL);
  g_autoptr(GSocketAddress) address = g_unix_socket_address_new (name);
  g_autoptr(GSocketClient) client = g_socket_client_new ();
  g_autoptr(GSocketConnection) connection = NULL;
  g_autofree char *text = NULL;
  Answer *self = g_new0 (Answer, 1);

  self->prefix = g_strdup (prefix);
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->keys = g_ptr_array_new_with_free_func (g_free);
  g_socket_client_set_timeout (client, TIMEOUT_S);

  connection = g_socket_client_connect (client, G_SOCKET_CONNECTABLE (address), NULL, &self->error);
  if (connection != NULL)
    text = exchange (connection, verb, &self->error);
  if (text != NULL)
    read_lines (self, text);
  else if (g_error_matches (self->error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    {
      g_clear_error (&self->error);
      g_set_error_literal (&self->error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED, explain_refusal (prefix));
    }
  return self;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Prefixes that have a socket in the current directory, sorted. */
static GPtrArray *
find_prefixes (GError **error)
{
  GPtrArray *prefixes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GDir) dir = g_dir_open (".", 0, error);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      GStatBuf st;

      if (g_str_has_suffix (name, SUFFIX) && name[0] != '.' && g_lstat (name, &st) == 0 && S_ISSOCK (st.st_mode))
        g_ptr_array_add (prefixes, g_strndup (name, strlen (name) - strlen (SUFFIX)));
    }
  g_ptr_array_sort (prefixes, compare_names);
  return prefixes;
}

/* ---- what is printed ---- */

static void
print_health (const Answer *answer)
{
  guint64 since_ns = get_number (answer, "health_since_unix_ns");
  g_autofree char *duration = NULL;

  g_print (_("  health    %s"), get (answer, "health"));
  if (since_ns > 0)
    {
      gint64 age_ns = g_get_real_time () * 1000 - (gint64) since_ns;

      duration = pl_duration_format (age_ns > 0 ? age_ns : 0);
      g_print (_(", for %s"), duration);
    }
  g_print ("\n");
  if (g_hash_table_contains (answer->values, "cause"))
    g_print (_("  cause     %s\n"), get (answer, "cause"));
}

static void
print_answer (const Answer *answer)
{
  g_autofree char *written = g_format_size (get_number (answer, "bytes_written"));
  g_autofree char *usage = g_format_size (get_number (answer, "disk_usage_bytes"));
  g_autofree char *budget = g_format_size (get_number (answer, "budget_bytes"));
  g_autofree char *age = pl_duration_format ((gint64) get_number (answer, "last_write_age_ns"));

  g_print (_("%s: %s, process %s\n"), answer->prefix, get (answer, "state"), get (answer, "pid"));
  print_health (answer);
  g_print (_("  events    %s recorded, %s dropped, by %s threads\n"), get (answer, "events"), get (answer, "dropped_events"),
           get (answer, "attached_threads"));
  if (g_hash_table_contains (answer->values, "last_write_age_ns"))
    g_print (_("  written   %s, last %s ago\n"), written, age);
  if (g_hash_table_contains (answer->values, "segment"))
    g_print (_("  segment   %s; %s sealed, %s evicted\n"), get (answer, "segment"), get (answer, "segments_sealed"),
             get (answer, "segments_evicted"));
  if (get_number (answer, "segments_incomplete") > 0)
    g_print (_("            %s of them ended before all threads were drained\n"), get (answer, "segments_incomplete"));
  g_print (_("  on disk   %s of %s\n"), usage, budget);
}

static void
add_answer (JsonBuilder *builder, const Answer *answer)
{
  g_autofree char *prefix = g_utf8_make_valid (answer->prefix, -1);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "session");
  json_builder_add_string_value (builder, prefix);
  json_builder_set_member_name (builder, "error");
  if (answer->error != NULL || answer->refusal != NULL)
    json_builder_add_string_value (builder, answer->error != NULL ? answer->error->message : answer->refusal);
  else
    json_builder_add_null_value (builder);
  for (guint i = 0; i < answer->keys->len; i++)
    {
      const char *key = g_ptr_array_index (answer->keys, i);
      const char *value = get (answer, key);
      guint64 number;

      if (g_str_equal (key, "session") || g_str_equal (key, "error"))
        continue;
      json_builder_set_member_name (builder, key);
      if (!g_str_equal (key, "prefix") && g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT64, &number, NULL))
        json_builder_add_int_value (builder, (gint64) number);
      else
        json_builder_add_string_value (builder, value);
    }
  json_builder_end_object (builder);
}

static void
print_json (GPtrArray *answers)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "version");
  json_builder_add_int_value (builder, 1);
  json_builder_set_member_name (builder, "sessions");
  json_builder_begin_array (builder);
  for (guint i = 0; i < answers->len; i++)
    add_answer (builder, g_ptr_array_index (answers, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  pl_cli_print_json (builder);
}

static int
print_answers (GPtrArray *answers, const char *dir, gboolean json)
{
  int status = PL_CLI_DONE;

  if (json)
    print_json (answers);
  for (guint i = 0; i < answers->len; i++)
    {
      const Answer *answer = g_ptr_array_index (answers, i);

      if (!json && answer->error == NULL)
        print_answer (answer);
      if (answer->error != NULL)
        g_printerr ("parklane-cli: %s/%s%s: %s\n", dir, answer->prefix, SUFFIX, answer->error->message);
      else if (answer->refusal != NULL)
        g_printerr (_("parklane-cli: %s refused: %s\n"), answer->prefix, answer->refusal);
      if (answer->error != NULL || answer->refusal != NULL)
        status = PL_CLI_INPUT_ERROR;
    }
  return status;
}

/* ---- whom to ask ---- */

static void
refuse_many (GPtrArray *prefixes, const char *dir)
{
  g_ptr_array_add (prefixes, NULL);
  g_autofree char *list = g_strjoinv (", ", (char **) prefixes->pdata);

  g_printerr (_("parklane-cli: several sessions record to %s; say which with --prefix: %s\n"), dir, list);
}

/* Those to send @verb to, or NULL after an error has been printed. */
static GPtrArray *
choose_prefixes (const char *dir, const char *prefix, const char *verb)
{
  g_autoptr(GPtrArray) prefixes = NULL;
  g_autoptr(GError) error = NULL;

  if (prefix != NULL)
    {
      prefixes = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (prefixes, g_strdup (prefix));
      return g_steal_pointer (&prefixes);
    }
  prefixes = find_prefixes (&error);
  if (error != NULL)
    g_printerr ("parklane-cli: %s: %s\n", dir, error->message);
  else if (prefixes->len == 0)
    g_printerr (_("parklane-cli: no recorder listens in %s: none runs, or PARKLANE_CONTROL is not set for it\n"), dir);
  else if (prefixes->len > 1 && !g_str_equal (verb, "status"))
    refuse_many (prefixes, dir);
  else
    return g_steal_pointer (&prefixes);
  return NULL;
}

static int
run (const char *verb, const char *dir, const char *prefix, gboolean json)
{
  g_autoptr(GPtrArray) answers = g_ptr_array_new_with_free_func ((GDestroyNotify) answer_free);
  g_autoptr(GPtrArray) prefixes = NULL;

  if (g_chdir (dir) != 0)
    {
      g_printerr ("parklane-cli: %s: %s\n", dir, g_strerror (errno));
      return PL_CLI_INPUT_ERROR;
    }
  prefixes = choose_prefixes (dir, prefix, verb);
  if (prefixes == NULL)
    return PL_CLI_INPUT_ERROR;
  for (guint i = 0; i < prefixes->len; i++)
    g_ptr_array_add (answers, ask (g_ptr_array_index (prefixes, i), verb));
  return print_answers (answers, dir, json);
}

/**
 * pl_cli_record:
 *
 * `record [--json] [--prefix PREFIX] VERB DIR`
 *
 * Returns: the exit status
 */
int
pl_cli_record (int argc, char **argv)
{
  gboolean json = FALSE;
  g_autofree char *prefix = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print one JSON object"), NULL },
    { "prefix", 0, 0, G_OPTION_ARG_FILENAME, &prefix, N_("The session, where several record to the directory"),
      N_("PREFIX") },
    { NULL },
  };
  int status;

  if (!pl_cli_parse ("record", _("status|pause|resume|rotate|stop|start DIR"),
                     _("Asks or steers a recorder that runs with PARKLANE_CONTROL=1, through the socket in its output "
                       "directory."),
                     entries, &argc, &argv, &status))
    return status;
  if (argc != 3 || !g_strv_contains (verbs, argv[1]))
    {
      g_printerr (_("parklane-cli record: give one of status, pause, resume, rotate, stop and start, and a directory\n"));
      return PL_CLI_USAGE_ERROR;
    }
  if (prefix != NULL && (strchr (prefix, '/') != NULL || strlen (prefix) > 100 || *prefix == '\0'))
    {
      g_printerr (_("parklane-cli record: “%s” is no prefix\n"), prefix);
      return PL_CLI_USAGE_ERROR;
    }
  return run (argv[1], argv[2], prefix, json);
}
