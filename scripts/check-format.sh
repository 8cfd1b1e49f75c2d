#!/bin/bash
# Every C file is as clang-format (14, with .clang-format) would write it.
set -euo pipefail
cd "$(dirname "$0")/.."
find src include tests docs -name '*.[ch]' -print0 | sort -z | xargs -0 clang-format --dry-run -Werror
echo "check-format: good"
