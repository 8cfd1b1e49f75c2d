#!/bin/bash
# scripts/text-set.sh: the same texts give the same file, which segment cluster reads; spherical k-means finds classes.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || exit 77
[ -f /usr/share/common-licenses/GPL-3 ] && [ -f /usr/share/common-licenses/MPL-2.0 ] || exit 77
make="$SOURCE/scripts/text-set.sh"

"$make" one licences >said.txt || fail "no text set"
"$make" two licences >.note
cmp -s one.csv two.csv || fail "another run gives another file"
[ "$(sed 's/.*,//' one.csv | sort -u | wc -l)" -eq 3 ] || fail "not three classes"
"$make" three licences 120 >.note
[ "$(wc -l <three.csv)" -lt "$(wc -l <one.csv)" ] || fail "longer documents are not fewer"

expect 0 cluster one.csv --labels last --tf-idf --method kmeans --param distance=cosine -o out.txt --json
holds '.scores.nmi > 0.15'

for wrong in "" "out licences 0" "out licences x" "out songs"; do
    code=0
    # shellcheck disable=SC2086 # words on purpose
    "$make" $wrong >.out 2>.err || code=$?
    [ "$code" -ne 0 ] && [ "$(wc -l <.err)" -eq 1 ] && [ ! -e out.csv ] || fail "text-set.sh $wrong: exit $code, $(cat .err)"
done
exit 0
