#!/usr/bin/env python3
"""Videos with known truth, with strokes on some frames: mean J (IoU of the object) by the distance from the nearest frame
with strokes, of segment --video (video:20 with windows of 20 frames), of --volume, and of a model of those frames that
is applied to each (learn, apply).

    PYTHONPATH=build/python tests/bench/video.py [--only video,volume,apply] [--marked 0] [--kinds move,twin,hide,cut] [--seeds 6] [--frames 40]

Needs what volumes.py needs, whose strokes these are. Textured objects move over textured ground that moves too: "move" is
one of them, before "twin" one of the same texture passes, in "hide" a pillar passes in front, and "cut" changes the view
in the middle, with other light; in "long" it stays in view for any number of frames. "box" is a film of a printed box that a
hand moves, box.mp4.gz of Debian's opencv-doc (--film; needs ffmpeg), with the outline of the box in six of 456 frames. MB is the most that the last process
of a method had, by GNU time."""
import argparse
import gzip
import os
import subprocess
import tempfile
import time

import numpy as np
from PIL import Image, ImageDraw
from scipy import ndimage
from volumes import strokes

FRAMES, HEIGHT, WIDTH = 40, 120, 160
RANGES = ((0, 0), (1, 5), (6, 10), (11, 20), (21, 40), (41, 200), (201, 9999))
FILM = "/usr/share/doc/opencv-doc/opencv4/html/box.mp4.gz"
BOX = {0: ((187, 8), (298, 34), (282, 92), (270, 120), (149, 81), (149, 50)),  # by frame, drawn by hand
       90: ((169, 12), (279, 38), (262, 90), (249, 122), (126, 83), (125, 50)),
       180: ((120, 24), (239, 39), (238, 75), (202, 138), (74, 102), (62, 69)),
       270: ((141, 57), (255, 86), (233, 150), (225, 176), (99, 133), (96, 101)),
       360: ((171, 53), (286, 69), (291, 121), (288, 133), (278, 156), (143, 127), (143, 93)),
       450: ((161, 41), (266, 49), (281, 84), (279, 111), (273, 120), (151, 107), (151, 75))}


