# parklane.fish: completion for fish. SPDX-License-Identifier: GPL-3.0-or-later
complete -c parklane -s t -l threshold -x -d 'Shortest long poll'
complete -c parklane -l at -x -d 'Show this moment'
complete -c parklane -l span -x -d 'Show this much time'
complete -c parklane -l theme -x -a 'light dark system' -d 'Colours'
complete -c parklane -l version -d 'Print the version'
complete -c parklane -s h -l help -d 'Show the options'
complete -c parklane -l help-all -d 'Show all options'
complete -c parklane -l help-gapplication -d 'Show options of any application'
