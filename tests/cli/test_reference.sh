#!/bin/bash
# The variant paper of the methods against references in NumPy, written from the papers alone (tests/reference/).
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3
$python -c 'import numpy' 2>/dev/null || exit 77
PYTHONDONTWRITEBYTECODE=1 $python "$SOURCE/tests/reference/run.py" "$PROGRAM" >.out 2>.err || fail "another answer than the reference's"
[ "$(grep -c '^ok ' .out)" -eq 81 ] || fail "not 27 lines for each of three sets"
# Explore without the number of clusters.
PYTHONDONTWRITEBYTECODE=1 $python "$SOURCE/tests/reference/explore_unknown.py" "$PROGRAM" >.out 2>.err || fail "Explore does not find the balls"
exit 0
