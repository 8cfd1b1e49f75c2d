#!/bin/bash
# segment paint: refusals of the command line, and its server (paint_requests.py).
. "$(dirname "$0")/lib.sh"

[ -x "$(dirname "$PROGRAM")/segment-paint" ] || exit 77 # built without libmicrohttpd
expect 0 paint --help
grep -q 'Usage: segment paint' .out || fail "no help"
expect 0 help paint
cp "$SOURCE/images/coffee.jpg" .
refuse 2 "tunnel" paint coffee.jpg --listen 0.0.0.0
refuse 2 "no image given" paint
refuse 2 "--port" paint coffee.jpg --port 70000
refuse 2 "--refine" paint coffee.jpg --refine nonsense
refuse 3 "cannot read 'no.jpg'" paint no.jpg
refuse 3 "cannot read 'no.png'" paint coffee.jpg -s no.png
mkdir empty
refuse 3 "no image" paint empty
python3 -c 'import socket, time; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1], flush=True); time.sleep(60)' >.port &
taken=$!
until [ -s .port ]; do sleep 0.1; done
before=$(files)
expect 1 paint coffee.jpg --no-browser --port "$(cat .port)"
sentence "choose another with --port"
[ "$before" = "$(files)" ] || fail "files appeared"
kill $taken
rm .port

python3 "$SOURCE/tests/cli/paint_requests.py" "$PROGRAM" "$SOURCE" strangers pens >.out 2>.err || fail "the requests"
cat .out
