#!/usr/bin/env python3
"""Random runs of the main job: odd images, odd scribbles and options of every kind, each drawn by the seed and the
run's number alone.

    random_runs.py SEGMENT [--runs N] [--seed S] [--jobs J]     N runs, J at once
    random_runs.py SEGMENT --seed S --only I [--keep FOLDER]    run I again; its inputs and outputs go to FOLDER

A run is wrong that ends by a signal, hangs, ends with an exit code that the manual does not name for one image, or with
1 (failed while running), for which these inputs give no reason; that succeeds without a mask of the image's size or
another output, or with one that cannot be read; that fails without a sentence, with more than two lines, with
something on standard output or with a file left; that leaves any file that was not asked for.
"""
import argparse
import collections
import concurrent.futures
import functools
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy
    from PIL import Image
except ImportError:
    sys.exit(77)

CODES = {0: "ok", 2: "usage", 3: "input", 4: "contradiction", 6: "limit"}
SECONDS = 60  # of a run of 20 ms: what takes longer hangs, on a busy machine, too
SIZES = [(1, 1), (1, 2), (2, 1), (1, 7), (23, 1), (1, 64), (2, 2), (3, 3), (4, 4), (5, 5), (6, 4), (7, 9), (12, 12), (9, 16), (11, 10),
         (16, 16), (20, 15), (25, 25), (31, 8), (40, 30), (64, 3)]
CONTENTS = ["one colour", "gradient", "noise", "checkerboard", "two colours", "black", "white", "steps", "almost"]
MODES = ["rgb", "grey", "grey16", "rgb16", "alpha", "grey alpha", "transparent", "palette", "bit", "bmp", "tiff", "jpeg"]
SCRIBBLES = ["none", "one label", "few labels", "few labels", "many labels", "dots", "contradictory", "full", "empty", "wrong size", "painted"]
FEATURES = ["mean", "spread", "position", "histogram", "lab-histogram", "texture"]
ENDINGS = {"coco": "coco.json", "yolo": "yolo.txt", "geojson": "geojson", "svg": "svg", "npy": "npy", "labelme": "labelme.json",
           "masks": "masks", "voc": "voc.png"}
COLOURS = [(0, 0, 0), (230, 25, 75), (60, 180, 75), (0, 130, 200), (255, 225, 25), (245, 130, 48), (145, 30, 180)]


