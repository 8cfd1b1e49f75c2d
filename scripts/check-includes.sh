#!/bin/bash
# Includes point down the table of src/ in docs/architecture.md, never up or sideways, and every outside library is
# included by one folder only, zlib (a constant of it for PNG, its checksum for models) by three. The table is read from that page. No two files include
# each other's header, but for the parts of one idea that are listed.
#
#     scripts/check-includes.sh [ROOT]        check a source tree (default: this one)
#     scripts/check-includes.sh --self-test   check that deliberate violations are found
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)

# A folder may include itself, base and what the page's table says; public headers count as part of the folder that
# implements them.
check_tree() {
    # shellcheck disable=SC2016 # the dollars are awk's
    find "$1/src" "$1/include" -name '*.[ch]' -print0 | sort -z | xargs -0 -r awk -v root="$1/" -v page="$here/docs/architecture.md" '
BEGIN {
    while ((getline line < page) > 0)
        if (line ~ /^\| `[a-z]+\/` \|/) {
            count = split(line, cell, "|")
            gsub(/[^a-z]/, "", cell[2])
            folders++
            gsub(/\([^)]*\)/, "", cell[count - 1]) # remarks
            gsub(/[^a-z ]/, "", cell[count - 1])
            if (cell[2] != "cli" && cell[2] != "paint" && cell[2] != "python")
                allow(cell[2], cell[count - 1])
        }
    if (folders < 10) {
        print "check-includes: no table of folders in " page
        exit bad = 1
    }

    owner("base", "context.h export.h names.h status.h version.h")
    owner("linalg", "matrix.h")
    owner("image", "image.h")
    owner("vectors", "vectors.h")
    owner("features", "features.h")
    owner("graph", "graph.h")
    owner("constraints", "constraints.h")
    owner("active", "active.h")
    owner("groups", "methods.h") # the first folder that works on its problems
    owner("masks", "exports.h overlay.h regions.h")
    owner("metrics", "metrics.h")
    owner("pipeline", "model.h options.h photo.h session.h tiled.h")

    outside("image", "png.h jpeglib.h jerror.h libexif/ lcms2.h dlfcn.h")
    outside("image", "zlib.h")
    outside("vectors", "zlib.h")
    outside("model", "zlib.h")
    outside("linalg", "arpack/ suitesparse/ cholmod.h lapacke.h cblas.h fftw3.h immintrin.h")
    outside("optim", "dsdp/")
    outside("base", "jansson.h")
    outside("evaluation", "jansson.h")
    outside("cli", "jansson.h nettle/")
    outside("paint", "jansson.h microhttpd.h")

    parts("base/base base/parallel") # the threads of a context
    parts("base/context base/parallel")

    count = split("assert complex ctype dirent errno fcntl float fnmatch glob inttypes limits locale malloc math pthread sched search setjmp signal spawn stdarg " \
                  "poll stdatomic stdbool stddef stdint stdio stdlib string strings time unistd omp", system_header, " ")
    for (i = 1; i <= count; i++)
        plain[system_header[i] ".h"] = 1
    plain["netinet/in.h"] = 1
}

function allow(folder, others,   n, part, i) {
    known[folder] = may[folder, folder] = may[folder, "base"] = 1
    n = split(others, part, " ")
    for (i = 1; i <= n; i++) {
        if (!(part[i] in known)) { # the table goes upwards
            print "check-includes: " folder "/ may include " part[i] "/, which is not above it in " page
            bad++
        }
        may[folder, part[i]] = 1
    }
}
function owner(folder, headers,   n, part, i) {
    n = split(headers, part, " ")
    for (i = 1; i <= n; i++)
        public_of[part[i]] = folder
}
function outside(folder, headers,   n, part, i) {
    n = split(headers, part, " ")
    for (i = 1; i <= n; i++)
    {
        may_use[part[i], folder] = 1
        library_of[part[i]] = part[i] in library_of ? library_of[part[i]] "/ and " folder : folder
    }
}
function parts(pair,   both) {
    split(pair, both, " ")
    one_idea[both[1], both[2]] = one_idea[both[2], both[1]] = 1
}
# The file that is being read, without its ending, includes the header of another.
function note_include(other,   own) {
    own = substr(path, 5)
    sub(/\.[ch]$/, "", own)
    sub(/\.h$/, "", other)
    if (own == other || part[1] != "src" || (own, other) in includes)
        return
    includes[own, other] = 1
    if ((other, own) in includes && !((own, other) in one_idea))
        complain("a circle: " other " includes " own ".h; take what both need apart")
}
function complain(why) {
    printf "%s:%d: %s: %s\n", path, FNR, header, why
    bad++
}

