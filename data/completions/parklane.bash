# parklane.bash: completion for bash. SPDX-License-Identifier: GPL-3.0-or-later

_parklane ()
{
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()

  # "--option=value" reaches us in three words.
  [ "$current" != = ] || current=
  [ "$previous" != = ] || previous=${COMP_WORDS[COMP_CWORD-2]}
  case $previous in
    --theme)
      mapfile -t COMPREPLY < <(compgen -W 'light dark system' -- "$current")
      return ;;
    --threshold | -t | --at | --span)
      return ;;
  esac

  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '--threshold= -t --at= --span= --theme= --version --help -h --help-all
                                         --help-gapplication' -- "$current")
    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
    return
  fi
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}

complete -o filenames -F _parklane parklane
