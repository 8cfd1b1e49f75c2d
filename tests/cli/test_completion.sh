#!/bin/bash
# Completion, asked of the three shells: every command, every option of its --help, the names that an option takes, files.
. "$(dirname "$0")/lib.sh"

here=$SOURCE/tests/cli scripts=$SOURCE/src/cli/help/completion
mkdir scripts folder bin
export HOME=$WORK/scripts XDG_CONFIG_HOME=$WORK/scripts XDG_DATA_HOME=$WORK/scripts
for shell in bash zsh fish; do
    command -v $shell >/dev/null || fail "$shell is needed (scripts/install-packages.sh test)"
done
cp "$scripts/segment.zsh" scripts/_segment
# The scripts ask the program on the line, and often the same: what it said the first time is said again.
# shellcheck disable=SC2016 # for the shell inside
printf '#!/bin/sh\n[ -e "$0 $*" ] || "%s" "$@" >"$0 $*"\nexec cat "$0 $*"\n' "$PROGRAM" >bin/segment
chmod +x bin/segment
PATH=$WORK/bin:$PATH
touch folder/photo.png

# The offers of every line sorted, each once.
in_order() {
    awk '/^== / { n++ } { printf "%d\t%d\t%s\n", n, !/^== /, $0 }' | sort -u -k1,1n -k2 | cut -f3-
}
# offers SHELL: "== LINE" and the offers for each line of the file `lines`, in .said; without what the line has already.
offers() {
    cd folder || exit 1
    case $1 in
    bash) bash "$here/complete.bash" "$scripts/segment.bash" ;;
    zsh) zsh -f "$here/complete.zsh" "$WORK/scripts" ;;
    fish) fish --no-config "$here/complete.fish" "$scripts/segment.fish" ;;
    esac <../lines 2>../.err | sed -E '/^== /!s/=$//; /^== /!s/^--[a-z-]*=//; /^== /!s|/$||' | in_order >../.said
    cd ..
    grep -q . .said || fail "$1 offers nothing"
    [ ! -s .err ] || fail "$1 complains"
}
# ask LINE OFFER...: what must be offered.
ask() {
    echo "$1" >>lines
    echo "== $1" >>asked
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" >>asked
}
compare() {
    in_order <asked >.note
    for shell in bash zsh fish; do
        offers $shell
        diff .note .said || fail "$shell does not offer (<) or should not (>)"
    done
    rm lines asked .note
}

# Every option, and the names that its parser knows, as the refusal of another says them.
commands=$("$PROGRAM" --help=words | grep -v '^-' | xargs)
for command in $commands; do
    "$PROGRAM" "$command" --help >.out || fail "no help of $command"
done
"$PROGRAM" --help | sed -n 's/^  segment \([a-z]*\) .*/\1/p' | sort >.note
diff .note <(xargs -n1 <<<"$commands" | sort) || fail "the commands of --help (<) and of the completion (>) differ"
rm .note
choices=0
# shellcheck disable=SC2086,SC2046 # the main job's name is not a word, lists are several
for command in "" $commands; do
    "$PROGRAM" $command --help=all | sed -nE 's/^ {2,}(-., )?--([a-z-]+)(=[^ ]*)?( .*|$)/\2 \3/p' >options
    words=$'\n'$("$PROGRAM" $command --help=words)
    [ "$(wc -l <options)" -ge 2 ] || fail "no options in the help of '$command'"
    ask "segment${command:+ $command} --" $(sed 's/ .*//; s/^/--/' options)
    while read -r option value; do
        case $value in
        "" | =N | =N\ * | =FOLDER*) continue ;; # numbers and files
        esac
        [[ $words == *$'\n'"--$option="[!$'\n']* ]] || continue
        names=$("$PROGRAM" $command "--$option=@" table.csv 2>&1 </dev/null |
            sed -nE "s/^segment: --$option takes ([a-z-]+(, [a-z-]+)* or [a-z-]+)(, alone .*)?, not '@'.*/\1/p")
        [ -n "$names" ] || continue
        choices=$((choices + 1))
        names=${names//,/} && ask "segment${command:+ $command} --$option=" ${names/ or / }
    done <options
done
[ $choices -ge 15 ] || fail "only $choices options with a set of names were found"
compare

methods=$("$PROGRAM" methods --json | jq -r '.[].name')
# shellcheck disable=SC2086
{
    ask "segment --refine f" fast
    ask "segment --method " $methods
    ask "segment --method=cc" ccskl ccsr
    ask "segment help r" replay
    ask "segment rep" replay
    ask "segment ph" photo.png
    ask "segment --scribbles ph" photo.png
    ask "segment --output=ph" photo.png
}
compare
exit 0
