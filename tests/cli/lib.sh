# shellcheck shell=bash
# What the command-line tests share. Each is called with the path of the program and the source folder, works in a
# folder of its own, and ends at the first sample that is not as expected.
set -uo pipefail
export LC_ALL=C

PROGRAM=$1
# shellcheck disable=SC2034 # for the tests
SOURCE=$2
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
: >.out
: >.err

fail() {
    echo "FAILED (line ${BASH_LINENO[-2]} of $0): $*"
    for stream in out err; do
        [ -s .$stream ] && echo "-- std$stream" && head -c 2000 .$stream | tr -cd '[:print:]\n'
    done
    exit 1
}

# What is in the folder, hidden left-overs included, but for the tests' own notes.
files() {
    find . -mindepth 1 ! -name .out ! -name .err ! -name .note ! -name .said | sort
}

# expect CODE ARGUMENTS: run the program; what it prints is in .out and .err.
expect() {
    local code=$1 got=0
    shift
    LAST="segment $*"
    "$PROGRAM" "$@" >.out 2>.err || got=$?
    # The leak checker itself may crash while a thread ends, after the program has done its work: once more without it.
    if [ "$got" -eq 99 ] && grep -q 'LeakSanitizer has encountered a fatal error' .err; then
        got=0
        ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" "$PROGRAM" "$@" >.out 2>.err || got=$?
    fi
    [ "$got" -eq "$code" ] || fail "exit $got instead of $code: $LAST"
}

# Standard error is one sentence; with an argument, one that holds the words.
sentence() {
    local line count=0 said
    while IFS= read -r line || [ -n "$line" ]; do
        [[ $line =~ [0-9]+\ labels?\ found\ in\ strokes ]] || { count=$((count + 1)) && said=$line; }
    done <.err
    [ $count -eq 1 ] || fail "not one line on standard error: $LAST"
    [[ $said == 'segment: '?* ]] || fail "no sentence on standard error: $LAST"
    [[ $said == *"${1:-}"* ]] || fail "the sentence does not say '$1': $LAST"
    [ ! -s .out ] || fail "an error, and still something on standard output: $LAST"
}

# The names of all that is in the folder, in LISTED: files without a process.
list_files() {
    local IFS=$'\n' all
    : >>.out 2>>.err
    shopt -s globstar dotglob nullglob
    all=(**)
    shopt -u globstar dotglob nullglob
    LISTED=${all[*]}
}

# refuse CODE WORDS ARGUMENTS: the program ends so, with one sentence that holds the words, and leaves no file behind.
refuse() {
    local code=$1 words=$2 before
    shift 2
    list_files
    before=$LISTED
    expect "$code" "$@"
    sentence "$words"
    list_files
    [ "$before" = "$LISTED" ] || fail "files appeared or went: $(diff <(echo "$before") <(echo "$LISTED") | tr '\n' ' ')"
}

# Nothing on standard error but how many labels there are in the strokes.
silent() {
    local line
    while IFS= read -r line || [ -n "$line" ]; do
        [[ $line =~ [0-9]+\ labels?\ found\ in\ strokes ]] || fail "something on standard error: $LAST"
    done <.err
}

# bmp FILE WIDTH HEIGHT 'awk statements that set r, g and b from x and y': a 24-bit BMP.
bmp() {
    local row=$((($2 * 3 + 3) / 4 * 4))
    # shellcheck disable=SC2059 # the escapes are the point
    printf "$(awk -v w="$2" -v h="$3" -v row="$row" '
function byte(v) { printf "\\%03o", v % 256 }
function word(v) { byte(v); byte(int(v / 256)); byte(int(v / 65536)); byte(int(v / 16777216)) }
BEGIN {
    printf "BM"; word(54 + row * h); word(0); word(54)
    word(40); word(w); word(h); byte(1); byte(0); byte(24); byte(0); word(0); word(row * h); word(2835); word(2835)
    word(0); word(0)
    for (y = h - 1; y >= 0; y--) {
        for (x = 0; x < w; x++) { r = g = b = 0; '"$4"'; byte(b); byte(g); byte(r) }
        for (i = 3 * w; i < row; i++) byte(0)
    }
}')" >"$1"
}

# An image of a reddish left and a bluish right half with some texture, strokes for it, and the truth. Strokes and
# truth are numbered by their colours' values: blue, on the left, is label 1, red label 2.
make_pictures() {
    local texture='t = (x * 7 + y * 13) % 11 * 3;'
    bmp photo.bmp 60 40 "$texture if (x < 30) { r = 200 - t; g = 60 + t; b = 50 } else { r = 40; g = 80 + t; b = 180 - t }"
    bmp scribbles.bmp 60 40 'if (y >= 10 && y < 30) { if (x == 12) b = 255; if (x == 47) r = 255 }'
    bmp truth.bmp 60 40 'if (x < 30) b = 255; else r = 255'
}

# score NAME: its value among the "name value" lines of standard output.
score() {
    awk -v name="$1" '$1 == name { print $2 }' .out
}

# holds FILTER: standard output is JSON of which the filter of jq is true.
holds() {
    jq -e "$1" .out >/dev/null || fail "not so in the report: $1: $LAST"
}

# The file is an 8-bit palette PNG.
is_palette_png() {
    [ "$(od -An -tx1 -N8 "$1" | tr -d ' \n')" = 89504e470d0a1a0a ] || fail "$1 is not a PNG"
    [ "$(od -An -tu1 -j24 -N2 "$1" | tr -s ' ')" = ' 8 3' ] || fail "$1 is not an 8-bit palette PNG"
}

# Names that people and programs give files, in the array NAMES, without an ending and fit for one of six bytes.
# shellcheck disable=SC2016,SC2034 # they are to stand as they are; for the tests
odd_names() {
    NAMES=(plain $'tab\tbed' $'line\nend' $'cr\rhere' 'double"quote' "it's" 'back\slash' 'back\x41slash' '50%25' '$(touch sprung)'
        '`touch sprung`' '-leading' ' spaces ' $'caf\xe9' $'caf\xe8' $'bad\xff\xfe' $'cut\xe2\x82' '<!--<script>' '<script>alert(1)<'
        '&amp;&lt;' $'\xf0\x9f\x98\x80' $'\xe2\x80\xaertl' $'line\xe2\x80\xa8separator' con 'a#b' 'a#00001' 'star*[x]?' 'comma,semi;'
        'dots..in..it.' "$(printf '%0248d' 7)")
}
