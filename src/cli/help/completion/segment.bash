# bash completion for segment(1): commands, options and names as 'segment COMMAND --help=words' lists them, and files.
# shellcheck shell=bash

_segment() {
    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command=() words
    # --option=word is three words, unless '=' was taken out of COMP_WORDBREAKS.
    if [[ $word == '=' ]]; then
        word=''
    elif [[ $option == '=' ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    [[ $COMP_CWORD -eq 1 || ${COMP_WORDS[1]} == -* ]] || command=("${COMP_WORDS[1]}")
    words=$("${COMP_WORDS[0]/#\~/$HOME}" "${command[@]}" --help=words 2>/dev/null)
    if [[ $word == -* ]]; then
        words=$(sed -n '/^-/s/=.*/=/p; /^-/{/=/!p}' <<<"$words")
        compopt -o nospace 2>/dev/null
    elif [[ $option == --* ]]; then
        words=$(sed -n "s/^$option=//p" <<<"$words")
    elif [[ $COMP_CWORD -eq 1 || ${command[0]} == help ]]; then
        words=$(grep -v '^-' <<<"$words")
    else
        words=''
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word" | uniq)
}

complete -o default -F _segment segment
