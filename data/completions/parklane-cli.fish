# parklane-cli.fish: completion for fish. SPDX-License-Identifier: GPL-3.0-or-later
set -l commands info report watch render record recover
set -l requests status pause resume rotate stop start

complete -c parklane-cli -n "not __fish_seen_subcommand_from $commands" -f -a info -d 'What files or directories of segments hold'
complete -c parklane-cli -n "not __fish_seen_subcommand_from $commands" -f -a report -d 'Long polls, workers and spawn locations'
complete -c parklane-cli -n "not __fish_seen_subcommand_from $commands" -f -a watch -d 'Whether sessions are being recorded'
complete -c parklane-cli -n "not __fish_seen_subcommand_from $commands" -f -a render -d 'The timeline as a picture'
complete -c parklane-cli -n "not __fish_seen_subcommand_from $commands" -f -a record -d 'Ask and steer a running recorder'
complete -c parklane-cli -n "not __fish_seen_subcommand_from $commands" -f -a recover -d 'Write what killed recorders left in memory'
complete -c parklane-cli -n "not __fish_seen_subcommand_from $commands" -l version -d 'Print the version'

complete -c parklane-cli -s h -l help -d 'Show the options'
complete -c parklane-cli -n "__fish_seen_subcommand_from $commands" -l memory -x -d 'Memory for detail'
complete -c parklane-cli -n '__fish_seen_subcommand_from info report watch record recover' -l json -d 'Print JSON'
complete -c parklane-cli -n '__fish_seen_subcommand_from report render' -l threshold -x -d 'Shortest long poll'
complete -c parklane-cli -n '__fish_seen_subcommand_from report' -l limit -x -d 'How many long polls to list'
complete -c parklane-cli -n '__fish_seen_subcommand_from watch record recover' -l prefix -x -d 'The session of this prefix'
complete -c parklane-cli -n '__fish_seen_subcommand_from watch' -l once -d 'Print each verdict once and exit'
complete -c parklane-cli -n '__fish_seen_subcommand_from watch' -l for -x -d 'Watch no longer than this'
complete -c parklane-cli -n '__fish_seen_subcommand_from watch' -l prometheus -r -d 'Keep a textfile up to date'
complete -c parklane-cli -n '__fish_seen_subcommand_from watch' -l exec -x -a '(__fish_complete_command)' -d 'Run this at each change'
complete -c parklane-cli -n '__fish_seen_subcommand_from render' -s o -l output -r -d 'Where to write the picture'
complete -c parklane-cli -n '__fish_seen_subcommand_from render' -l width -x -d 'Width in pixels'
complete -c parklane-cli -n '__fish_seen_subcommand_from render' -l height -x -d 'Height in pixels'
complete -c parklane-cli -n '__fish_seen_subcommand_from render' -l from -x -d 'Left edge'
complete -c parklane-cli -n '__fish_seen_subcommand_from render' -l to -x -d 'Right edge'
complete -c parklane-cli -n '__fish_seen_subcommand_from render' -l theme -x -a 'light dark' -d 'Colours'
complete -c parklane-cli -n "__fish_seen_subcommand_from record; and not __fish_seen_subcommand_from $requests" -a "$requests"
