#!/bin/bash
# Every long option of --help stands in the manual page and vice versa.
. "$(dirname "$0")/lib.sh"

long_options() {
    grep -oE -- '--[a-z][a-z-]*' | sort -u
}
# same_options PAGE COMMAND...: the options of the commands' help ("" is the main job) and those of the page.
same_options() {
    local page=$1 least=10
    [ "$1" != segment-figure.1 ] || least=5
    shift
    for command in "$@"; do
        # shellcheck disable=SC2086 # an empty word is no word
        "$PROGRAM" $command --help | grep -E '^ {2,}(-., )?--' | sed 's/^\( *\(-., \)\{0,1\}--[a-z-]*\).*/\1/'
    done | long_options >.note
    sed -nE 's/^\.It (.*)/\1/p' "$SOURCE/docs/$page" | sed 's/Fl -/--/g' | long_options >.said
    [ "$(wc -l <.note)" -gt $least ] || fail "the options of --help were not found"
    diff .note .said || fail "docs/$page (>) and --help (<) differ"
}
same_options segment.1 "" score methods
same_options segment-cluster.1 cluster
same_options segment-eval.1 eval
same_options segment-experiment.1 experiment
same_options segment-figure.1 figure
same_options segment-query.1 query
for command in cluster eval experiment figure query score replay methods help; do
    grep -q "^\.It Nm Cm $command" "$SOURCE/docs/segment.1" || fail "the manual page lacks the command $command"
done
# The default method that the help names is the one that is used.
make_pictures
"$PROGRAM" --help | tr -s ' \n' ' ' >.note
for arguments in "--scribbles marks.bmp" "-k 2"; do
    # shellcheck disable=SC2086
    expect 0 photo.bmp $arguments --no-overlay --json
    method=$(jq -r .method .out)
    case $arguments in
    -k*) grep -q "or $method without scribbles" .note ;;
    *) grep -q "default $method," .note ;;
    esac || fail "--help does not name $method as the default for $arguments"
done
exit 0
