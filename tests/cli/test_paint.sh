#!/bin/bash
# segment paint: refusals of the command line, and its server (paint_requests.py).
. "$(dirname "$0")/lib.sh"

[ -x "$(dirname "$PROGRAM")/segment-paint" ] || exit 77 # built without libmicrohttpd
expect 0 paint --help
grep -q 'Usage: segment paint' .out || fail "no help"
expect 0 help paint
cp "$SOURCE/images/coffee.jpg" .
refuse 2 "no image given" paint
refuse 2 "--port" paint coffee.jpg --port 70000
refuse 2 "--refine" paint coffee.jpg --refine nonsense
refuse 3 "cannot read 'no.jpg'" paint no.jpg
refuse 3 "cannot read 'no.png'" paint coffee.jpg -s no.png
refuse 3 "cannot read 'no.png'" paint coffee.jpg --start no.png
cp coffee.jpg coffee-mask.png
refuse 2 "would be written" paint coffee.jpg --start coffee-mask.png
rm coffee-mask.png
refuse 2 "a start is corrected by strokes alone" paint coffee.jpg --start coffee.jpg --object
mkdir empty
refuse 3 "no image" paint empty
python3 -c 'import socket, time; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1], flush=True); time.sleep(60)' >.port &
taken=$!
until [ -s .port ]; do sleep 0.1; done
before=$(files)
expect 1 paint coffee.jpg --no-browser --port "$(cat .port)"
sentence "choose another port with --port"
[ "$before" = "$(files)" ] || fail "files appeared"
kill $taken
rm .port

# A model: read as by --model of the main job, and what it cannot be joined with is refused before there is a page.
bmp a.bmp 60 40 'e = (x * 7 + y * 13) % 23; if (x < 30) { r = 200 + e; g = 60 } else { b = 160 + e; g = 90 }'
bmp a-scribbles.bmp 60 40 'if (y == 8) { if (x < 25) g = 255; if (x > 35) r = 255 }'
expect 0 learn a.bmp -o a.model -q
refuse 3 "no.model" paint a.bmp --model no.model
refuse 3 "is not a model" paint a.bmp --model a-scribbles.bmp
head -c 1000 a.model >cut.model
refuse 3 "truncated" paint a.bmp --model cut.model
refuse 2 "has labels of its own" paint a.bmp --model a.model -k 3
refuse 2 "not with ncut" paint a.bmp --model a.model --method ncut
refuse 2 "object is for scribbles without a model" paint a.bmp --model a.model --object
refuse 2 "give a file" paint a.bmp --model -
# A label map beside the masks that is of something else is told of.
printf 'red:255,0,0\ngreen:0,255,0\n' >named.txt
expect 0 learn a.bmp --labelmap named.txt -o a.model -q
printf 'green:0,255,0\nred:255,0,0\n' >segment-labels.txt
"$PROGRAM" paint a.bmp --model a.model --no-browser >.said 2>.err &
page=$!
until [ -s .said ]; do sleep 0.1; done
kill -TERM $page
wait $page || fail "not ended well"
grep -q "names label 1 'green'" .err || fail "no word of the other label map"
rm segment-labels.txt

python3 "$SOURCE/tests/cli/paint_requests.py" "$PROGRAM" "$SOURCE" strangers pens corrected arrays channels alike >.out 2>.err || fail "the requests"
cat .out
