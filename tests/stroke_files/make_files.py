#!/usr/bin/python3
"""Makes scribble files as people paint them, with the right answer known.

make_files.py IMAGES OUT COUNT SET: from the images of IMAGES, into the folder OUT, COUNT files of the set SET (a name
that seeds every choice). For NAME it writes NAME-photo.bmp, NAME-scribbles.EXT, NAME-truth.npy and a line of list.txt:
NAME, the scribble file, how it was made. The truth per pixel: 1, 2, ... the core of a stroke of that label; 100 + label
its soft edge; 0 surely unmarked; 200 not judged (close to a stroke, or of the stroke's colour already).
"""
import functools, os, random, sys, zlib

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

BRUSHES = ["hard", "antialiased", "airbrush", "thin", "thin antialiased", "thick", "translucent", "several",
           "similar", "black and white", "white", "black"]
CANVASES = ["black", "white", "grey", "transparent", "copy", "desaturated", "brightened", "darkened", "indexed",
            "dithered"]
HUES = [(230, 25, 75), (60, 180, 75), (0, 130, 200), (255, 225, 25), (245, 130, 48), (145, 30, 180), (70, 240, 240),
        (240, 50, 230), (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (255, 0, 255), (0, 255, 255)]


def curve(rng, width, height):
    """Points of one stroke: a bent line or a scrawl."""
    margin = 12
    x, y = rng.uniform(margin, width - margin), rng.uniform(margin, height - margin)
    angle, turn = rng.uniform(0, 6.283), rng.uniform(-0.12, 0.12)
    points = [(x, y)]
    for _ in range(rng.randint(8, 22)):
        angle += turn + rng.uniform(-0.25, 0.25)
        x, y = x + 6 * np.cos(angle), y + 6 * np.sin(angle)
        if not (margin <= x < width - margin and margin <= y < height - margin):
            break
        points.append((x, y))
    return points


def coverage(points, radius, size, soft):
    """How much of each pixel a brush of that radius covers; soft: width of the blurred edge, 0 none, -1 hard."""
    up, margin = 1 if soft < 0 else 4, int(radius + 4 * max(soft, 0)) + 3
    left, top = (max(0, int(min(p[i] for p in points)) - margin) for i in (0, 1))
    right, bottom = (min(size[i], int(max(p[i] for p in points)) + margin) for i in (0, 1))
    mask = Image.new("L", ((right - left) * up, (bottom - top) * up))
    draw = ImageDraw.Draw(mask)
    scaled = [((x - left) * up, (y - top) * up) for x, y in points]
    width = max(1, round(2 * radius * up))
    draw.line(scaled, 255, width)
    if width > 2:
        for x, y in scaled:
            draw.ellipse([x - width / 2, y - width / 2, x + width / 2, y + width / 2], 255)
    if soft > 0:
        mask = mask.filter(ImageFilter.GaussianBlur(soft * up))
    if up > 1:
        mask = mask.resize((right - left, bottom - top), Image.BOX)
    whole = np.zeros((size[1], size[0]))
    whole[top:bottom, left:right] = np.asarray(mask, dtype=float) / 255
    return whole


def off(ground, colour):
    """How far each pixel is from the colour, in the channel that differs most."""
    r, g, b = (np.abs(ground[:, :, c] - colour[c]) for c in range(3))
    return np.maximum(np.maximum(r, g), b)


def near(mask, distance):
    """Pixels within a distance (a square's) of the mask."""
    for axis in (0, 1):
        grown = mask.copy()
        for d in range(1, distance + 1):
            grown |= np.roll(mask, d, axis) | np.roll(mask, -d, axis)
        mask = grown
    return mask


def colours_of(brush, labels, rng):
    if brush == "similar":
        return rng.choice([[(200, 30, 30), (200, 120, 30)], [(30, 90, 220), (30, 180, 220)],
                           [(40, 170, 60), (140, 170, 60)], [(120, 0, 0), (230, 0, 0)], [(0, 0, 110), (0, 0, 230)]])
    if brush == "black and white":
        return [(0, 0, 0), (255, 255, 255)]
    chosen = []
    if brush in ("white", "black"):
        chosen.append((255, 255, 255) if brush == "white" else (0, 0, 0))
    for hue in rng.sample(HUES, len(HUES)):
        if len(chosen) < labels and all(max(abs(a - b) for a, b in zip(hue, c)) >= 96 for c in chosen):
            chosen.append(hue)
    return chosen


def ground_of(canvas, photo, rng):
    grey = photo @ np.array([0.299, 0.587, 0.114])
    if canvas == "desaturated":
        kind = rng.choice(["luma", "mean", "lightness", "half"])
        if kind == "mean":
            grey = photo.mean(axis=2)
        elif kind == "lightness":
            grey = (photo.max(axis=2) + photo.min(axis=2)) / 2
        flat = np.repeat(grey[:, :, None], 3, axis=2)
        return flat if kind != "half" else 0.6 * flat + 0.4 * photo
    if canvas == "brightened":
        return rng.choice([lambda p: p + 60, lambda p: 1.4 * p, lambda p: 255 * (p / 255) ** 0.6,
                           lambda p: 0.5 * p + 127])(photo)
    if canvas == "darkened":
        return rng.choice([lambda p: p - 50, lambda p: 0.6 * p, lambda p: 255 * (p / 255) ** 1.6])(photo)
    level = {"black": 0, "white": 255, "grey": rng.choice([96, 128, 192])}.get(canvas)
    return photo if level is None else np.full(photo.shape, float(level))


def same_in_file(index, truth, labels):
    """1 where the palette gave two labels one colour: the file does not tell them apart, so it has no right answer."""
    main = [np.bincount(index[truth == label]).argmax() for label in range(1, labels + 1) if (truth == label).any()]
    return len(set(main)) < len(main)


@functools.lru_cache(maxsize=None)
def photo_of(path, scale):
    photo = Image.open(path).convert("RGB")
    return photo.resize((round(photo.width * scale), round(photo.height * scale)), Image.LANCZOS)


def make(name, path, out, rng, brush, canvas, wanted, scale):
    photo = photo_of(path, scale)
    size = photo.size
    array = np.asarray(photo, dtype=float)
    labels = rng.randint(2, 6)
    radius = {"thin": 0.5, "thin antialiased": 1.0, "thick": rng.uniform(6, 9)}.get(brush, rng.uniform(2.2, 4.5))
    soft = {"hard": -1, "thin": -1, "thick": rng.choice([-1, 0]), "airbrush": rng.uniform(1.2, 3),
            "similar": rng.choice([-1, 0]), "black and white": rng.choice([0, 0, 1]),
            "several": rng.choice([-1, 0])}.get(brush, 0)
    radius += max(soft, 0)
    if wanted.startswith("jpg"):
        radius = max(radius, 3.0)
    if wanted == "grey":
        colours = [(v, v, v) for v in ([0, 255] if canvas != "black" and canvas != "white" else [128, 220] if canvas == "black" else [0, 110])]
    else:
        colours = colours_of(brush, labels, rng)
    opacity = rng.uniform(0.5, 0.8) if brush == "translucent" else 1.0
    ground = np.clip(np.rint(ground_of(canvas, array, rng)), 0, 255)
    picture, alpha = ground.copy(), np.zeros(ground.shape[:2])
    truth = np.zeros(ground.shape[:2], dtype=np.uint8)
    taken = np.zeros(ground.shape[:2], dtype=bool)
    for label, colour in enumerate(colours, 1):
        strokes = rng.randint(2, 4) if brush == "several" else rng.randint(1, 2)
        mine = np.zeros(ground.shape[:2])
        kept, seen = near(taken, 5), off(ground, colour) > 70
        for _ in range(strokes):
            for _ in range(60):
                points = curve(rng, *size)
                if any(kept[int(y), int(x)] for x, y in points):
                    continue
                c = coverage(points, radius, size, soft)
                if not (kept & (c > 0)).any() and (c > 0.9 * c.max())[seen].sum() > (25 if radius < 2 else 60):
                    break
            else:
                continue
            mine = np.maximum(mine, c)
        taken |= near(mine > 0, 3)
        a = (mine * opacity)[:, :, None]
        if canvas == "transparent":
            painted = mine > 0
            picture[painted] = colour
            alpha = np.maximum(alpha, mine * opacity)
        else:
            picture = picture * (1 - a) + np.array(colour) * a
        hidden = off(ground, colour) <= 70
        touched = near(mine > 0, 2 if not wanted.startswith("jpg") else 6) & (truth == 0)
        truth[touched] = 200
        truth[mine > 0] = 100 + label
        core = (mine > 0) & (mine >= (0.97 if soft <= 0 else 0.9) * mine.max())
        truth[~near(~core, 1) if wanted.startswith("jpg") else core] = label
        if canvas != "transparent":
            truth[(mine > 0) & hidden] = 200
    result = Image.fromarray(np.clip(np.rint(picture), 0, 255).astype(np.uint8))
    scribbles = f"{name}-scribbles.{wanted[:3] if wanted.startswith('jpg') else 'png' if wanted in ('rgba', 'indexed', 'grey') else wanted}"
    target = os.path.join(out, scribbles)
    if canvas == "transparent":
        result.putalpha(Image.fromarray(np.rint(255 * alpha).astype(np.uint8)))
        if wanted == "tif":
            result.save(target, compression="tiff_deflate")
        else:
            result.save(target)
    elif canvas in ("indexed", "dithered") or wanted == "indexed":
        dither = Image.FLOYDSTEINBERG if canvas == "dithered" else Image.NONE
        result = result.quantize(256, dither=dither) if rng.random() < 0.5 else \
            result.convert("P", palette=Image.ADAPTIVE, colors=256, dither=dither)
        if canvas == "dithered":  # PIL dithers to a given palette only
            result = Image.fromarray(np.clip(np.rint(picture), 0, 255).astype(np.uint8)).quantize(palette=result, dither=dither)
        result.save(target)
    elif wanted == "grey":
        result.convert("L").save(target)
    elif wanted.startswith("jpg"):
        result.save(target, quality=int(wanted[3:]))
    elif wanted == "rgba":
        result.convert("RGBA").save(target)
    elif wanted == "tif":
        result.save(target, compression="tiff_lzw")
    else:
        result.save(target)
    if result.mode == "P" and same_in_file(np.asarray(result), truth, len(colours)):
        return None
    photo.save(os.path.join(out, f"{name}-photo.bmp"))
    np.save(os.path.join(out, f"{name}-truth.npy"), truth)
    how = f"{brush} on {canvas}, {wanted}, {len(colours)} labels, {os.path.basename(path)}"
    return f"{name}\t{scribbles}\t{how}\n"


def formats_of(canvas, brush, rng):
    if canvas == "transparent":
        return rng.choice(["rgba", "rgba", "tif"])
    if canvas in ("indexed", "dithered"):
        return "indexed"
    some = ["png", "png", "rgba", "bmp", "tif", "jpg75", "jpg85", "jpg95"]
    if brush in ("thin", "thin antialiased", "translucent", "similar"):
        some = some[:5]  # JPEG leaves nothing of thin strokes; what it may leave is judged apart
    if canvas in ("black", "white", "grey"):
        some.append("indexed")
    if brush == "black and white":
        some += ["grey", "grey"]
    return rng.choice(some)


def main():
    images, out, count, which = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    scale = float(sys.argv[5]) if len(sys.argv) > 5 else 0.6
    names = sorted(n for n in os.listdir(images) if n.endswith(".jpg"))
    half = zlib.crc32(which.encode()) % 2 if which not in ("tune", "judge") else which == "judge"
    names = names[int(half)::2]
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "list.txt"), "w") as listing:
        for i in range(count):
            rng = random.Random(f"{which} {i}")
            canvas = CANVASES[i % len(CANVASES)]
            brush = BRUSHES[(i + i // len(CANVASES)) % len(BRUSHES)]
            if canvas in ("indexed", "dithered") and (brush.startswith("thin") or brush == "translucent"):
                brush = "hard"  # 256 colours have none left for what is thin or faint
            while {"black": brush in ("black", "black and white"),
                   "white": brush in ("white", "black and white")}.get(canvas, False):
                brush = rng.choice(BRUSHES)
            line = None
            while not line:  # drawn again where the file cannot have a right answer
                line = make(f"{i:03d}", os.path.join(images, names[i % len(names)]), out, rng, brush, canvas,
                            formats_of(canvas, brush, rng), scale)
            listing.write(line)


main()