FNR == 1 {
    path = substr(FILENAME, length(root) + 1)
    split(path, part, "/")
    name = path
    sub(/.*\//, "", name)
    if (part[1] == "src")
        folder = part[2]
    else
        folder = name == "segment.h" ? "all" : public_of[name]
    if (folder != "cli" && folder != "paint" && folder != "python" && folder != "all" && !(folder in known)) {
        header = name
        complain("its folder is not in the table of scripts/check-includes.sh")
    }
}

/^[ \t]*#[ \t]*include/ {
    header = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", header)
    quoted = header ~ /^"/
    header = substr(header, 2)
    sub(/[">].*/, "", header)
    top = header
    sub(/\/.*/, "/", top)

    if (quoted)
        note_include(header ~ /\// ? header : folder "/" header)
    if (header ~ /\.\./)
        complain("no .. in includes")
    else if (quoted && header !~ /\//)
        complain("write the folder too: \"FOLDER/" header "\"")
    else if (quoted) {
        target = substr(top, 1, length(top) - 1)
        if (part[1] != "src" || (folder == "cli" && target != "cli" && target != "evaluation" && header != "base/json_read.h" && header != "base/base.h" && header != "base/hash.h" && header != "pipeline/option_values.h" && header != "pipeline/option_fields.h" && header != "pipeline/slice_files.h" && header != "image/file.h"))
            complain(folder == "cli" ? "only public headers, cli/, evaluation/, base/base.h, base/hash.h, base/json_read.h, pipeline/option_fields.h, pipeline/option_values.h, pipeline/slice_files.h and image/file.h here" : "only public headers here")
        else if (folder == "cli")
            next
        else if (folder == "python")
            complain("only public headers here")
        else if (folder == "paint") {
            if (target != "paint" && target != "cli" && header != "base/base.h" && header != "base/hash.h" && header != "image/file.h" && header != "image/shown.h" && header != "pipeline/option_fields.h" && header != "pipeline/slice_files.h")
                complain("only public headers, cli/, paint/, base/base.h, base/hash.h, image/file.h, image/shown.h, pipeline/option_fields.h and pipeline/slice_files.h here")
        } else if (!((folder, target) in may))
            complain(folder "/ may not include " target "/")
    } else if (top == "segment/") {
        target = public_of[substr(header, 9)]
        if (folder == "cli" || folder == "paint" || folder == "python" || folder == "all")
            next
        if (target == "")
            complain("not a public header that the library itself may include")
        else if (!((folder, target) in may))
            complain(folder "/ may not include the public header of " target "/")
    } else if (header in library_of || top in library_of) {
        target = header in library_of ? header : top
        if (part[1] != "src" || !((target, folder) in may_use))
            complain("only " library_of[target] "/ may include it")
    } else if (!(header in plain) && top != "sys/")
        complain("unknown header: enter it in scripts/check-includes.sh with the one folder that may include it")
}
END {
    exit bad > 0
}'
}

# The files of the command line depend on each other in one direction: NAME.c and NAME.h are one, and no two include each
# other, not by way of others either.
check_circles() {
    local file name said
    said=$(find "$1/src/cli" -name '*.[ch]' | while read -r file; do
        name=${file#"$1/src/"}
        sed -n 's|^#include "\(cli/[a-z_/]*\)\.h"|\1|p' "$file" | sed "s|^|${name%.*} |" | awk '$1 != $2'
    done | tsort 2>&1 >/dev/null) || true
    [ -z "$said" ] || echo "src/cli: files include each other in a circle: $said"
    [ -z "$said" ]
}

# FILE LINE: a tree of the one file with the one include must be refused, and the line named.
must_fail() {
    mkdir -p "$tree/$(dirname "$1")"
    printf '/* A deliberate violation. */\n%s\n' "$2" >"$tree/$1"
    if said=$(check_tree "$tree") || [[ $said != "$1:2: "* ]]; then
        echo "check-includes: self-test: '$2' in $1 was not found: $said" >&2
        exit 1
    fi
    rm "$tree/$1"
}

self_test() {
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/src/graph" "$tree/include"
    printf '#include "graph/a.h"\n#include "linalg/b.h"\n#include "base/c.h"\n#include <math.h>\n#include <segment/graph.h>\n' \
        >"$tree/src/graph/good.c"
    check_tree "$tree"
    must_fail src/graph/up.c '#include "kernels/enpakl.h"'
    must_fail src/image/sideways.h '#include "linalg/dense.h"'
    must_fail src/base/public.c '#include <segment/matrix.h>'
    must_fail src/metrics/whole.c '#include <segment/segment.h>'
    must_fail src/cli/inside.c '#include "base/bytes.h"'
    must_fail src/pipeline/report.c '#include "evaluation/figures/plot.h"'
    must_fail src/cli/drawing.c '#include <cairo/cairo.h>'
    must_fail src/python/inside.c '#include "base/base.h"'
    must_fail src/graph/short.c '#include "other.h"'
    must_fail src/graph/dots.c '#  include "../kernels/enpakl.h"'
    must_fail src/masks/picture.c '#include <png.h>'
    must_fail src/masks/packed.c '#include <zlib.h>'
    must_fail src/features/solver.c '  #include <arpack/arpack.h>'
    must_fail src/pipeline/transform.c '#include <fftw3.h>'
    must_fail src/kernels/tragek.c '#include <dsdp/dsdp5.h>'
    must_fail src/base/unheard.c '#include <unheard/of.h>'
    must_fail include/segment/graph.h '#include <segment/photo.h>'
    mkdir -p "$tree/src/base"
    printf '#include "base/b.h"\n' >"$tree/src/base/a.c"
    must_fail src/base/b.h '#include "base/a.h"'
    printf '#include "base/b.h"\n#include "base/z.h"\n' >"$tree/src/base/a.c" # one way only
    check_tree "$tree"
    rm "$tree/src/base/a.c"
    must_fail include/segment/image.h '#include "image/raster.h"'
    mkdir -p "$tree/src/cli"
    printf '#include "cli/two.h"\n' >"$tree/src/cli/one.c"
    check_circles "$tree" || { echo "check-includes: self-test: a circle where there is none" >&2; exit 1; }
    printf '#include "cli/one.h"\n' >"$tree/src/cli/two.h"
    if check_circles "$tree" >/dev/null; then
        echo "check-includes: self-test: a circle of two files was not found" >&2
        exit 1
    fi
    echo "check-includes: self-test good"
}

if [ "${1:-}" = --self-test ]; then
    self_test
else
    check_tree "${1:-$here}"
    check_circles "${1:-$here}"
    echo "check-includes: good"
fi
