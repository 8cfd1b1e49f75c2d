"""The compiled half of pysegment: declarations for cffi, read from libsegment's public headers.

The headers themselves are the declarations, so nothing is written twice, and the C compiler checks each layout.

    python3 binding.py INCLUDE_FOLDER OUTPUT.c     writes the C source of pysegment._binding

setup.py calls make_ffi() instead.
"""
import os
import re
import shlex
import subprocess
import sys

from cffi import FFI

HERE = os.path.dirname(os.path.abspath(__file__))

# In the order in which they include each other.
HEADERS = ("status context names version matrix image features graph constraints active methods photo session model options "
           "regions overlay exports metrics vectors").split()

# What progress.c adds to the library's declarations.
OWN = """
typedef struct { ...; } pysegment_watch;
pysegment_watch *pysegment_watch_create(double interval);
void pysegment_watch_free(pysegment_watch *watch);
void pysegment_watch_begin(pysegment_watch *watch, seg_context *ctx, int call_python);
void pysegment_watch_cancel(pysegment_watch *watch);
extern "Python" int pysegment_progress(double done, const char *stage);
extern "Python" void pysegment_log(const char *line);
"""


def declarations(text):
    """The declarations of a header in the form that cffi reads: comments, include guards and macros with parameters are
    left out, and a constant that is not a plain number is left to the compiler."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S).replace("\\\n", " ")
    text = re.sub(r"#ifdef __cplusplus.*?#endif", " ", text, flags=re.S)
    kept = []
    for line in text.splitlines():
        words = line.split()
        if not line.lstrip().startswith("#"):
            kept.append(line)
        elif words[0] == "#define" and len(words) > 2 and "(" not in words[1]:
            value = " ".join(words[2:])
            if re.fullmatch(r"\(?-?\d+(ll)?\)?", value):
                kept.append("#define %s %s" % (words[1], value.strip("()").rstrip("l")))
            elif re.fullmatch(r"\d+(\.\d*)?e-?\d+", value):
                kept.append("static const double %s;" % words[1])
            elif re.fullmatch(r'"[^"]*"', value):
                kept.append("static char *const %s;" % words[1])
            elif not re.search(r'[("{]', value):
                kept.append("#define %s ..." % words[1])
    return re.sub(r"\bSEG_API\b", "", "\n".join(kept))


def make_ffi(include, **build):
    """The FFI of the headers in `include`/segment; `build` goes to the compiler."""
    ffi = FFI()
    # cffi reads the size of an array where it is a number or a name of one; enumerators are put in here.
    text = "\n".join(declarations(open(os.path.join(include, "segment", name + ".h"), encoding="utf-8").read())
                     for name in HEADERS)
    ffi.cdef(text.replace("[SEG_FEATURE_KINDS]", "[...]"))
    ffi.cdef(OWN)
    with open(os.path.join(HERE, "progress.c"), encoding="utf-8") as own:
        ffi.set_source("pysegment._binding", own.read(), **build)
    return ffi


def find_library():
    """Include folder, compiler and linker settings of the libsegment to build for.

    In this order: SEGMENT_BUILD, the folder of a build of this tree; an installed library, by pkg-config; build/ of the
    tree that this folder lies in.
    """
    tree = os.path.dirname(os.path.dirname(HERE))
    build = os.environ.get("SEGMENT_BUILD")
    if not build:
        found = subprocess.run(["pkg-config", "--cflags", "--libs", "segment"], capture_output=True, text=True,
                               check=False) if _has_pkg_config() else None
        if found and found.returncode == 0:
            words = shlex.split(found.stdout)
            include = [word[2:] for word in words if word.startswith("-I")] + ["/usr/include", "/usr/local/include"]
            folders = [word[2:] for word in words if word.startswith("-L")]
            include = next((at for at in include if os.path.exists(os.path.join(at, "segment", "segment.h"))), None)
            if include:
                return include, {"include_dirs": [include], "libraries": ["segment"], "library_dirs": folders,
                                 "runtime_library_dirs": folders}
        build = os.path.join(tree, "build")
    build = os.path.abspath(build)
    include = os.path.join(tree, "include")
    if not os.path.exists(os.path.join(build, "libsegment.so")) or not os.path.exists(include):
        raise SystemExit("pysegment: there is no libsegment; install it (libsegment-dev), or build it in this tree and "
                         "set SEGMENT_BUILD to the folder of the build")
    return include, {"include_dirs": [include], "libraries": ["segment"], "library_dirs": [build],
                     "runtime_library_dirs": [build]}


def _has_pkg_config():
    return any(os.access(os.path.join(folder, "pkg-config"), os.X_OK)
               for folder in os.environ.get("PATH", "").split(os.pathsep))


def installed():
    """For setup.py: the FFI of the library that is found."""
    include, build = find_library()
    return make_ffi(include, **build)


if __name__ == "__main__":
    make_ffi(sys.argv[1]).emit_c_code(sys.argv[2])
