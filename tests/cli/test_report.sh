#!/bin/bash
# What is said: JSON, the scores, -v, -q and progress.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || exit 77
make_pictures

expect 0 photo.bmp --scribbles scribbles.bmp --truth truth.bmp --seed 5 --threads 1 --method ccskl --param m=7 --json
silent
holds '.program == "segment" and (.version | test("^[0-9.]+$"))'
holds '.photo == "photo.bmp" and .scribbles == "scribbles.bmp" and .scribbles_kind == "colours" and .constraints == null'
holds '.method == "ccskl" and .parameters.m == 7 and .seed == 5'
holds '.sizes.width == 60 and .sizes.height == 40 and .sizes.patch == 5 and .sizes.patches == 96 and .sizes.k == 2'
holds '.sizes.marked_pixels == 40 and .sizes.marked_patches > 0 and .sizes.feature_columns > 0 and .sizes.edges > 0'
holds '.sigma > 0 and (.objective | type == "number" or . == null) and .iterations >= 0 and (.converged | type == "boolean")'
holds '[.regions[].label] == [1, 2] and ([.regions[].pixels] | add) == 2400 and ([.regions[].share] | add) > 0.999'
holds '.regions[0].colour == "#0000ff" and .regions[1].colour == "#ff0000"'
holds '(.stages | length) >= 4 and all(.stages[]; .seconds >= 0 and .peak_memory > 0 and (.name | length) > 0)'
holds '.seconds > 0 and .seconds >= ([.stages[].seconds] | max) and .peak_memory > 0'
holds '.scores.mean_dice > 0.9 and .scores.scored == 2400 and .truth == "truth.bmp"'
holds '.outputs.mask == "photo-mask.png" and .outputs.overlay == "photo-overlay.png"'
holds '.plan.limit == null and .plan.adapted == null and .plan.predicted >= .plan.asked and .plan.asked > 0'
jq -S 'del(.seconds, .peak_memory, .stages, .plan)' .out >.note

holds '.ran == "ccskl" and (keys | map(select(test("^marks"))) == [])'

# The same again but for the cost.
expect 0 photo.bmp --scribbles scribbles.bmp --truth truth.bmp --seed 5 --threads 1 --method ccskl --param m=7 --json
jq -S 'del(.seconds, .peak_memory, .stages, .plan)' .out | cmp -s - .note || fail "two equal runs report differently"

# What ran is named where the default method chose it.
expect 0 photo.bmp --scribbles scribbles.bmp --no-overlay --json
holds '.method == "auto" and .ran == "random-walker"'
expect 0 photo.bmp -k 2 --no-overlay --json
holds '.method == "ncut" and .ran == "ncut"'

# No objective is null, no truth no scores, choices by their names, odd file names.
cp photo.bmp $'odd "\xff name.bmp'
expect 0 $'odd "\xff name.bmp' -k 2 --method kmeans --param seeds=none --no-overlay --json
holds '.photo == "odd \"\\xFF name.bmp" and .scribbles == null and .scribbles_kind == null and .scores == null'
holds '.parameters.seeds == "none" and .outputs.overlay == null and .sizes.marked_pixels == 0'
rm ./odd*

# Names out of a label map, and its order: red is now label 1.
printf '# a comment\nbackground:0,0,0::\nrust:255,0,0::\nsky:0,0,255::\n' >map.txt
expect 0 photo.bmp --scribbles scribbles.bmp --labelmap map.txt --no-overlay --json
holds '[.regions[].name] == ["rust", "sky"] and .regions[0].colour == "#ff0000"'

# An area that no stroke says anything about is named, unless everything is to be quiet.
bmp plain.bmp 120 60 't = (int(x / 3) * 7 + int(y / 3) * 13) % 11 * 3; r = 90 + t; g = 100 + t; b = 80 - t'
bmp ends.bmp 120 60 'if (x == 4 && y > 9 && y < 50) b = 255; if (x == 115 && y > 9 && y < 50) r = 255'
expect 0 plain.bmp --scribbles ends.bmp --no-overlay --json
grep -q '^segment: ambiguous region: [0-9.]* % of the image' .err || fail "no warning of an area without strokes"
holds '(.ambiguous_regions | length) >= 1 and .ambiguous_regions[0].share > 0.01 and (.ambiguous_regions[0].box | length) == 4'
holds '([.ambiguous_regions[0].label, .ambiguous_regions[0].runner_up] | sort) == [1, 2]'
expect 0 plain.bmp --scribbles ends.bmp --no-overlay -q
silent
expect 0 photo.bmp --scribbles scribbles.bmp --no-overlay --json
silent
holds '.ambiguous_regions == [] and .outputs.prob == null and .outputs.uncertainty == null'

# The scores alone, as lines.
expect 0 photo.bmp --scribbles scribbles.bmp --truth truth.bmp
silent
for name in pairwise_accuracy clustering_error nmi pairwise_f mean_dice error_rate; do
    [[ $(score $name) =~ ^[01]\.[0-9]+$ ]] || fail "no score $name"
done
[ "$(score scored)" = 2400 ] || fail "not all pixels scored"

# Words go to standard error only when asked for.
expect 0 photo.bmp --scribbles scribbles.bmp -v
[ ! -s .out ] || fail "-v on standard output"
grep -q '^segment: region 1, #0000ff: [0-9]* pixels' .err || fail "-v does not list the regions"
grep -qi 'colour' .err || fail "-v does not say what kind of scribbles was found"
plain=$(wc -l <.err)
expect 0 photo.bmp --scribbles scribbles.bmp -vv
[ "$(wc -l <.err)" -ge "$plain" ] || fail "-vv says less than -v"
grep -q $'\r' .err && fail "a progress bar where there is no terminal"

# Progress for programs: JSON lines that never go back.
expect 0 photo.bmp --scribbles scribbles.bmp --progress json
jq -es 'length > 3 and all(.[]; .progress >= 0 and .progress <= 1 and (.stage | type == "string"))
    and ([.[].progress] | . == sort)' .err >/dev/null || fail "progress is not JSON lines that grow"

# The methods.
expect 0 methods
silent
expect 0 methods --json
holds 'length >= 4 and all(.[]; (.name | length) > 0 and (.title | length) > 0 and (.source | length) > 0)'
holds 'all(.[].parameters[]; .name and .help and (.choices != null or (.low <= .default and .default <= .high)))'
for name in kmeans ncut ccskl enpakl; do
    holds "any(.[]; .name == \"$name\")"
done

expect 0 score truth.bmp truth.bmp --json
holds '.scores.pairwise_accuracy == 1 and .scores.error_rate == 0 and .mask == "truth.bmp"'
exit 0
