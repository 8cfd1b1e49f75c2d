#!/bin/bash
# Completion, asked of the three shells: every command, every option of its --help, every name that an option's parser
# says it takes, files by their kind.
. "$(dirname "$0")/lib.sh"

here=$SOURCE/tests/cli
mkdir scripts folder
export HOME=$WORK/scripts XDG_CONFIG_HOME=$WORK/scripts XDG_DATA_HOME=$WORK/scripts
for shell in bash zsh fish; do
    command -v $shell >/dev/null || fail "$shell is needed (scripts/install-packages.sh test)"
done
"$PROGRAM" completion bash >scripts/segment.bash || fail "no script for bash"
"$PROGRAM" completion zsh >scripts/_segment || fail "no script for zsh"
"$PROGRAM" completion fish >scripts/segment.fish || fail "no script for fish"
PATH=$(dirname "$PROGRAM"):$PATH # the scripts ask the program on the line
touch photo.png SCAN.TIF table.csv run.json notes.md "a b.png"

# offers SHELL: "== LINE" and the offers for each line of the file `lines`, in .said; without what the line has already.
offers() {
    case $1 in
    bash) bash "$here/complete.bash" scripts/segment.bash ;;
    zsh) zsh -f "$here/complete.zsh" "$PWD/scripts" ;;
    fish) fish --no-config "$here/complete.fish" "$PWD/scripts/segment.fish" ;;
    esac <lines 2>.err | sed -E '/^== /!s/^(--[a-z-]*|svg)=//; /^== /!s/^.*,//; /^== /!s/\\//; /^== /!s|/$||' >.said
    grep -q . .said || fail "$1 offers nothing"
    [ ! -s .err ] || fail "$1 complains"
}
# ask LINE OFFER...: what must be offered, sorted.
ask() {
    echo "$1" >>lines
    echo "== $1" >>.note
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" | sort -u >>.note
}
compare() {
    for shell in bash zsh fish; do
        offers $shell
        diff .note .said || fail "$shell does not offer (<) or should not (>)"
    done
    rm lines .note
}

# Every option, and the names that its parser knows, as the refusal of another says them.
commands=$("$PROGRAM" completion offers -- '' | sed -n '3,$s/\t.*//p' | xargs)
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
    [ "$(wc -l <options)" -ge 2 ] || fail "no options in the help of '$command'"
    ask "segment${command:+ $command} --" $(sed 's/ .*//; s/^/--/' options)
    while read -r option value; do
        case $value in
        "" | =N | =N\ * | =FOLDER*) continue ;; # numbers and files
        esac
        case $command in
        query) operand=table.csv ;;
        *) operand=x ;;
        esac
        names=$("$PROGRAM" $command "--$option=@" $operand 2>&1 </dev/null |
            sed -nE "s/^segment: --$option takes ([a-z-]+(, [a-z-]+)* or [a-z-]+)(, alone .*)?, not '@'.*/\1/p")
        [ -n "$names" ] || continue
        choices=$((choices + 1))
        ask "segment${command:+ $command} --$option=" $(sed 's/,//g; s/ or / /' <<<"$names")
    done <options
done
[ $choices -ge 15 ] || fail "only $choices options with a set of names were found"
compare

methods=$("$PROGRAM" methods --json | jq -r '.[].name')
pictures=(folder photo.png SCAN.TIF "a b.png")
folders=(folder scripts)
everything=(folder photo.png SCAN.TIF "a b.png" table.csv run.json notes.md options lines scripts)
# shellcheck disable=SC2086
{
    ask "segment --refine f" fast
    ask "segment --method " $methods
    ask "segment --method=cc" ccskl ccsr
    ask "segment eval --methods kmeans,enpakl" enpakl enpakl1
    ask "segment eval --methods=kmeans,ncut,en" enpakl enpakl1
    ask "segment --features mean,te" texture
    ask "segment --param ra" "rank="
    ask "segment eval --dataset " auto bsds folder grabcut icgbench msrc
    ask "segment help " $commands
    ask "segment completion " bash zsh fish
    ask "segment --scribbles " "${pictures[@]}" scripts
    ask "segment --scribbles=pho" photo.png
    ask "segment --labelmap " "${everything[@]}"
    ask "segment --export svg=no" notes.md
    ask "segment eval " "${folders[@]}"
    ask "segment eval -o " "${folders[@]}"
    ask "segment replay r" run.json
    ask "segment cluster t" table.csv
    ask "segment score photo.png S" SCAN.TIF
    ask "segment rep" replay
    ask "segment " $commands "${pictures[@]}" scripts
    ask "segment cluster --labels n" none notes.md
    ask "segment --seed "
    ask "segment eval --json"
}
compare
expect 2 completion tcsh
sentence "takes bash, zsh or fish"
expect 2 completion
sentence "needs a shell"
exit 0
