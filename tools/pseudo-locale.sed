# pseudo-locale.sed: turns English into a language of its own: accents on every letter, half as long again.
# SPDX-License-Identifier: GPL-3.0-or-later
# For msgfilter, which hands it one message at a time. What is not translated stays plain and so is found.
y/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/áƀćďéƒğĥíĵķĺḿńóƥʠŕšťúṽŵẋýžÁƁĆĎÉƑĞĤÍĴĶĹḾŃÓƤɊŔŠŤÚṼŴẊÝŽ/
# Vowels twice, and three times in words of one: about one and a half times the length.
s/[áéíóúýÁÉÍÓÚÝ]/&&/g
# What printf() fills in stays as it was.
s/<ƤŔÍÍúú64>/<PRIu64>/g
s/<ƤŔÍÍď64>/<PRId64>/g
s/%\([0-9]*\$\)\{0,1\}\([-+#0 ]*[0-9*]*\(\.[0-9*]*\)\{0,1\}\)ĺúú/%\1\2lu/g
s/%\([0-9]*\$\)\{0,1\}\([-+#0 ]*[0-9*]*\(\.[0-9*]*\)\{0,1\}\)žúú/%\1\2zu/g
s/%\([0-9]*\$\)\{0,1\}\([-+#0]*[0-9*]*\(\.[0-9*]*\)\{0,1\}\)š/%\1\2s/g
s/%\([0-9]*\$\)\{0,1\}\([-+#0]*[0-9*]*\(\.[0-9*]*\)\{0,1\}\)ď/%\1\2d/g
s/%\([0-9]*\$\)\{0,1\}\([-+#0]*[0-9*]*\(\.[0-9*]*\)\{0,1\}\)úú/%\1\2u/g
s/%\([0-9]*\$\)\{0,1\}\([-+#0]*[0-9*]*\(\.[0-9*]*\)\{0,1\}\)ƒ/%\1\2f/g
s/%\([0-9]*\$\)\{0,1\}\([-+#0]*[0-9*]*\(\.[0-9*]*\)\{0,1\}\)ẋ/%\1\2x/g
s/%\([0-9]*\$\)\{0,1\}\([-+#0]*[0-9*]*\(\.[0-9*]*\)\{0,1\}\)ć/%\1\2c/g
