#!/bin/bash
# Options and arguments: every misuse is exit 2 with one sentence that helps.
. "$(dirname "$0")/lib.sh"
make_pictures

expect 0 --help
silent
grep -q '^Usage: segment ' .out || fail "no usage line"
for command in cluster score methods help; do
    grep -q "segment $command" .out || fail "--help does not name the command $command"
done
cp .out .note
expect 0 help && cmp -s .out .note || fail "segment help and segment --help differ"
expect 0 -h && cmp -s .out .note || fail "-h and --help differ"
expect 0 help score
grep -q 'MASK TRUTH' .out || fail "no help of score"
expect 0 score --help
expect 0 help methods
# The short help fits on a screen; all options of the tables stand in the long one, hidden names apart.
[ "$(wc -l <.note)" -le 60 ] || fail "--help has $(wc -l <.note) lines"
grep -q -- '-s scribbles.png' .note && grep -q -- '-k 3' .note || fail "no examples in --help"
[ "$(awk 'length > 79' .note | wc -l)" -eq 0 ] || fail "lines beyond 79 columns"
expect 0 --help=all
options=$(grep -cE '^ +(-., )?--[a-z]' .out)
[ "$options" -ge 30 ] || fail "$options options in --help=all"
[ "$options" -le 256 ] || fail "$options options: cli_common.given has a bit for each of CLI_MOST_OPTIONS"
for table in src/pipeline/options_table.c src/cli/segment/photo_options.c; do
    [ "$(grep -c SEG_OPTION_ROW "$SOURCE/$table")" -ge 10 ] || fail "no options found in $table"
    while read -r option; do
        grep -qE -- "^ +(-., )?--$option(=| |\$)" .out || fail "--help=all lacks --$option of $table"
    done < <(sed -nE 's/.*(SEG_OPTION_ROW\(|\{\.name = )"([a-z-]+)".*/\2/p' "$SOURCE/$table")
done
cp .out .said
expect 0 help all && cmp -s .out .said || fail "segment help all and segment --help=all differ"
refuse 2 "takes no value" --help=some
expect 0 cluster --help=all
rm .note .said
# A letter for the scribbles.
expect 0 photo.bmp -s scribbles.bmp -o s.png --no-overlay
expect 0 photo.bmp -sscribbles.bmp -qoz.png --no-overlay
cmp -s s.png z.png || fail "-s is not --scribbles"
rm s.png z.png
expect 0 --version
grep -Eq '^segment [0-9]+\.[0-9]+\.[0-9]+$' .out || fail "no version"
expect 0 --help --alpha 9
expect 0 methods --version

refuse 2 "no image"
refuse 2 "no command 'scores'; did you mean 'score'" help scores
refuse 2 "did you mean '--scribbles'" photo.bmp --scribles scribbles.bmp
refuse 2 "did you mean '--method'" photo.bmp --mehtod=kmeans
refuse 2 "unknown option '--quite-another'" photo.bmp --quite-another
for bad in -Z -qZv; do refuse 2 "unknown option '-Z'" photo.bmp $bad; done
refuse 2 "is ambiguous" photo.bmp --o x.png
for bad in --alpha -k; do refuse 2 "needs a value" photo.bmp $bad; done
refuse 2 "takes no value" photo.bmp --json=yes
refuse 2 "writes a folder, but 'm.png' looks like a file name" photo.bmp truth.bmp -k 2 -o m.png
# What is given for an image and is not one.
refuse 2 "did you mean --scribbles scribbles.bmp" photo.bmp scribbles.bmp
refuse 2 "did you mean --scribbles scribbles.bmp" scribbles.bmp photo.bmp
refuse 2 "did you mean the command 'segment methods'" metods
refuse 2 "did you mean the command 'segment cluster'" clutser table.csv -k 3
refuse 3 "there is no file 'nothere.jpg'" nothere.jpg
refuse 3 "there is no file 'nothere.jpg'" nothere.jpg -k 2
refuse 3 "there is no file 'nothere.jpg'" photo.bmp nothere.jpg
refuse 2 "-k K" photo.bmp scribbles.bmp truth.bmp
# Names of choices and methods are found in any case.
for choice in "--method KMEANS" "--method Kmeans --refine NONE" "--graph GRID" "--progress None" "--export SVG"; do
    # shellcheck disable=SC2086
    expect 0 photo.bmp -k 2 --no-overlay -o m.png $choice
done
[ -s m.svg ] || fail "no export"
rm m.png m.svg
refuse 2 "-k takes a whole number from 1 to 254, not '0'" photo.bmp -k 0
for bad in 255 -1 2.5 two '' ' 2' 2x 99999999999999999999 0x2; do
    refuse 2 "-k takes a whole number" photo.bmp -k "$bad"
done
for bad in -0.1 1.1 nan inf 0x0 ' 1' '' 1e999 half; do
    refuse 2 "--alpha takes a number from 0 to 1" photo.bmp -k 2 --alpha "$bad"
