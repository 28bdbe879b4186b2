/* pl-column-order.c: which column header of a column view was clicked
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GTK can sort a column view's rows itself, on the main thread and with an object per row; lists of millions cannot
 * afford either. Here a column's sorter never sees a row. It only makes the header clickable, and the view's combined
 * sorter is asked to compare two probes, whose key for each column we choose: its answer tells the column that comes
 * first and its direction, which GTK says directly from 4.10 on.
 */
#include "config.h"

#include "pl-column-order.h"

#define PL_TYPE_PROBE (pl_probe_get_type ())
G_DECLARE_FINAL_TYPE (PlProbe, pl_probe, PL, PROBE, GObject)

struct _PlProbe
{
  GObject parent_instance;

  int keys[PL_COLUMN_ORDER_MAX];
};

G_DEFINE_FINAL_TYPE (PlProbe, pl_probe, G_TYPE_OBJECT)

static void
pl_probe_class_init (PlProbeClass *klass)
{
}

static void
pl_probe_init (PlProbe *self)
{
}

static int
compare_probes (gconstpointer a,
                gconstpointer b,
                gpointer      user_data)
{
  guint column = GPOINTER_TO_UINT (user_data);
  int first = ((const PlProbe *) a)->keys[column];
  int second = ((const PlProbe *) b)->keys[column];

  return (first > second) - (first < second);
}

/**
 * pl_column_order_new:
 * @column: number of the column, below %PL_COLUMN_ORDER_MAX
 *
 * Creates the sorter that makes a column's header clickable. It cannot compare rows.
 *
 * Returns: (transfer full): a sorter
 */
GtkSorter *
pl_column_order_new (guint column)
{
  g_return_val_if_fail (column < PL_COLUMN_ORDER_MAX, NULL);

  return GTK_SORTER (gtk_custom_sorter_new (compare_probes, GUINT_TO_POINTER (column), NULL));
}

/**
 * pl_column_order_read:
 * @sorter: the sorter of a column view whose columns have sorters from pl_column_order_new()
 * @n_columns: how many columns have one, numbered from 0
 * @out_column: (out): the column that comes first; untouched when no header was clicked
 * @out_descending: (out): its direction; untouched likewise
 *
 * Returns: whether the view is sorted by a column
 */
gboolean
pl_column_order_read (GtkSorter *sorter,
                      guint      n_columns,
                      guint     *out_column,
                      gboolean  *out_descending)
{
  g_autoptr(PlProbe) low = g_object_new (PL_TYPE_PROBE, NULL);
  g_autoptr(PlProbe) high = g_object_new (PL_TYPE_PROBE, NULL);
  GtkOrdering direction;

  for (guint i = 0; i < n_columns; i++)
    high->keys[i] = 1;
  direction = gtk_sorter_compare (sorter, low, high);
  if (direction == GTK_ORDERING_EQUAL)
    return FALSE;

  /* The answer turns round with the key of the first column alone. */
  for (guint i = 0; i < n_columns; i++)
    {
      GtkOrdering turned;

      low->keys[i] = 1;
      high->keys[i] = 0;
      turned = gtk_sorter_compare (sorter, low, high);
      low->keys[i] = 0;
      high->keys[i] = 1;

      if (turned != direction)
        {
          *out_column = i;
          *out_descending = direction == GTK_ORDERING_LARGER;
          return TRUE;
        }
    }
  return FALSE;
}
