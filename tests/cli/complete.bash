# What bash offers for each line of standard input, through the function that the script registers:
#
#     bash complete.bash SCRIPT    prints "== LINE" and the offers, one per line
# shellcheck source=/dev/null
. "$1"
[ "$(complete -p segment)" = "complete -o default -F _segment segment" ] || exit 1
while IFS= read -r line; do
    # As readline cuts it, '=' being among COMP_WORDBREAKS.
    read -ra COMP_WORDS <<<"${line//=/ = }"
    [[ $line != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _segment
    # What "-o default" adds.
    [ ${#COMPREPLY[@]} -ne 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
    printf '== %s\n' "$line"
    [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]%=}"
done
