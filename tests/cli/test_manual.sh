#!/bin/bash
# Every long option of --help stands in the manual page and vice versa.
. "$(dirname "$0")/lib.sh"

long_options() { # letters too
    grep -oE -- '(^| )(--[a-z][a-z-]*|-[a-zA-Z])' | tr -d ' ' | sort -u
}
# same_options PAGE COMMAND: the options of the command's help ("" is the main job) and those of the page.
same_options() {
    local page=$1 command=$2
    # shellcheck disable=SC2086 # an empty word is not a word
    "$PROGRAM" $command --help=all | grep -E '^ {2,}(-., )?--' |
        sed 's/^\( *\(-., \)\{0,1\}--[a-z-]*\).*/\1/; s/,//' | long_options >.note
    sed -nE 's/^\.It (.*)/\1/p' "$SOURCE/docs/$page" | sed 's/Fl -/--/g; s/Fl \([a-zA-Z]\)/-\1/g; s/Op = .*//' | long_options >.said
    [ "$(wc -l <.note)" -ge 2 ] || fail "the options of --help were not found"
    diff .note .said || fail "docs/$page (>) and --help (<) differ"
}
same_options segment.1 ""
commands=$("$PROGRAM" --help | sed -n 's/^  segment \([a-z]*\) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 10 ] || fail "the commands of --help were not found"
for command in $commands; do
    grep -q "^\.It Nm Cm $command" "$SOURCE/docs/segment.1" || fail "the manual page lacks the command $command"
    [ "$command" != help ] || continue
    same_options "segment-$command.1" "$command"
    grep -q "^\.Xr segment-$command 1" "$SOURCE/docs/segment.1" || fail "segment.1 does not name segment-$command(1)"
done
for page in "$SOURCE"/docs/*.1; do
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
        grep -q "^\.Sh $section\$" "$page" || fail "${page##*/} has no section $section"
    done
done
# The default method that the help names is the one that is used.
make_pictures
"$PROGRAM" --help=all | tr -s ' \n' ' ' >.note
for arguments in "--scribbles scribbles.bmp" "-k 2"; do
    # shellcheck disable=SC2086
    expect 0 photo.bmp $arguments --no-overlay --json
    method=$(jq -r .method .out)
    case $arguments in
    -k*) grep -q "constraints, $method without" .note ;;
    *) grep -q "default: $method with scribbles" .note ;;
    esac || fail "--help does not name $method as the default for $arguments"
done
exit 0