def draw_content(rng, width, height, content):
    """The pixels as height x width x 3 numbers of 0..1."""
    y, x = numpy.mgrid[0:height, 0:width]
    one, two = (numpy.array([rng.random() for _ in range(3)]) for _ in range(2))
    weight = {"one colour": x * 0, "gradient": x / max(width - 1, 1) * 0.7 + y / max(height - 1, 1) * 0.3,
              "checkerboard": (x + y) % 2, "two colours": (x * 2 >= width) | (y * 3 < height), "steps": x // 4 % 4 / 3.0,
              "almost": (x == width // 2) & (y == height // 2)}.get(content, x * 0)
    pixels = one + (two - one) * weight[:, :, None]
    if content == "noise":
        pixels = numpy.random.RandomState(rng.getrandbits(32)).rand(height, width, 3)
    if content in ("black", "white"):
        pixels = pixels * 0 + (content == "white")
    return pixels


def write_image(rng, folder, pixels, mode):
    """Write the image; its file name."""
    byte = numpy.rint(pixels * 255).astype(numpy.uint8)
    grey = byte.mean(axis=2).astype(numpy.uint8)
    height, width = grey.shape
    name = {"rgb16": "a.ppm", "bmp": "a.bmp", "tiff": "a.tif", "jpeg": "a.jpg"}.get(mode, "a.png")
    path = os.path.join(folder, name)
    if mode == "rgb16":
        with open(path, "wb") as file:
            file.write(b"P6 %d %d 65535\n" % (width, height) + numpy.rint(pixels * 65535).astype(">u2").tobytes())
    elif mode == "grey16":
        Image.fromarray(numpy.rint(pixels[:, :, 0] * 65535).astype(numpy.uint16)).save(path)
    elif mode in ("alpha", "grey alpha", "transparent"):
        alpha = numpy.random.RandomState(rng.getrandbits(32)).randint(0, 2 if mode == "transparent" else 256, (height, width))
        alpha = Image.fromarray(alpha.astype(numpy.uint8) * (255 if mode == "transparent" and rng.random() < 0.5 else 1))
        image = Image.fromarray(grey if mode == "grey alpha" else byte)
        image.putalpha(alpha)
        image.save(path)
    elif mode == "palette":
        Image.fromarray(byte).quantize(rng.choice([2, 7, 256])).save(path)
    elif mode == "bit":
        Image.fromarray(grey).convert("1").save(path)
    else:
        Image.fromarray(grey if mode == "grey" else byte).save(path)
    return name


def draw_scribbles(rng, folder, pixels, kind):
    """Write the scribbles; their file name, or None."""
    if kind == "none":
        return None
    height, width = pixels.shape[:2]
    if kind == "wrong size":
        width, height = width + rng.choice([0, 1]), height + rng.choice([1, 2])
    labels = {"one label": 1, "few labels": rng.randint(2, 3), "many labels": rng.randint(4, 6)}.get(kind, 2)
    mark = numpy.zeros((height, width), numpy.uint8)
    if kind == "full":
        y, x = numpy.mgrid[0:height, 0:width]
        mark[:] = 1 + (x * labels // width + y) % labels
    elif kind == "contradictory":
        for p in range(rng.randint(1, 2 * width * height)):
            mark[rng.randrange(height), rng.randrange(width)] = 1 + p % labels
    elif kind != "empty":
        for label in range(1, labels + 1):
            for _ in range(rng.randint(1, 3)):
                x, y = rng.randrange(width), rng.randrange(height)
                wide, high = (1, 1) if kind == "dots" else rng.choice([(rng.randint(1, 12), 1), (1, rng.randint(1, 12)), (3, 3)])
                mark[y:y + high, x:x + wide] = label
    path = os.path.join(folder, "s.png")
    style = rng.choice(["palette", "colours", "grey"])
    if kind == "painted":
        byte = numpy.rint(pixels * 255).astype(numpy.uint8)
        colour = numpy.array(COLOURS, numpy.uint8)[mark]
        Image.fromarray(numpy.where(mark[:, :, None] > 0, colour, byte)).save(path)
    elif style == "palette":
        image = Image.fromarray(mark, "P")
        image.putpalette([value for colour in COLOURS for value in colour] + [0] * (768 - 3 * len(COLOURS)))
        image.save(path)
    elif style == "grey":
        Image.fromarray(mark).save(path)
    else:
        Image.fromarray(numpy.array(COLOURS, numpy.uint8)[mark]).save(path)
    return "s.png"


def draw_pairs(rng, folder, width, height):
    """Write listed pairs, some of which contradict each other; the file's name."""
    with open(os.path.join(folder, "pairs.csv"), "w", encoding="ascii") as file:
        for _ in range(rng.choice([1, 2, 5, 30])):
            ends = [(rng.randrange(width), rng.randrange(height)) for _ in range(2)]
            file.write("%d,%d,%d,%d,%d\n" % (*ends[0], *ends[1], rng.choice([1, -1])))
    return "pairs.csv"


def draw_values(rng, method, size):
    """Options of how to segment an image of this size."""
    words = []

    def at_times(chance, *option):
        if rng.random() < chance:
            words.extend(str(word) for word in option)

    if rng.random() < 0.7:
        words += ["--method", method["name"] + (":paper" if method["paper"] and rng.random() < 0.2 else "")]
    for parameter in method["parameters"] if "--method" in words else []:
        choices, low, high = parameter["choices"], parameter["low"], parameter["high"]
        value = (rng.choice(choices) if choices else rng.choice([low, high, parameter["default"]]) if rng.random() < 0.5 else
                 low + (min(high, 20) - low) * rng.random())
        if not choices and parameter["whole"]:
            value = int(min(value, 50))
        at_times(0.15, "--param", f"{parameter['name']}={value}")
    features = rng.sample(FEATURES, rng.randint(1, len(FEATURES)))
    at_times(0.4, "--features", ",".join(name + rng.choice(["", "=0.1", "=2"]) for name in features))
    patch = rng.randint(1, max(1, max(size) // 5)) if rng.random() < 0.8 else rng.choice([1, 2, 5, 8, 64])
    if rng.random() < 0.8:
        words += ["--patch", str(patch)]
        at_times(0.2, "--reduce", rng.choice([n for n in range(1, patch + 1) if patch % n == 0]))
    at_times(0.3, "--graph", rng.choice(["knn", "grid", "both", "full"] if method["needs_graph"] else ["knn", "grid"]))
    at_times(0.4 if "full" not in words else 0.05, "--knn", rng.choice([1, 2, 5, 20, 1000]))
    at_times(0.2, "--neighbours", rng.choice(["exact", "approximate", "auto"]))
    at_times(0.3, "--sigma", rng.choice(["0", "0.001", "1", "1e6"]))
    at_times(0.2, "--pairs", rng.choice([0, 1, 3, 100]))
    at_times(0.4, "--contradictions", rng.choice(["refuse", "drop", "drop"]))
    at_times(0.2, "--restarts", rng.choice([1, 2, 9]))
    at_times(0.6, "--refine", rng.choice(["none", "fast"]))
    at_times(0.2, "--min-region", rng.choice([0, 1, 5, 1000]))
    at_times(0.15, "--balance", rng.choice(["auto", "off"]))
    at_times(0.2, "--islands", rng.choice(["keep", "remove", "auto", "remove:1", "remove:2,3"]))
    at_times(0.2, "--thin", rng.choice(["auto", "on", "off"]))
    at_times(0.2, "--chromaticity", rng.choice(["auto", "on", "off"]))
    at_times(0.05, "--object")
    at_times(0.3, "--seed", rng.randrange(1000))
    at_times(0.05, "--max-memory", rng.choice(["1M", "64M", "4G"]))
    return words


def draw_outputs(rng):
    """Options of what to write, and the names of the files by kind."""
    mask = rng.choice(["m.png", "m-mask.png", "m.tif", "m"])
    words, files = ["-o", mask], {"mask": mask}
    overlay = re.sub(r"(-mask)?(\.[a-z]+)?$", "-overlay.png", mask, count=1)
    if rng.random() < 0.4:
        words.append("--no-overlay")
    else:
        files["overlay"] = overlay
        if rng.random() < 0.2:
            words += ["--overlay-style", "cutout", "--cutout-labels", rng.choice(["1", "all", "7"])]
        else:
            words += rng.choice([[], [], ["--overlay-style", rng.choice(["tint", "outline", "both"])], ["--outline", "3"],
                                 ["--palette", "okabe-ito"]])
    for kind in rng.sample(sorted(ENDINGS), rng.choice([0, 0, 1, 3, 8])):
        words += ["--export", kind]
        files[kind] = re.sub(r"\.[a-z]+$", "", mask) + "." + ENDINGS[kind]
    if any(kind in files for kind in ENDINGS) and rng.random() < 0.4:
        words += ["--simplify", rng.choice(["0.5", "2", "100"])]
    for kind, name in (("prob", "p.npy"), ("uncertainty", "u.png"), ("table", "t.csv"), ("save-run", "r.json")):
        if rng.random() < 0.15:
            words += ["--" + kind, name]
            files[kind] = name
    return words, files


def make_run(seed, number, methods, folder):
    """The words of a run behind the program, the image's size and the files it is to write; its inputs are written."""
    rng = random.Random(f"{seed} {number}")
    width, height = rng.choice(SIZES)
    pixels = draw_content(rng, width, height, rng.choice(CONTENTS))
    words = [write_image(rng, folder, pixels, rng.choice(MODES))]
    scribbles = draw_scribbles(rng, folder, pixels, rng.choice(SCRIBBLES))
    if scribbles:
        words += ["-s", scribbles]
    if rng.random() < 0.15:
        words += ["--constraints", draw_pairs(rng, folder, width, height)]
    if rng.random() < (0.25 if scribbles else 0.95):
        words += ["-k", str(rng.choice([1, 2, 2, 2, 3, 3, 4, 5, 9] + [254] * (rng.random() < 0.3)))]
    usable = [method for method in methods if len(words) > 3 or not method["needs_constraints"]] or methods
    words += draw_values(rng, rng.choice(usable), (width, height))
    output, files = draw_outputs(rng)
    words += output + rng.choice([[], ["--json"], ["-q"], ["-v"]])
    words += ["--threads", rng.choice(["1", "1", "2"])]
    return words, (width, height), files


def all_files(folder):
    return {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}


def check_output(folder, kind, name, size):
    """What is wrong with an output, or None."""
    path = os.path.join(folder, name)
    if kind in ("mask", "overlay", "uncertainty", "voc"):
        with Image.open(path) as image:
            image.load()
            if image.size != size:
                return f"{name} is {image.size[0]} x {image.size[1]} pixels"
            if kind == "mask" and not 0 < numpy.asarray(image).min():
                return f"{name} has pixels without a label"
    elif kind in ("prob", "npy"):
        array = numpy.load(path)
        if array.shape[:2] != size[::-1] or (kind == "prob" and not abs(array.sum(axis=2) - 1).max() < 1e-4):
            return f"{name} has the shape {array.shape}, or does not sum to 1"
    elif kind in ("coco", "geojson", "labelme", "save-run"):
        with open(path, encoding="utf-8") as file:
            json.load(file)
    elif kind == "masks":
        if not os.listdir(path):
            return f"{name} is empty"
    elif os.path.getsize(path) == 0 and kind != "yolo":
        return f"{name} is empty"
    return None


def faults_of(code, out, err, folder, before, size, files, words):
    """What is wrong with a run that has ended: sentences."""
    new = all_files(folder) - before
    if code not in CODES:
        return [f"exit {code}"]
    lines = [line for line in err.splitlines() if line]
    if code:
        own = [line for line in lines if "found in strokes" not in line and not line.startswith("segment: warning")]
        faults = [f"exit {code} and a file is left: {name}" for name in sorted(new)]
        if not own or not all(re.match(r"segment: \S.+", line) for line in own):
            faults.append(f"exit {code} without a sentence")
        if len(own) > 2 and "-v" not in words:
            faults.append(f"exit {code} with {len(own)} lines")
        return faults + ([f"exit {code} and something on standard output"] if out else [])
    faults = []
    for kind, name in files.items():
        try:
            fault = check_output(folder, kind, name, size)
        except Exception as error:  # of any reader
            fault = f"{name} cannot be read: {error!r}"
        faults += [fault] if fault else []
    wanted = set(files.values())
    faults += [f"{name} was not asked for" for name in sorted(new) if name not in wanted and name.split("/")[0] not in wanted]
    try:
        if ("--json" in words) != bool(out) or ("--json" in words and not json.loads(out)["ran"]):
            faults.append("standard output is not what was asked for")
    except ValueError:
        faults.append("--json is not JSON")
    return faults


def one(program, seed, methods, top, number):
    """Do a run. Its exit code, its words and what is wrong with it."""
    folder = os.path.join(top, str(number))
    os.mkdir(folder)
    words, size, files = make_run(seed, number, methods, folder)
    before = all_files(folder)
    try:
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, timeout=SECONDS, check=False,
                              stdin=subprocess.DEVNULL)
        err = done.stderr.decode("utf-8", "replace")
        faults = faults_of(done.returncode, done.stdout, err, folder, before, size, files, words)
        code = done.returncode
    except subprocess.TimeoutExpired:
        code, err, faults = None, "", [f"does not end within {SECONDS} s"]
    return number, code, words, faults, err, folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--keep")
    asked = parser.parse_args()
    methods = json.loads(subprocess.run([asked.program, "methods", "--json"], capture_output=True, check=True).stdout)
    codes, faulty = collections.Counter(), 0
    numbers = range(asked.runs) if asked.only is None else [asked.only]
    # Processes, not threads: Pillow closes the descriptors of some TIFF files twice, and the second is another thread's.
    with tempfile.TemporaryDirectory() as top, concurrent.futures.ProcessPoolExecutor(asked.jobs) as pool:
        for number, code, words, faults, err, folder in pool.map(
                functools.partial(one, asked.program, asked.seed, methods, top), numbers, chunksize=10):
            codes[code] += 1
            faulty += bool(faults)
            if faults or asked.only is not None:
                print(f"run {number}: {'; '.join(faults) or 'as it should be'}\n    segment {shlex.join(words)}")
                print(f"    again: {shlex.join([sys.argv[0], asked.program])} --seed {asked.seed} --only {number} --keep FOLDER")
                print("".join(f"    | {line}\n" for line in err.splitlines()[:6]), end="", flush=True)
            if asked.keep:
                shutil.copytree(folder, asked.keep, dirs_exist_ok=True)
            shutil.rmtree(folder)
    print(f"seed {asked.seed}: {sum(codes.values())} runs, " +
          ", ".join(f"{count} {CODES.get(code, f'exit {code}')}" for code, count in codes.most_common()) + f"; {faulty} wrong")
    if asked.only is None and codes[0] < asked.runs / 3:
        sys.exit("fewer than a third of the runs end well: the options drawn do not fit together")
    sys.exit(faulty > 0)


if __name__ == "__main__":
    main()
