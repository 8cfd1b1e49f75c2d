#!/bin/bash
# segment paint: object mode; masks, journals and exports are those of the command line, whatever ends the server (paint_requests.py).
. "$(dirname "$0")/lib.sh"

[ -x "$(dirname "$PROGRAM")/segment-paint" ] || exit 77 # built without libmicrohttpd
python3 "$SOURCE/tests/cli/paint_requests.py" "$PROGRAM" "$SOURCE" masks replaced killed existing unwritable namesakes folders modelled objects >.out 2>.err || fail "the requests"
cat .out
