#!/bin/sh
# run.sh PYTHON ARGUMENTS...: pytest, with the sanitizers of SEGMENT_PRELOAD loaded into Python and nothing else.
set -eu
python=$1
shift
[ -z "${SEGMENT_PRELOAD:-}" ] || export LD_PRELOAD="$SEGMENT_PRELOAD"
exec "$python" -m pytest -q -p no:cacheprovider -o markers=larger "$@"
