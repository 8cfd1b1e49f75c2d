#!/bin/bash
# Videos of more frames than are held at once: windows one after another, and what needs all frames.
. "$(dirname "$0")/lib.sh"

cat >make.py <<'END_OF_FILE'
"""Frames of 60 x 48: a bright square moves over dark ground, which gets other colours with frame CUT; a blue one is there
in frames 14 to 19 alone. Labels 1, 2 (ground), 3."""
import os
import numpy as np
from PIL import Image
rng = np.random.default_rng(4)
CUT, FRAMES = 12, 30
y, x = np.mgrid[:48, :60]
truth = np.full((FRAMES, 48, 60), 2, np.uint8)
frames = np.zeros((FRAMES, 48, 60, 3))
for t in range(FRAMES):
    truth[t][(abs(y - 18 - t % CUT // 2) < 8) & (abs(x - 14 - t) < 8)] = 1
    frames[t] = (90, 60, 60) if t < CUT else (60, 85, 60)
    frames[t][truth[t] == 1] = (190, 180, 90)
third = truth.copy()
third[14:20, 38:46, 4:14] = 3
blue = frames.copy()
blue[third == 3] = (60, 70, 200)
def marks(t, labels):
    out = np.zeros((48, 60), np.uint8)
    for label in labels:
        inside = np.argwhere(third[t] == label)
        for row, column in inside[rng.choice(len(inside), 4)]:
            out[row:row + 3, column:column + 3] = np.where(third[t] == label, label, 0)[row:row + 3, column:column + 3]
    return out
def save(folder, pages):
    os.makedirs(folder)
    for t, page in pages:
        Image.fromarray(np.clip(page, 0, 255).astype(np.uint8)).save(f"{folder}/f{t}.png")
for name, made in ("frames", frames), ("blue", blue):
    save(name, enumerate(made + rng.normal(size=made.shape) * 8))
    save(name + "-truth", enumerate(third if made is blue else truth))
for name, pages in {"first": [(0, (1, 2))], "last": [(29, (1, 2))], "border": [(5, (1, 2))], "behind": [(6, (1, 2))],
                    "apart": [(2, (1, 2)), (27, (1,))], "both": [(0, (1, 2)), (29, (2, 1))], "one": [(15, (1,))],
                    "three": [(0, (1, 2)), (16, (2, 3))]}.items():
    save(name, [(t, marks(t, labels)) for t, labels in pages])
block = np.zeros((48, 60), int)
block[32:44, 4:20] = 1
save("block", enumerate(np.where(block[..., None], (120, 85, 150), frames) + rng.normal(size=frames.shape) * 8))
start = np.zeros((48, 60), np.uint8)
start[15:21, 10:18], start[2:5, 30:50], start[30:33, 30:50] = 1, 2, 2
for label in 0, 1, 2:
    save(f"block-{label}", [(0, start), (21, label * block)][:2 if label else 1])
save("bare", [(3, np.zeros((48, 60)))])
save("single", [(0, frames[0])])
END_OF_FILE
/usr/bin/python3 make.py || fail "the files of this test cannot be made: Debian's python3-pil and python3-numpy are needed"

# Of all frames, the largest share of wrong pixels in one.
worst() {
    /usr/bin/python3 - "$1" "$2" <<'END_OF_FILE'
import os, sys
import numpy as np
from PIL import Image
masks, truth = ([np.asarray(Image.open(f"{folder}/f{t}.png")) for t in range(30)] for folder in sys.argv[1:])
assert len(os.listdir(sys.argv[1])) == 30, os.listdir(sys.argv[1])
wrong = [np.mean(m != t) for m, t in zip(masks, truth)]
print(f"{sys.argv[1]}: frame {np.argmax(wrong)} has {max(wrong):.3f}", file=sys.stderr)
sys.exit(int(max(wrong) > 0.04))
END_OF_FILE
}

# With the sanitizers, which change no mask, one case of each kind.
whole=(first both) cut=(first last border behind apart both one) windows=(4 29)
grep -q __asan_init "$PROGRAM" && whole=(first) cut=(first apart) windows=(29)

# What fits is not cut.
for marks in "${whole[@]}"; do
    expect 0 frames --video -s "$marks" -o "whole-$marks" -q
    expect 0 frames --video -s "$marks" -o "same-$marks" -q --window 30
    diff -r "whole-$marks" "same-$marks" || fail "a window of all frames gives other masks"
done
expect 0 single --video -s first -o alone -q
expect 0 single --video -s first -o alone4 -q --window 4
diff -r alone alone4 || fail "one frame in a window of four"

# Strokes at one end, at the other, at the border of a window and behind it, of fewer labels far away, of one label; a
# cut, which is where a window begins with windows of 8 frames. Windows of 4 and of all frames but one.
for marks in "${cut[@]}"; do
    expect 0 frames/ --video -s "$marks/" -o "out-$marks/" -q --window 8
    worst "out-$marks" frames-truth || fail "strokes of '$marks'"
done
for window in "${windows[@]}"; do
    expect 0 frames --video -s last -o "of-$window" -q --window "$window"
    worst "of-$window" frames-truth || fail "windows of $window frames"
done
expect 0 frames --video -s apart -o threads -q --window 8 --threads 3
diff -r out-apart threads || fail "threads change the masks"
# A stroke that says that what all frames show is of the other label: it holds in the frames behind, and some before.
expect 0 block --video -s block-0 -o block-plain -q --window 8
is_block() {
    /usr/bin/python3 -c "
import numpy as np
from PIL import Image
exit(int(np.mean([np.asarray(Image.open(f'$1/f{t}.png'))[34:42, 6:18] == $2 for t in ($3)]) < 0.8))"
}
other=2
is_block block-plain 1 "5, 20, 29" || other=1
is_block block-plain $((3 - other)) "5, 20, 29" || fail "the block has different labels"
expect 0 block --video -s block-$other -o block-other -q --window 8
is_block block-other $other "20, 21, 22, 25, 29" || fail "a correction is lost in other windows"
for t in 0 3; do cmp "block-plain/f$t.png" "block-other/f$t.png" || fail "a correction holds where other strokes are nearer"; done
# A label that one window alone has.
expect 0 blue --video -s three -o out-three --window 8
worst out-three blue-truth || fail "a label of one window"
grep -q "frames 13 to 20 of 30" .err || fail "no line tells of a window: $(cat .err)"

refuse 2 "--window 8 needs --video" frames -s first -o no --window 8
refuse 2 "window" frames --video -s first -o no --window 3
for option in "--table t.csv" "--prob p.npy" "--json" "--truth frames-truth" "--start first/f0.png" "--uncertainty u.png" "-k 3"; do
    words=${option%% *}
    # shellcheck disable=SC2086 # option and value
    refuse 2 "${words/-k/--regions} needs all frames at once, but the 30 of 'frames' are segmented 8 at a time; leave it out, name a folder, or give --window 30" \
        frames --video -s first -o no --window 8 $option
done
# Of larger frames a window has fewer, so that each keeps 3000 patches.
mkdir wide wide-first
/usr/bin/python3 -c 'from PIL import Image; [Image.new("RGB", (320, 240)).save(f"wide/f{i}.png") for i in range(33)]'
cp wide/f0.png wide-first
refuse 2 "the 33 of 'wide' are segmented 32 at a time" wide --video -s wide-first -o no --table t.csv
refuse 2 "output to one file needs all frames at once" frames --video -s first -o no.tif --window 8
refuse 2 "scribbles in one file needs all frames at once" frames --video -s first/f0.png -o no --window 8
refuse 2 "--window is for frames whose masks go to a folder, and 'frames/f0.png' is a file" frames/f0.png --video -s first/f0.png -o no.png --window 8
refuse 3 "bare: nothing is marked" frames --video -s bare -o no --window 8
/usr/bin/python3 -c 'from PIL import Image; Image.new("RGB", (60, 47)).save("frames/f28.png")'
refuse 3 "'frames/f28.png' has 60 x 47 pixels, but the frames before have 60 x 48" frames --video -s first -o no --window 8
head -c 900 blue/f28.png >frames/f28.png
expect 3 frames --video -s first -o half -q --window 8
grep -q "frames/f28.png" .err || fail "the broken frame is not named: $(cat .err)"
[ ! -e no ] || fail "a refused run leaves a folder"
# A film: frames by ffmpeg, for which a script stands here that knows one film. A folder that is there is used again.
mkdir bin
cat >bin/ffmpeg <<END
#!/bin/sh
[ "\$*" = "-nostdin -v quiet -i file:$PWD/a film.mp4 -fps_mode passthrough -pix_fmt rgb24 %05d.png" ] || exit 1
for t in 0 1 2 3; do cp "$PWD/frames/f\$t.png" 0000\$t.png; done
END
chmod +x bin/ffmpeg
touch "a film.mp4" other.mkv
mkdir strokes
cp first/f0.png strokes/00000.png
PATH=$PWD/bin:$PATH expect 0 "a film.mp4" --video -s strokes -o film
grep -q "the frames of 'a film.mp4' are in 'a film-frames'" .err || fail "where the frames are is not said"
expect 0 "a film.mp4" --video -s strokes -o film
grep -q "the frames of 'a film.mp4' are taken from 'a film-frames', which was there" .err || fail "old frames are taken silently"
expect 0 "a film-frames" --video -s strokes -o same
for t in 0 1 2 3; do cmp film/0000$t.png same/0000$t.png || fail "a film has other masks than its frames"; done
PATH=$PWD/bin:$PATH refuse 3 "ffmpeg finds no frames in 'other.mkv'" other.mkv --video -s strokes -o none
printf '#!/bin/sh\nPATH=/nowhere exec "%s" "$@"\n' "$PROGRAM" >bin/lone
chmod +x bin/lone
PROGRAM=bin/lone refuse 3 "ffmpeg, which reads films, cannot be started: install Debian's ffmpeg" other.mkv --video -s strokes -o none
touch -d tomorrow "a film.mp4"
refuse 3 "the frames in 'a film-frames' are older than 'a film.mp4'; take the folder away" "a film.mp4" --video -s strokes -o film
echo "video: all good"
