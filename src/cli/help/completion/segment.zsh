#compdef segment
# zsh completion for segment(1), printed by 'segment completion zsh'.

_segment() {
  local -a lines offers bare
  lines=("${(@f)$($words[1] completion offers -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  local kept=$lines[1] files=$lines[2] tab=$'\t' line
  [[ -z $kept ]] || compset -p ${#kept}
  for line in $lines[3,-1]; do
    [[ $line != *= ]] || { bare+=($line); continue }
    offers+=("${${line//:/\\:}/$tab/:}")
  done
  (( ! $#bare )) || compadd -S '' -- $bare
  (( ! $#offers )) || _describe word offers
  case $files in
    '') ;;
    '*') _files ;;
    /) _files -/ ;;
    *) _files -g "*.(#i)(${files// /|})(-.)" ;;
  esac
}

if [[ $funcstack[1] == _segment ]]; then
  _segment "$@"
else
  compdef _segment segment
fi
