#!/bin/bash
# Every key that a comment, a header or a page cites, as in [li2009ccskl], stands in docs/references.bib.
set -euo pipefail
cd "$(dirname "$0")/.."
missing=0
while read -r key; do
    if ! grep -q "{$key," docs/references.bib; then
        echo "check-references: $key is cited but not in docs/references.bib:" >&2
        grep -rnE --include='*.[ch]' --include='*.md' "\b$key\b" src include tests docs | head -n 3 >&2
        missing=1
    fi
done < <(grep -rhoE --include='*.[ch]' --include='*.md' '\b[a-z]{2,}(19|20)[0-9]{2}[a-z]*\b' src include tests docs | sort -u)
[ "$missing" -eq 0 ] || exit 1
echo "check-references: good"
