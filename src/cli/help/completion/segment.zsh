#compdef segment
# zsh completion for segment(1): commands, options and names as 'segment COMMAND --help=words' lists them, and files.

_segment() {
  local -a said names
  local command= option=
  (( CURRENT == 2 )) || [[ $words[2] == -* ]] || command=$words[2]
  said=(${(f)"$($words[1] $command --help=words 2>/dev/null)"})
  if [[ $PREFIX == --*=* ]]; then
    option=${PREFIX%%=*}
    compset -P '*='
  elif [[ $words[CURRENT-1] == --* ]]; then
    option=$words[CURRENT-1]
  fi
  names=(${${(M)said:#$option=?*}#$option=})
  if [[ -n $option && $#names -gt 0 ]]; then
    compadd -- $names
  elif [[ -z $option && $PREFIX == -* ]]; then
    compadd -S '' -- ${(M)said:#--*=}
    compadd -- ${${(M)said:#--*}:#*=*}
  else
    [[ $CURRENT -ne 2 && $command != help ]] || compadd -- ${said:#-*}
    _files
  fi
}

if [[ $funcstack[1] == _segment ]]; then
  _segment "$@"
else
  compdef _segment segment
fi
