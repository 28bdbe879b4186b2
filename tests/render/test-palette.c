/* test-palette.c: colours that are promised, and text that can be read on them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib.h>

#include "pl-palette.h"

#define LEAST_CONTRAST 4.5

static void
test_roles_have_their_colours (void)
{
  const PlPalette *light = pl_palette_get (PL_THEME_LIGHT);
  const PlPalette *dark = pl_palette_get (PL_THEME_DARK);

  g_assert_cmphex (light->poll, ==, 0x3b7ab8);
  g_assert_cmphex (light->over, ==, 0xd9480f);
  g_assert_cmphex (light->active, ==, 0xc9dcec);
  g_assert_cmphex (light->parked, ==, 0xeceef1);
  g_assert_cmphex (light->no_data, ==, 0xe3e3e6);
  g_assert_cmphex (dark->poll, ==, 0x5b9bd5);
  g_assert_cmphex (dark->over, ==, 0xff7b3a);
  g_assert_cmphex (dark->active, ==, 0x2f4559);
  g_assert_cmphex (dark->parked, ==, 0x2b2c31);
  g_assert_cmphex (dark->no_data, ==, 0x2f2f34);
}

static void
test_text_has_contrast (gconstpointer data)
{
  const PlPalette *palette = pl_palette_get ((PlTheme) GPOINTER_TO_INT (data));
  const PlColor grounds[] = { palette->ground, palette->gutter, palette->header, palette->ruler };

  for (gsize i = 0; i < G_N_ELEMENTS (grounds); i++)
    {
      g_assert_cmpfloat (pl_color_contrast (palette->text, grounds[i]), >=, LEAST_CONTRAST);
      g_assert_cmpfloat (pl_color_contrast (palette->text_dim, grounds[i]), >=, LEAST_CONTRAST);
    }
  g_assert_cmpfloat (pl_color_contrast (palette->text_over, palette->gutter), >=, LEAST_CONTRAST);
  g_assert_cmpfloat (pl_color_contrast (palette->queue, palette->gutter), >=, LEAST_CONTRAST);
  g_assert_cmpfloat (pl_color_contrast (palette->label, palette->label_on_poll), >=, LEAST_CONTRAST);
  g_assert_cmpfloat (pl_color_contrast (palette->label, palette->label_on_over), >=, LEAST_CONTRAST);
  g_assert_cmpfloat (pl_color_contrast (palette->label, palette->accent), >=, LEAST_CONTRAST);
}

/* The label of an open poll stands on its paler fill. */
static void
test_open_polls_can_be_read (gconstpointer data)
{
  const PlPalette *palette = pl_palette_get ((PlTheme) GPOINTER_TO_INT (data));
  PlColor fill = pl_color_mix (palette->parked, palette->poll, PL_PALETTE_OPEN_TINT);

  g_assert_cmpfloat (pl_color_contrast (palette->text, fill), >=, LEAST_CONTRAST);
}

static void
test_states_differ_in_lightness (gconstpointer data)
{
  const PlPalette *palette = pl_palette_get ((PlTheme) GPOINTER_TO_INT (data));

  g_assert_cmpfloat (pl_color_contrast (palette->active, palette->parked), >, 1.15);
  g_assert_cmpfloat (pl_color_contrast (palette->parked, palette->ground), >, 1.1);
  g_assert_cmpfloat (pl_color_contrast (palette->poll, palette->active), >, 2.5);
}

static void
test_mixing_reaches_both_ends (void)
{
  g_assert_cmphex (pl_color_mix (0x102030, 0xfefdfc, 0.0), ==, 0x102030);
  g_assert_cmphex (pl_color_mix (0x102030, 0xfefdfc, 1.0), ==, 0xfefdfc);
  g_assert_cmphex (pl_color_mix (0x000000, 0x808080, 0.5), ==, 0x404040);
  g_assert_cmpfloat_with_epsilon (pl_color_contrast (0x000000, 0xffffff), 21.0, 1e-9);
}

static void
add_for_all (const char *path, GTestDataFunc func)
{
  static const char *const names[] = {
    [PL_THEME_LIGHT] = "light",
    [PL_THEME_DARK] = "dark",
    [PL_THEME_LIGHT_CONTRAST] = "light-contrast",
    [PL_THEME_DARK_CONTRAST] = "dark-contrast",
  };

  for (guint theme = 0; theme < G_N_ELEMENTS (names); theme++)
    {
      g_autofree char *full = g_strconcat (path, "/", names[theme], NULL);

      g_test_add_data_func (full, GINT_TO_POINTER (theme), func);
    }
}

/* What WCAG asks for at its highest level. */
static void
test_high_contrast_is_high (gconstpointer data)
{
  const PlPalette *palette = pl_palette_get ((PlTheme) GPOINTER_TO_INT (data));

  g_assert_cmpfloat (pl_color_contrast (palette->text_dim, palette->ground), >=, 7.0);
  g_assert_cmpfloat (pl_color_contrast (palette->text_over, palette->ground), >=, 7.0);
  g_assert_cmpfloat (pl_color_contrast (palette->poll, palette->ground), >=, 7.0);
  g_assert_cmpfloat (pl_color_contrast (palette->over, palette->ground), >=, 7.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/palette/roles-have-their-colours", test_roles_have_their_colours);
  g_test_add_func ("/render/palette/mixing-reaches-both-ends", test_mixing_reaches_both_ends);
  add_for_all ("/render/palette/text-has-contrast", test_text_has_contrast);
  add_for_all ("/render/palette/open-polls-can-be-read", test_open_polls_can_be_read);
  add_for_all ("/render/palette/states-differ-in-lightness", test_states_differ_in_lightness);
  g_test_add_data_func ("/render/palette/high-contrast-is-high/light", GINT_TO_POINTER (PL_THEME_LIGHT_CONTRAST),
                        test_high_contrast_is_high);
  g_test_add_data_func ("/render/palette/high-contrast-is-high/dark", GINT_TO_POINTER (PL_THEME_DARK_CONTRAST),
                        test_high_contrast_is_high);
  return g_test_run ();
}
