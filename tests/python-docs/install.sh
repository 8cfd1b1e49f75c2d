#!/bin/bash
# pip installs pysegment without a network: against an installed library, found by pkg-config, and against a build.
#
#     install.sh BUILD SOURCE PYTHON
set -euo pipefail
build=$(realpath "$1") source=$(realpath "$2") python=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH SEGMENT_BUILD

fail() {
    echo "FAILED: $*"
    exit 1
}
# WHERE: into a folder of its own; the tree stays as it is.
pip_install() {
    rm -rf "$work/src"
    cp -r "$source/src/python" "$work/src"
    "$python" -m pip install --quiet --no-build-isolation --no-index --no-deps --target "$1" "$work/src" >"$work/said" 2>&1 ||
        { cat "$work/said" && fail "pip install"; }
    if [ ! -e "$1/pysegment/py.typed" ] || [ ! -e "$1/pysegment/estimators.pyi" ]; then
        fail "no type stubs were installed"
    fi
    (cd "$work" && PYTHONPATH=$1 "$python" - "$1" "$source") <<'END' || fail "the installed package"
import sys, pysegment
assert pysegment.__file__.startswith(sys.argv[1]), pysegment.__file__
images = sys.argv[2] + "/images/coffee"
assert pysegment.segment(images + ".jpg", images + "-scribbles.png").regions == 4
END
}

# In a copy that has no tree around it: the library that pkg-config finds.
cmake --install "$build" --prefix "$work/usr" >"$work/said" || { cat "$work/said" && fail "cmake --install"; }
PKG_CONFIG_PATH=$(dirname "$(find "$work/usr" -name segment.pc)")
export PKG_CONFIG_PATH
pip_install "$work/one"
readelf -d "$work"/one/pysegment/_binding*.so | grep -q "$work/usr" || fail "the module is not for the installed library"
unset PKG_CONFIG_PATH

# A build of the tree.
mkdir "$work/tree"
ln -s "$source/include" "$work/tree/include"
mkdir "$work/tree/src"
cp -r "$source/src/python" "$work/tree/src/python"
SEGMENT_BUILD=$build "$python" -m pip install --quiet --no-build-isolation --no-index --no-deps --target "$work/two" \
    "$work/tree/src/python" >"$work/said" 2>&1 || { cat "$work/said" && fail "pip install with SEGMENT_BUILD"; }
(cd "$work" && PYTHONPATH=$work/two "$python" -c 'import pysegment; print(pysegment.__version__)') >/dev/null ||
    fail "the package for a build"

# No library: a sentence that says what to do.
if "$python" -m pip install --no-build-isolation --no-index --no-deps --target "$work/three" "$work/src" >"$work/said" 2>&1; then
    pkg-config --exists segment || fail "built without a library"
else
    grep -q "there is no libsegment; install it" "$work/said" || { cat "$work/said" && fail "no sentence"; }
fi
echo "python_install: good"
