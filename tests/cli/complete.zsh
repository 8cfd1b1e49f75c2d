# What zsh offers for each line of standard input, an interactive zsh on a terminal of its own being asked:
#
#     zsh -f complete.zsh FOLDER_WITH__segment    prints "== LINE" and the offers, one per line
zmodload zsh/zpty zsh/zselect zsh/mapfile # no process for a look at the answer
answer=$(mktemp)
zpty asked zsh -f -i
ask() { zpty -w asked "$1"; }
ask "PS1=; fpath=(${(q)1} \$fpath); autoload -U compinit; compinit -u -D; ANSWER=${(q)answer}"
ask 'setopt no_beep; LISTMAX=0; bindkey "^I" complete-word; zstyle ":completion:*" completer _complete
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- $hits >>$ANSWER
  builtin compadd "$@"
}
finished() { print -r "== end" >>$ANSWER; comppostfuncs=(finished) }
comppostfuncs=(finished); print -r "== ready" >$ANSWER'
wait_for() {
  local i
  for (( i = 0; i < 6000; i++ )); do
    [[ $'\n'$mapfile[$answer] == *$'\n'"$1"$'\n'* ]] && return
    zpty -r -t asked ignored
    zselect -t 1
  done
  print -u2 "zsh does not answer"
  exit 1
}
wait_for '== ready'
while IFS= read -r line; do
  : >$answer
  zpty -n -w asked "$line"$'\t'
  wait_for '== end'
  print -r "== $line"
  offered=(${${(f)mapfile[$answer]}:#== *})
  (( $#offered )) && print -rl -- ${offered%=}
  zpty -n -w asked $'\x15' # the line is wiped
done
zpty -d asked
rm -f $answer
