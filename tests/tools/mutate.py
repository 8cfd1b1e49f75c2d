#!/usr/bin/env python3
"""Put deliberate faults into a source file, one at a time, and tell which of them no test finds.

    tests/tools/mutate.py [--count 12] [--seed 1] [--build build] src/masks/pieces.c=test_islands=test_islands ...

Each argument names a file and, after '=', a regular expression for ctest of the tests that should find faults in it.
After another '=', targets separated by commas may follow: only these are built for each fault, else everything is.
A fault exchanges an operator or changes a number by one. What does not compile does not count. The tree is left as it
was; the file must have no uncommitted changes. Exit status 1 where a fault survives.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FAULTS = [(r"(?<=\s)<(?=\s)", "<="), (r"(?<=\s)<=(?=\s)", "<"), (r"(?<=\s)>(?=\s)", ">="), (r"(?<=\s)>=(?=\s)", ">"),
          (r"==", "!="), (r"!=", "=="), (r"&&", "||"), (r"\|\|", "&&"), (r"(?<=\s)\+(?=\s)", "-"),
          (r"(?<=\s)-(?=\s)", "+"), (r"(?<=\s)\*(?=\s\w)", "/"), (r"\+=", "-="), (r"\b([1-9]\d*)\b(?![.\w])", None),
          (r"(?<![\w.])0(?![\w.])", "1"), (r"\bmin\b", "max"), (r"\bfmax\b", "fmin"), (r"\bfmin\b", "fmax")]


def places(text):
    """All (start, end, new text) of faults within the bodies of functions."""
    code = re.sub(r"/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|^\s*#.*?$", lambda m: " " * len(m.group()), text, flags=re.S | re.M)
    found = []
    for body in re.finditer(r"^[^\s#/}].*?\{$.*?^\}", code, re.S | re.M):
        begin = code.index("{", body.start())
        for pattern, new in FAULTS:
            for at in re.finditer(pattern, code[begin:body.end()]):
                old = at.group()
                found.append((begin + at.start(), begin + at.end(), new if new else str(int(old) + 1)))
    return found


def run(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode


def try_file(name, tests, targets, options):
    path = ROOT / name
    build = ["cmake", "--build", options.build, "--parallel", "2"] + (["--target"] + targets.split(",") if targets else [])
    if run("git", "diff", "--quiet", "--", name):
        sys.exit(f"mutate: {name} has uncommitted changes; commit them first")
    if run(*build) or run("ctest", "--test-dir", options.build, "-R", tests, "--no-tests=error"):
        sys.exit(f"mutate: without any fault {name} does not build, or its tests {tests} do not pass")
    text = path.read_text(encoding="utf-8")
    survived, tried = [], 0
    order = places(text)
    random.Random(f"{options.seed} {name}").shuffle(order)
    try:
        for begin, end, new in order:
            if tried == options.count:
                break
            path.write_text(text[:begin] + new + text[end:], encoding="utf-8")
            if run(*build):
                continue
            tried += 1
            if run("ctest", "--test-dir", options.build, "-R", tests, "--timeout", str(options.timeout), "--stop-on-failure") == 0:
                line = text.count("\n", 0, begin)
                start, stop = text.rfind("\n", 0, begin) + 1, text.index("\n", end)
                survived.append(f"{name}:{line + 1}: {text[start:begin].lstrip()}[{text[begin:end]} -> {new}]{text[end:stop]}")
                print(survived[-1], flush=True)
    finally:
        path.write_text(text, encoding="utf-8")
    print(f"{name}: {tried - len(survived)} of {tried} faults found", flush=True)
    return survived


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE=TESTS[=TARGETS]")
    parser.add_argument("--count", type=int, default=12, help="faults per file")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--timeout", type=int, default=120, help="seconds of a test, beyond which the fault counts as found")
    parser.add_argument("--build", default="build")
    options = parser.parse_args()
    survived = [fault for item in options.files for fault in try_file(*(item + "=").split("=")[:3], options)]
    sys.exit(1 if survived else 0)


if __name__ == "__main__":
    main()
