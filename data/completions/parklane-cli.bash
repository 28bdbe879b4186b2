# parklane-cli.bash: completion for bash. SPDX-License-Identifier: GPL-3.0-or-later

_parklane_cli ()
{
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} options=
  COMPREPLY=()

  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W 'info report watch render record recover --help --version' -- "$current")
    return
  fi

  # "--option=value" reaches us in three words.
  [ "$current" != = ] || current=
  [ "$previous" != = ] || previous=${COMP_WORDS[COMP_CWORD-2]}
  case $previous in
    --theme)
      mapfile -t COMPREPLY < <(compgen -W 'light dark' -- "$current")
      return ;;
    --output | -o | --prometheus)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
    --exec)
      mapfile -t COMPREPLY < <(compgen -c -- "$current")
      return ;;
    --memory | --threshold | --limit | --for | --prefix | --width | --height | --from | --to)
      return ;;
  esac

  if [[ $current == -* ]]; then
    case $command in
      info) options='--json' ;;
      report) options='--json --threshold= --limit=' ;;
      watch) options='--json --once --for= --prefix= --prometheus= --exec=' ;;
      render) options='--output= -o --width= --height= --from= --to= --threshold= --theme=' ;;
      record | recover) options='--json --prefix=' ;;
      *) return ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$options --memory= --help -h" -- "$current")
    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
    return
  fi

  if [ "$command" = record ]; then
    mapfile -t COMPREPLY < <(compgen -W 'status pause resume rotate stop start' -- "$current")
  fi
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
}

complete -o filenames -F _parklane_cli parklane-cli
