#!/bin/bash
# docs/tutorial.md is true: its commands (```sh) are run in their order in a scratch folder and must end well; what they
# print, both streams, must be the block of ```text that follows, in which ... stands for any text, and a line of
# nothing else for any lines. Its C (```c) must stand in docs/examples/, its Python is run where its modules are there.
#
#     test_tutorial.sh BUILD SOURCE CC [PAGE]
set -euo pipefail
export LC_ALL=C
build=$(realpath "$1") source=$(realpath "$2") compiler=$3 page=$(realpath "${4:-$2/docs/tutorial.md}")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/blocks" "$work/here"
ln -s "$build/segment" "$work/bin/segment"
ln -s "$(command -v "$compiler")" "$work/bin/cc"
export PATH=$work/bin:$PATH CPATH=$source/include LIBRARY_PATH=$build LD_LIBRARY_PATH=$build

# One file a block: number, line of the page and kind in its name.
awk -v folder="$work/blocks" '
/^```/ && !inside { inside = 1; file = sprintf("%s/%03d.%d.%s", folder, ++n, NR, substr($0, 4)); printf "" >file; next }
/^```/ { inside = 0; close(file); next }
inside { print >file }
END { exit inside || !n }' "$page"

fail() {
    echo "FAILED: ${page##*/}, line $line: $*"
    exit 1
}

# matches WANTED GOT: line by line, a line ... takes lines up to the next that fits.
matches() {
    local -a want got
    mapfile -t want <"$1"
    mapfile -t got <"$2"
    local w=0 g=0 any=0 pattern
    while ((w < ${#want[@]})); do
        if [ "${want[w]}" = ... ]; then
            any=1 w=$((w + 1))
            continue
        fi
        pattern=$(printf '%s' "${want[w]}" | sed 's/[][\\*?]/\\&/g; s/\.\.\./*/g')
        # shellcheck disable=SC2053 # a pattern is meant
        while ((g < ${#got[@]} && any)) && [[ ${got[g]} != $pattern ]]; do
            g=$((g + 1))
        done
        # shellcheck disable=SC2053
        if ((g >= ${#got[@]})) || [[ ${got[g]} != $pattern ]]; then
            echo "-- wanted: ${want[w]}"
            echo "-- got:    ${got[g]-(nothing more)}"
            return 1
        fi
        any=0 w=$((w + 1)) g=$((g + 1))
    done
    if ((!any && g < ${#got[@]})); then
        echo "-- more than wanted: ${got[g]}"
        return 1
    fi
}

cd "$work/here"
ln -s "$source/images" "$source/groundtruth" "$source/docs" .
said=$work/said
commands=0 checked=0
: >"$said"
for block in "$work"/blocks/*; do
    name=${block##*/} line=${name#*.} kind=${name##*.}
    line=${line%%.*}
    case $kind in
    sh)
        commands=$((commands + 1))
        bash -eu "$block" >"$said" 2>&1 </dev/null || { cat "$said" && fail "a command failed"; }
        ;;
    text)
        checked=$((checked + 1))
        matches "$block" "$said" || fail "it printed something else"
        ;;
    c)
        # Its lines, one after the other, stand in one of the examples.
        found=
        for example in "$source"/docs/examples/*.c; do
            [[ $(<"$example") == *"$(<"$block")"* ]] && found=1
        done
        [ "$found" ] || fail "this C is in no file of docs/examples"
        ;;
    python)
        if python3 -c "$(grep -E '^(import|from) ' "$block")" 2>/dev/null; then
            python3 "$block" >"$said" 2>&1 || { cat "$said" && fail "the Python failed"; }
        else
            echo "line $line: Python left out, its modules are missing"
        fi
        ;;
    *) fail "a block of kind '$kind': sh, text, c or python" ;;
    esac
done
echo "${page##*/}: $commands blocks of commands, the output of $checked checked"