def film(path):
    """The frames, 320 x 240, and their labels: 1 is the box; frames without an outline have none."""
    with tempfile.NamedTemporaryFile(suffix=".mp4") as plain:
        plain.write(gzip.open(path).read())
        plain.flush()
        raw = subprocess.run(["ffmpeg", "-v", "quiet", "-i", plain.name, "-vf", "scale=320:240", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"],
                             check=True, stdout=subprocess.PIPE).stdout
    frames = np.frombuffer(raw, np.uint8).reshape(-1, 240, 320, 3)[:456]
    truths = np.zeros(frames.shape[:3], np.uint8)
    for t, outline in BOX.items():
        drawn = Image.new("L", (320, 240), 2)
        ImageDraw.Draw(drawn).polygon(outline, fill=1)
        truths[t] = np.asarray(drawn)
    return frames, truths


def texture(rng, shape, colour, strength):
    """Smooth noise of two scales around a colour."""
    noise = sum(w * ndimage.gaussian_filter(rng.normal(size=shape + (3,)), (s, s, .3)) * s for s, w in ((1.5, 1), (5, 1)))
    return np.asarray(colour) + strength * noise / noise.std()


def view(rng):
    """The textures of ground and object, and their paths."""
    return {"ground": texture(rng, (HEIGHT + 120, WIDTH + 160), rng.uniform(80, 150, 3), 22),
            "skin": texture(rng, (120, 120), rng.uniform(80, 150, 3) + rng.choice((-25, 25), 3), 22),
            "start": rng.uniform((40, 35), (80, 60)), "speed": rng.uniform((-.7, .6), (.7, 1.6)),
            "phase": rng.uniform(0, 6, 4), "drift": rng.uniform(-1, 1, 2), "light": rng.uniform(.85, 1.15)}


def draw(v, t, kind, pillar):
    """Frame t of a view, and its labels: 1 is the object."""
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    dy, dx = 60 + v["drift"] * t
    edge = "grid-wrap" if kind == "long" else "nearest"
    image = np.stack([ndimage.shift(v["ground"][..., c], (-dy, -dx), order=1, mode=edge)[:HEIGHT, :WIDTH]
                      for c in range(3)], -1)
    truth = np.full((HEIGHT, WIDTH), 2, np.uint8)
    for twin in ((1, 0) if kind == "twin" else (0,)):
        middle = v["start"] + v["speed"] * t + 3 * np.sin(v["phase"][:2] + t / 5)
        if kind == "long":
            middle = np.array([HEIGHT, WIDTH]) / 2 + (32, 48) * np.sin(v["phase"][:2] + t / np.array([23, 31]))
        if twin:
            middle = np.array([HEIGHT - 8, WIDTH - 20]) - v["start"] * .7 - v["speed"] * t
        turn, size = .02 * t + v["phase"][2], 1 + .15 * np.sin(t / 9 + v["phase"][3])
        u = ((x - middle[1]) * np.cos(turn) + (y - middle[0]) * np.sin(turn)) / size
        w = (-(x - middle[1]) * np.sin(turn) + (y - middle[0]) * np.cos(turn)) / size
        inside = np.hypot(u / 24, w / 15) < 1 + .15 * np.sin(3 * np.arctan2(w, u))
        coat = np.stack([ndimage.map_coordinates(v["skin"][..., c], (w + 60, u + 60), order=1, mode="nearest")
                         for c in range(3)], -1)
        image[inside] = coat[inside]
        truth[inside] = 2 if twin else 1
    if kind == "hide":
        bar = np.abs(x - (WIDTH - 10 - 2.5 * t)) < 9
        image[bar], truth[bar] = pillar[bar], 2
    return image * v["light"], truth


def make(kind, seed=0):
    rng = np.random.default_rng(seed)
    views, pillar = [view(rng), view(rng)], texture(rng, (HEIGHT, WIDTH), (60, 60, 90), 10)
    views[1]["skin"] = views[0]["skin"]
    frames, truths = [], []
    for t in range(FRAMES):
        late = kind == "cut" and t >= FRAMES // 2
        image, truth = draw(views[late], t - late * FRAMES // 2, kind, pillar)
        frames.append(np.clip(ndimage.gaussian_filter(image, (.6, .6, 0)) + rng.normal(size=image.shape) * 5, 0, 255))
        truths.append(truth)
    return np.asarray(frames).astype(np.uint8), np.asarray(truths)


def run(how, folder, marked):
    """The masks of a method."""
    frames, marks, model, out = (os.path.join(folder, name) for name in ("frames", "marks", "model", how))
    if how == "apply":
        subprocess.run(["build/segment", "learn", *(f"{frames}/f{t}.png" for t in marked), "-s", marks, "-o", model, "-q"],
                       check=True, stdout=subprocess.DEVNULL)
        command = ["build/segment", "apply", model, frames, "--no-overlay", "--no-unknown"]
    else:
        how, _, window = how.partition(":")
        command = ["build/segment", frames, "--" + how, "-s", marks] + (["--window", window] if window else [])
    subprocess.run(["time", "-f", "%M", "-o", f"{folder}/kb"] + command + ["-o", out, "-q"], check=True)
    tail = "-mask.png" if how == "apply" else ".png"
    return [np.asarray(Image.open(f"{out}/f{t}{tail}")) for t in range(FRAMES)]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--only", default="video,volume,apply")
    arguments.add_argument("--kinds", default="move,twin,hide,cut")
    arguments.add_argument("--marked", default="0", help="frames with strokes, as in 0,20")
    arguments.add_argument("--seeds", type=int, default=6)
    arguments.add_argument("--frames", type=int, default=FRAMES)
    arguments.add_argument("--film", default=FILM)
    given = arguments.parse_args()
    globals()["FRAMES"] = 456 if given.kinds == "box" else given.frames
    marked = [int(t) for t in given.marked.split(",")]
    away = np.min([np.abs(np.arange(FRAMES) - t) for t in marked], axis=0)
    there = [(a, b) for a, b in RANGES if np.any((away >= a) & (away <= b))]
    print("kind, method | " + " | ".join(f"{a} to {b}" for a, b in there) + " | all | s | MB")
    mean = {how: [] for how in given.only.split(",")}
    for kind in given.kinds.split(","):
        found = {how: [] for how in mean}
        for seed in range(given.seeds):
            frames, truth = film(given.film) if kind == "box" else make(kind, seed)
            with tempfile.TemporaryDirectory() as folder:
                os.mkdir(f"{folder}/frames")
                os.mkdir(f"{folder}/marks")
                for t in range(FRAMES):
                    Image.fromarray(frames[t]).save(f"{folder}/frames/f{t}.png")
                for t in marked:
                    Image.fromarray(strokes(truth[t:t + 1], 1, seed)[0]).save(f"{folder}/marks/f{t}.png")
                for how, rows in found.items():
                    began = time.perf_counter()
                    j = np.array([np.sum((m == 1) & (t == 1)) / max(1, np.sum((m == 1) | (t == 1))) if t.any() else np.nan
                                  for m, t in zip(run(how, folder, marked), truth)])
                    rows.append([np.nanmean(j[(away >= a) & (away <= b)]) for a, b in there]
                                + [np.nanmean(j), time.perf_counter() - began, int(open(f"{folder}/kb").read()) / 1000])
        for how, rows in found.items():
            mean[how].append(np.mean(rows, axis=0))
            print(f"{kind}, {how} | " + " | ".join(f"{v:.3f}" for v in mean[how][-1]), flush=True)
    for how, rows in mean.items():
        print(f"mean, {how} | " + " | ".join(f"{v:.3f}" for v in np.mean(rows, axis=0)))


if __name__ == "__main__":
    main()