done
refuse 2 "--outline takes a whole number from 0 to 32" photo.bmp -k 2 --outline 33
refuse 2 "--patch takes a whole number from 0 to 64" photo.bmp -k 2 --patch 65
refuse 2 "--knn takes a whole number from 1" photo.bmp -k 2 --knn 0
refuse 2 "--sigma takes a number of at least 0" photo.bmp -k 2 --sigma -1
refuse 2 "--pairs takes a whole number from 0" photo.bmp -k 2 --pairs -1
refuse 2 "--restarts takes a whole number from 1" photo.bmp -k 2 --restarts 0
refuse 2 "--seed takes a whole number from 0" photo.bmp -k 2 --seed -1
refuse 2 "--threads takes a whole number from 0" photo.bmp -k 2 --threads -1
refuse 2 "--graph takes knn, grid, both or full, not 'knm'" photo.bmp -k 2 --graph knm
refuse 2 "--refine takes none or fast" photo.bmp -k 2 --refine finest
refuse 2 "--contradictions takes refuse or drop" photo.bmp -k 2 --contradictions keep
refuse 2 "--progress takes auto, none or json" photo.bmp -k 2 --progress bar
refuse 2 "colour" photo.bmp -k 2 --features colour
expect 0 photo.bmp -k 2 --features Mean,POSITION=2 --graph kNN
refuse 2 "'mean' is named twice" photo.bmp -k 2 --features mean,MEAN
refuse 2 "unknown method 'kmens'; did you mean 'kmeans'" photo.bmp -k 2 --method kmens
refuse 2 "'m=3'" photo.bmp -k 2 --param m=3
refuse 2 "'m=3'" photo.bmp --scribbles scribbles.bmp --param m=3
# A parameter is of the method that runs, named or not, and keeps the others at their defaults.
for given in '' '--method auto'; do
    # shellcheck disable=SC2086 # words
    expect 0 photo.bmp --param trees=7 --scribbles scribbles.bmp --param blend=0.5 $given --json --no-overlay
    holds '.method == "auto" and (.parameters | .trees == 7 and .blend == 0.5 and .folds == 3)'
done
refuse 2 "trees of auto" photo.bmp --param trees=7000 --scribbles scribbles.bmp
refuse 2 "m" photo.bmp --scribbles scribbles.bmp --method ccskl --param m=0
refuse 2 "none-such" photo.bmp --scribbles scribbles.bmp --method ccskl --param none-such=1
refuse 2 "needs --scribbles" photo.bmp -k 2 --method ccskl
refuse 2 "--object is for --scribbles of an object, or of an object and its background; there are 0 labels" photo.bmp -k 2 --object
refuse 2 "there are 2 labels and 3 regions" photo.bmp --scribbles scribbles.bmp -k 3 --object
refuse 2 "takes no value" photo.bmp --scribbles scribbles.bmp --object=1
refuse 2 "--no-unknown is for a model" photo.bmp -k 2 --no-unknown
refuse 2 "-k K" photo.bmp
refuse 2 "-k K" photo.bmp --constraints pairs.csv
refuse 2 "k = 1" photo.bmp --scribbles scribbles.bmp -k 1
refuse 2 "which leaves 2" photo.bmp --scribbles truth.bmp -k 3 -q
refuse 2 "which leaves 2" photo.bmp --scribbles truth.bmp -k 3 --pairs 1 -q
refuse 2 "standard input" - --scribbles -
refuse 2 "standard output" photo.bmp -k 2 -o - --json
refuse 2 "standard output" photo.bmp -k 2 -o - --overlay -
refuse 2 "standard output" photo.bmp -k 2 -o - --truth truth.bmp
refuse 2 "exclude each other" photo.bmp -k 2 --overlay a.png --no-overlay
refuse 2 "both be written" photo.bmp -k 2 -o a.png --overlay ./a.png

# An output must not overwrite an input, by whatever name.
cp photo.bmp photo.before
ln -s photo.bmp link.bmp
mkdir folder
refuse 2 "would be overwritten" photo.bmp -k 2 -o photo.bmp
refuse 2 "would be overwritten" photo.bmp -k 2 -o folder/../photo.bmp
refuse 2 "would be overwritten" photo.bmp -k 2 --overlay link.bmp
refuse 2 "would be overwritten" photo.bmp --scribbles scribbles.bmp -o scribbles.bmp
refuse 2 "would be overwritten" photo.bmp -k 2 --truth truth.bmp --overlay truth.bmp
cp photo.bmp photo-mask.png
refuse 2 "would be overwritten" photo-mask.png -k 2 -o photo-mask.png
cmp -s photo.bmp photo.before || fail "the image was touched"

refuse 2 "score needs two files" score truth.bmp
refuse 2 "unexpected argument" score truth.bmp truth.bmp truth.bmp
refuse 2 "did you mean '--json'" score truth.bmp truth.bmp --jsn
refuse 2 "standard input" score - -
refuse 2 "takes none" methods kmeans
exit 0
