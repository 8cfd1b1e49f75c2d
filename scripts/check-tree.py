#!/usr/bin/env python3
"""Check the shape of the tree: how many lines, files in a folder and parameters of a function there are.

    scripts/check-tree.py              fails where a bound is passed, and names the place
    scripts/check-tree.py --list       prints the figures, and the functions with most parameters
    scripts/check-tree.py --self-test  checks that violations are found

A bound that is above its aim may only be lowered: it stands where the tree is today.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

BOUNDS = {  # what is counted: the bound, the aim
    "lines of C in src and include": (62000, 55000),
    "lines of tests": (50000, 50000),
    "files in a folder of src": (40, 40),
    "names of files that stand twice in src": (0, 0),
    "functions with more than six parameters": (0, 0),
    "functions of the public interface": (100, 100),
    "tracked names at the top level that do not belong there": (0, 0),
}

# At the top level, besides names that begin with a dot.
TOP = {"CMakeLists.txt", "CONTRIBUTING.md", "LICENSE", "README.md", "docs", "groundtruth", "images", "include", "scripts", "src", "tests"}

# Callbacks whose parameters a library dictates.
DICTATED = {"on_request": "libmicrohttpd"}

# A definition or declaration at the left margin, up to its closing parenthesis.
FUNCTION = re.compile(r"^(?:[a-z_][\w ]*[ *]+)(\w+)\(((?:[^()]|\([^()]*\))*)\)\s*\{", re.M)


def parameters(text):
    """How many parameters a list has; those of a callback's own list do not count."""
    text = re.sub(r"\([^()]*\)", "", text).strip()
    return 0 if text in ("", "void") else text.count(",") + 1


def lines(files):
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)


def measure(root):
    """The figures, and for each what they consist of."""
    sources = sorted(path for folder in ("src", "include") for path in (root / folder).rglob("*.[ch]"))
    tests = sorted(path for end in ("*.[ch]", "*.sh", "*.py", "*.mjs") for path in (root / "tests").rglob(end))
    folders = collections.Counter(str(path.parent.relative_to(root)) for path in sources if "include" not in path.parts)
    names = collections.Counter(path.name for path in sources if "include" not in path.parts)
    long = {}
    for path in sources:
        for name, inside in FUNCTION.findall(path.read_text(encoding="utf-8")):
            if parameters(inside) > 6 and name not in DICTATED:
                long[f"{path.relative_to(root)}: {name}"] = parameters(inside)
    public = [name for path in sorted((root / "include").rglob("*.h"))
              for name in re.findall(r"^SEG_API [^;(]*?(\w+)\(", path.read_text(encoding="utf-8"), re.M)]
    tracked = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    strange = {name: 1 for name in {path.split("/")[0] for path in tracked.split("\0")} - TOP if name and name[0] != "."}
    twice = {name: count for name, count in names.items() if count > 1}
    return {
        "lines of C in src and include": (lines(sources), {}),
        "lines of tests": (lines(tests), {}),
        "files in a folder of src": (max(folders.values(), default=0), dict(folders)),
        "names of files that stand twice in src": (len(twice), twice),
        "functions with more than six parameters": (len(long), long),
        "functions of the public interface": (len(public), {}),
        "tracked names at the top level that do not belong there": (len(strange), strange),
    }


def check(root, bounds):
    bad = []
    for what, (count, parts) in measure(root).items():
        bound, aim = bounds[what]
        if count > bound:
            most = sorted(parts.items(), key=lambda part: -part[1])[:5]
            bad.append(f"check-tree: {count} {what}; the bound is {bound}, the aim {aim}"
                       + "".join(f"\n  {name}: {number}" for name, number in most))
    return bad


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        subprocess.run(["git", "init", "-q", folder], check=True)
        for name in ("src/a", "src/b", "include/segment", "tests"):
            (root / name).mkdir(parents=True)
        (root / "src/a/one.c").write_text("int f(int a, int b, int c, int d, int e, int g, int h) {\n}\n")
        (root / "src/a/two.c").write_text("int g(int a, int (*call)(int, int), int c) {\n}\nint h(void) {\n}\n")
        (root / "src/b/one.c").write_text("int on_request(int a, int b, int c, int d, int e, int g, int h) {}\n")
        (root / "include/segment/a.h").write_text("SEG_API int seg_f(int a,\n                  int b);\n")
        (root / "tests/t.sh").write_text("true\n")
        (root / "left-over.csv").write_text("1\n")
        subprocess.run(["git", "-C", folder, "add", "."], check=True)
        wanted = [("lines of C in src and include", 9), ("lines of tests", 1), ("files in a folder of src", 2),
                  ("names of files that stand twice in src", 1), ("functions with more than six parameters", 1),
                  ("functions of the public interface", 1), ("tracked names at the top level that do not belong there", 1)]
        for what, count in wanted:
            found = measure(root)[what][0]
            if found != count:
                sys.exit(f"check-tree: self-test: {found} {what} in place of {count}")
            if len(check(root, {other: (number - (other == what), 0) for other, number in wanted})) != 1:
                sys.exit(f"check-tree: self-test: one too many is not found: {what}")
    print("check-tree: self-test: good")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    elif sys.argv[1:] == ["--list"]:
        for what, (count, parts) in measure(root).items():
            print(f"{count} {what} (bound {BOUNDS[what][0]}, aim {BOUNDS[what][1]})")
            for name, number in sorted(parts.items(), key=lambda part: -part[1])[:40]:
                print(f"  {number} {name}")
    else:
        bad = check(root, BOUNDS)
        print("\n".join(bad) or "check-tree: good")
        sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
